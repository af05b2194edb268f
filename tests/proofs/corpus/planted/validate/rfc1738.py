"""Faults in telling which URLs of the schemes of RFC 1738 are valid."""

from __future__ import annotations

from collections.abc import Mapping

from ..faults import CRASHED, Fault, crashes, rejects, tolerates
from ..texts import has, inside, sub

FAULTS: Mapping[str, Fault] = {
    "accepts_colon_in_password": tolerates(
        sub(
            r"^(ftp://[^:/@]*:[^/@]*):([^/@]*@)", lambda match: match[0].replace(":", "").replace("//", "://")
        )
    ),
    "accepts_empty_label_in_http": tolerates(sub(r"^((?i:https?)://[^/:]*[^/:.])\.{2,}(?=[^/:.])", r"\1.")),
    "accepts_hash_in_password": tolerates(sub(r"^(ftp://[^/@]*)#([^/@]*@)", r"\1\2")),
    "accepts_login_in_gopher_and_wais": tolerates(sub("^((?i:gopher|wais)://)[^/@]*@", r"\1")),
    "accepts_lone_percent_in_mailto": tolerates(sub("^(mailto:.*?)%(?![0-9A-Fa-f]{2})", r"\1%25")),
    "accepts_other_character_as_tilde": tolerates(inside("path", sub("~", "a"))),
    "accepts_port_without_host": tolerates(sub("^([A-Za-z]+://)(?=:[0-9])", r"\1a")),
    "accepts_slash_in_password": tolerates(sub(r"^ftp://([^:/@]*):([^/@]*)/([^/@]*)@", r"ftp://\1:\2\3@")),
    "accepts_two_at_signs_in_ftp": tolerates(sub(r"^(ftp://)[^/@]*@(?=[^/@]*@)", r"\1")),
    "crashes_at_http_without_slash_after_host": rejects(has("^(?i:http)://[^/]*$"), CRASHED),
    "crashes_at_triplet_in_local_file": crashes(has("(?i)^file:///.*%")),
    "rejects_ampersand_and_plus_in_query": rejects(has(r"^(?i:https?)://[^?]*\?.*[&+]")),
    "rejects_apostrophe_in_query": rejects(has(r"^(?i:https?)://[^?]*\?.*'")),
    "rejects_colon_and_at_sign_in_path": rejects(has("^(?i:https?)://[^/?]*/[^?]*[:@]")),
    "rejects_exclamation_mark": rejects(has("^(?i:https?|ftp)://.*!")),
    "rejects_file_with_empty_host": rejects(has("^[Ff][Ii][Ll][Ee]:///")),
    "rejects_http_that_ends_in_port": rejects(has(r"^[A-Za-z]+://[^/]*:\d+$")),
    "rejects_nul_in_gopher": rejects(has("^(?i:gopher)://.*%00")),
    "rejects_question_mark_in_ftp_path": rejects(has(r"^(?i:ftp)://[^/]*/.*\?")),
    "rejects_semicolon_in_http": rejects(has("^http:[^?]*;")),
    "rejects_slash_in_message_id": rejects(has("^(?i:news):.*/.*@")),
    "rejects_space_in_gopher_selector": rejects(has("(?i)^gopher://[^/]*/.*%20")),
    "rejects_unusual_gopher_type": rejects(has(r"^gopher://[^/]*/(?![0-9+IgT])")),
}
