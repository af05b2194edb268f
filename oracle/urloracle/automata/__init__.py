"""Finite automata of rules: position automata, DFAs, tagged automata, split tables.  Imports `grammar`."""
