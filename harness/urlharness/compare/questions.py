"""Questions in addition to the corpus: named differences, texts of the user, and parse questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import structs

from urlharness.compare.rfc_answers import is_whole_rule
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
    asked = {_question(case.vector) for case in known if case.spec == spec}
    found = []
    for name, differences in load_differences().items():
        for one in differences:
            vector = _difference_vector(one, name, spec)
            if vector is not None and _question(vector) not in asked:
                found.append(Case(spec, one.answers[spec].section, vector, f"differences/{name}.json"))
    return found


def _difference_vector(one: Difference, name: str, spec: Spec) -> Vector | None:
    answer = one.answers.get(spec)
    if answer is None or answer.expect is None:
        return None
    rule = one.rule or (SPECIFICATIONS[spec].default_rule if one.op == "validate" else None)
    inputs = {key: value for key in ("mode", "url", "other", "base", "reference")
              if (value := getattr(one, key)) is not None}  # fmt: skip
    binding: Binding = "impl-defined" if answer.ruling is not None and answer.expect.any else "required"
    return Vector(id=f"difference-{one.id}", requirement=f"difference-{one.id}", level="note", op=one.op,
                  expect=answer.expect, binding=binding, rule=rule, class_=name, comment=one.note,
                  **inputs)  # fmt: skip


def parse_cases(known: Iterable[Case]) -> list[Case]:
    """Return a `parse` case for each invalid URL with an authority that `known` cases only validate.

    If a library accepts such a URL, the answer shows which host the library sees. Leave out texts that only
    a narrower rule refuses, such as a fragment in an `absolute-URI`: the RFC has components for them.
    """
    cases = list(known)
    parsed = {case.vector.url for case in cases if case.vector.op == "parse"}
    found: dict[str, Case] = {}
    for case in cases:
        vector, url = case.vector, case.vector.url
        if vector.op != "validate" or vector.expect.valid is not False or vector.binding != "required":
            continue
        if vector.rule is None or not is_whole_rule(vector.rule):
            continue
        if not isinstance(url, str) or url in parsed or "//" not in url:
            continue
        if SPECIFICATIONS[case.spec].accepts(url):
            continue
        asked = structs.replace(
            vector, id=f"difference-parse-{vector.id}", requirement=f"difference-parse-{vector.id}",
            level="note", op="parse", rule=None, expect=Expected(valid=False), origin=None,
        )  # fmt: skip
        found.setdefault(url, structs.replace(case, vector=asked, file="differences/parse.json", digest=""))
    return list(found.values())


def _question(vector: Vector) -> tuple[object, ...]:
    return (vector.op, vector.rule, vector.mode, vector.url, vector.other, vector.base, vector.reference)


def text_corpus(texts: Iterable[str], spec: Spec) -> Corpus:
    """Return a corpus that parses each text once, as a URL or a relative reference.

    The expected answers are the verdicts and components of the RFC's grammar.
    """
    cases = list(_text_cases(dict.fromkeys(texts), spec))
    requirements = {
        case.vector.id: Requirement(case.vector.id, _TEXTS, 0, "", "note", "a text of the user")
        for case in cases
    }
    digest = short_digest("\n".join(str(case.vector.url) for case in cases).encode("utf-8", "surrogatepass"))
    titles: dict[tuple[str, str], str] = {(spec, _TEXTS): "Texts of the user"}
    return Corpus(cases, requirements, titles, digest, f"{len(cases)} texts", {spec: len(cases)})


def _text_cases(texts: Iterable[str], spec: Spec) -> Iterator[Case]:
    specification = SPECIFICATIONS[spec]
    for number, text in enumerate(texts, 1):
        try:
            found = specification.asdict(specification.parse(text))
        except (InvalidURL, Unsupported):
            expect = Expected(valid=False)
        else:
            expect = Expected(components=found)
        name = f"text-{number}"
        vector = Vector(id=name, requirement=name, level="note", op="parse", expect=expect,
                        binding="required", url=text)  # fmt: skip
        yield Case(spec, _TEXTS, vector, _TEXTS)


def whole_texts(cases: Iterable[Case]) -> list[str]:
    """Return the URLs with an authority that cases ask about, each once."""
    urls = (case.vector.url for case in cases if case.vector.op in ("parse", "validate", "normalize"))
    return list(dict.fromkeys(url for url in urls if isinstance(url, str) and split(url)["host"] is not None))


def with_differences(corpus: Corpus, cases: list[Case], spec: Spec) -> tuple[Corpus, list[Case]]:
    """Return the corpus and the cases with the named differences and the parse questions added."""
    added = difference_cases(spec, cases)
    added += parse_cases([*cases, *added])
    statements = {
        case.vector.id: Requirement(
            case.vector.id, case.section, 0, "", "note", f"difference: {case.vector.class_}"
        )
        for case in added
    }
    return structs.replace(corpus, requirements={**corpus.requirements, **statements}), [*cases, *added]
