"""How much a set of texts would notice: coverage of automata, mutants of grammars and algorithms, faults."""
