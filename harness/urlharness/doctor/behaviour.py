"""Questions of the doctor to an adapter, and functions that judge the answers of the adapter."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from urllib.parse import unquote

import msgspec

from urlharness.corpus.model import OPERATIONS, Hex
from urlharness.corpus.specifications import facts
from urlharness.doctor import model, questions
from urlharness.doctor.client import Client, ExecClient, ProtocolBreach, ProtocolClient
from urlharness.doctor.model import Diagnosis, Exchange, Probe, broken, ok, skipped, warning
from urlharness.doctor.questions import (
    FULL,
    PLAIN,
    offered_probe,
    plain_probe,
    probe,
    same_answer,
    shown,
    text_of,
)
from urlharness.protocol.messages import LINE_LIMIT, Hello, ReplyComponents
from urlharness.sessions.process import STDERR_KEPT, error_line
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
#: A host with its brackets (RFC 3986, section 3.2.2).
_LITERAL = "[2001:db8::1]"
#: Percent-encoded delimiters: decoding them changes the component.
_ENCODED = {"userinfo": "u%2Fi", "path": "/a%2Fb", "query": "c%20d", "fragment": "e%2Ff"}
_WITH_ENCODED = "http://u%2Fi@h/a%2Fb?c%20d#e%2Ff"
#: A text with absent components, and a text with empty components.
_ABSENT, _EMPTY = "http://h/p", "http://h:/p?#"
#: Components that are absent or empty in both of these texts.
_AFTER_HOST = ("userinfo", "user", "password", "port", "query", "fragment")
#: Maps texts to components that are absent or empty in the text.
_WITHOUT = {
    _ABSENT: _AFTER_HOST,
    _EMPTY: _AFTER_HOST,
    "p": ("scheme", "authority", "net_loc", "host", *_AFTER_HOST),
    "http://h": (*_AFTER_HOST, "path"),
}
#: Strings that languages print for an absent value.
_NULL_WORDS = ("none", "null", "undefined", "nil", "nan", "-1")
#: Operations that must not reject PLAIN.
_ACCEPTING = ("validate", "parse", "resolve", "normalize", "equivalent")

_FAULTS_SHOWN = 5  # the maximum number of faults of one kind that are shown
_VALUE_SHOWN = 60  # the maximum number of characters that are shown of a value

_NON_ASCII = "http://example.com/caf\u00e9/\U0001f600"
_NON_ASCII_FRAGMENT = "http://example.com/#caf\u00e9/\U0001f600"
#: Traces of UTF-8 bytes that were read as Latin-1 or replaced.
_GARBLED = ("\u00c3\u00a9".casefold(), "\ufffd", "%c3%83", "%ef%bf%bd")
#: A letter of Latin-1 and a character above U+FFFF, each with the forms that a library may return.
_FORMS = {"\u00e9": ("\u00e9", "%c3%a9", "%e9"), "U+1F600": ("\U0001f600", "%f0%9f%98%80")}
#: A text that is not Unicode.
_RAW = {"hex": "687474703a2f2f682fff"}

_FULL_LINE_LENGTH = LINE_LIMIT - 4096  # the number of letters of a text whose message just fits into one line
_LONG = 70_000  # more than 65,536, a usual size of buffers
_NOTICEABLE = 0.02  # seconds; the usual variation of an adapter is smaller
_FEW = 8  # fewer letters in a row come from other parts of the answer, not from the long text


def asking(
    probes: Callable[[Hello], Sequence[Probe]], judge: Callable[[Sequence[Exchange]], Diagnosis]
) -> Callable[[Client], Diagnosis]:
    """Return a check that asks probes and judges the exchanges.

    After the probes, the check asks a program that speaks the protocol a plain question. It raises Fault if
    this question is not answered.
    """

    def check(client: Client) -> Diagnosis:
        asked = probes(client.hello)
        if not asked:
            return skipped("it does not offer the operation")
        exchanges = _exchanges(client, asked)
        if isinstance(client, ProtocolClient):
            client.ask(plain_probe(client.hello))
        return judge(exchanges)

    return check


def _exchanges(client: Client, probes: Sequence[Probe]) -> list[Exchange]:
    return [Exchange(*pair) for pair in zip(probes, client.ask(*probes), strict=True)]


def _listed(faults: Sequence[str], separator: str = "; ") -> str:
    more = [f"and {len(faults) - _FAULTS_SHOWN} more"] if len(faults) > _FAULTS_SHOWN else []
    return separator.join([*faults[:_FAULTS_SHOWN], *more])


def _quoted(value: object) -> str:
    return clipped(repr(value), _VALUE_SHOWN)


def judge_any(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Accept any answer."""
    return ok(f"answered with {exchanges[-1].reply.status}")


def check_operations(client: Client) -> Diagnosis:
    """Ask one plain question for each operation. An `ok` reply must contain the field for the answer."""
    asked = [offered_probe(op, client.hello) for op in OPERATIONS if op in client.hello.ops]
    exchanges = _exchanges(client, asked)
    for each in exchanges:
        op, status, message = each.op, each.reply.status, each.reply.message or "without a message"
        if status == "error":
            note = f"{op} of {PLAIN} is answered with `error`: {message}"
            if all(other.reply.status == "error" for other in exchanges):
                raise ProtocolBreach(f"{note}; so is every other operation", rule=model.ERROR)
            return broken(note, each, rule=model.ERROR)
        if status == "reject" and op in _ACCEPTING:
            return broken(f"{op} rejects {PLAIN}: {message}", each)
        if _lacks_answer(each):
            return broken(f"{op} answers `ok` without `{questions.ANSWER_FIELDS[op]}`", each)
    refused = [each for each in exchanges if each.reply.status == "unsupported"]
    answered = [each.op for each in exchanges if each not in refused]
    if answered and isinstance(client, ExecClient):  # such a program sends no hello that names its operations
        client.hello = msgspec.structs.replace(client.hello, ops=answered)
    elif refused:
        names = ", ".join(each.op for each in refused)
        return warning(f"it offers {names}, but answers `unsupported` to a plain question", *refused)
    return ok(" ".join(answered))


def _lacks_answer(each: Exchange) -> bool:
    field = questions.ANSWER_FIELDS.get(each.op)
    return each.reply.status == "ok" and field is not None and getattr(each.reply, field) is msgspec.UNSET


def invalid_texts(hello: Hello) -> list[Probe]:
    """Return `validate` questions about invalid texts."""
    return [probe("validate", hello.specs, text) for text in questions.INVALID if "validate" in hello.ops]


def judge_refusals(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that at least one invalid text is rejected."""
    counts = Counter(each.reply.status for each in exchanges)
    if counts["reject"]:
        return ok(f"it rejects {counts['reject']} of {len(exchanges)} invalid texts")
    note = ", ".join(f"{count} {status}" for status, count in counts.items())
    note += "; if the library refuses nothing, do not offer validate"
    return warning(f"it rejects none of {len(exchanges)} invalid texts: {note}", *exchanges)


def component_texts(hello: Hello) -> list[Probe]:
    """Return `parse` questions about a full URL, a URL with percent-encodings, and one with an IP literal.

    The IP literal is left out if the RFC does not define it. Return an empty list if `parse` is not offered,
    or not for an RFC with the components of RFC 3986.
    """
    literal = facts(questions.spec_for("parse", hello.specs)).ip_literals
    return _parse(hello, FULL, _WITH_ENCODED, *([f"http://{_LITERAL}/"] if literal else []))


def _parse(hello: Hello, *texts: str) -> list[Probe]:
    known = "parse" in hello.ops and facts(questions.spec_for("parse", hello.specs)).generic
    return [probe("parse", hello.specs, text) for text in texts if known]


def _components(each: Exchange) -> ReplyComponents:
    return {} if each.reply.components is msgspec.UNSET else each.reply.components


def judge_components(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that components have the names that the RFCs use, and the exact text without delimiters."""
    full, encoded, *literal = exchanges
    found = _components(full)
    if full.reply.status == "unsupported":
        return skipped(f"it does not parse {FULL}")
    if not found:
        if full.reply.status == "reject" and literal and _components(literal[0]):
            return warning(f"parse refuses {FULL}, perhaps because RFC 1738 has no user in http", full)
        note = f"parse of {FULL} is {shown(full.reply)}: no case of parse can be judged"
        return warning(note, full) if full.reply.status == "ok" else broken(note, full)
    unknown = [_quoted(name) for name in found if name not in _COMPONENT_NAMES]
    wrong = {name: right for name, right in _PARTS.items() if name in found and found[name] != right}
    values = _listed([f"{name} is {_quoted(found[name])}, not {right!r}" for name, right in wrong.items()])
    if unknown:
        names = f"unknown component {_listed(unknown, ', ')}; expected {', '.join(_COMPONENT_NAMES)}"
        return broken(f"{names}; {values}" if values else names, full)
    if wrong:
        delimited = any(str(found[name]).strip(":/?#@") == right for name, right in wrong.items())
        return (broken if delimited else warning)(f"parse of {FULL}: {values}", full)
    if literal and _components(literal[0]).get("host") == _LITERAL.strip("[]"):
        note = f"the host of {text_of(literal[0].probe)} lacks its brackets (RFC 3986, section 3.2.2)"
        return warning(note, literal[0])
    decoded = [name for name, text in _ENCODED.items() if _components(encoded).get(name) == unquote(text)]
    if decoded:
        return warning(f"parse of {_WITH_ENCODED} decodes {', '.join(decoded)}", encoded)
    missing = ", ".join(name for name in _PARTS if name not in found)
    partly = f"it returns no {missing}: cases about them count as partial"
    return ok(partly if missing else "all components of RFC 3986")


def check_absent(client: Client) -> Diagnosis:
    """Check that neither absent nor empty components contain text.

    If the adapter claims `absent-vs-empty`, also check that absent components are null and empty ones are "".
    """
    exchanges = _exchanges(client, _parse(client.hello, *_WITHOUT))
    claimed = "absent-vs-empty" in client.hello.features
    filled = [
        (each, f"the {name} of {text} is {_quoted(value)}", name, value.casefold())
        for each, (text, names) in zip(exchanges, _WITHOUT.items(), strict=False)
        for name, value in _components(each).items()
        if name in names and value and isinstance(value, str)
    ]
    if words := [one for one in filled if one[3] in _NULL_WORDS]:
        note = _listed([one[1] for one in words])
        return broken(f'{note}; an absent component is null, and an empty one is ""', words[0][0])
    absent, empty = (_components(each) for each in exchanges[:2]) if exchanges else ({}, {})
    if not absent:
        return skipped(f"it does not parse {_ABSENT} by RFC 2396 or RFC 3986")
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    there = [
        f"the {name} of {_ABSENT} is {_quoted(absent[name])}" for name in names if absent[name] is not None
    ]
    if claimed and there:
        return broken(f"it claims absent-vs-empty, but {_listed(there)}, not null", exchanges[0])
    if others := [one for one in filled if one[2] != "path"]:  # a library may write `/` for the empty path
        return warning(
            f"{_listed([one[1] for one in others])}, but it is absent or empty in this text", others[0][0]
        )
    lost = [f"the {name} of {_EMPTY} is null" for name in names if empty[name] is None]
    if claimed and lost:
        return warning(f"it claims absent-vs-empty, but {_listed(lost)}, not empty", exchanges[1])
    if not claimed and names and not there and not lost:
        note = "it distinguishes absent from empty, but does not claim absent-vs-empty"
        return warning(f"{note}: cases with an empty component count as partial", *exchanges[:2])
    return ok(f"it {'distinguishes' if claimed else 'does not distinguish'} absent from empty, as claimed")


def two_inputs(hello: Hello) -> list[Probe]:
    """Return questions with two inputs. A change of either input changes the right answer."""
    resolve, equivalent = probe("resolve", hello.specs), offered_probe("equivalent", hello)
    pairs = [{**resolve, "base": base, "reference": text} for base, text, _ in questions.RESOLUTIONS]
    pairs += [{**equivalent, "other": other} for other in (PLAIN, questions.OTHER_BASE)]
    return [pair for pair in pairs if pair["op"] in hello.ops]


def judge_two_inputs(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter neither ignores nor swaps base and reference, and compares both URLs."""
    resolved = [each for each in exchanges if each.op == "resolve"]
    wrong = [
        (each, f"{text!r} resolved against {base} is {shown(each.reply)}, not {right}")
        for each, (base, text, right) in zip(resolved, questions.RESOLUTIONS, strict=False)
        if each.reply.url != right and each.reply.status != "unsupported"
    ]
    if wrong:
        return warning(_listed([note for _, note in wrong]), *(each for each, _ in wrong))
    pair = [each for each in exchanges if each.op == "equivalent"]
    if pair and pair[0].reply.status == "ok" and same_answer(pair[0].reply, pair[1].reply):
        equal = "equivalent" if pair[0].reply.equal else "not equivalent"
        return warning(f"{PLAIN} is {equal} to itself, and to {questions.OTHER_BASE} as well", *pair)
    return ok(" ".join(dict.fromkeys(each.op for each in exchanges)))


def unknown_rule(hello: Hello) -> list[Probe]:
    """Return a question about a rule that does not exist."""
    return [{**probe("validate", hello.specs), "rule": "no-such-rule"}] if "validate" in hello.ops else []


def unknown_operation(hello: Hello) -> list[Probe]:
    """Return a question with an operation that does not exist."""
    return [{"op": "no-such-op", "spec": questions.spec_for("parse", hello.specs), "url": PLAIN}]


def judge_unknown(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the answer about an unknown rule or operation is `unsupported`."""
    (each,) = exchanges
    what = "a rule" if "rule" in each.probe else "an operation"
    if each.reply.status == "unsupported":
        return judge_any(exchanges)
    found = broken if each.reply.status == "ok" and "rule" not in each.probe else warning
    note = f"{what} that does not exist is answered with `{each.reply.status}`, not `unsupported`"
    return found(note, each)


def unknown_fields(hello: Hello) -> list[Probe]:
    """Return the same question twice: as usual, and with unknown fields added."""
    question = plain_probe(hello)
    nested = {"url": "http://wrong/", "id": -1, "type": "bye", "list": [{}, [None, 1e9, True]]}
    more = {"unknown": nested, "x": '}{"\\', "y": 1.5, "z": None}
    return [question, {**question, **more}]


def judge_same(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that unknown fields do not change the answer."""
    known, other = exchanges
    if same_answer(known.reply, other.reply):
        return ok("unknown fields change nothing")
    return broken(f"unknown fields change the answer to {shown(other.reply)}", known, other)


def missing_input(hello: Hello) -> list[Probe]:
    """Return a question without its text."""
    return [{name: plain_probe(hello)[name] for name in ("op", "spec")}]


def odd_texts(hello: Hello) -> list[Probe]:
    """Return questions for which some libraries raise exceptions, between two equal plain questions."""
    plain, texts = plain_probe(hello), [plain_probe(hello, text) for text in questions.ODD]
    pairs = [{**probe("resolve", hello.specs, text), "base": base} for base, text in questions.ODD_PAIRS]
    return [plain, *texts, *(pairs if "resolve" in hello.ops else ()), plain]


def judge_odd_texts(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that odd texts get complete answers, preferably not `error`, and do not change later answers."""
    before, *odd, after = exchanges
    for each in filter(_lacks_answer, odd):
        asked, field = f"{each.op} of {text_of(each.probe)!r}", questions.ANSWER_FIELDS[each.op]
        note = f"{asked} answers `ok` without `{field}`"
        return broken(note, each, rule=model.COMPONENTS if each.op == "parse" else model.REPLY)
    if not same_answer(before.reply, after.reply):
        change = f"from {shown(before.reply)} to {shown(after.reply)}"
        return broken(f"the answer to {PLAIN} changes after odd texts, {change}", before, after)
    errors = [each for each in odd if each.reply.status == "error"]
    if errors:
        probed = errors[0].probe
        against = f" against {probed['base']!r}" if "base" in probed else ""
        example = f"{text_of(probed)!r}{against}"
        note = f"{len(errors)} of {len(odd)} odd texts are answered with `error`, such as {example}"
        return warning(f"{note}; if the library refuses a text, answer `reject`", errors[0])
    return ok(f"{len(odd)} odd texts are answered")


def check_same_twice(client: Client) -> Diagnosis:
    """Check that a question gets the same answer twice in one process and again in a fresh process."""
    probes = [offered_probe(op, client.hello) for op in OPERATIONS if op in client.hello.ops]
    probes += [plain_probe(client.hello, text) for text in questions.ODD]
    first = _exchanges(client, [*probes, *probes])
    client.end()
    for one, other in zip(first, [*first[len(probes) :], *_exchanges(client, probes)], strict=True):
        if not same_answer(one.reply, other.reply):
            note = f"{one.op} first answers {shown(one.reply)}, but asked again {shown(other.reply)}"
            return broken(note, one, other)
    return ok(f"{len(probes)} questions, three times each")


def check_any_order(client: ProtocolClient) -> Diagnosis:
    """Check that the answer to a question does not depend on the questions before it.

    Ask questions that differ in only one field, in one order and in the reverse order.
    """
    families = questions.probe_families(client.hello)
    probes = [each for family in families.values() for each in family]
    if not probes:
        return skipped("it offers no operation with two questions that differ in one field")
    forward = _exchanges(client, probes)
    client.end()
    backward = _exchanges(client, probes[::-1])[::-1]
    fields = [field for field, family in families.items() for _ in family]
    for field, one, other in zip(fields, forward, backward, strict=True):
        if not same_answer(one.reply, other.reply):
            note = f"{one.op} answers {shown(one.reply)}, but {shown(other.reply)} in reverse order"
            family = [each for at, each in enumerate(forward) if fields[at] == field]
            more = f"the answer seems to carry over from a question with another `{field}`"
            return broken(f"{note}; {more}", *family)
    return ok(f"{len(probes)} questions in both orders")


def non_ascii_texts(hello: Hello) -> list[Probe]:
    """Return questions about texts with non-ASCII characters."""
    ports = [probe("validate", hello.specs, f"http://h:8{char}/") for char in ("\u00e9", "x")]
    texts = (_NON_ASCII, _NON_ASCII_FRAGMENT)
    echoed = [each for text in texts for each in questions.echoing_probes(hello, text)]
    return [*echoed, *(ports if "validate" in hello.ops else ())]


def judge_non_ascii(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that non-ASCII characters reach the library and come back unchanged."""
    for each in exchanges:
        text = _answer_text(each)
        written = unicodedata.normalize("NFC", text).casefold()
        came = f"{each.op} of {text_of(each.probe)} returns {excerpt(text.encode())}"
        if any(sign in written for sign in _GARBLED):
            whole = next((one for one in exchanges if one.op == each.op and _is_whole(one)), None)
            if whole is None:
                return broken(f"{came}: garbled", each)
            other = f"{text_of(whole.probe)} comes back unchanged"
            return warning(f"{came}: garbled, by the library, because {other}", each, whole)
        lost = [char for char, forms in _FORMS.items() if not any(form in written for form in forms)]
        if lost and "caf" in written:  # without "caf" the library does not expose the part
            note = f"{came}, without {' and '.join(lost)}"
            replaced = "?" in text or _components(each).get("query")
            return broken(f"{note}, which arrived as `?`", each) if replaced else warning(note, each)
    verdicts = [each for each in exchanges if each.op == "validate"]
    if [each.reply.status for each in verdicts] == ["ok", "reject"]:
        note = "validate accepts http://h:8\u00e9/ and rejects http://h:8x/: \u00e9 may have arrived as `?`"
        return warning(note, *verdicts)
    answered = [each for each in exchanges if not text_of(each.probe).endswith("x/")]
    return ok(", ".join(dict.fromkeys(f"{each.op} {each.reply.status}" for each in answered)))


def _is_whole(each: Exchange) -> bool:
    """Return True if an answer contains all characters outside ASCII unchanged."""
    text = unicodedata.normalize("NFC", _answer_text(each)).casefold()
    return all(forms[0] in text for forms in _FORMS.values())


def nul_texts(hello: Hello) -> Sequence[Probe]:
    """Return questions about a text with NUL."""
    text = "http://example.com/before\0after"
    return questions.echoing_probes(hello, text) or [plain_probe(hello, text)]


def judge_nul(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter neither cuts a text at NUL nor drops the NUL."""
    for each in exchanges:
        text = _answer_text(each)
        if each.reply.status == "ok" and "before" in text and "after" not in text:
            note = f"{each.op} cuts the text at NUL; if the library does not accept NUL, answer `unsupported`"
            return warning(note, each)
        if each.reply.status == "ok" and "beforeafter" in text:
            return warning(f"{each.op} drops the NUL", each)
    return judge_any(exchanges)


def raw_texts(hello: Hello) -> list[Probe]:
    """Return questions with text that is not Unicode, one for each input field."""
    probes = [plain_probe(hello), *([probe("resolve", hello.specs)] if "resolve" in hello.ops else [])]
    names = ("url", "reference", "text", "base")
    return [{**each, name: _RAW} for each in probes for name in names if name in each]


def judge_raw(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that questions with bytes that are not Unicode are not answered with `error`."""
    for each in exchanges:
        if each.reply.status == "error":
            name = next(name for name, value in each.probe.items() if value == _RAW)
            note = f"bytes in `{name}` of {each.op} are answered with `error`: {each.reply.message}"
            return warning(f"{note}; answer `unsupported` if the library takes only text", each)
    return judge_any(exchanges)


def long_texts(hello: Hello) -> list[Probe]:
    """Return a question of almost 1 MiB, a plain question, and questions with 70,000 letters.

    Two of these ask `validate` about an invalid text, one with a single letter.
    """
    longest = plain_probe(hello, "http://h/" + "a" * _FULL_LINE_LENGTH)
    others = questions.echoing_probes(hello, "http://h/" + "a" * _LONG)
    ends = [probe("validate", hello.specs, f"http://h/{'a' * count}<>") for count in (1, _LONG)]
    return [longest, plain_probe(hello), *others, *(ends if "validate" in hello.ops else ())]


def check_long(client: Client) -> Diagnosis:
    """Check long texts.

    If an answer does not arrive in time, find out whether the library takes quadratic time.
    """
    exchanges = []
    for each in long_texts(client.hello):
        try:
            exchanges += _exchanges(client, [each])
        except ProtocolBreach as fault:
            if not fault.silent or not (slow := _quadratic(client, each)):
                raise
            asked = f"{each['op']} of {len(text_of(each)):,} characters"
            return warning(f"slow: {fault} to {asked}; {slow}", rule=model.TIMEOUT)
    if isinstance(client, ProtocolClient):
        client.ask(plain_probe(client.hello))
    return judge_long(exchanges)


def _quadratic(client: Client, probe: Probe) -> str:
    """Say how long the answer to a part of the text takes, if quadratic time explains the missing answer.

    Otherwise, return an empty string.
    """
    text = text_of(probe)
    client.end()
    client.ask(plain_probe(client.hello))
    usual = _seconds(client, {name: PLAIN if value == text else value for name, value in probe.items()})
    for length in (_LONG // 10, _LONG):
        short = text[:length] + text[-2:]
        took = _seconds(client, {name: short if value == text else value for name, value in probe.items()})
        whole = (took - usual) * (len(text) / len(short)) ** 2
        if took - usual > _NOTICEABLE and whole > client.patience.answer:
            note = f"{len(short):,} take {took:.2f} s"
            return f"{note}, so the time of the library is about quadratic: {whole:.0f} s"
    return ""


def _seconds(client: Client, probe: Probe) -> float:
    begun = time.monotonic()
    client.ask(probe)
    return time.monotonic() - begun


def judge_long(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter reads a line of almost 1 MiB as one line and does not cut long texts."""
    longest, after, *_ = exchanges
    if after.reply.status == "error":
        note = f"the question after a line of {_FULL_LINE_LENGTH:,} bytes is answered with an error"
        return broken(f"{note}: {after.reply.message}", after)
    for each in exchanges:
        sent, text = text_of(each.probe).count("a"), _answer_text(each)
        came = max(map(len, re.findall("a+", text)), default=0)
        if each.reply.status == "ok" and each.op in questions.ECHOING and _FEW <= came < sent:
            return broken(f"{each.op} returns {came:,} of {sent:,} letters: the text is cut", each)
    ends = [each for each in exchanges if text_of(each.probe).endswith("<>")]  # `<>` makes the text invalid
    if [each.reply.status for each in ends] == ["reject", "ok"]:
        note = f"the text with {_LONG:,} letters before <> is accepted: long text is cut"
        return broken(f"http://h/a<> is rejected, but {note}", *ends)
    return ok(f"{_FULL_LINE_LENGTH:,} bytes are answered with {longest.reply.status}")


def _answer_text(each: Exchange) -> str:
    """Return the URL and all components of an answer, joined by spaces.

    Show bytes that are not UTF-8 as escapes.
    """
    values = (each.reply.url, *_components(each).values())
    raw = [bytes.fromhex(value.hex) for value in values if isinstance(value, Hex)]
    texts = [value for value in values if isinstance(value, str)]
    return " ".join([*texts, *(text.decode("utf-8", "backslashreplace") for text in raw)])


def check_stderr(client: Client) -> Diagnosis:
    """Show the error line of the adapter's stderr.

    Warn if it was too long, or if an `exec:` program rejected a text with a stack trace.
    """
    if isinstance(client, ExecClient) and client.uncaught:
        note = f"exit code 1 counts as a rejection, but came with a stack trace: {client.uncaught}"
        return warning(f"{note}; exit with a code other than 0, 1 and 3", rule=model.EXIT_CODES)
    if len(client.stderr) >= STDERR_KEPT:
        return warning(f"it writes more than {STDERR_KEPT:,} bytes; only the last {STDERR_KEPT:,} are kept")
    note = f"it wrote: {error_line(client.stderr)}"
    return ok(note if client.stderr.strip() else "nothing was written")
