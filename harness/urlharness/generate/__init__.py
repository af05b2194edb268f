"""Generated tiers: complete test suites with expected answers, made from automata, and tier `resolution`.

It may import `results`, `corpus`, the modules below them, and `urloracle`.
"""
