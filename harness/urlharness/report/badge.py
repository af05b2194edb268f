"""Badges: for each RFC and section of an implementation a JSON object that a badge server draws.

A badge says `complies` or how many vectors do not pass, and never a figure of half a run: where a vector of
its RFC or section was not asked, or the run was cut, or the adapter gave up, it says so in grey.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.model import SPECS, section_key
from urlharness.corpus.selection import within
from urlharness.jsonio import no_command
from urlharness.results.coverage import Place, asked_sizes, corpus_sizes
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Rate, Score, by_section
from urlharness.text import clipped, file_name, plain, rfc
from urlharness.text import place as place_of

#: Colours by the worst of the rates, of which coverage is one: who accepts everything is not half right.
_COLOURS = ((0.95, "yellow"), (0.5, "orange"), (0.0, "red"))


_NONE = "lightgrey"


class Badge(NamedTuple):
    """The left and the right text of a badge, and the colour of the right one."""

    label: str
    message: str
    color: str

    @property
    def endpoint(self) -> dict[str, str | int]:
        """The badge as a badge server reads it."""
        return {"schemaVersion": 1, **self._asdict()}


def badges(results: Results) -> dict[str, dict[str, Badge]]:
    """For each implementation the badges of what the run asked, by `rfc3986` or `rfc3986-5.2`.

    The badge of a section counts everything below it as well, as who reads `section 5` expects.
    """
    sizes, asked = corpus_sizes(results), asked_sizes(results)
    scores = by_section(results)
    found: dict[str, dict[str, Badge]] = {one.name: {} for one in results.participants}
    for spec, section in _subjects(asked):
        title = results.titles.get((spec, section), "")
        key = f"{spec}-{section}" if section else spec
        label = f"{rfc(spec)} {place_of(section, title)}" if section else rfc(spec)
        below = [place for place in {**asked, **(sizes or {})} if _below(place, spec, section)]
        total = sum(asked.get(place, 0) for place in below)
        if sizes is None:
            gap = "another corpus"
        else:
            gap = "some vectors only" if total < sum(sizes.get(place, 0) for place in below) else ""
        for one in results.participants:
            score = _sum(scores.get(place, {}).get(one.name) for place in below)
            found[one.name][key] = _badge(
                plain(clipped(label, 100)), score, total, _doubt(results, one) or gap
            )
    return found


def _subjects(asked: Mapping[Place, int]) -> Iterator[Place]:
    """Each specification, with an empty section, then its sections and those above them, in their order."""
    for spec in SPECS:
        labels = [section.split(".") for of, section in asked if of == spec]
        above = {".".join(parts[:count]) for parts in labels for count in range(1, len(parts) + 1)}
        if above:
            yield spec, ""
            yield from ((spec, section) for section in sorted(above, key=section_key))


def _below(place: Place, spec: str, section: str) -> bool:
    return place[0] == spec and (not section or within(place[1], section))


def _sum(scores: Iterable[Score | None]) -> Score:
    total = Score()
    for score in scores:
        if score is not None:
            total.failing += score.failing
            for name, rate in score.rates.items():
                into: Rate = getattr(total, name)
                into.passed += rate.passed
                into.total += rate.total
    return total


def render(results: Results) -> str:
    """All badges as one JSON object: implementation, then `rfc3986` or `rfc3986-5.2`, then the badge."""
    found = {
        name: {key: badge.endpoint for key, badge in own.items()} for name, own in badges(results).items()
    }
    return _text(found, indent=1)


def _text(value: Mapping[str, object], indent: int | None = None) -> str:
    return no_command(json.dumps(value, indent=indent).encode("ascii")).decode("ascii") + "\n"


def write(results: Results, path: Path) -> None:
    """Write all badges to a path that ends in `.json` or is a device, else to a folder, each in its own file.

    The folder is made where there is none; its files are `IMPLEMENTATION/rfc3986-5.2.json`.  Raises OSError,
    where the folder is a file for one.
    """
    device = path.exists() and not path.is_dir() and not path.is_file()
    if path.suffix == ".json" or device:
        path.write_text(render(results), encoding="ascii")
        return
    for name, badge in _files(badges(results)):
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_text(badge.endpoint), encoding="ascii")


def _doubt(results: Results, one: Participant) -> str:
    """Why no badge of this implementation can have a figure; empty where it can."""
    if one.state != "ran":
        return "not installed" if one.state == "not installed" else "did not start"
    if not results.complete:
        return "run cut short"
    if any(outcome == "aborted" for _, outcome in results.counted.get(one.name, {})):
        return "adapter gave up"
    return ""


def _badge(label: str, score: Score, total: int, doubt: str) -> Badge:
    if not doubt and score.coverage.total < total:
        doubt = "some vectors only"  # --maxfail stopped it
    if doubt:
        return Badge(label, doubt, _NONE)
    rate = score.compliance
    if not rate.total:
        return Badge(label, "nothing required", _NONE)
    if score.complies and not score.failing:
        return Badge(label, "complies", "brightgreen")
    wrong = max(rate.total - rate.passed, score.failing)
    worst = min(one.value for one in score.rates.values() if one.value is not None)
    colour = next(colour for least, colour in _COLOURS if worst >= least)
    return Badge(label, f"{wrong:,} of {max(rate.total, wrong):,} not passed", colour)


def _files(found: Mapping[str, Mapping[str, Badge]]) -> Iterator[tuple[str, Badge]]:
    """A relative path for each badge, without a name that could lead out of the folder."""
    taken: dict[str, str] = {}
    for name, own in found.items():
        folder = file_name(name, taken)
        within: dict[str, str] = {}
        for key, badge in own.items():
            yield f"{folder}/{file_name(key, within)}.json", badge
