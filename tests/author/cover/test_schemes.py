"""URLs of RFC 1738 from parts."""

from __future__ import annotations

import pytest

from urlauthor.cover.schemes import scheme_models

MODELS = {model.name: model for model in scheme_models()}

FTP = {
    "user": "encoded-colon",
    "password": "word",
    "fpath": "tab",
    "ftptype": "image",
    "host": "one-label",
    "port": "none",
}
GOPHER = {
    "gtype": "7",
    "selector": "blank",
    "search": "words",
    "gopher+_string": "view",
    "host": "name",
    "port": "other",
}


@pytest.mark.parametrize(
    ("model", "row", "url"),
    [
        pytest.param("decode-ftp", FTP, "ftp://foo%3Abar:p@localhost/a%09b;type=i", id="ftp"),
        pytest.param("decode-gopher", GOPHER, "gopher://h.example:8080/7a%20b%2f%09a+b%20c%09+", id="gopher"),
    ],
)
def test_the_url_of_a_row_has_the_encoded_parts_of_its_levels(model, row, url):
    assert MODELS[model].ask(row).fields["url"] == url


@pytest.mark.parametrize(
    ("name", "part"),
    [("user", "foo:bar"), ("password", "p"), ("cwd", []), ("name", "a\tb")],
    ids=["user", "password", "cwd", "name"],
)
def test_a_decoded_ftp_url_has_user_folders_and_name(name, part):
    question = MODELS["decode-ftp"].ask(FTP).fields
    assert question["expect"]["decoded"][name] == part


def test_a_decoded_gopher_url_has_a_request():
    """RFC 1738, sections 3.4.2 and 3.4.3: a tab is before the search string and before the Gopher+ string."""
    question = MODELS["decode-gopher"].ask(GOPHER).fields
    assert question["expect"]["decoded"]["request"] == "a b/\ta+b c\t+"


SENT = [
    pytest.param({"gtype": "none", "search": "none"}, "3.4.1-default-type", id="nothing"),
    pytest.param({"search": "none"}, "3.4.1-send-selector", id="selector"),
    pytest.param({}, "3.4.2-search-send", id="search"),
    pytest.param({"gopher+_string": "view"}, "3.4.3-plus-send", id="gopher-plus"),
]


@pytest.mark.parametrize(("changed", "cites"), SENT)
def test_the_request_of_a_gopher_client_cites_its_statement_and_no_ruling(changed, cites):
    question = MODELS["decode-gopher"].ask({**GOPHER, "gopher+_string": "none", **changed})
    assert question.cites == cites
    assert question.ruling is None


def test_a_port_above_65535_rests_on_a_ruling():
    assert MODELS["decode-gopher"].ask({**GOPHER, "port": "65536"}).ruling == "R-1738-10"


FITTING = [
    pytest.param("parse-ftp", {"user": "none", "password": "word"}, False, id="password-without-user"),
    pytest.param("parse-http", {"hpath": "none", "search": "pair"}, False, id="search-without-slash"),
    pytest.param(
        "parse-gopher", {"search": "none", "gopher+_string": "view"}, False, id="plus-without-search"
    ),
    pytest.param("parse-wais", {"wtype": "text", "wpath": "none"}, False, id="type-without-path"),
    pytest.param("parse-wais", {"wtype": "text", "wpath": "number", "search": "none"}, True, id="document"),
]


@pytest.mark.parametrize(("model", "row", "fitting"), FITTING)
def test_only_parts_that_go_together_are_allowed(model, row, fitting):
    assert MODELS[model].allowed(row) is fitting


def test_a_host_that_rfc1738_does_not_allow_is_refused():
    row = {"refused": "host underscore", "hpath": "empty", "search": "none", "host": "name", "port": "none"}
    fields = MODELS["refuse-http"].ask(row).fields
    assert fields["url"] == "http://a_b.example/"
    assert fields["expect"] == {"valid": False, "at": len("http://a")}
