"""Outcomes of a run: verdicts, results.jsonl, scores, coverage; may import `engine` and below."""
