"""Vectors of whole URLs that combine features of components; their answers follow from the parts.

It imports the oracle nowhere.
"""
