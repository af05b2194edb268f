"""Generated tiers: complete test suites of the automata, labelled by them, and the tier of resolution.

Imports `results`, `corpus` and what they rest on, and `urloracle`.
"""
