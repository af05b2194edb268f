"""Explanations: what each RFC answers, and which named class of difference accounts for each disagreement.

This package may import the oracle, `corpus`, and the modules below `corpus`.
"""
