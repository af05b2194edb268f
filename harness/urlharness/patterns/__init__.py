"""Rules as patterns for other programs: a regular expression in a flavour, or the minimal automaton.

A pattern is written from the expression of the rule, never from a table of its own, and the tests prove that
it matches the texts of the minimal automaton and no others. The package imports the oracle and `text`.
"""
