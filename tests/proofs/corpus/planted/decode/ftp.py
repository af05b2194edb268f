"""Faults in decoding the login and the path of ftp URLs (RFC 1738, sections 3.1 and 3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from ..faults import Fault, Values, decodes
from ..texts import split
from .written import after_host, decoded_again, login, login_before_slash, names

Change = Callable[[Values, str], Values | None]


def leaves(name: str) -> Change:
    """Return a function that leaves user or password encoded."""

    def changed(view: Values, url: str) -> Values:
        written = getattr(login(url), name)
        return {name: written} if "%" in (written or "") and isinstance(view[name], str) else {}

    return changed


def present_login_as_written(view: Values, url: str) -> Values:
    """Leave user and password encoded that are present."""
    written = login_before_slash(url)._asdict()
    return {name: text for name, text in written.items() if view[name] is not None}


def login_decoded_before_splitting(_view: Values, url: str) -> Values:
    """Decode user and password before they are separated."""
    userinfo = written_userinfo(url)
    user, colon, password = unquote(userinfo).partition(":")
    return {"user": user, "password": password if colon else None} if userinfo else {}


def written_userinfo(url: str) -> str:
    """Return the userinfo of a URL, empty if it is absent."""
    return url.partition("//")[2].partition("/")[0].rpartition("@")[0]


def login_decoded_again(view: Values, _url: str) -> Values:
    """Decode user and password a second time."""
    present = {name: view[name] for name in ("user", "password") if isinstance(view[name], str)}
    return {name: unquote(text) for name, text in present.items()}


def path_decoded_again(view: Values, _url: str) -> Values:
    """Decode directories and name a second time, octet by octet."""
    *directories, name = decoded_again([*view["cwd"], view["name"]])
    return {"cwd": directories, "name": name}


def path_as_written(_view: Values, url: str) -> Values | None:
    """Leave directories and name encoded; a URL without a path is refused."""
    written = names(url)
    return {"cwd": written[:-1], "name": written[-1]} if written else None


def path_with_typecode_as_written(view: Values, url: str) -> Values:
    """Leave directories and name encoded if there is a triplet."""
    path = re.sub("(?i);type=[aid]$", "", after_host(url))
    *directories, name = path.split("/")
    return {"cwd": directories, "name": name} if view["name"] is not None and "%" in path else {}


def path_before_semicolon_as_written(_view: Values, url: str) -> Values:
    """Leave directories and name encoded, up to a semicolon, if there is a triplet."""
    path = split(url).path[1:].partition(";")[0]
    *directories, name = path.split("/")
    return {"cwd": directories, "name": name} if "%" in path else {}


def directories_as_written(view: Values, url: str) -> Values:
    """Leave the directories encoded."""
    return {"cwd": after_host(url).split("/")[:-1]} if view["cwd"] else {}


def last_as_written(_view: Values, url: str) -> Values:
    """Leave the name encoded; it is what follows the last slash, if only that after the host."""
    return {"name": url.partition("//")[2].rpartition("/")[2].partition(";type=")[0] or None}


def name_as_written(view: Values, url: str) -> Values:
    """Leave the name encoded if it has a triplet."""
    name = re.sub("(?i);type=[aid]$", "", url.rpartition("/")[2])
    return {"name": name} if view["name"] and "%" in name else {}


def path_split_after_decoding(view: Values, _url: str) -> Values:
    """Decode the path, then split it, if it is text."""
    right = [*view["cwd"], view["name"]]
    if not all(isinstance(name, str) for name in right):
        return {}
    wrong = "/".join(right).split("/")
    return {"cwd": wrong[:-1], "name": wrong[-1]}


def names_split_after_decoding(view: Values, _url: str) -> Values:
    """Split each name again that is text."""
    wrong: list[Any] = []
    for name in [*view["cwd"], view["name"]]:
        wrong += name.split("/") if isinstance(name, str) else [name]
    return {"cwd": wrong[:-1], "name": wrong[-1]}


def slash_before_directory(view: Values, _url: str) -> Values:
    """Put a slash before the first directory, or the name if there is none."""
    if view["cwd"] and isinstance(view["cwd"][0], str):
        return {"cwd": [f"/{view['cwd'][0]}", *view["cwd"][1:]]}
    return {"name": f"/{view['name']}"} if not view["cwd"] and isinstance(view["name"], str) else {}


def typecode_in_name(view: Values, url: str) -> Values:
    """Leave a typecode as it is written in the name."""
    if not view["typecode"] or not isinstance(view["name"], str):
        return {}
    return {"name": f"{view['name']}{url[url.rfind(';type=') :]}", "typecode": None}


def decoded_typecode_in_name(view: Values, _url: str) -> Values:
    """Leave a typecode in the name, in lower case."""
    if view["typecode"] is None or not isinstance(view["name"], str):
        return {}
    return {"name": f"{view['name']};type={view['typecode']}", "typecode": None}


def login_split_at_every_colon(_view: Values, url: str) -> Values:
    """Decode user and password before they are separated, and lose what follows a second colon."""
    userinfo = written_userinfo(url)
    fields = unquote(userinfo).split(":")
    return {"user": fields[0], "password": fields[1] if len(fields) > 1 else None} if userinfo else {}


FAULTS: Mapping[str, Fault] = {
    # the login
    "cuts_decoded_login_at_second_colon": decodes("ftp", login_split_at_every_colon),
    "decodes_login_before_splitting": decodes("ftp", login_decoded_before_splitting),
    "decodes_login_twice": decodes("ftp", login_decoded_again),
    "keeps_colon_before_password": decodes(
        "ftp",
        lambda view, _: {"password": f":{view['password']}"} if isinstance(view["password"], str) else {},
    ),
    "leaves_encoded_login": decodes(
        "ftp", lambda _, url: login(url)._asdict() if login(url).user is not None else {}
    ),
    "leaves_encoded_password": decodes("ftp", leaves("password")),
    "leaves_encoded_user": decodes("ftp", leaves("user")),
    "leaves_encoded_login_if_present": decodes("ftp", present_login_as_written),
    "loses_login": decodes("ftp", lambda *_: {"user": None, "password": None}),
    "shows_login_as_written": decodes("ftp", lambda _, url: login(url)._asdict()),
    "takes_anonymous_for_missing_password": decodes(
        "ftp", lambda view, _: {"password": "anonymous@"} if view["user"] is None else {}
    ),
    "takes_anonymous_for_missing_password_of_user": decodes(
        "ftp",
        lambda view, _: (
            {"password": "anonymous@"} if view["user"] is not None and view["password"] is None else {}
        ),
    ),
    "takes_anonymous_for_missing_user": decodes(
        "ftp", lambda view, _: {"user": "anonymous"} if view["user"] is None else {}
    ),
    "takes_empty_login_for_absent": decodes(
        "ftp", lambda view, _: {name: None for name in ("user", "password") if view[name] == ""}
    ),
    # What follows the colon is refused, as no port has an at sign.
    "takes_password_for_port": decodes("ftp", lambda view, _: None if view["password"] is not None else {}),
    # the path
    "adds_slash_before_first_name": decodes("ftp", slash_before_directory),
    "decodes_path_of_ftp_twice": decodes("ftp", path_decoded_again),
    "drops_first_empty_directory_of_ftp": decodes(
        "ftp", lambda view, _: {"cwd": view["cwd"][1:]} if view["cwd"][:1] == [""] else {}
    ),
    "keeps_lower_case_typecode_in_name": decodes("ftp", decoded_typecode_in_name),
    "keeps_typecode_in_name": decodes("ftp", typecode_in_name),
    "leaves_encoded_directories": decodes("ftp", directories_as_written),
    "leaves_encoded_name": decodes("ftp", last_as_written),
    "leaves_encoded_name_before_typecode": decodes("ftp", name_as_written),
    "leaves_encoded_path_of_ftp": decodes("ftp", path_with_typecode_as_written),
    "leaves_encoded_path_of_ftp_before_semicolon": decodes("ftp", path_before_semicolon_as_written),
    "loses_directories": decodes("ftp", lambda view, _: {"cwd": []} if view["cwd"] else {}),
    "loses_typecode": decodes("ftp", lambda view, _: {"typecode": None} if view["typecode"] else {}),
    "rejects_controls_in_ftp": decodes(
        "ftp", lambda _, url: None if re.search("%(?:0[1-9b-ceBCE]|1[0-9A-Fa-f])", url) else {}
    ),
    "shows_path_of_ftp_as_written": decodes("ftp", path_as_written),
    "splits_decoded_path_of_ftp": decodes("ftp", path_split_after_decoding),
    "splits_names_of_ftp_after_decoding": decodes("ftp", names_split_after_decoding),
}
