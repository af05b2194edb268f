"""Questions in addition to the corpus: named differences, texts of the user, and parse questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from urlharness.compare.rfc_answers import is_whole_rule
from urlharness.compare.whole_questions import parse_case
from urlharness.corpus.differences import Difference, load_differences
from urlharness.corpus.loader import short_digest
from urlharness.corpus.model import Binding, Case, Corpus, Expected, Requirement, Vector
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
    """Return the vector of a named difference, or None if the RFC defines no answer."""
    answer = difference.answers.get(spec)
    if answer is None or answer.expect is None:
        return None
    rule = difference.rule
    if rule is None and difference.op == "validate":
        rule = SPECIFICATIONS[spec].default_rule
    inputs = {name: getattr(difference, name) for name in ("mode", "url", "other", "base", "reference")}
    binding: Binding = "impl-defined" if answer.ruling is not None and answer.expect.any else "required"
    return Vector(
        id=f"difference-{difference.id}",
        requirement=f"difference-{difference.id}",
        level="note",
        op=difference.op,
        expect=answer.expect,
        binding=binding,
        rule=rule,
        class_=entry,
        comment=difference.note,
        **{name: text for name, text in inputs.items() if text is not None},
    )


def parse_cases(known: Iterable[Case]) -> list[Case]:
    """Return a `parse` case for each invalid URL with an authority that `known` cases only validate.

    If a library accepts such a URL, the answer shows which host the library sees. Of several cases with one
    URL, the first makes the new case. Leave out texts that only a narrower rule refuses, such as a fragment
    in an `absolute-URI`: the RFC has components for them.
    """
    cases = list(known)
    parsed = {case.vector.url for case in cases if case.vector.op == "parse"}
    by_url: dict[str, Case] = {}
    for case in cases:
        url = case.vector.url
        if isinstance(url, str) and "//" in url and url not in parsed and _is_refused_whole(case, url):
            by_url.setdefault(url, parse_case(case))
    return list(by_url.values())


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
    cases = list(_text_cases(dict.fromkeys(texts), spec))
    requirements = {case.vector.id: _note_requirement(case, "a text of the user") for case in cases}
    digest = short_digest("\n".join(str(case.vector.url) for case in cases).encode("utf-8", "surrogatepass"))
    titles: dict[tuple[str, str], str] = {(spec, _TEXTS): "Texts of the user"}
    return Corpus(cases, requirements, titles, digest, f"{len(cases)} texts", {spec: len(cases)})


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
    urls = (case.vector.url for case in cases if case.vector.op in ("parse", "validate", "normalize"))
    return list(dict.fromkeys(url for url in urls if isinstance(url, str) and split(url)["host"] is not None))


def with_differences(corpus: Corpus, cases: list[Case], spec: Spec) -> tuple[Corpus, list[Case]]:
    """Return the corpus and the cases with the named differences and the parse questions added."""
    added = difference_cases(spec, cases)
    added += parse_cases([*cases, *added])
    statements = {
        case.vector.id: _note_requirement(
            case, f"difference: {case.vector.class_ or 'a parsed text that is no URL'}"
        )
        for case in added
    }
    return structs.replace(corpus, requirements={**corpus.requirements, **statements}), [*cases, *added]


def _note_requirement(case: Case, statement: str) -> Requirement:
    """Return the requirement of a case that no paragraph of an RFC requires."""
    return Requirement(
        case.vector.id, case.section, paragraph=0, digest="", level="note", statement=statement
    )
