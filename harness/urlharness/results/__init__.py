"""Outcomes of a run: verdicts, results.jsonl, scores, coverage. It may import `engine` and packages below."""
