"""Every run of pytest in this repository compares notebooks strictly."""

import os

# Where several processes run at once (pytest -n), each would share every
# product of arrays among all cores, and wait for cores that others hold.
# Notebooks inherit this; numpy reads it when it is imported.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

pytest_plugins = ["strict_nbval"]
