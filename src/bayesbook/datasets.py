"""The real data that the chapters work on.

Every function returns a new pandas data frame, so that a reader can change
it without harm, and needs no network.
"""

from importlib.resources import files

import pandas as pd
from sklearn.datasets import (
    load_breast_cancer,
    load_diabetes,
    load_linnerud,
)

__all__ = [
    "berkeley_admissions",
    "breast_masses",
    "diabetes_progression",
    "fitness_club",
]


def berkeley_admissions() -> pd.DataFrame:
    """Graduate admissions at Berkeley, autumn 1973: six departments.

    The six largest departments, whose names were withheld, as tabulated in
    Freedman, Pisani and Purves (*Statistics*, chapter 2) from the study of
    Bickel, Hammel and O'Connell (1975); the same table as ``UCBAdmissions``
    of the R language. Counts of people are facts, which nobody owns.

    Returns
    -------
    DataFrame, 24 rows
        ``department`` ("A" to "F"), ``gender`` ("men", "women"),
        ``decision`` ("admitted", "rejected") and ``applicants``, the number
        of people.

    Examples
    --------
    >>> table = berkeley_admissions()
    >>> int(table["applicants"].sum())
    4526
    """
    return pd.read_csv(files("bayesbook") / "data" / "berkeley.csv")


def breast_masses() -> pd.DataFrame:
    """Cell measurements of 569 breast masses, with the later diagnosis.

    A fine needle draws cells from the mass; a computer outlines their nuclei
    in an image and measures them (Street, Wolberg and Mangasarian 1993). The
    data set is scikit-learn's copy of "Breast Cancer Wisconsin (Diagnostic)"
    of the UCI repository, licence CC BY 4.0.

    Returns
    -------
    DataFrame, 569 rows
        ``worst_radius``: the mean radius of the three largest nuclei, in the
        units of the data set; ``diagnosis``: "malignant" or "benign".

    Examples
    --------
    >>> masses = breast_masses()
    >>> masses["diagnosis"].value_counts().to_dict()
    {'benign': 357, 'malignant': 212}
    """
    data = load_breast_cancer(as_frame=True)
    return pd.DataFrame(
        {
            "worst_radius": data.frame["worst radius"],
            "diagnosis": data.target_names[data.target],
        }
    )


def diabetes_progression() -> pd.DataFrame:
    """Body mass index of 442 diabetes patients, and the disease a year later.

    Two columns of the data with which Efron, Hastie, Johnstone and
    Tibshirani (2004) illustrate least angle regression, as scikit-learn has
    them before any scaling.

    Returns
    -------
    DataFrame, 442 rows
        ``bmi``: body mass index in kg/m², with one decimal; ``progression``:
        a measure of how far the disease has advanced one year later, a whole
        number whose unit the source does not name.

    Examples
    --------
    >>> patients = diabetes_progression()
    >>> len(patients), float(patients["bmi"].max())
    (442, 42.2)
    """
    frame = load_diabetes(as_frame=True, scaled=False).frame
    return pd.DataFrame(
        {"bmi": frame["bmi"], "progression": frame["target"].astype(int)}
    )


def fitness_club() -> pd.DataFrame:
    """Exercises of twenty middle-aged men in a fitness club.

    Linnerud's data, printed by Tenenhaus (1998), as scikit-learn has them;
    one of the men jumped far more often than all others.

    Returns
    -------
    DataFrame, 20 rows
        ``chin_ups``, ``sit_ups`` and ``jumps``: how many each man did.

    Examples
    --------
    >>> club = fitness_club()
    >>> sorted(club["jumps"].tolist())[-3:]
    [115, 120, 250]
    """
    frame = load_linnerud(as_frame=True).data
    names = {"Chins": "chin_ups", "Situps": "sit_ups", "Jumps": "jumps"}
    return frame.rename(columns=names).astype(int)
