"""Steps until convergence."""

import numpy as np
import pytest

from bayesbook.base import (
    ConvergenceError,
)
from bayesbook.network.em.convergence import (
    StepResult,
    run_until_converged,
)


def test_a_step_that_goes_down_is_an_error():
    values = iter([-3.0, -2.0, -2.5])

    def step(theta):
        return StepResult(next(values), theta + 1, theta + 1, np.ones(1))

    with pytest.raises(ConvergenceError, match=r"fell in step 2, from -2.0"):
        run_until_converged(step, np.ones(1), max_iterations=9, tolerance=1e-5)
