"""Tools for the authors of the corpus."""
