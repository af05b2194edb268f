"""Finite automata of rules: position automata, DFAs, tagged automata, split tables.

The package may import `grammar`.
"""
