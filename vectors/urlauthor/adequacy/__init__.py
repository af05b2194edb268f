"""Adequacy: which mutants of grammars and algorithms, and which faults, the corpus and the tiers notice."""
