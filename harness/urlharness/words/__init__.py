"""Words of a regular language, which the automaton of a rule accepts.

`sampling` draws words at random: it counts the words of a length, so it can rank them. `cover` finds few
words that together take every transition, `boundary` words at the limits of lengths and numbers, `mutation`
texts one edit away from a word, and `dictionary` the short texts from which a fuzzer builds words. `paths`
has the shortest words to each state and from it, on which the others rest.

The package may import `urloracle`, and of the harness only `system`.
"""
