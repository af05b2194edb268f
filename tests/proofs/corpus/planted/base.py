"""Faults in finding the base of a document (RFC 3986, section 5.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .faults import CRASHED, REJECTED, Ask, Fault, Question, Reply, bases_without, text
from .references import merge
from .texts import join, split


def fragment_of_base(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End in an error if the reference that gives the base has a fragment."""
    source = question.get(right.get("layer") or "")
    return CRASHED if right["status"] == "ok" and source and "#" in text(source) else right


def base_directory(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End the base after the last slash of its path."""
    if right["status"] != "ok" or not right["base"] or question.get("embedded") or question.get("header"):
        return right
    parts = split(right["base"])
    return {"status": "ok", "base": join(parts._replace(path=merge(parts, ""), query=None))}


def prefers(outer: str, inner: str) -> Fault:
    """Let a layer win over a layer inside it."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        has_both = question.get(inner) is not None and question.get(outer) is not None
        return ask({**question, inner: None}) if has_both else right

    return Fault(("base",), answer)


def relative(question: Question) -> bool:
    """Tell if the base in the content is relative."""
    embedded = question.get("embedded")
    return embedded is not None and split(text(embedded)).scheme is None


def without_relative(question: Question, right: Reply, ask: Ask) -> Reply:
    """Ignore a relative base in the content."""
    return ask({**question, "embedded": None}) if relative(question) else right


def with_fragment(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Keep the fragment of the base."""
    for layer in ("embedded", "encapsulating", "retrieval", "default"):
        if question.get(layer) is not None:
            fragment = split(text(question[layer])).fragment
            if right["status"] == "ok" and fragment is not None and right["base"]:
                return {"status": "ok", "base": f"{right['base'].partition('#')[0]}#{fragment}"}
            return right
    return right


def keeps_fragment_of(layer: str) -> Fault:
    """Leave the fragment in the base that a layer gives."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        _, mark, fragment = text(question.get(layer) or "").partition("#")
        is_lost = mark and right["status"] == "ok" and right["layer"] == layer
        return {**right, "base": f"{right['base']}#{fragment}"} if is_lost else right

    return Fault(("base",), answer)


def appended(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Give a relative base in the content as it is written."""
    return {"status": "ok", "base": text(question["embedded"])} if relative(question) else right


def blank_in_header(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Refuse white space inside the brackets of the header."""
    brackets = re.search("<[^>]*>", text(question.get("header") or ""))
    return REJECTED if right["status"] == "ok" and brackets and re.search(r"\s", brackets[0]) else right


def empty_base(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Take the empty reference for the base if it is the base that a document has in it."""
    wrong = right["status"] == "ok" and question.get("embedded") == ""
    return {**right, "base": "", "layer": "embedded"} if wrong else right


def fragment_alone(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Take the empty reference for the base if the base in the content is a fragment alone or empty."""
    embedded = question.get("embedded")
    wrong = right["status"] == "ok" and embedded is not None and re.fullmatch("(?:#.*)?", text(embedded))
    return {**right, "base": ""} if wrong else right


def segment_as_host(question: Question, right: Reply, ask: Ask) -> Reply:
    """Put `http://` before a base in the content that is a relative path."""
    embedded = text(question.get("embedded") or "")
    if not relative(question) or embedded[:1] in ("", "/", "?", "#"):
        return right
    return ask({**question, "embedded": f"http://{embedded}"})


def header_to_white_space(question: Question, right: Reply, ask: Ask) -> Reply:
    """End the URL in the brackets of the header at its first white space."""
    header = text(question.get("header") or "")
    cut = re.sub(r"(<[^\s>]+)\s[^>]*>", r"\1>", header)
    return ask({**question, "header": cut}) if cut != header else right


def ignores_header(beginning: str) -> Fault:
    """Ignore a header at whose beginning a pattern matches."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        others = dict(question)
        header = others.pop("header", None)
        is_ignored = header is not None and re.match(beginning, text(header))
        return ask(others) if is_ignored else right

    return Fault(("base",), answer)


def white_space_kept(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Leave the white space inside the brackets of the header, without line breaks, in the base."""
    brackets = re.search("<URL:([^>]*)>", text(question.get("header") or ""))
    if right["status"] != "ok" or not brackets:
        return right
    base = re.sub(r"[\r\n]", "", brackets[1]).strip()
    return {**right, "base": base} if re.search(r"\s", base) else right


def resolved_again(question: Question, right: Reply, ask: Ask) -> Reply:
    """Resolve a relative base in the content a second time, against the base that it gave."""
    if right["status"] != "ok" or right["layer"] != "embedded" or not relative(question):
        return right
    resolution = {"op": "resolve", "spec": question["spec"], "base": right["base"]}
    again = ask({**resolution, "reference": text(question["embedded"])})
    return {**right, "base": again["url"].partition("#")[0]} if again["status"] == "ok" else right


def about_of_inner_document(question: Question, right: Reply, ask: Ask) -> Reply:
    """Let a retrieval from `about:` win over every other layer."""
    is_inner = text(question.get("retrieval") or "").startswith("about:")
    return ask({**question, "embedded": None, "encapsulating": None}) if is_inner else right


def no_base_of_retrieval(question: Question, right: Reply, _ask: Ask) -> Reply:
    """End in an error instead of taking the URL of the retrieval for the base."""
    is_retrieval = right["status"] == "ok" and right.get("layer") == "retrieval"
    return CRASHED if is_retrieval else right


FAULTS: Mapping[str, Fault] = {
    "crashes_at_fragment_of_base": Fault(("base",), fragment_of_base),
    "ends_base_at_directory": Fault(("base",), base_directory),
    "ends_header_at_white_space": Fault(("base",), header_to_white_space),
    "fails_without_base_in_content": Fault(("base",), no_base_of_retrieval),
    "ignores_embedded_base": bases_without("embedded"),
    "ignores_encapsulating_base": bases_without("encapsulating"),
    "ignores_header": ignores_header(""),
    "ignores_header_without_capital": ignores_header("(?!Base)(?i:base)"),
    "ignores_relative_base": Fault(("base",), without_relative),
    "keeps_fragment_of_base": Fault(("base",), with_fragment),
    "keeps_fragment_of_embedded_base": keeps_fragment_of("embedded"),
    "keeps_fragment_of_retrieval": keeps_fragment_of("retrieval"),
    "keeps_relative_base_unresolved": Fault(("base",), appended),
    "keeps_white_space_of_header": Fault(("base",), white_space_kept),
    "prefers_about_to_embedded_base": Fault(("base",), about_of_inner_document),
    "prefers_default_base_to_embedded": prefers("default", "embedded"),
    "prefers_default_base_to_retrieval": prefers("default", "retrieval"),
    "prefers_encapsulating_base_to_embedded": prefers("encapsulating", "embedded"),
    "rejects_blank_in_header": Fault(("base",), blank_in_header),
    "resolves_embedded_base_twice": Fault(("base",), resolved_again),
    "takes_empty_base": Fault(("base",), empty_base),
    "takes_empty_base_of_fragment_alone": Fault(("base",), fragment_alone),
    "takes_first_segment_of_base_for_host": Fault(("base",), segment_as_host),
}
