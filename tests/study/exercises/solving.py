"""What the tests of all chapters ask: that each exercise can be solved."""

import pytest

from bayesbook.study.exercises import check
from bayesbook.study.exercises.checker import exercises_of


def solved_by(chapter, functions):
    """Return the test that functions of their names solve the exercises."""
    exercises = exercises_of(chapter)

    @pytest.mark.parametrize("name", exercises)
    def test(name):
        message = check(f"{chapter}/{name}", functions[name]).message
        cases = len(exercises[name].cases)
        right = f"✓ {name}: correct, all {cases} cases agree."
        assert message == right, message

    return test
