"""Adequacy: which mutants of grammars and algorithms some tests notice, and few texts that notice the others.

The package may import `generate`, `results`, `corpus`, the modules below them, and `urloracle`.
"""
