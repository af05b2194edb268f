"""What a vector is locked with: two words of the corpus, two digests, and one over all of it.

The id says specification and section.  Requirement, class, flags, ruling and comment explain, and are not
locked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus import Case
from urlharness.operations import OPERATIONS


class Entry(NamedTuple):
    """What a vector was locked with: two words of the corpus, two digests."""

    level: str
    binding: str
    question: str
    answer: str

    @property
    def digest(self) -> str:
        """One digest for all of it: 12 hex digits."""
        return _digest(" ".join(self))


def entry(case: Case) -> Entry:
    """What a case is locked with.

    Equal questions and equal expectations have equal digests, however they are written down: the default
    profile and mode are left out, and names are sorted.
    """
    vector = case.vector
    answer = json.dumps(msgspec.to_builtins(vector.expect), sort_keys=True)
    question = question_key(case.spec, msgspec.to_builtins(vector))
    return Entry(vector.level, vector.binding, _digest(question), _digest(answer))


def question_key(spec: str, vector: Mapping[str, Any]) -> str:
    """The question of a vector as canonical JSON: equal keys ask the same thing."""
    inputs = {key: vector[key] for key in OPERATIONS[vector["op"]].takes if vector.get(key) is not None}
    if inputs.get("profile") == default_profile(spec, inputs.get("rule")):
        del inputs["profile"]
    if inputs.get("mode") == "syntax":
        del inputs["mode"]
    return json.dumps([spec, vector["op"], inputs], sort_keys=True)


def default_profile(spec: str, rule: str | None) -> str:
    """The profile meant where none is named: scheme-specific for the rule `url` of RFC 1738 (G-06)."""
    return "scheme-specific" if spec == "rfc1738" and rule in (None, "url") else "generic"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]
