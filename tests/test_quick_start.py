"""`quick_start` leaves out what no test here needs."""

import json
import sys
from pathlib import Path

import nbformat
import pytest
from threadpoolctl import threadpool_info

from bayesbook.study import quiz

SCHEMAS = [
    *Path(nbformat.__file__).parent.rglob("*.schema.json"),
    *Path(quiz.__file__).parent.rglob("*.schema.json"),
]


def formats(schema):
    """Yield the formats that a schema asks texts to have."""
    if isinstance(schema, dict):
        if isinstance(schema.get("format"), str):
            yield schema["format"]
        schema = [*schema.values()]
    if isinstance(schema, list):
        for part in schema:
            yield from formats(part)


def test_a_process_has_one_thread():
    assert {pool["num_threads"] for pool in threadpool_info()} == {1}


def test_the_grammars_of_addresses_are_not_compiled():
    assert sys.modules["rfc3987_syntax"] is None


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_no_schema_asks_for_an_international_address(path):
    asked = set(formats(json.loads(path.read_text("utf-8"))))
    assert not asked & {"iri", "iri-reference"}


def test_a_planted_international_address_is_seen():
    planted = {"items": [{"type": "string", "format": "iri"}]}
    assert [*formats(planted)] == ["iri"]
