"""Approximate inference: weighted samples and Markov chains."""
