"""Solutions and answers, moved to the end of a chapter.

On a page they are folded below their exercise or question.
"""

from bs4 import BeautifulSoup

# What is moved, each kind below a title of its own.
SOLUTION = "div.solution"
ANSWER = "details.quiz-answer"
ANSWERS = "solutions-and-answers"


def element(html):
    """Make an element."""
    return BeautifulSoup(html, "html.parser").contents[0]


def words(tag):
    """Return the words of an element, with single spaces."""
    return " ".join(tag.get_text().split())


def kind(answer):
    """Name the questions among which an answer stands."""
    if answer.name == "div":
        return "Exercises and problems"
    quiz = answer.find_parent(class_="bayesbook-quiz")
    if "bayesbook-check" in quiz["class"]:
        return "Quick checks"
    title = quiz.select_one(".quiz-title, .drill-title")
    return words(title)


def question(answer):
    """Return the element with what is asked, and its name."""
    if answer.name == "div":
        asked = answer.find_previous(
            lambda tag: (
                tag.name == "div"
                and "exercise" in tag.get("class", [])
                and "solution" not in tag.get("class", [])
            )
        )
        return asked, words(asked.select_one(".admonition-title"))
    asked = answer.find_parent("form")
    for part in asked.select("legend .quiz-aside"):
        part.unwrap()
    legend = asked.select_one("legend")
    return asked, words(legend.find("span")).split(" of ")[0]


def move_answers(soup):
    """Move solutions and answers to the end, with links to and fro."""
    moved = {}
    for number, answer in enumerate(soup.select(f"{SOLUTION}, {ANSWER}")):
        group = moved.setdefault(kind(answer), [])
        asked, name = question(answer)
        asked["id"] = asked.get("id") or f"question-{number}"
        answer["id"] = answer.get("id") or f"answer-{number}"
        answer.insert_before(
            element(
                f'<p class="paper-see"><a href="#{answer["id"]}">Answer '
                "at the end of the chapter</a></p>"
            )
        )
        answer.extract()
        old = answer.select_one("summary") or answer.select_one(
            ".admonition-title"
        )
        old.decompose()
        answer.name = "div"
        answer["class"] = "paper-answer"
        answer.attrs.pop("open", None)
        back = element(f'<h4><a href="#{asked["id"]}"></a></h4>')
        back.a.string = name
        answer.insert(0, back)
        group.append(answer)
    if not moved:
        return
    end = element(
        f'<section class="paper-answers" id="{ANSWERS}">'
        "<h2>Solutions and answers</h2></section>"
    )
    for number, (title, group) in enumerate(moved.items()):
        block = element(
            f'<section id="{ANSWERS}-{number}"><h3></h3></section>'
        )
        block.h3.string = title
        for answer in group:
            block.append(answer)
        end.append(block)
    soup.select_one("section").append(end)
