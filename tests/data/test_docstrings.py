"""The corpus of docstrings is the same for everyone."""

import json
import os
import subprocess
import sys
from hashlib import sha256
from importlib.metadata import version
from inspect import unwrap
from pkgutil import resolve_name
from types import ModuleType, SimpleNamespace

import pytest
from sklearn.feature_extraction.text import CountVectorizer

from bayesbook.data import load_docstrings
from bayesbook.data.docstrings import EXCLUDED, plain, public_members

# What the corpus of docstrings is made of, and its fingerprint.
CORPUS = {
    "versions": {
        "matplotlib": "3.11.2",
        "networkx": "3.6.1",
        "numpy": "2.4.6",
        "scikit-learn": "1.9.1",
        "scipy": "1.17.1",
    },
    "documents": {
        "matplotlib": 280,
        "matplotlib.pyplot": 152,
        "networkx.algorithms": 515,
        "networkx.classes": 40,
        "networkx.drawing": 35,
        "networkx.generators": 142,
        "networkx.linalg": 20,
        "networkx.readwrite": 51,
        "numpy": 387,
        "numpy.fft": 18,
        "numpy.linalg": 31,
        "numpy.ma": 143,
        "numpy.polynomial": 163,
        "numpy.random": 58,
        "numpy.strings": 39,
        "scipy.cluster": 36,
        "scipy.fft": 41,
        "scipy.integrate": 31,
        "scipy.interpolate": 56,
        "scipy.io": 20,
        "scipy.linalg": 105,
        "scipy.ndimage": 75,
        "scipy.optimize": 73,
        "scipy.signal": 181,
        "scipy.sparse": 111,
        "scipy.spatial": 47,
        "scipy.special": 330,
        "scipy.stats": 234,
        "sklearn.cluster": 27,
        "sklearn.covariance": 16,
        "sklearn.datasets": 46,
        "sklearn.decomposition": 20,
        "sklearn.ensemble": 19,
        "sklearn.feature_selection": 19,
        "sklearn.gaussian_process": 16,
        "sklearn.linear_model": 44,
        "sklearn.metrics": 106,
        "sklearn.model_selection": 32,
        "sklearn.neighbors": 16,
        "sklearn.preprocessing": 29,
        "sklearn.utils": 68,
    },
    "sha256": (
        "2402e8d68a3b060d1dbab1cd3b6e24b9e1990a485d5f760ced513a50228b5c13"
    ),
}


def fingerprint(documents):
    """Digest every name and text, in their order."""
    pieces = documents[["name", "text"]].to_numpy().ravel()
    return sha256("\0".join(pieces).encode()).hexdigest()


@pytest.mark.repository
def test_the_corpus_is_the_one_that_the_chapters_show():
    documents = load_docstrings()
    found = {
        "versions": {name: version(name) for name in CORPUS["versions"]},
        "documents": documents["package"]
        .value_counts()
        .sort_index()
        .to_dict(),
        "sha256": fingerprint(documents),
    }
    if found["versions"] != CORPUS["versions"]:
        pytest.fail(
            "The corpus of docstrings was pinned for other versions of the "
            "libraries. If you mean to raise them: see what changed in the "
            "documents, run the chapters that use them again, and let CORPUS "
            f"in this file be\n{json.dumps(found, indent=4)}",
            pytrace=False,
        )
    assert found == CORPUS, (
        "The versions are the pinned ones, but not the texts: some docstring "
        "depends on the machine or on Python, and belongs in EXCLUDED."
    )


FRESH_PROCESS = """
from sklearn.experimental import enable_halving_search_cv
import numpy as np
np.set_printoptions(precision=3)
from test_docstrings import fingerprint
from bayesbook.data import load_docstrings
print(fingerprint(load_docstrings()))
"""


@pytest.mark.heavy
def test_the_corpus_depends_on_no_order_no_option_and_no_import():
    """And with warnings as errors, nothing that it imports warns."""
    path = os.pathsep.join(
        [os.path.dirname(__file__), *filter(None, sys.path)]
    )
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", FRESH_PROCESS],
        env=os.environ | {"PYTHONHASHSEED": "17", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout.strip(), run.stderr) == (
        fingerprint(load_docstrings()),
        "",
    )


def test_every_document_is_the_docstring_of_its_name():
    for document in load_docstrings().itertuples():
        module, _, name = document.name.rpartition(".")
        thing = resolve_name(f"{module}:{name}")
        if document.library == "networkx":  # without notes on backends
            thing = unwrap(thing)
        words = thing.__doc__.split()
        assert document.text.split() == words
        assert len(words) >= 20
        assert document.name.startswith(f"{document.package}.")
        assert document.package.split(".")[0] == document.library


def test_the_documents_are_in_order_and_none_stands_twice():
    documents = load_docstrings()
    assert list(documents.columns) == ["name", "package", "library", "text"]
    assert documents["name"].is_unique
    assert documents["text"].is_unique
    assert documents["name"].is_monotonic_increasing
    assert documents.notna().all(axis=None)
    assert documents["package"].value_counts().min() >= 15
    assert not EXCLUDED & set(documents["name"])


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("numpy.absolute", "numpy"),  # and not numpy.abs
        ("numpy.random.normal", "numpy.random"),
        ("scipy.special.gammaln", "scipy.special"),
        ("scipy.sparse.linalg.eigsh", "scipy.sparse"),
        ("networkx.algorithms.pagerank", "networkx.algorithms"),
        ("matplotlib.pyplot.plot", "matplotlib.pyplot"),
        ("matplotlib.axes.Axes", "matplotlib"),
        ("sklearn.linear_model.LogisticRegression", "sklearn.linear_model"),
    ],
)
def test_some_documents_that_must_be_there(name, package):
    documents = load_docstrings().set_index("name")
    assert documents.loc[name, "package"] == package


@pytest.mark.parametrize(
    "name",
    [
        "numpy.abs",  # an alias
        "numpy.float64",  # names the platform
        "numpy.testing.TestCase",  # Python's, not NumPy's
        "matplotlib.dates.rrule",  # dateutil's
        "scipy.stats.norm",  # neither a function nor a class
        "scipy.stats.Normal",  # computed on import
    ],
)
def test_some_documents_that_must_not_be_there(name):
    assert name not in set(load_docstrings()["name"])


def test_a_backend_of_networkx_changes_nothing():
    """What networkx makes of a function when a backend is installed."""

    def pagerank():
        """Tell the rank."""

    pagerank.__module__ = "networkx.algorithms.link_analysis"
    module = ModuleType("networkx.algorithms")
    module.pagerank = SimpleNamespace(orig_func=pagerank, __doc__="More.")
    assert list(public_members(module)) == [
        ("networkx.algorithms.pagerank", pagerank)
    ]


@pytest.mark.parametrize(
    "docstring",
    [
        "Say it.\n\n    Example\n    a\tb\n    ",  # Python 3.11 and 3.12
        "Say it.\n\nExample\na\tb\n",  # Python 3.13
    ],
)
def test_texts_have_lines_but_no_indents(docstring):
    assert plain(docstring) == "Say it.\n\nExample\na b"


def test_scikit_learn_counts_the_words_of_the_documents():
    documents = load_docstrings()
    counter = CountVectorizer(binary=True)
    present = counter.fit_transform(documents["text"])
    share = present.mean(axis=0).A1[counter.vocabulary_["parameters"]]
    assert 0.8 < share < 1
