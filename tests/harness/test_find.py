"""`urlconform extract`, `equivalent`, `decode` and `base` as a reader of the RFCs calls them."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "out"),
    [
        pytest.param(["extract"], "see <http://a/\n b>.", 0, "http://a/b\n", id="folded"),
        pytest.param(["extract"], "no URL here", 1, "", id="none"),
        pytest.param(
            ["extract", "--spec", "1738"],
            "<URL:http://h.x/a#b>",
            0,
            "http://h.x/a with fragment b\n  or http://h.x/a#b  (R-1738-32)\n",
            id="fragment-apart",
        ),
        pytest.param(["equivalent", "HTTP://H/%7e", "http://h/~"], "", 0, "equivalent\n", id="equivalent"),
        pytest.param(["equivalent", "http://h/?", "http://h/"], "", 1, "different: query\n", id="different"),
        pytest.param(
            ["equivalent", "http://h", "http://h:80/", "--mode", "scheme"],
            "",
            0,
            "equivalent\n",
            id="by-scheme",
        ),
        pytest.param(
            ["base", "--embedded", "http://a/", "--retrieval", "http://b/"],
            "",
            0,
            "http://a/  (embedded, section 5.1.1)\n",
            id="embedded-first",
        ),
        pytest.param(["base"], "", 1, "(none)  (", id="no-base"),
        pytest.param(["base", "--retrieval", "x"], "", 1, "", id="relative-base"),
        pytest.param(["extract", "--spec", "1808"], "x", 2, "", id="extract-1808"),
        pytest.param(["decode", "foo:bar"], "", 2, "", id="decode-unknown-scheme"),
        pytest.param(["decode", "http://u@h/"], "", 1, "not a valid url of RFC 1738", id="decode-invalid"),
        pytest.param(["equivalent", "a", "b", "--spec", "1808"], "", 2, "", id="equivalent-1808"),
    ],
)
def test_command(urlconform, arguments, stdin, code, out):
    done = urlconform(*arguments, stdin=stdin)
    assert done.returncode == code
    assert done.stdout.startswith(out)


@pytest.mark.parametrize(
    ("arguments", "code", "out"),
    [
        pytest.param(
            ["--header", "Base: <URL:http://a/ b>"], 0, "http://a/b  (embedded, section 3.1)\n", id="header"
        ),
        pytest.param(
            ["--header", "Base: <URL:http://a/>", "--retrieval", "http://b/"],
            0,
            "http://a/  (embedded, section 3.1)\n",
            id="before-retrieval",
        ),
        pytest.param(["--header", "Base: http://a/"], 1, "not a valid base-header of RFC 1808", id="invalid"),
        pytest.param(["--header", "Base: <URL:http://a/>", "--embedded", "http://a/"], 2, "", id="two"),
        pytest.param(["--header", "Base: <URL:http://a/>", "--spec", "3986"], 2, "", id="another-rfc"),
    ],
)
def test_base_header(urlconform, arguments, code, out):
    """RFC 1808, section 3.1: the field is the base embedded in a message."""
    done = urlconform("base", *arguments)
    assert done.returncode == code
    assert done.stdout.startswith(out)


def test_ftp_commands(urlconform):
    """RFC 1738, section 3.2.2: the escaped slash is part of the first CWD."""
    found = json.loads(urlconform("decode", "--json", "ftp://myname@host.dom/%2Fetc/motd").stdout)
    assert (found["cwd"], found["name"], found["user"], found["default_port"]) == (
        ["/etc"],
        "motd",
        "myname",
        "21",
    )


def test_octets_that_are_no_text(urlconform):
    found = json.loads(urlconform("decode", "--json", "ftp://h/%FF/a").stdout)
    assert found["cwd"] == [{"hex": "ff"}]


def test_extract_as_json(urlconform):
    found = json.loads(urlconform("extract", "--json", stdin='"http://a/"').stdout)
    assert found[0]["readings"][0]["text"] == "http://a/"
    assert found[0]["delimiter"] == "quotes"
