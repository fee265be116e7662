"""The library of *Bayesbook*, an executable textbook on probabilistic models.

Each chapter imports the algorithms that it derives from here, one module an
idea: start with :mod:`bayesbook.probability.events`.
"""
