"""The answers of the reference adapter to a vector are exactly the answers that the vector admits.

The answers of the adapter are its reply, `also`, and a rejection or acceptance if the reply has `may_reject`
or `may_accept`.  Two answers are the same if the verdict on one, with the other as expectation, is `pass`: it
ignores the case of scheme and host (G-11) and, in components of RFC 1808, takes empty as absent (G-09).

- A closed vector (required, permitted-set, literal-only) admits the answers that it lists.  The adapter gives
  each of them and no other, except under the rulings in `NOT_NAMED`, and recommends the first.
- An open vector (impl-defined, unspecified) admits every answer and lists those that its ruling names.  The
  adapter gives no answer that is not in the list, and each that is, except under the rulings in `NOT_GIVEN`.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import chain, product

import msgspec
import pytest
from msgspec import structs

from urlharness.adapters.reference import answer
from urlharness.corpus.loader import load
from urlharness.corpus.model import Case, Expected, Hex, Text
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import Outcome, judge
from urlharness.runner import question
from urloracle import operations

pytestmark = pytest.mark.proof

CLOSED = frozenset(("required", "permitted-set", "literal-only"))

#: Rulings of open vectors with answers that the adapter does not give: guesses and checks of a client.
NOT_GIVEN = {
    "G-19": "white space of Unicode, dropped",
    "R-1738-01": "the generic reading of a wrapped URL",
    "R-1738-03": "a prefix in capitals, unwrapped, or found in one case only",
    "R-1738-06": "the layout of an unknown scheme, demanded of its scheme part",
    "R-1738-08": "lengths of names, from RFC 1034",
    "R-1738-20": "an encoded character as the type, refused by a parser",
    "R-1738-33": "other treatments of a prefix `URL:`",
    "R-1738-34": "a prefix that is not beside its bracket, and URLs that are not checked",
    "R-1738-46": "fields compared in any order",
    "R-1808-07": "empty segments, which are not in the grammar",
    "R-1808-29": "the split of an invalid text",
    "R-2396-03": "names of schemes such as `dav:`",
    "R-2396-07": "the algorithm, continued with an invalid reference",
    "R-2396-13": "lengths of names, from RFC 1034, and full qualification",
    "R-2396-24": "the split of an invalid text",
    "R-2396-28": "broken delimiters",
    "R-3986-35": "broken delimiters",
    "R-3986-48": "relative references, compared as they are",
}

#: Rulings of `permitted-set` vectors with answers that the adapter does not give.
NOT_NAMED = {
    "G-11": "the case of a host, folded in a recomposed URL",
    "R-3987-06": "the refusal of an IRI with a formatting character",
    "R-3987-07": "later formatting characters that stay encoded",
    "R-3987-08": "doubtful characters that stay encoded",
    "R-3987-20": "hosts by later versions of IDNA",
    "R-3987-25": "triplets with digits in lower case",
    "R-3987-46": "triplets with digits in lower case",
}

#: The field of a reply that answers an operation.
FIELDS = {"parse": "components", "equivalent": "equal", "decode": "decoded", "base": "base"}

REJECTED, ACCEPTED = Reply(0, "reject"), Reply(0, "ok")
FEATURES = ("absent-vs-empty",)


def replies_of(case: Case) -> list[Reply]:
    """Return the answers of the adapter, each as a reply of its own, the recommended one first."""
    if case.vector.op == "extract":
        return [Reply(0, "ok", urls=list(urls)) for urls in extracted(case.vector.text, case.spec)]
    fields = msgspec.to_builtins(question(case))
    reply = msgspec.convert({"id": 0, **answer(fields)}, Reply)
    field = FIELDS.get(case.vector.op, "url")
    replies = [structs.replace(reply, also=[])]
    replies += [Reply(0, "ok", **{field: also}) for also in reply.also]
    if reply.may_accept:
        replies.append(ACCEPTED)
    return [*replies, REJECTED] if reply.may_reject else replies


def extracted(text: Text, spec: str) -> list[tuple[list[str], ...]]:
    """Return every admissible list of URLs: each has one of its readings; an optional one may be missing."""
    source = bytes.fromhex(text.hex).decode("utf-8", "surrogateescape") if isinstance(text, Hex) else text
    choices: list[list[tuple[list[str], ...]]] = []
    for extraction in operations.extract(source, spec):
        parts = ((reading.text, reading.fragment) for reading in extraction.readings)
        texts = (url if fragment is None else f"{url}#{fragment}" for url, fragment in parts)
        readings: list[tuple[list[str], ...]] = [([text],) for text in dict.fromkeys(texts)]
        choices.append([(), *readings] if extraction.optional else readings)
    return [sum(choice, ()) for choice in product(*choices)]


def admitted(case: Case) -> list[Case]:
    """Return a case for each answer that the vector lists; URLs in a text have one reading each."""
    alternatives = []
    for expected in case.vector.expect.alternatives:
        if isinstance(expected.urls, tuple):
            alternatives += [Expected(urls=tuple((url,) for url in urls)) for urls in product(*expected.urls)]
        else:
            alternatives.append(structs.replace(expected, variant=None))
    vectors = (
        structs.replace(case.vector, expect=alternative, binding="required") for alternative in alternatives
    )
    return [structs.replace(case, vector=vector) for vector in vectors]


def is_answer(case: Case, reply: Reply) -> bool:
    """Return True if a reply is the answer that a case expects."""
    if judge(case, reply, FEATURES).outcome is Outcome.PASS:
        return True
    return any(
        judge(folded(case), candidate, FEATURES).outcome is Outcome.PASS for candidate in (reply, fold(reply))
    )


def fold(reply: Reply) -> Reply:
    """Return a reply with scheme and host of a base or of extracted URLs in lower case (G-11)."""
    if isinstance(reply.base, str):
        return structs.replace(reply, base=lower(reply.base))
    if isinstance(reply.urls, list):
        return structs.replace(reply, urls=[[lower(url) for url in readings] for readings in reply.urls])
    return reply


def folded(case: Case) -> Case:
    """Return a case that expects scheme and host of a base or of extracted URLs in lower case (G-11)."""
    expect = case.vector.expect
    if isinstance(expect.base, str):
        expect = structs.replace(expect, base=lower(expect.base))
    if isinstance(expect.urls, tuple):
        urls = tuple(tuple(lower(url) for url in readings) for readings in expect.urls)
        expect = structs.replace(expect, urls=urls)
    return structs.replace(case, vector=structs.replace(case.vector, expect=expect))


def lower(url: str) -> str:
    """Return a URL with scheme and host in lower case."""
    return re.sub(r"^[^:/?#]+:(?://[^/?#@]*(?![^/?#]*@))?", lambda match: match[0].lower(), url)


def exempt_rulings(case: Case) -> Collection[str]:
    """Return the rulings under which the adapter need not give each answer of a case."""
    if case.vector.binding == "permitted-set":
        return NOT_NAMED
    return () if case.vector.binding in CLOSED else NOT_GIVEN


def differences(case: Case) -> list[str]:
    """Return how the answers of the adapter differ from those that the vector admits."""
    answers = replies_of(case)
    alternatives = admitted(case)
    problems = [
        f"gives {answer}"
        for answer in answers
        if not any(is_answer(alternative, answer) for alternative in alternatives)
    ]
    closed = case.vector.binding in CLOSED
    if case.vector.ruling not in exempt_rulings(case):
        problems += [
            f"does not give {alternative.vector.expect}"
            for alternative in alternatives
            if not any(is_answer(alternative, answer) for answer in answers)
        ]
    if closed and not is_answer(alternatives[0], answers[0]):
        problems.append(f"recommends {answers[0]}, not {alternatives[0].vector.expect}")
    return [f"{case.vector.id} {problem}" for problem in problems]


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The cases of the corpus."""
    return list(load().cases)


@pytest.mark.parametrize("step", [10, pytest.param(1, marks=pytest.mark.long)])
def test_the_adapter_gives_every_admitted_answer_and_no_other(cases, step):
    problems = []
    for case in cases[::step]:
        problems += differences(case)
    assert problems == []


def urls_of_reply(reply) -> set[str]:
    """Return the required and the optional URLs of a reply, in all of their readings."""
    return set(chain.from_iterable([*reply["urls"], *reply.get("also", ())]))


def urls_of_text(case: Case) -> set[str]:
    """Return the URLs of every admissible list of the text of a case."""
    urls = set()
    for admissible_list in extracted(case.vector.text, case.spec):
        urls.update(chain.from_iterable(admissible_list))
    return urls


def test_a_reply_to_extract_has_exactly_the_urls_of_the_text(cases):
    """It lists required and optional URLs separately; together they are those that the oracle finds."""
    extractions = [case for case in cases if case.vector.op == "extract"]
    assert extractions
    for case in extractions:
        reply = answer(msgspec.to_builtins(question(case)))
        assert urls_of_reply(reply) == urls_of_text(case), case.vector.id


def has_answer_left_out(case: Case) -> bool:
    """Return True if the adapter does not give an answer that the vector lists."""
    answers = replies_of(case)

    def is_given(alternative: Case) -> bool:
        return any(is_answer(alternative, answer) for answer in answers)

    return not all(map(is_given, admitted(case)))


def test_every_exempt_ruling_needs_its_exemption(cases):
    """Each ruling in `NOT_GIVEN` has an open vector with an answer that the adapter does not give."""
    rulings = set()
    for case in cases:
        is_exempt = case.vector.binding not in CLOSED and case.vector.ruling in NOT_GIVEN
        if is_exempt and has_answer_left_out(case):
            rulings.add(case.vector.ruling)
    assert rulings == NOT_GIVEN.keys()


#: Questions of the corpus, and an expectation that does not admit what the adapter answers.
PLANTED = {
    "answer-left-out": ("rfc3986-5.2.3-last-dotdot-end", {"result": "http://a/b/g"}),
    "answer-added": (
        "rfc3986-6.2.3-scheme-empty-host",
        {"any": [{"result": "file:///x"}, {"result": "file:/x", "variant": "v"}]},
    ),
    "other-recommendation": (
        "rfc3986-6.2.3-scheme-localhost",
        {"any": [{"result": "file://localhost/x"}, {"result": "file:///x", "variant": "v"}]},
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_an_expectation_that_does_not_admit_the_answers_of_the_adapter_is_one_difference(name, cases):
    id_of_vector, expect = PLANTED[name]
    (case,) = [case for case in cases if case.vector.id == id_of_vector]
    vector = structs.replace(case.vector, expect=msgspec.convert(expect, Expected))
    assert len(differences(structs.replace(case, vector=vector))) == 1
