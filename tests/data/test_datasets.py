"""The data are the published ones, and every call gives a fresh copy."""

import json
import socket
import subprocess
import sys
from functools import partial
from hashlib import sha256

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.datasets import load_breast_cancer, load_diabetes, load_wine
from sklearn.preprocessing import OneHotEncoder

from bayesbook.base import ProbabilityError
from bayesbook.data import (
    load_berkeley_admissions,
    load_breast_masses,
    load_congressional_votes,
    load_diabetes_progression,
    load_docstrings,
    load_fitness_club,
    load_fruit,
    load_handwritten_digits,
    load_histogram_words,
    load_inference_costs,
    load_nile,
    load_semi_naive_costs,
    load_us_economy,
    load_watermelon,
    load_wine_cultivars,
)

LOADERS = [
    load_berkeley_admissions,
    load_breast_masses,
    partial(load_breast_masses, all_columns=True),
    load_congressional_votes,
    load_diabetes_progression,
    load_fitness_club,
    load_fruit,
    load_handwritten_digits,
    load_histogram_words,
    load_inference_costs,
    load_docstrings,
    load_nile,
    load_semi_naive_costs,
    load_us_economy,
    load_watermelon,
    partial(load_watermelon, "2.0"),
    load_wine_cultivars,
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
    counts = load_berkeley_admissions().set_index(
        ["department", "gender", "decision"]
    )
    assert counts["applicants"].to_dict() == {
        (department, *kind): number
        for department, numbers in BERKELEY.items()
        for kind, number in zip(KINDS, numbers, strict=True)
    }


def test_no_row_of_the_berkeley_table_stands_twice():
    table = load_berkeley_admissions()
    assert len(table) == 24
    columns = ["department", "gender", "decision", "applicants"]
    assert list(table.columns) == columns


# From the article and the text book, not added up from the table above.
@pytest.mark.parametrize(
    ("gender", "admitted", "total"),
    [("men", 1198, 2691), ("women", 557, 1835)],
)
def test_the_totals_of_berkeley(gender, admitted, total):
    table = load_berkeley_admissions()
    chosen = applicants(table, gender=gender, decision="admitted")
    assert chosen == admitted
    assert applicants(table, gender=gender) == total


def test_the_number_of_applicants_to_berkeley():
    assert applicants(load_berkeley_admissions()) == 4526


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
    table = load_berkeley_admissions()
    for gender, percent in [("men", percent_men), ("women", percent_women)]:
        group = {"department": department, "gender": gender}
        chosen = applicants(table, decision="admitted", **group)
        assert round(100 * chosen / applicants(table, **group)) == percent


def test_the_diagnoses_of_the_breast_masses():
    masses = load_breast_masses()
    assert len(masses) == 569
    counts = masses["diagnosis"].value_counts().to_dict()
    assert counts == {"malignant": 212, "benign": 357}


@pytest.mark.parametrize(
    ("diagnosis", "large"), [("malignant", 191), ("benign", 37)]
)
def test_the_masses_with_large_nuclei(diagnosis, large):
    masses = load_breast_masses()
    radius = masses.loc[masses["diagnosis"] == diagnosis, "worst_radius"]
    assert (radius > 16).sum() == large


def test_the_range_of_the_radius():
    """As in the description that comes with the data set."""
    radius = load_breast_masses()["worst_radius"]
    assert (radius.min(), radius.max()) == (7.93, 36.04)


def test_all_columns_of_the_breast_masses():
    masses = load_breast_masses(all_columns=True)
    data = load_breast_cancer()
    names = [name.replace(" ", "_") for name in data.feature_names]
    assert list(masses.columns) == [*names, "diagnosis"]
    assert (masses[names].to_numpy() == data.data).all()
    few = masses[["worst_radius", "diagnosis"]]
    assert few.equals(load_breast_masses())


def test_the_patients_of_the_diabetes_study():
    """Table 1 of the article shows the first patients: 32.1 and 151, ..."""
    patients = load_diabetes_progression()
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
    patients = load_diabetes_progression()
    scaled = load_diabetes(as_frame=True).frame
    assert patients["bmi"].corr(patients["progression"]) == pytest.approx(
        scaled["bmi"].corr(scaled["target"])
    )
    assert patients["bmi"].between(18, 42.2).all()
    assert patients["progression"].between(25, 346).all()


def test_the_men_of_the_fitness_club():
    """Means and deviations as SAS/STAT's manual prints them (CANCORR)."""
    club = load_fitness_club()
    assert list(club.columns) == ["chin_ups", "sit_ups", "jumps"]
    assert len(club) == 20
    assert club.mean().tolist() == pytest.approx([9.45, 145.55, 70.3])
    printed = [5.286278, 62.566575, 51.277470]
    assert club.std().tolist() == pytest.approx(printed, abs=1e-6)


# Democrats who said yes, no, neither; republicans who did: counted in
# HouseVotes84 of R's package mlbench. Our table comes from Weka's vote.arff.
VOTES = {
    "handicapped_infants": (156, 102, 9, 31, 134, 3),
    "water_project_cost_sharing": (120, 119, 28, 75, 73, 20),
    "adoption_of_the_budget_resolution": (231, 29, 7, 22, 142, 4),
    "physician_fee_freeze": (14, 245, 8, 163, 2, 3),
    "el_salvador_aid": (55, 200, 12, 157, 8, 3),
    "religious_groups_in_schools": (123, 135, 9, 149, 17, 2),
    "anti_satellite_test_ban": (200, 59, 8, 39, 123, 6),
    "aid_to_nicaraguan_contras": (218, 45, 4, 24, 133, 11),
    "mx_missile": (188, 60, 19, 19, 146, 3),
    "immigration": (124, 139, 4, 92, 73, 3),
    "synfuels_corporation_cutback": (129, 126, 12, 21, 138, 9),
    "education_spending": (36, 213, 18, 135, 20, 13),
    "superfund_right_to_sue": (73, 179, 15, 136, 22, 10),
    "crime": (90, 167, 10, 158, 3, 7),
    "duty_free_exports": (160, 91, 16, 14, 142, 12),
    "export_administration_act_south_africa": (173, 12, 82, 96, 50, 22),
}


def test_every_count_of_the_votes():
    votes = load_congressional_votes()
    assert list(votes.columns) == ["party", *VOTES]
    parties = [votes[votes["party"] == p] for p in ("democrat", "republican")]
    for bill, counts in VOTES.items():
        assert counts == tuple(
            count
            for members in parties
            for count in (
                (members[bill] == "yes").sum(),
                (members[bill] == "no").sum(),
                members[bill].isna().sum(),
            )
        )


def test_the_published_numbers_of_the_votes():
    """UCI: 267 democrats, 168 republicans; 232 complete rows."""
    votes = load_congressional_votes()
    counts = votes["party"].value_counts().to_dict()
    assert counts == {"democrat": 267, "republican": 168}
    assert len(votes.dropna()) == 232


def test_every_vote():
    """Written as UCI writes them, the rows are those of mlbench."""
    signs = {"yes": "y", "no": "n", "missing": "?"}
    rows = load_congressional_votes().fillna("missing").replace(signs)
    lines = rows.to_csv(index=False, header=False, lineterminator="\n")
    assert lines.startswith("republican,n,y,n,y,y,y,n,n,n,y,?,y,y,y,n,y\n")
    assert sha256(lines.encode()).hexdigest() == (
        "c87c14110a5ba91d4a1e313ec7392824458152bf071fa5f5452340488337936e"
    )


def test_scikit_learn_reads_the_votes():
    bills = load_congressional_votes().drop(columns="party")
    encoder = OneHotEncoder(sparse_output=False)
    one_hot = encoder.set_output(transform="pandas").fit_transform(bills)
    assert one_hot.shape == (435, 3 * 16)
    assert one_hot["crime_nan"].sum() == 10 + 7


def test_every_cost_of_inference_was_measured_once():
    """Long and wide grids; the seconds differ by machine."""
    costs = load_inference_costs()
    assert list(costs.columns) == [
        "varied",
        "rows",
        "columns",
        "width",
        "method",
        "cells",
        "seconds",
    ]
    long = [(3, columns) for columns in (3, 4, 5, 6, 10, 20, 40, 80, 160)]
    wide = [(side, side) for side in range(2, 16)]
    counted = {
        "enumeration": [*long[:4], *wide[:3]],
        "elimination": [*long, *wide],
        "junction tree": [*long, *wide],
        "same nodes observed": [*long, *wide],
        "other nodes observed": [*long, *wide],
    }
    for method, rows in costs.groupby("method"):
        sizes = rows[["rows", "columns"]].itertuples(index=False, name=None)
        assert list(sizes) == counted.pop(method)
    assert not counted
    is_long = costs["varied"] == "length"
    assert (costs["rows"][is_long] == 3).all()
    assert (costs["rows"] == costs["columns"])[~is_long].all()
    assert costs["seconds"].between(1e-5, 1e3).all()


def test_the_costs_of_inference_follow_from_the_grids():
    """Enumeration has a term for each combination of the hidden states.

    A tree that is as wide as the grid is the best that there is; its tables
    have 2 to the width, plus one, cells at most.
    """
    costs = load_inference_costs()
    nodes = costs["rows"] * costs["columns"]
    listed = costs["method"] == "enumeration"
    assert (costs["cells"] == 2 ** (nodes - 1))[listed].all()
    assert (costs["width"] >= costs[["rows", "columns"]].min(axis=1)).all()
    trees = ~costs["method"].isin(["enumeration", "elimination"])
    bound = nodes * 2.0 ** (costs["width"] + 1)
    assert (costs["cells"] <= bound)[trees].all()
    assert (costs["cells"] >= 2.0 ** (costs["width"] + 1))[trees].all()


def test_a_tree_for_other_observed_nodes_has_to_be_made():
    """Asked for the same nodes once more, it is there; for others, not."""
    costs = load_inference_costs()
    costs = costs[costs["varied"] == "width"]
    seconds = costs.pivot(index="rows", columns="method", values="seconds")
    again = seconds["same nodes observed"]
    assert (again < seconds["other nodes observed"]).all()
    assert (again < seconds["junction tree"]).all()


def test_every_cost_was_measured_once():
    """All models, each with the four sizes; seconds differ by machine."""
    costs = load_semi_naive_costs()
    assert list(costs.columns) == [
        "task",
        "model",
        "varied",
        "value",
        "seconds",
    ]
    sizes = [
        *(("n", n) for n in (1000, 3000, 10**4, 30_000, 10**5)),
        *(("n", n) for n in (300_000, 10**6)),
        *(("d", d) for d in (10, 20, 40, 80, 160)),
        *(("K", K) for K in (2, 4, 8, 16)),
        *(("S", S) for S in (2, 3, 4, 8, 16)),
    ]
    models = ["NB", "SPODE", "TAN", "AODE", "KDB(2)"]
    expected = {
        (task, model, *size)
        for task in ("fit", "predict")
        for model in models
        for size in sizes
    }
    measured = costs.drop(columns="seconds").itertuples(index=False, name=None)
    assert len(costs) == len(expected)
    assert set(measured) == expected
    assert costs["seconds"].between(1e-5, 1e3).all()


def test_a_million_rows_take_far_longer_than_a_thousand():
    costs = load_semi_naive_costs().query("varied == 'n'")
    seconds = costs.set_index(["task", "model", "value"])["seconds"].unstack()
    assert (seconds[10**6] > 20 * seconds[1000]).all()


def test_the_fruit():
    """The parameters that the chapter prints: (N + 1) / (N_k + 2)."""
    table = load_fruit()
    assert list(table.index) == ["Banana", "Orange", "Other"]
    assert list(table.columns) == ["long", "sweet", "yellow", "total"]
    kinds = table.pop("total")
    assert (kinds + 1).div(kinds.sum() + 3).tolist() == pytest.approx(
        [0.4995015, 0.3000997, 0.2003988], abs=1e-7
    )
    assert (table + 1).div(kinds + 2, axis=0).to_numpy() == pytest.approx(
        np.array(
            [
                [0.79880478, 0.69920319, 0.89840637],
                [0.00331126, 0.5, 0.99668874],
                [0.5, 0.74752475, 0.25247525],
            ]
        ),
        abs=1e-8,
    )


def test_the_digits():
    """Numbers of images as in UCI's description of its test set."""
    digits = load_handwritten_digits()
    assert digits.shape == (1797, 65)
    assert digits.columns[-1] == "digit"
    assert digits["digit"].value_counts(sort=False).to_dict() == dict(
        enumerate([178, 182, 177, 183, 181, 182, 181, 179, 174, 180])
    )
    pixels = digits.drop(columns="digit")
    assert list(pixels) == [
        f"pixel_{i}_{j}" for i in range(8) for j in range(8)
    ]
    assert (pixels.min().min(), pixels.max().max()) == (0, 16)
    assert digits.dtypes.eq("int64").all()


# The table as the source prints it.
MELONS = """\
青绿 蜷缩 浊响 清晰 凹陷 硬滑 0.697 0.460 是
乌黑 蜷缩 沉闷 清晰 凹陷 硬滑 0.774 0.376 是
乌黑 蜷缩 浊响 清晰 凹陷 硬滑 0.634 0.264 是
青绿 蜷缩 沉闷 清晰 凹陷 硬滑 0.608 0.318 是
浅白 蜷缩 浊响 清晰 凹陷 硬滑 0.556 0.215 是
青绿 稍蜷 浊响 清晰 稍凹 软粘 0.403 0.237 是
乌黑 稍蜷 浊响 稍糊 稍凹 软粘 0.481 0.149 是
乌黑 稍蜷 浊响 清晰 稍凹 硬滑 0.437 0.211 是
乌黑 稍蜷 沉闷 稍糊 稍凹 硬滑 0.666 0.091 否
青绿 硬挺 清脆 清晰 平坦 软粘 0.243 0.267 否
浅白 硬挺 清脆 模糊 平坦 硬滑 0.245 0.057 否
浅白 蜷缩 浊响 模糊 平坦 软粘 0.343 0.099 否
青绿 稍蜷 浊响 稍糊 凹陷 硬滑 0.639 0.161 否
浅白 稍蜷 沉闷 稍糊 凹陷 硬滑 0.657 0.198 否
乌黑 稍蜷 浊响 清晰 稍凹 软粘 0.360 0.370 否
浅白 蜷缩 浊响 模糊 平坦 硬滑 0.593 0.042 否
青绿 蜷缩 沉闷 稍糊 稍凹 硬滑 0.719 0.103 否
"""
ENGLISH = {
    "色泽": ("color", {"青绿": "green", "乌黑": "dark", "浅白": "light"}),
    "根蒂": (
        "root",
        {"蜷缩": "curly", "稍蜷": "slightly curly", "硬挺": "straight"},
    ),
    "敲声": ("knock", {"浊响": "muffled", "沉闷": "dull", "清脆": "crisp"}),
    "纹理": (
        "texture",
        {"清晰": "clear", "稍糊": "slightly blurry", "模糊": "blurry"},
    ),
    "脐部": (
        "navel",
        {"凹陷": "hollow", "稍凹": "slightly hollow", "平坦": "flat"},
    ),
    "触感": ("touch", {"硬滑": "hard", "软粘": "soft"}),
    "密度": ("density", {}),
    "含糖率": ("sugar", {}),
    "好瓜": ("good", {"是": "yes", "否": "no"}),
}


def test_every_word_of_the_melons():
    melons = load_watermelon()
    assert list(melons.index) == list(range(1, 18))
    assert melons.index.name == "number"
    assert list(melons.columns) == [name for name, _ in ENGLISH.values()]
    for row, printed in zip(
        melons.itertuples(index=False), MELONS.splitlines(), strict=True
    ):
        assert list(row) == [
            words[piece] if words else float(piece)
            for piece, (_, words) in zip(
                printed.split(), ENGLISH.values(), strict=True
            )
        ]


def test_the_documentation_translates_every_word():
    for name, (column, words) in ENGLISH.items():
        assert f"``{column}`` (*{name}*)" in load_watermelon.__doc__
        for chinese, english in words.items():
            assert f'"{english}" (*{chinese}*' in load_watermelon.__doc__


def test_the_published_information_gains_of_the_melons():
    """Section 4.2.1 of the source, in bits to three decimals."""
    melons = load_watermelon("2.0")
    good = melons.pop("good")
    h = entropy(good.value_counts(), base=2)
    assert h == pytest.approx(0.998, abs=5e-4)
    gains = {
        column: h
        - sum(
            len(group) / 17 * entropy(group.value_counts(), base=2)
            for _, group in good.groupby(melons[column])
        )
        for column in melons
    }
    # The source rounds in between: 0.1080 is printed as 0.109.
    assert gains == pytest.approx(
        {
            "color": 0.109,
            "root": 0.143,
            "knock": 0.141,
            "texture": 0.381,
            "navel": 0.289,
            "touch": 0.006,
        },
        abs=1.1e-3,
    )


def test_the_published_moments_of_the_melons():
    """Section 7.3 of the source, with N - 1 under the root."""
    melons = load_watermelon()
    groups = melons.groupby("good")[["density", "sugar"]]
    assert groups.mean().to_numpy() == pytest.approx(
        np.array([[0.496, 0.154], [0.574, 0.279]]), abs=1e-3
    )
    assert groups.std().to_numpy() == pytest.approx(
        np.array([[0.195, 0.108], [0.129, 0.101]]), abs=1e-3
    )


def test_the_watermelon_data_without_measurements():
    older = load_watermelon("2.0")
    assert older.equals(
        load_watermelon("3.0").drop(columns=["density", "sugar"])
    )


@pytest.mark.parametrize(
    ("version", "named"),
    [
        ("3", "no version '3' of"),
        (3.0, r"no version 3\.0 of.*choose \"3\.0\""),
        (["3.0"], r"no version \['3\.0'\] of"),
        (None, "no version None of"),
    ],
)
def test_a_version_of_the_melons_that_there_is_not(version, named):
    with pytest.raises(ProbabilityError, match=named):
        load_watermelon(version)


def test_the_wines():
    """UCI's description: 59, 71 and 48 wines; the first is 14.23 % alcohol."""
    wines = load_wine_cultivars()
    counts = wines["cultivar"].value_counts(sort=False).to_dict()
    assert counts == {1: 59, 2: 71, 3: 48}
    assert list(wines.columns) == [*load_wine().feature_names, "cultivar"]
    assert wines.loc[0, ["alcohol", "proline"]].tolist() == [14.23, 1065]
    assert (wines["cultivar"] == load_wine().target + 1).all()


# What `load_histogram_words` says of its origin, in a fresh Python: other
# libraries change some docstrings of NumPy while they are imported.
COUNT_WORDS = """
import json, re, numpy as np
from collections import Counter
texts = {
    name: re.findall("[a-z]+", (getattr(np, name).__doc__ or "").lower())
    for name in np.__all__
    if callable(getattr(np, name)) and not isinstance(getattr(np, name), type)
}
both = texts.pop("histogram")
parts = both[:255], both[255:], [w for text in texts.values() for w in text]
print(json.dumps([np.__version__, *map(Counter, parts)]))
"""


def test_the_words_of_the_histogram():
    words = load_histogram_words()
    assert words.index.is_unique
    assert words.index.is_monotonic_increasing
    assert words.sum().tolist() == [255, 256, 119_518]
    assert (words.sum(axis=1) > 0).all()
    assert words.index.str.fullmatch("[a-z]+").all()
    run = [sys.executable, "-c", COUNT_WORDS]
    out = subprocess.run(run, capture_output=True, check=True, text=True)
    version, *parts = json.loads(out.stdout)
    if version == "2.4.6":
        for column, part in zip(words.columns, parts, strict=True):
            counts = words[column]
            assert counts[counts > 0].to_dict() == part


@pytest.mark.parametrize("load", LOADERS)
def test_a_changed_copy_leaves_the_next_one_alone(load):
    table, untouched = load(), load()
    table.iloc[:, 0] = table.iloc[::-1, 0].to_numpy()
    table["new"] = 0
    table.iloc[0] = table.iloc[1]
    assert load().equals(untouched)
    assert not table.equals(untouched)


@pytest.mark.parametrize("load", LOADERS)
def test_no_network_is_needed(load, monkeypatch):
    def refuse(*_args, **_kwargs):
        raise OSError("no network")

    monkeypatch.setattr(socket, "socket", refuse)
    assert len(load()) > 0


@pytest.mark.parametrize(
    ("load", "checksum"),
    # Of the files, as they were written from statsmodels 0.15.0.
    [
        (
            load_nile,
            "30c6cb6b0ee6858642dc8667f5ec99c8223ef623acf6f50a966f728edccf1599",
        ),
        (
            load_us_economy,
            "7bf366abd9756bbddbb2e87ae1e5c72dea6f72a5f7750c53ac8e49365aaa0508",
        ),
    ],
)
def test_the_series_are_those_of_statsmodels(load, checksum):
    text = load().to_csv(index=False, lineterminator="\n")
    assert sha256(text.encode()).hexdigest() == checksum


def test_the_nile_falls_where_it_is_said_to_fall():
    nile = load_nile()
    assert nile["year"].tolist() == list(range(1871, 1971))
    means = [
        nile.loc[(nile["year"] < year), "flow"].mean()
        - nile.loc[(nile["year"] >= year), "flow"].mean()
        for year in range(1881, 1960)
    ]
    assert 1895 <= 1881 + int(np.argmax(means)) <= 1900


def test_every_quarter_of_the_economy_is_there():
    economy = load_us_economy()
    quarters = economy["year"] * 4 + economy["quarter"]
    assert (np.diff(quarters) == 1).all()
    assert economy["quarter"].between(1, 4).all()
    assert economy["unemployment"].between(3, 11).all()
