"""Tables of a million entries beside the bare numpy calls."""

import numpy as np
from _side_by_side import compare

from bayesbook.probability import Table

N = 1000
rng = np.random.default_rng(0)
a = rng.random((N, N))
a /= a.sum()
joint = Table(a, {"X": range(N), "Y": range(N)})
p_x, p_yx = joint.marginal("X"), joint.conditional("Y", given="X")
x, yx = p_x.values, p_yx.values
bits = rng.random((2,) * 20)
bits /= bits.sum()
names = [f"X{i}" for i in range(20)]
binary = Table(bits, dict.fromkeys(names, (0, 1)))

compare(
    "marginal, 1000 x 1000, over the last axis",
    {"numpy": lambda: a.sum(axis=1), "Table": lambda: joint.marginal("X")},
)
compare(
    "marginal, 1000 x 1000, over the first axis",
    {"numpy": lambda: a.sum(axis=0), "Table": lambda: joint.marginal("Y")},
)
compare(
    "marginal of two among 20 binary variables",
    {
        "numpy": lambda: bits.sum(
            axis=tuple(i for i in range(20) if i not in (3, 11))
        ),
        "Table": lambda: binary.marginal("X3", "X11"),
    },
)
compare(
    "product P(X) P(Y | X), 1000 x 1000",
    {"numpy": lambda: x[:, None] * yx, "Table": lambda: p_x * p_yx},
)
compare(
    "product P(Y | X) P(X), 1000 x 1000",
    {"numpy": lambda: yx * x[:, None], "Table": lambda: p_yx * p_x},
)
compare(
    "conditional P(X | Y), 1000 x 1000",
    {
        "numpy": lambda: a / a.sum(axis=0),
        "Table": lambda: joint.conditional("X", given="Y"),
    },
)
compare(
    "evidence X=7, 1000 x 1000",
    {
        "numpy": lambda: a[7] / a[7].sum(),
        "Table": lambda: joint.given(X=7),
    },
)
