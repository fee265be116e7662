"""Networks as texts: the interchange format BIF."""
