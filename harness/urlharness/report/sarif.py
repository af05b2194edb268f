"""A bypass as SARIF 2.1.0 for code scanners. Each class has a rule, and a result with its shortest text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version

from urlharness.compare.bypass import Bypass, BypassClass
from urlharness.corpus.differences import DifferenceClass
from urlharness.text import counted, file_name, plain

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(found: Bypass, classes: Mapping[str, DifferenceClass]) -> str:
    """Return the classes of a bypass as a SARIF log."""
    rules = [_rule(one, classes) for one in found.classes]
    results = [
        {
            "ruleId": _id(one),
            "level": "error",
            "message": {"text": _message(found, one)},
            "locations": [_location(found)],
            "partialFingerprints": {"class": f"{found.check.name}/{found.fetch.name}/{_id(one)}"},
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


def _id(one: BypassClass) -> str:
    return one.entry or "no-class"


def _rule(one: BypassClass, classes: Mapping[str, DifferenceClass]) -> dict[str, object]:
    entry = classes.get(one.entry or "")
    title = entry.title if entry else "Different hosts"
    effect = entry.effect if entry else "Two parsers see different hosts in one text."
    return {"id": _id(one), "shortDescription": {"text": title}, "fullDescription": {"text": effect}}


def _location(found: Bypass) -> dict[str, object]:
    """Return a location with the names of both parsers as its path, because code scanners require a file."""
    both = f"{found.check.name}/{found.fetch.name}"
    file = f"{file_name(found.check.name, {})}/{file_name(found.fetch.name, {})}"
    return {
        "physicalLocation": {"artifactLocation": {"uri": file}, "region": {"startLine": 1}},
        "logicalLocations": [{"fullyQualifiedName": both}],
    }


def _message(found: Bypass, one: BypassClass) -> str:
    text, checked, fetched = one.shortest
    return (
        f"{plain(text)}: {found.check.name} sees host {plain(checked or 'none')}, {found.fetch.name} goes to "
        f"{plain(fetched)} ({counted(len(one.witnesses), 'text')} of this class)."
    )
