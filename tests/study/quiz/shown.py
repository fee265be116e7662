"""A page with a quiz, and how a reader answers it."""

PAGE = """<!doctype html>
<html lang="en" {root}><head><meta charset="utf-8"><title>Quiz</title>
<meta name="viewport" content="width=device-width">
<style>
html[data-theme=dark], body[data-jp-theme-light=false] {{
  background: #14181e; color: #ced6dd }}
body {{ font-family: sans-serif; margin: 16px }}</style></head>
<body {body}><main><h1>Chapter</h1><h2>Quiz</h2>
{quiz}
</main></body></html>"""


def write(path, content, root="", body=""):
    path.write_text(
        PAGE.format(root=root, body=body, quiz=content), encoding="utf-8"
    )


class Asked:
    """One question of a page."""

    def __init__(self, page, name):
        self.page = page
        self.form = page.locator(f"#quiz-sample-{name}")
        self.verdict = self.form.locator(".quiz-verdict")
        self.reasons = self.form.locator(".quiz-reason:visible")
        self.details = self.form.locator("details")
        self.box = self.form.get_by_label("Your answer")
        self.checks = self.form.locator(".quiz-check")

    def choose(self, *texts):
        for text in texts:
            self.form.locator("label", has_text=text).click()
        return self

    def check(self):
        self.form.get_by_role("button", name="Check").click()
        return self

    def again(self):
        self.form.get_by_role("button", name="Try again").click()
        return self

    def type(self, text):
        self.box.fill(text)
        self.box.press("Enter")
        return self

    def steps(self):
        return self.form.locator(".quiz-step .quiz-text").all_inner_texts()


def score(page):
    return page.locator(".quiz-score")


HEALTHY = "More healthy people"
RAISES = "more probable than before"
LIKELY = "more probable than not"


def answer_some(page):
    Asked(page, "bayes-rule").choose(r"\,P(A)").check()
    Asked(page, "what-holds").choose(HEALTHY, LIKELY).check()
    Asked(page, "posterior").type("0.9").type("10/109")
    Asked(page, "by-hand").check()
