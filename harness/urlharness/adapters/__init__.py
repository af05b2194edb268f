"""The registry of adapters, the bundled adapters, adapters made of Python functions, and the scaffold.

This package may import `protocol`, `corpus` and the modules below them; only `reference` imports the oracle.
"""
