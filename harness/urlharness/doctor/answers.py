"""Components, absent/empty, shapes, unknown fields, determinism."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

import msgspec

from urlharness.corpus.model import SPECS
from urlharness.doctor.checks import Check, CheckResult, broken, ok, skipped, warning
from urlharness.doctor.client import Fault, PerCase, Question, Rule, Speaking
from urlharness.doctor.questions import (
    ALONE,
    FULL,
    GENERIC,
    INVALID,
    MEANT,
    ODD_PAIRS,
    PARTS,
    PLAIN,
    TRYING,
    Subject,
    answered,
    asked,
    goes_on,
    same,
    shown,
    spec_for,
    telling_question,
    text_of,
)
from urlharness.protocol.messages import Components, ComponentValue, Reply
from urlharness.text import clipped

# -------------------- doctor.parts: Checks of components: their names and bounds, what is escaped in them, what is absent or empty.


_EVERY_NAME = {*PARTS, "net_loc", "params", "user", "password"}


#: A host that has brackets, and the RFCs that have such hosts.
_LITERAL = "[2001:db8::1]"


_WITH_LITERALS = ("rfc3986", "rfc2732")


#: Components with an escaped sign, which is another text when it is decoded.
_ESCAPED = {"userinfo": "u%2Fi", "path": "/a%2Fb", "query": "c%20d", "fragment": "e%2Ff"}


_ESCAPES = "http://u%2Fi@h/a%2Fb?c%20d#e%2Ff"


_AFTER_HOST = ("userinfo", "user", "password", "port", "query", "fragment")


#: Texts, and the components that none of them has, or has with nothing in it.
_WITHOUT = {
    "http://h/p": _AFTER_HOST,
    "http://h:/p?#": _AFTER_HOST,
    "p": ("scheme", "authority", "net_loc", "host", *_AFTER_HOST),
    "http://h": (*_AFTER_HOST, "path"),
}


#: What a language writes for nothing when it is made a text, or its library for “there is none”.
_NOTHING = ("none", "null", "undefined", "nil", "nan", "-1")


_SHOWN = 60  # characters of a value, or of a name


_TOLD = 5  # of many faults of one kind


def components(subject: Subject) -> CheckResult:
    """Components have the names of the RFC, no delimiters, and the text that was there."""
    found = _parts(subject, FULL)
    if isinstance(found, CheckResult):
        return found
    faults = [said for said in (_misnamed(found), _with_delimiters(found)) if said]
    differing = _differing(found)
    if faults:
        return broken("; ".join((*faults, differing) if differing else faults))
    if differing:
        return warning(differing)
    if not found:
        return warning(f"parse of {FULL} is ok without any component: no case of parse can be judged")
    missing = [name for name in PARTS if name not in found]
    said = f"without {', '.join(missing)}: such cases count as partial" if missing else "all of RFC 3986"
    return _unbracketed(subject) or _decoded(subject) or ok(said)


def _misnamed(found: Components) -> str:
    """The names that no component has, all of them, so that nobody mends one to hear of the next."""
    names = [name for name in found if name not in _EVERY_NAME]
    hints = {name: f"; the RFC's name is {MEANT[name]}" for name in names if name in MEANT}
    return _several([f"no component is named {_short(name)}{hints.get(name, '')}" for name in names], "; ")


def _with_delimiters(found: Components) -> str:
    """The components that are right but for delimiters at their ends."""
    said = [
        f"{name} of {FULL} is {_short(value)}" for name, value in found.items() if _delimited(name, value)
    ]
    if not said:
        return ""
    rule = "its delimiter is not part of it" if len(said) == 1 else "delimiters are no part of components"
    return f"{_several([said[0], *(one.replace(f' of {FULL}', '') for one in said[1:])])}: {rule}"


def _differing(found: Components) -> str:
    """The components that are others, which may be the way of the library."""
    said = [
        f"{name} {_short(found[name])}"
        for name, right in PARTS.items()
        if name in found and found[name] != right and not _delimited(name, found[name])
    ]
    return f"of {FULL} it has {_several(said)}: is it the library, or the adapter?" if said else ""


def _delimited(name: str, value: ComponentValue) -> bool:
    right = PARTS.get(name)
    return isinstance(value, str) and value != right and value.strip(":/?#@") == right


def _short(value: ComponentValue) -> str:
    return clipped(repr(value), _SHOWN)


def _several(faults: Sequence[str], between: str = ", ") -> str:
    """All of them; of many the first, and how many more there are."""
    more = f"{between}and {len(faults) - _TOLD} more" if len(faults) > _TOLD else ""
    return f"{between.join(faults[:_TOLD])}{more}"


def _unbracketed(subject: Subject) -> CheckResult | None:
    """A host whose brackets are taken away, which are part of it (RFC 3986, section 3.2.2)."""
    text = f"http://{_LITERAL}/"
    if spec_for("parse", subject.hello.specs) not in _WITH_LITERALS:
        return None
    host = (_optional(subject, text) or {}).get("host")
    if host != _LITERAL.strip("[]"):
        return None
    return warning(
        f"host of {text} is {host!r}, and by RFC 3986, section 3.2.2, {_LITERAL!r}: "
        "it may be the library's way, the adapter can put the brackets back"
    )


def _decoded(subject: Subject) -> CheckResult | None:
    """Components in which what was escaped is not any more."""
    found = _optional(subject, _ESCAPES) or {}
    wrong = [name for name, sent in _ESCAPED.items() if found.get(name) == unquote(sent)]
    if not wrong:
        return None
    shown = ", ".join(f"{name} {found[name]!r} where {_ESCAPED[name]!r} was sent" for name in wrong)
    return warning(
        f"of {_ESCAPES} it has {shown}: percent-encodings are decoded; "
        "it may be the library's way, or it has another function that leaves them"
    )


def absent_or_empty(subject: Subject) -> CheckResult:
    """What is absent is null, what is empty is empty, if it says that it tells them apart."""
    absent, empty = _parts(subject, "http://h/p"), _parts(subject, "http://h/p?#")
    if isinstance(absent, CheckResult):
        return absent
    if isinstance(empty, CheckResult):
        return empty
    filled = _filled(subject)
    if filled and filled.state == "broken":
        return filled
    tells = "absent-vs-empty" in subject.hello.features
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    if tells and (there := [name for name in names if absent[name] is not None]):
        what = _several([f"{name} of http://h/p is {_short(absent[name])}" for name in there])
        return broken(f"it says absent-vs-empty, but {what}, not null")
    if filled:
        return filled
    if tells and (lost := [name for name in names if empty[name] is None]):
        what = _several([f"{name} of http://h/p?# is null" for name in lost])
        return warning(f"it says absent-vs-empty, but {what}, not empty")
    if not tells and names and all(absent[name] is None and empty[name] == "" for name in names):
        return warning("it seems to tell absent from empty: say so, or cases with an empty part stay partial")
    return ok("told apart" if tells else "not told apart, and not claimed")


def _filled(subject: Subject) -> CheckResult | None:
    """Something in place of nothing: a word for it, which is the adapter's, or what a library makes of it."""
    found = [
        _Filled(text, name, value)
        for text, names in _WITHOUT.items()
        for name, value in (_optional(subject, text) or {}).items()
        if name in names and value and isinstance(value, str)
    ]
    words = _once(one for one in found if one.value.casefold() in _NOTHING)
    if words:
        what = _several([f"{one.name} of {one.text} is the text {one.value!r}" for one in words])
        return broken(f"{what}: what is absent is null, what is empty is ''")
    # there is always a path, and a library may write `/` for it
    others = _once(one for one in found if one.name != "path")
    if others:
        what = _several([f"{one.name} of {one.text} is {_short(one.value)}" for one in others])
        return warning(
            f"{what}, where there is none: it may be the library, such as a default for it, or the adapter"
        )
    return None


class _Filled(NamedTuple):
    """A text, and a component that it has not, with what stands there."""

    text: str
    name: str
    value: str


def _once(found: Iterable[_Filled]) -> list[_Filled]:
    """Of each component the first."""
    first: dict[str, _Filled] = {}
    for one in found:
        first.setdefault(one.name, one)
    return [*first.values()]


def _optional(subject: Subject, text: str) -> Components | None:
    """The components of a text that a library need not take."""
    (reply,) = subject.ask(asked("parse", subject.hello.specs, text))
    return None if reply.components is msgspec.UNSET else reply.components


def _parts(subject: Subject, text: str) -> Components | CheckResult:
    spec = spec_for("parse", subject.hello.specs)
    if "parse" not in subject.hello.ops or spec not in GENERIC:
        return skipped("it does not parse by RFC 2396 or RFC 3986")
    (reply,) = subject.ask(asked("parse", subject.hello.specs, text))
    if reply.status == "unsupported":
        return skipped(f"it does not parse {text}")
    if reply.components is msgspec.UNSET:
        return broken(f"parse of {text} is {shown(reply)}")
    return reply.components


_COMPONENT = "a component is null when absent, empty when present but empty, and left out when not exposed"


CHECKS = (
    Check("components", _COMPONENT, components),
    Check(
        "absent or empty",
        "a component is null when absent, empty when present but empty; "
        "without the feature absent-vs-empty, null and empty compare equal",
        absent_or_empty,
    ),
)


# -------------------- doctor.shapes: Checks of what an answer holds: the field of its operation, and a refusal where a text is invalid.


#: The field of an ok answer, by operation.
SHAPES = {
    "parse": "components",
    "resolve": "url",
    "recompose": "url",
    "normalize": "url",
    "extract": "urls",
    "equivalent": "equal",
    "decode": "decoded",
    "base": "base",
}


_ERROR = Rule("an `error` is an exception that the adapter caught, and that is no rejection", "Outcomes")


_JUDGES = ("validate", "parse", "resolve", "normalize", "equivalent")


def operations(subject: Subject) -> CheckResult:
    """Each operation that it offers is answered, in its shape, for the plainest question."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    refused = []
    for op in offered:
        (reply,) = subject.ask(asked(op, subject.hello.specs))
        if reply.status == "unsupported":
            refused.append(op)
        elif reply.status == "error":
            return _error(subject, op, reply, offered)
        elif reply.status == "reject" and op in _JUDGES:
            return broken(f"{op} rejects {PLAIN}{_message(reply)}")
        elif without := lacking(op, reply):
            return broken(f"{op} {without}")
    answered = [op for op in offered if op not in refused]
    if isinstance(subject, PerCase) and answered:  # it promised nothing
        subject.hello = msgspec.structs.replace(subject.hello, ops=answered)
        return ok(" ".join(answered))
    if refused and not answered:
        return warning("it answers every operation with unsupported: in a run there is nothing to judge")
    if refused:
        return warning(f"it offers {', '.join(refused)}, and answers the plainest question with unsupported")
    return ok(" ".join(answered))


def lacking(op: str, reply: Reply) -> str:
    """What is wrong with an ok that lacks the field of its operation; empty where nothing is."""
    there = reply.status != "ok" or op not in SHAPES or getattr(reply, SHAPES[op]) is not msgspec.UNSET
    return "" if there else f"answers ok without {SHAPES[op]!r}"


def _error(subject: Subject, op: str, reply: Reply, offered: Sequence[str]) -> CheckResult:
    """An operation that is an error for the plainest question; raises Fault where all of them are."""
    said = f"{op} of {PLAIN} is an error{_message(reply)}"
    steps = subject.steps if isinstance(subject, Speaking) else []
    before = list(steps)
    others = [other for other in offered if other != op]
    answers = [subject.ask(asked(other, subject.hello.specs))[0] for other in others]
    if isinstance(subject, Speaking):
        steps[:] = before  # one question shows it
    if all(answer.status == "error" for answer in answers):
        raise Fault(f"{said}; so is every other question" if others else said, rule=_ERROR)
    return broken(said, _ERROR)


def _message(reply: Reply) -> str:
    """What it says beside its status."""
    return f": {reply.message}" if reply.message else ", and says no more"


def refusals(subject: Subject) -> CheckResult:
    """A library that refuses nothing offers no validate."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    replies = subject.ask(*(asked("validate", subject.hello.specs, text) for text in INVALID))
    said = Counter(reply.status for reply in replies)
    if said["ok"] == len(INVALID):
        return warning(f"it accepts {' '.join(INVALID)}: a library that refuses nothing offers no validate")
    if not said["reject"]:
        counts = ", ".join(f"{count} {status}" for status, count in said.items())
        return warning(f"it refuses none of {len(INVALID)} invalid texts: {counts}; a refusal is reject")
    return ok(f"it refuses {said['reject']} of {len(INVALID)} invalid texts")


OPERATIONS = Check(
    "operations", "an operation of `ops` is asked, and an ok has the field of its operation", operations
)


SHAPES_CHECKS = (
    OPERATIONS,
    *CHECKS,
    Check("refusals", "a library whose parser can refuse answers validate", refusals),
)


# -------------------- doctor.dependence: Checks of what an answer depends on: every input of its question, and nothing but its question.


#: The base of the examples of RFC 1808, section 5, RFC 2396, appendix C, and RFC 3986, section 5.4.
_BASE = "http://a/b/c/d;p?q"


_OTHER_BASE = "http://x/y/z"


#: Two rules of an RFC by which a text is not judged alike.
_RULES = {"rfc1738": ("url", "ftpurl", "http://h/"), "rfc1808": ("URL", "absoluteURL", "a/b")}


_GENERIC_RULES = ("URI-reference", "URI", "a/b")


def both_inputs(subject: Subject) -> CheckResult:
    """Of two inputs each has its place: the base and the reference, a URL and the other."""
    offered = [op for op in ("resolve", "equivalent") if op in subject.hello.ops]
    if not offered:
        return skipped("it offers neither resolve nor equivalent")
    found = _resolution(subject) if "resolve" in offered else None
    if found is None and "equivalent" in offered:
        found = _equivalence(subject)
    return found or ok(" ".join(offered))


def _resolution(subject: Subject) -> CheckResult | None:
    spec = spec_for("resolve", subject.hello.specs)
    pairs = ((_BASE, "g"), (_OTHER_BASE, "g"), (_BASE, _OTHER_BASE))
    near, elsewhere, absolute = subject.ask(
        *({"op": "resolve", "spec": spec, "base": base, "reference": text} for base, text in pairs)
    )
    if near.status == "unsupported":
        return skipped("it does not resolve 'g'")
    if absolute.url == _BASE:
        return warning(
            f"the reference {_OTHER_BASE} against the base {_BASE} is the base: "
            "the adapter may mix up base and reference, or leave out the reference"
        )
    if near.url == elsewhere.url != msgspec.UNSET:
        return warning(
            f"'g' is {near.url!r} against {_BASE} and against {_OTHER_BASE}: "
            "the adapter may leave out the base"
        )
    if near.url != "http://a/b/c/g":
        return warning(f"'g' against {_BASE} is {shown(near)}: is it the library, or the adapter?")
    return None


def _equivalence(subject: Subject) -> CheckResult | None:
    alike, different = subject.ask(
        *({**asked("equivalent", subject.hello.specs), "other": other} for other in (PLAIN, _OTHER_BASE))
    )
    if alike.status == different.status == "ok" and alike.equal == different.equal:
        equal = "equivalent" if alike.equal else "not equivalent"
        return warning(
            f"{PLAIN} is {equal} to itself and to {_OTHER_BASE}: the adapter may leave out one of the two"
        )
    return None


def same_twice(subject: Subject) -> CheckResult:
    """The same question has the same answer, in this process and in the next."""
    offered = [op for op in subject.hello.ops if op == "validate" or op in SHAPES]
    questions = [asked(op, subject.hello.specs) for op in offered]
    questions += [dict(telling_question(subject, text)) for text in TRYING]
    first = subject.ask(*questions, *questions)
    subject.end()
    again = subject.ask(*questions)
    half = len(questions)
    for question, one, two, three in zip(questions, first, first[half:], again, strict=False):
        for other, when in ((two, "again"), (three, "by a fresh process")):
            if not same(one, other):
                return broken(f"{question['op']} asked {when} is {shown(other)}, and was {shown(one)}")
    return ok(f"{half} questions, three times each")


def any_order(subject: Speaking) -> CheckResult:
    """Questions that differ in one field are answered alike in either order."""
    families = _families(subject)
    questions = [question for family in families.values() for question in family]
    if not questions:
        return skipped("it offers no operation with two questions that differ in one field")
    forward = subject.ask(*questions)
    backward = _backward(subject, questions)
    at = 0
    for field, family in families.items():
        here = slice(at, at + len(family))
        at += len(family)
        for question, one, other in zip(family, forward[here], backward[here], strict=True):
            if not same(one, other):
                _shorten(subject, family, forward[here])
                return broken(
                    f"after other questions {question['op']} is {shown(other)}, and was {shown(one)}: "
                    f"does it keep answers without looking at `{field}`?"
                )
    return ok(f"{len(questions)} questions, forth and back")


def _backward(subject: Speaking, questions: list[Question]) -> list[Reply]:
    """The answers of a fresh process that is asked the last question first."""
    subject.end()
    return subject.ask(*reversed(questions))[::-1]


def _shorten(subject: Speaking, family: list[Question], before: list[Reply]) -> None:
    """Where a few questions show it, let those be what is repeated."""
    steps = subject.steps
    if all(map(same, before, _backward(subject, family))):
        subject.steps = steps


def _families(subject: Speaking) -> dict[str, list[Question]]:
    """By the field in which they differ, questions that the library should answer differently."""
    ops, specs = subject.hello.ops, subject.hello.specs
    families: dict[str, list[Question]] = {}

    def add(field: str, question: dict[str, Any], *values: str) -> None:
        families[field] = [{**question, field: value} for value in values]

    if "validate" in ops:
        *rules, text = _RULES.get(spec_for("validate", specs), _GENERIC_RULES)
        add("rule", asked("validate", specs, text), *rules)
    if "resolve" in ops:
        question = asked("resolve", specs, "g")
        add("reference", question, "g", "../g")
        add("base", {**question, "reference": "./g"}, _BASE, _OTHER_BASE)
    if "normalize" in ops:
        add("mode", asked("normalize", specs, "HTTP://h:80/%7e"), "syntax", "scheme")
    if "equivalent" in ops:
        add("other", asked("equivalent", specs), PLAIN, _OTHER_BASE)
    if "parse" in ops:
        add("url", asked("parse", specs), PLAIN, FULL)
    for op in ("parse", "validate"):
        if op in ops:
            add("spec", {"op": op, "url": "http://[::1]/~a;b"}, *SPECS)
            break
    named = [op for op in ("validate", "parse", "normalize") if op in ops]
    if len(named) > 1:
        families["op"] = [asked(op, specs, "http://h/a/../b") for op in named]
    return families


BOTH_INPUTS = Check(
    "both inputs", "resolve takes `base` and `reference`, equivalent `url` and `other`", both_inputs
)


TWICE = (
    Check("same twice", ALONE.says, same_twice, section=ALONE.section, repeats=True),
    Check("any order", ALONE.says, any_order, wire=True, section=ALONE.section, repeats=True),
)


# -------------------- doctor.oddities: Checks of what is unknown or odd: whatever is asked, an answer comes.


_ANSWERS = Rule("answers: parse `components`; resolve, recompose and normalize `url`")


def unknown_rule(subject: Subject) -> CheckResult:
    """A rule that it has no notion of is unsupported."""
    if "validate" not in subject.hello.ops:
        return skipped("it does not offer validate")
    (reply,) = subject.ask({**asked("validate", subject.hello.specs), "rule": "no-such-rule"})
    goes_on(subject, f"validate by a rule that does not exist is answered with {reply.status}")
    if reply.status == "unsupported":
        return answered(reply)
    return warning(f"validate by a rule that does not exist is {reply.status}: does it read `rule`?")


def unknown_operation(subject: Subject) -> CheckResult:
    """An operation that it does not know is unsupported."""
    (reply,) = subject.ask({"op": "no-such-op", "spec": spec_for("parse", subject.hello.specs), "url": PLAIN})
    goes_on(subject, f"an operation that does not exist is answered with {reply.status}")
    if reply.status == "unsupported":
        return answered(reply)
    if reply.status == "ok":
        return broken("it answers ok to an operation that does not exist: it does not read `op`")
    return warning(f"an operation that does not exist is answered with {reply.status}, not unsupported")


def unknown_fields(subject: Subject) -> CheckResult:
    """Fields that it does not know change nothing."""
    question = telling_question(subject)
    more = {"url": "http://wrong/", "id": -1, "type": "bye", "list": [{}, [None, 1e9, True]]}
    known, other = subject.ask(question, {**question, "unknown": more, "x": '}{"\\', "y": 1.5, "z": None})
    if same(known, other):
        return ok("they change nothing")
    return broken(f"with fields that it does not know the answer is another: {shown(other)}")


def trying_texts(subject: Subject) -> CheckResult:
    """An exception of the library is an answer, and ends nothing."""
    errors = []
    before, *_ = subject.ask(telling_question(subject))
    questions = [telling_question(subject, text) for text in TRYING]
    if "resolve" in subject.hello.ops:
        spec = spec_for("resolve", subject.hello.specs)
        questions += (
            {"op": "resolve", "spec": spec, "base": base, "reference": text} for base, text in ODD_PAIRS
        )
    for question in questions:
        (reply,) = subject.ask(question)
        if without := lacking(question["op"], reply):
            return broken(f"{question['op']} of {_sent(question)} {without}: a refusal is reject", _ANSWERS)
        if reply.status == "error":
            errors.append(_sent(question))
    (after,) = subject.ask(telling_question(subject))
    if not same(before, after):
        return broken(f"after odd texts the answer to {PLAIN} is another: {shown(after)}")
    if errors:
        return warning(
            f"{len(errors)} of {len(questions)} odd texts are errors, such as {errors[0]}: "
            "a rejection is answered with reject"
        )
    return ok(f"{len(questions)} odd texts are answered")


def _sent(question: Question) -> str:
    """What was asked: a text, or a reference and its base."""
    against = f" against {question['base']!r}" if "base" in question else ""
    return f"{text_of(question)!r}{against}"


def missing_input(subject: Subject) -> CheckResult:
    """A question that lacks its input is answered, too."""
    question = telling_question(subject)
    try:
        (reply,) = subject.ask({"op": question["op"], "spec": question["spec"]})
        goes_on(subject, "it is answered")
    except Fault as fault:
        return warning(
            f"a question without its input is not survived: {fault}; catch errors for each question"
        )
    return answered(reply)


def stderr_noise(subject: Subject) -> CheckResult:
    """What it writes on stderr is free."""
    count = subject.stderr_octets
    if count > 1 << 16:
        return warning(f"{count:,} octets on stderr, of which the last 64 KiB are kept: {subject.stderr}")
    return ok(f"{count:,} octets, the last line: {subject.stderr}" if subject.stderr else "nothing")


UNKNOWN = (
    Check("unknown rule", "what a library does not offer is unsupported", unknown_rule),
    Check(
        "unknown operation", "an operation that `ops` does not name counts as unsupported", unknown_operation
    ),
    Check("unknown fields", "unknown fields are ignored", unknown_fields),
)


SURVIVED = (
    Check("odd texts", "an exception is a reply of status error", trying_texts),
    Check("missing input", "an exception is a reply of status error", missing_input),
)


STDERR = Check("stderr", "stderr is free, its end is shown with abnormal outcomes", stderr_noise)
