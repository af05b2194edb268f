"""Libraries of which the old gate saw too little, and faults planted in them: the gate finds each.

The gate of urlbaseline-1 counted complete answers by RFC and operation. A library that shows no port, no
userinfo or no scheme had hardly any, one that answers other questions than before had as many, and of a
part of an RFC nothing was counted. With commit 6026385, the last one with that gate only, every row of ROWS
ended with exit code 0.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from urlharness.adapters import reference
from urlharness.adapters.registry import InProcess
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Corpus
from urlharness.gate.baseline import Baseline
from urlharness.gate.gate import Judgement, decide
from urlharness.gate.update import create
from urlharness.protocol.limits import Limits
from urlharness.results.model import Results, read_results
from urlharness.runner import open_results, question, run

Question = Mapping[str, Any]
Reply = dict[str, Any]

UNSUPPORTED = {"status": "unsupported"}

#: The field of a reply that has its components, or the parts of a decoded view.
FIELDS = {"parse": "components", "decode": "decoded"}


@cache
def corpus() -> Corpus:
    return load()


@cache
def right_answer(key: str) -> str:
    return json.dumps(reference.answer(json.loads(key)))


def key_of(question: Question) -> str:
    return json.dumps({name: field for name, field in question.items() if name not in ("id", "type")})


@cache
def cases_of(spec: str, op: str) -> tuple[Case, ...]:
    return tuple(case for case in corpus().cases if (case.spec, case.vector.op) == (spec, op))


@cache
def open_questions(spec: str, op: str) -> frozenset[str]:
    """Return the questions whose answer the RFC leaves open; a wrong answer to them fails no gate."""
    cases = (case for case in cases_of(spec, op) if case.vector.binding != "required")
    return frozenset(key_of(json.loads(msgspec.json.encode(question(case)))) for case in cases)


def is_open(question: Question) -> bool:
    return key_of(question) in open_questions(question["spec"], question["op"])


@cache
def positions(spec: str, op: str) -> Mapping[str, int]:
    keys = (key_of(json.loads(msgspec.json.encode(question(case)))) for case in cases_of(spec, op))
    return {key: number for number, key in enumerate(keys)}


def is_odd(question: Question) -> bool:
    """Divide the questions of an operation into two halves."""
    return positions(question["spec"], question["op"])[key_of(question)] % 2 == 1


def parts_of(question: Question, reply: Reply) -> dict[str, Any]:
    parts: dict[str, Any] = reply.get(FIELDS.get(question["op"], ""), {})
    return parts


def with_parts(question: Question, reply: Reply, parts: Mapping[str, Any]) -> Reply:
    return {**reply, FIELDS[question["op"]]: parts}


# ---- faults: each takes a question, the reply of the library, and the name of a component or part


def lose(question: Question, reply: Reply, name: str) -> Reply:
    """Offer no answer any more to texts that have the component."""
    return UNSUPPORTED if parts_of(question, reply).get(name) is not None else reply


def hide(question: Question, reply: Reply, name: str) -> Reply:
    parts = parts_of(question, reply)
    visible = {part: text for part, text in parts.items() if part != name}
    return with_parts(question, reply, visible) if parts else reply


def less(question: Question, reply: Reply, name: str) -> Reply:
    """Leave the component out of some texts: those with a bracket if it is of the authority, or of half.

    Without a name, answer only half of the questions.
    """
    if not name:
        return UNSUPPORTED if is_odd(question) else reply
    authority = name in ("authority", "host", "net_loc", "port", "userinfo")
    fewer = "[" in question["url"] if authority and question["spec"] != "rfc1808" else is_odd(question)
    return hide(question, reply, name) if fewer else reply


def blank(question: Question, reply: Reply, name: str) -> Reply:
    """Exchange absent and empty; in answers that the RFC leaves open, show any text as absent."""
    if question["op"] == "base":
        if reply["base"]:
            return reply
        return {**reply, "base": "" if reply["base"] is None else None}
    parts = parts_of(question, reply)
    if name not in parts or (parts[name] and not is_open(question)):
        return reply
    return with_parts(question, reply, {**parts, name: "" if parts[name] is None else None})


def swap(question: Question, reply: Reply, name: str) -> Reply:
    """Exchange the component with the next one, in open answers or if one is absent and one is empty."""
    parts = parts_of(question, reply)
    if name not in parts:
        return reply
    names = [*parts]
    neighbour = names[(names.index(name) + 1) % len(names)]
    if not is_open(question) and (parts[name] or parts[neighbour]):
        return reply
    return with_parts(question, reply, {**parts, name: parts[neighbour], neighbour: parts[name]})


FAULTS: Mapping[str, Callable[[Question, Reply, str], Reply]] = {
    "lose": lose,
    "hide": hide,
    "swap": swap,
    "blank": blank,
    "less": less,
}


# ---- libraries: the reference, but without a component, or without half of the answers


def answers(library: str, fault: str = "", name: str = "") -> Callable[[Question], Reply]:
    """Return a library as an adapter: `no-port`, `half` or `whole`.

    The fault of `half` is to answer the other half instead.
    """
    hidden = library.removeprefix("no-")

    def answer(question: Question) -> Reply:
        if library == "half" and is_odd(question) is bool(fault):
            return UNSUPPORTED
        reply: Reply = json.loads(right_answer(key_of(question)))
        if reply["status"] != "ok" or library == "half":
            return reply
        if hidden in parts_of(question, reply):
            reply = hide(question, reply, hidden)
        return FAULTS[fault](question, reply, name) if fault else reply

    return answer


class Row(NamedTuple):
    """A fault that is planted in a library."""

    fault: str
    library: str
    """Ends with an asterisk if it does not have the feature absent-vs-empty."""
    spec: str
    op: str
    name: str = ""
    """The component or part."""
    section: str = ""
    """The only section that is asked after the fault, or empty."""


GENERIC = ("scheme", "authority", "userinfo", "host", "path", "query", "fragment")
OF_1808 = ("net_loc", "path", "params", "query", "fragment")
DECODED = ("host", "name", "request", "cwd", "search", "selector", "user")

#: A section with some vectors of each operation.
SECTIONS = {
    "validate": ("rfc3986", "3.2.2"),
    "parse": ("rfc3986", "3.2.2"),
    "resolve": ("rfc3986", "5.4.1"),
    "recompose": ("rfc1738", "3.1"),
    "normalize": ("rfc3986", "6.2.2.1"),
    "equivalent": ("rfc3986", "6.2.2.1"),
    "extract": ("rfc3986", "C"),
    "decode": ("rfc1738", "3.8"),
    "base": ("rfc1808", "3"),
}

#: The old gate found what is missing in these products, or the fault changes no answer.
PRODUCTS: list[tuple[str, ...]] = [
    *product(("lose", "hide", "less"), ["no-port"], ["rfc3986"], ["parse"], GENERIC),
    *product(("lose", "hide", "less"), ["no-userinfo"], ["rfc3986"], ["parse"], ["port"]),
    *product(("lose", "hide", "less"), ["no-scheme"], ["rfc1808"], ["parse"], OF_1808),
    *product(("lose", "hide"), ["no-scheme"], ["rfc1738"], ["decode"], DECODED),
    *product(["less"], ["no-scheme"], ["rfc1738"], ["decode"], DECODED[1:]),
    *product(("swap", "blank"), ["no-scheme*"], ["rfc2396"], ["parse"], GENERIC[1:]),
    *product(("swap", "blank"), ["no-scheme*"], ["rfc1808"], ["parse"], OF_1808),
    *product(["swap"], ["no-scheme"], ["rfc2396"], ["parse"], ("userinfo", "host")),
    *product(["swap"], ["no-scheme"], ["rfc1738"], ["decode"], ("host", "request")),
]

#: Every URL has a path, so that nothing would be judged.
NOTHING_JUDGED = {
    Row("lose", "no-scheme", "rfc1808", "parse", "path"),
    Row("lose", "no-port", "rfc3986", "parse", "path"),
}

ROWS: list[Row] = [
    *(row for row in (Row(*fields) for fields in PRODUCTS) if row not in NOTHING_JUDGED),
    Row("blank", "whole*", "rfc1808", "base"),
    *(Row("lose", "half", spec, op) for op, (spec, _) in SECTIONS.items()),
    *(Row("less", "whole", spec, op, "", section) for op, (spec, section) in SECTIONS.items()),
]


def results_of(folder: Path, row: Row, *, fault: bool) -> Results:
    """Ask the vectors of one operation, as if the RFC had no others."""
    spec, section = row.spec, row.section
    cases = list(cases_of(spec, row.op))
    part_of_corpus = structs.replace(corpus(), cases=cases, sizes={spec: len(cases)})
    if fault and section:
        cases = [case for case in cases if case.section == section]
        assert cases, row
    hello = {**reference.hello(), "implementation": {"name": "lib", "version": "1"}, "specs": [spec]}
    hello["features"] = [] if row.library.endswith("*") else ["absent-vs-empty"]
    answer = answers(row.library.rstrip("*"), row.fault if fault else "", row.name)
    path = folder / "results.jsonl"
    writer = open_results(path.open("wb"), part_of_corpus, cases)
    run(InProcess("lib", lambda: (hello, answer)), cases, writer, Limits())
    writer.close()
    return read_results(path)


def known_of(row: Row) -> list[str]:
    return [case.vector.id for case in cases_of(row.spec, row.op)]


def listing_of(results: Results, row: Row) -> Baseline:
    return create(results, results.participants[0], corpus_ids=known_of(row))


def gate(results: Results, baseline: Baseline, row: Row) -> Judgement:
    return decide(results, ["lib"], baselines={"lib": baseline}, corpus_ids=known_of(row)).judgements[0]
