"""Few texts to add to tests: the greedy choice among the candidates of a catalogue, and how far it leads.

The next text is the one that notices most kinds of mistakes that nothing before it notices; of those, the one
that notices most mistakes, then the shortest, then the first in the alphabet. Whenever a later text makes an
earlier one superfluous, the earlier one is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from urlharness.adequacy.mistakes import Candidate, Catalogue, bits

#: The shares of the kinds, in percent, for which the curve says how many texts are needed.
SHARES = (50, 75, 90, 100)


class Addition(NamedTuple):
    """A text to add, or a pair of base and reference.

    `kinds` and `mistakes` are numbers of what it notices and nothing before it does. `section` is the section
    to which most of these kinds belong, and `rules` maps the changed rules to numbers of kinds, most first.
    """

    inputs: tuple[str, ...]
    answer: bool | str | None
    section: str
    kinds: int
    mistakes: int
    rules: Mapping[str, int]


class _Weighed(NamedTuple):
    """A candidate, and the bits of the kinds that it notices."""

    candidate: Candidate
    kinds: int


def choose_additions(catalogue: Catalogue, noticed: int, limit: int) -> list[Addition]:
    """Choose at most `limit` texts to add to tests that notice the mistakes with the given bits.

    None of them can be left out: without it, fewer kinds would be noticed.
    """
    chosen_texts: list[_Weighed] = []
    for chosen_texts in _choices(catalogue, noticed):
        if len(chosen_texts) == limit:
            break
    return list(_describe(catalogue, noticed, chosen_texts))


def curve(catalogue: Catalogue, noticed: int) -> dict[int, int]:
    """Map each of `SHARES` to the number of texts to add until so many percent of the kinds are noticed."""
    numbers = {}
    kinds = catalogue.kinds_of(noticed)
    share = _percent(kinds, catalogue)
    for reached in SHARES:
        if share >= reached:
            numbers[reached] = 0
    for chosen_texts in _choices(catalogue, noticed):
        share = _percent(kinds | _kinds_noticed_together(chosen_texts), catalogue)
        for reached in SHARES:
            if share >= reached:
                numbers.setdefault(reached, len(chosen_texts))
    return numbers


def _percent(kinds: int, catalogue: Catalogue) -> float:
    """Return the share of the kinds with the given bits among all kinds of a catalogue."""
    return 100 * kinds.bit_count() / catalogue.kind_count if catalogue.kind_count else 100.0


def _choices(catalogue: Catalogue, noticed: int) -> Iterator[list[_Weighed]]:
    """Yield the texts chosen so far, after each step, until they notice all kinds."""
    already = catalogue.kinds_of(noticed)
    weighed = [
        _Weighed(candidate, catalogue.kinds_of(candidate.notices)) for candidate in catalogue.candidates
    ]
    chosen_texts: list[_Weighed] = []
    kinds = already
    mistakes = noticed
    while kinds.bit_count() < catalogue.kind_count:
        best = min(weighed, key=lambda text: _preference(text, kinds, mistakes))
        chosen_texts = _without_superfluous([*chosen_texts, best], already)
        kinds |= best.kinds
        mistakes |= best.candidate.notices
        yield chosen_texts


def _preference(text: _Weighed, kinds: int, mistakes: int) -> tuple[int, int, int, tuple[str, ...]]:
    """Return the key by which the best text comes first, after these kinds and mistakes are noticed."""
    inputs = text.candidate.inputs
    new_kinds = (text.kinds & ~kinds).bit_count()
    new_mistakes = (text.candidate.notices & ~mistakes).bit_count()
    return -new_kinds, -new_mistakes, sum(map(len, inputs)), inputs


def _without_superfluous(texts: Sequence[_Weighed], already: int) -> list[_Weighed]:
    """Leave out texts, the earliest first, that notice no kind that the others and the tests do not."""
    needed = list(texts)
    for text in texts:
        rest = [other_text for other_text in needed if other_text is not text]
        if not text.kinds & ~(_kinds_noticed_together(rest) | already):
            needed = rest
    return needed


def _kinds_noticed_together(texts: Sequence[_Weighed]) -> int:
    """Return the bits of the kinds that texts notice together."""
    kinds = 0
    for text in texts:
        kinds |= text.kinds
    return kinds


def _describe(catalogue: Catalogue, noticed: int, texts: Sequence[_Weighed]) -> Iterator[Addition]:
    """Yield the chosen texts, each with what it notices beyond the texts before it."""
    kinds = catalogue.kinds_of(noticed)
    mistakes = noticed
    for candidate, kinds_of_text in texts:
        new_kinds = kinds_of_text & ~kinds
        new_mistakes = candidate.notices & ~mistakes
        by_section: dict[str, set[int]] = {}
        by_rule: dict[str, set[int]] = {}
        for number in bits(new_mistakes):
            mistake = catalogue.mistakes[number]
            is_of_new_kind = new_kinds >> mistake.kind & 1
            if is_of_new_kind:
                by_section.setdefault(mistake.section, set()).add(mistake.kind)
                by_rule.setdefault(mistake.rule, set()).add(mistake.kind)
        section = max(sorted(by_section), key=lambda name: len(by_section[name]))
        rules = sorted(by_rule, key=lambda name: (-len(by_rule[name]), name))
        yield Addition(
            inputs=candidate.inputs,
            answer=candidate.answer,
            section=section,
            kinds=new_kinds.bit_count(),
            mistakes=new_mistakes.bit_count(),
            rules={rule: len(by_rule[rule]) for rule in rules},
        )
        kinds |= kinds_of_text
        mistakes |= candidate.notices
