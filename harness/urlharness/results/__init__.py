"""Outcomes of a run: verdicts, results.jsonl, scores, coverage.

This package may import `sessions` and the packages below it.
"""
