"""Comparison of libraries: the answers of each, where they disagree, why, and how dangerous that is."""
