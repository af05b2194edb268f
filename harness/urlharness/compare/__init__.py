"""Comparison of libraries: their answers, where they disagree, why, and how harmful that is."""
