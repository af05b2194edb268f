"""Adequacy: the mutants of grammars and algorithms, and the faults, that corpus and tiers notice."""
