"""The schema of a bank, and its violations in the words of an author."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import fastjsonschema

from bayesbook.study.quiz.errors import Problem, nearest
from bayesbook.study.quiz.yaml_tree import YamlTree

if TYPE_CHECKING:
    from jsonschema import ValidationError

Sentences = Iterator[tuple[str, str]]


@cache
def schema() -> dict:
    """Read the JSON schema of a bank, which editors can use, too.

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
def conforms() -> Callable[[object], object]:
    """Return a function that raises if data do not conform to the schema."""
    return fastjsonschema.compile(schema(), use_default=False)


def ill_formed(tree: YamlTree) -> Iterator[Problem]:
    """Yield what does not conform to the schema."""
    if tree.data is None:
        yield Problem(
            "The bank is empty.",
            "Write `chapter`, `title` and `questions`.",
            tree.file,
        )
        return
    try:
        conforms()(tree.data)
    except fastjsonschema.JsonSchemaValueException:
        yield from _violations(tree)


def _violations(tree: YamlTree) -> Iterator[Problem]:
    """Yield every problem that the schema finds, not only the first."""
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
    """Return the option, step or wrong value that a path leads into."""
    if len(path) >= 4 and path[2] in _NAMES:
        return f"{_NAMES[str(path[2])]} {int(path[3]) + 1}"
    return None


# --- Sentences, one function for each rule of the schema -------------------
_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "number": "a number",
    "object": "a group of fields",
    "string": "text",
}


def _sentences(error: ValidationError) -> Sentences:
    """Yield each fault in a sentence, and its remedy in another."""
    name = error.absolute_path[-1] if error.absolute_path else None
    field = f"`{name}`" if isinstance(name, str) else "This"
    describe = _SENTENCES.get(str(error.validator), _other)
    return describe(error, field)


def _missing_field(error: ValidationError, field: str) -> Sentences:
    # The schema library makes one error of each missing field.
    missing = error.message.split("'")[1]
    remedies = {
        "why": "Say why, whether it is right or wrong.",
        "check": "Add a Python expression that recomputes the claim.",
    }
    yield (
        f"The field `{missing}` is missing.",
        remedies.get(missing, "Add it."),
    )


def _unknown_fields(error: ValidationError, field: str) -> Sentences:
    known = _schema_of(error)["properties"]
    for unknown in [key for key in _found(error) if key not in known]:
        remedy = nearest(str(unknown), known)
        fields = f"The fields here are: {', '.join(known)}."
        yield f"There is no field `{unknown}` here.", remedy or fields


def _unknown_word(error: ValidationError, field: str) -> Sentences:
    found, words = _found(error), _wanted(error)
    remedy = nearest(str(found), words)
    listed = f"It is one of: {', '.join(words)}."
    yield f"{field} cannot be {found!r}.", f"{remedy} {listed}".lstrip()


def _wrong_type(error: ValidationError, field: str) -> Sentences:
    found, wanted = _found(error), _wanted(error)
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


def _too_few(error: ValidationError, field: str) -> Sentences:
    found, least = _found(error), _wanted(error)
    few = f"has {len(found)} entries" if found else "is empty"
    needed = "one is" if least == 1 else f"{least} are"
    yield f"{field} {few}.", f"At least {needed} needed."


def _too_many(error: ValidationError, field: str) -> Sentences:
    many = f"{field} has {len(_found(error))} entries."
    yield many, f"At most {_wanted(error)} can be shown well."


def _wrong_signs(error: ValidationError, field: str) -> Sentences:
    if field == "`section`":
        what = f"{field} cannot be {_found(error)!r}."
        yield what, "Write the label of a section: `sec-bayes`."
        return
    if field not in ("`chapter`", "`id`"):
        yield f"{field} is blank.", "Write something."
        return
    signs = "small letters, digits and hyphens"
    if field == "`chapter`":
        signs += " or underscores"
    what = f"{field} cannot be {_found(error)!r}."
    yield what, f"Use {signs}: `two-dice`."


def _not_a_number(error: ValidationError, field: str) -> Sentences:
    remedy = 'Write a number such as 0.25, or a fraction such as "1/11".'
    yield f"{field} cannot be {_found(error)!r}.", remedy


def _too_small(error: ValidationError, field: str) -> Sentences:
    what = f"{field} is {_found(error)!r}, less than {_wanted(error)}."
    yield what, "Make it larger."


def _other(error: ValidationError, field: str) -> Sentences:
    yield f"{field}: {error.message}.", "See quiz.schema.json."


_SENTENCES: dict[str, Callable[[ValidationError, str], Sentences]] = {
    "required": _missing_field,
    "additionalProperties": _unknown_fields,
    "enum": _unknown_word,
    "type": _wrong_type,
    "minItems": _too_few,
    "maxItems": _too_many,
    "pattern": _wrong_signs,
    "anyOf": _not_a_number,
    "minimum": _too_small,
}


# What the schema library has in its errors comes from YAML: of any type.
def _found(error: ValidationError) -> Any:
    return error.instance


def _wanted(error: ValidationError) -> Any:
    return error.validator_value


def _schema_of(error: ValidationError) -> Any:
    return error.schema
