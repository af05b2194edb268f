"""The README of an export: the format on one page, with a loop in pseudo code."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

import msgspec

from urlharness.corpus import SPECS, Case, Corpus
from urlharness.flags import FlagFile

_WIDTH = 116


def text(
    root: Path, corpus: Corpus, chosen: Sequence[Case], export: str, generated: Mapping[str, int]
) -> str:
    """The page for the chosen vectors; `export` is the digest of the folder, `generated` counts cases."""
    page = (resources.files("urlharness.authoring") / "export_readme.md").read_text(encoding="utf-8")
    counts: Counter[str] = Counter(case.spec for case in chosen)
    cited = {spec: {case.vector.requirement for case in chosen if case.spec == spec} for spec in SPECS}
    figures = [f"| RFC {spec[3:]} | {counts[spec]} | {len(cited[spec])} |" for spec in SPECS if counts[spec]]
    return page.format(
        version=corpus.version,
        count=len(chosen) + sum(generated.values()),
        digest=corpus.digest,
        export=export,
        figures="\n".join(figures),
        generated=_generated(generated),
        example=_example(chosen or corpus.cases),
        flags="\n".join(_flags(root)),
    )


def _generated(files: Mapping[str, int]) -> str:
    """A sentence on the generated parts, and their sizes; nothing where there are none."""
    if not files:
        return ""
    rows = [f"| `{name}` | {count} |" for name, count in files.items()]
    table = "\n".join(("| file | cases |", "|---|---:|", *rows))
    told = "Generated cases, a vector a line with `spec` and `section`, labelled by the automata:"
    return f"\n{told}\n\n{table}\n"


def _example(chosen: Sequence[Case]) -> str:
    """One of the vectors as it stands, wrapped between its fields: a resolution where there is one."""
    case = next((case for case in chosen if case.vector.op == "resolve"), chosen[0])
    fields = msgspec.to_builtins(case.vector)
    parts = [f"{json.dumps(name)}:\0{json.dumps(value)}".replace(" ", "\0") for name, value in fields.items()]
    lines = textwrap.wrap(", ".join(parts), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return (
        "\n".join(f"    {' ' if number else '{'}{line}" for number, line in enumerate(lines)).replace(
            "\0", " "
        )
        + "}"
    )


def _flags(root: Path) -> list[str]:
    path = root / "flags.json"
    if not path.is_file():
        return []
    table = msgspec.json.decode(path.read_bytes(), type=FlagFile)
    return [f"| `{flag.id}` | {flag.statement} | {flag.effect} |" for flag in table.flags]
