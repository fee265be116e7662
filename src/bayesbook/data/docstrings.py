"""A corpus that is installed already: the docstrings of libraries.

Texts that depend on the machine, the version of Python or earlier imports are
left out, so that the corpus is the same for everyone who has the same versions
of the libraries.
"""

import inspect
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from types import ModuleType

import numpy as np

# The classes, and the modules whose public names make them up. Modules that
# would give fewer than fifteen documents are left out, and so are old names of
# other modules (numpy.char, scipy.fftpack), modules that warn when they are
# imported (scipy.odr), and packages for testing and for backends.
PACKAGES = {
    "matplotlib": """animation artist axes axis bezier cbook collections
        colorbar colors container contour dates figure font_manager gridspec
        image layout_engine legend legend_handler lines markers mathtext mlab
        offsetbox patches path patheffects projections quiver sankey scale
        spines streamplot table text textpath ticker transforms tri units
        widgets""",
    "matplotlib.pyplot": "",
    "networkx.algorithms": "approximation bipartite community isomorphism",
    "networkx.classes": "",
    "networkx.drawing": "",
    "networkx.generators": "",
    "networkx.linalg": "",
    "networkx.readwrite": "",
    "numpy": "",
    "numpy.fft": "",
    "numpy.linalg": "",
    "numpy.ma": "",
    "numpy.polynomial": """chebyshev hermite hermite_e laguerre legendre
        polynomial polyutils""",
    "numpy.random": "",
    "numpy.strings": "",
    "scipy.cluster": "hierarchy vq",
    "scipy.fft": "",
    "scipy.integrate": "",
    "scipy.interpolate": "",
    "scipy.io": "arff wavfile",
    "scipy.linalg": "interpolative",
    "scipy.ndimage": "",
    "scipy.optimize": "elementwise",
    "scipy.signal": "windows",
    "scipy.sparse": "csgraph linalg",
    "scipy.spatial": "distance transform",
    "scipy.special": "",
    "scipy.stats": "contingency mstats qmc sampling",
    "sklearn.cluster": "",
    "sklearn.covariance": "",
    "sklearn.datasets": "",
    "sklearn.decomposition": "",
    "sklearn.ensemble": "",
    "sklearn.feature_selection": "",
    "sklearn.gaussian_process": "kernels",
    "sklearn.linear_model": "",
    "sklearn.metrics": "cluster pairwise",
    "sklearn.model_selection": "",
    "sklearn.neighbors": "",
    "sklearn.preprocessing": "",
    "sklearn.utils": "extmath graph multiclass sparsefuncs validation",
}
EXCLUDED = {
    # IPython replaces it as soon as a figure is shown in a notebook.
    "matplotlib.pyplot.draw_if_interactive",
    # It prints a set, in an order that changes from run to run.
    "scipy.signal.lombscargle",
    # Their examples are computed on import, to the last digit.
    "scipy.stats.Binomial",
    "scipy.stats.Logistic",
    "scipy.stats.Normal",
    "scipy.stats.Uniform",
    # They exist only after an import from sklearn.experimental.
    "sklearn.model_selection.HalvingGridSearchCV",
    "sklearn.model_selection.HalvingRandomSearchCV",
}
FEWEST_WORDS = 20


def is_documented_here(thing: object, module: ModuleType) -> bool:
    """Return whether the module is where a function or class belongs.

    A module declares that in ``__all__``; without it, the code must be in the
    module. The scalar types of NumPy do not count: their docstrings name the
    platform.
    """
    if isinstance(thing, np.ufunc):
        return True
    if not (inspect.isroutine(thing) or inspect.isclass(thing)):
        return False
    if inspect.isclass(thing) and issubclass(thing, np.generic):
        return False
    library = module.__name__.partition(".")[0]
    home = library if hasattr(module, "__all__") else module.__name__
    # Functions that were compiled may not know their module.
    return f"{thing.__module__ or home}.".startswith(f"{home}.")


def public_members(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Yield the public functions and classes of a module with their names.

    Of several names for one thing, its own comes first.
    """
    members = []
    for name in getattr(module, "__all__", vars(module)):
        path = f"{module.__name__}.{name}"
        if name.startswith("_") or path in EXCLUDED:
            continue
        thing = getattr(module, name)
        # With a backend installed, networkx wraps functions and extends
        # their docstrings; this is the function as networkx has it.
        thing = getattr(thing, "orig_func", thing)
        if is_documented_here(thing, module):
            members.append((thing.__name__ != name, path, thing))
    for _, path, thing in sorted(members, key=lambda member: member[:2]):
        yield path, thing


def plain(docstring: str) -> str:
    """Return a text with one space between words, and its lines.

    Python 3.13 indents docstrings otherwise than earlier versions do.
    """
    lines = docstring.strip().splitlines()
    return "\n".join(" ".join(line.split()) for line in lines)


def modules_of(package: str, parts: str) -> list[ModuleType]:
    """Import a package and those of its modules that belong to it."""
    names = [package, *(f"{package}.{part}" for part in parts.split())]
    return [import_module(name) for name in names]


@cache
def collect() -> tuple[tuple[str, str, str], ...]:
    """Return name, package and text of every document, sorted by name.

    Each text comes once, under the first of the names that it has.
    """
    documents: dict[str, tuple[str, str]] = {}
    for package, parts in PACKAGES.items():
        for module in modules_of(package, parts):
            for path, thing in public_members(module):
                text = plain(thing.__doc__ or "")
                if len(text.split()) >= FEWEST_WORDS:
                    documents.setdefault(text, (path, package))
    return tuple(
        sorted(
            (path, package, text)
            for text, (path, package) in documents.items()
        )
    )
