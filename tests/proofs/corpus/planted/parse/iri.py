"""Faults in finding the components of an IRI (RFC 3987, sections 2.1 and 2.2)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from ..components import changes_component, changes_host
from ..faults import Fault, Values, reads, shows
from ..texts import BEYOND_ASCII, sub


def without_labels_beyond_ascii(host: str) -> str:
    """Empty the labels that have a character beyond US-ASCII."""
    return ".".join(label if label.isascii() else "" for label in host.split("."))


def controls_replaced(component: str) -> str | dict[str, str]:
    """Replace the octets 80 to 9F of a text in UTF-8 by underscores."""
    octets = re.sub(rb"[\x80-\x9f]", b"_", component.encode())
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return {"hex": octets.hex()}


def octets_as_controls(parts: Values) -> Values:
    """Replace the octets 80 to 9F of all components by underscores."""
    changed: dict[str, Any] = {}
    for name, component in parts.items():
        if isinstance(component, str):
            changed[name] = controls_replaced(component)
    return changed


def delimiter_of(match: re.Match[str]) -> str:
    """Return the normalization form KC of a character if it has a delimiter, else the character."""
    characters = unicodedata.normalize("NFKC", match[0])
    return characters if re.search(r"[:/?#\[\]@]", characters) else match[0]


FAULTS: Mapping[str, Fault] = {
    "cuts_fragment_at_line_separator": changes_component("fragment", sub("[\u2028\u2029].*", "")),
    "empties_labels_beyond_ascii": changes_host(without_labels_beyond_ascii),
    "replaces_octets_of_controls": shows(octets_as_controls),
    "takes_look_alikes_for_delimiters": reads("parse", sub(BEYOND_ASCII, delimiter_of)),
    "trims_white_space_beyond_ascii": reads(
        "parse", sub(r"\A(?:(?![\x00-\x7f])\s)+|(?:(?![\x00-\x7f])\s)+\Z", "")
    ),
}
