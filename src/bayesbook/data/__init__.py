"""Data sets, cases, and everything that counts them.

The loaders give the data of the chapters, :func:`read_cases` codes the rows of
a data frame, and the functions of counting are the sufficient statistics of
every discrete model in the library: whole, in chunks, or of Dask.
"""

from bayesbook.data.cases import Cases, read_cases
from bayesbook.data.counts import (
    count_classes,
    count_families,
    count_joint,
    count_pairs,
    count_states,
    look_up,
    offsets,
    sum_by_class,
)
from bayesbook.data.datasets import (
    berkeley_admissions,
    breast_masses,
    congressional_votes,
    diabetes_progression,
    fitness_club,
    fruit,
    handwritten_digits,
    inference_costs,
    large_data_costs,
    load_docstrings,
    semi_naive_costs,
    watermelon,
    wine_cultivars,
)
from bayesbook.data.mutual_information import (
    binary_mutual_information,
    mutual_information,
    pairwise_information,
)

__all__ = [
    "Cases",
    "berkeley_admissions",
    "binary_mutual_information",
    "breast_masses",
    "congressional_votes",
    "count_classes",
    "count_families",
    "count_joint",
    "count_pairs",
    "count_states",
    "diabetes_progression",
    "fitness_club",
    "fruit",
    "handwritten_digits",
    "inference_costs",
    "large_data_costs",
    "load_docstrings",
    "look_up",
    "mutual_information",
    "offsets",
    "pairwise_information",
    "read_cases",
    "semi_naive_costs",
    "sum_by_class",
    "watermelon",
    "wine_cultivars",
]
