"""Comparison of libraries: what each answers, where they disagree, why, and how dangerous that is."""
