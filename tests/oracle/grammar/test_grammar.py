"""Grammars as data: names, sections, overlays, and the printed forms kept beside corrected rules."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from urloracle.automata.dfa import difference
from urloracle.grammar import grammar
from urloracle.grammar.expression import Characters, Reference, Sequence, literal, references
from urloracle.grammar.grammar import Grammar, UnknownRule, load, source
from urloracle.grammar.notation import ABNF, RFC822, NotationError, read
from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

FILES = sorted(entry.name for entry in (resources.files("urloracle") / "grammars").iterdir())
RULINGS = Path(__file__).resolve().parents[3] / "docs" / "rulings.md"


def _published(name):
    """The printed form of each production that a ruling corrects, by the ruling."""
    blocks = re.findall(r";!published (\S+)\n((?:;! [^\n]*\n)+)", source(name))
    return {ruling: lines.replace(";! ", "") for ruling, lines in blocks}


@pytest.fixture
def files(monkeypatch):
    """A function that puts texts in the place of the grammar files."""

    def put(**texts):
        monkeypatch.setattr(grammar, "source", lambda name: texts[name.removesuffix(".bnf")])

    return put


def test_every_file_belongs_to_a_specification():
    """Every grammar file is loaded by some specification."""
    used = {name for spec in SPECIFICATIONS.values() for name in spec.files + spec.prose_files}
    assert sorted(used) == FILES


# the number of rules as the RFC prints them, with those that only a file here needs
RULES = {"rfc1738": 67, "rfc1808": 32, "rfc2396": 42, "rfc2732": 46, "rfc3986": 39}


@pytest.mark.parametrize("spec", SPECIFICATIONS.values(), ids=SPECIFICATIONS)
def test_every_rule_has_a_section_and_only_known_references(spec):
    """Every rule has a section of its RFC, and every name that a rule uses is a rule."""
    rules = spec.grammar
    assert len(list(rules)) == RULES[spec.id]
    for name in rules:
        assert re.fullmatch(r"\d+(\.\d+)*", rules.section(name))
        assert all(reference in rules for reference in references(rules[name]))
    assert all(name in rules for name in rules.fold_scheme)
    assert spec.default_rule in rules


def test_names_match_in_either_case():
    """RFC 822 section 2.1 and RFC 2234 section 2.1; R-2732-06."""
    rules = SPECIFICATIONS["rfc2732"].grammar
    assert rules["ipv6REFERENCE"] is rules["IPv6reference"]
    assert "IPV6ADDRESS" in rules
    assert rules.canonical_name("ipv6address") == "IPv6address"
    assert rules.section("HOST") == "3"


def test_an_unknown_rule_is_an_error_with_the_known_ones():
    """The error knows the rules there are, in the order of print."""
    with pytest.raises(UnknownRule) as caught:
        SPECIFICATIONS["rfc1808"].grammar["uri"]
    assert str(caught.value) == "no rule named 'uri'"
    assert caught.value.name == "uri"
    assert caught.value.known[:3] == ("URL", "absoluteURL", "generic-RL")


def test_an_overlay_replaces_and_adds_rules(files):
    """A rule replaces the one of the same name, others are added; folded schemes add up."""
    files(
        base=';!fold-scheme R url\n;!section 1\nurl = host\nHost = "a"\nport = "1"',
        more=';!fold-scheme R x\n;!section 2\nhost = "b" x\nx = "c"',
    )
    merged = load("base.bnf", "more.bnf")
    assert list(merged) == ["url", "host", "port", "x"]
    assert {name: merged.section(name) for name in merged} == {"url": "1", "host": "2", "port": "1", "x": "2"}
    assert merged["host"] == Sequence((Characters(frozenset("b")), Reference("x")))
    assert merged.fold_scheme == {"url", "x"}
    assert Language(merged, "url").accepts("bc")
    assert load("base.bnf")["host"] == Characters(frozenset("a"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a = "x"\nb = a\nA = "y"', "rule A is defined twice"),
        ("a = *c\nb = a", "rule a refers to c, which is not defined"),
        ("a = <any>", "line 1: prose is not supported: <any>"),
    ],
)
def test_a_wrong_grammar_file_is_refused(files, text, message):
    """A grammar file that is wrong is refused when it is loaded."""
    files(base=text)
    with pytest.raises(NotationError, match=re.escape(message)):
        load("base.bnf")


def test_extends_names_the_first_file():
    """An overlay says which grammar it changes."""
    extended = {name: re.search("(?m)^;!extends (.*)", source(name)) for name in FILES}
    assert {name: production and production[1] for name, production in extended.items()} == {
        "rfc1738.bnf": None,
        "rfc1738-prose.bnf": "rfc1738",
        "rfc1808.bnf": None,
        "rfc2396.bnf": None,
        "rfc2396-prose.bnf": "rfc2396",
        "rfc2732.bnf": "rfc2396",
        "rfc2732-prose.bnf": "rfc2732",
        "rfc3986.abnf": None,
    }


PUBLISHED = {
    "rfc1738.bnf": ["R-1738-18"],
    "rfc1738-prose.bnf": ["R-1738-07", "R-1738-10", "R-1738-26"],
    "rfc1808.bnf": ["R-1808-26"],
    "rfc2396.bnf": ["R-2396-02"],
    "rfc2396-prose.bnf": ["R-2396-13"],
    "rfc2732-prose.bnf": ["R-2396-13"],
    "rfc2732.bnf": ["R-2732-06", "R-2732-01", "R-2732-03"],
    "rfc3986.abnf": ["R-3986-01"],
}


@pytest.mark.parametrize("name", FILES)
def test_corrections_cite_a_ruling(name):
    """A rule that differs from its print says which ruling makes it so, and the ruling exists."""
    assert list(_published(name)) == PUBLISHED[name]
    headings = set(re.findall(r"^### (\S+)", RULINGS.read_text(encoding="utf-8"), re.MULTILINE))
    assert headings >= set(PUBLISHED[name])
    cited = re.findall(r"[RG]-(?:\d{4}-)?\d+", source(name))
    assert headings >= set(cited)


def _with_print(spec, ruling):
    """The grammar of a specification with the printed form of one correction put back."""
    rules = SPECIFICATIONS[spec].grammar
    printed = next(
        productions[ruling]
        for productions in map(_published, SPECIFICATIONS[spec].files)
        if ruling in productions
    )
    return rules.overlay(read(printed, ABNF if spec == "rfc3986" else RFC822))


def test_the_printed_gopherurl_cannot_be_read():
    """R-1738-18: the slash without quotes is not a literal."""
    with pytest.raises(NotationError, match="line 1: expected an element, found '/'"):
        _with_print("rfc1738", "R-1738-18")


def test_the_printed_relative_uri_lacks_references_of_a_query():
    """R-2396-02: what the correction adds is exactly every reference that begins with a question mark."""
    printed = Language(_with_print("rfc2396", "R-2396-02"), "URI-reference").automaton
    rules = SPECIFICATIONS["rfc2396"].grammar
    corrected = Language(rules, "URI-reference").automaton
    assert difference(printed, corrected).shortest_member() is None
    added = difference(corrected, printed)
    expected = read('queries = "?" query [ "#" fragment ]', RFC822)
    queries = Language(rules.overlay(expected), "queries").automaton
    assert difference(added, queries).shortest_member() is None
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
def test_corrections_that_do_not_change_a_rule(spec, ruling):
    """A name in other letters, and an empty path written as prose: no rule's expression changes."""
    printed = _with_print(spec, ruling)
    corrected = SPECIFICATIONS[spec].grammar
    assert dict(printed.rules) == dict(corrected.rules)


@pytest.mark.parametrize(
    ("expression", "prefix"), [("http", "http://"), ("news", "news:"), ("wais", "wais://")]
)
def test_the_literal_prefix_begins_every_word_of_a_rule(expression, prefix):
    """The text that every word of a rule begins with, through alternatives too."""
    rules = SPECIFICATIONS["rfc1738"].grammar
    assert rules.literal_prefix(Reference(f"{expression}url")) == prefix


def test_rfc1738_has_a_rule_for_each_scheme_of_its_list():
    """RFC 1738, section 3, lists the schemes covered; each has its rule in section 5."""
    names = ["http", "ftp", "news", "nntp", "telnet", "gopher", "wais", "mailto", "file", "prospero"]
    assert SPECIFICATIONS["rfc1738"].schemes == {name: f"{name}url" for name in names}
    assert SPECIFICATIONS["rfc3986"].schemes == {}


def test_a_character_class_has_words_of_one_character():
    """A class is folded where every word is one character, and nowhere else."""
    rules = SPECIFICATIONS["rfc3986"].grammar
    assert rules.character_class(rules["unreserved"]) == frozenset(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
    )
    assert rules.character_class(rules["pchar"]) is None
    assert rules.character_class(literal("ab", fold_case=False)) is None
    assert rules.character_class(rules["port"]) is None
    assert isinstance(rules, Grammar)


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
    """The tokens of each production by name: a line with a name and `=`, and the lines up to a blank one."""
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
    """The productions of an RFC text, page breaks taken out."""
    text = (directory / f"{spec}.txt").read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    text = _PAGE_BREAK.sub("\n\n", text)
    productions = {}
    for start, end in PLACES[spec]:
        begin = text.index(f"\n{start}\n")
        productions |= _productions(text[begin + len(start) + 2 : text.index(f"\n{end}\n", begin)])
    return productions


def _written(name):
    """The productions of a grammar file, and the printed forms of those that it corrects."""
    text = source(name)
    corrected = {}
    for block in re.findall(r";!published [^\n]*\n((?:;! [^\n]*\n)+)", text):
        corrected |= _productions(block.replace(";! ", ""))
    return _productions(text), corrected


def test_page_breaks_leave_a_blank_line():
    """Footer, form feed and running head go, with the blank lines around them."""
    page = (
        "a = b |\n    c\n\n\nMasinter    [Page 17]\n\f\nRFC 1738     URL     December 1994\n\n\nd = e ; f\n"
    )
    assert _productions(_PAGE_BREAK.sub("\n\n", page)) == {"a": ["b", "|", "c"], "d": ["e"]}


@pytest.mark.parametrize("spec", PRINTED)
def test_every_production_is_as_printed_or_has_its_published_form(spec, rfc_dir):
    """The file has every production as printed, except those with a `;!published` form beside them."""
    printed = _printed(rfc_dir, spec)
    written, corrected = _written(PRINTED[spec])
    folded = {name.lower(): name for name in printed}
    for name in PROSE.get(spec, ()):
        del printed[folded.pop(name)]
    cited = CITED.get(spec, set())
    assert {name.lower() for name in written} - {name.lower() for name in cited} == set(folded)
    assert not cited & set(printed)
    for name, tokens in written.items():
        if name in cited:
            continue
        if name.lower() in {name_corrected.lower() for name_corrected in corrected}:
            correction = next(
                text for name_corrected, text in corrected.items() if name_corrected.lower() == name.lower()
            )
            assert correction == printed[folded[name.lower()]], f"the printed form of {name}"
        else:
            assert tokens == printed[name], name


def test_the_correction_of_rfc2732_quotes_rfc2396(rfc_dir):
    """R-2732-03: the rule that RFC 2732 forgot is printed in RFC 2396, appendix A."""
    _, corrected = _written("rfc2732.bnf")
    assert corrected["uric_no_slash"] == _printed(rfc_dir, "rfc2396")["uric_no_slash"]


@pytest.mark.parametrize(
    ("overlay", "spec"), [("rfc1738-prose.bnf", "rfc1738"), ("rfc2396-prose.bnf", "rfc2396")]
)
def test_prose_quotes_the_rules_it_narrows(overlay, spec, rfc_dir):
    """Profile `prose` (G-06) keeps beside each of its rules the production that the RFC prints."""
    written, corrected = _written(overlay)
    printed = _printed(rfc_dir, spec)
    assert corrected == {name: printed[name] for name in corrected}
    assert set(written) & set(printed) == set(corrected)


def test_a_changed_production_is_noticed(rfc_dir):
    """A changed literal, bound or alternative changes the tokens."""
    printed = _printed(rfc_dir, "rfc3986")
    text = source("rfc3986.abnf")
    for before, after, name in (
        ('"2" %x30-34 DIGIT', '"2" %x30-35 DIGIT', "dec-octet"),
        ("1*4HEXDIG", "1*5HEXDIG", "h16"),
        ('/ "*" / "+"', '/ "*"', "sub-delims"),
    ):
        assert text.count(before) == 1
        assert _productions(text.replace(before, after))[name] != printed[name]
