"""CTRF, the Common Test Report Format: a JSON document that dashboards of test runs read.

Its tests are those of the JUnit report, so both say the same of a case and have the same counts.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET

from urlharness.gate.gate import Judgement
from urlharness.report.junit import suites
from urlharness.results.model import Header, Results

#: The version of the format. Its authors have not numbered it yet.
_FORMAT_VERSION = "0.0.0"

#: The status of a test by the element that JUnit has in it. A test without one has passed.
_STATUSES = {"failure": "failed", "error": "failed", "skipped": "skipped"}

#: The statuses that the summary counts. A case has none of the last two: it passes, fails or is skipped.
_COUNTED = ("passed", "failed", "skipped", "pending", "other")

#: The properties of a suite of JUnit that say where in the run it is, from the outside to the inside.
_HIERARCHY = ("implementation", "specification", "section", "tier")

#: The properties of a suite that are labels of each of its tests.
_LABELS = ("implementation", "library", "version", "language", "specification", "section", "title", "tier")

_MILLISECONDS = 1000


def render(results: Results, judgements: Sequence[Judgement] = (), *_baselines: object) -> str:
    """Return the report. With a gate, only the cases that it rejects have failed, as in JUnit."""
    tests = []
    for suite in suites(results, judgements):
        properties = _properties(suite)
        tests += [_test(test, suite.get("name", ""), properties) for test in suite.iter("testcase")]
    header = results.header
    document = {
        "reportFormat": "CTRF",
        "specVersion": _FORMAT_VERSION,
        "generatedBy": f"urlconform {header.urlconform}",
        "results": {
            "tool": {"name": "urlconform", "version": header.urlconform},
            "summary": _summary(header, tests),
            "tests": tests,
            "environment": {
                "osPlatform": header.platform,
                "extra": {"corpus": header.corpus, "python": header.python},
            },
        },
    }
    return json.dumps(document, indent=1) + "\n"


def _properties(suite: ET.Element) -> Mapping[str, str]:
    return {element.get("name", ""): element.get("value", "") for element in suite.iter("property")}


def _test(element: ET.Element, suite_name: str, properties: Mapping[str, str]) -> dict[str, Any]:
    """Return the test of a test of JUnit, which is in a suite with this name and these properties.

    `rawStatus` is the outcome of the case, or what a gate says of it. Of a test that passed, it is missing.
    """
    hierarchy = [properties[name] for name in _HIERARCHY if name in properties]
    test: dict[str, Any] = {
        "name": element.get("name", ""),
        "status": "passed",
        "duration": round(_MILLISECONDS * float(element.get("time", "0"))),
        "suite": hierarchy or [suite_name],
        "labels": {name: properties[name] for name in _LABELS if properties.get(name)},
    }
    for mark in element:
        if mark.tag in _STATUSES:
            test["status"] = _STATUSES[mark.tag]
            test["rawStatus"] = mark.get("type", "")
            test["message"] = mark.get("message", "")
            if mark.text:
                test["trace"] = mark.text
        else:  # system-err
            test["stderr"] = (mark.text or "").splitlines()
    return test


def _summary(header: Header, tests: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Return the counts and times of the run.

    Results do not record when a run ended, so `stop` adds the time of all answers to the start.
    """
    start = round(_MILLISECONDS * dt.datetime.fromisoformat(header.started).timestamp())
    duration = sum(test["duration"] for test in tests)
    statuses = Counter(test["status"] for test in tests)
    counts = {status: statuses[status] for status in _COUNTED}
    return {"tests": len(tests), **counts, "start": start, "stop": start + duration}
