"""The pages of the documentation that are made from the code, the grammars and the corpus."""
