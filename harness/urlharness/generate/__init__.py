"""Generated tiers: test suites that are made from automata, and tiers of one operation.

It may import `results`, `corpus`, the modules below them, and `urloracle`.
"""
