"""`urlconform recompose` as a reader of the RFCs calls it."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("arguments", "stdin", "code", "out"),
    [
        pytest.param(
            ["--spec", "3986", "scheme=http", "authority=a", "path=/b", "query="],
            "",
            0,
            "http://a/b?\n",
            id="3986",
        ),
        pytest.param(
            ["--spec", "3986", "host=a", "port=", "path=/b"], "", 0, "//a:/b\n", id="authority-by-parts"
        ),
        pytest.param(["--spec", "1808", "net_loc=a", "params=;"], "", 0, "//a;;\n", id="1808"),
        pytest.param(
            ["--spec", "1738", "scheme=ftp", "host=h", "fpath=a=b", "ftptype=i"],
            "",
            0,
            "ftp://h/a=b;type=i\n",
            id="1738",
        ),
        pytest.param(
            ["--spec", "1738", "scheme=prospero", "host=h", "ppath=a", "fieldspecs=x=1;y="],
            "",
            0,
            "prospero://h/a;x=1;y=\n",
            id="fieldspecs",
        ),
        pytest.param(
            ["--spec", "3986", "-"],
            '{"scheme": "a", "path": "b", "query": null}',
            0,
            "a:b\n",
            id="from-stdin",
        ),
        pytest.param(
            ["--spec", "1738", "scheme=http", "search=x"],
            "",
            1,
            "httpurl has no place for exactly: search\n",
            id="no-place",
        ),
        pytest.param(
            ["--spec", "1808", "authority=a"],
            "",
            1,
            "no component authority; there are scheme, net_loc, path, params, query, fragment\n",
            id="no-such-component",
        ),
    ],
)
def test_recompose(arguments, stdin, code, out, urlconform):
    """RFC 1808 section 4 step 7, RFC 3986 section 5.3; undefined and empty are kept apart."""
    done = urlconform("recompose", *arguments, stdin=stdin)
    assert (done.returncode, done.stdout) == (code, out)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        pytest.param(["path"], "", "'path' is not of the form NAME=VALUE", id="no-value"),
        pytest.param(["-"], "{", "stdin is not JSON", id="no-json"),
        pytest.param(["-"], "[1]", "stdin is not an object of components", id="no-object"),
        pytest.param(["-"], '{"scheme": 1}', "stdin is not an object of components", id="no-text"),
        pytest.param([], "", "Missing argument", id="nothing"),
    ],
)
def test_usage(arguments, stdin, message, urlconform):
    done = urlconform("recompose", "--spec", "3986", *arguments, stdin=stdin)
    assert done.returncode == 2
    assert message in done.stderr
