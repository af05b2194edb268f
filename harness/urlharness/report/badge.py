"""Badges: a JSON object for each RFC and section of an implementation, in the format for badge servers.

A badge is grey, and says why, unless every vector of its RFC or section has an outcome.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.model import section_key
from urlharness.corpus.selection import is_within
from urlharness.corpus.specifications import reported_specs
from urlharness.jsonio import escaped_commands, write_atomically
from urlharness.report.summary import LEAST_ANSWERED, answers_text, total_score
from urlharness.results.coverage import Place, asked_sizes, corpus_sizes
from urlharness.results.model import Participant, Results
from urlharness.results.scores import Score, has_row, scores_by_section
from urlharness.results.verdict import Outcome
from urlharness.system.files import path_below
from urlharness.text import clipped, file_name, plain
from urlharness.wording import rfc, section_place

#: The maximum number of characters of a label.
_LABEL_LIMIT = 100

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
    """Return all badges as one JSON object: by implementation, then by `rfc3986` or `rfc3986-5.2`.

    Every format gets the judgements and the baselines of a gate. Badges do not show them.
    """
    endpoints = {}
    for name, badges_of_name in badges(results).items():
        endpoints[name] = {key: badge.endpoint for key, badge in badges_of_name.items()}
    return _json_for_logs(endpoints, indent=1)


def write(results: Results, path: Path) -> None:
    """Write all badges to one file if the path is `*.json` or a device. Otherwise, write a folder.

    The folder gets a file such as `IMPLEMENTATION/rfc3986-5.2.json` for each badge. Raise OSError if a file
    cannot be written.
    """
    is_device = path.exists() and not path.is_dir() and not path.is_file()
    if path.suffix == ".json" or is_device:
        write_atomically(path, render(results))
    else:
        _write_folder(results, path)


def _write_folder(results: Results, root: Path) -> None:
    """Write a file for each badge, in a folder below `root` for each implementation."""
    folder_names: dict[str, str] = {}  # those given so far, which `file_name` does not give again
    for name, badges_of_name in badges(results).items():
        folder = file_name(name, folder_names)
        names_in_folder: dict[str, str] = {}
        for key, badge in badges_of_name.items():
            file = path_below(root, f"{folder}/{file_name(key, names_in_folder)}.json")
            file.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(file, _json_for_logs(badge.endpoint))


def badges(results: Results) -> dict[str, dict[str, Badge]]:
    """Return the badges of each implementation. The badge of a section includes its subsections.

    Sections that tables leave out, such as References, have no badge.
    """
    scores = scores_by_section(results)
    extent = _Extent(asked_sizes(results), corpus_sizes(results))
    by_name: dict[str, dict[str, Badge]] = {participant.name: {} for participant in results.participants}
    for spec, section in extent.places_with_badge():
        title = results.titles.get((spec, section), "")
        if not has_row(title):
            continue
        key = f"{spec}-{section}" if section else spec
        label = _label_text(spec, section, title)
        sections = extent.sections_within(spec, section)
        asked_count = sum(extent.sizes.get(part, 0) for part in sections)
        reason_for_gap = extent.reason_for_gap(sections)
        for participant in results.participants:
            name = participant.name
            scores_within = [scores[part][name] for part in sections if name in scores.get(part, {})]
            score = total_score(scores_within)
            doubt = _reason_for_doubt(results, participant) or reason_for_gap
            by_name[name][key] = _badge(label, score, asked_count, doubt)
    return by_name


def _label_text(spec: str, section: str, title: str) -> str:
    """Return the left text of a badge of a section, or of the whole RFC if the section is empty."""
    label = rfc(spec)
    if section:
        label += f" {section_place(section, title)}"
    return plain(clipped(label, _LABEL_LIMIT))


class _Extent(NamedTuple):
    """The number of asked vectors of each section, and of those in the corpus if the corpus is installed."""

    sizes: Mapping[Place, int]
    corpus_sizes: Mapping[Place, int] | None

    def places_with_badge(self) -> Iterator[Place]:
        """Yield (RFC, "") for each asked RFC, then (RFC, section) for its sections and all above them."""
        for spec in reported_specs():
            sections: set[str] = set()
            for section_spec, section in self.sizes:
                if section_spec == spec:
                    sections.update(_section_and_above(section))
            if sections:
                yield spec, ""
                yield from ((spec, section) for section in sorted(sections, key=section_key))

    def sections_within(self, spec: str, section: str) -> set[Place]:
        """Return (RFC, section) for the sections within a section, or for all of the RFC if it is empty."""
        all_sections = set(self.sizes)
        if self.corpus_sizes is not None:
            all_sections.update(self.corpus_sizes)
        sections_of_rfc = {(place_spec, number) for place_spec, number in all_sections if place_spec == spec}
        if not section:
            return sections_of_rfc
        return {(spec, number) for _, number in sections_of_rfc if is_within(number, section)}

    def reason_for_gap(self, sections: Iterable[Place]) -> str:
        """Return why the answers do not show all of these sections, or an empty string."""
        if self.corpus_sizes is None:
            return "another corpus"
        is_whole = all(self.sizes.get(part, 0) >= self.corpus_sizes.get(part, 0) for part in sections)
        return "" if is_whole else "some vectors only"


def _section_and_above(section: str) -> Iterator[str]:
    """Yield the sections that contain a section, the outermost first, and the section itself."""
    numbers = section.split(".")
    for depth in range(1, len(numbers) + 1):
        yield ".".join(numbers[:depth])


def _reason_for_doubt(results: Results, participant: Participant) -> str:
    """Return the reason why badges of this implementation cannot show a result, or an empty string."""
    if participant.state == "not installed":
        return "not installed"
    if participant.state != "ran":
        return "did not start"
    if not results.complete:
        return "run cut short"
    outcomes = {outcome for _, outcome in results.counted.get(participant.name, {})}
    return "adapter given up" if Outcome.ABORTED in outcomes else ""


def _badge(label: str, score: Score, asked_count: int, doubt: str) -> Badge:
    """Return the badge of a score.

    `asked_count` is the number of asked vectors, and `doubt` the reason why the score shows nothing, or
    empty. The badge is grey if there is such a reason, an asked vector has no outcome, or no vector is
    required.
    """
    if doubt:
        return Badge(label, doubt, "lightgrey")
    if score.coverage.total < asked_count:  # --maxfail stopped the run
        return Badge(label, "some vectors only", "lightgrey")
    answers = score.required
    if not answers.total:
        return Badge(label, "nothing required", "lightgrey")
    if score.complies and not answers.wrong:
        return Badge(label, "complies", "brightgreen")
    return Badge(label, answers_text(answers), _badge_colour(score))


def _badge_colour(score: Score) -> str:
    """Return the colour of a score that does not comply. Only complete answers count.

    It is grey if few vectors were answered, and green if no answer is wrong.
    """
    answers = score.required
    if answers.answered < LEAST_ANSWERED * answers.total:
        return "lightgrey"
    if not answers.wrong:
        return "brightgreen"
    share_of_right = answers.right / answers.answered
    rates = (score.accepted.value, score.rejected.value, share_of_right)
    worst = min(rate for rate in rates if rate is not None)
    return next(colour for least, colour in _COLOURS if worst >= least)


def _json_for_logs(content: Mapping[str, object], indent: int | None = None) -> str:
    """Return JSON that may get into the log of a build server, which takes no line of it for a command."""
    text = json.dumps(content, indent=indent).encode("ascii")
    return escaped_commands(text).decode("ascii") + "\n"
