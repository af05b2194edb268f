"""Explanations: the answer of each RFC, and the classes of difference that explain the disagreements.

This package may import the oracle, `corpus`, and the packages below `corpus`.
"""
