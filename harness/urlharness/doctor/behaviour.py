"""Questions of the doctor to an adapter, and functions that judge the answers of the adapter.

The doctor does not know the library, so it cannot say what a right answer is. It looks for answers that no
library would give and a mistake of an adapter explains: components under unknown names or with delimiters,
`"None"` for an absent value, base and reference swapped, text that arrives cut or garbled, an answer that
depends on the questions before it. Where a library could be the cause as well, the diagnosis is a warning,
and the message says which of both it may be.

Most checks are a pair: a function that returns the probes, and a function that judges the exchanges. So the
judgement is tested without a process. `check_of` makes a check of them.
"""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple
from urllib.parse import unquote

import msgspec

from urlharness.corpus.model import Hex
from urlharness.corpus.specifications import COMMON_NAMES, SPECS, facts
from urlharness.doctor import model, questions
from urlharness.doctor.client import Client, ExecClient, ProtocolBreach, ProtocolClient
from urlharness.doctor.model import Diagnosis, Exchange, Probe, broken, ok, skipped, warning
from urlharness.doctor.questions import (
    FULL,
    PLAIN,
    offered_probe,
    plain_probe,
    probe,
    reply_json,
    same_answer,
    text_of,
)
from urlharness.protocol.messages import LINE_LIMIT, TELLS_EMPTY, Hello, ReplyComponents
from urlharness.sessions.process import STDERR_KEPT, error_line
from urlharness.text import clipped, excerpt
from urlharness.wording import first_names

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
#: A host with its brackets (RFC 3986, section 3.2.2).
_LITERAL = "[2001:db8::1]"
#: Percent-encoded delimiters: decoding them changes the component.
_ENCODED = {"userinfo": "u%2Fi", "path": "/a%2Fb", "query": "c%20d", "fragment": "e%2Ff"}
_WITH_ENCODED = "http://u%2Fi@h/a%2Fb?c%20d#e%2Ff"
#: A text with absent components, and a text with empty components.
_ABSENT = "http://h/p"
_EMPTY = "http://h:/p?#"
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

_MAX_NOTES = 5  # the maximum number of faults of one kind that are printed
_MAX_CONTENT_LENGTH = 60  # the maximum number of characters that are printed of a component

_NON_ASCII = "http://example.com/caf\u00e9/\U0001f600"
_NON_ASCII_FRAGMENT = "http://example.com/#caf\u00e9/\U0001f600"
#: Two invalid texts. A library refuses both or none, unless the letter outside ASCII arrives as `?`.
_NON_ASCII_PORT = "http://h:8\u00e9/"
_LETTER_PORT = "http://h:8x/"
#: Traces of UTF-8 bytes that were read as Latin-1 or replaced.
_GARBLED = ("\u00c3\u00a9".casefold(), "\ufffd", "%c3%83", "%ef%bf%bd")
#: A letter of Latin-1 and a character above U+FFFF, each with the forms that a library may return.
_FORMS = {"\u00e9": ("\u00e9", "%c3%a9", "%e9"), "U+1F600": ("\U0001f600", "%f0%9f%98%80")}
#: A text whose last words are separated by NUL.
_NUL = "http://example.com/before\0after"
#: A text that is not Unicode.
_RAW = {"hex": "687474703a2f2f682fff"}

_FULL_LINE_LENGTH = LINE_LIMIT - 4096  # the number of letters of a text whose message just fits into one line
_LONG = 70_000  # more than 65,536, a usual size of buffers
_NOTICEABLE = 0.02  # seconds; the usual variation of an adapter is smaller
_FEW = 8  # fewer letters in a row come from other parts of the answer, not from the long text


def check_of(
    probes_for: Callable[[Hello], Sequence[Probe]], judge: Callable[[Sequence[Exchange]], Diagnosis]
) -> Callable[[Client], Diagnosis]:
    """Return a check that asks probes and judges the exchanges.

    After the probes, the check asks a program that speaks the protocol a plain question. It raises
    ProtocolBreach if this question is not answered.
    """

    def check(client: Client) -> Diagnosis:
        probes = probes_for(client.hello)
        if not probes:
            return skipped("it does not offer the operation")
        exchanges = _ask(client, probes)
        if isinstance(client, ProtocolClient):
            client.ask(plain_probe(client.hello))
        return judge(exchanges)

    return check


def _ask(client: Client, probes: Sequence[Probe]) -> list[Exchange]:
    """Ask probes one at a time, and return each with its reply."""
    replies = client.ask(*probes)
    return [Exchange(probe, reply) for probe, reply in zip(probes, replies, strict=True)]


def _joined_notes(notes: Sequence[str], separator: str = "; ") -> str:
    """Join the first notes, and say how many more there are."""
    return first_names(notes, _MAX_NOTES, separator)


def _quoted(content: object) -> str:
    """Return the content of a component as it is printed, cut if it is long."""
    return clipped(repr(content), _MAX_CONTENT_LENGTH)


def judge_any(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Accept any answer."""
    return ok(f"answered with {exchanges[-1].reply.status}")


def check_operations(client: Client) -> Diagnosis:
    """Ask one plain question for each operation. An `ok` reply must contain the field for the answer.

    An RFC that is claimed must be answered about, too.

    A program that is run once per case has no hello of its own: from now on, the hello of its client offers
    only the operations that it supports.
    """
    probes = questions.probes_of_operations(client.hello)
    exchanges = _ask(client, probes)
    statuses = {exchange.reply.status for exchange in exchanges}
    for exchange in exchanges:
        op = exchange.op
        status = exchange.reply.status
        message = exchange.reply.message or "without a message"
        if status == "error":
            note = f"{op} of {PLAIN} is answered with `error`: {message}"
            if statuses == {"error"}:
                raise ProtocolBreach(f"{note}; so is every other operation", rule=model.ERROR)
            return broken(note, exchange, rule=model.ERROR)
        if status == "reject" and op in _ACCEPTING:
            return broken(f"{op} rejects {PLAIN}: {message}", exchange)
        if _lacks_answer(exchange):
            return broken(f"{op} answers `ok` without `{questions.ANSWER_FIELDS[op]}`", exchange)
    unsupported = [exchange for exchange in exchanges if exchange.reply.status == "unsupported"]
    supported = [exchange.op for exchange in exchanges if exchange not in unsupported]
    if supported and isinstance(client, ExecClient):
        client.hello = msgspec.structs.replace(client.hello, ops=supported)
    elif unsupported:
        names = ", ".join(exchange.op for exchange in unsupported)
        return warning(f"it offers {names}, but answers `unsupported` to a plain question", *unsupported)
    return _unanswered_specification(client) or ok(" ".join(supported))


def _unanswered_specification(client: Client) -> Diagnosis | None:
    """Return a warning on a claimed RFC about which every plain question is `unsupported`, or None."""
    for spec in client.hello.specs:
        probes = questions.probes_of_specification(client.hello, spec) if spec in SPECS else []
        exchanges = _ask(client, probes)
        if exchanges and all(exchange.reply.status == "unsupported" for exchange in exchanges):
            title = SPECS[spec].title
            note = f"it claims {title}, but answers `unsupported` to every plain question about it"
            return warning(note, *exchanges)
    return None


def _lacks_answer(exchange: Exchange) -> bool:
    """Return True if a reply is `ok`, but does not have the field for the answer to this operation."""
    field = questions.ANSWER_FIELDS.get(exchange.op)
    if exchange.reply.status != "ok" or field is None:
        return False
    return getattr(exchange.reply, field) is msgspec.UNSET


def invalid_text_probes(hello: Hello) -> list[Probe]:
    """Return `validate` questions about invalid texts."""
    return [probe("validate", hello.specs, text) for text in questions.INVALID if "validate" in hello.ops]


def judge_refusals(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that at least one invalid text is rejected."""
    counts = Counter(exchange.reply.status for exchange in exchanges)
    if counts["reject"]:
        return ok(f"it rejects {counts['reject']} of {len(exchanges)} invalid texts")
    note = ", ".join(f"{count} {status}" for status, count in counts.items())
    note += "; if the library refuses nothing, do not offer validate"
    return warning(f"it rejects none of {len(exchanges)} invalid texts: {note}", *exchanges)


def component_probes(hello: Hello) -> list[Probe]:
    """Return `parse` questions about a full URL, a URL with percent-encodings, and one with an IP literal.

    The IP literal is left out if the RFC does not define it. Return an empty list if `parse` is not offered,
    or not for an RFC with the components of RFC 3986.
    """
    texts = [FULL, _WITH_ENCODED]
    if facts(questions.spec_for("parse", hello.specs)).ip_literals:
        texts.append(f"http://{_LITERAL}/")
    return _parse_probes(hello, texts)


def _parse_probes(hello: Hello, texts: Iterable[str]) -> list[Probe]:
    """Return `parse` questions, or none if no RFC with the components of RFC 3986 can be asked about."""
    if "parse" not in hello.ops or not facts(questions.spec_for("parse", hello.specs)).generic:
        return []
    return [probe("parse", hello.specs, text) for text in texts]


def _components(exchange: Exchange) -> ReplyComponents:
    """Return the components in a reply, or an empty mapping if it has none."""
    components = exchange.reply.components
    return {} if components is msgspec.UNSET else components


def judge_components(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that components have the names that the RFCs use, and the exact text without delimiters."""
    full, encoded, *literals = exchanges  # in the order of `component_probes`
    literal = literals[0] if literals else None
    if full.reply.status == "unsupported":
        return skipped(f"it does not parse {FULL}")
    if not _components(full):
        return _without_components(full, literal)
    fault = _names_or_texts_fault(full)
    if fault is not None:
        return fault
    if literal is not None and _components(literal).get("host") == _LITERAL.strip("[]"):
        note = f"the host of {text_of(literal.probe)} lacks its brackets (RFC 3986, section 3.2.2)"
        return warning(note, literal)
    components = _components(encoded)
    decoded = [name for name, text in _ENCODED.items() if components.get(name) == unquote(text)]
    if decoded:
        return warning(f"parse of {_WITH_ENCODED} decodes {', '.join(decoded)}", encoded)
    missing = [name for name in _PARTS if name not in _components(full)]
    if missing:
        return ok(f"it returns no {', '.join(missing)}: cases about them count as partial")
    return ok("all components of RFC 3986")


def _without_components(full: Exchange, literal: Exchange | None) -> Diagnosis:
    """Return the diagnosis of an answer to FULL that has no components."""
    if full.reply.status == "reject" and literal is not None and _components(literal):
        return warning(f"parse refuses {FULL}, perhaps because RFC 1738 has no user in http", full)
    note = f"parse of {FULL} is {reply_json(full.reply)}: no case of parse can be judged"
    return warning(note, full) if full.reply.status == "ok" else broken(note, full)


def _names_or_texts_fault(full: Exchange) -> Diagnosis | None:
    """Return the diagnosis of components of FULL with unknown names or other texts, or None if all are right.

    Components that are missing are no fault.
    """
    components = _components(full)
    wrong = [name for name, text in _PARTS.items() if name in components and components[name] != text]
    differences = [f"{name} is {_quoted(components[name])}, not {_PARTS[name]!r}" for name in wrong]
    notes = _joined_notes(differences)
    unknown = [_quoted(name) for name in components if name not in COMMON_NAMES]
    if unknown:
        note = f"unknown component {_joined_notes(unknown, ', ')}; expected {', '.join(COMMON_NAMES)}"
        return broken(f"{note}; {notes}" if notes else note, full)
    if not wrong:
        return None
    # no library keeps a delimiter by intention, but some change or decode texts
    has_delimiter = any(str(components[name]).strip(":/?#@") == _PARTS[name] for name in wrong)
    diagnosis = broken if has_delimiter else warning
    return diagnosis(f"parse of {FULL}: {notes}", full)


class _FilledComponent(NamedTuple):
    """A text in a component that is absent or empty in the text of the question."""

    exchange: Exchange
    name: str
    text: str

    def __str__(self) -> str:
        return f"the {self.name} of {text_of(self.exchange.probe)} is {_quoted(self.text)}"


def check_absent(client: Client) -> Diagnosis:
    """Check that neither absent nor empty components contain text.

    If the adapter claims `absent-vs-empty`, also check that absent components are null and empty ones are "".
    Of several faults, report the most certain one.
    """
    exchanges = _ask(client, _parse_probes(client.hello, _WITHOUT))
    filled = _filled_components(exchanges)
    words = [component for component in filled if component.text.casefold() in _NULL_WORDS]
    if words:
        note = _joined_notes(list(map(str, words)))
        return broken(f'{note}; an absent component is null, and an empty one is ""', words[0].exchange)
    if not exchanges or not _components(exchanges[0]):
        return skipped(f"it does not parse {_ABSENT} by RFC 2396 or RFC 3986")
    return _judge_distinction(exchanges, filled, claims=TELLS_EMPTY in client.hello.features)


def _judge_distinction(
    exchanges: Sequence[Exchange], filled: Sequence[_FilledComponent], *, claims: bool
) -> Diagnosis:
    """Check that absent components are null and empty ones are "" if the adapter claims `absent-vs-empty`.

    `filled` are the components that have text although the text of the question has none there.
    """
    of_absent, of_empty, *_ = exchanges
    absent = _components(of_absent)
    empty = _components(of_empty)
    names = [name for name in ("query", "fragment") if name in absent and name in empty]
    filled_names = [name for name in names if absent[name] is not None]
    not_null = [f"the {name} of {_ABSENT} is {_quoted(absent[name])}" for name in filled_names]
    if claims and not_null:
        return broken(f"it claims absent-vs-empty, but {_joined_notes(not_null)}, not null", of_absent)
    # a library may write `/` for the empty path
    unexpected = [component for component in filled if component.name != "path"]
    if unexpected:
        note = f"{_joined_notes(list(map(str, unexpected)))}, but it is absent or empty in this text"
        return warning(note, unexpected[0].exchange)
    null = [f"the {name} of {_EMPTY} is null" for name in names if empty[name] is None]
    if claims and null:
        return warning(f"it claims absent-vs-empty, but {_joined_notes(null)}, not empty", of_empty)
    distinguishes = bool(names) and not not_null and not null
    if distinguishes and not claims:
        note = "it distinguishes absent from empty, but does not claim absent-vs-empty"
        return warning(f"{note}: cases with an empty component count as partial", of_absent, of_empty)
    verb = "distinguishes" if claims else "does not distinguish"
    return ok(f"it {verb} absent from empty, as claimed")


def _filled_components(exchanges: Sequence[Exchange]) -> list[_FilledComponent]:
    """Return the components of answers that have text although the text of the question has none there."""
    filled = []
    for exchange in exchanges:
        names = _WITHOUT[text_of(exchange.probe)]
        for name, text in _components(exchange).items():
            if name in names and text and isinstance(text, str):
                filled.append(_FilledComponent(exchange, name, text))
    return filled


def two_input_probes(hello: Hello) -> list[Probe]:
    """Return questions with two inputs. A change of either input changes the right answer.

    `judge_two_inputs` relies on the order: RESOLUTIONS, then PLAIN compared with itself and with another URL.
    """
    resolve = probe("resolve", hello.specs)
    equivalent = offered_probe("equivalent", hello)
    pairs = [{**resolve, "base": base, "reference": text} for base, text, _ in questions.RESOLUTIONS]
    pairs += [{**equivalent, "other": url} for url in (PLAIN, questions.OTHER_BASE)]
    return [pair for pair in pairs if pair["op"] in hello.ops]


def judge_two_inputs(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter neither ignores nor swaps base and reference, and compares both URLs."""
    resolutions = [exchange for exchange in exchanges if exchange.op == "resolve"]
    wrong_by_note = _wrong_resolutions(resolutions)
    if wrong_by_note:
        return warning(_joined_notes(list(wrong_by_note)), *wrong_by_note.values())
    comparisons = [exchange for exchange in exchanges if exchange.op == "equivalent"]
    if comparisons:
        to_itself, to_other = (exchange.reply for exchange in comparisons)
        if to_itself.status == "ok" and same_answer(to_itself, to_other):
            equal = "equivalent" if to_itself.equal else "not equivalent"
            note = f"{PLAIN} is {equal} to itself, and to {questions.OTHER_BASE} as well"
            return warning(note, *comparisons)
    return ok(" ".join(dict.fromkeys(exchange.op for exchange in exchanges)))


def _wrong_resolutions(resolutions: Sequence[Exchange]) -> dict[str, Exchange]:
    """Return the resolutions with another target than that of RESOLUTIONS, by a note that says so."""
    wrong_by_note = {}
    # not strict: there are no such exchanges if resolution is not offered
    for exchange, (base, text, target) in zip(resolutions, questions.RESOLUTIONS, strict=False):
        if exchange.reply.url != target and exchange.reply.status != "unsupported":
            answer = reply_json(exchange.reply)
            wrong_by_note[f"{text!r} resolved against {base} is {answer}, not {target}"] = exchange
    return wrong_by_note


def unknown_rule_probes(hello: Hello) -> list[Probe]:
    """Return a question about a rule that does not exist."""
    return [{**probe("validate", hello.specs), "rule": "no-such-rule"}] if "validate" in hello.ops else []


def unknown_operation_probes(hello: Hello) -> list[Probe]:
    """Return a question with an operation that does not exist."""
    return [{"op": "no-such-op", "spec": questions.spec_for("parse", hello.specs), "url": PLAIN}]


def judge_unknown(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the answer about an unknown rule or operation is `unsupported`."""
    (exchange,) = exchanges
    status = exchange.reply.status
    if status == "unsupported":
        return judge_any(exchanges)
    asks_rule = "rule" in exchange.probe
    subject = "a rule" if asks_rule else "an operation"
    note = f"{subject} that does not exist is answered with `{status}`, not `unsupported`"
    # many libraries have no rules, so their adapters ignore the field
    if status == "ok" and not asks_rule:
        return broken(note, exchange)
    return warning(note, exchange)


def unknown_field_probes(hello: Hello) -> list[Probe]:
    """Return the same question twice: as usual, and with unknown fields added."""
    question = plain_probe(hello)
    nested = {"url": "http://wrong/", "id": -1, "type": "bye", "list": [{}, [None, 1e9, True]]}
    unknown = {"unknown": nested, "x": '}{"\\', "y": 1.5, "z": None}
    return [question, {**question, **unknown}]


def judge_unknown_fields(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that unknown fields do not change the answer."""
    usual, with_unknown_fields = exchanges
    if same_answer(usual.reply, with_unknown_fields.reply):
        return ok("unknown fields change nothing")
    note = f"unknown fields change the answer to {reply_json(with_unknown_fields.reply)}"
    return broken(note, usual, with_unknown_fields)


def missing_input_probes(hello: Hello) -> list[Probe]:
    """Return a question without its text."""
    question = plain_probe(hello)
    return [{"op": question["op"], "spec": question["spec"]}]


def odd_text_probes(hello: Hello) -> list[Probe]:
    """Return questions for which some libraries raise exceptions, between two equal plain questions."""
    probes = [plain_probe(hello, text) for text in questions.ODD]
    if "resolve" in hello.ops:
        for base, text in questions.ODD_PAIRS:
            probes.append({**probe("resolve", hello.specs, text), "base": base})
    plain = plain_probe(hello)
    return [plain, *probes, plain]


def judge_odd_texts(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that odd texts get complete answers, preferably not `error`, and do not change later answers."""
    before, *odd, after = exchanges
    incomplete = next(filter(_lacks_answer, odd), None)
    if incomplete is not None:
        op = incomplete.op
        note = f"{op} of {text_of(incomplete.probe)!r} answers `ok` without `{questions.ANSWER_FIELDS[op]}`"
        rule = model.COMPONENTS if op == "parse" else model.REPLY
        return broken(note, incomplete, rule=rule)
    if not same_answer(before.reply, after.reply):
        change = f"from {reply_json(before.reply)} to {reply_json(after.reply)}"
        return broken(f"the answer to {PLAIN} changes after odd texts, {change}", before, after)
    errors = [exchange for exchange in odd if exchange.reply.status == "error"]
    if errors:
        probe = errors[0].probe
        against = f" against {probe['base']!r}" if "base" in probe else ""
        example = f"{text_of(probe)!r}{against}"
        note = f"{len(errors)} of {len(odd)} odd texts are answered with `error`, such as {example}"
        return warning(f"{note}; if the library refuses a text, answer `reject`", errors[0])
    return ok(f"{len(odd)} odd texts are answered")


def check_same_twice(client: Client) -> Diagnosis:
    """Check that a question gets the same answer twice in one process and again in a fresh process."""
    probes = questions.probes_of_operations(client.hello)
    probes += [plain_probe(client.hello, text) for text in questions.ODD]
    twice = _ask(client, [*probes, *probes])
    client.end()
    in_fresh_process = _ask(client, probes)
    asked_again = [*twice[len(probes) :], *in_fresh_process]
    for first, second in zip(twice, asked_again, strict=True):
        if not same_answer(first.reply, second.reply):
            answers = f"{reply_json(first.reply)}, but asked again {reply_json(second.reply)}"
            return broken(f"{first.op} first answers {answers}", first, second)
    return ok(f"{len(probes)} questions, three times each")


def check_any_order(client: ProtocolClient) -> Diagnosis:
    """Check that the answer to a question does not depend on the questions before it.

    Ask questions that differ in only one field, in one order and in the reverse order.
    """
    families = questions.probe_families(client.hello)
    fields: list[str] = []  # of each probe, the field in which its family differs
    probes: list[Probe] = []
    for field, probes_of_family in families.items():
        fields += [field] * len(probes_of_family)
        probes += probes_of_family
    if not probes:
        return skipped("it offers no operation with two questions that differ in one field")
    forward = _ask(client, probes)
    client.end()  # so that a new process gets the reverse order
    backward = _ask(client, probes[::-1])[::-1]
    for field, first, second in zip(fields, forward, backward, strict=True):
        if not same_answer(first.reply, second.reply):
            answers = f"{reply_json(first.reply)}, but {reply_json(second.reply)} in reverse order"
            cause = f"the answer seems to carry over from a question with another `{field}`"
            family = [exchange for name, exchange in zip(fields, forward, strict=True) if name == field]
            return broken(f"{first.op} answers {answers}; {cause}", *family)
    return ok(f"{len(probes)} questions in both orders")


def non_ascii_probes(hello: Hello) -> Sequence[Probe]:
    """Return questions about texts with non-ASCII characters."""
    probes = [
        *questions.echoing_probes(hello, _NON_ASCII),
        *questions.echoing_probes(hello, _NON_ASCII_FRAGMENT),
    ]
    if "validate" in hello.ops:
        probes += [probe("validate", hello.specs, text) for text in (_NON_ASCII_PORT, _LETTER_PORT)]
    return probes


def judge_non_ascii(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that non-ASCII characters reach the library and come back unchanged."""
    for exchange in exchanges:
        same_operation = [answer for answer in exchanges if answer.op == exchange.op]
        fault = _non_ascii_fault(exchange, list(filter(_has_all_characters, same_operation)))
        if fault is not None:
            return fault
    verdicts = [exchange for exchange in exchanges if exchange.op == "validate"]
    if [exchange.reply.status for exchange in verdicts] == ["ok", "reject"]:
        note = (
            f"validate accepts {_NON_ASCII_PORT} and rejects {_LETTER_PORT}: \u00e9 may have arrived as `?`"
        )
        return warning(note, *verdicts)
    with_non_ascii = [exchange for exchange in exchanges if text_of(exchange.probe) != _LETTER_PORT]
    statuses = dict.fromkeys(f"{exchange.op} {exchange.reply.status}" for exchange in with_non_ascii)
    return ok(", ".join(statuses))


def _non_ascii_fault(exchange: Exchange, unchanged: Sequence[Exchange]) -> Diagnosis | None:
    """Return the diagnosis of an answer whose non-ASCII characters are garbled or missing, or None.

    `unchanged` are the answers to the same operation that have all characters. If there is one, the adapter
    passes characters on, so the library garbles them.
    """
    text = _answer_text(exchange)
    folded = _folded(text)
    answer = f"{exchange.op} of {text_of(exchange.probe)} returns {excerpt(text.encode())}"
    if any(sign in folded for sign in _GARBLED):
        if not unchanged:
            return broken(f"{answer}: garbled", exchange)
        reason = f"{text_of(unchanged[0].probe)} comes back unchanged"
        return warning(f"{answer}: garbled, by the library, because {reason}", exchange, unchanged[0])
    missing = [char for char, forms in _FORMS.items() if not any(form in folded for form in forms)]
    if not missing or "caf" not in folded:  # without "caf" the library does not expose the part
        return None
    note = f"{answer}, without {' and '.join(missing)}"
    arrived_as_question_mark = "?" in text or _components(exchange).get("query")
    if arrived_as_question_mark:
        return broken(f"{note}, which arrived as `?`", exchange)
    return warning(note, exchange)


def _has_all_characters(exchange: Exchange) -> bool:
    """Return True if an answer contains all characters outside ASCII unchanged."""
    text = _folded(_answer_text(exchange))
    return all(unchanged in text for unchanged, *_ in _FORMS.values())


def _folded(text: str) -> str:
    """Return a text in which letters are composed and case does not matter, as in `_GARBLED` and `_FORMS`."""
    return unicodedata.normalize("NFC", text).casefold()


def nul_probes(hello: Hello) -> Sequence[Probe]:
    """Return questions about a text with NUL, preferably with answers that contain the text."""
    return questions.echoing_probes(hello, _NUL) or [plain_probe(hello, _NUL)]


def judge_nul(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter neither cuts a text at NUL nor drops the NUL."""
    for exchange in exchanges:
        if exchange.reply.status != "ok":
            continue
        text = _answer_text(exchange)
        if "before" in text and "after" not in text:
            advice = "if the library does not accept NUL, answer `unsupported`"
            return warning(f"{exchange.op} cuts the text at NUL; {advice}", exchange)
        if "beforeafter" in text:
            return warning(f"{exchange.op} drops the NUL", exchange)
    return judge_any(exchanges)


def raw_probes(hello: Hello) -> list[Probe]:
    """Return questions with text that is not Unicode, one for each input field."""
    probes = [plain_probe(hello)]
    if "resolve" in hello.ops:
        probes.append(probe("resolve", hello.specs))
    fields = ("url", "reference", "text", "base")
    with_bytes: list[Probe] = []
    for question in probes:
        with_bytes += [{**question, field: _RAW} for field in fields if field in question]
    return with_bytes


def judge_raw(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that questions with bytes that are not Unicode are not answered with `error`."""
    for exchange in exchanges:
        if exchange.reply.status == "error":
            field = next(field for field, content in exchange.probe.items() if content == _RAW)
            note = f"bytes in `{field}` of {exchange.op} are answered with `error`: {exchange.reply.message}"
            return warning(f"{note}; answer `unsupported` if the library takes only text", exchange)
    return judge_any(exchanges)


def long_text_probes(hello: Hello) -> Sequence[Probe]:
    """Return a question of almost 1 MiB, a plain question, and questions with 70,000 letters.

    Two of these ask `validate` about an invalid text, one with a single letter.
    """
    full_line = plain_probe(hello, "http://h/" + "a" * _FULL_LINE_LENGTH)
    echoing = questions.echoing_probes(hello, "http://h/" + "a" * _LONG)
    probes = [full_line, plain_probe(hello), *echoing]
    if "validate" in hello.ops:
        # `<>` makes the text invalid, unless the adapter cuts it off
        invalid = (f"http://h/{'a' * count}<>" for count in (1, _LONG))
        probes += [probe("validate", hello.specs, text) for text in invalid]
    return probes


def check_long(client: Client) -> Diagnosis:
    """Check long texts.

    If an answer does not arrive in time, find out if the library takes quadratic time.
    """
    exchanges = []
    for question in long_text_probes(client.hello):
        try:
            exchanges += _ask(client, [question])
        except ProtocolBreach as breach:
            growth = _measure_growth(client, question) if breach.silent else ""
            if not growth:
                raise
            description = f"{question['op']} of {len(text_of(question)):,} characters"
            return warning(f"slow: {breach} to {description}; {growth}", rule=model.TIMEOUT)
    if isinstance(client, ProtocolClient):
        client.ask(plain_probe(client.hello))
    return judge_long(exchanges)


def _measure_growth(client: Client, question: Probe) -> str:
    """Measure how long the answers to parts of the text take.

    Say so if quadratic time explains the missing answer. Otherwise, return an empty string.
    """
    text = text_of(question)
    if not text:
        return ""
    client.end()
    client.ask(plain_probe(client.hello))  # the time to start must not count
    usual_seconds = _measure_answer(client, _with_text(question, PLAIN))
    for length in (_LONG // 10, _LONG):
        part = text[:length] + text[-2:]  # the end may make the text invalid
        seconds = _measure_answer(client, _with_text(question, part))
        extra_seconds = seconds - usual_seconds
        expected_seconds = extra_seconds * (len(text) / len(part)) ** 2
        if extra_seconds > _NOTICEABLE and expected_seconds > client.patience.answer:
            note = f"{len(part):,} take {seconds:.2f} s"
            return f"{note}, so the time of the library is about quadratic: {expected_seconds:.0f} s"
    return ""


def _with_text(question: Probe, text: str) -> Probe:
    """Return a question about another text, in each field that has the text of the question."""
    asked_text = text_of(question)
    return {field: text if content == asked_text else content for field, content in question.items()}


def _measure_answer(client: Client, question: Probe) -> float:
    """Ask a question, and return the seconds until its answer."""
    begun = time.monotonic()
    client.ask(question)
    return time.monotonic() - begun


def judge_long(exchanges: Sequence[Exchange]) -> Diagnosis:
    """Check that the adapter reads a line of almost 1 MiB as one line and does not cut long texts."""
    full_line, after, *_ = exchanges  # in the order of `long_text_probes`
    if after.reply.status == "error":
        note = f"the question after a line of {_FULL_LINE_LENGTH:,} bytes is answered with an error"
        return broken(f"{note}: {after.reply.message}", after)
    for exchange in exchanges:
        if exchange.reply.status != "ok" or exchange.op not in questions.ECHOING:
            continue
        sent_count = text_of(exchange.probe).count("a")
        returned_count = max(map(len, re.findall("a+", _answer_text(exchange))), default=0)
        if _FEW <= returned_count < sent_count:
            counts = f"{returned_count:,} of {sent_count:,} letters"
            return broken(f"{exchange.op} returns {counts}: the text is cut", exchange)
    invalid = [exchange for exchange in exchanges if text_of(exchange.probe).endswith("<>")]
    if [exchange.reply.status for exchange in invalid] == ["reject", "ok"]:
        note = f"the text with {_LONG:,} letters before <> is accepted: long text is cut"
        return broken(f"http://h/a<> is rejected, but {note}", *invalid)
    return ok(f"{_FULL_LINE_LENGTH:,} bytes are answered with {full_line.reply.status}")


def _answer_text(exchange: Exchange) -> str:
    """Return the URL and all components of an answer, joined by spaces.

    Those that are not Unicode come last, with escapes for bytes that are not UTF-8.
    """
    texts = []
    escaped_texts = []
    for content in (exchange.reply.url, *_components(exchange).values()):
        if isinstance(content, str):
            texts.append(content)
        elif isinstance(content, Hex):
            escaped_texts.append(bytes.fromhex(content.hex).decode("utf-8", "backslashreplace"))
    return " ".join([*texts, *escaped_texts])


def check_stderr(client: Client) -> Diagnosis:
    """Show the error line of the adapter's stderr. Warn if it was too long."""
    if len(client.stderr) >= STDERR_KEPT:
        return warning(f"it writes more than {STDERR_KEPT:,} bytes; only the last {STDERR_KEPT:,} are kept")
    if not client.stderr.strip():
        return ok("nothing was written")
    return ok(f"it wrote: {error_line(client.stderr)}")
