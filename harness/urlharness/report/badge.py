"""Badges: a JSON object for each RFC and section of an implementation, in the format for badge servers.

A badge is grey, and says why, unless every vector of its RFC or section has an outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.model import section_key
from urlharness.corpus.selection import within
from urlharness.corpus.specifications import reported_specs
from urlharness.jsonio import no_command, write_atomically
from urlharness.report.summary import LEAST_ANSWERED, answers_text, total_score
from urlharness.results.coverage import Place, asked_sizes, corpus_sizes
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Score, by_section, has_row
from urlharness.results.verdict import Outcome
from urlharness.system.files import below
from urlharness.text import clipped, file_name, plain
from urlharness.wording import rfc, section_place

#: The minimum rate for each colour if an answer is wrong. The lowest of several rates counts, so that a
#: library that accepts everything gets no credit for it.
_COLOURS = ((0.95, "yellow"), (0.5, "orange"), (0.0, "red"))


class Badge(NamedTuple):
    """The left and the right text of a badge, and the colour of the right one."""

    label: str
    message: str
    color: str

    @property
    def endpoint(self) -> dict[str, str | int]:
        """The JSON object that a badge server reads."""
        return {"schemaVersion": 1, **self._asdict()}


def render(results: Results, *_gate: object) -> str:
    """Return all badges as one JSON object: by implementation, then by `rfc3986` or `rfc3986-5.2`."""
    found = {
        name: {key: badge.endpoint for key, badge in own.items()} for name, own in badges(results).items()
    }
    return _json(found, indent=1)


def write(results: Results, path: Path) -> None:
    """Write all badges to one file if the path is `*.json` or a device. Otherwise, write a folder.

    The folder gets a file such as `IMPLEMENTATION/rfc3986-5.2.json` for each badge. Raise OSError if a file
    cannot be written.
    """
    device = path.exists() and not path.is_dir() and not path.is_file()
    if path.suffix == ".json" or device:
        write_atomically(path, render(results))
        return
    folders: dict[str, str] = {}
    for name, own in badges(results).items():
        folder = file_name(name, folders)
        files: dict[str, str] = {}
        for key, badge in own.items():
            file = below(path, f"{folder}/{file_name(key, files)}.json")
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, _json(badge.endpoint))


def badges(results: Results) -> dict[str, dict[str, Badge]]:
    """Return the badges of each implementation. The badge of a section includes its subsections.

    Sections that tables leave out, such as References, have no badge.
    """
    sizes, asked, scores = corpus_sizes(results), asked_sizes(results), by_section(results)
    found: dict[str, dict[str, Badge]] = {one.name: {} for one in results.participants}
    for spec, section in _subjects(asked):
        title = results.titles.get((spec, section), "")
        if not has_row(title):
            continue
        key = f"{spec}-{section}" if section else spec
        label = f"{rfc(spec)} {section_place(section, title)}" if section else rfc(spec)
        places = {place for place in [*asked, *(sizes or ())] if place[0] == spec}
        places = {place for place in places if not section or within(place[1], section)}
        total = sum(asked.get(place, 0) for place in places)
        whole = total if sizes is None else sum(sizes.get(place, 0) for place in places)
        gap = "another corpus" if sizes is None else "some vectors only" if total < whole else ""
        for one in results.participants:
            own = (scores.get(place, {}).get(one.name) for place in places)
            score = total_score(score for score in own if score is not None)
            doubt = _doubt(results, one) or gap
            found[one.name][key] = _badge(plain(clipped(label, 100)), score, total, doubt)
    return found


def _subjects(asked: Mapping[Place, int]) -> Iterator[Place]:
    """Yield (RFC, "") for each asked RFC, then (RFC, section) for its asked sections and all above them."""
    for spec in reported_specs():
        labels = [section.split(".") for of, section in asked if of == spec]
        above = {".".join(parts[:count]) for parts in labels for count in range(1, len(parts) + 1)}
        if above:
            yield spec, ""
            yield from ((spec, section) for section in sorted(above, key=section_key))


def _doubt(results: Results, one: Participant) -> str:
    """Return the reason why badges of this implementation cannot show a result, or an empty string."""
    if one.state != "ran":
        return "not installed" if one.state == "not installed" else "did not start"
    if not results.complete:
        return "run cut short"
    if any(outcome == Outcome.ABORTED for _, outcome in results.counted.get(one.name, {})):
        return "adapter given up"
    return ""


def _badge(label: str, score: Score, total: int, doubt: str) -> Badge:
    if not doubt and score.coverage.total < total:
        doubt = "some vectors only"  # --maxfail stopped the run
    if doubt:
        return Badge(label, doubt, "lightgrey")
    answers = score.required
    if not answers.total:
        return Badge(label, "nothing required", "lightgrey")
    if score.complies and not answers.wrong:
        return Badge(label, "complies", "brightgreen")
    return Badge(label, answers_text(answers), _colour(score))


def _colour(score: Score) -> str:
    """Return the colour of an imperfect score. Only complete answers count."""
    answers = score.required
    if answers.answered < LEAST_ANSWERED * answers.total:
        return "lightgrey"
    if not answers.wrong:
        return "brightgreen"
    sides = (score.accepted.value, score.rejected.value, answers.right / answers.answered)
    worst = min(rate for rate in sides if rate is not None)
    return next(colour for least, colour in _COLOURS if worst >= least)


def _json(value: Mapping[str, object], indent: int | None = None) -> str:
    return no_command(json.dumps(value, indent=indent).encode("ascii")).decode("ascii") + "\n"
