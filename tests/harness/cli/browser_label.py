"""The label of browsers in what commands print: it names the version of Ada that is installed."""

from __future__ import annotations

from urlharness.cli.browsers import browser_answer

#: The label of the answer of browsers.
BROWSERS = browser_answer("x:y").label


def with_installed_ada(printed):
    """Return what is printed here, for a text that is printed with Ada 4.0."""
    return printed.replace("browsers (WHATWG, ada 4.0)", BROWSERS)
