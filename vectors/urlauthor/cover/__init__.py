"""Vectors of whole URLs that combine features of components.  Their answers follow from the parts.

The package must not import the oracle.
"""
