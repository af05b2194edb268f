"""Questions in addition to the corpus: named differences, texts of the user, and parse questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import structs

from urlharness.compare.rfc_answers import is_whole_rule
from urlharness.compare.whole_questions import parse_case
from urlharness.corpus.differences import Difference, load_differences
from urlharness.corpus.loader import short_digest
from urlharness.corpus.model import Case, Corpus, Expected, Requirement, Vector
from urlharness.corpus.specifications import Spec
from urlharness.panel.spelling import split
from urloracle.errors import InvalidURL
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

#: The file and the section of cases that ask about the user's texts.
_TEXTS = "texts"


def difference_cases(spec: Spec, known: Iterable[Case]) -> list[Case]:
    """Return the named differences as cases of an RFC.

    Leave out differences for which the RFC defines no answer, and questions that `known` cases already ask.
    The cases have level `note`, so they do not count for compliance.
    """
    known_inputs = {_inputs(case.vector) for case in known if case.spec == spec}
    cases = []
    for entry, differences in load_differences().items():
        for difference in differences:
            vector = _difference_vector(difference, entry, spec)
            if vector is not None and _inputs(vector) not in known_inputs:
                section = difference.answers[spec].section
                cases.append(Case(spec, section, vector, f"differences/{entry}.json"))
    return cases


def _difference_vector(difference: Difference, entry: str, spec: Spec) -> Vector | None:
    """Return the vector of a named difference, or None if the RFC defines no answer.

    `entry` is the id of the class of the difference.
    """
    answer = difference.answers.get(spec)
    if answer is None or answer.expect is None:
        return None
    name = f"difference-{difference.id}"
    rule = difference.rule
    if rule is None and difference.op == "validate":
        rule = SPECIFICATIONS[spec].default_rule
    # by a ruling, the RFC may leave the choice of several answers
    is_free = answer.ruling is not None and bool(answer.expect.any)
    return Vector(
        id=name,
        requirement=name,
        level="note",
        op=difference.op,
        expect=answer.expect,
        binding="impl-defined" if is_free else "required",
        rule=rule,
        mode=difference.mode,
        url=_text_or_unset(difference.url),
        other=_text_or_unset(difference.other),
        base=_text_or_unset(difference.base),
        reference=_text_or_unset(difference.reference),
        class_=entry,
        comment=difference.note,
    )


def _text_or_unset(text: str | None) -> str | msgspec.UnsetType:
    return msgspec.UNSET if text is None else text


def parse_cases(known: Iterable[Case]) -> list[Case]:
    """Return a `parse` case for each invalid URL with an authority that `known` cases only validate.

    If a library accepts such a URL, the answer shows which host the library sees. Of several cases with one
    URL, the first makes the new case. Leave out texts that only a narrower rule refuses, such as a fragment
    in an `absolute-URI`: the RFC has components for them.
    """
    cases = list(known)
    parsed = {case.vector.url for case in cases if case.vector.op == "parse"}
    case_by_url: dict[str, Case] = {}
    for case in cases:
        url = case.vector.url
        if not isinstance(url, str) or "//" not in url:
            continue
        is_asked = url in parsed or url in case_by_url
        if not is_asked and _is_refused_whole(case, url):
            case_by_url[url] = parse_case(case)
    return list(case_by_url.values())


def _is_refused_whole(case: Case, url: str) -> bool:
    """Return True if a case asks to validate a URL that the RFC refuses under its default rule, too."""
    vector = case.vector
    if vector.op != "validate" or vector.expect.valid is not False or vector.binding != "required":
        return False
    if vector.rule is None or not is_whole_rule(vector.rule):
        return False
    return not SPECIFICATIONS[case.spec].accepts(url)


def is_text_of_user(case: Case) -> bool:
    """Return True if the case asks about a text of the user. Such a case is in no corpus."""
    return case.file == _TEXTS


def _inputs(vector: Vector) -> tuple[object, ...]:
    """Return what a vector asks. Two vectors with equal inputs are one question."""
    return (vector.op, vector.rule, vector.mode, vector.url, vector.other, vector.base, vector.reference)


def text_corpus(texts: Iterable[str], spec: Spec) -> Corpus:
    """Return a corpus that parses each text once, as a URL or a relative reference.

    The expected answers are the verdicts and components of the RFC's grammar.
    """
    distinct_texts = list(dict.fromkeys(texts))
    cases = list(_text_cases(distinct_texts, spec))
    requirements = {case.vector.id: _requirement_of_note(case, "a text of the user") for case in cases}
    content = "\n".join(distinct_texts)
    return Corpus(
        cases,
        requirements,
        titles={(spec, _TEXTS): "Texts of the user"},
        digest=short_digest(content.encode("utf-8", "surrogatepass")),
        version=f"{len(cases)} texts",
        sizes={spec: len(cases)},
    )


def _text_cases(texts: Iterable[str], spec: Spec) -> Iterator[Case]:
    """Yield the case of each text. If the RFC does not define components for it, it must be refused."""
    specification = SPECIFICATIONS[spec]
    for number, text in enumerate(texts, 1):
        try:
            expect = Expected(components=specification.asdict(specification.parse(text)))
        except (InvalidURL, Unsupported):
            expect = Expected(valid=False)
        name = f"text-{number}"
        vector = Vector(
            id=name,
            requirement=name,
            level="note",
            op="parse",
            expect=expect,
            binding="required",
            url=text,
        )
        yield Case(spec, _TEXTS, vector, _TEXTS)


def urls_with_authority(cases: Iterable[Case]) -> list[str]:
    """Return the URLs with an authority that cases ask about, each once."""
    urls: dict[str, None] = {}  # a set in the order of the cases
    for case in cases:
        url = case.vector.url
        if case.vector.op not in ("parse", "validate", "normalize") or not isinstance(url, str):
            continue
        if split(url)["host"] is not None:
            urls[url] = None
    return list(urls)


def with_differences(corpus: Corpus, cases: list[Case], spec: Spec) -> tuple[Corpus, list[Case]]:
    """Return the corpus and the cases with the named differences and the parse questions added.

    To the corpus, only the requirements of the added cases are added.
    """
    differences = difference_cases(spec, cases)
    added = [*differences, *parse_cases([*cases, *differences])]
    requirements = dict(corpus.requirements)
    for case in added:
        subject = case.vector.class_ or "a parsed text that is no URL"
        requirements[case.vector.id] = _requirement_of_note(case, f"difference: {subject}")
    return structs.replace(corpus, requirements=requirements), [*cases, *added]


def _requirement_of_note(case: Case, statement: str) -> Requirement:
    """Return the requirement of a case that no paragraph of an RFC requires."""
    return Requirement(
        case.vector.id, case.section, paragraph=0, digest="", level="note", statement=statement
    )
