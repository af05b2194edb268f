"""Faults in finding the parts of the URLs of RFC 1738."""

from __future__ import annotations

from collections.abc import Mapping

from ..components import has_scheme
from ..faults import Fault, shows, shows_when

FAULTS: Mapping[str, Fault] = {
    "cuts_gopher_selector_at_question_mark": shows_when(
        lambda parts: parts.get("selector"), lambda parts: {"selector": parts["selector"].partition("?")[0]}
    ),
    "drops_first_slash_of_file_path": shows_when(
        lambda parts: parts["scheme"] == "file" and (parts["fpath"] or "").startswith("/"),
        lambda parts: {"fpath": parts["fpath"][1:]},
    ),
    "keeps_colon_before_password": shows_when(
        lambda parts: parts.get("password") is not None, lambda parts: {"password": f":{parts['password']}"}
    ),
    "loses_host_after_capital_scheme": shows_when(
        lambda parts: parts.get("host") and not parts["scheme"].islower(), lambda _: {"host": ""}
    ),
    "loses_host_of_file_whatever_case": shows_when(
        lambda parts: has_scheme(parts, "file") and bool(parts["host"]), lambda _: {"host": ""}
    ),
    "loses_port_and_cuts_authority": shows_when(
        lambda parts: has_scheme(parts, "http") and parts["port"] is not None,
        lambda _: {"port": None},
    ),
    "moves_host_of_file_to_path": shows_when(
        lambda parts: parts["scheme"] == "file" and parts["host"],
        lambda parts: {"host": "", "fpath": f"{parts['host']}/{parts['fpath']}"},
    ),
    "takes_empty_host_of_file_for_absent": shows_when(
        lambda parts: parts["scheme"] == "file" and parts["host"] == "", lambda _: {"host": None}
    ),
    "takes_empty_user_and_password_for_absent": shows(
        lambda parts: {name: None for name in ("user", "password") if parts.get(name) == ""}
    ),
    "takes_first_directory_of_file_for_host": shows_when(
        lambda parts: parts["scheme"] == "file" and parts["host"] == "" and parts["fpath"],
        lambda parts: {
            "host": parts["fpath"].partition("/")[0],
            "fpath": parts["fpath"].partition("/")[2],
        },
    ),
    "takes_password_for_missing_port": shows_when(
        lambda parts: parts.get("password") is not None and parts.get("port") is None,
        lambda parts: {"port": parts["password"]},
    ),
    "takes_user_alone_for_password": shows_when(
        lambda parts: parts.get("user") is not None and parts["password"] is None,
        lambda parts: {"user": "", "password": f"//{parts['user']}"},
    ),
}
