"""The output of a call as data, without the parts that differ between any two runs of a program."""

from __future__ import annotations

import base64
import gzip
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from contextlib import suppress
from html import unescape
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """Texts that vary by nature, and what they are replaced with."""

    name: str
    pattern: str
    replacement: str


#: Applied one after the other to all that a call writes. A name in `{}` is a fact of the checkout, a literal
#: text; a rule with a fact that is unknown is not applied. No replacement has a character that XML escapes.
RULES = (
    Rule("path of a scene", "{scene}", "[scene]"),
    Rule("path of the folder of all calls", "{folder}", "[folder]"),
    Rule("path of the environment", "{environment}", "[environment]"),
    Rule("path of the checkout", "{checkout}", "[checkout]"),
    Rule("version of the program", r"(urlconform\W+(?:value=\W)?){version}", r"\1[version]"),
    Rule("version and digest of the corpus", "{corpus}", "[corpus]"),
    Rule("time of day", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)?", "[time]"),
    Rule("day", r"\b20\d\d-\d\d-\d\d( \d\d:\d\d(:\d\d)?)?\b", "[day]"),
    Rule("time of an answer in results, which have none if it is short", r',"seconds":[\d.]+(?=})', ""),
    Rule("time of an answer in JUnit", r' time="[\d.]+"', ""),
    Rule("duration in JSON", r'("seconds": ?)[\d.]+', r"\g<1>0"),
    Rule("duration", r"\b\d+\.\d+ ?(s|ms|seconds)\b", "[duration]"),
    Rule(
        "digest of results, which have times", r'("type":"footer".*"digest":)"[0-9a-f]{12}"', r'\1"[digest]"'
    ),
    Rule("id of a question, which rises in random steps", r'("id": ?)\d+', r"\g<1>0"),
    Rule("random part of a temporary name", r"(/tmp/[\w./-]*?)[a-z0-9_]{8}\b", r"\1[random]"),
)


def normal(text: str, facts: Mapping[str, str]) -> str:
    """Replace what varies by nature; `facts` are the literal texts that the patterns name."""
    for rule in RULES:
        pattern = rule.pattern
        if named := re.search(r"{([a-z]+)}", pattern):
            if named[1] not in facts:
                continue
            pattern = pattern.replace(named[0], re.escape(facts[named[1]]))
        text = re.sub(pattern, rule.replacement, text)
    return text


def read(name: str, content: bytes, facts: Mapping[str, str]) -> Any:
    """Return what an output or a file says as data: JSON values, or a list of lines.

    An XML file is its elements, an HTML page its data blocks and its text without script and style. A file
    that is not what its name says is its lines.
    """
    if name == "exit code":
        return content.decode()
    if content[:4] in (b"PAR1", b"\x1f\x8b\x08\x00"):
        return f"binary, {len(content)} bytes"
    if name.endswith((".html", ".htm")):
        return _page(content.decode("utf-8", "backslashreplace"), facts)
    text = normal(content.decode("utf-8", "backslashreplace"), facts)
    if name.endswith(".xml"):
        with suppress(ET.ParseError):
            return _element(ET.fromstring(text))
    return _json(text) or text.splitlines()


def _json(text: str) -> Any:
    """Return the JSON value or the values of JSON Lines, or None if the text is neither."""
    if not text.startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines()]
    except ValueError:
        return None


def _element(element: ET.Element) -> dict[str, Any]:
    children = [_element(child) for child in element]
    return {"tag": element.tag, **element.attrib, "text": (element.text or "").strip(), "children": children}


_BLOCK = re.compile(r'<script type="application/([\w.+-]+)" id="(\w+)">(.*?)</script>', re.DOTALL)
_CODE = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)


def _page(page: str, facts: Mapping[str, str]) -> dict[str, Any]:
    blocks: dict[str, Any] = {}
    for kind, name, block in _BLOCK.findall(page):
        text = gzip.decompress(base64.b64decode(block)).decode() if kind == "octet-stream" else block
        blocks[name] = json.loads(normal(text, facts))
    visible = re.sub(r"<[^>]*>", "\n", _CODE.sub("", page))
    lines = [line.strip() for line in normal(unescape(visible), facts).splitlines()]
    return {"blocks": blocks, "text": [line for line in lines if line]}
