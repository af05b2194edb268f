"""Generated tiers: test suites with expected answers, made from automata, and tiers of one operation.

It may import `results`, `corpus`, the modules below them, and `urloracle`.
"""
