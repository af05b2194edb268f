"""How much the corpus and the generated tiers notice: mutants of grammars and algorithms, and faults."""
