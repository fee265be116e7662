"""A pytest plugin that is loaded first, and saves what a run does not need.

Each process of a run has a core to itself: threads of its libraries would wait
for each other, and a thread of OpenBLAS waits busily. On the small matrices of
the book one thread is quicker than two in any case.

nbval imports jsonschema, which imports rfc3987-syntax where that is installed:
it compiles 38 grammars of internet addresses, a second for each process of a
run. jsonschema does without it, and then only cannot check the formats "iri"
and "iri-reference", which no schema here names.
"""

import os
import sys

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
sys.modules.setdefault("rfc3987_syntax", None)
