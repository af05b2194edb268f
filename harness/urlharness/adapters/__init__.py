"""The registry of adapters, the bundled adapters, adapters made from Python functions, and templates.

This package may import `protocol`, `corpus` and the modules below them. Only `reference` imports the oracle.
"""
