"""Judgements of answers: components, verdicts, texts, and what an answer may depend on."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from urllib.parse import unquote

import msgspec

from urlharness.corpus.model import Hex
from urlharness.doctor.client import Client, ExecClient, Fault, ProtocolClient
from urlharness.doctor.model import (
    COMPONENTS,
    ERROR,
    EXIT_CODES,
    INDEPENDENT,
    Diagnosis,
    Exchange,
    Probe,
    broken,
    ok,
    skipped,
    warning,
)
from urlharness.doctor.questions import (
    ANSWER_FIELDS,
    BASE,
    ECHOING,
    FULL,
    GENERIC,
    INVALID,
    ODD,
    ODD_PAIRS,
    OTHER_BASE,
    PLAIN,
    echoing_probes,
    offered,
    plain_probe,
    probe,
    probe_families,
    same_answer,
    shown,
    spec_for,
    text_of,
)
from urlharness.engine.process import STDERR_KEPT, error_line
from urlharness.protocol.messages import LINE_LIMIT, Components, Hello, Reply
from urlharness.text import clipped, excerpt

#: The components of FULL.
_PARTS = {
    "scheme": "http",
    "authority": "user@example.com:8042",
    "userinfo": "user",
    "host": "example.com",
    "port": "8042",
    "path": "/over/there",
    "query": "name=ferret",
    "fragment": "nose",
}
_COMPONENT_NAMES = (*_PARTS, "net_loc", "params", "user", "password")

#: A host with brackets, which are part of it (RFC 3986, section 3.2.2), and the RFCs that have such hosts.
_LITERAL = "[2001:db8::1]"
_WITH_LITERALS = ("rfc3986", "rfc2732")

#: Components with a percent-encoded delimiter: decoding changes their meaning.
_ENCODED = {"userinfo": "u%2Fi", "path": "/a%2Fb", "query": "c%20d", "fragment": "e%2Ff"}
_WITH_ENCODED = "http://u%2Fi@h/a%2Fb?c%20d#e%2Ff"

_ABSENT = "http://h/p"
_EMPTY = "http://h:/p?#"
_AFTER_HOST = ("userinfo", "user", "password", "port", "query", "fragment")

#: Texts, and components that are absent or empty in them.
_WITHOUT = {
    _ABSENT: _AFTER_HOST,
    _EMPTY: _AFTER_HOST,
    "p": ("scheme", "authority", "net_loc", "host", *_AFTER_HOST),
    "http://h": (*_AFTER_HOST, "path"),
}

#: How languages write an absent value when they convert it to a string.
_NULL_WORDS = ("none", "null", "undefined", "nil", "nan", "-1")

#: Operations that must not reject PLAIN.
_JUDGING = ("validate", "parse", "resolve", "normalize", "equivalent")

_VALUE_SHOWN = 60  # characters
_FAULTS_SHOWN = 5  # of one kind

_NON_ASCII = "http://example.com/caf\u00e9/\U0001f600"

#: What becomes of UTF-8 that is read as Latin-1, or lost.
_GARBLED = ("\u00c3\u00a9".casefold(), "\ufffd", "%c3%83", "%ef%bf%bd")

#: A letter of Latin-1 and a character beyond 16 bits, and the forms that a library may return.
_FORMS = {
    "\u00e9": ("\u00e9", "%c3%a9", "%e9"),
    "U+1F600": ("\U0001f600", "%f0%9f%98%80"),
}

#: A text that is not Unicode.
_RAW = {"hex": "687474703a2f2f682fff"}

_LONGEST = LINE_LIMIT - 4096  # letters of a text that fits into a line, with the rest of the message
_LONG = 70_000  # above 65,536, a usual size of buffers
_FEW = 8  # fewer letters come from other parts of the answer, if the long part is not exposed

Check = Callable[[Client], Diagnosis]
Probes = Callable[[Hello], Sequence[Probe]]
Judge = Callable[[Sequence[Exchange]], Diagnosis]


def asking(probes: Probes, judge: Judge, *, survive: bool = False) -> Check:
    """Return a check that asks some questions and judges the replies.

    With `survive` the adapter has to answer a plain question afterwards.
    """

    def check(client: Client) -> Diagnosis:
        questions = probes(client.hello)
        if not questions:
            return skipped("it does not offer the operation")
        exchanges = [Exchange(*pair) for pair in zip(questions, client.ask(*questions), strict=True)]
        last = plain_probe(client.hello)
        if survive and last is not None and isinstance(client, ProtocolClient):
            client.ask(last)
        return judge(exchanges)

    return check


def listed(faults: Sequence[str], separator: str = "; ") -> str:
    """Return the first faults, and how many more there are."""
    more = f"{separator}and {len(faults) - _FAULTS_SHOWN} more" if len(faults) > _FAULTS_SHOWN else ""
    return f"{separator.join(faults[:_FAULTS_SHOWN])}{more}"


def _quoted(value: object) -> str:
    return clipped(repr(value), _VALUE_SHOWN)


# Operations and verdicts


def check_operations(client: Client) -> Diagnosis:
    """Ask a plain question of each operation; its reply has the field of the operation."""
    ops = offered(client.hello)
    exchanges = [
        Exchange(plain, *client.ask(plain)) for op in ops if (plain := probe(op, client.hello.specs))
    ]
    refused = [each.probe["op"] for each in exchanges if each.reply.status == "unsupported"]
    errors = [each for each in exchanges if each.reply.status == "error"]
    if errors:
        op, message = errors[0].probe["op"], f": {errors[0].reply.message}" if errors[0].reply.message else ""
        said = f"{op} of {PLAIN} is an error{message}"
        if len(errors) == len(exchanges) > 1:
            raise Fault(f"{said}; so is every other operation", rule=ERROR)
        return broken(said, errors[0], rule=ERROR)
    for each in exchanges:
        op, reply = each.probe["op"], each.reply
        if reply.status == "reject" and op in _JUDGING:
            return broken(f"{op} rejects {PLAIN}: {reply.message or 'without a message'}", each)
        if _lacks_answer(each):
            return broken(f"{op} answers ok without `{ANSWER_FIELDS[op]}`", each)
    answered = [op for op in ops if op not in refused]
    if isinstance(client, ExecClient) and answered:  # it has no hello to offer operations
        client.hello = msgspec.structs.replace(client.hello, ops=answered)
        return ok(" ".join(answered))
    if refused and not answered:
        return warning(
            "every operation that it offers is unsupported: a run has nothing to judge", *exchanges[:1]
        )
    if refused:
        return warning(f"it offers {', '.join(refused)}, but answers unsupported to a plain question")
    return ok(" ".join(answered))


def _lacks_answer(each: Exchange) -> bool:
    op, reply = each.probe["op"], each.reply
    return reply.status == "ok" and op in ANSWER_FIELDS and getattr(reply, ANSWER_FIELDS[op]) is msgspec.UNSET


def invalid_texts(hello: Hello) -> list[Probe]:
    """Return invalid texts to validate."""
    return [probe("validate", hello.specs, text) for text in INVALID if "validate" in hello.ops]


def judge_refusals(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Some invalid text is rejected."""
    counts = Counter(each.reply.status for each in exchanges)
    if counts["reject"]:
        return ok(f"it rejects {counts['reject']} of {len(exchanges)} invalid texts")
    said = ", ".join(f"{count} {status}" for status, count in counts.items())
    return warning(
        f"it rejects none of {len(exchanges)} invalid texts: {said}; "
        "a library that refuses nothing does not offer validate",
        *exchanges,
    )


# Components


def component_texts(hello: Hello) -> list[Probe]:
    """Return texts with all components, with an IP literal and with percent-encodings to parse."""
    literal = spec_for("parse", hello.specs) in _WITH_LITERALS
    return _parse(hello, FULL, _WITH_ENCODED, *([f"http://{_LITERAL}/"] if literal else []))


def absent_texts(hello: Hello) -> list[Probe]:
    """Return texts with absent and with empty components to parse."""
    return _parse(hello, *_WITHOUT)


def _parse(hello: Hello, *texts: str) -> list[Probe]:
    known = "parse" in hello.ops and spec_for("parse", hello.specs) in GENERIC
    return [probe("parse", hello.specs, text) for text in texts if known]


def judge_components(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Components have the names of the RFC, no delimiters, and the text that was there."""
    full, encoded, *literal = exchanges
    found = _components(full)
    if not full.reply.components:
        return _no_components(full)
    unknown = [_quoted(name) for name in found if name not in _COMPONENT_NAMES]
    wrong = {name: right for name, right in _PARTS.items() if name in found and found[name] != right}
    delimited = any(str(found[name]).strip(":/?#@") == right for name, right in wrong.items())
    faults = [f"{name} of {FULL} is {_quoted(found[name])}, not {right!r}" for name, right in wrong.items()]
    if unknown:
        names = f"no component is named {listed(unknown, ', ')}; names are {', '.join(_COMPONENT_NAMES)}"
        return broken("; ".join((names, *faults)), full)
    if faults:
        return broken(listed(faults), full) if delimited else warning(listed(faults), full)
    if literal and _components(literal[0]).get("host") == _LITERAL.strip("[]"):
        said = f"host of {text_of(literal[0].probe)} is without the brackets that are part of it"
        return warning(f"{said} (RFC 3986, section 3.2.2)", literal[0])
    decoded = [
        f"{name} of {_WITH_ENCODED} is {_quoted(value)}, decoded"
        for name, value in _components(encoded).items()
        if name in _ENCODED and value == unquote(_ENCODED[name])
    ]
    if decoded:
        return warning(listed(decoded), encoded)
    missing = ", ".join(name for name in _PARTS if name not in found)
    return ok(f"without {missing}: such cases count as partial" if missing else "all of RFC 3986")


def judge_absent(exchanges: Sequence[Exchange], *, claimed: bool) -> Diagnosis:
    """Absent components are null and empty ones empty, if the adapter claims to distinguish them."""
    texts = {text_of(each.probe): each for each in exchanges}
    for text in (_ABSENT, _EMPTY):
        if texts[text].reply.components is msgspec.UNSET:
            return _no_components(texts[text])
    filled = [
        (each, name, value)
        for text, each in texts.items()
        for name, value in _components(each).items()
        if name in _WITHOUT[text] and value and isinstance(value, str)
    ]
    words = [one for one in filled if one[2].casefold() in _NULL_WORDS]
    if words:
        return broken(f"{_filled(words)}; an absent component is null, an empty one ''", words[0][0])
    absent, empty = _components(texts[_ABSENT]), _components(texts[_EMPTY])
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    there = [f"{name} of {_ABSENT} is {_quoted(absent[name])}" for name in names if absent[name] is not None]
    if claimed and there:
        return broken(f"it claims absent-vs-empty, but {listed(there)}, not null", texts[_ABSENT])
    others = [one for one in filled if one[1] != "path"]  # a library may write `/` for the empty path
    if others:
        return warning(f"{_filled(others)}, but it is absent or empty there", others[0][0])
    lost = [f"{name} of {_EMPTY} is null" for name in names if empty[name] is None]
    if claimed and lost:
        return warning(f"it claims absent-vs-empty, but {listed(lost)}, not empty", texts[_EMPTY])
    if not claimed and names and not there and all(empty[name] == "" for name in names):
        return warning(
            "it seems to distinguish absent from empty, but does not claim the feature absent-vs-empty: "
            "cases with an empty component count as partial",
            texts[_ABSENT],
            texts[_EMPTY],
        )
    return ok("distinguishes them" if claimed else "does not distinguish them, and does not claim to")


def check_absent(client: Client) -> Diagnosis:
    """Judge absent and empty components by the features that the adapter claims."""
    claimed = "absent-vs-empty" in client.hello.features
    return asking(absent_texts, lambda exchanges: judge_absent(exchanges, claimed=claimed))(client)


def _filled(found: Sequence[tuple[Exchange, str, str]]) -> str:
    """List each component once, with its first value."""
    first = {name: (each, value) for each, name, value in reversed(found)}
    order = dict.fromkeys(name for _, name, _ in found)
    return listed(
        [f"{name} of {text_of(first[name][0].probe)} is {_quoted(first[name][1])}" for name in order]
    )


def _components(each: Exchange) -> Components:
    return {} if each.reply.components is msgspec.UNSET else each.reply.components


def _no_components(each: Exchange) -> Diagnosis:
    text = text_of(each.probe)
    if each.reply.status == "unsupported":
        return skipped(f"it does not parse {text}")
    if each.reply.components is msgspec.UNSET:
        return broken(f"parse of {text} is {shown(each.reply)}", each)
    return warning(f"parse of {text} is ok without any component: no case of parse can be judged", each)


# Inputs


def two_inputs(hello: Hello) -> list[Probe]:
    """Return questions with two inputs, each of which changes the answer."""
    resolutions = ((BASE, "g"), (OTHER_BASE, "g"), (BASE, OTHER_BASE))
    resolve = [{**probe("resolve", hello.specs, text), "base": base} for base, text in resolutions]
    equivalent = [{**probe("equivalent", hello.specs), "other": other} for other in (PLAIN, OTHER_BASE)]
    return [each for each in (*resolve, *equivalent) if each["op"] in hello.ops]


_RESOLVED = ("http://a/b/c/g", "http://x/y/g", OTHER_BASE)


def judge_two_inputs(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Base and reference, and both URLs of an equivalence, are where they belong."""
    resolved = [each for each in exchanges if each.probe["op"] == "resolve"]
    if resolved and resolved[0].reply.status == "unsupported":
        return skipped("it does not resolve 'g'")
    wrong = [
        (each, f"{text_of(each.probe)!r} against {each.probe['base']} is {_resolution(each)}, not {right}")
        for each, right in zip(resolved, _RESOLVED, strict=False)
        if each.reply.url != right
    ]
    if wrong:
        return warning(listed([said for _, said in wrong]), *(each for each, _ in wrong))
    pair = [each for each in exchanges if each.probe["op"] == "equivalent"]
    if (
        pair
        and {each.reply.status for each in pair} == {"ok"}
        and len({each.reply.equal for each in pair}) == 1
    ):
        equal = "equivalent" if pair[0].reply.equal else "not equivalent"
        return warning(f"{PLAIN} is {equal} to itself, and to {OTHER_BASE} as well", *pair)
    return ok(" ".join(dict.fromkeys(each.probe["op"] for each in exchanges)))


def _resolution(each: Exchange) -> str:
    return shown(each.reply) if each.reply.url is msgspec.UNSET else str(each.reply.url)


def unknown_rule(hello: Hello) -> list[Probe]:
    """Return a question about a rule that does not exist."""
    return [{**probe("validate", hello.specs), "rule": "no-such-rule"}] if "validate" in hello.ops else []


def unknown_operation(hello: Hello) -> list[Probe]:
    """Return a question of an operation that does not exist."""
    return [{"op": "no-such-op", "spec": spec_for("parse", hello.specs), "url": PLAIN}]


def judge_unknown(exchanges: Sequence[Exchange]) -> Diagnosis:
    """What does not exist is unsupported."""
    (each,) = exchanges
    status = each.reply.status
    if status == "unsupported":
        return _any_answer(exchanges)
    if "rule" in each.probe:
        return warning(f"a rule that does not exist is answered with {status}, not unsupported", each)
    found = broken if status == "ok" else warning
    return found(f"an operation that does not exist is answered with {status}, not unsupported", each)


def unknown_fields(hello: Hello) -> list[Probe]:
    """Return a question without and with fields that do not exist."""
    question = plain_probe(hello)
    nested = {"url": "http://wrong/", "id": -1, "type": "bye", "list": [{}, [None, 1e9, True]]}
    more = {"unknown": nested, "x": '}{"\\', "y": 1.5, "z": None}
    return [] if question is None else [question, {**question, **more}]


def judge_unknown_fields(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Unknown fields change nothing."""
    known, other = exchanges
    if same_answer(known.reply, other.reply):
        return ok("they change nothing")
    return broken(f"they change the answer to {shown(other.reply)}", known, other)


def missing_input(hello: Hello) -> list[Probe]:
    """Return a question without its text."""
    question = plain_probe(hello)
    return [] if question is None else [{"op": question["op"], "spec": question["spec"]}]


def _any_answer(exchanges: Sequence[Exchange]) -> Diagnosis:
    return ok(f"answered with {exchanges[-1].reply.status}")


judge_missing_input = _any_answer


def odd_texts(hello: Hello) -> list[Probe]:
    """Return texts on which libraries raise exceptions, between two plain questions."""
    plain = plain_probe(hello)
    if plain is None:
        return []
    texts = [plain_probe(hello, text) or {} for text in ODD]
    pairs = [{**probe("resolve", hello.specs, text), "base": base} for base, text in ODD_PAIRS]
    return [plain, *texts, *(pairs if "resolve" in hello.ops else ()), plain]


def judge_odd_texts(exchanges: Sequence[Exchange]) -> Diagnosis:
    """An exception of the library is an answer, and leaves nothing behind."""
    before, *odd, after = exchanges
    for each in odd:
        if _lacks_answer(each):
            field = ANSWER_FIELDS[each.probe["op"]]
            said = f"{each.probe['op']} of {_question(each)} answers ok without `{field}`"
            return broken(said, each, rule=COMPONENTS if field == "components" else None)
    if not same_answer(before.reply, after.reply):
        return broken(f"after odd texts the answer to {PLAIN} is {shown(after.reply)}", before, after)
    errors = [each for each in odd if each.reply.status == "error"]
    if errors:
        said = f"{len(errors)} of {len(odd)} odd texts are errors, such as {_question(errors[0])}"
        return warning(f"{said}; a text that the library refuses is answered with reject", errors[0])
    return ok(f"{len(odd)} odd texts are answered")


def _question(each: Exchange) -> str:
    against = f" against {each.probe['base']!r}" if "base" in each.probe else ""
    return f"{text_of(each.probe)!r}{against}"


# Determinism


def check_same_twice(client: Client) -> Diagnosis:
    """The same question has the same answer, in one process and in the next."""
    questions = [probe(op, client.hello.specs) for op in offered(client.hello)]
    questions += [odd for text in ODD if (odd := plain_probe(client.hello, text))]
    count = len(questions)
    replies = client.ask(*questions, *questions)
    client.end()
    replies += client.ask(*questions)
    for index, question in enumerate(questions):
        first, again, fresh = (Exchange(question, reply) for reply in replies[index::count])
        for other, when in ((again, "again"), (fresh, "in a fresh process")):
            if not same_answer(first.reply, other.reply):
                said = f"{question['op']} asked {when} is {shown(other.reply)}, and was {shown(first.reply)}"
                return broken(said, first, other)
    return ok(f"{count} questions, three times each")


def check_any_order(client: ProtocolClient) -> Diagnosis:
    """Questions that differ in one field are answered alike in either order."""
    families = probe_families(client.hello)
    questions = [question for family in families.values() for question in family]
    if not questions:
        return skipped("it offers no operation with two questions that differ in one field")
    forward = client.ask(*questions)
    client.end()
    backward = client.ask(*reversed(questions))[::-1]
    fields = (field for field, family in families.items() for _ in family)
    for field, question, one, other in zip(fields, questions, forward, backward, strict=True):
        if not same_answer(one, other):
            family = [
                Exchange(each, reply)
                for each, reply in zip(questions, forward, strict=True)
                if each in families[field]
            ]
            return broken(
                f"{question['op']} is {shown(one)}, and {shown(other)} if it is asked in another order; "
                f"the questions differ in `{field}`",
                *family,
            )
    return ok(f"{len(questions)} questions in both orders")


# Texts


def non_ascii_texts(hello: Hello) -> list[Probe]:
    """Return texts with other characters than ASCII."""
    ports = [probe("validate", hello.specs, f"http://h:8{char}/") for char in ("\u00e9", "x")]
    return [*echoing_probes(hello, _NON_ASCII), *(ports if "validate" in hello.ops else ())]


def judge_non_ascii(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Other characters than ASCII arrive, and come back."""
    echoed = [each for each in exchanges if each.probe["op"] in ECHOING]
    for each in echoed:
        if wrong := _wrong_characters(each):
            return wrong
    verdicts = [each for each in exchanges if each.probe["op"] == "validate"]
    if [each.reply.status for each in verdicts] == ["ok", "reject"]:
        said = (
            "validate accepts http://h:8\u00e9/ and rejects http://h:8x/: the letter may have arrived as `?`"
        )
        return warning(said, *verdicts)
    return ok(", ".join(f"{each.probe['op']} {each.reply.status}" for each in (*echoed, *verdicts[:1])))


def _wrong_characters(each: Exchange) -> Diagnosis | None:
    op, reply, text = each.probe["op"], each.reply, _texts(each.reply)
    written = unicodedata.normalize("NFC", text).casefold()
    came = f"of {_NON_ASCII} {op} has {excerpt(text.encode())}"
    if any(sign in written for sign in _GARBLED):
        return broken(f"{came}: garbled", each)
    lost = [char for char, forms in _FORMS.items() if not any(form in written for form in forms)]
    if not lost or "caf" not in written:  # the library may not expose the part
        return None
    said = f"{came}, without {' and '.join(lost)}"
    replaced = "?" in text or (reply.components is not msgspec.UNSET and reply.components.get("query"))
    return broken(f"{said}, which arrived as `?`", each) if replaced else warning(said, each)


def nul_texts(hello: Hello) -> list[Probe]:
    """Return texts with NUL."""
    text = "http://example.com/before\0after"
    plain = plain_probe(hello, text)
    return echoing_probes(hello, text) or ([plain] if plain else [])


def judge_nul(exchanges: Sequence[Exchange]) -> Diagnosis:
    """A NUL is a character like any other."""
    for each in exchanges:
        op, text = each.probe["op"], _texts(each.reply)
        if each.reply.status == "ok" and "before" in text and "after" not in text:
            return warning(
                f"{op} cuts the text at NUL; answer unsupported if the library cannot take one", each
            )
        if each.reply.status == "ok" and "beforeafter" in text:
            return warning(f"{op} drops the NUL", each)
    return _any_answer(exchanges)


def raw_texts(hello: Hello) -> list[Probe]:
    """Return texts that are not Unicode, in every input."""
    plain = plain_probe(hello) or {}
    questions = [{**plain, name: _RAW} for name in ("url", "reference", "text") if name in plain]
    pair = probe("resolve", hello.specs, "g")
    return [*questions, *({**pair, name: _RAW} for name in ("reference", "base") if "resolve" in hello.ops)]


def judge_raw(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Bytes are answered, at least with unsupported."""
    for each in exchanges:
        if each.reply.status == "error":
            name = next(name for name, value in each.probe.items() if value == _RAW)
            message = f": {each.reply.message}" if each.reply.message else ""
            said = f"bytes in `{name}` of {each.probe['op']} are an error{message}"
            return warning(f"{said}; answer unsupported if the library takes only text", each)
    return _any_answer(exchanges)


def long_texts(hello: Hello) -> list[Probe]:
    """Return a text of almost 1 MiB, a plain question, and long texts for the other operations."""
    longest, plain = plain_probe(hello, "http://h/" + "a" * _LONGEST), plain_probe(hello)
    if longest is None or plain is None:
        return []
    others = [
        each for each in echoing_probes(hello, "http://h/" + "a" * _LONG) if each["op"] != longest["op"]
    ]
    # if the end of the long one is cut, it is valid
    ends = [probe("validate", hello.specs, f"http://h/{'a' * count}<>") for count in (1, _LONG)]
    return [longest, plain, *others, *(ends if "validate" in hello.ops else ())]


def judge_long(exchanges: Sequence[Exchange]) -> Diagnosis:
    """A line of 1 MiB is one line, and its text is not cut."""
    longest, after, *others = exchanges
    if after.reply.status == "error":
        return broken(f"after a line of {_LONGEST:,} bytes: {after.reply.message}", after)
    ends = [each for each in others if text_of(each.probe).endswith("<>")]
    for each in (longest, *others):
        sent, text = text_of(each.probe).count("a"), _texts(each.reply)
        came = max(map(len, re.findall("a+", text)), default=0)
        if each.reply.status == "ok" and each.probe["op"] in ECHOING and _FEW <= came < sent:
            return broken(f"{each.probe['op']} returns {came:,} of {sent:,} letters: the text is cut", each)
    if [each.reply.status for each in ends] == ["reject", "ok"]:
        said = f"http://h/a<> is rejected, but accepted with {_LONG:,} letters before <>: the text is cut"
        return broken(said, *ends)
    return ok(f"{_LONGEST:,} bytes are answered with {longest.reply.status}")


def _texts(reply: Reply) -> str:
    """Return all texts of an answer as one."""
    values: list[Any] = [reply.url]
    if reply.components is not msgspec.UNSET:
        values += reply.components.values()
    return " ".join(_decoded(value) for value in values if isinstance(value, str | Hex))


def _decoded(value: str | Hex) -> str:
    return value if isinstance(value, str) else bytes.fromhex(value.hex).decode("utf-8", "backslashreplace")


def check_stderr(client: Client) -> Diagnosis:
    """Show what the adapter wrote to stderr."""
    if isinstance(client, ExecClient) and client.uncaught:
        return warning(
            f"exit code 1 came with a stack trace ({client.uncaught}), but counts as a rejection: "
            "catch the exception, and exit with another code than 0, 1 and 3",
            rule=EXIT_CODES,
        )
    if len(client.stderr) >= STDERR_KEPT:
        return warning(f"it writes more than {STDERR_KEPT:,} bytes, of which the last are kept")
    return ok(f"the last line: {error_line(client.stderr)}" if client.stderr.strip() else "nothing")
