"""Exact inference: enumeration, elimination, junction trees."""
