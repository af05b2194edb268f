"""EARL: an RDF report in Turtle, with an assertion for each case of each implementation.

EARL is the W3C's vocabulary for test results. Groups that collect reports of several implementations, such as
those of RDF, read it. The document is written here, because Turtle needs nothing but the escaping of texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import quote

from urlharness.corpus.specifications import is_asked
from urlharness.results.model import Participant, Results
from urlharness.results.verdict import Outcome
from urlharness.text import logged

_PREFIXES = {
    "dct": "http://purl.org/dc/terms/",
    "earl": "http://www.w3.org/ns/earl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

#: The program that asserts.
_TOOL = "<urn:urlconform:tool>"

#: The outcome of a case in EARL. An answer in part shows neither that the rest is right nor that it is wrong.
_OUTCOMES: Mapping[Outcome, str] = {
    Outcome.PASS: "passed",
    Outcome.VARIANT: "passed",
    Outcome.PARTIAL: "cantTell",
    Outcome.FAIL: "failed",
    Outcome.UNSUPPORTED: "inapplicable",
    Outcome.ERROR: "failed",
    Outcome.TIMEOUT: "failed",
    Outcome.CRASH: "failed",
    Outcome.GARBAGE: "failed",
    Outcome.NO_ANSWER: "failed",
    Outcome.ABORTED: "cantTell",
}


def render(results: Results, *_gate: object) -> str:
    """Return the report. Generated cases have no assertions, because only those that failed are recorded.

    Every format gets the judgements and the baselines of a gate. EARL does not show them.
    """
    return "".join(f"{line}\n" for line in _turtle_lines(results))


def _turtle_lines(results: Results) -> Iterator[str]:
    """Yield the prefixes, the program that asserts, and each implementation with its assertions."""
    for prefix, namespace in _PREFIXES.items():
        yield f"@prefix {prefix}: <{namespace}> ."
    version = _literal(results.header.urlconform)
    yield f'{_TOOL} a earl:Software ; dct:title "urlconform" ; dct:hasVersion {version} .'
    for participant in results.participants:
        yield _subject_line(participant)
        yield from _assertion_lines(results, participant)


def _subject_line(participant: Participant) -> str:
    """Return the description of an implementation, with the version of the library if it is known."""
    about = participant.implementation
    title = about.name if about and about.name else participant.name
    line = f"{_subject_iri(participant)} a earl:TestSubject, earl:Software ; dct:title {_literal(title)}"
    if about and about.version:
        line += f" ; dct:hasVersion {_literal(about.version)}"
    return f"{line} ."


def _assertion_lines(results: Results, participant: Participant) -> Iterator[str]:
    """Yield an assertion for each case that is asked of an implementation, also if it did not run."""
    answers = results.of(participant.name)
    date = f"{_literal(results.header.started)}^^xsd:dateTime"
    subject = _subject_iri(participant)
    for identifier, vector in results.vectors.items():
        answer = answers.get(identifier)
        if answer is None and not is_asked(vector.case.spec, participant.specs):
            continue
        outcome = "untested" if answer is None else _OUTCOMES[answer.outcome]
        description = f"a earl:TestResult ; earl:outcome earl:{outcome} ; dct:date {date}"
        if answer is not None and answer.detail:
            description += f" ; earl:info {_literal(answer.detail)}"
        test = _urn("case", identifier)
        yield (
            f"[] a earl:Assertion ; earl:assertedBy {_TOOL} ; earl:mode earl:automatic"
            f" ; earl:subject {subject} ; earl:test {test} ; earl:result [ {description} ] ."
        )


def _subject_iri(participant: Participant) -> str:
    """Return the IRI of an implementation, the subject of its assertions."""
    return _urn("implementation", participant.name)


def _urn(kind: str, name: str) -> str:
    """Return an IRI of Turtle for the name of a `case` or an `implementation`, which may be any text."""
    encoded = quote(name.encode("utf-8", "surrogatepass"), safe="")
    return f"<urn:urlconform:{kind}:{encoded}>"


def _literal(text: str) -> str:
    """Return a text as a literal of Turtle, with what terminals and build servers act on escaped."""
    visible = logged(text)
    escaped = visible.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
