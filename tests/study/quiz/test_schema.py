"""The schema of a bank: two libraries read it, and agree."""

import copy
import subprocess
import sys

import fastjsonschema
import jsonschema
from study.quiz.sample import sample

from bayesbook.study.quiz.schema import conforms, schema


def test_the_schema_is_a_schema():
    jsonschema.Draft202012Validator.check_schema(schema())


def nodes(data):
    """Yield all nodes below some data, each as its parent and its key."""
    for key in data if isinstance(data, dict) else range(len(data)):
        yield data, key
        if isinstance(data[key], dict | list):
            yield from nodes(data[key])


def spoilt():
    """Yield the sample with each node in turn left out, or put wrong."""
    whole = sample()
    for place in range(len([*nodes(whole)])):
        for junk in (..., None, True, -1, "", "a\n", "1/2\n", [], {"x": 1}):
            data = copy.deepcopy(whole)
            parent, key = [*nodes(data)][place]
            parent[key] = junk
            if junk is ...:
                del parent[key]
            yield data


def test_the_quick_look_sees_what_the_schema_forbids():
    """Two libraries read the one schema, and must not disagree."""
    full = jsonschema.Draft202012Validator(schema())
    verdicts = []
    for data in spoilt():
        before = copy.deepcopy(data)
        try:
            conforms()(data)
        except fastjsonschema.JsonSchemaValueException:
            verdicts.append(False)
        else:
            verdicts.append(True)
        assert verdicts[-1] == full.is_valid(data), data
        assert data == before
    assert set(verdicts) == {True, False}


def test_a_sound_bank_does_not_wait_for_the_slow_library():
    code = (
        "import sys; from bayesbook.study import quiz; "
        "quiz.show('events')._repr_mimebundle_(); "
        "assert 'jsonschema' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
