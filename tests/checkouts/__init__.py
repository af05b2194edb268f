"""Calls of the program on two checkouts, and what may differ; `tests/compare_checkouts.py` is the command."""
