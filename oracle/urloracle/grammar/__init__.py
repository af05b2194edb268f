"""Grammars as data: expressions, notations, rules by name.  Imports the standard library only."""
