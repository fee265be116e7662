"""YAML documents with the line of each node, which messages name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import yaml

from bayesbook.study.quiz.errors import refusal


class YamlTree:
    """A YAML document: its plain data, and the line of each node.

    There are two readings: ``data`` has numbers, as the schema requires, and
    ``written`` has them as text, exactly as the author wrote them.
    """

    def __init__(self, text: str, file: str) -> None:
        self.file = file
        try:
            self.root = yaml.compose(text, yaml.SafeLoader)
            self.data: Any = _plain(self.root, _value)
            self.written: Any = _plain(self.root, str)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            what = f"This is not valid YAML: {error.problem}."
            remedy = (
                "Look at the indentation, and put texts with a colon or "
                "special characters between quotes or after `|`."
            )
            line = mark.line + 1 if mark else None
            raise refusal(what, remedy, file, line) from error
        except yaml.YAMLError as error:
            what = f"This is not valid YAML: {error}."
            raise refusal(what, "Remove that character.", file) from error
        except (ValueError, OverflowError) as error:
            what = f"A character after a backslash does not exist ({error})."
            raise refusal(what, "Write it as it is.", file) from error
        except RecursionError as error:
            what = "The bank contains itself, or is nested without end."
            remedy = "Write it without `&` and `*`."
            raise refusal(what, remedy, file) from error

    def line(self, path: Sequence[str | int]) -> int:
        """Return the line of the node at a path, or of its next ancestor."""
        node = self.root
        for key in path:
            below = _children(node).get(key)
            if below is None:
                break
            node = below
        return node.start_mark.line + 1 if node else 1

    def question(self, path: Sequence[str | int]) -> str | None:
        """Return the name of the question that a path leads into."""
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
            raise _marked("the name of a field is not plain text", key)
        if key.value in fields:
            # YAML itself would keep the last, silently.
            raise _marked(f"the field `{key.value}` is given twice", key)
        fields[key.value] = below
    return fields


def _marked(problem: str, node: yaml.Node) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node.start_mark)


# YAML 1.1 reads more as numbers, 1:30 as ninety and 010 as eight, which no
# author means.
_DECIMAL = re.compile(
    r"[-+]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?"
)


def _plain(node: yaml.Node | None, number: Callable[[str], object]) -> Any:
    """Return the plain data of a node, with `number` of each decimal."""
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
