"""Grammars as data: expressions, notations, rules by name.  The package imports only the standard library."""
