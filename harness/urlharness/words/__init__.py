"""Words of the language of an automaton: samples, covers, boundaries, edits, dictionaries.

The package may import `urloracle`, and of the harness only `system`.
"""
