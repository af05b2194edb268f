"""Faults in decoding host and path of file URLs (RFC 1738, section 3.10)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote, unquote_plus

from ..faults import Ask, Fault, Question, Reply, Values, decodes, text
from .written import as_latin_1, decoded_again, names, segments

#: A file of another computer is read from this one.
LOCAL: Values = {"host": "", "local": True}


def path_as_written(decode: Callable[[str], str] = str) -> Callable[[Values, str], Values | None]:
    """Return a function that decodes each name in its own way; a URL without a path is refused."""

    def changed(_view: Values, url: str) -> Values | None:
        wrong = [decode(name) for name in names(url)]
        return {"directories": wrong[:-1], "name": wrong[-1]} if wrong else None

    return changed


def decoded_but_for_colons(name: str) -> str:
    """Decode a name, but not its encoded colons."""
    return "".join(part if part.lower() == "%3a" else unquote(part) for part in re.split("(%3[aA])", name))


def encoded_path_as_written(_view: Values, url: str) -> Values:
    """Leave directories and name encoded if there is a triplet."""
    *directories, name = segments(url) or [""]
    return {"directories": directories, "name": name} if "%" in url else {}


def plus_as_space(view: Values, url: str) -> Values:
    """Decode directories and name with their plus signs as spaces."""
    right: list[Any] = [*view["directories"], view["name"]] if isinstance(view["directories"], list) else []
    written = segments(url)
    if not right or len(right) != len(written):
        return {}
    wrong = [
        unquote_plus(raw) if "+" in raw else decoded for raw, decoded in zip(written, right, strict=True)
    ]
    return {"directories": wrong[:-1], "name": wrong[-1]}


def colon_of_drive_as_written(view: Values, url: str) -> Values:
    """Leave the colon after the letter of a drive encoded."""
    if not re.search("(?i)^file://[^/]*/[a-z]%3a/", url):
        return {}
    drive, *directories = view["directories"]
    return {"directories": [f"{drive[0]}%3A", *directories]}


def names_decoded_again(view: Values, _url: str) -> Values:
    """Decode directories and name a second time, octet by octet."""
    *directories, name = decoded_again([*view["directories"], view["name"]])
    return {"directories": directories, "name": name}


def backslash_as_slash(_view: Values, url: str) -> Values:
    """Take encoded backslashes for slashes."""
    if "%5c" not in url.lower():
        return {}
    *directories, name = map(unquote, segments(re.sub("(?i)%5c", "/", url)))
    return {"directories": directories, "name": name}


def host_as_directory(view: Values, _url: str) -> Values:
    """Take the host for the first directory."""
    return {**LOCAL, "directories": [view["host"], *view["directories"]]} if view["host"] else {}


def drive_before_encoded_one(view: Values, url: str) -> Values:
    """Miss a drive whose colon is encoded, leave it so, and put the drive before it."""
    if not re.search("(?i)^file://[^/]*/[a-z]%3a/", url):
        return {}
    drive, *directories = view["directories"]
    return {"directories": [drive, f"{drive[0]}%3A", *directories]}


def names_as_latin_1(view: Values, _url: str) -> Values:
    """Decode directories and name as ISO 8859-1."""
    *directories, name = map(as_latin_1, [*view["directories"], view["name"]])
    return {"directories": directories, "name": name}


def second_segment_as_host(view: Values, _url: str) -> Values:
    """Take what follows an empty host and an empty first segment for the host."""
    if view["host"] != "" or view["directories"][:1] != [""]:
        return {}
    host, *others = [*view["directories"][1:], view["name"]]
    if not others:
        return {"host": host, "local": False, "directories": [], "name": ""}
    *directories, name = others
    return {"host": host, "local": False, "directories": directories, "name": name}


def all_as_path(question: Question, right: Reply, ask: Ask) -> Reply:
    """Take all that follows the two slashes for the path as it is written, even host and fragment."""
    url = text(question["url"])
    reply = ask({**question, "url": url.replace("#", "%23")})
    if reply["status"] != "ok" or reply["decoded"]["scheme"] != "file":
        return right
    *directories, name = url.partition("//")[2].removeprefix("/").split("/")
    decoded = {**reply["decoded"], **LOCAL, "directories": directories, "name": name}
    return {"status": "ok", "decoded": decoded}


FAULTS: Mapping[str, Fault] = {
    "adds_empty_directories_to_local_file": decodes(
        "file", lambda view, _: {"directories": ["", "", *view["directories"]]} if view["host"] == "" else {}
    ),
    "decodes_names_of_file_as_latin_1": decodes("file", names_as_latin_1),
    "decodes_names_of_file_twice": decodes("file", names_decoded_again),
    "decodes_plus_in_names_of_file": decodes("file", plus_as_space),
    "drops_first_empty_directory_of_file": decodes(
        "file",
        lambda view, _: {"directories": view["directories"][1:]} if view["directories"][:1] == [""] else {},
    ),
    "leaves_encoded_colon_in_names_of_file": decodes("file", path_as_written(decoded_but_for_colons)),
    "leaves_encoded_colon_of_drive": decodes("file", colon_of_drive_as_written),
    "leaves_encoded_names_of_file": decodes("file", encoded_path_as_written),
    "leaves_encoded_path_of_file": decodes("file", path_as_written()),
    "loses_encoded_path_of_local_file": decodes(
        "file",
        lambda view, url: {"directories": [], "name": ""} if view["host"] == "" and "%" in url else {},
    ),
    "puts_drive_before_encoded_one": decodes("file", drive_before_encoded_one),
    "rejects_encoded_slash_in_file": decodes("file", lambda _, url: None if "%2f" in url.lower() else {}),
    "rejects_remote_file": decodes("file", lambda view, _: {} if view["local"] else None),
    "takes_all_after_slashes_for_path_as_written": Fault(("decode",), all_as_path),
    "takes_any_file_for_local": decodes("file", lambda *_: LOCAL),
    "takes_capital_localhost_for_remote": decodes(
        "file",
        lambda view, _: {"local": False} if view["host"] not in ("", "localhost") and view["local"] else {},
    ),
    "takes_encoded_backslash_for_slash": decodes("file", backslash_as_slash),
    "takes_file_of_other_host_for_local": decodes(
        "file", lambda view, _: LOCAL if view["host"] not in ("", "localhost") else {}
    ),
    "takes_host_of_file_for_directory": decodes("file", host_as_directory),
    "takes_localhost_for_remote": decodes(
        "file", lambda view, _: {"local": False} if str(view["host"]).lower() == "localhost" else {}
    ),
    "takes_only_empty_host_for_local": decodes("file", lambda view, _: {"local": view["host"] == ""}),
    "takes_remote_file_for_local": decodes("file", lambda view, _: {} if view["local"] else LOCAL),
    "takes_segment_after_empty_one_for_host": decodes("file", second_segment_as_host),
}
