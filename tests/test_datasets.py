"""The data are the published ones, and every call gives a fresh copy."""

import socket

import pytest
from sklearn.datasets import load_diabetes

from bayesbook.datasets import (
    berkeley_admissions,
    breast_masses,
    diabetes_progression,
    fitness_club,
)

LOADERS = [
    berkeley_admissions,
    breast_masses,
    diabetes_progression,
    fitness_club,
]

# UCBAdmissions of R: admitted and rejected men, admitted and rejected women.
BERKELEY = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}
KINDS = [
    ("men", "admitted"),
    ("men", "rejected"),
    ("women", "admitted"),
    ("women", "rejected"),
]


def applicants(table, **where):
    for column, value in where.items():
        table = table[table[column] == value]
    return table["applicants"].sum()


def test_every_number_of_the_berkeley_table():
    counts = berkeley_admissions().set_index(
        ["department", "gender", "decision"]
    )
    assert counts["applicants"].to_dict() == {
        (department, *kind): number
        for department, numbers in BERKELEY.items()
        for kind, number in zip(KINDS, numbers, strict=True)
    }


def test_no_row_of_the_berkeley_table_stands_twice():
    table = berkeley_admissions()
    assert len(table) == 24
    columns = ["department", "gender", "decision", "applicants"]
    assert list(table.columns) == columns


# From the article and the text book, not added up from the table above.
@pytest.mark.parametrize(
    ("gender", "admitted", "total"),
    [("men", 1198, 2691), ("women", 557, 1835)],
)
def test_the_totals_of_berkeley(gender, admitted, total):
    table = berkeley_admissions()
    chosen = applicants(table, gender=gender, decision="admitted")
    assert chosen == admitted
    assert applicants(table, gender=gender) == total


def test_the_number_of_applicants_to_berkeley():
    assert applicants(berkeley_admissions()) == 4526


@pytest.mark.parametrize(
    ("department", "percent_men", "percent_women"),
    # As printed by Freedman, Pisani and Purves, in whole percents.
    [
        ("A", 62, 82),
        ("B", 63, 68),
        ("C", 37, 34),
        ("D", 33, 35),
        ("E", 28, 24),
        ("F", 6, 7),
    ],
)
def test_the_printed_rates_of_berkeley(department, percent_men, percent_women):
    table = berkeley_admissions()
    for gender, percent in [("men", percent_men), ("women", percent_women)]:
        group = {"department": department, "gender": gender}
        chosen = applicants(table, decision="admitted", **group)
        assert round(100 * chosen / applicants(table, **group)) == percent


def test_the_diagnoses_of_the_breast_masses():
    masses = breast_masses()
    assert len(masses) == 569
    counts = masses["diagnosis"].value_counts().to_dict()
    assert counts == {"malignant": 212, "benign": 357}


@pytest.mark.parametrize(
    ("diagnosis", "large"), [("malignant", 191), ("benign", 37)]
)
def test_the_masses_with_large_nuclei(diagnosis, large):
    masses = breast_masses()
    radius = masses.loc[masses["diagnosis"] == diagnosis, "worst_radius"]
    assert (radius > 16).sum() == large


def test_the_range_of_the_radius():
    """As in the description that comes with the data set."""
    radius = breast_masses()["worst_radius"]
    assert (radius.min(), radius.max()) == (7.93, 36.04)


def test_the_patients_of_the_diabetes_study():
    """Table 1 of the article shows the first patients: 32.1 and 151, ..."""
    patients = diabetes_progression()
    assert list(patients.columns) == ["bmi", "progression"]
    assert len(patients) == 442
    assert patients["bmi"].head(6).tolist() == [
        32.1,
        21.6,
        30.5,
        25.3,
        23.0,
        22.6,
    ]
    assert patients["progression"].head(6).tolist() == [
        151,
        75,
        141,
        206,
        135,
        97,
    ]
    assert patients.iloc[-1].tolist() == [19.6, 57]


def test_the_diabetes_data_are_in_their_units():
    """scikit-learn's scaled columns have the same correlation, no units."""
    patients = diabetes_progression()
    scaled = load_diabetes(as_frame=True).frame
    assert patients["bmi"].corr(patients["progression"]) == pytest.approx(
        scaled["bmi"].corr(scaled["target"])
    )
    assert patients["bmi"].between(18, 42.2).all()
    assert patients["progression"].between(25, 346).all()


def test_the_men_of_the_fitness_club():
    """Means and deviations as SAS/STAT's manual prints them (CANCORR)."""
    club = fitness_club()
    assert list(club.columns) == ["chin_ups", "sit_ups", "jumps"]
    assert len(club) == 20
    assert club.mean().tolist() == pytest.approx([9.45, 145.55, 70.3])
    printed = [5.286278, 62.566575, 51.277470]
    assert club.std().tolist() == pytest.approx(printed, abs=1e-6)


@pytest.mark.parametrize("load", LOADERS)
def test_a_changed_copy_leaves_the_next_one_alone(load):
    table, untouched = load(), load()
    table.iloc[:, 0] = table.iloc[::-1, 0].to_numpy()
    table["new"] = 0
    table.loc[0] = table.loc[1]
    assert load().equals(untouched)
    assert not table.equals(untouched)


@pytest.mark.parametrize("load", LOADERS)
def test_no_network_is_needed(load, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    assert len(load()) > 0
