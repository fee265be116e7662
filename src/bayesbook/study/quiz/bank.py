"""Question banks: where they are, and how they are read.

``book/quizzes/<chapter>.yml`` is the quiz at the end of a chapter, and
``book/quizzes/checks/<chapter>.yml``, in the same form, has the quick checks
within its text. So ids and versions of all questions of the book come from
:func:`names` and :func:`load`, both with ``checks`` and without.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from bayesbook.study.quiz.errors import QuizError, nearest, refusal
from bayesbook.study.quiz.questions import (
    Choice,
    Numeric,
    Option,
    Order,
    Question,
    Quiz,
    Step,
    WrongValue,
)
from bayesbook.study.quiz.schema import ill_formed
from bayesbook.study.quiz.soundness import unsound
from bayesbook.study.quiz.yaml_tree import YamlTree


def load(name_or_path: str | PathLike[str], *, checks: bool = False) -> Quiz:
    """Read the bank of a chapter.

    Parameters
    ----------
    name_or_path : str or path
        The chapter's name, such as ``"events"``, or the path of a YAML file.
    checks : bool
        Read the quick checks within the chapter of this name, instead of the
        quiz at its end.

    Returns
    -------
    Quiz
        Well formed; :func:`bayesbook.study.quiz.verify` checks whether its
        keys are true.

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
    path = _locate(name_or_path, checks)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = f"The file cannot be read ({error})."
        remedy = "Give the path of a YAML file in UTF-8."
        raise refusal(what, remedy, path.name) from error
    return parse(text, path)


def names(*, checks: bool = False) -> list[str]:
    """List the chapters that have a bank.

    Parameters
    ----------
    checks : bool
        Of quick checks within the chapter, instead of a quiz at its end.

    Returns
    -------
    list of str
        In alphabetical order; empty where there is no folder of banks.

    Examples
    --------
    >>> names() == sorted(names()), {*names(checks=True)} <= {*names()}
    (True, True)
    """
    folder = _folder(checks)
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
    tree = YamlTree(text, file.name)
    if problems := list(ill_formed(tree)):
        raise QuizError(problems)
    quiz = _build(tree)
    if problems := list(unsound(quiz, file.stem)):
        raise QuizError(problems)
    return quiz


# --- Where banks are -------------------------------------------------------


def _folder(checks: bool = False) -> Path:
    """Return the folder of the banks: in the package, or in the checkout."""
    package = Path(__file__).resolve().parents[1]
    quizzes = package / "quizzes"
    if not quizzes.is_dir():
        quizzes = package.parents[2] / "book" / "quizzes"
    return quizzes / "checks" if checks else quizzes


def _locate(name_or_path: str | PathLike[str], checks: bool) -> Path:
    path = Path(name_or_path)
    if path.suffix in (".yml", ".yaml"):
        return path
    name, known = str(name_or_path), names(checks=checks)
    if name in known:
        return _folder(checks) / f"{name}.yml"
    close = nearest(name, known)
    listed = f"There are: {', '.join(known)}." if known else "There is none."
    what = f"There is no bank of this name in {_folder(checks)}."
    raise refusal(what, f"{close} {listed}".lstrip(), f"{name}.yml")


# --- From plain data to questions ------------------------------------------
_KINDS = {
    "single": Choice,
    "multiple": Choice,
    "number": Numeric,
    "order": Order,
}
_PARTS = {"options": Option, "wrong": WrongValue, "steps": Step}


def _build(tree: YamlTree) -> Quiz:
    questions = tuple(
        _question(fields, tree.line(["questions", number]))
        for number, fields in enumerate(tree.written["questions"])
    )
    return Quiz(**{**tree.written, "questions": questions}, file=tree.file)


def _question(fields: dict, line: int) -> Question:
    parts: dict[str, Any] = {
        name: tuple(part(**entry) for entry in fields[name])
        for name, part in _PARTS.items()
        if name in fields
    }
    for name in {"told", "why_check"} & fields.keys():
        parts[name] = tuple(fields[name])
    if "tolerance" in fields:
        parts["tolerance"] = float(fields["tolerance"])
    return _KINDS[fields["kind"]](**{**fields, **parts}, line=line)
