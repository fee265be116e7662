"""Sizes at which messages in a junction tree are computed in another way."""

# A 0/1 matrix for the marginals of a clique has at most this many entries.
MATRIX = 16_384
# Tables with more cells are not made, except for a maximum.
TABLE = 30_000
# Factors of a clique are multiplied beforehand if the product has at most
# this many cells.
GROUP = 4_096
# A smaller sum may have lost digits: it is computed again, with scaling.
SAFE_SUM = 1e-250
# In larger trees arrays are brought into order each time: copies would take
# memory.
MOST_CELLS = 20_000_000
