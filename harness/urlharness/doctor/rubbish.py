"""What came instead of a reply, and what the protocol says of just that."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from urlharness.doctor.talk import FUNCTION, Garbage, Rule
from urlharness.process import excerpt
from urlharness.wrong_fields import LEFT_OUT, Wrong
from urlharness.wrong_lines import instead_of_reply, is_json, wrong_in

_UNGIVEN = "not a reply: "
_FIELD = re.compile(rf"{_UNGIVEN}(?:it has no )?(\w+)\b")
_TEXTS = Rule("answers: parse `components`; resolve, recompose and normalize `url`")
_COUNTS = Rule("`id` and `at` are integers from 0 to 2⁵³ \u2212 1, written without a decimal point")

#: What the protocol says of each field of a reply, and of a line that is none.
RULES: Mapping[str, Rule] = {
    "": Rule("one JSON object a line, UTF-8"),
    "status": Rule("a reply has a `status`: `ok`, `reject`, `unsupported` or `error`"),
    "components": Rule(
        'a component is a text, null when absent, "" when present but empty, and left out when not exposed'
    ),
    "url": _TEXTS,
    "base": Rule("answers: base `base`; null is no base"),
    "urls": Rule("`urls` has the URLs in the order of the text, each as the list of its readings"),
    "equal": Rule("answers: equivalent `equal`"),
    "at": _COUNTS,
    "id": _COUNTS,
}

#: What it says of a field that is null.
NULL = Rule(
    "a field without a value is left out; null are a component, `at`, `base`, and what is in `decoded`"
)


def rubbish(line: bytes, error: Exception, *, served: bool) -> Garbage:
    """A line that is no reply by an error of its decoder, as a fault; `served`: a child of ours wrote it."""
    wrong = wrong_in(line)
    if wrong and wrong.field == "status" and served:  # `serve` says there why a function gave no reply
        said = msgspec.json.decode(line)
        why = str(said.get("message", ""))
        if said.get("status") is None and why.startswith(_UNGIVEN):
            field = _FIELD.match(why)
            return Garbage(why, rule=(_rule(Wrong(field[1], why)) if field else None) or FUNCTION)
    rule = _rule(wrong) if wrong else None if is_json(line) else RULES[""]
    return Garbage(f"not a reply: {instead_of_reply(line, str(error))}: {excerpt(line)}", rule=rule)


def _rule(wrong: Wrong) -> Rule | None:
    return NULL if wrong.says.endswith(LEFT_OUT) else RULES.get(wrong.field)
