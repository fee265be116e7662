"""The real data that the chapters work on.

Every function returns a new pandas data frame, so that a reader can change
it without harm, and needs no internet.
"""

from importlib.resources import files
from typing import Any

import pandas as pd

from bayesbook.base import ProbabilityError
from bayesbook.data import docstrings

__all__ = [
    "load_berkeley_admissions",
    "load_breast_masses",
    "load_congressional_votes",
    "load_diabetes_progression",
    "load_docstrings",
    "load_fitness_club",
    "load_fruit",
    "load_handwritten_digits",
    "load_histogram_words",
    "load_inference_costs",
    "load_large_data_costs",
    "load_nile",
    "load_semi_naive_costs",
    "load_us_economy",
    "load_watermelon",
    "load_wine_cultivars",
]

# The columns that a version of the watermelon data does not have.
WATERMELON_VERSIONS: dict[str, list[str]] = {
    "2.0": ["density", "sugar"],
    "3.0": [],
}


def from_scikit_learn(name: str, **options: Any) -> Any:
    """Return a data set that travels with scikit-learn.

    scikit-learn is imported here and not above: it would double the time of
    importing the networks, which count with this room.
    """
    from sklearn import datasets

    return getattr(datasets, f"load_{name}")(as_frame=True, **options)


def read_shipped(name: str, **options: Any) -> pd.DataFrame:
    """Read one of the tables that are installed with the library."""
    return pd.read_csv(files("bayesbook") / "data" / name, **options)


def load_berkeley_admissions() -> pd.DataFrame:
    """Load graduate admissions at Berkeley, autumn 1973: six departments.

    The six largest departments, whose names were withheld, as tabulated in
    Freedman, Pisani and Purves (*Statistics*, chapter 2) from the study of
    Bickel, Hammel and O'Connell (1975); the same table as ``UCBAdmissions``
    of the R language. Counts of people are facts, which have no owner.

    Returns
    -------
    DataFrame, 24 rows
        ``department`` ("A" to "F"), ``gender`` ("men", "women"),
        ``decision`` ("admitted", "rejected") and ``applicants``, the number
        of people.

    Examples
    --------
    >>> table = load_berkeley_admissions()
    >>> int(table["applicants"].sum())
    4526
    """
    return read_shipped("berkeley.csv")


def load_breast_masses(*, all_columns: bool = False) -> pd.DataFrame:
    """Load cell measurements of 569 breast masses, with the diagnoses.

    A fine needle draws cells from the mass; a computer outlines their nuclei
    in an image and measures them (Street, Wolberg and Mangasarian 1993). The
    data set is scikit-learn's copy of "Breast Cancer Wisconsin (Diagnostic)"
    of the UCI repository, licence CC BY 4.0.

    Parameters
    ----------
    all_columns : bool, default False
        Return all 30 measurements. They are ten properties of the nuclei
        (radius, texture, perimeter, area, smoothness, compactness, concavity,
        concave points, symmetry and fractal dimension), each three times:
        their mean over the nuclei of the image (``mean_radius``), the
        standard error of that mean (``radius_error``), and the mean of the
        three largest values (``worst_radius``).

    Returns
    -------
    DataFrame, 569 rows
        ``worst_radius``: the mean radius of the three largest nuclei, in the
        units of the data set, or all 30 measurements; and last
        ``diagnosis``: "malignant" or "benign".

    Examples
    --------
    >>> masses = load_breast_masses()
    >>> masses["diagnosis"].value_counts().to_dict()
    {'benign': 357, 'malignant': 212}
    >>> load_breast_masses(all_columns=True).shape
    (569, 31)
    """
    data = from_scikit_learn("breast_cancer")
    chosen = data.data if all_columns else data.data[["worst radius"]]
    masses = chosen.rename(columns=lambda name: name.replace(" ", "_"))
    masses["diagnosis"] = data.target_names[data.target]
    return masses


def load_congressional_votes() -> pd.DataFrame:
    """Load the votes of 435 members of the US House on 16 questions of 1984.

    The key votes of the second session of the 98th Congress, as the
    *Congressional Quarterly Almanac* (volume XL, 1985) lists them; collected
    by Schlimmer (1987). UCI repository, "Congressional Voting Records", DOI
    10.24432/C5C01P, licence CC BY 4.0. The rows are in UCI's order; "y" and
    "n" are written out, and the hyphens in the names are underscores.

    A missing vote is not an unknown one. The almanac distinguishes nine kinds
    of votes: voted, paired or announced for are "yes" here; voted, paired or
    announced against are "no"; and the value is missing when the member
    voted "present", did so to avoid a conflict of interest, or made no
    position known. A missing vote may thus be informative.

    Returns
    -------
    DataFrame, 435 rows
        ``party``: "democrat" (267) or "republican" (168); and 16 columns
        that are named after the questions, with "yes", "no" or NaN:
        ``handicapped_infants``, ``water_project_cost_sharing``,
        ``adoption_of_the_budget_resolution``, ``physician_fee_freeze``,
        ``el_salvador_aid``, ``religious_groups_in_schools``,
        ``anti_satellite_test_ban``, ``aid_to_nicaraguan_contras``,
        ``mx_missile``, ``immigration``, ``synfuels_corporation_cutback``,
        ``education_spending``, ``superfund_right_to_sue``, ``crime``,
        ``duty_free_exports``, ``export_administration_act_south_africa``.

    Notes
    -----
    UCI's description of the data says that 45.2 percent of the members are
    democrats, and lists the numbers of missing votes one question too late.
    The counts here agree with the rows themselves, and with its own "267
    democrats, 168 republicans".

    Examples
    --------
    >>> votes = load_congressional_votes()
    >>> votes["mx_missile"].value_counts(dropna=False).to_dict()
    {'yes': 207, 'no': 206, nan: 22}
    >>> len(votes.dropna())
    232
    """
    return read_shipped("congressional_votes.csv")


def load_diabetes_progression() -> pd.DataFrame:
    """Load body mass index and progression of 442 diabetes patients.

    These are two columns of the data with which Efron, Hastie, Johnstone and
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
    >>> patients = load_diabetes_progression()
    >>> len(patients), float(patients["bmi"].max())
    (442, 42.2)
    """
    frame = from_scikit_learn("diabetes", scaled=False).frame
    return pd.DataFrame(
        {"bmi": frame["bmi"], "progression": frame["target"].astype(int)}
    )


def load_fitness_club() -> pd.DataFrame:
    """Load the exercises of twenty middle-aged men in a fitness club.

    These are Linnerud's data, printed by Tenenhaus (1998), as scikit-learn
    has them; one of the men jumped far more often than all others.

    Returns
    -------
    DataFrame, 20 rows
        ``chin_ups``, ``sit_ups`` and ``jumps``: how many each man did.

    Examples
    --------
    >>> club = load_fitness_club()
    >>> sorted(club["jumps"].tolist())[-3:]
    [115, 120, 250]
    """
    frame = from_scikit_learn("linnerud").data
    names = {"Chins": "chin_ups", "Situps": "sit_ups", "Jumps": "jumps"}
    return frame.rename(columns=names).astype(int)


def load_fruit() -> pd.DataFrame:
    """Load the counts of a thousand fruits: how many have which property.

    The numbers are invented. With them an answer to question 10059594 of
    Stack Overflow ("A simple explanation of Naive Bayes Classification")
    explains the method, and many courses after it.

    Returns
    -------
    DataFrame, index "Banana", "Orange", "Other"
        ``long``, ``sweet`` and ``yellow``: how many fruits of the kind have
        the property (the counts ``N_km``); ``total``: how many fruits of the
        kind there are (``N_k``).

    Examples
    --------
    >>> load_fruit()
            long  sweet  yellow  total
    Banana   400    350     450    500
    Orange     0    150     300    300
    Other    100    150      50    200
    """
    return pd.DataFrame(
        {
            "long": [400, 0, 100],
            "sweet": [350, 150, 150],
            "yellow": [450, 300, 50],
            "total": [500, 300, 200],
        },
        index=["Banana", "Orange", "Other"],
    )


def load_handwritten_digits() -> pd.DataFrame:
    """Load 1797 handwritten digits, each an image of 8 x 8 grey pixels.

    Thirteen people wrote them; bitmaps of 32 x 32 were reduced by counting
    the dark pixels in each block of 4 x 4. The data are scikit-learn's copy
    of the test set of "Optical Recognition of Handwritten Digits" (Alpaydin
    and Kaynak 1998) of the UCI repository, licence CC BY 4.0.

    Returns
    -------
    DataFrame, 1797 rows
        ``pixel_0_0``, ``pixel_0_1``, ... ``pixel_7_7``: row by row from the
        top left, from 0 (white) to 16 (black), whole numbers; and last
        ``digit``, 0 to 9.

    Examples
    --------
    >>> digits = load_handwritten_digits()
    >>> digits.shape
    (1797, 65)
    >>> digits.iloc[0, :64].to_numpy().reshape(8, 8)[0].tolist()
    [0, 0, 5, 13, 9, 1, 0, 0]
    """
    frame = from_scikit_learn("digits").frame
    return frame.astype(int).rename(columns={"target": "digit"})


def load_histogram_words() -> pd.DataFrame:
    """Load how often each word occurs in the documentation of NumPy.

    Counted in the docstrings of all functions in the main namespace of NumPy
    2.4.6, licence BSD: letters in lower case, split at everything that is not
    a letter from a to z. The docstring of ``numpy.histogram`` is cut in two
    halves, and the counts of all other functions are added up. Counts of
    words are facts, which have no owner.

    Returns
    -------
    DataFrame, 3657 rows
        The index ``word`` has every word that occurs, in alphabetical order.
        ``first_half`` and ``second_half``: how often it occurs in the two
        halves of the text of ``numpy.histogram``, of 255 and 256 words;
        ``elsewhere``: how often in the texts of all other functions.

    Examples
    --------
    >>> words = load_histogram_words()
    >>> words.loc["bin"].to_dict()
    {'first_half': 8, 'second_half': 11, 'elsewhere': 58}
    >>> int(words["elsewhere"].sum())
    119518
    """
    # "nan" is a word here.
    return read_shipped(
        "histogram_words.csv", index_col="word", keep_default_na=False
    )


def load_inference_costs() -> pd.DataFrame:
    """Load the seconds that exact inference took in growing grids.

    Measured once, with one thread of a server, by ``benchmarks/networks.py``
    of this book's repository: another machine gives other seconds, and much
    the same slopes. The networks are grids of binary nodes whose parents are
    the neighbours above and on the left. The query is the last node given the
    first; a junction tree answers it for all nodes.

    Returns
    -------
    DataFrame, a row for each measurement
        ``varied``: "length" (3 rows, ever more columns) or "width" (squares);
        ``rows`` and ``columns`` of the grid; ``width`` of the junction tree
        that was found, the nodes of its widest clique less one; ``method``:
        "enumeration", "elimination", "junction tree" (planned and made for
        the query), "same nodes observed" (a tree that has replied to the
        same nodes before) or "other nodes observed" (a tree that has only
        replied to others);
        ``cells``: how many terms, or numbers in tables, the method has;
        ``seconds`` of the processor: the median of at most seven runs.

    Examples
    --------
    >>> costs = load_inference_costs()
    >>> int(costs[costs["method"] == "enumeration"]["cells"].max())
    131072
    """
    return read_shipped("inference_costs.csv")


def load_large_data_costs() -> pd.DataFrame:
    """Load the seconds and memory that learning from ever more rows took.

    Measured once, on a server with two cores, by ``benchmarks/large_data.py``
    of this book's repository: another machine gives other seconds, and much
    the same memory. The tables of the network alarm are learned from rows in
    Parquet files of 100,000 rows each, texts as people store them.

    Returns
    -------
    DataFrame, a row for each measurement
        ``rows``; ``method``: "memory" (all rows at once), "chunks" (file by
        file) or "Dask" (two workers on the same machine); ``seconds`` from
        the files to the counts, the cluster being there already;
        ``megabytes``: the greatest resident set of the process, with Dask of
        all processes; ``on_disk``: megabytes of the files, which are
        compressed. Small runs are medians of three.

    Examples
    --------
    >>> costs = load_large_data_costs()
    >>> sorted(set(costs["method"]))
    ['Dask', 'chunks', 'memory']
    """
    return read_shipped("large_data_costs.csv")


def load_nile() -> pd.DataFrame:
    """Load how much water the Nile carried at Aswan in each of 100 years.

    The data that Cobb (1978) analyses in Biometrika 65, 243-251, as
    statsmodels 0.15.0 has them, which says that they are in the public domain.
    The flow falls near 1898.

    Returns
    -------
    DataFrame, 100 rows
        ``year``, 1871 to 1970; ``flow``: the discharge of the year, in units
        of 100 million cubic metres.

    Examples
    --------
    >>> nile = load_nile()
    >>> float(nile["flow"].mean())
    919.35
    """
    return read_shipped("nile.csv")


def load_docstrings() -> pd.DataFrame:
    """Load thousands of real texts that every reader of this book has.

    They are the docstrings of matplotlib, networkx, NumPy, SciPy and
    scikit-learn: each text describes one public function or class, and the
    package that the function belongs to is its class. The texts are the
    libraries' own, under their licences (BSD, and matplotlib's own); they are
    read from what is installed, and none of them is part of this book.

    The same versions of the libraries give the same texts in the same order,
    on every machine and version of Python. The first call imports the five
    libraries and takes one to four seconds; later calls remember the texts.

    Returns
    -------
    DataFrame, one row a document, sorted by name
        ``name``: of the function or class, in full: "scipy.stats.ttest_ind";
        ``package``: the class of the text, one of 41:
        "scipy.stats"; ``library``: the first part of it, one of five:
        "scipy"; ``text``: its lines, without indents and with only one space
        between words.

    Notes
    -----
    Packages are the libraries' subpackages of 15 documents or more, and two
    classes without a subpackage: "numpy", the main namespace, and
    "matplotlib", all modules but ``matplotlib.pyplot``. Functions and classes
    in the sense of Python, and NumPy's universal functions, count; methods
    and objects such as ``scipy.stats.norm`` do not. A text of several names
    counts once. Left out are texts of fewer than 20
    words, and those that differ from machine to machine: the scalar types of
    NumPy, which name the platform, and a few whose examples are computed or
    printed while the library is imported.

    Examples
    --------
    >>> documents = load_docstrings()
    >>> list(documents.columns)
    ['name', 'package', 'library', 'text']
    >>> document = documents.set_index("name").loc["numpy.sort"]
    >>> print(document["package"], "|", document["text"].splitlines()[0])
    numpy | Return a sorted copy of an array.
    """
    columns = ["name", "package", "text"]
    documents = pd.DataFrame(docstrings.collect(), columns=columns)
    libraries = documents["package"].str.partition(".")[0]
    documents.insert(2, "library", libraries)
    return documents


def load_semi_naive_costs() -> pd.DataFrame:
    """Load the seconds that naive Bayes and its relatives took.

    Measured once, with one thread of a server, by
    ``benchmarks/semi_naive.py`` of this book's repository: another machine
    gives other seconds, and much the same slopes. The rows were drawn from a
    random tree-augmented naive Bayes. One of their sizes varies; the others
    are then 20,000 rows, 40 columns, 2 classes and 3 states.

    Returns
    -------
    DataFrame, a row for each measurement
        ``task``: "fit" or "predict" (``predict_proba`` of the rows that were
        learned from); ``model``: "NB" (naive Bayes), "SPODE" (with a given
        super-parent), "TAN", "AODE" or "KDB(2)"; ``varied``: "n" (rows), "d"
        (columns), "K" (classes) or "S" (states of a column); ``value``: how
        many of these; ``seconds``: the median of at most five runs.

    Examples
    --------
    >>> costs = load_semi_naive_costs()
    >>> costs[costs["varied"] == "d"]["value"].unique().tolist()
    [10, 20, 40, 80, 160]
    """
    return read_shipped("semi_naive_costs.csv")


def load_us_economy() -> pd.DataFrame:
    """Load output and unemployment of the United States, by the quarter.

    Two columns of ``macrodata`` of statsmodels 0.15.0, which says that the
    data are in the public domain: compiled by Skipper Seabold from the Federal
    Reserve Bank of St. Louis (FRED, as of December 2009) and the Bureau of
    Labor Statistics. Both are seasonally adjusted.

    Returns
    -------
    DataFrame, 203 rows
        ``year`` and ``quarter``, from the first of 1959 to the third of 2009;
        ``gdp``: the real gross domestic product, in billions of dollars of
        2005, at an annual rate; ``unemployment`` in percent.

    Examples
    --------
    >>> economy = load_us_economy()
    >>> growth = economy["gdp"].pct_change() * 100
    >>> economy.loc[growth.idxmin(), ["year", "quarter"]].astype(int).tolist()
    [1980, 2]
    """
    return read_shipped("us_economy.csv")


def load_watermelon(version: str = "3.0") -> pd.DataFrame:
    """Load seventeen melons, seen, knocked on and measured.

    The watermelon data of Zhou, *Machine Learning* (Tsinghua University
    Press 2016, in Chinese; Springer 2021): table 4.3 is version 3.0, and
    table 4.1 is version 2.0, which has no measurements.

    Parameters
    ----------
    version : {"3.0", "2.0"}
        Which of the two tables.

    Returns
    -------
    DataFrame, 17 rows
        The index ``number`` counts the melons from 1 to 17. The columns, and
        the Chinese words that the English ones stand for:

        - ``color`` (*色泽*): "green" (*青绿*), "dark" (*乌黑*),
          "light" (*浅白*);
        - ``root`` (*根蒂*): "curly" (*蜷缩*), "slightly curly" (*稍蜷*),
          "straight" (*硬挺*);
        - ``knock`` (*敲声*): "muffled" (*浊响*), "dull" (*沉闷*),
          "crisp" (*清脆*);
        - ``texture`` (*纹理*): "clear" (*清晰*), "slightly blurry" (*稍糊*),
          "blurry" (*模糊*);
        - ``navel`` (*脐部*): "hollow" (*凹陷*), "slightly hollow" (*稍凹*),
          "flat" (*平坦*);
        - ``touch`` (*触感*): "hard" (*硬滑*, hard and smooth),
          "soft" (*软粘*, soft and sticky);
        - ``density`` (*密度*) and ``sugar`` (*含糖率*): numbers between 0
          and 1, in version 3.0 only;
        - ``good`` (*好瓜*): "yes" (*是*) for the first 8 melons,
          "no" (*否*) for the others.

    Raises
    ------
    ProbabilityError
        For any other version.

    Examples
    --------
    >>> melons = load_watermelon()
    >>> melons["good"].value_counts().to_dict()
    {'no': 9, 'yes': 8}
    >>> melons.loc[1, ["color", "root", "knock"]].tolist()
    ['green', 'curly', 'muffled']
    """
    if version not in list(WATERMELON_VERSIONS):
        raise ProbabilityError(
            f"There is no version {version!r} of the watermelon data: "
            'choose "3.0" (with density and sugar) or "2.0" (without).'
        )
    melons = read_shipped("watermelon.csv", index_col="number")
    return melons.drop(columns=WATERMELON_VERSIONS[version])


def load_wine_cultivars() -> pd.DataFrame:
    """Load chemical analyses of 178 Italian wines of three cultivars.

    All were grown in the same region. The data are scikit-learn's copy of
    "Wine" (Forina and others) of the UCI repository, licence CC BY 4.0.

    Returns
    -------
    DataFrame, 178 rows
        13 measurements under scikit-learn's names, from ``alcohol`` to
        ``proline``; and last ``cultivar``, 1, 2 or 3 as at UCI, which does
        not name them.

    Examples
    --------
    >>> wines = load_wine_cultivars()
    >>> wines["cultivar"].value_counts(sort=False).to_dict()
    {1: 59, 2: 71, 3: 48}
    """
    frame = from_scikit_learn("wine").frame
    frame["cultivar"] = frame.pop("target") + 1
    return frame
