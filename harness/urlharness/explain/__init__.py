"""Explanations: what each RFC answers, and which named class of difference accounts for what they differ in.

It may import the oracle, `corpus`, and the modules below it.
"""
