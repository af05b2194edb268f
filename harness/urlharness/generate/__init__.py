"""Generated texts: test suites that are made from automata, tiers of one operation, and texts on request.

The package may import `results`, `corpus`, the modules below them, and `urloracle`.
"""
