"""Faults in decoding mailto, news and telnet URLs, and those of all schemes (RFC 1738, sections 2 and 3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from ..faults import Ask, Fault, Question, Reply, Values, decodes, text
from .written import as_latin_1, login_before_slash


def changes_texts(change: Callable[[Any], Any]) -> Fault:
    """Change every text that was decoded, in URLs of all schemes."""
    unencoded = ("scheme", "host", "port", "default_port", "local")

    def changed(part: Any) -> Any:
        return [changed(member) for member in part] if isinstance(part, list) else change(part)

    return decodes(
        "", lambda view, _: {name: changed(part) for name, part in view.items() if name not in unencoded}
    )


def with_replacement_character(part: Any) -> Any:
    """Decode as UTF-8, with the replacement character for what is not UTF-8."""
    return bytes.fromhex(part["hex"]).decode("utf-8", "replace") if isinstance(part, dict) else part


def written_address(url: str) -> str:
    """Return what follows the scheme."""
    return url.partition(":")[2]


def leaves_encoded_login(view: Values, url: str) -> Values:
    """Leave user and password encoded."""
    written = login_before_slash(url)
    return written._asdict() if written.user is not None and "user" in view else {}


def without_empty_password(view: Values, _url: str) -> Values:
    """Take an empty password for an absent one."""
    return {"password": None} if view.get("password") == "" else {}


def domain_in_lower_case(view: Values, _url: str) -> Values:
    """Write the domain of a message identifier in lower case."""
    if not isinstance(view["article"], str):
        return {}
    unique, at_sign, domain = view["article"].rpartition("@")
    return {"article": unique + at_sign + domain.lower()}


def group_as_article(view: Values, _url: str) -> Values:
    """Take a group without an article for the article of an empty group."""
    return {"group": "", "digits": view["group"]} if view["digits"] is None else {}


def without_first_slashes(view: Values, _url: str) -> Values:
    """Drop the slashes at the beginning of a name."""
    return {"hsoname": view["hsoname"].lstrip("/")} if isinstance(view["hsoname"], str) else {}


def fields_joined(view: Values, _url: str) -> Values:
    """Take the fields after the first for a part of its value."""
    fields = view["fields"] or []
    if len(fields) < 2 or not all(isinstance(text, str) for field in fields for text in field):
        return {}
    (name, first_part), *later_fields = fields
    return {"fields": [[name, ";".join([first_part, *map("=".join, later_fields)])]]}


def has_slash(view: Values) -> bool:
    """Tell if the identifier of an article has a slash."""
    return isinstance(view["article"], str) and "/" in view["article"]


def article_as_group_and_article(view: Values, _url: str) -> Values:
    """Take what precedes a slash in the identifier of an article for the group."""
    if not has_slash(view):
        return {}
    group, _, article = view["article"].partition("/")
    return {"group": group, "article": article}


def number_in_group(view: Values, _url: str) -> Values:
    """Leave the number of an article in the name of the group."""
    if view["digits"] is None or not isinstance(view["group"], str):
        return {}
    return {"group": f"{view['group']}/{view['digits']}", "digits": None}


def plus_in_login(view: Values, _url: str) -> Values:
    """Decode user and password with their plus signs as spaces."""
    return {
        name: view[name].replace("+", " ") for name in ("user", "password") if isinstance(view.get(name), str)
    }


def host_with_login(view: Values, url: str) -> Values:
    """Leave user and password in the host."""
    written = url.partition("//")[2].partition("/")[0].rpartition("@")[0]
    return {"host": f"{written}@{view['host']}", "user": None, "password": None} if written else {}


def without_incomplete_triplet(question: Question, right: Reply, ask: Ask) -> Reply:
    """Drop a percent sign at the end that does not precede two hexadecimal digits."""
    url = text(question["url"])
    changed = re.sub("%[0-9A-Fa-f]?$", "", url)
    if right["status"] != "reject" or changed == url:
        return right
    reply = ask({**question, "url": changed})
    return reply if reply["status"] == "ok" else right


FAULTS: Mapping[str, Fault] = {
    # all schemes
    "adds_default_port": decodes(
        "", lambda view, _: {"port": view["default_port"]} if "port" in view and view["port"] is None else {}
    ),
    "decodes_as_latin_1": changes_texts(as_latin_1),
    "drops_incomplete_triplet_at_end": Fault(("decode",), without_incomplete_triplet),
    "leaves_encoded_login_of_all_schemes": decodes("", leaves_encoded_login),
    "rejects_lower_case_triplets": decodes(
        "", lambda _, url: None if re.search("%(?:[a-f].|.[a-f])", url) else {}
    ),
    "replaces_octets_beyond_utf_8": changes_texts(with_replacement_character),
    "replaces_plus_by_space_in_login": decodes("", plus_in_login),
    "takes_empty_password_for_absent": decodes("", without_empty_password),
    # mailto
    "cuts_address_at_question_mark": decodes(
        "mailto",
        lambda _, url: {"address": unquote(written_address(url).partition("?")[0])} if "?" in url else {},
    ),
    "leaves_encoded_address": decodes("mailto", lambda _, url: {"address": written_address(url)}),
    "replaces_plus_by_space_in_address": decodes(
        "mailto",
        lambda view, _: (
            {"address": view["address"].replace("+", " ")} if isinstance(view["address"], str) else {}
        ),
    ),
    # news
    "cuts_article_at_slash": decodes(
        "news", lambda view, _: {"article": view["article"].partition("/")[0]} if has_slash(view) else {}
    ),
    "lowers_domain_of_article": decodes("news", domain_in_lower_case),
    "rejects_slash_in_article": decodes("news", lambda view, _: None if has_slash(view) else {}),
    "splits_article_at_slash": decodes("news", article_as_group_and_article),
    "takes_encoded_asterisk_for_all_groups": decodes(
        "news", lambda view, _: {"group": "*", "grouppart": None} if view["grouppart"] == "*" else {}
    ),
    # nntp
    "leaves_number_in_group": decodes("nntp", number_in_group),
    "loses_port_of_nntp": decodes("nntp", lambda view, _: {"port": None} if view["port"] else {}),
    "takes_group_for_article": decodes("nntp", group_as_article),
    # prospero
    "drops_first_slashes_of_name": decodes("prospero", without_first_slashes),
    "takes_later_fields_for_part_of_first": decodes("prospero", fields_joined),
    # telnet
    "leaves_encoded_login_of_telnet": decodes("telnet", leaves_encoded_login),
    "leaves_login_in_host_of_telnet": decodes("telnet", host_with_login),
    "loses_default_port_of_telnet": decodes("telnet", lambda *_: {"default_port": None}),
    "loses_port_of_telnet": decodes("telnet", lambda view, _: {"port": None} if view["port"] else {}),
    # wais
    "takes_empty_search_for_absent": decodes(
        "wais", lambda view, _: {"search": None} if view["search"] == "" else {}
    ),
    "takes_path_of_document_for_its_length": decodes(
        "wais", lambda view, _: {"wpath": None} if view["wtype"] is not None else {}
    ),
}
