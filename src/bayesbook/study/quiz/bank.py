"""Question banks: finding them, reading them, and what makes one sound."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import fastjsonschema
import yaml

from bayesbook.study.quiz.answers import agrees
from bayesbook.study.quiz.errors import Problem, QuizError, nearest

if TYPE_CHECKING:
    from jsonschema import ValidationError


@dataclass(frozen=True)
class Option:
    """One option of a choice.

    Parameters
    ----------
    text : str
        Markdown, one paragraph.
    check : str
        Python expression that computes whether the option's claim holds.
    why : str
        Markdown: why it is right, or why it is wrong.
    right : bool
        Whether it belongs to the answer.

    Examples
    --------
    >>> Option("a half", "heads == 1 / 2", "The coin is fair.", right=True)
    Option(text='a half', check='heads == 1 / 2', why='The coin is fair.', \
right=True)
    """

    text: str
    check: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class WrongValue:
    """A common wrong value and the mistake that leads to it.

    Parameters
    ----------
    value : str
        As the author wrote it, a decimal or a fraction.
    check : str
        Python expression that makes the mistake.
    why : str
        Markdown: the diagnosis.

    Examples
    --------
    >>> WrongValue("0.5", "prior", "This is the prior.").value
    '0.5'
    """

    value: str
    check: str
    why: str


@dataclass(frozen=True)
class Step:
    """One step of an order.

    Parameters
    ----------
    text : str
        Markdown, one paragraph.
    value : str
        Python expression: what the question's check sees of this step.

    Examples
    --------
    >>> Step("two aces", "F(1, 221)").text
    'two aces'
    """

    text: str
    value: str


@dataclass(frozen=True, kw_only=True)
class Question:
    """What all kinds of question have.

    Parameters
    ----------
    id : str
        Kebab-case, unique in the bank.
    kind : {'single', 'multiple', 'number', 'order'}
        How it is answered.
    level : {'recall', 'understand', 'apply', 'analyse', 'transfer'}
        What it asks of the reader.
    prompt : str
        Markdown.
    setup : str
        Python that is run before the question's checks.
    line : int or None
        Where it stands in the file; no part of what the question is.

    See Also
    --------
    Choice, Numeric, Order : the kinds, each with what is its own.

    Examples
    --------
    >>> question = Question(id="coin", kind="number", level="recall",
    ...                     prompt="How many sides has a coin?")
    >>> len(question.version)
    12
    """

    id: str
    kind: str
    level: str
    prompt: str
    setup: str = ""
    line: int | None = field(default=None, compare=False)

    @property
    def version(self) -> str:
        """Twelve characters that change when the question or its key does.

        A page remembers answers together with it, so that an answer to an
        older wording is forgotten, and one before a mere correction of a
        rationale is not.
        """
        content = json.dumps(_asked(asdict(self)), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()[:12]


_UNASKED = {"check", "why", "setup", "level", "line"}


def _asked(part: object) -> object:
    """Keep what a given answer depends on: texts shown, and the key."""
    if isinstance(part, dict):
        return {
            name: _asked(value)
            for name, value in part.items()
            if name not in _UNASKED
        }
    if isinstance(part, tuple):
        return [_asked(value) for value in part]
    return part


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """A question with options, of which one or several are right.

    Parameters
    ----------
    options : tuple of Option
        At least two.
    keep_order : bool
        Show the options as written, instead of shuffled.

    Examples
    --------
    >>> options = (Option("2", "sides == 2", "Heads and tails.", right=True),
    ...            Option("3", "sides == 3", "The rim does not count."))
    >>> question = Choice(id="coin", kind="single", level="recall",
    ...                   prompt="How many sides?", options=options)
    >>> [option.text for option in question.options if option.right]
    ['2']
    """

    options: tuple[Option, ...]
    keep_order: bool = False


@dataclass(frozen=True, kw_only=True)
class Numeric(Question):
    """A question whose answer is a number.

    Parameters
    ----------
    answer : str
        As the author wrote it, a decimal or a fraction.
    tolerance : float
        Absolute.
    check : str
        Python expression that recomputes the answer.
    why : str
        Markdown.
    wrong : tuple of WrongValue
        At least one.
    unit : str
        Shown after the box; with ``%`` the answer is in per cent.

    Examples
    --------
    >>> rim = WrongValue("3", "sides + 1", "The rim does not count.")
    >>> question = Numeric(id="coin", kind="number", level="recall",
    ...                    prompt="How many sides?", answer="2", tolerance=0,
    ...                    check="sides", why="Heads, tails.", wrong=(rim,))
    >>> question.answer
    '2'
    """

    answer: str
    tolerance: float
    check: str
    why: str
    wrong: tuple[WrongValue, ...]
    unit: str = ""


@dataclass(frozen=True, kw_only=True)
class Order(Question):
    """A question that asks for the order of steps.

    Parameters
    ----------
    steps : tuple of Step
        In the right order.
    check : str
        Python expression over ``order``, the list of the steps' values in a
        proposed order: true for the right one only.
    why : str
        Markdown.

    Examples
    --------
    >>> steps = (Step("a third", "F(1, 3)"), Step("a half", "F(1, 2)"))
    >>> question = Order(id="least", kind="order", level="recall",
    ...                  prompt="The smallest first.", steps=steps,
    ...                  check="order == sorted(order)", why="2 < 3.")
    >>> [step.text for step in question.steps]
    ['a third', 'a half']
    """

    steps: tuple[Step, ...]
    check: str
    why: str


@dataclass(frozen=True)
class Quiz:
    """The bank of one chapter.

    Parameters
    ----------
    chapter : str
        The chapter's name, which is the stem of the file's name.
    title : str
        Shown above the questions.
    questions : tuple of Question
        At least one.
    setup : str
        Python that is run before each question's own; its checks see the
        names.
    file : str
        Name of the file, for messages.

    Examples
    --------
    >>> Quiz("dice", "Two dice", ()).title
    'Two dice'
    """

    chapter: str
    title: str
    questions: tuple[Question, ...]
    setup: str = ""
    file: str = field(default="", compare=False)


def load(name_or_path: str | PathLike[str]) -> Quiz:
    """Read the bank of a chapter.

    Parameters
    ----------
    name_or_path : str or path
        The chapter's name, such as ``"events"``, or the path of a YAML file.

    Returns
    -------
    Quiz
        Well formed; whether its keys are true is what
        :func:`bayesbook.study.quiz.verify` finds out.

    Raises
    ------
    QuizError
        If there is no such bank, or it is not well formed; the message lists
        every problem with its line and a remedy.

    Examples
    --------
    >>> load("no-such-chapter")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    bayesbook.study.quiz.errors.QuizError: no-such-chapter.yml: There is no ...
    """
    path = _locate(name_or_path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = f"The file cannot be read ({error})."
        remedy = "Give the path of a YAML file in UTF-8."
        raise _refusal(what, remedy, path.name) from error
    return parse(text, path)


def names() -> list[str]:
    """List the chapters that have a bank.

    Returns
    -------
    list of str
        In alphabetical order; empty where there is no folder of banks.

    Examples
    --------
    >>> names() == sorted(names())
    True
    """
    folder = _folder()
    return sorted(path.stem for path in folder.glob("*.yml"))


def parse(text: str, source: str | PathLike[str]) -> Quiz:
    """Read a bank from its text.

    Parameters
    ----------
    text : str
        YAML.
    source : str or path
        The file that the text is from; its stem must be the chapter's name.

    Returns
    -------
    Quiz
        Well formed, see :func:`load`.

    Raises
    ------
    QuizError
        If it is not well formed.

    Examples
    --------
    >>> parse("chapter: dice", "dice.yml")
    Traceback (most recent call last):
        ...
    bayesbook.study.quiz.errors.QuizError: 2 problems
      dice.yml, line 1: The field `title` is missing. Add it.
      dice.yml, line 1: The field `questions` is missing. Add it.
    """
    file = Path(source)
    tree = _Tree(text, file.name)
    if problems := list(_ill_formed(tree)):
        raise QuizError(problems)
    quiz = _build(tree)
    if problems := list(_unsound(quiz, file.stem)):
        raise QuizError(problems)
    return quiz


def _refusal(
    what: str, remedy: str, file: str, line: int | None = None
) -> QuizError:
    return QuizError([Problem(what, remedy, file, line)])


# --- where banks are -------------------------------------------------------


def _folder() -> Path:
    """Folder of the banks: in the installed package, else in the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "quizzes"
    if installed.is_dir():
        return installed
    return package.parents[2] / "book" / "quizzes"


def _locate(name_or_path: str | PathLike[str]) -> Path:
    path = Path(name_or_path)
    if path.suffix in (".yml", ".yaml"):
        return path
    name, known = str(name_or_path), names()
    if name in known:
        return _folder() / f"{name}.yml"
    close = nearest(name, known)
    listed = f"There are: {', '.join(known)}." if known else "There is none."
    what = f"There is no bank of this name in {_folder()}."
    raise _refusal(what, f"{close} {listed}".lstrip(), f"{name}.yml")


# --- YAML, with the lines that messages name -------------------------------


class _Tree:
    """A YAML document: its plain data, and the line of each node.

    There are two readings: ``data`` has numbers, as the schema wants them,
    and ``written`` has them as text, exactly as the author wrote them.
    """

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        try:
            self.root = yaml.compose(text, yaml.SafeLoader)
            self.data = _plain(self.root, _value)
            self.written = _plain(self.root, str)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = f"This is not valid YAML: {error.problem}."
            remedy = (
                "Look at the indentation, and put texts with a colon or "
                "special characters between quotes or after `|`."
            )
            line = mark.line + 1 if mark else None
            raise _refusal(what, remedy, file, line) from error
        except yaml.YAMLError as error:
            what = f"This is not valid YAML: {error}."
            raise _refusal(what, "Remove that character.", file) from error
        except (ValueError, OverflowError) as error:
            what = f"A character after a backslash does not exist ({error})."
            raise _refusal(what, "Write it as it is.", file) from error
        except RecursionError as error:
            what = "The bank contains itself, or is nested without end."
            remedy = "Write it without `&` and `*`."
            raise _refusal(what, remedy, file) from error

    def line(self, path: Sequence[str | int]) -> int:
        """Line of the node at a path, or of its nearest ancestor."""
        node = self.root
        for key in path:
            below = _children(node).get(key)
            if below is None:
                break
            node = below
        return node.start_mark.line + 1 if node else 1

    def question(self, path: Sequence[str | int]) -> str | None:
        """Name of the question that a path leads into."""
        if len(path) < 2 or path[0] != "questions":
            return None
        question = self.data["questions"][path[1]]
        named = question.get("id") if isinstance(question, dict) else None
        return str(named) if named else f"number {int(path[1]) + 1}"


def _children(node: yaml.Node | None) -> dict[str | int, yaml.Node]:
    if isinstance(node, yaml.SequenceNode):
        return dict(enumerate(node.value))
    if not isinstance(node, yaml.MappingNode):
        return {}
    fields = {}
    for key, below in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise _marked("the name of a field is no plain text", key)
        if key.value in fields:
            # YAML itself would keep the last, silently.
            raise _marked(f"the field `{key.value}` is given twice", key)
        fields[key.value] = below
    return fields


def _marked(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)


# YAML 1.1 reads more as numbers, 1:30 as ninety and 010 as eight, which nobody
# means who writes it.
_DECIMAL = re.compile(
    r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"
)


def _plain(node: yaml.Node | None, number: Callable[[str], object]) -> object:
    """Make plain data of a node, and what is said of each decimal."""
    if isinstance(node, yaml.MappingNode):
        below = _children(node).items()
        return {name: _plain(child, number) for name, child in below}
    if isinstance(node, yaml.SequenceNode):
        return [_plain(child, number) for child in node.value]
    if node is None or node.tag == "tag:yaml.org,2002:null":
        return None
    if node.tag == "tag:yaml.org,2002:bool":
        return node.value.lower() in ("true", "yes", "on")
    quoted = node.style is not None
    if quoted or not _DECIMAL.fullmatch(node.value):
        return node.value
    return number(node.value)


def _value(decimal: str) -> float:
    value = float(decimal)
    return int(value) if value.is_integer() else value


# --- the schema, in the words of an author ---------------------------------


@cache
def schema() -> dict:
    """Read the JSON schema of a bank, which editors can use as well.

    Returns
    -------
    dict
        The content of ``quiz.schema.json``.

    Examples
    --------
    >>> schema()["title"]
    'Question bank of one chapter'
    """
    text = files(__package__).joinpath("quiz.schema.json").read_text("utf-8")
    return json.loads(text)


@cache
def _conforms() -> Callable[[object], object]:
    """Return a function that raises if data do not conform to the schema."""
    return fastjsonschema.compile(schema(), use_default=False)


def _ill_formed(tree: _Tree) -> Iterator[Problem]:
    if tree.data is None:
        yield Problem(
            "The bank is empty.",
            "Write `chapter`, `title` and `questions`.",
            tree.file,
        )
        return
    try:
        _conforms()(tree.data)
    except fastjsonschema.JsonSchemaValueException:
        yield from _violations(tree)


def _violations(tree: _Tree) -> Iterator[Problem]:
    """Say all that the schema finds, and not only the first of it."""
    # Its import takes a second or two, which a sound bank should not cost.
    from jsonschema import Draft202012Validator

    errors = sorted(
        Draft202012Validator(schema()).iter_errors(tree.data),
        key=lambda error: [str(key).zfill(4) for key in error.absolute_path],
    )
    for error in errors:
        path = list(error.absolute_path)
        for what, remedy in _sentences(error):
            yield Problem(
                what,
                remedy,
                tree.file,
                tree.line(path),
                tree.question(path),
                _part(path),
            )


_NAMES = {"options": "option", "wrong": "wrong value", "steps": "step"}


def _part(path: Sequence[str | int]) -> str | None:
    """Name the option, step or wrong value that a path leads into."""
    if len(path) >= 4 and path[2] in _NAMES:
        return f"{_NAMES[str(path[2])]} {int(path[3]) + 1}"
    return None


_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "number": "a number",
    "object": "a group of fields",
    "string": "text",
}


def _sentences(error: "ValidationError") -> Iterator[tuple[str, str]]:
    """Say in a sentence what is wrong, and in another what to do."""
    name = error.absolute_path[-1] if error.absolute_path else None
    field = f"`{name}`" if isinstance(name, str) else "This"
    rule, found, wanted = (
        error.validator,
        error.instance,
        error.validator_value,
    )
    if rule == "required":
        # The schema library makes one error of each missing field.
        missing = error.message.split("'")[1]
        remedy = "Add it."
        if missing == "why":
            remedy = "Say why, whether it is right or wrong."
        elif missing == "check":
            remedy = "Add a Python expression that recomputes the claim."
        yield f"The field `{missing}` is missing.", remedy
    elif rule == "additionalProperties":
        known = error.schema["properties"]
        for unknown in [key for key in found if key not in known]:
            remedy = nearest(str(unknown), known)
            fields = f"The fields here are: {', '.join(known)}."
            yield f"There is no field `{unknown}` here.", remedy or fields
    elif rule == "enum":
        remedy = nearest(str(found), wanted)
        listed = f"It is one of: {', '.join(wanted)}."
        yield f"{field} cannot be {found!r}.", f"{remedy} {listed}".lstrip()
    elif rule == "type":
        kinds = wanted if isinstance(wanted, list) else [wanted]
        kind = " or ".join(_TYPES[kind] for kind in kinds)
        remedy = f"Write {kind}."
        if "number" in kinds:
            remedy = f"Write {kind}, such as 0.001."
        if "string" in kinds and found is None:
            remedy = "Write something after the colon."
        elif "string" in kinds and not isinstance(found, dict | list):
            remedy = "Put quotes around it."
        yield f"{field} must be {kind}, but is {found!r}.", remedy
    elif rule == "minItems":
        few = f"has {len(found)} entries" if found else "is empty"
        least = "one is" if wanted == 1 else f"{wanted} are"
        yield f"{field} {few}.", f"At least {least} needed."
    elif rule == "maxItems":
        many = f"{field} has {len(found)} entries."
        yield many, f"At most {wanted} can be shown well."
    elif rule == "pattern" and name in ("chapter", "id"):
        signs = "small letters, digits and hyphens"
        if name == "chapter":
            signs += " or underscores"
        yield f"{field} cannot be {found!r}.", f"Use {signs}: `two-dice`."
    elif rule == "pattern":
        yield f"{field} is blank.", "Write something."
    elif rule == "anyOf":
        remedy = 'Write a number such as 0.25, or a fraction such as "1/11".'
        yield f"{field} cannot be {found!r}.", remedy
    elif rule == "minimum":
        yield f"{field} is {found!r}, less than {wanted}.", "Make it larger."
    else:
        yield f"{field}: {error.message}.", "See quiz.schema.json."


# --- from plain data to questions ------------------------------------------


_KINDS = {
    "single": Choice,
    "multiple": Choice,
    "number": Numeric,
    "order": Order,
}
_PARTS = {"options": Option, "wrong": WrongValue, "steps": Step}


def _build(tree: _Tree) -> Quiz:
    questions = tuple(
        _question(fields, tree.line(["questions", number]))
        for number, fields in enumerate(tree.written["questions"])
    )
    return Quiz(**{**tree.written, "questions": questions}, file=tree.file)


def _question(fields: dict, line: int) -> Question:
    parts = {
        name: tuple(part(**entry) for entry in fields[name])
        for name, part in _PARTS.items()
        if name in fields
    }
    if "tolerance" in fields:
        parts["tolerance"] = float(fields["tolerance"])
    return _KINDS[fields["kind"]](**{**fields, **parts}, line=line)


def number(written: str) -> float:
    """Value of a number that an author wrote.

    Parameters
    ----------
    written : str
        A decimal or a fraction.

    Returns
    -------
    float
        Infinite, or NaN, where the parts are too large for a float.

    Examples
    --------
    >>> number("1/8"), number("0.125"), number("1e-3")
    (0.125, 0.125, 0.001)
    """
    top, _, bottom = written.partition("/")
    return float(top) / float(bottom or 1)


# --- what the schema cannot say --------------------------------------------


def _unsound(quiz: Quiz, stem: str) -> Iterator[Problem]:
    if quiz.chapter != stem:
        yield Problem(
            f"`chapter` is {quiz.chapter!r}, but the file is named {stem!r}.",
            "Give both the same name.",
            quiz.file,
        )
    counts = Counter(question.id for question in quiz.questions)
    seen = set()
    for question in quiz.questions:
        if question.id in seen:
            yield Problem(
                f"{counts[question.id]} questions have this id.",
                "Give each its own.",
                quiz.file,
                question.line,
                question.id,
            )
        seen.add(question.id)
        for what, remedy in _contradictions(question):
            yield Problem(what, remedy, quiz.file, question.line, question.id)


def _contradictions(question: Question) -> Iterator[tuple[str, str]]:
    """Find what is wrong with a question before anything is computed."""
    match question:
        case Choice():
            yield from _choice_contradictions(question)
        case Numeric():
            yield from _numeric_contradictions(question)
        case Order():
            texts = [step.text.strip() for step in question.steps]
            yield from _repetitions("steps", texts)


def _choice_contradictions(question: Choice) -> Iterator[tuple[str, str]]:
    right = sum(option.right for option in question.options)
    if right == 0:
        yield "No option is right.", "Mark one with `right: true`."
    elif question.kind == "single" and right > 1:
        yield (
            f"{right} options are right, but `kind` is single.",
            "Leave one `right: true`, or write `kind: multiple`.",
        )
    elif right == len(question.options):
        yield (
            "Every option is right, which leaves nothing to tell apart.",
            "Add an option that is wrong, and say why it is.",
        )
    texts = [option.text.strip() for option in question.options]
    yield from _repetitions("options", texts)


def _repetitions(
    field: str, texts: Sequence[str]
) -> Iterator[tuple[str, str]]:
    for text, times in Counter(texts).items():
        if times > 1:
            yield f"Two of the {field} read {text!r}.", "Make them differ."


def _numeric_contradictions(question: Numeric) -> Iterator[tuple[str, str]]:
    tolerance = question.tolerance
    written = [question.answer, *(wrong.value for wrong in question.wrong)]
    values = [number(text) for text in written]
    if not all(map(math.isfinite, [tolerance, *values])):
        yield (
            "A value or the tolerance is not finite.",
            "Write numbers such as 0.25.",
        )
        return
    answer, *wrongs = values
    for position, wrong in enumerate(wrongs, 1):
        # The boxes of both must not overlap, or one text would be both.
        if agrees(wrong, answer, 2 * tolerance):
            yield (
                f"The wrong value {written[position]} is within the "
                f"tolerances of the answer {question.answer}.",
                "Lower `tolerance`, or drop this wrong value.",
            )
        for earlier in range(1, position):
            if agrees(wrong, values[earlier], tolerance):
                yield (
                    f"The wrong values {written[earlier]} and "
                    f"{written[position]} are within the tolerance of each "
                    "other.",
                    "Keep one, and let it speak of both mistakes.",
                )
