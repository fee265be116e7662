"""A pytest plugin that is loaded before nbval, and lets it start quickly.

nbval imports jsonschema, which imports rfc3987-syntax where that is installed:
it compiles 38 grammars of internet addresses, a second for each process of a
run. jsonschema does without it, and then only cannot check the formats "iri"
and "iri-reference", which no schema here names.
"""

import sys

sys.modules.setdefault("rfc3987_syntax", None)
