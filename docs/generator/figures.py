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

from generator.corpus import requirements, vectors
from generator.markdown import code, table
from urlharness.adapters.catalogue import catalogue
from urlharness.corpus.loader import LOCK, load
from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS

_SPAN = re.compile(r"<!--=(?P<name>[\w.:-]+)-->(?P<shown>.*?)<!--/-->", re.DOTALL)
_DASH = "\N{EN DASH}"
#: The columns of the table of adequacy: a title and kinds of fault.
_FAULTS = (
    ("transition, verdict", ("transition", "acceptance")),
    ("byte", ("byte",)),
    ("extra state", ("state",)),
)


class UnknownFigure(LookupError):
    """A page has a figure with an unknown name."""


def filled(text: str) -> str:
    """Return a page with every figure computed again."""
    return _SPAN.sub(lambda span: f"<!--={span['name']}-->{value(span['name'])}<!--/-->", text)


def pages(folder: Path, files: Iterable[Path]) -> dict[str, str]:
    """Map the path, below a folder, of each page with figures to the page after `filled`."""
    with_figures = {}
    for path in files:
        text = path.read_text(encoding="utf-8")
        if _SPAN.search(text):
            with_figures[_below(folder, path)] = filled(text)
    return with_figures


def _below(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else f"../{path.name}"


def value(name: str) -> str:
    """Return the text of a figure; raise UnknownFigure."""
    if name not in _FIGURES:
        raise UnknownFigure(f"no figure is called {name!r}; there are {', '.join(_FIGURES)}")
    return _FIGURES[name]()


def _tier_cases() -> str:
    counts: dict[str, dict[str, int]] = {}
    for part in _json("tiers.json")["tiers"]:
        tier = counts.setdefault(part["tier"], {})
        tier[part["spec"]] = tier.get(part["spec"], 0) + part["cases"]
    heads = ["tier", *(f"#RFC {spec[3:]}" for spec in SPECS), "#all"]
    rows = [
        [
            code(tier),
            *(f"{counts[tier][spec]:,}" if spec in counts[tier] else _DASH for spec in SPECS),
            f"{sum(counts[tier].values()):,}",
        ]
        for tier in counts
    ]
    return f"\n{table(heads, rows)}"


def _part_cases(spec: str, rule: str, *tiers: str) -> int:
    """Count the cases of one rule in some tiers."""
    parts = _json("tiers.json")["tiers"]
    return sum(
        part["cases"]
        for part in parts
        if (part["spec"], part.get("rule")) == (spec, rule) and part["tier"] in tiers
    )


def _adequacy() -> str:
    """Return a table of the lowest rates of all RFCs in percent, bold if the tier must find the fault."""
    specs = _json("adequacy.json")["specs"]
    heads = ["tier", "#second order", "#held out", *(f"#{title}" for title, _ in _FAULTS)]
    rows = []
    for tier in ("core", "complete", "bytes", "k1", "whole"):
        by_spec = [spec[tier] for spec in specs.values() if tier in spec]
        mutants = (
            _lowest(rates[kind]["rate"] for rates in by_spec if kind in rates)
            for kind in ("second_order", "held_out")
        )
        rows.append([tier, *mutants, *(_faults(by_spec, kinds) for _, kinds in _FAULTS)])
    return f"\n{table(heads, rows)}"


def _witnesses() -> str:
    """Return a table with the witnesses of each RFC, the removed ones, and what the corpus detects."""
    specs = _json("adequacy.json")["specs"]
    gone = read_lock(corpus_dir() / LOCK).tombstones
    removed = Counter(name.partition("-")[0] for name in gone if "-mutant-" in name)
    counts = Counter(vector.spec for vector in vectors() if vector.fields.get("origin") == "mutant")
    heads = [
        "RFC",
        "#witnesses",
        "#removed",
        "#first order",
        "#each for itself",
        "#second order",
        "#held out",
    ]
    rows = [
        [
            spec[3:],
            f"{counts[spec]:,}",
            f"{removed[spec]:,}",
            _lowest([tiers["core"]["first_order"]["rate"]]),
            _lowest([tiers["core"]["single"]["rate"]] if "single" in tiers["core"] else []),
            _lowest([tiers["whole"]["second_order"]["rate"]]),
            _lowest([tiers["whole"]["held_out"]["rate"]]),
        ]
        for spec, tiers in specs.items()
    ]
    return f"\n{table(heads, rows)}"


def _faults(by_spec: Iterable[Mapping[str, Any]], kinds: Iterable[str]) -> str:
    inside, rates = False, []
    for spec in by_spec:
        faults = spec.get("faults", {})
        for kind in kinds:
            if kind in faults.get("domain", ()):
                inside = True
                rates.append(faults["rate"])
            elif kind in faults.get("beyond", {}):
                rates.append(faults["beyond"][kind]["rate"])
    lowest = _lowest(rates)
    return f"**{lowest}**" if inside and lowest else lowest


def _lowest(rates: Iterable[float]) -> str:
    """Return the lowest rate in percent, rounded down to a tenth, or an empty string without rates."""
    lowest = min(rates, default=None)
    if lowest is None:
        return ""
    tenths = int(lowest * 1000 + 1e-9)
    return "100" if tenths == 1000 else f"{tenths / 10:.1f}"


@cache
def _json(name: str) -> Any:
    return json.loads((resources.files("urlvectors") / name).read_text(encoding="utf-8"))


def _results_note() -> str:
    """Say to which corpus the published results are answers, with a warning if it is not today's."""
    published, now = _published()[0]["corpus"], load().digest
    if published == now:
        return f"The figures are of the corpus of this version, {now}."
    return f"**The corpus is {now} by now, so the figures are of an older one.**"


def _published_libraries() -> str:
    return _libraries([library["implementation"]["language"] for library in _published()[1:]])


def _default_libraries() -> str:
    return _libraries([library.spoken for library in catalogue().values() if library.default])


def _libraries(languages: Collection[str]) -> str:
    return f"{len(languages)} libraries in {len(set(languages))} languages"


@cache
def _counts() -> Mapping[str, int]:
    """Return how many libraries give the answers that findings.md counts; docs/results.py asks them."""
    path = Path(__file__).parents[1] / "results" / "counts.json"
    counts: dict[str, int] = json.loads(path.read_text("ascii"))
    return counts


@cache
def _published() -> list[dict[str, Any]]:
    """Return the header of the published results, and the line of each library."""
    beginnings = (b'{"type":"header"', b'{"type":"implementation"')
    with lzma.open(Path(__file__).parents[1] / "results" / "rfc3986.jsonl.xz") as lines:
        return [json.loads(line) for line in lines if line.startswith(beginnings)]


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
    "table:tier.cases": _tier_cases,
    "table:adequacy.lowest": _adequacy,
    "table:adequacy.witnesses": _witnesses,
}
