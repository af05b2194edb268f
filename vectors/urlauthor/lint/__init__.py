"""Checks of the corpus: each `lint_…` function returns or yields the errors in one part of it."""
