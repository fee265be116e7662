"""Data sets, cases, and everything that counts them.

=======================================  ======================================
:func:`load_watermelon` and others       the data sets of the chapters
:func:`read_cases`, :class:`Cases`       rows of a data frame, coded and kept
:func:`count_joint` and others           counts of rows that are coded already
:func:`count_families`                   counts of many families of columns
:func:`mutual_information` and others    what columns tell about each other
=======================================  ======================================

Counts are the sufficient statistics of every discrete model in the library.
Rows may be whole, in chunks, or of Dask. For relative frequencies there is
:meth:`Table.from_frame <bayesbook.probability.Table.from_frame>`.
"""

from bayesbook.data.cases import Cases
from bayesbook.data.coded_rows import offsets
from bayesbook.data.counts import (
    count_classes,
    count_joint,
    count_pairs,
    count_states,
    sum_by_class,
    sum_entries,
)
from bayesbook.data.datasets import (
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
    load_large_data_costs,
    load_nile,
    load_semi_naive_costs,
    load_us_economy,
    load_watermelon,
    load_wine_cultivars,
)
from bayesbook.data.families import count_families
from bayesbook.data.mutual_information import (
    binary_mutual_information,
    mutual_information,
    pairwise_information,
)
from bayesbook.data.reading import read_cases

__all__ = [
    "Cases",
    "binary_mutual_information",
    "count_classes",
    "count_families",
    "count_joint",
    "count_pairs",
    "count_states",
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
    "mutual_information",
    "offsets",
    "pairwise_information",
    "read_cases",
    "sum_by_class",
    "sum_entries",
]
