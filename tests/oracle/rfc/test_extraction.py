"""URLs in running text: the examples of RFC 1738's appendix and references, RFC 2396 E and RFC 3986 C."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urloracle.operations import extract
from urloracle.rfc import extraction
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

URI_SPECS = ("rfc2396", "rfc2732", "rfc3986")

# RFC 1738, appendix
JIM_1738 = """\
      Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;
      type=d> but you can probably pick it up from <URL:ftp://ds.in
      ternic.net/rfc>.  Note the warning in <URL:http://ds.internic.
      net/instructions/overview.html#WARNING>.
"""

# RFC 2396, appendix E
JIM_2396 = """\
      Yes, Jim, I found it under "http://www.w3.org/Addressing/",
      but you can probably pick it up from <ftp://ds.internic.
      net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
      ietf/uri/historical.html#WARNING>.
"""

# RFC 3986, appendix C
JIM_3986 = JIM_2396.replace("ds.internic.\n      net", "foo.example.\n      com")

EXAMPLES_2396 = [
    "http://www.w3.org/Addressing/",
    "ftp://ds.internic.net/rfc/",
    "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
]
EXAMPLES_3986 = [
    "http://www.w3.org/Addressing/",
    "ftp://foo.example.com/rfc/",
    "http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
]

# RFC 1738, references: every wrapped URL, as printed
REFERENCES_1738 = {
    "<URL:ftp://ds.internic.net/rfc/rfc1436.txt;type=a>": "ftp://ds.internic.net/rfc/rfc1436.txt;type=a",
    "<URL:ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol\n       /Gopher+/Gopher+.txt>": (
        "ftp://boombox.micro.umn.edu/pub/gopher/gopher_protocol/Gopher+/Gopher+.txt"
    ),
    "<URL:ftp://ds.internic.net/rfc/rfc1630.txt>": "ftp://ds.internic.net/rfc/rfc1630.txt",
    "<URL:ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z>": (
        "ftp://info.cern.ch/pub/www/doc/http-spec.txt.Z"
    ),
    "<URL:ftp://ds.internic.net/rfc/rfc1123.txt>": "ftp://ds.internic.net/rfc/rfc1123.txt",
    "<URL:ftp://ds.internic.net/rfc/rfc822.txt>": "ftp://ds.internic.net/rfc/rfc822.txt",
    "<URL:ftp://quake.think.com/pub/wais/doc/protspec.txt>": (
        "ftp://quake.think.com/pub/wais/doc/protspec.txt"
    ),
    "<URL:ftp://ds.internic.net/rfc/rfc1036.txt>": "ftp://ds.internic.net/rfc/rfc1036.txt",
    "<URL:ftp://quake.think.com/pub/wais/doc/doc-ids.txt>": "ftp://quake.think.com/pub/wais/doc/doc-ids.txt",
    "<URL:ftp://ds.internic.net/rfc/rfc977.txt>": "ftp://ds.internic.net/rfc/rfc977.txt",
    "<URL:ftp://ds.internic.net/internet-drafts\n       /draft-ietf-uri-irl-fun-req-02.txt>": (
        "ftp://ds.internic.net/internet-drafts/draft-ietf-uri-irl-fun-req-02.txt"
    ),
    "<URL:ftp://ds.internic.net/rfc/rfc1034.txt>": "ftp://ds.internic.net/rfc/rfc1034.txt",
    "<URL:ftp://prospero.isi.edu/pub/prospero/doc\n       /prospero-protocol.PS.Z>": (
        "ftp://prospero.isi.edu/pub/prospero/doc/prospero-protocol.PS.Z"
    ),
    "<URL:ftp://ds.internic.net/rfc/rfc959.txt>": "ftp://ds.internic.net/rfc/rfc959.txt",
    "<URL:ftp://ds.internic.net/rfc/rfc1737.txt>": "ftp://ds.internic.net/rfc/rfc1737.txt",
    "<URL:ftp://ds.internic.net/rfc/rfc1625.txt>": "ftp://ds.internic.net/rfc/rfc1625.txt",
    "<URL:ftp://uu.psi.com/wp/nir.txt>": "ftp://uu.psi.com/wp/nir.txt",
}

# Every other URL that RFC 1738 wraps in its text, by section
WRAPPED_1738 = {
    "<URL:http://www.acl.lanl.gov/URI/archive/uri-archive.index.html>": (
        "http://www.acl.lanl.gov/URI/archive/uri-archive.index.html"
    ),
    "<URL:ftp://@host.com/>": "ftp://@host.com/",
    "<URL:ftp://host.com/>": "ftp://host.com/",
    "<URL:ftp://foo:@host.com/>": "ftp://foo:@host.com/",
    "<URL:ftp://myname@host.dom/%2Fetc/motd>": "ftp://myname@host.dom/%2Fetc/motd",
    "<URL:ftp://myname@host.dom/etc/motd>": "ftp://myname@host.dom/etc/motd",
    "<URL:ftp://myname@host.dom//etc/motd>": "ftp://myname@host.dom//etc/motd",
    "<URL:news:*>": "news:*",
    "<URL:file://vms.host.edu/disk$user/my/notes/note12345.txt>": (
        "file://vms.host.edu/disk$user/my/notes/note12345.txt"
    ),
    "<URL:prospero://host.dom//pros/name>": "prospero://host.dom//pros/name",
}

#: An RFC, a text, and the readings of each extract: a text, or a text and a fragment.
TABLE = {
    "rfc1738-appendix": (
        "rfc1738",
        JIM_1738,
        [
            ["ftp://info.cern.ch/pub/www/doc;type=d"],
            ["ftp://ds.internic.net/rfc"],
            [
                ("http://ds.internic.net/instructions/overview.html", "WARNING"),
                "http://ds.internic.net/instructions/overview.html#WARNING",
            ],
        ],
    ),
    **{
        f"{spec}-E": (
            spec,
            JIM_2396,
            [
                ["http://www.w3.org/Addressing/"],
                ["ftp://ds.internic.net/rfc/"],
                ["http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING"],
            ],
        )
        for spec in ("rfc2396", "rfc2732")
    },
    "rfc3986-C": (
        "rfc3986",
        JIM_3986,
        [
            ["http://www.w3.org/Addressing/"],
            ["ftp://foo.example.com/rfc/"],
            ["http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING"],
        ],
    ),
    "rfc3986-10.2-references": (
        "rfc3986",
        "<http://www.giac.org/practical/gsec/\n              Richard_Siedzik_GSEC.pdf>",
        [
            ["http://www.giac.org/practical/gsec/Richard_Siedzik_GSEC.pdf"],
        ],
    ),
    **{
        f"{spec}-in-practice": (
            spec,
            f'usually within double-quotes "{url}", angle brackets\n<{url}>',
            [[url], [url]],
        )
        for spec, url in (("rfc2396", "http://test.com/"), ("rfc3986", "http://example.com/"))
    },
    # white space inside, of every kind (R-1738-34)
    "white-space": ("rfc1738", "<URL:ftp://h/a\n   /b\tc\r\n\x0b\x0cd>", [["ftp://h/a/bcd"]]),
    "encoded-white-space-stays": ("rfc1738", "<URL:ftp://h/a%20%0Ab>", [["ftp://h/a%20%0Ab"]]),
    "rfc2396-prefix-and-blank": ("rfc2396", "<URL: http://h/>", [["http://h/"]]),
    "rfc2396-white-space-in-quotes": ("rfc2396", '"http://h/ a"', [["http://h/a"]]),
    # a hyphen before a line break
    "rfc1738-hyphen": ("rfc1738", "<URL:ftp://h/a-\n  b>", [["ftp://h/a-b", "ftp://h/ab"]]),
    "rfc2396-hyphen": ("rfc2396", "<http://h/a-\nb>", [["http://h/a-b", "http://h/ab"]]),
    "rfc3986-hyphen": ("rfc3986", "<http://h/a-\r\nb>", [["http://h/a-b", "http://h/ab"]]),
    "seven-hyphens": (
        "rfc3986",
        "<http://h/" + "a-\n" * 7 + "b>",
        [["http://h/" + "".join(parts) + "b" for parts in product(("a-", "a"), repeat=7)]],
    ),
    "hyphen-and-blank-only": ("rfc3986", "<http://h/a- b>", [["http://h/a-b"]]),
    "hyphen-after-the-break": ("rfc3986", "<http://h/a\n-b>", [["http://h/a-b"]]),
    "two-hyphens": (
        "rfc3986",
        "<http://h/a-\nb-\nc>",
        [
            ["http://h/a-b-c", "http://h/a-bc", "http://h/ab-c", "http://h/abc"],
        ],
    ),
    "only-one-is-valid": ("rfc1738", "<URL:http://a-\n.b/>", [["http://a.b/"]]),
    # fragments (R-1738-32)
    "fragment": ("rfc1738", "<URL:http://h/a#b>", [[("http://h/a", "b"), "http://h/a#b"]]),
    "empty-fragment": ("rfc1738", "<URL:http://h/a#>", [[("http://h/a", ""), "http://h/a#", "http://h/a"]]),
    "two-hashes": ("rfc1738", "<URL:http://h/a#b#c>", []),
    "rfc2396-fragment": ("rfc2396", "<http://h/a#b>", [["http://h/a#b"]]),
    # the prefix (R-1738-33, R-3986-35)
    "rfc3986-prefix": ("rfc3986", "<URL:http://h/>", [["http://h/", "URL:http://h/"]]),
    "prefix-in-lower-case": ("rfc1738", "<url:http://h/>", [["http://h/", "url:http://h/"]]),
    "rfc2396-prefix": ("rfc2396", "<URL:http://h/>", [["http://h/"]]),
    # what is not a URL
    **{f"{spec}-relative": (spec, "<foo> <> < > <../g> <#f> <?y> <//h/p> <a@b>", []) for spec in URI_SPECS},
    "invalid": ("rfc1738", "<URL:> <URL:foo> <URL:http://u@h/> <URL:http://h/~u>", []),
    "rfc2396-invalid": ("rfc2396", "<http://h/{x}> <URL:foo>", []),
    "not-closed": ("rfc3986", "<http://h/", []),
    "not-opened": ("rfc3986", "http://h/>", []),
    "brackets-in-brackets": ("rfc3986", "<<http://h/>>", [["http://h/"]]),
    "quotes-in-brackets": ("rfc3986", '<a href="http://h/">x</a>', [["http://h/"]]),
    "a-stray-quote": ("rfc3986", 'a 5" disk, "http://h/"', [["http://h/"]]),
    "rfc2396-no-literal": ("rfc2396", "<http://[::1]/>", []),
    "rfc2732-literal": ("rfc2732", "<http://[::1]/>", [["http://[::1]/"]]),
    **{url: ("rfc1738", text, [[url]]) for text, url in REFERENCES_1738.items()},
    **{url: ("rfc1738", text, [[url]]) for text, url in WRAPPED_1738.items()},
}


def readings_of(urls, *, optional=None):
    """Return the readings of the extracts in the manner of the table."""
    return [
        [url.text if url.fragment is None else (url.text, url.fragment) for url in extract.readings]
        for extract in urls
        if optional is None or extract.optional is optional
    ]


by_row = pytest.mark.parametrize(("spec", "text", "expected"), TABLE.values(), ids=TABLE)
by_text = pytest.mark.parametrize(
    ("spec", "text"), [(spec, text) for spec, text, _expected in TABLE.values()], ids=TABLE
)


@by_row
def test_urls_are_extracted_as_in_the_table(spec, text, expected):
    assert readings_of(extract(text, spec)) == expected


def assert_apart(urls, text):
    """Fail unless these extracts of a text are in its order, not empty, and have no character in common."""
    end_of_last = 0
    for url in urls:
        assert url.start >= end_of_last, url
        assert url.end > url.start, url
        end_of_last = url.end
    assert end_of_last <= len(text)


@by_text
def test_spans_do_not_overlap(spec, text):
    assert_apart(extract(text, spec), text)


@pytest.mark.parametrize(("delimiter", "edges"), [("wrapper", "<>"), ("brackets", "<>"), ("quotes", '""')])
def test_the_span_of_a_wrapped_url_has_its_wrapper(delimiter, edges):
    edges_of_spans = set()
    for spec, text, _expected in TABLE.values():
        urls = [url for url in extract(text, spec) if url.delimiter == delimiter]
        edges_of_spans.update(text[url.start] + text[url.end - 1] for url in urls)
    assert edges_of_spans == {edges}


def test_all_references_of_rfc1738_are_extracted_from_one_text():
    text = "\n\n".join(f'   [x] Somebody, "A title",\n       {wrapped}' for wrapped in REFERENCES_1738)
    assert readings_of(extract(text, "rfc1738")) == [[url] for url in REFERENCES_1738.values()]


def test_all_urls_are_extracted_from_the_text_of_rfc1738(rfc_dir):
    """Every wrapped URL of the RFC is found in its order, in spite of page breaks."""
    text = (rfc_dir / "rfc1738.txt").read_text(encoding="ascii")
    recommended = [readings[0] for readings in readings_of(extract(text, "rfc1738"), optional=False)]
    # the URL with a fragment in the appendix is a pair, and no URL of RFC 1738
    assert [reading for reading in recommended if isinstance(reading, str)] == [
        *WRAPPED_1738.values(),
        "ftp://info.cern.ch/pub/www/doc;type=d",
        "ftp://ds.internic.net/rfc",
        *REFERENCES_1738.values(),
    ]


@pytest.mark.parametrize(
    ("spec", "examples"),
    [
        ("rfc2396", ["http://test.com/", "http://test.com/", *EXAMPLES_2396]),
        ("rfc3986", ["http://example.com/", "http://example.com/", *EXAMPLES_3986]),
    ],
)
def test_all_urls_are_extracted_from_the_appendices_of_rfc2396_and_rfc3986(rfc_dir, spec, examples):
    """The examples of the appendix come in their order, and all of them have to be found."""
    text = (rfc_dir / f"{spec}.txt").read_text(encoding="ascii")
    start = text.rindex("within double-quotes")
    last_example = "historical.html#WARNING>"
    appendix = text[start : text.index(last_example, start) + len(last_example)]
    recommended = [readings[0] for readings in readings_of(extract(appendix, spec), optional=False)]
    assert recommended == examples


@pytest.mark.parametrize(
    ("spec", "text", "delimiter", "optional", "rulings"),
    [
        ("rfc1738", "<URL:http://h/>", "wrapper", False, ["R-1738-33"]),
        ("rfc1738", "<http://h/>", "brackets", True, ["R-1738-33"]),
        ("rfc1738", '"http://h/"', "quotes", True, ["R-1738-33"]),
        ("rfc1738", "see URL:http://h/ there", "space", True, ["R-1738-33", "R-1738-33"]),
        ("rfc1738", "<URL:http://h/#f>", "wrapper", False, ["R-1738-32", "R-1738-32"]),
        ("rfc1738", "<URL:http://h/a-\nb>", "wrapper", False, ["R-1738-34", "R-1738-34"]),
        ("rfc2396", "<http://h/>", "brackets", False, ["R-2396-28"]),
        ("rfc2396", "<URL:http://h/>", "wrapper", False, ["R-2396-28"]),
        ("rfc2396", '"http://h/"', "quotes", False, ["R-2396-28"]),
        ("rfc2396", "see http://h/ there", "space", True, ["R-2396-28"]),
        ("rfc3986", "see http://h/ there", "space", True, ["R-3986-35"]),
        ("rfc3986", "<URL:http://h/>", "wrapper", False, ["R-3986-35", "R-3986-35"]),
        ("rfc3986", "<http://h/a-\nb>", "brackets", False, ["R-1738-34", "R-1738-34"]),
        ("rfc3986", "<http://h/ a>", "brackets", False, ["R-3986-35"]),
        ("rfc3986", "<\n  http://h/a\n  b\n>", "brackets", False, ["R-3986-35"]),
        ("rfc3986", "<urn:isbn:1>", "brackets", False, ["R-3986-35"]),
        # words with a colon: a URL by the grammar, but optional
        ("rfc3986", '"Augmented BNF for Syntax Specifications: ABNF"', "quotes", True, ["R-3986-35"]),
        ("rfc3986", '"user:password"', "quotes", True, ["R-3986-35"]),
        ("rfc3986", "<foo: bar baz>", "brackets", True, ["R-3986-35"]),
        ("rfc3986", "<see http://h/ for it>", "brackets", True, ["R-3986-35"]),
        ("rfc3986", "<URL:foo>", "wrapper", True, ["R-3986-35"]),
    ],
)
def test_an_extract_has_its_delimiter_its_rulings_and_whether_it_is_optional(
    spec, text, delimiter, optional, rulings
):
    (extracted,) = extract(text, spec)
    assert extracted.delimiter == delimiter
    assert extracted.optional == optional
    assert [url.ruling for url in extracted.readings] == rulings


#: An RFC, a text with white space around URLs, and the readings of each of them.
BETWEEN_WHITE_SPACE = [
    ("rfc2396", "go to http://test.com/ now", [["http://test.com/"]]),
    ("rfc3986", "                       http://example.com/\n", [["http://example.com/"]]),
    ("rfc3986", "see http://h/a.", [["http://h/a.", "http://h/a"]]),
    ("rfc3986", "(see http://h/a)", [["http://h/a)", "http://h/a"]]),
    ("rfc3986", "see (http://h/a), there", [["http://h/a"]]),
    ("rfc3986", "write to mailto:joe@h", [["mailto:joe@h"]]),
    ("rfc3986", "Note: e.g. this:that at 10:30", []),
    ("rfc1738", "go to http://test.com/ now", []),
    ("rfc1738", "go to URL:http://h/ now", [["URL:http://h/", "http://h/"]]),
    ("rfc2396", "<x http://h/", [["http://h/"]]),
]


@pytest.mark.parametrize(("spec", "text", "expected"), BETWEEN_WHITE_SPACE)
def test_white_space_alone_delimits_a_url(spec, text, expected):
    assert readings_of(extract(text, spec)) == expected


@pytest.mark.parametrize(("spec", "text", "expected"), BETWEEN_WHITE_SPACE)
def test_a_url_that_white_space_alone_delimits_is_optional(spec, text, expected):
    assert readings_of(extract(text, spec), optional=True) == expected


def test_rfc1808_has_no_running_text():
    with pytest.raises(Unsupported, match=r"^RFC 1808 does not define URLs in text, only in the Base header"):
        extract("<URL:http://h/>", "rfc1808")


@pytest.mark.parametrize("spec", ["rfc1738", *URI_SPECS])
def test_every_reading_is_valid_by_itself(spec):
    text = f"{JIM_1738} {JIM_2396} {JIM_3986} <a:b-\nc> see http://h/x- (y:z)"
    readings = list(chain.from_iterable(extracted.readings for extracted in extract(text, spec)))
    assert readings
    for reading in readings:
        # a fragment is no part of a URL of RFC 1738
        url = reading.text.partition("#")[0] if spec == "rfc1738" else reading.text
        assert SPECIFICATIONS[spec].problem(url) is None, url


@pytest.mark.parametrize("spec", ["rfc1738", *URI_SPECS])
@pytest.mark.parametrize("width", [1, 2, 3, 7, 20])
def test_folded_urls_are_read_back(spec, width):
    """A URL with a line break anywhere but after a hyphen is read back unchanged."""
    url = "ftp://info.cern.ch/pub/www/doc;type=d"
    folded = "\n   ".join(url[start : start + width] for start in range(0, len(url), width))
    (extracted,) = extract(f"x <URL:{folded}> y", spec)
    first_reading, *_ = extracted.readings
    assert first_reading.text == url


def test_more_hyphens_than_can_be_tried_have_two_readings():
    """The two keep all hyphens and none; a reading for each choice would take for ever."""
    (extracted,) = extract("<x:" + "-\n" * 5000 + ">", "rfc3986")
    assert [url.text for url in extracted.readings] == ["x:" + "-" * 5000, "x:"]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1738", "rfc3986"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("<" * 20000, id="brackets"),
        pytest.param('"' * 20000, id="quotes"),
        pytest.param('"<' * 10000, id="quotes-and-brackets"),
        pytest.param("a:" * 20000, id="colons"),
        pytest.param("<a " * 10000, id="brackets-and-words"),
    ],
)
def test_a_long_text_of_delimiters_has_no_url(spec, text):
    """To try each pair of delimiters would take for ever."""
    assert list(extract(text, spec)) == []


TEXTS_WITH_URLS = st.lists(
    st.sampled_from(
        [
            "<",
            ">",
            '"',
            "URL:",
            "url:",
            "http://h/",
            "a",
            "-",
            "\n",
            " ",
            "#",
            "mailto:",
            "foo:",
            ".",
            "%41",
            "\xa0",
            ";",
        ]
    )
).map("".join)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1738", *URI_SPECS])
@given(TEXTS_WITH_URLS)
def test_extracts_of_any_text_are_in_order_and_do_not_overlap(spec, text):
    assert_apart(extract(text, spec), text)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1738", *URI_SPECS])
@given(TEXTS_WITH_URLS)
def test_a_reading_of_any_text_is_what_its_span_holds_but_for_white_space_and_hyphens(spec, text):
    """Only R-1738-34 drops hyphens: those at the end of a line."""
    for extracted in extract(text, spec):
        span = re.sub("[ \n]", "", text[extracted.start : extracted.end])
        for url in extracted.readings:
            whole = url.text if url.fragment is None else f"{url.text}#{url.fragment}"
            if url.ruling == "R-1738-34":
                assert whole.replace("-", "") in span.replace("-", ""), url
            else:
                assert whole in span, url


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1738", *URI_SPECS])
@given(TEXTS_WITH_URLS)
def test_an_extract_of_any_text_has_readings_that_all_differ(spec, text):
    for extracted in extract(text, spec):
        assert extracted.readings
        assert len(set(extracted.readings)) == len(extracted.readings), extracted


# Planted faults: each has to be seen by the table above


@pytest.mark.parametrize(
    ("name", "change"),
    [
        pytest.param("WHITE_SPACE", lambda _: "\r\n", id="only-line-breaks-are-dropped"),
        pytest.param("WHITE_SPACE", lambda _: " \t", id="line-breaks-stay"),
        pytest.param("_CHARACTERS", lambda _: 0, id="two-readings-of-seven-hyphens"),
        pytest.param("RFC1738", lambda old: replace(old, fragment_apart=False), id="fragment-as-in-2396"),
        pytest.param("RFC2396", lambda old: replace(old, fragment_apart=True), id="fragment-as-in-1738"),
        pytest.param("RFC2396", lambda old: replace(old, keeps_prefix=True), id="prefix-kept"),
        pytest.param("RFC3986", lambda old: replace(old, keeps_prefix=False), id="prefix-always-dropped"),
        pytest.param("PREFIX", lambda _: "URN:", id="another-prefix"),
    ],
)
def test_a_planted_fault_fails_the_table(monkeypatch, name, change):
    monkeypatch.setattr(extraction, name, change(getattr(extraction, name)))
    assert not all(readings_of(extract(text, spec)) == expected for spec, text, expected in TABLE.values())


#: A word between white space, and the readings of the URL in it by the RFCs from RFC 2396 on.
WITH_PARENTHESES = [
    pytest.param("(http://a/b_(c))", ["http://a/b_(c", "http://a/b_(c)"], id="in-parentheses"),
    pytest.param(
        "http://a/b_(c),", ["http://a/b_(c),", "http://a/b_(c", "http://a/b_(c)"], id="before-a-comma"
    ),
    pytest.param("http://a/b_(c)", ["http://a/b_(c)", "http://a/b_(c"], id="alone"),
    pytest.param("(http://a/((b))).", ["http://a/((b", "http://a/((b))"], id="nested"),
    pytest.param("(http://a/(b)c)", ["http://a/(b)c"], id="inside"),
    pytest.param("(http://a/b)", ["http://a/b"], id="not-balanced"),
    pytest.param("(http://a/b(c)", ["http://a/b(c", "http://a/b(c)"], id="opening-one-of-two"),
]


@pytest.mark.parametrize(("word", "readings"), WITH_PARENTHESES)
@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])
def test_parentheses_that_are_balanced_inside_a_url_may_end_it(spec, word, readings):
    """The appendices leave it open which punctuation is part of a URL between white space."""
    (url,) = extract(f"see {word} now", spec)
    assert [reading.text for reading in url.readings] == readings


@pytest.mark.parametrize(("word", "readings"), WITH_PARENTHESES)
@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])
def test_a_url_with_parentheses_between_white_space_is_optional(spec, word, readings):
    (url,) = extract(f"see {word} now", spec)
    assert url.optional


def test_the_brackets_of_an_address_may_end_a_uri():
    (url,) = extract("(http://[::1])", "rfc3986")
    assert [(reading.text, reading.ruling) for reading in url.readings] == [("http://[::1]", "R-3986-47")]


@pytest.mark.parametrize(
    ("spec", "rulings"),
    [("rfc2396", ["R-2396-28", "R-2396-37"]), ("rfc3986", ["R-3986-35", "R-3986-47"])],
)
def test_the_reading_with_balanced_parentheses_cites_its_ruling(spec, rulings):
    (url,) = extract("(http://a/b_(c))", spec)
    assert [reading.ruling for reading in url.readings] == rulings
