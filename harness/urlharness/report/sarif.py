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
    results = [_class_result(bypass, group, classes, location) for group in bypass.classes]
    return sarif_log(rules, results)


def _class_result(
    bypass: Bypass, group: BypassClass, classes: Mapping[str, DifferenceClass], location: str
) -> dict[str, object]:
    """Return the result of a class in a row. `location` is the path of the file in which it is shown."""
    rule = _RULES[group.row]
    class_id = group.entry or NO_CLASS
    parsers = f"{bypass.check.name}/{bypass.fetch.name}"
    message = _class_message(bypass, group, classes)
    location_of_parsers = sarif_location(quote_uri(location), parsers)
    witness = group.exploit or group.shortest
    properties = {
        "text": witness.text,
        "shortest": group.shortest.text,
        "class": class_id,
        "texts": len(group.witnesses),
    }
    return {
        "ruleId": rule,
        "level": "error",
        "message": {"text": message},
        "locations": [location_of_parsers],
        "partialFingerprints": {"class": f"{parsers}/{rule}/{class_id}"},
        "properties": properties,
    }


def _row_rule(identifier: str, row: str, meaning: str) -> dict[str, object]:
    """Return the rule of a row of the bypass. Its title is the name of the row with a capital letter."""
    first_letter = row[:1]
    title = first_letter.upper() + row[1:]  # `str.capitalize` would change the other letters
    return _sarif_rule(identifier, title, meaning)


def _sarif_rule(identifier: str, title: str, description: str) -> dict[str, object]:
    """Return a rule of a SARIF log: a `reportingDescriptor`."""
    return {
        "id": identifier,
        "shortDescription": {"text": title},
        "fullDescription": {"text": description},
    }


def sarif_log(rules: Sequence[Mapping[str, object]], results: Sequence[Mapping[str, object]]) -> str:
    """Return a SARIF log with these rules and results."""
    driver = {"name": "urlconform", "version": version("urlconform"), "rules": rules}
    run = {"tool": {"driver": driver}, "results": results}
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=1) + "\n"


def class_rule(entry: str | None, classes: Mapping[str, DifferenceClass]) -> dict[str, object]:
    """Return the rule of a class of difference, or of differences without a class."""
    class_ = classes.get(entry or "")
    if class_ is None:
        effect = "Two parsers see different things in one text."
        return _sarif_rule(entry or NO_CLASS, "Different answers", effect)
    return _sarif_rule(entry or NO_CLASS, class_.title, class_.effect)


def sarif_location(uri: str, parsers: str) -> dict[str, object]:
    """Return a location of a result: the first line of a file, and the names of the parsers.

    `uri` is the path of the file as a URI reference.
    """
    first_line = {"artifactLocation": {"uri": uri}, "region": {"startLine": 1}}
    return {"physicalLocation": first_line, "logicalLocations": [{"fullyQualifiedName": parsers}]}


def _class_message(bypass: Bypass, group: BypassClass, classes: Mapping[str, DifferenceClass]) -> str:
    """Say what both parsers see in the exploit of a class or, without one, in its shortest text."""
    witness = group.exploit or group.shortest
    class_ = classes.get(group.entry or "")
    title = class_.title if class_ else "no named class"
    host = f"host {visible(witness.checked)}" if witness.checked else "no host"
    check = f"{bypass.check.name} sees {host}"
    fetch = f"{bypass.fetch.name} goes to {visible(witness.fetched)}"
    texts = counted(len(group.witnesses), "text")
    return f"{visible(witness.text)}: {check}, {fetch}; {MEANINGS[group.row]} ({title}, {texts})."
