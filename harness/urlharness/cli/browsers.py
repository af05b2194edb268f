"""The answer of the browsers to a text, beside those of the RFCs: a line for people, and JSON."""

from __future__ import annotations

from typing import Any, NamedTuple

from urlharness.compare.browsers import ada_version, read_as_browser
from urlharness.panel.answer import Answer, parts_of


class BrowserAnswer(NamedTuple):
    """The answer of the browsers: its label, the answer in words, and the answer as JSON data."""

    label: str
    words: str
    json: dict[str, Any]

    @property
    def line(self) -> str:
        """The label and the answer in words."""
        return f"{self.label}  {self.words}"


def browser_answer(text: str, base: str | None = None) -> BrowserAnswer:
    """Return what browsers make of a text, or of a reference if there is a base.

    They read a relative reference against the address of a page only, so without a base they have no answer.
    A missing answer is `unsupported` in JSON, with the reason.
    """
    version = ada_version()
    major, minor, *_ = version.split(".")
    label = f"browsers (WHATWG, ada {major}.{minor})"
    facts = {"standard": "WHATWG", "parser": f"ada {version}"}
    try:
        answer = read_as_browser(text, base)
    except UnicodeEncodeError:  # a byte that is no UTF-8, as a lone surrogate
        reason = "read characters only, and the text has bytes that are no UTF-8"
    else:
        if answer is not None:
            return BrowserAnswer(label, _in_words(answer), facts | _as_json(answer))
        reason = "need a base to read a reference"
    return BrowserAnswer(label, reason, {**facts, "unsupported": reason})


def _in_words(answer: Answer) -> str:
    """Return an answer in words. Browsers accept much that their standard calls invalid."""
    match answer.kind:
        case "parsed":
            return f"accept: {answer.in_words()}"
        case "url":
            return answer.in_words()
    return "refuse"


def _as_json(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON data: whether it is an acceptance, and the components or the target."""
    if not answer.accepts:
        return {"accepts": False}
    if answer.kind == "url":
        return {"accepts": True, "url": answer.text, "components": dict(parts_of(answer))}
    return {"accepts": True, "components": dict(answer.components)}
