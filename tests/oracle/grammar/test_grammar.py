"""Grammars as data: names, sections, overlays, and the printed forms kept beside corrected rules."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from string import ascii_letters, digits

import pytest

from urloracle.automata.dfa import difference
from urloracle.grammar import grammar
from urloracle.grammar.expression import Characters, Reference, Sequence, literal, references
from urloracle.grammar.grammar import UnknownRule, load, source
from urloracle.grammar.notation import ABNF, RFC822, NotationError, read
from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

FILES = sorted(entry.name for entry in (resources.files("urloracle") / "grammars").iterdir())
RULINGS = Path(__file__).resolve().parents[3] / "docs" / "rulings.md"


def _published(name):
    """Return the printed form of each production that a ruling corrects, by the ruling."""
    blocks = re.findall(r";!published (\S+)\n((?:;! [^\n]*\n)+)", source(name))
    return {ruling: lines.replace(";! ", "") for ruling, lines in blocks}


@pytest.fixture
def files(monkeypatch):
    """A function that puts texts in the place of the grammar files."""

    def put(**texts):
        monkeypatch.setattr(grammar, "source", lambda name: texts[name.removesuffix(".bnf")])

    return put


def test_every_file_belongs_to_a_specification():
    loaded_files = set()
    for spec in SPECIFICATIONS.values():
        loaded_files.update(spec.files, spec.prose_files)
    assert sorted(loaded_files) == FILES


#: The number of rules as the RFC prints them, with those that only a file here needs.
RULES = {"rfc1738": 67, "rfc1808": 32, "rfc2396": 42, "rfc2732": 46, "rfc3986": 39, "rfc3987": 42}


by_specification = pytest.mark.parametrize("spec", SPECIFICATIONS.values(), ids=SPECIFICATIONS)


@by_specification
def test_a_grammar_has_as_many_rules_as_its_rfc(spec):
    assert len(list(spec.grammar)) == RULES[spec.id]


@by_specification
def test_every_rule_has_a_section(spec):
    sections = {name: spec.grammar.section(name) for name in spec.grammar}
    assert sections != {}
    assert [name for name in sections if not re.fullmatch(r"\d+(\.\d+)*", sections[name])] == []


@by_specification
def test_every_name_that_a_rule_uses_is_a_rule(spec):
    rules = spec.grammar
    used_names = set()
    for name in rules:
        used_names.update(references(rules[name]))
    assert used_names != set()
    assert used_names - set(rules) == set()


def test_every_rule_with_a_folded_scheme_is_a_rule():
    """RFC 1738 alone writes schemes as literals."""
    rules = SPECIFICATIONS["rfc1738"].grammar
    assert rules.fold_scheme != set()
    assert [name for name in rules.fold_scheme if name not in rules] == []


@by_specification
def test_every_core_rule_is_a_rule(spec):
    assert spec.grammar.core != set()
    assert [name for name in spec.grammar.core if name not in spec.grammar] == []


@by_specification
def test_a_core_rule_stands_for_letters_and_digits_only(spec):
    """RFC 2234, section 6.1, and what the other RFCs have in its place."""
    for name in spec.grammar.core:
        characters = spec.languages[name].automaton.classes.keys()
        assert characters <= set(ascii_letters + digits), name


@by_specification
def test_the_default_rule_of_a_specification_is_a_rule(spec):
    assert spec.default_rule in spec.grammar


def test_names_of_rules_match_in_either_case():
    """RFC 822 section 2.1 and RFC 2234 section 2.1; R-2732-06."""
    rules = SPECIFICATIONS["rfc2732"].grammar
    assert rules["ipv6REFERENCE"] is rules["IPv6reference"]
    assert "IPV6ADDRESS" in rules
    assert rules.section("HOST") == "3"


def test_the_canonical_name_of_a_rule_is_the_printed_one():
    assert SPECIFICATIONS["rfc2732"].grammar.canonical_name("ipv6address") == "IPv6address"


def test_an_unknown_rule_is_an_error_that_names_it():
    with pytest.raises(UnknownRule, match=r"^no rule named 'uri'$") as caught:
        SPECIFICATIONS["rfc1808"].grammar["uri"]
    assert caught.value.name == "uri"


def test_the_error_of_an_unknown_rule_knows_the_rules_in_the_order_of_print():
    with pytest.raises(UnknownRule) as caught:
        SPECIFICATIONS["rfc1808"].grammar["uri"]
    assert caught.value.known == tuple(SPECIFICATIONS["rfc1808"].grammar)
    assert caught.value.known[:3] == ("URL", "absoluteURL", "generic-RL")


BASE_GRAMMAR = """\
;!fold-scheme R url
;!core host
;!section 1
url = host
Host = "a"
port = "1"
"""
OVERLAY = """\
;!fold-scheme R x
;!core x
;!section 2
host = "b" x
x = "c"
"""


@pytest.fixture
def merged_grammar(files):
    """The base grammar with the overlay over it."""
    files(base=BASE_GRAMMAR, overlay=OVERLAY)
    return load("base.bnf", "overlay.bnf")


def test_an_overlay_adds_its_new_rules_at_the_end(merged_grammar):
    assert list(merged_grammar) == ["url", "host", "port", "x"]


def test_an_overlay_replaces_the_rule_of_the_same_name(merged_grammar):
    assert merged_grammar["host"] == Sequence((Characters(frozenset("b")), Reference("x")))


@pytest.mark.parametrize(("text", "accepted"), [("bc", True), ("a", False)], ids=["new", "replaced"])
def test_a_rule_below_an_overlay_refers_to_the_rule_that_replaces_another(merged_grammar, text, accepted):
    assert Language(merged_grammar, "url").accepts(text) is accepted


def test_a_rule_of_an_overlay_has_the_section_of_the_overlay(merged_grammar):
    sections = {name: merged_grammar.section(name) for name in merged_grammar}
    assert sections == {"url": "1", "host": "2", "port": "1", "x": "2"}


def test_an_overlay_adds_its_folded_schemes(merged_grammar):
    assert merged_grammar.fold_scheme == {"url", "x"}


def test_an_overlay_adds_its_core_rules(merged_grammar):
    assert merged_grammar.core == {"host", "x"}


@pytest.fixture
def grammar_below(files):
    """The base grammar, over which an overlay was laid."""
    files(base=BASE_GRAMMAR)
    below = load("base.bnf")
    assert "x" in below.overlay(read(OVERLAY, RFC822))
    return below


def test_an_overlay_leaves_the_rules_below_it_as_they_are(grammar_below):
    rules = {name: grammar_below[name] for name in grammar_below}
    assert rules == {
        "url": Reference("host"),
        "Host": Characters(frozenset("a")),
        "port": Characters(frozenset("1")),
    }


def test_an_overlay_leaves_the_sections_below_it_as_they_are(grammar_below):
    sections = {name: grammar_below.section(name) for name in grammar_below}
    assert sections == {"url": "1", "Host": "1", "port": "1"}


def test_an_overlay_leaves_the_folded_schemes_below_it_as_they_are(grammar_below):
    assert grammar_below.fold_scheme == {"url"}


def test_an_overlay_leaves_the_core_rules_below_it_as_they_are(grammar_below):
    assert grammar_below.core == {"host"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('a = "x"\nb = a\nA = "y"', "rule A is defined twice", id="rule-twice"),
        pytest.param("a = *c\nb = a", "rule a refers to c, which is not defined", id="undefined-rule"),
        pytest.param("a = <any>", "line 1: prose is not supported: <any>", id="prose"),
    ],
)
def test_a_wrong_grammar_file_is_refused(files, text, message):
    files(base=text)
    with pytest.raises(NotationError, match=re.escape(message)):
        load("base.bnf")


#: The grammars that the directive `;!extends` of each file names.
EXTENDED = {
    "rfc1738.bnf": [],
    "rfc1738-prose.bnf": ["rfc1738"],
    "rfc1808.bnf": [],
    "rfc2396.bnf": [],
    "rfc2396-prose.bnf": ["rfc2396"],
    "rfc2732.bnf": ["rfc2396"],
    "rfc2732-prose.bnf": ["rfc2732"],
    "rfc3986.abnf": [],
    "rfc3987.abnf": [],
    "rfc3987-prose.abnf": ["rfc3987"],
}


@pytest.mark.parametrize("name", FILES)
def test_an_overlay_names_the_grammar_that_it_extends(name):
    assert re.findall("(?m)^;!extends (.*)", source(name)) == EXTENDED[name]


PUBLISHED = {
    "rfc1738.bnf": ["R-1738-18"],
    "rfc1738-prose.bnf": ["R-1738-07", "R-1738-10", "R-1738-26"],
    "rfc1808.bnf": ["R-1808-26"],
    "rfc2396.bnf": ["R-2396-02"],
    "rfc2396-prose.bnf": ["R-2396-13"],
    "rfc2732-prose.bnf": ["R-2396-13"],
    "rfc2732.bnf": ["R-2732-06", "R-2732-01", "R-2732-03"],
    "rfc3986.abnf": ["R-3986-01"],
    "rfc3987.abnf": ["R-3987-01"],
    "rfc3987-prose.abnf": ["R-3987-06"],
}


@pytest.mark.parametrize("name", FILES)
def test_each_correction_of_a_grammar_file_names_its_ruling(name):
    assert list(_published(name)) == PUBLISHED[name]


@pytest.mark.parametrize("name", FILES)
def test_every_ruling_that_a_grammar_file_cites_exists(name):
    headings = re.findall(r"^### (\S+)", RULINGS.read_text(encoding="utf-8"), re.MULTILINE)
    cited = re.findall(r"[RG]-(?:\d{4}-)?\d+", source(name))
    assert sorted(set(cited) - set(headings)) == []


def _with_print(spec, ruling):
    """Return the grammar of a specification with the printed form of one correction put back."""
    printed_forms = {}
    for file in SPECIFICATIONS[spec].files:
        printed_forms |= _published(file)
    dialect = ABNF if spec == "rfc3986" else RFC822
    return SPECIFICATIONS[spec].grammar.overlay(read(printed_forms[ruling], dialect))


def test_the_printed_gopherurl_cannot_be_read():
    """R-1738-18: the slash without quotes is not a literal."""
    with pytest.raises(NotationError, match="line 1: expected an element, found '/'"):
        _with_print("rfc1738", "R-1738-18")


@pytest.fixture
def printed_references():
    """The references of RFC 2396 as its grammar is printed."""
    return Language(_with_print("rfc2396", "R-2396-02"), "URI-reference").automaton


@pytest.fixture
def corrected_references():
    """The references of RFC 2396 with R-2396-02."""
    return Language(SPECIFICATIONS["rfc2396"].grammar, "URI-reference").automaton


@pytest.fixture
def queries():
    """The references of RFC 2396 that begin with a question mark."""
    rule = read('queries = "?" query [ "#" fragment ]', RFC822)
    return Language(SPECIFICATIONS["rfc2396"].grammar.overlay(rule), "queries").automaton


def test_the_corrected_relative_uri_loses_no_reference(printed_references, corrected_references):
    assert difference(printed_references, corrected_references).shortest_member() is None


def test_the_corrected_relative_uri_adds_only_references_of_a_query(
    printed_references, corrected_references, queries
):
    added = difference(corrected_references, printed_references)
    assert difference(added, queries).shortest_member() is None


def test_the_corrected_relative_uri_adds_every_reference_of_a_query(
    printed_references, corrected_references, queries
):
    added = difference(corrected_references, printed_references)
    assert difference(queries, added).shortest_member() is None


@pytest.mark.parametrize(
    ("text", "printed", "corrected"),
    [
        ("::192.9.5.5", False, True),
        ("::13.1.68.3", False, True),
        ("1", True, False),
        ("11", True, False),
        ("1:1", True, False),
        ("1:2:3:4:5:6:7:8:9", True, False),
        (":::1.2.3.4", True, False),
        ("1:2:3:4:5:6:7:8", True, True),
        ("FEDC::3210", True, True),
        ("::", True, True),
        ("1:2:3:4::5:6:7:8", True, False),
    ],
)
def test_the_printed_ipv6address_differs_as_the_ruling_says(text, printed, corrected):
    """R-2732-01: the grammar of RFC 2373, appendix B, against the text of its section 2.2."""
    assert Language(_with_print("rfc2732", "R-2732-01"), "IPv6address").accepts(text) is printed
    assert SPECIFICATIONS["rfc2732"].language("IPv6address").accepts(text) is corrected


@pytest.mark.parametrize(
    ("text", "printed", "corrected"),
    [("foo:[a", False, True), ("foo:]", False, True), ("foo:a[", True, True), ("[a", False, False)],
)
def test_the_printed_uric_no_slash_differs_as_the_ruling_says(text, printed, corrected):
    """R-2732-03: brackets at the head of an opaque part."""
    assert Language(_with_print("rfc2732", "R-2732-03"), "URI-reference").accepts(text) is printed
    assert SPECIFICATIONS["rfc2732"].language("URI-reference").accepts(text) is corrected


@pytest.mark.parametrize(("spec", "ruling"), [("rfc2732", "R-2732-06"), ("rfc3986", "R-3986-01")])
def test_a_correction_of_the_spelling_changes_no_expression(spec, ruling):
    """The printed forms are a name in other letters, and an empty path that is written as prose."""
    printed = _with_print(spec, ruling)
    corrected = SPECIFICATIONS[spec].grammar
    assert dict(printed.rules) == dict(corrected.rules)


@pytest.mark.parametrize(("scheme", "prefix"), [("http", "http://"), ("news", "news:"), ("wais", "wais://")])
def test_the_literal_prefix_of_a_scheme_rule_is_its_scheme_and_delimiter(scheme, prefix):
    """The literal prefix is the text that every word of a rule begins with, through alternatives too."""
    rules = SPECIFICATIONS["rfc1738"].grammar
    assert rules.literal_prefix(Reference(f"{scheme}url")) == prefix


def test_rfc1738_has_a_rule_for_each_scheme_of_its_list():
    """RFC 1738, section 3, lists the schemes covered; each has its rule in section 5."""
    names = ["http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero"]
    assert SPECIFICATIONS["rfc1738"].schemes == {name: f"{name}url" for name in names}


def test_rfc3986_has_no_rule_for_a_scheme():
    assert SPECIFICATIONS["rfc3986"].schemes == {}


def test_a_rule_whose_words_are_single_characters_is_a_character_class():
    """RFC 3986, section 2.3."""
    rules = SPECIFICATIONS["rfc3986"].grammar
    assert rules.character_class(rules["unreserved"]) == frozenset(ascii_letters + digits + "-._~")


@pytest.mark.parametrize(
    "expression",
    [
        pytest.param(Reference("pchar"), id="with-a-triplet"),
        pytest.param(literal("ab", fold_case=False), id="two-characters"),
        pytest.param(Reference("port"), id="any-number-of-characters"),
    ],
)
def test_an_expression_with_words_of_other_lengths_than_one_is_no_character_class(expression):
    assert SPECIFICATIONS["rfc3986"].grammar.character_class(expression) is None


_PAGE_BREAK = re.compile(r"\n*\n[^\n]+\[Page \d+\]\n\f?\n*RFC \d+ [^\n]*\d{4}\n+")


_TOKEN = re.compile(r'"[^"\n]*"|<[^>\n]*>|%x[0-9A-Fa-f-]+|[A-Za-z][A-Za-z0-9+_-]*|\d*\*\d*|\d+|\S')


_HEAD = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z0-9+_-]*)\s*=")


_COMMENT = re.compile(r'("[^"\n]*"|<">)|;[^\n]*')


# Where each RFC prints its grammar: the headings before and after.
PLACES = {
    "rfc1738": [("5. BNF for specific URL schemes", "6. Security Considerations")],
    "rfc1808": [
        ("2.2.  BNF for Relative URLs", "2.3.  Specific Schemes and their Syntactic Categories"),
    ],
    "rfc2396": [
        ("A. Collected BNF for URI", "B. Parsing a URI Reference with a Regular Expression"),
        ("2.4.3. Excluded US-ASCII Characters", "3. URI Syntactic Components"),
    ],
    "rfc2732": [("3. Changes to RFC 2396", "4. Security Considerations")],
    "rfc3986": [
        (
            "Appendix A.  Collected ABNF for URI",
            "Appendix B.  Parsing a URI Reference with a Regular Expression",
        ),
    ],
}


# Rules of a grammar that these parts of its RFC do not print: RFC 1808 has base-header in section 3.1,
# RFC 2732 cites RFC 2373, RFC 3986 cites RFC 2234.
CITED = {
    "rfc1808": {"base-header", "lwsp"},
    "rfc2732": {"IPv4address", "IPv6address", "tail", "hex4", "uric_no_slash"},
    "rfc3986": {"ALPHA", "DIGIT", "HEXDIG"},
}


# Section 2.4.3 of RFC 2396 prints two rules in prose.
PROSE = {"rfc2396": {"control", "space"}}


PRINTED = {spec: f"{spec}.{'abnf' if spec == 'rfc3986' else 'bnf'}" for spec in PLACES}


def _productions(text):
    """Return the tokens of each production by name.

    A production is a line with a name and `=`, and the lines up to a blank one.
    """
    productions = {}
    name = None
    for line in text.split("\n"):
        bare = _COMMENT.sub(lambda match: match[1] or "", line)
        head = _HEAD.match(bare)
        if head:
            name = head["name"]
            assert name not in productions, f"{name} is printed twice"
            productions[name] = []
            bare = bare[head.end() :]
        elif not line.strip():
            name = None
        if name is not None:
            productions[name] += _TOKEN.findall(bare)
    return productions


def _printed(directory, spec):
    """Return the productions of an RFC text, page breaks taken out."""
    text = (directory / f"{spec}.txt").read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    text = _PAGE_BREAK.sub("\n\n", text)
    productions = {}
    for start, end in PLACES[spec]:
        begin = text.index(f"\n{start}\n")
        productions |= _productions(text[begin + len(start) + 2 : text.index(f"\n{end}\n", begin)])
    return productions


def _written(name):
    """Return the productions of a grammar file, and the printed forms of those that it corrects."""
    text = source(name)
    corrected = {}
    for block in re.findall(r";!published [^\n]*\n((?:;! [^\n]*\n)+)", text):
        corrected |= _productions(block.replace(";! ", ""))
    return _productions(text), corrected


PAGE_BREAK = """\
a = b |
    c


Masinter    [Page 17]
\f
RFC 1738     URL     December 1994


d = e ; f
"""


def test_a_page_break_between_two_productions_leaves_a_blank_line():
    """Footer, form feed and running head go, with the blank lines around them."""
    assert _PAGE_BREAK.sub("\n\n", PAGE_BREAK) == "a = b |\n    c\n\nd = e ; f\n"


def test_the_productions_of_a_text_end_at_a_blank_line():
    assert _productions("a = b |\n    c\n\nd = e ; f\n") == {"a": ["b", "|", "c"], "d": ["e"]}


def _tokens_by_lower_name(productions, left_out=()):
    """Map the names of productions, in small letters, to their tokens, without the names `left_out`."""
    omitted = {name.lower() for name in left_out}
    return {name.lower(): tokens for name, tokens in productions.items() if name.lower() not in omitted}


@pytest.mark.parametrize("spec", PRINTED)
def test_a_grammar_file_has_every_production_that_its_rfc_prints(spec, rfc_dir):
    """It has no other production but those that the RFC cites."""
    written, _ = _written(PRINTED[spec])
    printed = _tokens_by_lower_name(_printed(rfc_dir, spec), left_out=PROSE.get(spec, ()))
    assert _tokens_by_lower_name(written, left_out=CITED.get(spec, ())).keys() == printed.keys()


@pytest.mark.parametrize("spec", CITED)
def test_an_rfc_does_not_print_a_production_that_it_cites(spec, rfc_dir):
    assert CITED[spec].isdisjoint(_printed(rfc_dir, spec))


@pytest.mark.parametrize("spec", PRINTED)
def test_every_production_without_a_correction_is_as_printed(spec, rfc_dir):
    """Names are compared too: only a correction may spell one in other letters."""
    written, corrected = _written(PRINTED[spec])
    printed = _printed(rfc_dir, spec)
    left_out = {name.lower() for name in (*corrected, *CITED.get(spec, ()))}
    compared = [name for name in written if name.lower() not in left_out]
    assert {name: written[name] for name in compared} == {name: printed.get(name) for name in compared}


_SECTION = re.compile(r"(?P<number>\d+(?:\.\d+)*)\.? {1,2}\S")


def _sections_of_productions(text):
    """Return the sections before the appendices that print each production of a text, by lower-case name."""
    sections = {}
    number = ""
    for line in text.replace("\r\n", "\n").partition("\nA. ")[0].partition("\nAppendix A.")[0].split("\n"):
        heading = _SECTION.match(line)
        head = _HEAD.match(line)
        if heading:
            number = heading["number"]
        elif head:
            sections.setdefault(head["name"].lower(), set()).add(number)
    return sections


@pytest.mark.parametrize("spec", ["rfc2396", "rfc3986"])
def test_the_section_of_a_rule_is_one_that_prints_it(spec, rfc_dir):
    """These two RFCs print each production where they explain it, and again in a collected grammar."""
    text = (rfc_dir / f"{spec}.txt").read_text(encoding="utf-8", errors="replace")
    sections = _sections_of_productions(text)
    rules = SPECIFICATIONS[spec].grammar
    for name in set(rules) - CITED.get(spec, set()):
        assert rules.section(name) in sections[name.lower()], name


# A correction of a grammar file, by RFC and rule, and the RFC that prints the rule in its collected grammar.
# R-2732-03: the rule that RFC 2732 forgot is printed in RFC 2396, appendix A.
CORRECTIONS = [
    ("rfc1738", "gopherurl", "rfc1738"),
    ("rfc2396", "relativeuri", "rfc2396"),
    ("rfc2732", "ipv6reference", "rfc2732"),
    ("rfc2732", "uric_no_slash", "rfc2396"),
    ("rfc3986", "path-empty", "rfc3986"),
]

# Corrections of rules that no collected grammar of these RFCs prints: base-header is in section 3.1 of
# RFC 1808, the others in appendix B of RFC 2373.
PRINTED_ELSEWHERE = {
    ("rfc1808", "base-header"),
    ("rfc2732", "ipv6address"),
    ("rfc2732", "hexpart"),
    ("rfc2732", "hexseq"),
}


@pytest.mark.parametrize(("spec", "name", "printed_by"), CORRECTIONS)
def test_a_correction_keeps_the_printed_form(spec, name, printed_by, rfc_dir):
    """The printed form is in a `;!published` comment beside the production."""
    _, corrected = _written(PRINTED[spec])
    assert (
        _tokens_by_lower_name(corrected)[name] == _tokens_by_lower_name(_printed(rfc_dir, printed_by))[name]
    )


def test_every_correction_is_compared_with_its_rfc_or_printed_elsewhere():
    corrections = set()
    for spec, file in PRINTED.items():
        _, corrected = _written(file)
        corrections.update((spec, name) for name in _tokens_by_lower_name(corrected))
    assert corrections == {(spec, name) for spec, name, _ in CORRECTIONS} | PRINTED_ELSEWHERE


@pytest.mark.parametrize(
    ("overlay", "spec"), [("rfc1738-prose.bnf", "rfc1738"), ("rfc2396-prose.bnf", "rfc2396")]
)
def test_a_production_quoted_in_profile_prose_is_as_printed(overlay, spec, rfc_dir):
    """G-06: the profile keeps what the RFC prints beside each rule that it narrows."""
    _, quoted = _written(overlay)
    printed = _printed(rfc_dir, spec)
    assert quoted == {name: printed[name] for name in quoted}


@pytest.mark.parametrize(
    ("overlay", "spec"), [("rfc1738-prose.bnf", "rfc1738"), ("rfc2396-prose.bnf", "rfc2396")]
)
def test_profile_prose_quotes_every_printed_rule_that_it_narrows(overlay, spec, rfc_dir):
    written, quoted = _written(overlay)
    narrowed = set(written) & set(_printed(rfc_dir, spec))
    assert set(quoted) == narrowed


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        pytest.param('"2" %x30-34 DIGIT', '"2" %x30-35 DIGIT', "dec-octet", id="literal"),
        pytest.param("1*4HEXDIG", "1*5HEXDIG", "h16", id="bound"),
        pytest.param('/ "*" / "+"', '/ "*"', "sub-delims", id="alternative"),
    ],
)
def test_a_changed_production_has_other_tokens_than_the_printed_one(before, after, name, rfc_dir):
    text = source("rfc3986.abnf")
    assert text.count(before) == 1
    changed = _productions(text.replace(before, after))
    assert changed[name] != _printed(rfc_dir, "rfc3986")[name]
