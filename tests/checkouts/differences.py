"""The differences between what one call wrote in two checkouts, and those that are expected."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

#: Stands for something that only the other checkout wrote.
ABSENT = "absent"


class Difference(NamedTuple):
    """Something that a call wrote differently: where in which output, and its text before and after."""

    call: str
    place: str
    before: str
    after: str


class Expected(NamedTuple):
    """A difference that is no regression, with the reason.

    `call` and `place` are shell patterns. `before` and `after` are regular expressions that are searched in
    the two texts of the difference.
    """

    reason: str
    call: str = "*"
    place: str = "*"
    before: str = ""
    after: str = ""

    def covers(self, difference: Difference) -> bool:
        """Return True if this is the expected difference."""
        return (
            fnmatchcase(difference.call, self.call)
            and fnmatchcase(difference.place, self.place)
            and re.search(self.before, difference.before) is not None
            and re.search(self.after, difference.after) is not None
        )


class Rewording(NamedTuple):
    """A text that reads otherwise wherever it occurs: a regular expression and the text that replaces it."""

    reason: str
    before: str
    after: str


def compare(call: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Difference]:
    """Compare what a call wrote: the data of each output, such as `stdout` or a file, by its name."""
    for output in [*before, *(output for output in after if output not in before)]:
        for path, old, new in _changes(before.get(output, ABSENT), after.get(output, ABSENT)):
            yield Difference(call, output + path, old, new)


def _changes(before: Any, after: Any) -> Iterator[tuple[str, str, str]]:
    """Return the places in data that differ, each with its text before and after."""
    if before == after:
        return
    if isinstance(before, dict) and isinstance(after, dict):
        for name in [*before, *(name for name in after if name not in before)]:
            for path, old, new in _changes(before.get(name, ABSENT), after.get(name, ABSENT)):
                yield f".{name}{path}", old, new
    elif isinstance(before, list) and isinstance(after, list):
        yield from _list_changes(before, after)
    else:
        yield "", _text(before), _text(after)


def _list_changes(before: list[Any], after: list[Any]) -> Iterator[tuple[str, str, str]]:
    old_texts = [_text(entry) for entry in before]
    new_texts = [_text(entry) for entry in after]
    matcher = SequenceMatcher(None, old_texts, new_texts, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        paired = min(old_end - old_start, new_end - new_start)
        for offset in range(paired):
            index = f"[{old_start + offset}]"
            for path, old, new in _changes(before[old_start + offset], after[new_start + offset]):
                yield index + path, old, new
        for index in range(old_start + paired, old_end):
            yield f"[{index}]", old_texts[index], ABSENT
        for index in range(new_start + paired, new_end):
            yield f"[{old_end}]", ABSENT, new_texts[index]


def _text(part: Any) -> str:
    return part if isinstance(part, str) else json.dumps(part, ensure_ascii=False)


def unexpected(
    differences: Iterable[Difference], expected: Sequence[Expected], rewordings: Sequence[Rewording]
) -> tuple[list[Difference], Counter[str]]:
    """Return the differences that nothing explains, and how many differences each reason explains."""
    unexplained = []
    occurrences: Counter[str] = Counter()
    for difference in differences:
        reasons = [expectation.reason for expectation in expected if expectation.covers(difference)]
        reasons = reasons or _reasons_of_rewording(difference, rewordings)
        occurrences.update(reasons)
        if not reasons:
            unexplained.append(difference)
    return unexplained, occurrences


def _reasons_of_rewording(difference: Difference, rewordings: Sequence[Rewording]) -> list[str]:
    """Return the reasons of the rewordings that together make the text after of the text before, or none."""
    text = difference.before
    reasons = []
    for rewording in rewordings:
        reworded = re.sub(rewording.before, rewording.after, text)
        if reworded != text:
            reasons.append(rewording.reason)
        text = reworded
    return reasons if text == difference.after else []
