"""Generated tiers: complete test suites, made and labelled by the automata, and the tier of resolution.

It may import `results`, `corpus`, the modules below them, and `urloracle`.
"""
