"""The index of rulings: the reading of each, its places in the code, and its vectors."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generator.citations import Citation, citations
from generator.corpus import BINDINGS, Vector, requirements, vectors
from generator.markdown import count, link, slug, table

DOCS = Path(__file__).parents[1]
PAGE = DOCS / "rulings.md"
READINGS = DOCS.parent / "vectors" / "urlvectors" / "rulings.json"
HEAD = "\n---\n\n# Index\n"

#: Errata that change no answer, as the ruling itself says.
WITHOUT_CONSEQUENCE = frozenset({"R-3986-36", "R-3987-34", "R-3987-41", "R-3987-49"})

_HEADING = re.compile(r"^### ((?:G|R-\d{4})-\d{2})\b.*$", re.MULTILINE)
_NEXT_CHAPTER = re.compile(r"\n(?:---|# )")
_HYPHEN = "\N{NON-BREAKING HYPHEN}"
_FAMILIES = {
    "G": "All five RFCs",
    "R-1738": "RFC 1738",
    "R-1808": "RFC 1808",
    "R-2396": "RFC 2396",
    "R-2732": "RFC 2732",
    "R-3986": "RFC 3986",
    "R-3987": "RFC 3987",
}
_INTRODUCTION = """
Made by `python docs/make.py`; the short readings are in
[rulings.json](../vectors/urlvectors/rulings.json). **Lives in** names the code or the grammar that cites
the ruling. **Binding** lists the bindings of its vectors, and the bindings that the ruling itself names.
**Vectors** counts the vectors that cite the ruling. If a file has only one of them, its id is shown.
"""


@dataclass(frozen=True)
class Ruling:
    """A ruling of the page: heading and text."""

    id: str
    heading: str
    text: str

    @property
    def family(self) -> str:
        """The id without its number: `G`, or for example `R-1738`."""
        return self.id[:-3]


@dataclass(frozen=True)
class Force:
    """The code, requirements and vectors that apply a ruling."""

    places: tuple[Citation, ...]
    vectors: tuple[Vector, ...]
    catalogues: tuple[str, ...]

    @property
    def anything(self) -> bool:
        """True if anything cites the ruling."""
        return bool(self.places or self.vectors or self.catalogues)


def page(written: str) -> str:
    """Return the page of rulings with a new index; the text above the index is unchanged."""
    body = written.partition(HEAD)[0]
    return f"{body.rstrip()}\n{HEAD}{index(rulings(body))}"


def rulings(body: str) -> list[Ruling]:
    """Return the rulings of a page, in order."""
    headings = list(_HEADING.finditer(body))
    ends = [*(heading.start() for heading in headings[1:]), len(body)]
    in_order = []
    for heading, end in zip(headings, ends, strict=True):
        title = heading[0].removeprefix("### ")
        in_order.append(Ruling(heading[1], title, body[heading.end() : end]))
    return in_order


def texts(body: str) -> str:
    """Return heading and text of each ruling as JSON, for `urlconform ruling`."""
    texts_by_id = {}
    for ruling in rulings(body):
        title = ruling.heading.removeprefix(ruling.id)
        text = _NEXT_CHAPTER.split(ruling.text)[0]  # the last ruling of a chapter ends with it
        texts_by_id[ruling.id] = {"title": title.strip(), "text": text.strip()}
    return json.dumps(texts_by_id, indent=1, ensure_ascii=True) + "\n"


@cache
def anchors_of_rulings() -> dict[str, str]:
    """Return the anchor of each ruling."""
    return {ruling.id: slug(ruling.heading) for ruling in rulings(PAGE.read_text(encoding="utf-8"))}


def readings() -> dict[str, str]:
    """Return the short reading of each ruling by its id."""
    by_id: dict[str, str] = json.loads(READINGS.read_text(encoding="utf-8"))
    return by_id


def forces(
    places: Iterable[Citation] | None = None, cited_by: Iterable[Vector] | None = None
) -> dict[str, Force]:
    """Map the id of each cited ruling to the code, requirements and vectors that apply it.

    The defaults are all citations in the code, and all vectors.
    """
    places_by_ruling: dict[str, dict[Citation, None]] = {}  # without repetitions, in order
    for citation in citations() if places is None else places:
        places_by_ruling.setdefault(citation.ruling, {})[citation] = None
    vectors_by_ruling: dict[str, list[Vector]] = {}
    for vector in vectors() if cited_by is None else cited_by:
        ruling = vector.fields.get("ruling")
        if ruling:
            vectors_by_ruling.setdefault(ruling, []).append(vector)
    catalogues: dict[str, list[str]] = {}
    for file, requirement in requirements():
        ruling = requirement.get("ruling")
        if ruling:
            catalogues.setdefault(ruling, []).append(file)
    applied = {}
    for ruling in {**places_by_ruling, **vectors_by_ruling, **catalogues}:
        applied[ruling] = Force(
            tuple(places_by_ruling.get(ruling, ())),
            tuple(vectors_by_ruling.get(ruling, ())),
            tuple(catalogues.get(ruling, ())),
        )
    return applied


def faults(
    ruled: Iterable[Ruling], force_by_id: Mapping[str, Force], short_readings: Mapping[str, str]
) -> list[str]:
    """Return the contradictions between rulings, citations and short readings, in words."""
    ids = [ruling.id for ruling in ruled]
    repeated = sorted({name for name in ids if ids.count(name) > 1})
    contradictions = [f"{name} has two headings" for name in repeated]
    for name in ids:
        is_cited = name in force_by_id and force_by_id[name].anything
        if is_cited and name in WITHOUT_CONSEQUENCE:
            contradictions.append(f"{name} is cited although it has no consequence")
        if not is_cited and name not in WITHOUT_CONSEQUENCE:
            contradictions.append(f"{name} is cited nowhere")
        if not short_readings.get(name):
            contradictions.append(f"{name} has no reading")
    made_up = sorted({*force_by_id, *short_readings} - set(ids))
    return contradictions + [f"{name} is not a ruling" for name in made_up]


def index(ruled: list[Ruling]) -> str:
    """Return the tables, one for each RFC.  Raise ValueError if there are `faults`."""
    force_by_id = forces()
    short_readings = readings()
    contradictions = faults(ruled, force_by_id, short_readings)
    if contradictions:
        raise ValueError("; ".join(contradictions))
    carried = sum(bool(force.vectors) for force in force_by_id.values())
    living = sum(bool(force.places) for force in force_by_id.values())
    parts = [
        _INTRODUCTION,
        f"\n{count(len(ruled), 'ruling')}: {living} live in code or grammar, {carried} have vectors, ",
        f"{len(WITHOUT_CONSEQUENCE)} has no consequence.\n",
    ]
    columns = ("Ruling", "Reading taken", "Binding", "Lives in", "Vectors")
    not_applied = Force((), (), ())
    for family, title in _FAMILIES.items():
        rows = []
        for ruling in ruled:
            if ruling.family == family:
                force = force_by_id.get(ruling.id, not_applied)
                rows.append(_row(ruling, force, short_readings[ruling.id]))
        parts.append(f"\n## Index: {title}\n\n{table(columns, rows)}")
    return "".join(parts)


def _row(ruling: Ruling, force: Force, reading: str) -> tuple[str, ...]:
    """Return the cells of a ruling in the index."""
    name = link(ruling.id.replace("-", _HYPHEN), f"#{slug(ruling.heading)}")
    if ruling.id in WITHOUT_CONSEQUENCE:
        return name, reading, "no consequence", "·", "·"
    binding = ", ".join(bindings(ruling, force)) or "·"
    return name, reading, binding, _places_in_words(force), _vectors_in_words(force.vectors)


def bindings(ruling: Ruling, force: Force) -> list[str]:
    """Return the bindings of the vectors of a ruling, and the bindings that its text names."""
    named = set(re.findall(r"`([a-z-]+)`", ruling.text))
    of_vectors = {vector.fields["binding"] for vector in force.vectors}
    return [binding for binding in BINDINGS if binding in of_vectors | named]


def _places_in_words(force: Force) -> str:
    """Return links to the code and grammars that cite a ruling, or else what else applies it."""
    if force.places:
        return ", ".join(link(_label(citation), f"../{citation.file}") for citation in force.places)
    if force.vectors:
        return "the vectors"
    links = []
    for file, number in Counter(force.catalogues).items():
        catalogue = link(file.removesuffix(".json"), f"../vectors/urlvectors/{file}")
        links.append(f"{catalogue} ({count(number, 'requirement')})")
    return ", ".join(links)


def _label(citation: Citation) -> str:
    """Return `resolution.merge`, `rfc1738.bnf: gopherurl`, or only the module."""
    file = citation.file.rpartition("/")[2]
    if not file.endswith(".py"):
        return f"{file}: `{citation.name}`" if citation.name else file
    module = file.removesuffix(".py")
    return f"`{module}.{citation.name}`" if citation.name else f"`{module}`"


def _vectors_in_words(citing: tuple[Vector, ...]) -> str:
    """Return the number of vectors, and a link to every file that contains some of them."""
    if not citing:
        return "·"
    by_file: dict[str, list[Vector]] = {}
    for vector in citing:
        by_file.setdefault(vector.file, []).append(vector)
    links = []
    for file, group in by_file.items():
        target = f"../vectors/urlvectors/{file}"
        if len(group) == 1:
            links.append(link(group[0].id, target))
        else:
            links.append(f"{link(file.removesuffix('.json'), target)} ({len(group)})")
    return f"{len(citing)}: {', '.join(links)}"
