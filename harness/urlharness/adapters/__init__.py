"""Adapters by name, the bundled ones, adapters made of Python functions, and the scaffold of new ones.

It may import `protocol`, `corpus` and the ground modules; only `reference` imports the oracle.
"""
