"""Which table splits which text of a column, and the pass over it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from urlharness.batch.columns import Texts
from urlharness.batch.split_kernels import ABSENT, INVALID, LANES, split_texts
from urlharness.batch.splitting import splitter, splitting_rules, states_by_scheme
from urloracle.specification import Profile, Specification

Share = Callable[[Texts, Callable[[int, int], None]], None]


class Divider:
    """The components of the texts of a rule; raises Unsupported where the rule has none.

    Where the split `decides` it tells the valid texts itself; otherwise they are to be judged first.
    """

    def __init__(self, spec: Specification, rule: str, profile: Profile | None) -> None:
        rules = splitting_rules(spec, rule)
        self._spec, self._made = spec, splitter(spec, rules)
        self.components = self._made.components
        self._by_scheme = len(rules) > 1
        self._generic = self._by_scheme and (profile or spec.default_profile(rule)) == "generic"
        whole = self._by_scheme or rule in rules
        self.decides = whole and not self._generic and profile != "prose"

    def bounds(self, read: Texts, valid: Any, share: Share) -> Any:
        """Begin and end of each component, two rows for each; INVALID for all but the `valid` texts.

        `valid` may be None where the split `decides`; `share` has work done on ranges of texts.
        """
        if not self._by_scheme:
            starts = np.array(list(self._made.starts.values()), np.uint16)
            found = self._split(read, starts, share)
        else:
            starts = states_by_scheme(read, self._spec, self._made.starts)
            found = self._split(read, starts, share)
            if self._generic:  # what the rule of its scheme does not derive has the parts of any other URL
                assert self._spec.unknown_scheme is not None  # it goes with rules by scheme
                starts[found[0] == INVALID] = self._made.starts[self._spec.unknown_scheme]
                found = self._split(read, starts, share)
        if valid is not None:
            found[:, ~valid] = INVALID
        return found

    def _split(self, read: Texts, starts: Any, share: Share) -> Any:
        made = self._made
        bounds = np.empty((2 * len(made.components), len(read)), read.offsets.dtype)

        def work(first: int, last: int) -> None:
            slots = np.full((LANES, made.slots), ABSENT)
            split_texts(
                read.data, read.offsets, first, last, made.following, starts, made.finals, slots, bounds
            )

        share(read, work)
        return bounds
