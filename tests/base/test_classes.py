"""The classes of rows are read, or the first wrong row is named."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import DataConversionWarning

from bayesbook.base import ProbabilityError
from bayesbook.base.classes import (
    codes_among,
    one_label_each,
    read_own_classes,
    require_labels,
)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["a", "b"]),
        np.array(["a", "b"], dtype=object),
        np.array([3, 1]),
        np.array([True, False]),
    ],
)
def test_labels_of_one_type_are_classes(labels):
    require_labels(labels)


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (["a", None], "y has no label in row 1; leave such rows out."),
        (["a", np.nan], "y has no label in row 1; leave such rows out."),
        ([pd.NA, "a"], "y has no label in row 0; leave such rows out."),
        (
            ["a", 1, "b"],
            "y has 1 in row 1, and texts in others: give all classes one "
            "type.",
        ),
    ],
)
def test_the_first_row_with_a_wrong_label_is_named(labels, why):
    with pytest.raises(ProbabilityError) as caught:
        require_labels(np.array(labels, dtype=object))
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        ([0.0, np.inf], "infinity"),
        ([0.5, 1.25], "Unknown label type: continuous"),
    ],
)
def test_measurements_are_no_classes(labels, why):
    with pytest.raises(ValueError, match=why):
        require_labels(np.array(labels))


def test_there_is_a_label_for_each_row():
    rows = np.zeros((2, 3))
    assert one_label_each(["a", "b"], rows).tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"inconsistent .*: \[2, 1\]"):
        one_label_each(["a"], rows)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert one_label_each([[0], [1]], rows).tolist() == [0, 1]


def test_own_classes_are_sorted_and_appear_once():
    assert read_own_classes(["b", "a", "b"]).tolist() == ["a", "b"]
    with pytest.raises(ProbabilityError, match="classes is empty: list all"):
        read_own_classes([])


def test_labels_become_their_places_among_the_classes():
    classes = np.array(["a", "b", "c"])
    assert codes_among(np.array(["c", "a"]), classes).tolist() == [2, 0]


@pytest.mark.parametrize(
    ("labels", "why"),
    [
        (["a", "d"], "The target label 'd' in row 1 of y does not exist in"),
        (["b", "0"], "The target label '0' in row 1 of y does not exist in"),
        ([7, 8], "The target label 7 in row 0 of y does not exist in"),
    ],
)
def test_a_label_of_no_class_is_named_with_its_row(labels, why):
    classes = np.array(["a", "b", "c"])
    with pytest.raises(ValueError, match="initial classes 'a', 'b', 'c': pa"):
        codes_among(np.array(labels), classes)
    with pytest.raises(ValueError, match=f"^{why}"):
        codes_among(np.array(labels, dtype=object), classes)
