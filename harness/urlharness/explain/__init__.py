"""Explanations: the answer of each RFC, and the class of difference that accounts for each disagreement.

This package may import the oracle, `corpus`, and the packages below `corpus`.
"""
