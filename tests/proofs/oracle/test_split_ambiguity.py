"""Ambiguous splits, decided on bracketed words: where a text has two splits, a ruling chooses.

For each rule by which the oracle splits, with the components that it asks for: either no text has two
splits, or each ruling decides the shortest text that those before it leave open.  After them every text has
one split, and that is the oracle's.
"""

from __future__ import annotations

import pytest

from urlharness.corpus.specifications import url_specs
from urloracle.derivation import derivation
from urloracle.operations import parse
from urloracle.rfc.captures import SPLITTINGS
from urloracle.rfcs import SPECIFICATIONS

from . import pattern_proofs, rule_reader, split_rulings
from .ambiguity import bracketed_language
from .split_rulings import READ, REFERENCE, RULINGS, ruled

CASES = [
    *((*case, components, RULINGS.get(case, [])) for case, components in READ.items()),
    ("rfc1738", "genericurl", split_rulings.TWO_STEPS, [split_rulings.SCHEMEPART]),
    ("rfc3986", REFERENCE, split_rulings.HOST_KINDS, [split_rulings.HOST_KIND]),
]
IDS = ["-".join((spec, rule, *(ruling.id for ruling in rulings))) for spec, rule, _, rulings in CASES]
by_rule = pytest.mark.parametrize(("spec", "rule", "components", "rulings"), CASES, ids=IDS)


#: A rule, its components, the rulings that come before another one, and the latter.
UNDECIDED = [
    pytest.param(spec, rule, components, rulings[:number], ruling, id=f"{spec}-{rule}-{ruling.id}-{number}")
    for spec, rule, components, rulings in CASES
    for number, ruling in enumerate(rulings)
]


@pytest.mark.parametrize(("spec", "rule", "components", "earlier", "ruling"), UNDECIDED)
def test_a_ruling_decides_the_shortest_text_that_those_before_it_leave_open(
    spec, rule, components, earlier, ruling
):
    undecided = ruled(SPECIFICATIONS[spec], rule, components, earlier)
    ambiguity = undecided.ambiguity()
    assert ambiguity is not None
    assert ambiguity.text == ruling.text
    assert ambiguity.first != ambiguity.second
    splits = undecided.splits(ambiguity.text)
    assert ambiguity.first in splits
    assert ambiguity.second in splits


@by_rule
def test_the_rulings_leave_each_text_one_split(spec, rule, components, rulings):
    """No text of the rule has two splits that the rulings leave, and none has lost all of its splits."""
    specification = SPECIFICATIONS[spec]
    language = ruled(specification, rule, components, rulings)
    assert language.ambiguity() is None
    assert pattern_proofs.same(language.texts(), specification.language(rule).automaton)


@pytest.mark.parametrize(
    ("spec", "rule", "components", "rulings"),
    [
        pytest.param(spec, rule, components, RULINGS.get((spec, rule), []), id=f"{spec}-{rule}")
        for (spec, rule), components in READ.items()
        if spec != "rfc1808"  # `test_the_steps_of_rfc1808_read_the_one_split` is about this RFC
    ],
)
def test_the_pattern_gives_the_split_that_the_rulings_leave(spec, rule, components, rulings, walks):
    specification = SPECIFICATIONS[spec]
    language = ruled(specification, rule, components, rulings)
    pattern = specification.languages.pattern(rule, components)
    for text in (*(ruling.text for ruling in rulings), *walks(spec, rule).members(150)):
        (split,) = language.splits(text)
        assert tuple(split.values()) == pattern.split(text), text


@pytest.mark.parametrize(("spec", "rule", "components", "earlier", "ruling"), UNDECIDED)
def test_the_oracle_reads_the_components_that_are_listed_with_a_ruling(
    spec, rule, components, earlier, ruling
):
    specification = SPECIFICATIONS[spec]
    oracle_components = specification.asdict(parse(ruling.text, specification, rule))
    assert {name: part for name, part in oracle_components.items() if part is not None} == ruling.parsed


@pytest.fixture
def valid_texts(walks, near_misses):
    """Return a function that draws 4,000 members of the rules of an RFC, and valid texts near them."""

    def draw(specification):
        rules = [specification.default_rule]
        if specification.schemes:
            rules = [*specification.schemes.values(), "genericurl"]
        texts = []
        for rule in rules:
            for member in walks(specification.id, rule, "generic").members(4000 // len(rules)):
                texts += [member, *near_misses(member, 1)]
        return [text for text in texts if specification.accepts(text)]

    return draw


@pytest.mark.parametrize("spec", url_specs())
def test_a_second_reader_reads_the_same_components(spec, valid_texts):
    """It uses the grammar as it is printed, and code for what the oracle's other rules say."""
    specification = SPECIFICATIONS[spec]
    texts = valid_texts(specification)
    assert len(texts) > 4000
    for text in texts:
        components = specification.asdict(parse(text, specification))
        assert components == rule_reader.read(specification, text), text


@pytest.fixture(scope="module")
def urls_of_rfc1808():
    """The bracketed words of a URL of RFC 1808 that the rulings leave."""
    case = ("rfc1808", "URL")
    return ruled(SPECIFICATIONS["rfc1808"], "URL", READ[case], RULINGS[case])


def test_the_steps_of_rfc1808_read_the_one_split(urls_of_rfc1808, walks):
    """Section 2.4 reads the one split that is left, wherever that knows more than the scheme (R-1808-07)."""
    compared = 0
    for text in walks("rfc1808", "URL").members(1000):
        (split,) = urls_of_rfc1808.splits(text)
        components = parse(text, "rfc1808").asdict()
        if split["scheme"] is None or split["path"] is not None or split["net_loc"] is not None:
            # the path of the rule has no slash before it (G-10), and may be absent
            components["path"] = components["path"].removeprefix("/")
            assert components == {**split, "path": split["path"] or ""}, text
            compared += 1
    assert compared > 500


def test_the_split_of_an_empty_location_before_two_slashes_has_only_a_scheme(urls_of_rfc1808):
    """The grammar of RFC 1808 has no path with an empty first segment (R-1808-07)."""
    (split,) = urls_of_rfc1808.splits("a:////")
    assert split == dict.fromkeys(READ["rfc1808", "URL"]) | {"scheme": "a"}


def test_the_steps_of_rfc1808_read_a_path_of_two_slashes_after_an_empty_location():
    """RFC 1808, section 2.4.3: the network location ends before the next slash."""
    assert parse("a:////", "rfc1808") == ("a", "", "//", None, None, None)


def test_the_first_rule_that_matches_is_the_kind_of_a_host():
    """RFC 3986, section 3.2.2: the first rule that matches."""
    rules = []
    queue = [derivation(SPECIFICATIONS["rfc3986"].grammar, REFERENCE, split_rulings.HOST_KIND.text)]
    for node in queue:
        rules.append(node.rule)
        queue += node.children
    assert "IPv4address" in rules
    assert "reg-name" not in rules


def test_every_ruling_is_in_the_documentation(request):
    page = (request.config.rootpath / "docs" / "rulings.md").read_text(encoding="utf-8")
    ids = set()
    for _, _, _, rulings in CASES:
        ids.update(ruling.id for ruling in rulings)
    assert ids != set()
    assert [id_ for id_ in ids if f"### {id_} " not in page] == []


def test_every_ruling_is_about_a_rule_with_components():
    assert RULINGS.keys() < READ.keys()


#: The rules by which the oracle splits only a part of a URL: of prospero, and of an unknown scheme.
RULES_OF_PARTS = {("rfc1738", "fieldspec"), ("rfc1738", "ip-schemepart")}


def test_every_rule_that_the_oracle_splits_by_is_proved():
    rules_of_urls = set()
    for spec in url_specs():
        rules_of_urls.update((spec, rule) for rule in SPLITTINGS[spec].components)
    assert READ.keys() - RULES_OF_PARTS == rules_of_urls


def test_a_ruling_that_drops_too_much_leaves_no_split():
    """If every authority without a host were dropped, the empty one would have no split (R-2396-10)."""
    spec = SPECIFICATIONS["rfc2396"]
    authority, server = RULINGS["rfc2396", REFERENCE]
    whole = server._replace(
        dropped=server.dropped.replace("[ userinfo", "[ [ userinfo").replace("hostport", "hostport ]")
    )
    case = (REFERENCE, READ["rfc2396", REFERENCE])
    language = ruled(spec, *case, [authority, whole])
    assert language.ambiguity() is None
    assert not language.texts().accepts("//")
    assert ruled(spec, *case, RULINGS["rfc2396", REFERENCE]).texts().accepts("//")


#: Grammar file, rule, a piece of its source, what replaces it, and a shortest text with two splits then.
AMBIGUITIES = {
    "colon-in-name-and-port": (
        "rfc3986.abnf",
        REFERENCE,
        ("reg-name      = *( unreserved", 'reg-name = *( ":" / unreserved'),
        "//:",
    ),
    "userinfo-without-at": ("rfc3986.abnf", REFERENCE, ('userinfo "@" ]', 'userinfo [ "@" ] ]'), "//"),
    "question-mark-in-path": (
        "rfc3986.abnf",
        REFERENCE,
        ('/ ":" / "@"\n', '/ ":" / "@" / "?"\n'),
        "/?",
    ),
    "colon-in-user-and-password": (
        "rfc1738.bnf",
        "ftpurl",
        ("user           = *[ uchar", 'user = *[ ":" | uchar'),
        "ftp://:@a",
    ),
    "question-mark-in-hsegment": (
        "rfc1738.bnf",
        "httpurl",
        ("hsegment       = *[ uchar", 'hsegment = *[ "?" | uchar'),
        "http://a/?",
    ),
    "slash-in-database": (
        "rfc1738.bnf",
        "waisurl",
        ("database       = *uchar", 'database = *[ uchar | "/" ]'),
        "wais://a///",
    ),
    "at-in-group": (
        "rfc1738.bnf",
        "newsurl",
        ('alpha | digit | "-" | "." | "+"', 'alpha | digit | "@" | "." | "+"'),
        "news:a@a",
    ),
    "slash-in-group": (
        "rfc1738.bnf",
        "nntpurl",
        ('alpha | digit | "-" | "." | "+"', 'alpha | digit | "/" | "." | "+"'),
        "nntp://a/a/0",
    ),
    "slash-may-be-missing": (
        "rfc1738.bnf",
        "prosperourl",
        ('hostport "/" ppath', 'hostport [ "/" ] ppath'),
        "prospero://aa",
    ),
    "crosshatch-in-query": (
        "rfc2396.bnf",
        REFERENCE,
        ("query         = *uric", 'query = *( "#" | uric )'),
        "?#",
    ),
    "empty-first-segment": ("rfc1808.bnf", "URL", ("fsegment    = 1*pchar", "fsegment = *pchar"), ""),
}


@pytest.mark.parametrize("name", AMBIGUITIES)
def test_an_ambiguity_in_a_grammar_is_found(name, anew, plant):
    """An ambiguity put into a grammar is found in spite of the rulings, with a shortest ambiguous text."""
    file, rule, change, text = AMBIGUITIES[name]
    spec = anew(file.partition(".")[0])
    case = (rule, READ[spec.id, rule], RULINGS.get((spec.id, rule), []))
    assert ruled(spec, *case).ambiguity() is None
    plant(file, *change)
    ambiguity = ruled(anew(spec.id), *case).ambiguity()
    assert ambiguity is not None
    assert ambiguity.text == text
    assert ambiguity.first != ambiguity.second


#: Components that the oracle does not read, and a shortest text with two splits.
COMPONENTS = {
    "one-kind-of-host": ("rfc3986", REFERENCE, ("authority", "authority/host=IPv4address"), "//0.0.0.0"),
    "one-kind-of-path": ("rfc2396", REFERENCE, ("path=abs_path",), "//"),
    "one-kind-of-absolute-url": ("rfc1808", "URL", ("generic-RL",), "a:"),
    "the-latter-of-two-alternatives": ("rfc1738", "genericurl", ("ip-schemepart",), "a://a"),
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_an_ambiguity_of_components_is_found(name):
    """A component is ambiguous if a neighbouring rule derives the same texts."""
    spec, rule, components, text = COMPONENTS[name]
    ambiguity = bracketed_language(SPECIFICATIONS[spec].grammar, rule, components).ambiguity()
    assert ambiguity is not None
    assert ambiguity.text == text
