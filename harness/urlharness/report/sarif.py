"""A bypass as SARIF 2.1.0 for code scanners. Each class has a rule, and a result with its shortest text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from urlharness.compare.bypass import Bypass, BypassClass
from urlharness.corpus.differences import DifferenceClass
from urlharness.text import counted, file_name, plain

#: The rule of differences without a class.
NO_CLASS = "no-class"

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(found: Bypass, classes: Mapping[str, DifferenceClass]) -> str:
    """Return the classes of a bypass as a SARIF log."""
    both = f"{found.check.name}/{found.fetch.name}"
    # code scanners require a file, so the names of both parsers are the path
    file = f"{file_name(found.check.name, {})}/{file_name(found.fetch.name, {})}"
    rules = [class_rule(one.entry, classes) for one in found.classes]
    results = [
        {
            "ruleId": one.entry or NO_CLASS,
            "level": "error",
            "message": {"text": _message(found, one)},
            "locations": [place(file, both)],
            "partialFingerprints": {"class": f"{both}/{one.entry or NO_CLASS}"},
            "properties": {"text": one.shortest.text, "texts": len(one.witnesses)},
        }
        for one in found.classes
    ]
    return sarif_log(rules, results)


def sarif_log(rules: Sequence[Mapping[str, object]], results: Sequence[Mapping[str, object]]) -> str:
    """Return a SARIF log with these rules and results."""
    driver = {"name": "urlconform", "version": version("urlconform"), "rules": rules}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(log, indent=1) + "\n"


def class_rule(entry: str | None, classes: Mapping[str, DifferenceClass]) -> dict[str, object]:
    """Return the rule of a class of difference, or of differences without a class."""
    known = classes.get(entry or "")
    title = known.title if known else "Different answers"
    effect = known.effect if known else "Two parsers see different things in one text."
    return {
        "id": entry or NO_CLASS,
        "shortDescription": {"text": title},
        "fullDescription": {"text": effect},
    }


def place(file: str, parsers: str) -> dict[str, object]:
    """Return a location: a file, and the names of the parsers."""
    return {
        "physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": 1}},
        "logicalLocations": [{"fullyQualifiedName": parsers}],
    }


def _message(found: Bypass, one: BypassClass) -> str:
    text, checked, fetched = one.shortest
    return (
        f"{plain(text)}: {found.check.name} sees host {plain(checked or 'none')}, {found.fetch.name} goes to "
        f"{plain(fetched)} ({counted(len(one.witnesses), 'text')} of this class)."
    )
