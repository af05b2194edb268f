"""Equivalence: RFC 3986 sections 6.2.2 and 6.2.3, RFC 2396 section 6, RFC 1738 by its rulings."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from urloracle import rfcs
from urloracle.errors import InvalidURL
from urloracle.operations import equivalent, normalize
from urloracle.rfc import equivalence
from urloracle.rfc.normalization import normalize_rfc2396
from urloracle.specification import Unsupported

SAME, OTHER = True, False
BOTH = "both modes"

#: Specification, mode, two texts, whether they are equal, and the rulings that admit the other verdict.
ROWS = [
    # RFC 3986, section 6.2.2 and below
    ("rfc3986", "syntax", "example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", SAME, []),
    ("rfc3986", "syntax", "HTTP://www.EXAMPLE.com/", "http://www.example.com/", SAME, []),
    ("rfc3986", "syntax", "http://h/%3a", "http://h/%3A", SAME, []),
    ("rfc3986", "syntax", "http://h/~A", "http://h/%7E%41", SAME, []),
    ("rfc3986", "syntax", "http://h/%2F", "http://h//", OTHER, []),
    ("rfc3986", "syntax", "http://h/%3A", "http://h/:", OTHER, []),
    ("rfc3986", "syntax", "http://h/a", "http://h/A", OTHER, []),
    ("rfc3986", "syntax", "http://User@h/", "http://user@h/", OTHER, []),
    ("rfc3986", "syntax", "http://h/?a", "http://h/?A", OTHER, []),
    ("rfc3986", "syntax", "http://h/%2541", "http://h/%41", OTHER, []),
    ("rfc3986", "syntax", "http://[v1.A]/", "http://[V1.a]/", SAME, []),
    # section 6.2.3: four http URIs, every pair
    *(
        ("rfc3986", "scheme", first, second, SAME, [])
        for first, second in itertools.combinations(
            (
                "http://example.com",
                "http://example.com/",
                "http://example.com:/",
                "http://example.com:80/",
            ),
            2,
        )
    ),
    ("rfc3986", "syntax", "http://example.com", "http://example.com/", OTHER, ["R-3986-21"]),
    ("rfc3986", "syntax", "http://example.com/", "http://example.com:/", OTHER, ["R-3986-20"]),
    ("rfc3986", "syntax", "http://example.com/", "http://example.com:80/", OTHER, ["R-3986-20"]),
    ("rfc3986", "syntax", "http://example.com", "http://example.com:80/", OTHER, ["R-3986-20", "R-3986-21"]),
    # only http has its port here
    ("rfc3986", "scheme", "ftp://h:21/", "ftp://h/", SAME, ["R-3986-32"]),
    ("rfc3986", "syntax", "ftp://h:21/", "ftp://h/", OTHER, ["R-3986-32"]),
    ("rfc3986", "scheme", "http://h:21/", "http://h/", OTHER, []),
    ("rfc3986", "scheme", "foo://h:80/", "foo://h/", OTHER, []),
    ("rfc3986", "scheme", "foo://h:/", "foo://h/", SAME, []),
    ("rfc3986", "scheme", "foo://h", "foo://h/", SAME, ["R-3986-21"]),
    ("rfc3986", "scheme", "foo:", "foo:/", OTHER, []),
    # delimiters of empty components; the fragment (R-3986-22)
    *(
        ("rfc3986", "scheme", "http://example.com/?", text, OTHER, [])
        for text in ("http://example.com", "http://example.com/", "http://example.com:80/")
    ),
    ("rfc3986", "scheme", "http://h/#", "http://h/", OTHER, []),
    ("rfc3986", "scheme", "http://h/#a", "http://h/#b", OTHER, []),
    ("rfc3986", "scheme", "http://u:@h/", "http://u@h/", OTHER, []),
    ("rfc3986", "scheme", "http://@h/", "http://h/", OTHER, []),
    # hosts by the scheme
    ("rfc3986", "scheme", "mailto:Joe@Example.COM", "mailto:Joe@example.com", SAME, ["R-3986-30"]),
    ("rfc3986", "syntax", "mailto:Joe@Example.COM", "mailto:Joe@example.com", OTHER, ["R-3986-30"]),
    ("rfc3986", "scheme", "mailto:Joe@example.com", "mailto:joe@example.com", OTHER, []),
    ("rfc3986", "scheme", "mailto:Joe@h?subject=A@B", "mailto:Joe@h?subject=A@b", OTHER, []),
    ("rfc3986", "scheme", "file://localhost/x", "file:///x", SAME, ["R-3986-30"]),
    ("rfc3986", "syntax", "file://localhost/x", "file:///x", OTHER, ["R-3986-30"]),
    ("rfc3986", "scheme", "http://localhost/x", "http:///x", OTHER, ["R-3986-19"]),
    ("rfc3986", "scheme", "file:/x", "file:///x", SAME, ["R-3986-30"]),  # section 3.2.2
    ("rfc3986", "syntax", "file:/x", "file:///x", OTHER, ["R-3986-30"]),
    ("rfc3986", "scheme", "file:/x", "file://localhost/x", SAME, ["R-3986-30"]),
    ("rfc3986", "scheme", "file:x", "file:///x", OTHER, []),
    ("rfc3986", "scheme", "file://u@localhost/x", "file://u@/x", OTHER, []),  # section 6.2.3
    ("rfc3986", "scheme", "http://h:0080/p", "http://h/p", SAME, ["R-3986-45"]),
    ("rfc3986", "syntax", "http://h:0080/p", "http://h/p", OTHER, ["R-3986-45"]),
    ("rfc3986", BOTH, "http://h:0081/p", "http://h:81/p", OTHER, []),
    ("rfc3986", BOTH, "http://[::1]/", "http://[0:0:0:0:0:0:0:1]/", OTHER, ["R-3986-46"]),
    ("rfc3986", BOTH, "http://[::102:304]/", "http://[::1.2.3.4]/", OTHER, ["R-3986-46"]),
    ("rfc3986", BOTH, "http://[v1.a]/", "http://[v1.b]/", OTHER, []),
    ("rfc2396", BOTH, "http://h:080/p", "http://h/p", OTHER, ["R-2396-36"]),
    ("rfc1738", BOTH, "http://h:080/p", "http://h/p", OTHER, ["R-1738-45"]),
    ("rfc3986", BOTH, "https://h:443/", "https://h/", OTHER, ["R-3986-39"]),
    ("rfc2396", BOTH, "https://h:443/", "https://h/", OTHER, ["R-2396-34"]),
    ("rfc3986", BOTH, "f:/.//g", "f://g", OTHER, ["R-3986-09"]),
    ("rfc3986", "scheme", "http://example.com/data", "http://example.com/data/", OTHER, []),
    # RFC 2396, section 6 (R-2396-27)
    *(
        (spec, mode, first, second, SAME, [])
        for spec, mode in itertools.product(("rfc2396", "rfc2732"), ("syntax", "scheme"))
        for first, second in (
            ("http://www.XEROX.com", "http://www.xerox.com"),
            ("HTTP://h/", "http://h/"),
        )
    ),
    ("rfc2396", "scheme", "http://h:80/", "http://h/", SAME, []),
    ("rfc2396", "scheme", "ftp://h:21/", "ftp://h/", SAME, []),
    ("rfc2396", "syntax", "http://h:80/", "http://h/", OTHER, ["R-2396-27"]),
    ("rfc2396", "scheme", "http://h:21/", "http://h/", OTHER, []),
    ("rfc2396", BOTH, "http://h", "http://h/", OTHER, ["R-2396-27"]),
    ("rfc2396", BOTH, "http://h:/", "http://h/", OTHER, ["R-2396-27"]),
    ("rfc2396", BOTH, "http://h/?", "http://h/", OTHER, ["R-2396-27"]),
    ("rfc2396", "scheme", "wais://h:210/d", "wais://h/d", SAME, ["R-2396-27"]),
    ("rfc2396", "scheme", "prospero://h:1525/d", "prospero://h/d", SAME, ["R-2396-27"]),
    ("rfc2396", "scheme", "nntp://h:119/g", "nntp://h/g", SAME, []),
    ("rfc2396", BOTH, "http://h/a/../b", "http://h/b", OTHER, ["R-2396-27"]),
    ("rfc2396", BOTH, "http://h/a/b/..", "http://h/a/", OTHER, ["R-2396-27"]),
    ("rfc2396", BOTH, "foo:a/../b", "foo:b", OTHER, []),
    ("rfc2396", BOTH, "http://h/A", "http://h/a", OTHER, []),
    ("rfc2396", BOTH, "http://User@h/", "http://user@h/", OTHER, []),
    # escapes (R-2396-26); sections 2.3 and 2.4.2
    ("rfc2396", "scheme", "http://h/%7eu", "http://h/~u", SAME, []),
    ("rfc2396", "syntax", "http://h/%7eu", "http://h/~u", SAME, []),
    ("rfc2396", BOTH, "ftp://h/%61", "ftp://h/a", SAME, []),
    ("rfc2396", BOTH, "http://h/?%61", "http://h/?a", SAME, []),
    ("rfc2396", BOTH, "http://h/%2f", "http://h/%2F", SAME, []),
    ("rfc2396", BOTH, "http://h/%2F", "http://h//", OTHER, []),
    ("rfc2396", BOTH, "http://h/%2541", "http://h/%41", OTHER, []),
    # fragments and empty delimiters
    ("rfc2396", BOTH, "http://h/#a", "http://h/", OTHER, ["R-2396-01"]),
    ("rfc2396", BOTH, "http://A_b/", "http://a_b/", OTHER, ["R-2396-11"]),
    ("rfc2396", BOTH, "http://a_b:80/", "http://a_b/", OTHER, ["R-2396-11"]),
    ("rfc2396", BOTH, "http://U@a_b/", "http://u@a_b/", OTHER, []),
    ("rfc2396", BOTH, "http://a%2Db/", "http://a-b/", SAME, []),
    ("rfc2732", "scheme", "http://[::A]:80/", "http://[::a]/", SAME, []),
    # RFC 1738
    ("rfc1738", BOTH, "http://h/%61", "http://h/a", SAME, []),  # R-1738-36
    ("rfc1738", BOTH, "http://h/?%61", "http://h/?a", SAME, []),
    ("rfc1738", BOTH, "http://h/%2f", "http://h/%2F", SAME, []),  # R-1738-39
    ("rfc1738", BOTH, "http://h/%2F", "http://h//", OTHER, []),
    ("rfc1738", BOTH, "http://h/%3B", "http://h/;", OTHER, []),
    ("rfc1738", BOTH, "http://h/%3A", "http://h/:", OTHER, ["R-1738-42"]),  # not reserved in http
    ("rfc1738", BOTH, "gopher://h/1%2F", "gopher://h/1/", OTHER, ["R-1738-42"]),
    ("rfc1738", BOTH, "gopher://h/1a%09b", "gopher://h/1a%2509b", OTHER, []),
    ("rfc1738", BOTH, "ftp://h/%2Fetc", "ftp://h//etc", OTHER, []),
    ("rfc1738", BOTH, "ftp://%61@h/", "ftp://a@h/", SAME, ["R-1738-36"]),
    ("rfc1738", BOTH, "mailto:%61@h", "mailto:a@h", SAME, []),
    ("rfc1738", BOTH, "HTTP://H.COM/", "http://h.com/", SAME, ["G-11"]),
    ("rfc1738", BOTH, "http://h/A", "http://h/a", OTHER, []),
    ("rfc1738", BOTH, "http://h/%41", "http://h/a", OTHER, []),
    ("rfc1738", BOTH, "http://h/%2541", "http://h/%41", OTHER, []),
    ("rfc1738", "syntax", "http://h", "http://h/", OTHER, ["R-1738-35"]),
    ("rfc1738", "scheme", "http://h", "http://h/", SAME, ["R-1738-35"]),  # section 3.3
    ("rfc1738", BOTH, "http://h/a?", "http://h/a", OTHER, ["R-1738-35"]),
    ("rfc1738", "syntax", "gopher://h", "gopher://h/", OTHER, ["R-1738-35"]),
    ("rfc1738", "scheme", "gopher://h/", "gopher://h/1", SAME, ["section 3.4.1"]),
    ("rfc1738", "syntax", "gopher://h/", "gopher://h/1", OTHER, ["section 3.4.1"]),
    ("rfc1738", "syntax", "gopher://h", "gopher://h/1", OTHER, ["section 3.4.1", "R-1738-35"]),
    ("rfc1738", BOTH, "foo://H/", "foo://h/", SAME, ["G-11"]),
    ("rfc1738", "scheme", "telnet://h", "telnet://h/", SAME, ["R-1738-35"]),  # section 3.8
    ("rfc1738", "syntax", "ftp://@h/", "ftp://h/", OTHER, []),  # section 3.1
    ("rfc1738", BOTH, "ftp://foo:@h/", "ftp://foo@h/", OTHER, []),
    ("rfc1738", BOTH, "http://h/?", "http://h/", OTHER, ["R-1738-35"]),
    ("rfc1738", BOTH, "ftp://h/a;type=A", "ftp://h/a;type=a", SAME, ["R-1738-21"]),
    ("rfc1738", "syntax", "file://localhost/x", "file:///x", SAME, ["R-1738-23"]),
    ("rfc1738", "scheme", "file://localhost/x", "file:///x", SAME, []),  # section 3.10
    ("rfc1738", "scheme", "file://LOCALHOST/x", "file://localhost/x", SAME, []),
    ("rfc1738", "scheme", "http://h:80/", "http://h/", SAME, ["section 3.1"]),
    ("rfc1738", "syntax", "http://h:80/", "http://h/", OTHER, ["section 3.1"]),
    ("rfc1738", "scheme", "wais://h:210/d", "wais://h/d", SAME, ["section 3.1"]),
    ("rfc1738", BOTH, "http://h:70/", "http://h/", OTHER, []),
    ("rfc1738", BOTH, "foo:%61", "foo:a", SAME, ["R-1738-36"]),
    ("rfc1738", BOTH, "mailto:a@H", "mailto:a@h", OTHER, ["R-1738-26"]),
    ("rfc1738", BOTH, "news:a@H", "news:a@h", OTHER, ["R-1738-27"]),
    ("rfc1738", BOTH, "http://h/", "ftp://h/", OTHER, []),
]
TABLE = []
for spec_of_row, modes_of_row, *pair_and_verdict in ROWS:
    modes = ("syntax", "scheme") if modes_of_row is BOTH else (modes_of_row,)
    TABLE += [(spec_of_row, mode, *pair_and_verdict) for mode in modes]


def rulings_of(equivalence):
    """Return the rulings under which another verdict is admissible."""
    return [alternative.ruling for alternative in equivalence.also]


by_pair = pytest.mark.parametrize(("spec", "mode", "first", "second", "equal", "rulings"), TABLE)


@by_pair
def test_equivalence_is_that_of_the_table(spec, mode, first, second, equal, rulings):
    assert equivalent(first, second, spec, mode).equal is equal


@by_pair
def test_the_other_verdict_is_admitted_by_the_rulings_of_the_table(spec, mode, first, second, equal, rulings):
    assert rulings_of(equivalent(first, second, spec, mode)) == rulings


@by_pair
def test_an_admitted_verdict_is_another_than_the_recommended_one(spec, mode, first, second, equal, rulings):
    equivalence = equivalent(first, second, spec, mode)
    assert [alternative for alternative in equivalence.also if alternative.equal is equal] == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("spec", "mode", "first", "second"),
    [(spec, mode, first, second) for spec, mode, first, second, _equal, _rulings in TABLE],
)
def test_equivalence_is_symmetric(spec, mode, first, second):
    assert equivalent(second, first, spec, mode) == equivalent(first, second, spec, mode)


#: Every text of the table with its RFC and each mode in which it is compared, once.
TEXTS = list(
    dict.fromkeys((spec, mode, text) for spec, mode, *pair, _, _ in TABLE for text in pair),
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("spec", "mode", "text"), TEXTS)
def test_a_text_is_equivalent_to_itself(spec, mode, text):
    equivalence = equivalent(text, text, spec, mode)
    assert equivalence.equal
    assert equivalence.differs == ()


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("spec", "mode", "text"), TEXTS)
def test_no_other_verdict_on_a_text_and_itself_is_admitted(spec, mode, text):
    """Only a refusal may be admitted besides the recommended verdict (R-3986-19)."""
    equivalence = equivalent(text, text, spec, mode)
    assert [alternative for alternative in equivalence.also if alternative.equal is not None] == []


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1738", "rfc2396", "rfc2732", "rfc3986"])
@pytest.mark.parametrize("mode", ["syntax", "scheme"])
def test_equivalence_is_transitive(spec, mode):
    """Equivalence is transitive if every step is required."""
    # all pairs of more texts take long
    texts = sorted(
        text for spec_of_text, mode_of_text, text in TEXTS if (spec_of_text, mode_of_text) == (spec, mode)
    )[:60]
    certain = set()
    for first, second in itertools.product(texts, repeat=2):
        equivalence = equivalent(first, second, spec, mode)
        if equivalence.equal and not equivalence.also:
            certain.add((first, second))
    assert [(first, second) for first, second in certain if first != second]
    for first, second in certain:
        for third in texts:
            assert ((second, third) in certain) == ((first, third) in certain), (first, second, third)


# RFC 1738 defines no normal form
NORMALIZED = list(dict.fromkeys((spec, mode, first) for spec, mode, first, *_ in TABLE if spec != "rfc1738"))

# RFC 2396 leaves it to the scheme whether escapes are part of a normal form (R-2396-26)
OF_ONE_NORMAL_FORM = [
    (spec, mode, first, second)
    for spec, mode, first, second, equal, rulings in TABLE
    if equal and not rulings and (spec == "rfc3986" or (spec != "rfc1738" and "%" not in first))
]


@pytest.mark.parametrize(("spec", "mode", "text"), NORMALIZED)
def test_a_text_is_equivalent_to_its_normal_form(spec, mode, text):
    assert equivalent(text, normalize(text, spec, mode), spec, mode).equal


@pytest.mark.parametrize(("spec", "mode", "first", "second"), OF_ONE_NORMAL_FORM)
def test_texts_that_must_be_equivalent_have_one_normal_form(spec, mode, first, second):
    assert normalize(first, spec, mode) == normalize(second, spec, mode)


PIECES = [
    "http",
    "HTTP",
    "foo",
    "gopher",
    ":",
    "//",
    "h",
    "H",
    "%41",
    "%2f",
    "%2F",
    "/",
    "..",
    "a",
    "?",
    "@",
    ":80",
]


RESTS = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@pytest.mark.parametrize("mode", ["syntax", "scheme"])
@given(first=RESTS, second=RESTS)
def test_any_two_uris_are_equivalent_if_their_normal_forms_are_equal(mode, first, second):
    """The verdict of RFC 3986 is that of the normal forms, mail domains and local files apart."""
    try:
        equivalence = equivalent(f"http:{first}", f"http:{second}", "rfc3986", mode)
    except InvalidURL:
        reject()  # too few texts are valid, if this is an error of Hypothesis
    normal_form_of_first = normalize(f"http:{first}", "rfc3986", mode)
    normal_form_of_second = normalize(f"http:{second}", "rfc3986", mode)
    assert equivalence.equal is (normal_form_of_first == normal_form_of_second)


@pytest.mark.parametrize("mode", ["syntax", "scheme"])
@given(first=RESTS, second=RESTS)
def test_the_equivalence_of_any_two_uris_is_symmetric(mode, first, second):
    try:
        equivalence = equivalent(f"http:{first}", f"http:{second}", "rfc3986", mode)
    except InvalidURL:
        reject()  # too few texts are valid, if this is an error of Hypothesis
    assert equivalent(f"http:{second}", f"http:{first}", "rfc3986", mode) == equivalence


@pytest.mark.parametrize("spec", ["rfc1738", "rfc2396", "rfc3986"])
@given(RESTS)
def test_any_uri_is_equivalent_to_itself_in_another_case(spec, rest):
    """Scheme and hex digits of escapes ignore case in every URI."""
    try:
        equivalence = equivalent(f"ftp://h/{rest}", f"FTP://H/{rest.replace('%2f', '%2F')}", spec)
    except InvalidURL:
        reject()  # too few texts are valid, if this is an error of Hypothesis
    assert equivalence.equal


@pytest.mark.parametrize(
    ("spec", "first", "second", "differs"),
    [
        ("rfc3986", "http://h/a?b", "http://h/A?c", ("path", "query")),
        ("rfc3986", "http://u@h/", "ftp://h:1/", ("scheme", "userinfo", "port")),
        ("rfc3986", "foo:a", "foo://a", ("host", "path")),
        ("rfc3986", "http://h", "http://h/", ("path",)),
        ("rfc3986", "HTTP://h/", "http://h/", ()),
        ("rfc2396", "http://h/#a", "http://h/", ("fragment",)),
        ("rfc2396", "http://a_b/", "http://a_c/", ("authority",)),
        ("rfc1738", "ftp://u:p@h/a", "ftp://v:p@i/a", ("user", "host")),
        ("rfc1738", "prospero://h/a;b=c", "prospero://h/a;b=d", ("fieldspecs",)),
        ("rfc1738", "http://h/", "news:*", ("scheme",)),
    ],
)
def test_components_that_differ_are_named(spec, first, second, differs):
    assert equivalent(first, second, spec).differs == differs


def test_rfc1808_defines_no_equivalence():
    with pytest.raises(Unsupported, match="RFC 1808 does not define equivalence"):
        equivalent("http://h/", "http://h/", "rfc1808")


@pytest.mark.parametrize(
    ("spec", "text"), [("rfc1738", "http://h/#f"), ("rfc2396", "http://h/{"), ("rfc3986", "http://h/{")]
)
def test_comparing_an_invalid_text_is_an_error(spec, text):
    with pytest.raises(InvalidURL, match="at offset 9"):
        equivalent(text, "http://h/", spec)


@pytest.mark.parametrize("spec", ["rfc2396", "rfc3986"])
def test_comparing_a_relative_reference_is_an_error(spec):
    """RFC 3986, section 6.1: relative references are not compared directly."""
    with pytest.raises(InvalidURL, match="a compared URL must be absolute, but this one has no scheme"):
        equivalent("http://h/a", "a", spec)


LADDERS = ("LADDER_1738", "LADDER_2396", "LADDER_3986")
PLANTED = [
    pytest.param(name, index, id=f"{name}-{index}")
    for name in LADDERS
    for index in range(len(getattr(equivalence, name)))
]


def _plant_ladder(monkeypatch, name, steps):
    """Put a ladder in the place of one of `equivalence`, for every RFC that uses it."""
    monkeypatch.setattr(equivalence, name, steps)
    if name == "LADDER_2396":
        for spec in ("rfc2396", "rfc2732"):
            algorithms = rfcs.SPECIFICATIONS[spec].algorithms
            faulty = replace(algorithms, compare=rfcs.comparer(steps, normalize_rfc2396))
            monkeypatch.setitem(vars(rfcs.SPECIFICATIONS[spec]), "algorithms", faulty)
    monkeypatch.setattr(rfcs, name, steps, raising=False)


def _wrong_pairs(rows):
    """Return the pairs of texts of a table that have another verdict than the table says."""
    pairs = []
    for spec, mode, first, second, equal, rulings in rows:
        equivalence = equivalent(first, second, spec, mode)
        if equivalence.equal is not equal or rulings_of(equivalence) != rulings:
            pairs.append((first, second))
    return pairs


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "index"), PLANTED)
def test_every_step_is_needed(monkeypatch, name, index):
    """If a step is left out, some pair is no longer equivalent."""
    steps = getattr(equivalence, name)
    _plant_ladder(monkeypatch, name, (*steps[:index], *steps[index + 1 :]))
    assert _wrong_pairs(TABLE)


WRONG_FORCES = [
    pytest.param(name, index, mode, force, id=f"{name}-{index}-{mode}-{force}")
    for name in LADDERS
    for index, step in enumerate(getattr(equivalence, name))
    for mode in ("syntax", "scheme")
    for force in ("must", "should", "may")
    if getattr(step, mode) != force
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "index", "mode", "force"), WRONG_FORCES)
def test_every_force_is_needed(monkeypatch, name, index, mode, force):
    """If a step is too strict or too lenient, some verdict changes."""
    steps = getattr(equivalence, name)
    broken = steps[index]._replace(**{mode: force})
    _plant_ladder(monkeypatch, name, (*steps[:index], broken, *steps[index + 1 :]))
    rows_of_mode = []
    for row in TABLE:
        _, mode_of_row, *_ = row
        if mode_of_row == mode:
            rows_of_mode.append(row)
    assert _wrong_pairs(rows_of_mode)


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        pytest.param("_fold_host", 'parts["host"].lower()', 'parts["host"]', id="case-is-significant"),
        pytest.param("compare", "equal=False, also=also", "equal=True, also=also", id="all-equivalent"),
        pytest.param(
            "compare",
            "Equivalence(equal=True, also=(),",
            "Equivalence(equal=False, also=(),",
            id="none-equivalent",
        ),
    ],
)
def test_a_planted_fault_fails_the_table(plant, name, before, after):
    plant(f"rfc.equivalence.{name}", before, after)
    assert _wrong_pairs(TABLE)
