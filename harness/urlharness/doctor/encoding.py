"""Checks of texts: the library gets every text as it was asked, whole, and its answer comes back so."""

from __future__ import annotations

import re
import unicodedata

import msgspec

from urlharness.corpus.model import Hex
from urlharness.doctor.checks import Check, CheckResult, broken, ok, skipped, warning
from urlharness.doctor.client import Question
from urlharness.doctor.questions import (
    Subject,
    answered,
    asked,
    goes_on,
    same,
    telling,
    telling_question,
    text_of,
)
from urlharness.protocol.messages import LINE_LIMIT, Reply
from urlharness.text import excerpt

# what UTF-8 becomes when it is read as Latin-1, or lost
_GARBLED = ("\u00c3\u00a9".casefold(), "\ufffd", "%c3%83", "%ef%bf%bd")


_BEYOND = "http://example.com/caf\u00e9/\U0001f600"


#: A letter of Latin-1 and one beyond 16 bits, and what a library may write for either.
_SIGNS = {
    "\u00e9": ("\u00e9", "%c3%a9", "%e9"),
    "U+1F600": ("\U0001f600", "%f0%9f%98%80"),
}


#: Operations whose answer to a text has the text.
_ECHOING = ("parse", "normalize", "resolve")


_NO_CHANCE = 8  # letters that are no others; fewer come where the part that has them is not exposed


_LETTERS = 70_000  # above 65,536, a usual size of buffers


_CASED = ("AbC", "DeF", "GhI")  # of the path, the query and the fragment, which have both cases


_EM_SPACE = "\u2003"  # white space that no specification of URLs takes away


def non_ascii(subject: Subject) -> CheckResult:
    """Text beyond ASCII arrives and comes back as it is."""
    said: list[str] = []
    for op in _echoing(subject):
        (reply,) = subject.ask(asked(op, subject.hello.specs, _BEYOND))
        if wrong := _unlike(op, reply):
            return wrong
        said.append(f"{op} {reply.status}")
    if "validate" in subject.hello.ops:
        beyond, letter = subject.ask(
            *(asked("validate", subject.hello.specs, f"http://h:8{sign}/") for sign in ("\u00e9", "x"))
        )
        if (letter.status, beyond.status) == ("reject", "ok"):
            return warning(
                "validate refuses http://h:8x/ and accepts http://h:8\u00e9/: the letter may arrive as `?`"
            )
        said.append(f"validate {beyond.status}")
    return ok(", ".join(said)) if said else skipped("it offers no operation that shows it")


def _unlike(op: str, reply: Reply) -> CheckResult | None:
    """What is wrong with the texts of an answer, where they have other signs than were asked."""
    text = _texts(reply)
    written = unicodedata.normalize("NFC", text).casefold()
    if any(sign in written for sign in _GARBLED):
        return broken(f"\u00e9 and U+1F600 come back garbled from {op}: {excerpt(text.encode())}")
    lost = [sign for sign, forms in _SIGNS.items() if not any(form in written for form in forms)]
    if not lost or "caf" not in written:  # a library may expose no part that has it
        return None
    names = " and ".join(lost)
    if "?" in text or (reply.components is not msgspec.UNSET and reply.components.get("query")):
        return broken(f"{names} came to {op} as `?`: {excerpt(text.encode())}")
    return warning(
        f"of {_BEYOND} {op} has lost {names}: {excerpt(text.encode())}; is it the library, or the adapter?"
    )


def as_asked(subject: Subject) -> CheckResult:
    """Letters keep their case, and white space stays where it is."""
    echoing = _echoing(subject)
    for op in echoing:
        if found := _other_case(subject, asked(op, subject.hello.specs, "http://h/AbC?DeF#GhI")):
            return found
        if found := _stripped(subject, op):
            return found
    if "recompose" in subject.hello.ops:
        question = asked("recompose", subject.hello.specs)
        path = "hpath" if question["spec"] == "rfc1738" else "path"
        components = {**question["components"], path: f"/{_CASED[0]}"}
        if found := _other_case(subject, {**question, "components": components}):
            return found
        echoing = [*echoing, "recompose"]
    return ok(" ".join(echoing)) if echoing else skipped("it offers no operation that shows it")


def _other_case(subject: Subject, question: Question) -> CheckResult | None:
    (reply,) = subject.ask(question)
    text = _texts(reply)
    wrong = [sign for sign in _CASED if sign not in text and sign.casefold() in text.casefold()]
    if not wrong:
        return None
    sent = question.get("components") or text_of(question)
    return warning(
        f"{', '.join(wrong)} of {sent} comes back from {question['op']} in another case: "
        f"{excerpt(text.encode())}; is it the library, or the adapter?"
    )


def _stripped(subject: Subject, op: str) -> CheckResult | None:
    """White space that is taken away at the end, but for a library that is known by what else it takes away.

    A parser after WHATWG drops a tab anywhere, and a space at the end; one that looks for a URL in a text,
    such as URI of Perl, drops the signs around it as well.
    """
    texts = ("http://h/end", f"http://h/end{_EM_SPACE}", "http://h/end ", "http://h/e\tnd", "<http://h/end>")
    bare, *others = subject.ask(*(asked(op, subject.hello.specs, text) for text in texts))
    wide, space, tab, angles = (same(reply, bare) for reply in others)
    if bare.status != "ok" or "end" not in _texts(bare) or angles or not (wide or (space and not tab)):
        return None
    return warning(
        f"{'U+2003' if wide else 'a space'} at the end of a text does not come back from {op}: "
        "is it stripped by the library, or by the adapter?"
    )


def nul(subject: Subject) -> CheckResult:
    """A NUL is a character like any other."""
    for op in _echoing(subject) or [telling(subject.hello.ops) or "parse"]:
        (reply,) = subject.ask(asked(op, subject.hello.specs, "http://example.com/before\0after"))
        text = _texts(reply)
        goes_on(subject, f"a text with NUL is answered with {reply.status}")
        if reply.status != "ok" or "before" not in text:
            continue
        if "after" not in text:
            return warning(f"{op} has a text cut at NUL: answer unsupported where a library cannot take one")
        if "beforeafter" in text:
            return warning(f"{op} has a text without its NUL: is it the library, or the adapter?")
    return answered(reply)


def octets(subject: Subject) -> CheckResult:
    """Text that is not Unicode is an object with hex digits."""
    telling_one = telling_question(subject)
    questions = [("octets", {**telling_one, **_hex(telling_one, "url", "reference", "text")})]
    if "resolve" in subject.hello.ops:
        pair = asked("resolve", subject.hello.specs, "g")
        questions += (
            (f"octets in the {name} of resolve", {**pair, **_hex(pair, name)})
            for name in ("reference", "base")
        )
    for where, question in questions:
        (reply,) = subject.ask(question)
        goes_on(subject, f"{where} are answered with {reply.status}")
        if reply.status == "error":
            return warning(
                f"{where} are an error ({reply.message}): unsupported would say that it takes none"
            )
    return answered(reply)


def long_line(subject: Subject) -> CheckResult:
    """A line of a megabyte is a line, and its text is not cut."""
    length = LINE_LIMIT - 4096  # with what stands around it, in the answer as well
    long, short = telling_question(subject, "http://h/" + "a" * length), telling_question(subject)
    reply, after = subject.ask(long, short)
    if after.status == "error":
        return broken(f"after a line of {length} octets: {after.message}")
    cut = _cut(long["op"], reply, length) or _cut_elsewhere(subject, long["op"])
    return cut or ok(f"{length:,} octets are answered with {reply.status}")


def _cut(op: str, reply: Reply, length: int) -> CheckResult | None:
    text = _texts(reply)
    if reply.status != "ok" or not text or op not in _ECHOING:
        return None
    longest = max(map(len, re.findall("a+", text)), default=0)
    if not _NO_CHANCE <= longest < length:
        return None
    return broken(
        f"of {length:,} letters {longest:,} come back from {op}: the text is cut; "
        "answer unsupported where a library cannot take as much"
    )


def _cut_elsewhere(subject: Subject, told: str) -> CheckResult | None:
    """Cut by another operation than the one that has told."""
    letters = "a" * _LETTERS
    for op in _echoing(subject):
        if op != told:
            (reply,) = subject.ask(asked(op, subject.hello.specs, f"http://h/{letters}"))
            if cut := _cut(op, reply, _LETTERS):
                return cut
    if "validate" not in subject.hello.ops:
        return None
    short, long = subject.ask(
        *(asked("validate", subject.hello.specs, f"http://h/{text}<>") for text in ("a", letters))
    )
    if (short.status, long.status) != ("reject", "ok"):
        return None
    return broken(
        f"http://h/a<> is refused, and with {_LETTERS:,} letters before <> is accepted: "
        "the text is cut; answer unsupported where a library cannot take as much"
    )


def _echoing(subject: Subject) -> list[str]:
    return [op for op in _ECHOING if op in subject.hello.ops]


def _hex(question: Question, *names: str) -> dict[str, dict[str, str]]:
    return {name: {"hex": "687474703a2f2f682fff"} for name in names if name in question}


def _texts(reply: Reply) -> str:
    """Every text of an answer, in one."""
    found: list[object] = [reply.url]
    if reply.components is not msgspec.UNSET:
        found += reply.components.values()
    return " ".join(_text(value) for value in found if value and isinstance(value, str | Hex))


def _text(value: str | Hex) -> str:
    return value if isinstance(value, str) else bytes.fromhex(value.hex).decode("utf-8", "backslashreplace")


_UTF8 = "one JSON object a line, UTF-8"


_ANSWERS = "answers: parse `components`; resolve, recompose and normalize `url`"


CHECKS = (
    Check("non-ASCII", _UTF8, non_ascii),
    Check("case and space", _ANSWERS, as_asked),
    Check("NUL", _UTF8, nul),
    Check("octets", 'text that is not Unicode travels as {"hex": …}', octets),
    Check("long line", "lines of at most 1 MiB", long_line),
)
