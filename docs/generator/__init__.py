"""Generate pages of the documentation from the code, the grammars and the corpus."""
