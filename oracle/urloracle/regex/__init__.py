"""Patterns for `re` that match rules without backtracking.

The package may import `grammar` and `automata`.
"""
