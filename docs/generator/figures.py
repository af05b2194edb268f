"""Figures in hand-written pages: values that code or corpus can compute, between two comments.

`<!--=NAME-->…<!--/-->` contains one figure, `<!--=table:NAME-->` a whole table. `docs/make.py` writes the
text between the comments; a test fails if the text is stale.
"""

from __future__ import annotations

import json
import lzma
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from generator import patterns
from generator.corpus import requirements, vectors
from generator.installs import installs_tag, with_tag
from generator.markdown import code, table
from urlharness.adapters.catalogue import catalogue
from urlharness.corpus.loader import LOCK, load
from urlharness.corpus.lock import Lock, read_lock
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS
from urlharness.wording import enumerated, rfc

_SPAN = re.compile(r"<!--=(?P<name>[\w.:-]+)-->.*?<!--/-->", re.DOTALL)
_DASH = "\N{EN DASH}"
_RESULTS = Path(__file__).parents[1] / "results"
#: The file in the folder of results with the digest of the vectors of each RFC when libraries were asked.
ASKED_FILE = "asked.json"
#: The columns of the table of adequacy: a title and kinds of fault.
_FAULTS = (
    ("transition, verdict", ("transition", "acceptance")),
    ("byte", ("byte",)),
    ("extra state", ("state",)),
)


class UnknownFigure(LookupError):
    """A page has a figure with an unknown name."""


def with_figures(text: str) -> str:
    """Return a page with every figure computed again.  Raise UnknownFigure if one has an unknown name."""
    return _SPAN.sub(lambda span: f"<!--={span['name']}-->{figure(span['name'])}<!--/-->", text)


def pages(folder: Path, files: Iterable[Path]) -> dict[str, str]:
    """Map the path, from a folder, of each page with figures to the page with these computed again.

    The lines that install a tag are written again, too.
    """
    computed = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        if _SPAN.search(text) or installs_tag(text):
            computed[_path_from(folder, path)] = with_tag(with_figures(text))
    return computed


def _path_from(folder: Path, path: Path) -> str:
    """Return the path of a file from a folder. The file is below it or below the folder above it."""
    if path.is_relative_to(folder):
        return path.relative_to(folder).as_posix()
    return f"../{path.relative_to(folder.parent).as_posix()}"


def figure(name: str) -> str:
    """Return the text of a figure.  Raise UnknownFigure if there is none with this name."""
    if name not in _FIGURES:
        raise UnknownFigure(f"no figure is called {name!r}; there are {', '.join(_FIGURES)}")
    return _FIGURES[name]()


def _tier_cases() -> str:
    """Return a table of the cases of each tier, by RFC and in all."""
    counts_by_tier: dict[str, Counter[str]] = {}
    for part in _json("tiers.json")["tiers"]:
        counts = counts_by_tier.setdefault(part["tier"], Counter())
        counts[part["spec"]] += part["cases"]
    specs = list(SPECS)
    columns = ["tier", *(f"#{rfc(spec)}" for spec in specs), "#all"]
    rows = []
    for tier, counts in counts_by_tier.items():
        cells = [f"{counts[spec]:,}" if spec in counts else _DASH for spec in specs]
        rows.append([code(tier), *cells, f"{counts.total():,}"])
    return f"\n{table(columns, rows)}"


def _part_cases(spec: str, rule: str, *tiers: str) -> int:
    """Count the cases of one rule in some tiers."""
    parts = _json("tiers.json")["tiers"]
    of_rule = [part for part in parts if part["spec"] == spec and part.get("rule") == rule]
    return sum(part["cases"] for part in of_rule if part["tier"] in tiers)


def _adequacy() -> str:
    """Return a table of the lowest rates of all RFCs in percent, bold if the tier must find the fault."""
    specs = _json("adequacy.json")["specs"]
    columns = ["tier", "#second order", "#held out", *(f"#{title}" for title, _ in _FAULTS)]
    rows = []
    for tier in ("core", "complete", "bytes", "k1", "whole"):
        scores = [spec[tier] for spec in specs.values() if tier in spec]
        mutants = [_lowest_of_mutants(scores, kind) for kind in ("second_order", "held_out")]
        faults = [_lowest_of_faults(scores, kinds) for _, kinds in _FAULTS]
        rows.append([tier, *mutants, *faults])
    return f"\n{table(columns, rows)}"


def _lowest_of_mutants(scores: Iterable[Mapping[str, Any]], kind: str) -> str:
    return _lowest(score[kind]["rate"] for score in scores if kind in score)


def _witnesses() -> str:
    """Return a table with the witnesses of each RFC, the removed ones, and what the corpus detects."""
    specs = _json("adequacy.json")["specs"]
    removed_ids = _lock().tombstones
    removed = Counter(name.partition("-")[0] for name in removed_ids if "-mutant-" in name)
    witnesses = Counter(vector.spec for vector in vectors() if vector.fields.get("origin") == "mutant")
    columns = (
        "RFC",
        "#witnesses",
        "#removed",
        "#first order",
        "#each for itself",
        "#second order",
        "#held out",
    )
    rows = []
    for spec, tiers in specs.items():
        core = tiers["core"]
        whole = tiers["whole"]
        row = (
            spec.removeprefix("rfc"),
            f"{witnesses[spec]:,}",
            f"{removed[spec]:,}",
            _in_percent(core["first_order"]["rate"]),
            _in_percent(core["single"]["rate"]) if "single" in core else "",
            _in_percent(whole["second_order"]["rate"]),
            _in_percent(whole["held_out"]["rate"]),
        )
        rows.append(row)
    return f"\n{table(columns, rows)}"


def _lowest_of_faults(scores: Iterable[Mapping[str, Any]], kinds: Iterable[str]) -> str:
    """Return the lowest rate of some kinds of fault, bold if the tier must find one of them."""
    must_find = False
    rates = []
    for score in scores:
        faults = score.get("faults", {})
        for kind in kinds:
            if kind in faults.get("domain", ()):
                must_find = True
                rates.append(faults["rate"])
            elif kind in faults.get("beyond", {}):
                rates.append(faults["beyond"][kind]["rate"])
    lowest = _lowest(rates)
    return f"**{lowest}**" if must_find else lowest


def _lowest(rates: Iterable[float]) -> str:
    """Return the lowest rate in percent, or an empty string without rates."""
    lowest = min(rates, default=None)
    return "" if lowest is None else _in_percent(lowest)


def _in_percent(rate: float) -> str:
    """Return a rate in percent, rounded down to a tenth."""
    tenths = int(rate * 1000 + 1e-9)
    return "100" if tenths == 1000 else f"{tenths / 10:.1f}"


@cache
def _json(name: str) -> Any:
    return json.loads((resources.files("urlvectors") / name).read_text(encoding="utf-8"))


@cache
def _lock() -> Lock:
    """Return the locked state of the corpus, which several figures read."""
    return read_lock(corpus_dir() / LOCK)


def _results_note() -> str:
    """Say to which corpus the published results are answers, with a warning if its vectors have changed."""
    corpus_of_results = _published()[0]["corpus"]
    today = load().digest
    if corpus_of_results == today:
        return f"The figures are of the corpus of this version, {today}."
    digests = json.loads(_RESULTS.joinpath(ASKED_FILE).read_text("ascii"))
    changed = [rfc(spec) for spec, digest in digests.items() if digest_of_vectors(spec) != digest]
    if not changed:
        return f"The vectors that were asked are the same in the corpus of this version, {today}."
    return f"**The corpus is {today} by now, and vectors of {enumerated(changed)} have changed since.**"


@cache
def digest_of_vectors(spec: str) -> str:
    """Return a digest of the ids, questions and answers of all vectors of an RFC, 12 hex digits."""
    return _lock().digest_of(spec)


def _published_libraries() -> str:
    _, *libraries = _published()
    return _libraries_in_words([library["implementation"]["language"] for library in libraries])


def _default_libraries() -> str:
    return _libraries_in_words([library.spoken for library in catalogue().values() if library.default])


def _libraries_in_words(languages: Collection[str]) -> str:
    """Return how many libraries there are in how many languages; `languages` has one for each library."""
    return f"{len(languages)} libraries in {len(set(languages))} languages"


@cache
def _counts() -> Mapping[str, int]:
    """Return how many libraries give the answers that findings.md counts; docs/results.py asks them."""
    path = _RESULTS / "counts.json"
    counts: dict[str, int] = json.loads(path.read_text("ascii"))
    return counts


@cache
def _published() -> list[dict[str, Any]]:
    """Return the header of the published results, and after it the line of each library."""
    beginnings = (b'{"type":"header"', b'{"type":"implementation"')
    with lzma.open(_RESULTS / "rfc3986.jsonl.xz") as lines:
        return [json.loads(line) for line in lines if line.startswith(beginnings)]


#: The text of each figure, computed when a page has the figure.
_FIGURES: Mapping[str, Callable[[], str]] = {
    "corpus.vectors": lambda: f"{len(vectors()):,}",
    "corpus.statements": lambda: f"{len(requirements()):,}",
    "corpus.classes": lambda: f"{len(_json('classes.json')['classes'])}",
    "catalogue.default": _default_libraries,
    "results.libraries": _published_libraries,
    "results.note": _results_note,
    **{f"findings.{name}": partial(lambda key: str(_counts()[key]), name) for name in _counts()},
    "package.version": lambda: metadata.version("urlconform"),
    "tiers.k1-and-bytes": lambda: f"{_part_cases('rfc3986', 'URI', 'k1', 'bytes'):,}",
    "table:patterns.flavours": patterns.flavours,
    "table:patterns.lengths": patterns.lengths,
    "table:patterns.wanted": patterns.wanted,
    "table:tier.cases": _tier_cases,
    "table:adequacy.lowest": _adequacy,
    "table:adequacy.witnesses": _witnesses,
}
