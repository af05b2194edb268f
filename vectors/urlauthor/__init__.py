"""Tools for the authors of the corpus: `urlconform vectors lint|fmt|add|adopt|twins|lock|…`.

No other package imports this one; `urlharness.cli` loads its commands by name.  It may import all others.
"""
