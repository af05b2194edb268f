"""Tools for the authors of the corpus: `urlconform vectors lint|fmt|add|adopt|twins|lock|…`.

This package may import all other packages.  None of them imports it: `urlharness.cli` loads its commands by
name.
"""
