r"""Reading and writing BIF, the file format in which networks are exchanged.

>>> network = parse_bif('''
... network lawn { }
... variable rain { type discrete [ 2 ] { no, yes }; }
... variable grass { type discrete [ 2 ] { dry, wet }; }
... probability ( rain ) { table 0.8, 0.2; }
... probability ( grass | rain ) {
...   (no) 0.9, 0.1;
...   (yes) 0.05, 0.95;
... }
... ''')
>>> network
BayesianNetwork 'lawn': 2 nodes, 1 edge, 3 free parameters
P(rain)
P(grass | rain)
>>> parse_bif(format_bif(network)) == network
True

In the grammar, braces in quotes stand for themselves, ``[ ]`` enclose parts
that may be missing, and ``{ }`` parts that may occur any number of times::

    file        = network { variable | probability }
    network     = "network" [ name ] "{" { property } "}"
    variable    = "variable" name "{" { type | property } "}"
    type        = "type" "discrete" "[" count "]"
                  "{" name { name } "}" [ ";" ]
    probability = "probability" "(" name [ "|" ] { name } ")"
                  "{" { row | default | table | property } "}"
    row         = "(" { name } ")" number { number } ";"
    default     = "default" number { number } ";"
    table       = "table" number { number } ";"
    property    = "property" { any token but ";" } ";"

A *name*, of a variable or a state, is any run of characters other than white
space and ``{}()[];,|"``, or any text of one line between double quotes, which
few other programs read. A
*number* is a decimal, with or without an exponent, or, as our extension, a
fraction such as ``1/3``. Commas are white space; so are comments, ``//`` to
the end of the line and ``/* ... */``. Blocks may come in any order after the
first. Properties are notes of other programs: they are skipped.

In a `probability` block the first name is the variable, the others are its
parents. A *row* gives the distribution of the variable for one state of each
parent, in their order; the *default* distribution is that of all states
without a row. A *table* gives all distributions at once: the state of the
variable changes slowest, and that of the last parent fastest, so for binary
variables P(x1 | a1, b1), P(x1 | a1, b2), P(x1 | a2, b1), P(x1 | a2, b2), P(x2
| a1, b1) and so on.

The format is the Interchange Format, version 0.15, which Cozman proposed with
his program JavaBayes, with names such as ``>=7.5``, which occur in the files
of Scutari's Bayesian Network Repository. Between blocks only comments may
stand.

Networks are read by :mod:`~bayesbook.network.bif.reading` and written by
:mod:`~bayesbook.network.bif.writing`.
"""

from bayesbook.network.bif.reading import parse_bif, read_bif
from bayesbook.network.bif.writing import format_bif, write_bif

__all__ = ["format_bif", "parse_bif", "read_bif", "write_bif"]
