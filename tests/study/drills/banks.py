"""The banks that several tests look at, generated once."""

from functools import cache

from bayesbook.study import drills

bank = cache(drills.bank)
