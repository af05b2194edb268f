"""Derived vectors, which follow from vectors of RFC 3986: two proofs of each, on automata of two kinds.

The first proof asks the oracle.  The second asks DFAs that are made of the text of the ABNF by derivatives,
and checks components without a parser: they are of their rules, and together they are the text.
"""

from __future__ import annotations

from importlib import resources

import msgspec
import pytest

from urlauthor.derived import IPRIVATE, LIMIT, UCSCHAR, derive
from urlauthor.lint.vectors import DERIVED
from urlharness.corpus.model import Case, Corpus, Expected, corpus_dir
from urloracle import InvalidURL, parse, validate
from urloracle.rfcs import RFC3987

from ..oracle import second_iris  # noqa: TID252 - tests are not an installed package
from ..oracle.abnf_dfas import AbnfDfas, productions, section_of_abnf  # noqa: TID252 - likewise

PRINTED = (resources.files("urloracle") / "grammars" / "rfc3987.abnf").read_text("ascii")


@pytest.fixture(scope="module")
def derived_cases(corpus: Corpus) -> list[Case]:
    cases = [case for case in corpus.cases if case.vector.origin == "derived"]
    assert len(cases) > 400
    return cases


@pytest.fixture(scope="module")
def dfas() -> AbnfDfas:
    return AbnfDfas(PRINTED)


def test_the_files_have_the_vectors_that_follow(corpus):
    paths = corpus_dir().glob(f"rfc*/*{DERIVED}")
    files = {path.relative_to(corpus_dir()).as_posix(): path.read_text("ascii") for path in paths}
    assert files == derive(corpus)


def test_there_are_no_more_than_the_limit(derived_cases):
    assert len(derived_cases) <= LIMIT


def test_one_letter_of_the_original_is_replaced_by_a_character_beyond_ascii(corpus, derived_cases):
    texts = {case.vector.id: case.vector.url for case in corpus.cases}
    for case in derived_cases:
        original = texts[case.vector.comment.partition(" ")[0]]
        pairs = [pair for pair in zip(original, case.vector.url, strict=True) if len(set(pair)) > 1]
        ((letter, character),) = pairs
        assert letter.isalpha(), case.vector.id
        assert letter.isascii(), case.vector.id
        assert character in UCSCHAR + IPRIVATE, case.vector.id


@pytest.mark.parametrize(
    ("characters", "rule"), [(UCSCHAR, "UCSCHAR"), (IPRIVATE, "IPRIVATE")], ids=["ucschar", "iprivate"]
)
def test_the_characters_are_of_the_rule(characters, rule):
    assert [char for char in characters if not second_iris.is_in(char, getattr(second_iris, rule))] == []


def test_every_character_is_used(derived_cases):
    used = set().union(*(case.vector.url for case in derived_cases))
    assert set(UCSCHAR + IPRIVATE) - used == set()


# ---- the proofs


def is_proved_by_the_oracle(case: Case) -> bool:
    """Return True if the automata of the oracle give the verdict, the offset or the components."""
    vector = case.vector
    expected = vector.expect
    try:
        if expected.kind == "components":
            return RFC3987.asdict(parse(vector.url, "rfc3987")) == dict(expected.components)
        validate(vector.url, "rfc3987", vector.rule)
    except InvalidURL as problem:
        return expected.valid is False and expected.at == problem.position
    return expected.valid is True


def is_proved_by(dfas: AbnfDfas, case: Case) -> bool:
    """Return True if DFAs give the verdict and the offset, or accept the components that make the text."""
    vector = case.vector
    expected = vector.expect
    wrong = dfas.first_wrong(vector.url, vector.rule or "IRI-reference")
    if expected.kind == "components":
        components = dict(expected.components)
        return wrong is None and whole(components) == vector.url and are_of_their_rules(dfas, components)
    return wrong == (expected.at if expected.valid is False else None)


def whole(components: dict[str, str | None]) -> str:
    """Return the text that components make (RFC 3986, section 5.3), if the authority is that of its parts."""
    host = components["host"]
    authority = None
    if host is not None:
        userinfo = "" if components["userinfo"] is None else f"{components['userinfo']}@"
        port = "" if components["port"] is None else f":{components['port']}"
        authority = f"{userinfo}{host}{port}"
    assert components["authority"] == authority
    text = "" if components["scheme"] is None else f"{components['scheme']}:"
    text += "" if authority is None else f"//{authority}"
    text += components["path"]
    text += "" if components["query"] is None else f"?{components['query']}"
    return text + ("" if components["fragment"] is None else f"#{components['fragment']}")


#: The rule of each component; the texts of no two of them, with the delimiters between, can be divided in
#: another way.
RULES = {
    "scheme": "scheme",
    "authority": "iauthority",
    "userinfo": "iuserinfo",
    "host": "ihost",
    "port": "port",
    "path": "ipath",
    "query": "iquery",
    "fragment": "ifragment",
}


def are_of_their_rules(dfas: AbnfDfas, components: dict[str, str | None]) -> bool:
    """Return True if each component that is present is a text of its rule."""
    return all(
        text is None or dfas.first_wrong(text, RULES[name]) is None for name, text in components.items()
    )


def test_the_automata_of_the_oracle_prove_every_vector(derived_cases):
    assert [case.vector.id for case in derived_cases if not is_proved_by_the_oracle(case)] == []


def test_the_dfas_of_the_abnf_prove_every_vector(dfas, derived_cases):
    assert [case.vector.id for case in derived_cases if not is_proved_by(dfas, case)] == []


def test_the_dfas_are_made_of_what_the_rfc_prints(rfc_dir):
    """The prose of `ipath-empty` is left out (R-3987-01)."""
    of_rfc = productions(section_of_abnf((rfc_dir / "rfc3987.txt").read_text("utf-8")))
    of_file = productions(PRINTED)
    names = of_rfc.keys() - {"ipath-empty"}
    assert {name: of_file[name] for name in names} == {name: of_rfc[name] for name in names}
    assert of_file.keys() - names == {"ipath-empty", "alpha", "digit", "hexdig"}


def test_the_dfas_of_the_text_of_the_rfc_prove_every_vector(rfc_dir, derived_cases):
    dfas = AbnfDfas(section_of_abnf((rfc_dir / "rfc3987.txt").read_text("utf-8")))
    assert [case.vector.id for case in derived_cases if not is_proved_by(dfas, case)] == []


# ---- false labels


def other_verdict(expected: Expected) -> Expected:
    return Expected(valid=True) if expected.valid is False else Expected(valid=False, at=0)


def next_offset(expected: Expected) -> Expected:
    return Expected(valid=False, at=expected.at + 1)


def shorter_path(expected: Expected) -> Expected:
    components = dict(expected.components)
    return Expected(components=components | {"path": components["path"][:-1]})


#: What falsifies a label, and the first id of a vector that it can be done to.
FALSE_LABELS = {
    "valid-text-is-refused": ("rfc3987-2.2-derived-4-2-colon-guarded-valid", other_verdict),
    "invalid-text-is-valid": ("rfc3987-2.2-derived-a-uri-port-letter", other_verdict),
    "offset-is-moved": ("rfc3987-2.2-derived-a-uri-port-letter", next_offset),
    "path-is-cut": ("rfc3987-2.1-derived-3-ex-foo", shorter_path),
}


@pytest.fixture(params=FALSE_LABELS.values(), ids=FALSE_LABELS)
def falsified(request, derived_cases) -> Case:
    name, falsify = request.param
    (case,) = (case for case in derived_cases if case.vector.id == name)
    vector = msgspec.structs.replace(case.vector, expect=falsify(case.vector.expect))
    return msgspec.structs.replace(case, vector=vector)


def test_the_oracle_proves_no_false_label(falsified):
    assert not is_proved_by_the_oracle(falsified)


def test_the_dfas_prove_no_false_label(dfas, falsified):
    assert not is_proved_by(dfas, falsified)


def test_dfas_of_a_range_that_ends_too_early_refute_a_vector(derived_cases):
    dfas = AbnfDfas(PRINTED.replace("%xA0-D7FF", "%xA0-D7FE"))
    refuted = [case for case in derived_cases if not is_proved_by(dfas, case)]
    assert refuted != []
    assert [case.vector.id for case in refuted if "\ud7ff" not in case.vector.url] == []
