"""The probes of the doctor: a plain question for each operation, and difficult texts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from urlharness.corpus.model import OPERATIONS, USUAL_MODES, WITH_MODE, offers
from urlharness.corpus.specifications import DEFAULT_SPEC, SPECS, is_asked, reported_specs
from urlharness.doctor.model import Probe
from urlharness.protocol.messages import Hello, Reply

#: A URL that every RFC allows and every library should accept.
PLAIN = "http://example.com:8042/over/there?name=ferret"
#: A URL with every component of RFC 3986.
FULL = "http://user@example.com:8042/over/there?name=ferret#nose"
#: Texts that are invalid under every RFC. Most parsers refuse at least one of them.
INVALID = ('http://exa mple.com/<>"{}|\\^`', "http://[::1", "http://h:port/", "://%zz")
#: Texts for which some libraries raise unusual exceptions.
ODD = ("", ":", "//", "http://[::1", "http://h:99999999999999999999/", "http://h/%zz", "%", "[" * 50)
#: The base of the examples of RFC 1808, section 5, RFC 2396, appendix C, and RFC 3986, section 5.4.
BASE = "http://a/b/c/d;p?q"
OTHER_BASE = "http://x/y/z"
#: Unusual pairs (base, reference): one with an empty reference, and one with a relative base.
ODD_PAIRS = ((BASE, ""), ("a/b", "g"))
#: Examples of resolution: (base, reference, result).
RESOLUTIONS = (
    (BASE, "g", "http://a/b/c/g"),
    (OTHER_BASE, "g", "http://x/y/g"),
    (BASE, OTHER_BASE, OTHER_BASE),
)
_MAX_REPLY_LENGTH = 100  # the maximum number of characters that are printed of a reply
#: The field of an `ok` reply that contains the answer, by operation. `validate` needs no such field.
ANSWER_FIELDS = {
    "parse": "components",
    "resolve": "url",
    "recompose": "url",
    "normalize": "url",
    "extract": "urls",
    "equivalent": "equal",
    "decode": "decoded",
    "base": "base",
    "to_uri": "url",
    "to_iri": "url",
}
#: The field of a question that contains its text, by operation. `recompose` has no text; all others: `url`.
_TEXT_FIELDS = {"resolve": "reference", "extract": "text", "base": "retrieval", "recompose": None}
#: The operations that only one RFC defines.
_OF_ONE_RFC = ("decode", "to_uri", "to_iri")
#: The operations whose answers contain the text of the question.
ECHOING = ("parse", "normalize", "resolve")
#: The operations on a text. The more an answer says about the text, the earlier is the operation.
_BY_DETAIL = ("parse", "validate", "normalize", "resolve", "equivalent", "extract", "decode")


def spec_for(op: str, claimed: Collection[str]) -> str:
    """Return the RFC under which to ask a question: a claimed RFC, except for operations of one RFC only.

    The first one in the order of reports is preferred. If no known RFC is claimed, return the default RFC.
    """
    candidates = reported_specs()
    if op in _OF_ONE_RFC:
        return next(spec for spec in candidates if SPECS[spec].defines(op))
    return next((spec for spec in candidates if spec in claimed), DEFAULT_SPEC)


def probe(op: str, claimed: Collection[str], text: str = PLAIN) -> dict[str, Any]:
    """Return a question about a text, with the usual other inputs. `claimed` are the RFCs of the adapter."""
    spec = spec_for(op, claimed)
    facts = SPECS[spec]
    generic = {"scheme": "http", facts.component_for("authority"): "h", "path": "/p", "query": None}
    http = {"scheme": "http", "host": "h", "port": None, "hpath": "p"}
    fields: dict[str, dict[str, Any]] = {
        "validate": {"rule": facts.default_rule, "url": text},
        "resolve": {"base": BASE, "reference": text},
        "recompose": {"components": http if facts.by_scheme else generic},
        "extract": {"text": f"see <{text}> for more"},
        "equivalent": {"url": text, "other": PLAIN},
        "base": {"retrieval": text},
    }
    return {"op": op, "spec": spec, **fields.get(op, {"url": text})}


def offered_probe(op: str, hello: Hello, text: str = PLAIN) -> dict[str, Any]:
    """Return a question about a text, under an RFC and in a mode that the adapter offers.

    The mode `syntax`, the default, is preferred to `scheme`.
    """
    question = probe(op, hello.specs, text)
    if op in WITH_MODE and not offers(hello, op):
        question["mode"] = "scheme"
    return question


def probes_of_operations(hello: Hello) -> list[dict[str, Any]]:
    """Return a plain question for each offered operation, of an RFC that the adapter is asked about."""
    probes = [offered_probe(op, hello) for op in OPERATIONS if op in hello.ops]
    return [question for question in probes if is_asked(question["spec"], hello.specs)]


def probes_of_specification(hello: Hello, spec: str) -> list[dict[str, Any]]:
    """Return a plain question for each offered operation that an RFC defines."""
    claims_only_it = replace(hello, specs=[spec])
    ops = [op for op in OPERATIONS if op in hello.ops and SPECS[spec].defines(op)]
    probes = [offered_probe(op, claims_only_it) for op in ops]
    return [question for question in probes if question["spec"] == spec]


def plain_probe(hello: Hello, text: str = PLAIN) -> dict[str, Any]:
    """Return a question about a text. Of the offered operations, use the one whose answer says most."""
    op = next((op for op in (*_BY_DETAIL, *hello.ops) if op in hello.ops), "parse")
    return offered_probe(op, hello, text)


def echoing_probes(hello: Hello, text: str) -> list[dict[str, Any]]:
    """Return a question about a text for each offered operation whose answers contain the text."""
    return [offered_probe(op, hello, text) for op in ECHOING if op in hello.ops]


def distinct_probes(hello: Hello, count: int) -> list[dict[str, Any]]:
    """Return up to `count` questions, which share the offered operations and ask about different texts.

    About half of the texts are invalid.
    """
    ops = [op for op in _BY_DETAIL if op in hello.ops]
    if not ops:
        return []
    probes = []
    for number in range(count):
        op = ops[number * len(ops) // count]
        # valid and invalid texts in no simple order, so that shifted replies are noticed
        is_valid = (number * number) % 11 < 5
        ending = "" if is_valid else "<>"
        probes.append(offered_probe(op, hello, f"http://h{number}/{ending}"))
    return probes


def probe_families(hello: Hello) -> dict[str, list[dict[str, Any]]]:
    """Return questions by field: they differ only in this field and have different answers.

    Fields of operations that the adapter does not offer are left out.
    """
    families: dict[str, list[dict[str, Any]]] = {}

    def add(field: str, op: str, text: str, contents: Sequence[str]) -> None:
        if op in hello.ops:
            question = offered_probe(op, hello, text)
            families[field] = [{**question, field: content} for content in contents]

    facts = SPECS[spec_for("validate", hello.specs)]
    if facts.narrower_rule is not None:
        narrower_rule, text_of_default_rule = facts.narrower_rule
        add("rule", "validate", text_of_default_rule, (facts.default_rule, narrower_rule))
    add("reference", "resolve", "g", ("g", "../g"))
    add("base", "resolve", "./g", (BASE, OTHER_BASE))
    if set(USUAL_MODES) <= set(hello.modes):
        add("mode", "normalize", "HTTP://h:80/%7e", USUAL_MODES)
    add("other", "equivalent", PLAIN, (PLAIN, OTHER_BASE))
    add("url", "parse", PLAIN, (PLAIN, FULL))
    op_for_spec = "parse" if "parse" in hello.ops else "validate"
    add("spec", op_for_spec, "http://[::1]/~a;b", [spec for spec in SPECS if is_asked(spec, hello.specs)])
    ops = [op for op in ("validate", "parse", "normalize") if op in hello.ops]
    if len(ops) > 1:
        families["op"] = [offered_probe(op, hello, "http://h/a/../b") for op in ops]
    return families


def text_of(probe: Probe) -> str:
    """Return the text that a probe asks about, or an empty string if its operation has no text."""
    field = _TEXT_FIELDS.get(probe["op"], "url")
    return "" if field is None else str(probe[field])


def same_answer(first: Reply, second: Reply) -> bool:
    """Return True if two replies are equal, except for their ids and messages."""
    return replace(first, id=0, message="") == replace(second, id=0, message="")


def reply_json(reply: Reply) -> str:
    """Return a reply as JSON without its id, cut if it is long."""
    fields = msgspec.to_builtins(reply)
    del fields["id"]
    text = msgspec.json.encode(fields).decode()
    return text if len(text) <= _MAX_REPLY_LENGTH else f"{text[:_MAX_REPLY_LENGTH]}..."
