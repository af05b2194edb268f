"""Checks of the corpus: each `lint_…` function returns or yields what is wrong with a part of it."""
