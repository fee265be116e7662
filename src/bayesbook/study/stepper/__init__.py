r"""Step-throughs: curves that change, one frame at a time, in the page itself.

The pages have no kernel, so every frame is drawn beforehand; a script, which
comes with the output, only shows one after the other. Without it, and on
paper, all frames stand side by side.

>>> from scipy.stats import beta
>>> from bayesbook.study import stepper
>>> theta = [i / 80 for i in range(81)]
>>> def density(a, b):
...     return theta, beta(a, b).pdf(theta)
>>> stepper.show(
...     "first-toss",
...     [
...         stepper.Frame("Before the toss", {"posterior": density(1, 1)}),
...         stepper.Frame(
...             "Toss 1 of 1: heads",
...             {"posterior": density(2, 1), "prior": density(1, 1)},
...             text=r"No heads, $\theta = 0$, is now impossible.",
...         ),
...     ],
...     x_label="probability of heads θ",
...     y_label="density",
... )
Step-through "first-toss": 2 frames
  x "probability of heads θ": 0 to 1
  y "density": 0 to 2
1. Before the toss
  posterior: 1 from 0 to 1
2. Toss 1 of 1: heads
  No heads, $\theta = 0$, is now impossible.
  posterior: from 0 at 0 to 2 at 1
  prior: 1 from 0 to 1
"""

from importlib import import_module
from types import ModuleType

from bayesbook.study.stepper.frame import Frame
from bayesbook.study.stepper.render import Stepper, show

__all__ = ["Frame", "Stepper", "show"]


def __getattr__(name: str) -> ModuleType:
    """Load `replay`, which needs drawings and networks, on its first use."""
    if name == "replay":
        return import_module(f"{__name__}.replay")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), "replay"})
