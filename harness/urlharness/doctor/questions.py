"""The probe questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from urlharness.doctor.checks import CheckResult, ok
from urlharness.doctor.client import Fault, PerCase, Rule, Speaking
from urlharness.doctor.client import Question as client_Question
from urlharness.protocol.messages import Reply

# -------------------- doctor.questions: The questions of the doctor: of each operation the plainest that there is, and texts that try a library.


Question = dict[str, Any]


#: A URL that every RFC admits and every library should know.
PLAIN = "http://example.com:8042/over/there?name=ferret"


#: One with every component of RFC 2396 and RFC 3986, and what these are.
FULL = "http://user@example.com:8042/over/there?name=ferret#nose"


PARTS: Mapping[str, str] = {
    "scheme": "http",
    "authority": "user@example.com:8042",
    "userinfo": "user",
    "host": "example.com",
    "port": "8042",
    "path": "/over/there",
    "query": "name=ferret",
    "fragment": "nose",
}


#: The component that a name of another vocabulary means.
MEANT: Mapping[str, str] = {
    "protocol": "scheme",
    "netloc": "authority",
    "hostname": "host",
    "pathname": "path",
    "search": "query",
    "query_string": "query",
    "hash": "fragment",
    "user": "userinfo",
    "username": "userinfo",
    "auth": "userinfo",
}


#: Texts that some rule of every RFC forbids, and that most parsers refuse at least one of.
INVALID = ('http://exa mple.com/<>"{}|\\^`', "http://[::1", "http://h:port/", "://%zz")


#: Texts on which libraries raise what they do not raise elsewhere.
TRYING = ("", ":", "//", "http://[::1", "http://h:99999999999999999999/", "http://h/%zz", "%", "[" * 50)


#: A base with an empty reference, and one that is relative itself; only RFC 1808 knows an empty base.
ODD_PAIRS = (("http://a/b/c/d;p?q", ""), ("a/b", "g"))


#: The RFCs that have the components above.
GENERIC = ("rfc3986", "rfc2396", "rfc2732")


_WHOLE = {"rfc1738": "url", "rfc1808": "URL"}


#: Operations by how much their answers tell of a text.
_TELLING = ("parse", "validate", "normalize", "resolve", "equivalent", "extract", "decode")


def spec_for(op: str, claimed: Collection[str]) -> str:
    """The RFC to ask under: the newest that is claimed; one that knows the operation."""
    if op == "decode":
        return "rfc1738"
    return next((spec for spec in (*GENERIC, "rfc1808", "rfc1738") if spec in claimed), "rfc3986")


def asked(op: str, claimed: Collection[str], text: str = PLAIN) -> Question:
    """A question of an operation about a text."""
    spec = spec_for(op, claimed)
    fields: Question
    match op:
        case "validate":
            fields = {"rule": _WHOLE.get(spec, "URI-reference"), "url": text}
        case "resolve":
            fields = {"base": "http://a/b/c/d;p?q", "reference": text}
        case "recompose":
            name = "net_loc" if spec == "rfc1808" else "authority"
            fields = {"components": {"scheme": "http", name: "h", "path": "/p", "query": None}}
            if spec == "rfc1738":
                fields = {"components": {"scheme": "http", "host": "h", "port": None, "hpath": "p"}}
        case "extract":
            fields = {"text": f"see <{text}> for more"}
        case "equivalent":
            fields = {"url": text, "other": PLAIN}
        case "base":
            fields = {"retrieval": text}
        case _:
            fields = {"url": text}
    return {"op": op, "spec": spec, **fields}


def several(ops: Sequence[str], claimed: Collection[str], count: int) -> list[Question]:
    """So many questions about a text each, no two of them alike, of each offered operation its share.

    Some texts are invalid, in no regular order, so that verdicts that have changed places are others.
    """
    offered = [op for op in _TELLING if op in ops]
    texts = (f"http://h{at}/" + ("" if at * at % 11 < 5 else "<>") for at in range(count))
    return [
        asked(offered[at * len(offered) // count], claimed, text) for at, text in enumerate(texts) if offered
    ]


def text_of(question: Mapping[str, Any]) -> str:
    """The text that a question is about."""
    return str(next((question[name] for name in ("url", "reference", "text") if name in question), ""))


def telling(ops: Sequence[str]) -> str | None:
    """The offered operation whose answers tell most of a text."""
    return next((op for op in _TELLING if op in ops), None)


# -------------------- doctor.replies: What the checks of answers share: the question to ask, and two replies beside each other.


Subject = Speaking | PerCase


#: Why a check is skipped that asks about a text.
NOTHING_TO_ASK = "it offers no operation that takes a text"


#: What the engine promises where answers are those of their questions.
ALONE = Rule("answers depend on nothing but the question", "What the engine promises")


def answered(reply: Reply) -> CheckResult:
    """Any answer is good; it is said which."""
    return ok(f"answered with {reply.status}")


def telling_question(subject: Subject, text: str = PLAIN) -> client_Question:
    """A question about a text, of the offered operation whose answers tell most."""
    op = telling(subject.hello.ops) or "parse"
    return asked(op, subject.hello.specs, text)


def plain_question(subject: Subject) -> client_Question | None:
    """The plainest question of the operation that tells most; None where none takes a text."""
    op = telling(subject.hello.ops)
    return None if op is None else asked(op, subject.hello.specs)


def goes_on(subject: Subject, what: str) -> None:
    """Ask the plainest question after something odd; raises Fault where no answer comes.

    A program that is run for each question has ended anyway.
    """
    if isinstance(subject, PerCase):
        return
    try:
        subject.ask(telling_question(subject))
    except Fault as fault:
        raise Fault(
            f"{what}, and the next question is not: {fault}", silent=fault.silent, rule=fault.rule
        ) from None


def same(one: Reply, other: Reply) -> bool:
    """True where two replies say the same, whatever their ids and messages."""
    return _essence(one) == _essence(other)


def _essence(reply: Reply) -> Reply:
    return msgspec.structs.replace(reply, id=0, message="")


def shown(reply: Reply) -> str:
    """A reply as JSON, cut after a line."""
    fields = msgspec.to_builtins(reply)
    fields.pop("id")
    text = msgspec.json.encode(fields).decode()
    return text if len(text) <= 100 else f"{text[:100]}..."
