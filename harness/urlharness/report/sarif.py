"""A bypass as SARIF 2.1.0 for code scanners. Each row has a rule, and each class in it a result."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from urllib.parse import quote as quote_uri

from urlharness.compare.bypass import (
    MEANINGS,
    SPELLING,
    SPELLING_MEANING,
    TRAILING_DOT,
    TRAILING_DOT_MEANING,
    Bypass,
    BypassClass,
    BypassRow,
)
from urlharness.corpus.differences import DifferenceClass
from urlharness.text import visible
from urlharness.wording import counted

#: The rule of differences without a class.
NO_CLASS = "no-class"

#: The file in which code scanners show results that are in no file, unless the user names another one.
LOCATION = "pyproject.toml"

#: The id of the rule of each row.
_RULES: Mapping[BypassRow, str] = {
    BypassRow.OTHER_TARGET: "other-target",
    BypassRow.SAME_TARGET: "same-target-by-another-text",
    BypassRow.FETCHER_ONLY: "only-the-fetcher-sees-a-host",
}

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(bypass: Bypass, classes: Mapping[str, DifferenceClass], location: str = LOCATION) -> str:
    """Return the classes of a bypass as a SARIF log. `location` is the file in which scanners show them."""
    rules = [_row_rule(_RULES[row], row, MEANINGS[row]) for row in bypass.rows]
    if len(bypass.rows) == len(BypassRow):
        # these rows are no bypass and have no results
        rules.append(_row_rule("spelling-only", SPELLING, SPELLING_MEANING))
        rules.append(_row_rule("trailing-dot-only", TRAILING_DOT, TRAILING_DOT_MEANING))
    return sarif_log(rules, [_class_result(bypass, group, classes, location) for group in bypass.classes])


def _class_result(
    bypass: Bypass, group: BypassClass, classes: Mapping[str, DifferenceClass], location: str
) -> dict[str, object]:
    """Return the result of a class in a row."""
    rule = _RULES[group.row]
    class_id = group.entry or NO_CLASS
    parsers = f"{bypass.check.name}/{bypass.fetch.name}"
    return {
        "ruleId": rule,
        "level": "error",
        "message": {"text": _message(bypass, group, classes)},
        "locations": [place(quote_uri(location), parsers)],
        "partialFingerprints": {"class": f"{parsers}/{rule}/{class_id}"},
        "properties": {
            "text": (group.exploit or group.shortest).text,
            "shortest": group.shortest.text,
            "class": class_id,
            "texts": len(group.witnesses),
        },
    }


def _row_rule(identifier: str, row: str, meaning: str) -> dict[str, object]:
    """Return the rule of a row."""
    return {
        "id": identifier,
        "shortDescription": {"text": f"{row[:1].upper()}{row[1:]}"},
        "fullDescription": {"text": meaning},
    }


def sarif_log(rules: Sequence[Mapping[str, object]], results: Sequence[Mapping[str, object]]) -> str:
    """Return a SARIF log with these rules and results."""
    driver = {"name": "urlconform", "version": version("urlconform"), "rules": rules}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return json.dumps(log, indent=1) + "\n"


def class_rule(entry: str | None, classes: Mapping[str, DifferenceClass]) -> dict[str, object]:
    """Return the rule of a class of difference, or of differences without a class."""
    class_ = classes.get(entry or "")
    title = class_.title if class_ else "Different answers"
    effect = class_.effect if class_ else "Two parsers see different things in one text."
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


def _message(bypass: Bypass, group: BypassClass, classes: Mapping[str, DifferenceClass]) -> str:
    """Say what both parsers see in the exploit of a class or, without one, in its shortest text."""
    text, checked, fetched = group.exploit or group.shortest
    class_ = classes.get(group.entry or "")
    title = class_.title if class_ else "no named class"
    seen = f"host {visible(checked)}" if checked else "no host"
    return (
        f"{visible(text)}: {bypass.check.name} sees {seen}, {bypass.fetch.name} goes to {visible(fetched)}; "
        f"{MEANINGS[group.row]} ({title}, {counted(len(group.witnesses), 'text')})."
    )
