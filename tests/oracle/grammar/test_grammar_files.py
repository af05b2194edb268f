"""The grammar files against the RFC texts: every production as printed, token for token."""

from __future__ import annotations

import re

import pytest

from urloracle.grammar.grammar import source

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

FILES = {spec: f"{spec}.{'abnf' if spec == 'rfc3986' else 'bnf'}" for spec in PLACES}


def _productions(text):
    """The tokens of each production by name: a line with a name and `=`, and the lines up to a blank one."""
    found, name = {}, None
    for line in text.split("\n"):
        bare = _COMMENT.sub(lambda match: match[1] or "", line)
        head = _HEAD.match(bare)
        if head:
            name = head["name"]
            assert name not in found, f"{name} is printed twice"
            found[name] = []
            bare = bare[head.end() :]
        elif not line.strip():
            name = None
        if name is not None:
            found[name] += _TOKEN.findall(bare)
    return found


def _printed(directory, spec):
    """The productions of an RFC text, page breaks taken out."""
    text = (directory / f"{spec}.txt").read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    text = _PAGE_BREAK.sub("\n\n", text)
    found = {}
    for start, end in PLACES[spec]:
        begin = text.index(f"\n{start}\n")
        found |= _productions(text[begin + len(start) + 2 : text.index(f"\n{end}\n", begin)])
    return found


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


@pytest.mark.parametrize("spec", FILES)
def test_every_production_as_printed(spec, rfc_dir):
    """The file has every production as printed, except those with a `;!published` form beside them."""
    printed = _printed(rfc_dir, spec)
    written, corrected = _written(FILES[spec])
    folded = {name.lower(): name for name in printed}
    for name in PROSE.get(spec, ()):
        del printed[folded.pop(name)]
    cited = CITED.get(spec, set())
    assert {name.lower() for name in written} - {name.lower() for name in cited} == set(folded)
    assert not cited & set(printed)
    for name, tokens in written.items():
        if name in cited:
            continue
        if name.lower() in {other.lower() for other in corrected}:
            own = next(text for other, text in corrected.items() if other.lower() == name.lower())
            assert own == printed[folded[name.lower()]], f"the printed form of {name}"
        else:
            assert tokens == printed[name], name


def test_correction_of_2732_quotes_2396(rfc_dir):
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
    """One character of one literal, one bound, one alternative: each shows in the tokens."""
    printed = _printed(rfc_dir, "rfc3986")
    text = source("rfc3986.abnf")
    for before, after, name in (
        ('"2" %x30-34 DIGIT', '"2" %x30-35 DIGIT', "dec-octet"),
        ("1*4HEXDIG", "1*5HEXDIG", "h16"),
        ('/ "*" / "+"', '/ "*"', "sub-delims"),
    ):
        assert text.count(before) == 1
        assert _productions(text.replace(before, after))[name] != printed[name]
