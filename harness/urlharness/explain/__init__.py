"""Explanations: what each RFC answers, and which named class of difference accounts for each disagreement.

It may import the oracle, `corpus`, and the modules below it.
"""
