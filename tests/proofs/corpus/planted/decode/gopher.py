"""Faults in decoding gopher URLs (RFC 1738, section 3.4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..faults import Fault, Values, decodes
from ..texts import collapse, remove_dots
from .written import after_host


def cuts_selector_at(mark: str) -> Callable[[Values, str], Values]:
    """Return a function that ends the selector at a mark, but not the request."""

    def changed(view: Values, _url: str) -> Values:
        selector = view["selector"]
        return {"selector": selector.partition(mark)[0]} if isinstance(selector, str) else {}

    return changed


def cut_at_question_mark(view: Values, url: str) -> Values:
    """End selector and request at a question mark."""
    if "?" not in after_host(url) or not isinstance(view["selector"], str):
        return {}
    selector = view["selector"].partition("?")[0]
    return {"selector": selector, "search": None, "gopher+_string": None, "request": selector}


def question_mark_as_tab(view: Values, _url: str) -> Values:
    """Take what follows a question mark in the selector for the search."""
    selector = view["selector"]
    request = view["request"]
    if not isinstance(selector, str) or not isinstance(request, str) or "?" not in selector:
        return {}
    before, _, after = selector.partition("?")
    return {"selector": before, "search": after, "request": request.replace("?", "\t", 1)}


def written_selector(url: str) -> str:
    """Return what follows the type."""
    return after_host(url)[1:]


def all_as_written(_view: Values, url: str) -> Values:
    """Leave selector, search and what follows encoded."""
    selector = written_selector(url)
    if "%" not in selector:
        return {}
    return {"selector": selector, "search": None, "gopher+_string": None, "request": selector}


def selector_as_written(view: Values, url: str) -> Values:
    """Leave the selector encoded, up to an encoded tab."""
    match = re.match("[^:]*://[^/]*/(?:%..|.)(.*?)(?:%09.*)?$", url)
    selector = match[1] if match else ""
    if "%" not in selector or not isinstance(view["selector"], str) or not isinstance(view["request"], str):
        return {}
    return {"selector": selector, "request": selector + view["request"][len(view["selector"]) :]}


def tab_as_written(view: Values, _url: str) -> Values:
    """Leave the search and what follows in the selector, after an encoded tab."""
    if view["search"] is None or not all(isinstance(view[name], str) for name in ("selector", "search")):
        return {}
    plus_string = "" if view["gopher+_string"] is None else f"%09{view['gopher+_string']}"
    selector = f"{view['selector']}%09{view['search']}{plus_string}"
    return {"selector": selector, "search": None, "gopher+_string": None, "request": selector}


def path_as_selector(view: Values, _url: str) -> Values:
    """Take slash and type for a part of selector and request."""
    selector = view["selector"]
    request = view["request"]
    if not view["gtype"] or not isinstance(selector, str) or not isinstance(request, str):
        return {}
    return {"selector": f"/{view['gtype']}{selector}", "request": f"/{view['gtype']}{request}"}


def path_as_selector_of_menu(view: Values, _url: str) -> Values:
    """Take slash and type for a part of the selector, and the type for that of a menu."""
    if not all(isinstance(view[name], str) for name in ("gtype", "selector")):
        return {}
    selector = f"/{view['gtype']}{view['selector']}"
    search = "" if view["search"] is None else f"\t{view['search']}"
    return {"gtype": "1", "selector": selector, "request": selector + search}


def type_without_slash_in_selector(view: Values, url: str) -> Values:
    """Take a type that no slash follows for the beginning of the selector of a menu."""
    selector = view["selector"]
    request = view["request"]
    is_text = all(isinstance(view[name], str) for name in ("gtype", "selector", "request"))
    if not after_host(url) or not is_text or selector.startswith("/"):
        return {}
    beginning = view["gtype"]
    return {"gtype": "1", "selector": f"{beginning}{selector}", "request": f"{beginning}{request}"}


def selector_as_path(view: Values, _url: str) -> Values:
    """Remove dot-segments from selector and request, and join their slashes."""
    selector = view["selector"]
    request = view["request"]
    if not isinstance(selector, str) or not isinstance(request, str):
        return {}
    changed = collapse(remove_dots(selector))
    return {"selector": changed, "request": changed + request[len(selector) :]}


FAULTS: Mapping[str, Fault] = {
    "cuts_selector_and_request_at_question_mark": decodes("gopher", cut_at_question_mark),
    "cuts_selector_at_nul": decodes("gopher", cuts_selector_at("\0")),
    "cuts_selector_at_question_mark": decodes("gopher", cuts_selector_at("?")),
    "drops_first_slash_of_selector": decodes(
        "gopher",
        lambda view, _: (
            {"selector": view["selector"][1:]} if str(view["selector"] or "").startswith("/") else {}
        ),
    ),
    "keeps_type_in_selector": decodes(
        "gopher",
        lambda view, url: (
            {"selector": f"{view['gtype']}{view['selector']}"} if re.search("//[^/]*/.", url) else {}
        ),
    ),
    "leaves_encoded_selector": decodes("gopher", selector_as_written),
    "leaves_encoded_selector_and_search": decodes("gopher", all_as_written),
    "leaves_encoded_tab_in_selector": decodes("gopher", tab_as_written),
    "rejects_nul_in_gopher": decodes("gopher", lambda _, url: None if "%00" in url else {}),
    "removes_dots_and_joins_slashes_of_selector": decodes("gopher", selector_as_path),
    "sends_question_mark_as_tab": decodes("gopher", question_mark_as_tab),
    "sends_slash_and_type_as_menu": decodes("gopher", path_as_selector_of_menu),
    "sends_slash_and_type_in_selector": decodes("gopher", path_as_selector),
    "shows_selector_as_written": decodes(
        "gopher", lambda _, url: {"selector": re.split("%09", written_selector(url))[0]}
    ),
    "takes_type_without_slash_for_selector": decodes("gopher", type_without_slash_in_selector),
}
