"""The commands that ask the oracle: answers, exit codes and usage errors."""

from __future__ import annotations

import json
import os
import re

import pytest

from urlharness.cli.browsers import browser_answer
from urlharness.corpus.specifications import url_specs
from urlharness.exitcodes import Exit

from ..browser_label import with_installed_ada  # noqa: TID252 - tests are not an installed package

#: A command, and fields that its JSON answer must have according to the RFCs.
QUESTIONS = [
    pytest.param(("validate", "--spec", "3986", "a b"), {"valid": False, "at": 1}, id="validate"),
    pytest.param(("validate", "--spec", "2396", "--rule", "scheme", "a+b"), {"valid": True}, id="rule"),
    pytest.param(("parse", "--spec", "1808", "//h?q"), {"net_loc": "h?q", "query": None}, id="parse"),
    pytest.param(
        ("resolve", "--spec", "3986", "http://a/b/c/d;p?q", "../../../g"),
        {"rfc3986": {"url": "http://a/g", "same_document": False, "also": []}},
        id="resolve",
    ),
    pytest.param(("validate", "--spec", "3987", "\u00e9"), {"valid": True}, id="validate-iri"),
    pytest.param(
        ("validate", "--spec", "3987", "?\u0080"),
        {"at": 1, "section": "2.2"},
        id="validate-what-is-no-iri",
    ),
    pytest.param(("parse", "--spec", "3987", "//\u00e9"), {"host": "\u00e9", "path": ""}, id="parse-iri"),
    pytest.param(
        ("resolve", "--spec", "3987", "http://\u00e9/a", "\u00fc"),
        {"rfc3987": {"url": "http://\u00e9/\u00fc", "same_document": False, "also": []}},
        id="resolve-iri",
    ),
    pytest.param(("normalize", "--spec", "3987", "/%c3%a9"), {"url": "/\u00e9"}, id="normalize-iri"),
    pytest.param(
        ("equivalent", "--spec", "3987", "http://\u00c9", "http://\u00e9"),
        {"equal": False, "differs": ["host"]},
        id="equivalent-iris",
    ),
    pytest.param(
        ("equivalent", "--spec", "3987", "--mode", "simple", "a:\u00e9", "a:%C3%A9"),
        {"equal": False, "differs": ["path"]},
        id="identical-iris",
    ),
    pytest.param(
        ("base", "--spec", "3987", "--embedded", "\u00e9", "--retrieval", "http://\u00fc/"),
        {"url": "http://\u00fc/\u00e9", "source": "embedded"},
        id="base-iri",
    ),
]


@pytest.mark.parametrize(("arguments", "expected"), QUESTIONS)
def test_every_question_has_an_answer_in_json(urlconform, arguments, expected):
    answer = json.loads(urlconform(*arguments, "--json").stdout)
    assert {name: answer[name] for name in expected} == expected


#: A command without --spec: its exit code, which is that of RFC 3986, and the row of each RFC, 1738 first.
SIDE_BY_SIDE = [
    pytest.param(
        ("validate", "http://h:/?["),
        Exit.FAILED,
        (
            "invalid: '/' at offset 9",  # R-1738-10: a port has a digit
            "invalid: '[' at offset 11",
            "invalid: '[' at offset 11",
            "valid URI-reference",  # RFC 2732, section 3: brackets are reserved
            "invalid: '[' at offset 11",
        ),
        id="validate",
    ),
    pytest.param(
        ("validate", "--rule", "URI-reference", "a"),
        Exit.PASSED,
        (*["has no rule named 'URI-reference'"] * 2, *["valid URI-reference"] * 3),
        id="a-rule-that-others-do-not-have",
    ),
    pytest.param(
        ("resolve", "http://a/b/c/d;p?q", "?y"),
        Exit.PASSED,
        (
            "does not define relative references",
            "http://a/b/c/d;p?y",
            *["http://a/b/c/?y"] * 2,
            "http://a/b/c/d;p?y",
        ),
        id="resolve",
    ),
    pytest.param(
        ("normalize", "http://h/%7e"),
        Exit.PASSED,
        (*["does not define normalization"] * 2, *["http://h/%7e"] * 2, "http://h/~"),
        id="normalize",
    ),
    pytest.param(
        ("equivalent", "http://h/%7e", "http://h/~"),
        Exit.PASSED,
        ("OTHER is invalid: '~' at offset 9", "does not define equivalence", *["equivalent"] * 3),
        id="equivalent",
    ),
    pytest.param(
        ("recompose", "net_loc=a", "path=/b"),
        Exit.FAILED,
        ("", "//a/b", "", "", "no component net_loc; choose from"),
        id="recompose",
    ),
    pytest.param(
        ("base", "--retrieval", "http://h/"),
        Exit.PASSED,
        ("does not define relative references", *["http://h/  (retrieval, section "] * 4),
        id="base",
    ),
]


@pytest.mark.parametrize(("arguments", "code", "rows"), SIDE_BY_SIDE)
def test_without_spec_all_rfcs_answer_side_by_side(urlconform, arguments, code, rows):
    done = urlconform(*arguments)
    lines = [line for line in done.stdout.splitlines() if re.match(r"RFC \d{4}  ", line)]
    titles = ("RFC 1738", "RFC 1808", "RFC 2396", "RFC 2732", "RFC 3986")
    for title, row in zip(titles, rows, strict=True):
        (line,) = [line for line in lines if line.startswith(f"{title}  ")]
        assert line.startswith(f"{title}  {row}")
    assert len(lines) == len(titles), "no other RFC has a row"
    assert done.returncode == code


#: A command about a text beyond ASCII, its exit code, which is that of RFC 3986, and the row of RFC 3987.
BEYOND_ASCII = [
    pytest.param(("validate", "/\u00e9"), Exit.FAILED, "valid IRI-reference", id="validate"),
    pytest.param(("resolve", "http://a/", "\u00e9"), Exit.FAILED, "http://a/\u00e9", id="resolve"),
    pytest.param(
        ("resolve", "http://\u00e9/", "b"), Exit.FAILED, "http://\u00e9/b", id="resolve-against-an-iri"
    ),
    pytest.param(("normalize", "/%c3%a9\u00e9"), Exit.FAILED, "/\u00e9\u00e9", id="normalize"),
    pytest.param(("equivalent", "a:\u00e9", "a:%C3%A9"), Exit.FAILED, "equivalent", id="equivalent"),
    pytest.param(("base", "--retrieval", "a:\u00e9"), Exit.FAILED, "a:\u00e9  (retrieval, ", id="base"),
    pytest.param(("recompose", "path=\u00e9"), Exit.PASSED, "\u00e9", id="recompose"),
]


@pytest.mark.parametrize(("arguments", "code", "row"), BEYOND_ASCII)
def test_rfc_3987_answers_about_a_text_beyond_ascii_and_decides_no_exit_code(
    urlconform, arguments, code, row
):
    done = urlconform(*arguments)
    assert f"\nRFC 3987  {row}" in done.stdout
    assert done.returncode == code


def test_rfc_3987_is_shown_after_rfc_3986_and_before_browsers(urlconform):
    lines = urlconform("validate", "/\u00e9").stdout.splitlines()
    first, second, third, *_ = [line for line in lines if not line.startswith(" ")]
    assert first.startswith("RFC 3986  ")
    assert second.startswith("RFC 3987  ")
    assert third.startswith("browsers (")


def test_components_of_rfc_3987_are_a_column_after_rfc_3986(urlconform):
    heading, *_ = urlconform("parse", "//\u00e9/").stdout.splitlines()
    first, second, third, *_ = re.findall(r"RFC \d+", heading)
    assert [first, second, third] == ["RFC 3986", "RFC 3987", "RFC 2396"]


def test_json_has_rfc_3987_for_a_text_beyond_ascii_alone(urlconform):
    answers = {text: json.loads(urlconform("parse", text, "--json").stdout) for text in ("//a", "//\u00e9")}
    assert "rfc3987" not in answers["//a"]
    assert answers["//\u00e9"]["rfc3987"]["host"] == "\u00e9"


def test_the_exit_code_of_rfc_3987_counts_if_it_is_asked(urlconform):
    assert urlconform("validate", "/\u00e9", "--spec", "3987").returncode == Exit.PASSED


#: What a command prints: the RFC in force, browsers, then the RFCs that it obsoletes or updates.
PRINTED = [
    pytest.param(
        ("validate", "http://a/b?c[]=d"),
        """\
RFC 3986  invalid: '[' at offset 12
          nearest: http://a/b?c%5B%5D=d  (escape 2 characters, at offsets 12 and 13)
browsers (WHATWG, ada 4.0)  accept: host a  scheme http  path /b  query c[]=d

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  invalid: '[' at offset 12
          nearest: http://a/b?c%5B%5D=d  (escape 2 characters, at offsets 12 and 13)
RFC 2732  valid URI-reference
RFC 1808  invalid: '[' at offset 12
          nearest: http://a/b?c%5B%5D=d  (escape 2 characters, at offsets 12 and 13)
RFC 1738  invalid: '[' at offset 12
          nearest: http://a/b?c%5B%5D=d  (escape 2 characters, at offsets 12 and 13)
""",
        id="validate",
    ),
    pytest.param(
        ("validate", "../g"),
        """\
RFC 3986  valid URI-reference
          it has no scheme, so it is a relative reference, with the path ../g
browsers (WHATWG, ada 4.0)  need a base to read a reference

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  valid URI-reference
RFC 2732  valid URI-reference
RFC 1808  valid URL
RFC 1738  invalid: '/' at offset 2
""",
        id="validate-a-reference",
    ),
    pytest.param(
        ("validate", "http://a:b/"),
        """\
RFC 3986  invalid: '/' at offset 10
          nearest: http://a/  (delete ':b' at offset 8)
browsers (WHATWG, ada 4.0)  refuse

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  valid URI-reference
RFC 2732  valid URI-reference
RFC 1808  valid URL
RFC 1738  invalid: 'b' at offset 9
          nearest: http://a/  (delete ':b' at offset 8)
""",
        id="validate-what-browsers-refuse",
    ),
    pytest.param(
        ("resolve", "a/b", "c"),
        """\
RFC 3986  refused: not a valid URI: a base must be absolute, but this one has no scheme
  a/b
  ^
browsers (WHATWG, ada 4.0)  refuse

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  refused: not a valid absoluteURI: a base must be absolute, but this one has no scheme
  a/b
  ^
RFC 2732  refused: not a valid absoluteURI: a base must be absolute, but this one has no scheme
  a/b
  ^
RFC 1808  refused: not a valid URL: a base must be absolute, but this one has no scheme
  a/b
  ^
RFC 1738  does not define relative references
""",
        id="resolve-without-a-scheme",
    ),
    pytest.param(
        ("resolve", "http://a/", "../g"),
        """\
RFC 3986  http://a/g
browsers (WHATWG, ada 4.0)  http://a/g

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  http://a/../g
       or  http://a/g  (excess-dropped, R-2396-18)
       or  an error  (error, R-2396-18)
RFC 2732  http://a/../g
       or  http://a/g  (excess-dropped, R-2396-18)
       or  an error  (error, R-2396-18)
RFC 1808  http://a/../g
RFC 1738  does not define relative references
""",
        id="resolve",
    ),
    pytest.param(
        ("equivalent", "HTTP://a:80/", "http://a"),
        """\
RFC 3986  equivalent by the rules of the scheme (section 6.2.3, --mode scheme)
          different by syntax alone (section 6.2.2): port, path
            equivalent is admissible too (R-3986-20)
            equivalent is admissible too (R-3986-21)
          the exit status is 1, as the default is --mode syntax; with --mode scheme it is 0

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  different: port, path
            equivalent is admissible too (R-2396-27)
RFC 2732  different: port, path
            equivalent is admissible too (R-2396-27)
RFC 1808  does not define equivalence
RFC 1738  equivalent by the rules of the scheme (--mode scheme)
          different by syntax alone: port, hpath
            equivalent is admissible too (section 3.1)
            equivalent is admissible too (R-1738-35)
""",
        id="equivalent",
    ),
    pytest.param(
        ("equivalent", "https://a:443/", "HTTPS://a/"),
        """\
RFC 3986  equivalent if 443 is the default port of https (section 6.2.3);
          other RFCs say so, but here only those of RFC 1738 count (R-3986-39)
          different by syntax alone (section 6.2.2): port
            equivalent is admissible too (R-3986-39)

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738:
RFC 2396  different: port
            equivalent is admissible too (R-2396-34)
RFC 2732  different: port
            equivalent is admissible too (R-2396-34)
RFC 1808  does not define equivalence
RFC 1738  different: port
""",
        id="equivalent-by-a-port-of-other-rfcs",
    ),
]


@pytest.mark.parametrize(("arguments", "printed"), PRINTED)
def test_the_answers_of_all_rfcs_are_printed_with_the_rfc_in_force_first(urlconform, arguments, printed):
    assert urlconform(*arguments).stdout == with_installed_ada(printed)


OTHER_PORTS = [
    pytest.param("wss://a:443", "wss://a/", "equivalent if 443 is the default port of wss", id="known"),
    pytest.param("https://a:443", "https://a/", "equivalent if 443 is the default port of https", id="path"),
    pytest.param("https://a:443/", "https://b/", "different: host, port\n", id="another-host"),
    pytest.param("https://a:80/", "https://a/", "different: port\n", id="another-port"),
    pytest.param("https://a:443/", "https://a:443/x", "different: path\n", id="both-ports"),
]


@pytest.mark.parametrize("mode", ["syntax", "scheme"])
@pytest.mark.parametrize(("text", "second_text", "beginning"), OTHER_PORTS)
def test_a_default_port_of_other_rfcs_is_named_if_only_it_matters(
    urlconform, mode, text, second_text, beginning
):
    done = urlconform("equivalent", text, second_text, "--spec", "3986", "--mode", mode)
    assert done.stdout.startswith(beginning)
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize("rfc", ["1738", "3986"])
def test_one_rfc_answers_without_browsers_and_other_rfcs(urlconform, rfc):
    assert urlconform("validate", "http://a/", "--spec", rfc).stdout.count("\n") == 1


@pytest.mark.parametrize("command", ["validate", "parse", "explain"])
def test_json_has_the_components_of_browsers(urlconform, command):
    answers = json.loads(urlconform(command, "http://a\\@b/", "--json").stdout)
    assert answers["browsers"]["components"]["host"] == "a"
    assert answers["browsers"] == browser_answer("http://a\\@b/").json


@pytest.mark.parametrize("command", [("resolve",), ("explain", "--base")], ids=["resolve", "explain"])
def test_json_has_the_target_of_browsers(urlconform, command):
    answers = json.loads(urlconform(*command, "http://a/b", "\\\\h/c", "--json").stdout)
    assert answers["browsers"]["url"] == "http://h/c"


def test_json_has_the_verdict_by_the_rules_of_the_scheme(urlconform):
    """RFC 3986, section 6.2.3: an empty path and the default port."""
    answer = json.loads(urlconform("equivalent", "http://a:80/", "http://a", "--json").stdout)["rfc3986"]
    assert answer["equal"] is False
    assert answer["scheme"]["equal"] is True


def test_the_rule_of_a_part_is_no_question_for_browsers(urlconform):
    assert "browsers" not in urlconform("validate", "--rule", "host", "a").stdout


@pytest.mark.parametrize("command", ["validate", "parse", "resolve", "explain", "equivalent", "diff"])
def test_help_does_not_speak_of_derivations(urlconform, command):
    """To a user a text is valid or not; that a rule derives it is a word of the grammar."""
    text = urlconform(command, "--help").stdout
    assert text.startswith("Usage: ")
    assert "deriv" not in text


@pytest.mark.parametrize(
    "command", [("validate", "http://h/a b"), ("parse", "http://u@h/")], ids=["validate", "parse"]
)
def test_json_without_spec_has_the_answer_of_each_rfc(urlconform, command):
    answers = json.loads(urlconform(*command, "--json").stdout)
    for spec in url_specs():
        assert answers[spec] == json.loads(urlconform(*command, "--json", "--spec", spec).stdout)
    assert answers.keys() == {*url_specs(), "browsers"}


#: RFC 1738, section 3.3: an http URL has no user; RFC 1808, section 2.1: net_loc and params.
COMPONENTS = """\
                      RFC 3986, 2396, 2732   RFC 1808   RFC 1738
verdict               valid                  valid      invalid at 8
scheme                http                   http
authority / net_loc   u@h                    u@h
userinfo              u
host                  h
path                  /a;b                   /a
params                                       b

RFC 1738  invalid: '@' at offset 8
browsers (WHATWG, ada 4.0)  accept: host h  userinfo u  scheme http  path /a;b

RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738.
"""


def test_parse_shows_components_side_by_side(urlconform):
    done = urlconform("parse", "http://u@h/a;b")
    assert done.stdout == with_installed_ada(COMPONENTS)
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ("validate", "--rule", "httpurl", "a"),
            "RFC 3986 has no rule named 'httpurl'; use --spec rfc1738",
            id="rule-of-another-rfc",
        ),
        pytest.param(
            ("validate", "--rule", "nix", "a"), "RFC 3986 has no rule named 'nix' (", id="unknown-rule"
        ),
        pytest.param(
            ("parse", "--rule", "host", "a"),
            "RFC 3986 has no components for host",
            id="rule-without-components",
        ),
    ],
)
def test_a_question_that_rfc_3986_does_not_answer_is_a_usage_error(urlconform, arguments, message):
    done = urlconform(*arguments)
    assert done.stdout == ""
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        pytest.param(
            "http://h/a b", "nearest: http://h/a%20b  (escape ' ' at offset 10)", id="escaped-character"
        ),
        pytest.param(
            "http://[fe80::1%en0]/",
            "nearest: http://[fe80::1]/  (delete '%en0' at offset 15; RFC 6874 adds zones",
            id="deleted-zone",
        ),
    ],
)
@pytest.mark.parametrize("options", [("--spec", "3986"), ()], ids=["one-rfc", "all-rfcs"])
def test_the_nearest_valid_text_is_shown(urlconform, text, nearest, options):
    assert nearest in urlconform("validate", text, *options).stdout


def test_json_has_the_nearest_valid_text(urlconform):
    answer = json.loads(urlconform("validate", "http://h/a b", "--spec", "3986", "--json").stdout)
    assert answer["nearest"] == {
        "text": "http://h/a%20b",
        "edit": "escape",
        "offset": 10,
        "character": " ",
        "note": "",
        "offsets": [10],
    }


def test_a_text_that_could_mislead_is_not_shown(urlconform):
    done = urlconform("validate", "http://a.example\\@b.example/x y", "--spec", "3986")
    assert "nearest" not in done.stdout
    assert done.returncode == Exit.FAILED


def test_explain_speaks_for_every_rfc(urlconform):
    answers = json.loads(urlconform("explain", "http://h:/", "--json").stdout)["answers"]
    verdicts = {name: answer["valid"] for name, answer in answers.items()}
    # an empty port: R-1738-10, R-2396-13
    assert verdicts == {"rfc1738": False, "rfc1808": True, "rfc2396": True, "rfc2732": True, "rfc3986": True}


@pytest.mark.parametrize("text", ["\x1b[31m", "\u202e", "h\u00e4", ""])
@pytest.mark.parametrize("command", ["explain", "parse", "normalize"])
def test_any_text_may_be_asked_for(urlconform, command, text):
    spec = () if command == "explain" else ("--spec", "3986")
    done = urlconform(command, *spec, "--", text)
    assert done.returncode in (Exit.PASSED, Exit.FAILED)
    assert "Traceback" not in done.stderr
    assert done.stdout.replace("\n", "").isprintable()


def test_parse_of_an_invalid_text_is_an_answer(urlconform):
    done = urlconform("parse", "{", "--spec", "2396", "--rule", "URI-reference")
    assert done.stdout.startswith("not a valid URI-reference of RFC 2396: '{' at offset 0; ")
    assert done.stderr == ""
    assert done.returncode == Exit.FAILED


def test_bytes_that_are_not_text_may_be_asked_for(urlconform):
    done = urlconform("explain", "--json", os.fsdecode(b"a\xff"))
    answers = json.loads(done.stdout)["answers"].values()
    assert {answer["at"] for answer in answers} == {1}, "every RFC refuses the byte"


@pytest.mark.parametrize(
    ("options", "text", "out"),
    [
        pytest.param([], "see <http://a/\n b>.", "http://a/b\n", id="folded"),
        pytest.param(
            ["--spec", "1738"],
            "<URL:http://h.x/a#b>",
            "http://h.x/a with fragment b\n  or http://h.x/a#b  (R-1738-32)\n",
            id="fragment-apart",
        ),
        pytest.param(
            [],
            "(http://h.x/a_(b))",
            "http://h.x/a_(b)  (optional)\n  or http://h.x/a_(b  (R-3986-35)\n",
            id="parentheses",
        ),
        pytest.param(
            [],
            "see http://h.x/a).",
            "http://h.x/a).  (optional)\n  or http://h.x/a  (R-3986-35)\n",
            id="surplus-parenthesis",
        ),
    ],
)
def test_extract_prints_the_urls_of_a_text(urlconform, options, text, out):
    done = urlconform("extract", *options, stdin=text)
    assert done.stdout == out
    assert done.returncode == Exit.PASSED


def test_extract_prints_nothing_and_fails_without_a_url(urlconform):
    done = urlconform("extract", stdin="no URL here")
    assert done.stdout == ""
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("arguments", "out", "code"),
    [
        pytest.param(["HTTP://H/%7e", "http://h/~"], "equivalent\n", Exit.PASSED, id="equal"),
        pytest.param(["http://h/?", "http://h/"], "different: query\n", Exit.FAILED, id="other-query"),
        pytest.param(
            ["http://h", "http://h:80/", "--mode", "scheme"],
            "equivalent\n",
            Exit.PASSED,
            id="equal-by-scheme",
        ),
    ],
)
def test_equivalent_prints_its_verdict_and_fails_if_the_urls_differ(urlconform, arguments, out, code):
    done = urlconform("equivalent", "--spec", "3986", *arguments)
    assert done.stdout == out
    assert done.returncode == code


def test_base_prints_the_base_url_with_its_origin(urlconform):
    done = urlconform("base", "--spec", "3986", "--embedded", "http://a/", "--retrieval", "http://b/")
    assert done.stdout == "http://a/  (embedded, section 5.1.1)\n"
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        pytest.param(
            [],
            "no base URL: give --embedded, --header, --encapsulating, --retrieval or --default\n",
            id="none-given",
        ),
        pytest.param(
            ["--retrieval", "x"],
            "not a valid URI of RFC 3986: a base must be absolute, but this one has no scheme\n  x\n  ^\n",
            id="relative",
        ),
    ],
)
def test_base_says_why_there_is_no_base_url(urlconform, options, reason):
    done = urlconform("base", "--spec", "3986", *options)
    assert done.stdout == reason
    assert done.returncode == Exit.FAILED


def test_decode_says_why_a_url_is_not_valid(urlconform):
    done = urlconform("decode", "http://u@h/")
    assert done.stdout.startswith("not a valid url of RFC 1738: '@' at offset 8; ")
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("extract", "--spec", "1808"), "RFC 1808 does not define URLs in text", id="extract"),
        pytest.param(("decode", "foo:bar"), "RFC 1738 does not define the parts of foo", id="decode"),
        pytest.param(
            ("equivalent", "a", "b", "--spec", "1808"),
            "RFC 1808 does not define equivalence",
            id="equivalent",
        ),
    ],
)
def test_what_an_rfc_does_not_define_is_a_usage_error(urlconform, arguments, message):
    done = urlconform(*arguments, stdin="x")
    assert done.stdout == ""
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("arguments", "out"),
    [
        pytest.param(
            ["--header", "Base: <URL:http://a/ b>"],
            "http://a/b  (embedded, section 3.1)\n",
            id="header",
        ),
        pytest.param(
            ["--header", "Base: <URL:http://a/>", "--retrieval", "http://b/"],
            "http://a/  (embedded, section 3.1)\n",
            id="before-retrieval",
        ),
    ],
)
def test_a_header_field_gives_the_base(urlconform, arguments, out):
    """RFC 1808, section 3.1: the header field gives the base that is embedded in a message."""
    done = urlconform("base", *arguments)
    assert done.stdout == out
    assert done.returncode == Exit.PASSED


def test_an_invalid_header_field_gives_no_base(urlconform):
    done = urlconform("base", "--header", "Base: http://a/")
    assert done.stdout.startswith("not a valid base-header of RFC 1808: ")
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    "options", [("--embedded", "http://a/"), ("--spec", "3986")], ids=["another-embedded-base", "another-rfc"]
)
def test_options_that_do_not_fit_a_header_field_are_a_usage_error(urlconform, options):
    done = urlconform("base", "--header", "Base: <URL:http://a/>", *options)
    assert done.stdout == ""
    assert "--header cannot be combined with --embedded or an RFC other than 1808" in done.stderr
    assert done.returncode == Exit.USAGE


def test_decode_shows_the_commands_of_ftp(urlconform):
    """RFC 1738, section 3.2.2: the escaped slash is part of the first CWD."""
    document = json.loads(urlconform("decode", "--json", "ftp://myname@host.dom/%2Fetc/motd").stdout)
    assert document["cwd"] == ["/etc"]
    assert document["name"] == "motd"
    assert document["user"] == "myname"
    assert document["default_port"] == "21"


def test_octets_that_are_no_text_are_hex_digits(urlconform):
    document = json.loads(urlconform("decode", "--json", "ftp://h/%FF/a").stdout)
    assert document["cwd"] == [{"hex": "ff"}]


def test_extract_prints_readings_and_delimiters_as_json(urlconform):
    (url,) = json.loads(urlconform("extract", "--json", stdin='"http://a/"').stdout)
    assert [reading["text"] for reading in url["readings"]] == ["http://a/"]
    assert url["delimiter"] == "quotes"


@pytest.mark.parametrize(
    ("spec", "components", "url"),
    [
        pytest.param("3986", ["scheme=http", "authority=a", "path=/b", "query="], "http://a/b?", id="3986"),
        pytest.param("3986", ["host=a", "port=", "path=/b"], "//a:/b", id="authority-by-parts"),
        pytest.param("1808", ["net_loc=a", "params=;"], "//a;;", id="1808"),
        pytest.param(
            "1738", ["scheme=ftp", "host=h", "fpath=a=b", "ftptype=i"], "ftp://h/a=b;type=i", id="1738"
        ),
        pytest.param(
            "1738",
            ["scheme=prospero", "host=h", "ppath=a", "fieldspecs=x=1;y="],
            "prospero://h/a;x=1;y=",
            id="fieldspecs",
        ),
    ],
)
def test_recompose_puts_components_together(urlconform, spec, components, url):
    """RFC 1808 section 4 step 7, RFC 3986 section 5.3; an undefined component differs from an empty one."""
    done = urlconform("recompose", "--spec", spec, *components)
    assert done.stdout == f"{url}\n"
    assert done.returncode == Exit.PASSED


def test_recompose_reads_components_from_stdin(urlconform):
    components = '{"scheme": "a", "path": "b", "query": null}'
    done = urlconform("recompose", "--spec", "3986", "-", stdin=components)
    assert done.stdout == "a:b\n"
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize(
    ("spec", "components", "reason"),
    [
        pytest.param(
            "1738",
            ["scheme=http", "search=x"],
            "httpurl derives no text with exactly these components: search",
            id="no-place",
        ),
        pytest.param(
            "1808",
            ["authority=a"],
            "no component authority; choose from scheme, net_loc, path, params, query, fragment",
            id="no-such-component",
        ),
    ],
)
def test_recompose_says_why_components_make_no_url(urlconform, spec, components, reason):
    done = urlconform("recompose", "--spec", spec, *components)
    assert done.stdout == f"{reason}\n"
    assert done.returncode == Exit.FAILED


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        pytest.param(["path"], "", "'path' is not of the form NAME=VALUE", id="no-value"),
        pytest.param(["-"], "{", "stdin is not an object of components", id="no-json"),
        pytest.param(["-"], "[1]", "stdin is not an object of components", id="no-object"),
        pytest.param(["-"], '{"scheme": 1}', "stdin is not an object of components", id="no-text"),
        pytest.param([], "", "Missing argument", id="nothing"),
    ],
)
def test_recompose_without_components_is_a_usage_error(arguments, stdin, message, urlconform):
    done = urlconform("recompose", "--spec", "3986", *arguments, stdin=stdin)
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


def test_a_base_as_an_option_names_the_usage(urlconform):
    done = urlconform("resolve", "../g", "--base", "http://a/b/")
    assert done.stdout == ""
    assert "urlconform resolve BASE REFERENCE" in done.stderr
    assert done.returncode == Exit.USAGE


def test_the_help_of_resolve_has_no_base_as_an_option(urlconform):
    text = urlconform("resolve", "--help").stdout
    assert "BASE REFERENCE" in text
    assert "--base" not in text


_ZONE_LINE = "zones of IPv6 addresses are defined by RFC 6874, which is not covered here (R-3986-26)"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["validate"], id="validate"),
        pytest.param(["validate", "--spec", "rfc2732"], id="one-rfc"),
        pytest.param(["resolve", "http://a/"], id="resolve"),
        pytest.param(["equivalent", "http://a/"], id="equivalent"),
        pytest.param(["explain"], id="explain"),
        pytest.param(["parse"], id="parse"),
        pytest.param(["parse", "--spec", "rfc2732"], id="parse-under-one-rfc"),
        pytest.param(["normalize"], id="normalize"),
        pytest.param(["normalize", "--spec", "rfc3986"], id="normalize-under-one-rfc"),
    ],
)
def test_the_refusal_of_a_zone_says_that_zones_are_not_covered(urlconform, arguments):
    assert _ZONE_LINE in urlconform(*arguments, "http://[fe80::1%25eth0]/").stdout


@pytest.mark.parametrize("command", ["validate", "parse", "normalize", "equivalent", "resolve"])
def test_only_the_refusal_of_rfc_3986_speaks_of_zones(urlconform, command):
    first_of_two = ["http://a/"] if command in ("equivalent", "resolve") else []
    done = urlconform(command, *first_of_two, "http://[fe80::1%25eth0]/")
    assert done.stdout.count(_ZONE_LINE) == 1


def test_the_refusal_of_a_literal_before_its_zone_does_not_speak_of_zones(urlconform):
    assert "zones" not in urlconform("validate", "http://[fe80:x:1%25eth0]/").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", "-"],
        ["parse", "-"],
        ["normalize", "-"],
        ["explain", "-"],
        ["resolve", "http://a/", "-"],
        ["equivalent", "http://a/", "-"],
        ["to-iri", "-"],
        ["decode", "-"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_hyphen_is_a_url_and_a_note_says_what_reads_stdin(urlconform, arguments):
    done = urlconform(*arguments, stdin="http://unread/")
    assert "unread" not in done.stdout
    assert "`-` is a URL here, not stdin" in done.stderr


def test_a_url_that_only_begins_with_a_hyphen_has_no_note_on_stdin(urlconform):
    assert urlconform("validate", "--", "-a").stderr == ""


_RELATIVE = "it has no scheme, so it is a relative reference, with the"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        pytest.param(["www.example.com"], "path www.example.com", id="like-a-host"),
        pytest.param(["user@example.com"], "path user@example.com", id="like-an-address"),
        pytest.param(["--spec", "rfc1808", "//h/a"], "authority h", id="authority"),
        pytest.param([""], "path (empty)", id="empty"),
    ],
)
def test_validate_says_once_that_a_text_without_a_scheme_is_relative(urlconform, arguments, part):
    done = urlconform("validate", *arguments)
    assert done.stdout.count(f"{_RELATIVE} {part}\n") == 1
    assert done.returncode == Exit.PASSED


@pytest.mark.parametrize("text", ["localhost:80", "www.example.com:8080/x", "a.b:1?q"])
def test_validate_says_that_a_scheme_which_looks_like_a_host_is_none(urlconform, text):
    scheme = text.partition(":")[0]
    line = f"its scheme is {scheme}, and it has no host, which would come after //: http://{text}\n"
    assert urlconform("validate", text).stdout.count(line) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["mailto:a@b"],
        ["tel:112"],
        ["http://a"],
        ["a.b://h/"],
        ["com.example.app:/x"],
        ["--rule", "URI", "localhost:80"],
    ],
    ids=["mail", "digits", "http", "dot-and-host", "app", "rule"],
)
def test_validate_says_nothing_of_an_ordinary_scheme(urlconform, arguments):
    assert "its scheme is" not in urlconform("validate", *arguments).stdout


@pytest.mark.parametrize(
    "arguments",
    [["localhost:80"], ["--rule", "path", "a"], ["a b"]],
    ids=["scheme", "rule-of-a-part", "invalid"],
)
def test_validate_says_nothing_of_relative_references_if_the_text_is_none(urlconform, arguments):
    assert "relative" not in urlconform("validate", *arguments).stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        pytest.param(
            ["http://a/", "http://h/a b"],
            "RFC 3986  OTHER is invalid: blank at offset 10; expected a-z",
            id="second",
        ),
        pytest.param(
            ["http://h/a b", "http://a/"], "RFC 1738  ONE is invalid: blank at offset 10\n", id="first"
        ),
        pytest.param(
            ["--spec", "rfc2396", "a b:", "a:b"],
            "ONE is invalid: blank at offset 1; expected",
            id="one-rfc",
        ),
        pytest.param(["--json", "--spec", "rfc3986", "a:b", "a b"], '"invalid": "a b"', id="json"),
    ],
)
def test_equivalent_names_the_text_that_is_invalid(urlconform, arguments, line):
    done = urlconform("equivalent", *arguments)
    assert line in done.stdout
    assert done.returncode == Exit.FAILED
