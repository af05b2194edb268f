"""Adequacy of the corpus and the tiers: their figures, and vectors for what they miss.

Mutants, what notices them, and the choice of texts are in `urlharness.adequacy`.
"""
