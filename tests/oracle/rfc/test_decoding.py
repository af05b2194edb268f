"""Decoded views of RFC 1738: what a client sends, scheme by scheme."""

from __future__ import annotations

import re

import pytest

from urloracle.errors import InvalidURL
from urloracle.operations import decode, full_decoding
from urloracle.rfc import decoding
from urloracle.specification import Unsupported

# RFC 1738, section 3.2.2: the three worked examples, the form, and what else the section says
FTP = {
    "ftp://myname@host.dom/%2Fetc/motd": ([b"/etc"], b"motd", None),
    "ftp://myname@host.dom/etc/motd": ([b"etc"], b"motd", None),
    "ftp://myname@host.dom//etc/motd": ([b"", b"etc"], b"motd", None),
    "ftp://h/a/b/c;type=i": ([b"a", b"b"], b"c", "i"),
    "ftp://h/a/b/c": ([b"a", b"b"], b"c", None),
    "ftp://info.cern.ch/pub/www/doc;type=d": ([b"pub", b"www"], b"doc", "d"),
    "ftp://h/;type=D": ([], b"", "d"),
    "ftp://h//": ([b""], b"", None),
    "ftp://h/": ([], b"", None),
    "ftp://h": ([], None, None),
    "ftp://h/a?b": ([], b"a?b", None),
    "ftp://h/%3B%2f/%3Ftype=a": ([b";/"], b"?type=a", None),
    "ftp://h/%2541": ([], b"%41", None),  # once (G-13)
    "ftp://h/%FF%00%0A": ([], b"\xff\x00\n", None),
}


@pytest.mark.parametrize(("url", "expected"), FTP.items(), ids=FTP)
def test_ftp_path_is_folders_name_and_typecode(url, expected):
    folders, name, typecode = expected
    view = decode(url)
    assert view["cwd"] == folders
    assert view["name"] == name
    assert view["typecode"] == typecode


LOGIN = {
    "ftp://host.com/": (None, None),
    "ftp://@host.com/": (b"", None),
    "ftp://foo:@host.com/": (b"foo", b""),
    "ftp://:p@host.com/": (b"", b"p"),
    "ftp://a%40b%3Ac:d%2Fe@host.com/": (b"a@b:c", b"d/e"),
    "telnet://a%40b:%25@host.com": (b"a@b", b"%"),
    "telnet://host.com/": (None, None),
}


@pytest.mark.parametrize(("url", "expected"), LOGIN.items(), ids=LOGIN)
def test_login_is_split_before_it_is_decoded(url, expected):
    """RFC 1738, section 3.1: `:`, `@` and `/` are encoded within user and password."""
    user, password = expected
    view = decode(url)
    assert view["user"] == user
    assert view["password"] == password
    assert view["host"] == "host.com"


#: Section 3.4: type, selector, search, Gopher+ string, and what is sent.
GOPHER = {
    "gopher://h": (b"1", b"", None, None, b""),
    "gopher://h/": (b"1", b"", None, None, b""),
    "gopher://h/0": (b"0", b"", None, None, b""),
    "gopher://h/00/a%20b": (b"0", b"0/a b", None, None, b"0/a b"),
    "gopher://h/7sel%09a%20b": (b"7", b"sel", b"a b", None, b"sel\ta b"),
    "gopher://h/7sel%09": (b"7", b"sel", b"", None, b"sel\t"),
    "gopher://h/1sel%09%09+": (b"1", b"sel", b"", b"+", b"sel\t\t+"),
    "gopher://h/1sel%09s%09!+ABSTRACT%20+SMELL": (
        b"1",
        b"sel",
        b"s",
        b"!+ABSTRACT +SMELL",
        b"sel\ts\t!+ABSTRACT +SMELL",
    ),
    "gopher://h/1sel%09%09+application/postscript%20Es_ES": (
        b"1",
        b"sel",
        b"",
        b"+application/postscript Es_ES",
        b"sel\t\t+application/postscript Es_ES",
    ),
    "gopher://h/%2Fx": (b"/", b"x", None, None, b"x"),
    "gopher://h/1%2509": (b"1", b"%09", None, None, b"%09"),
    "gopher://h/7a?b%09c?d/e": (b"7", b"a?b", b"c?d/e", None, b"a?b\tc?d/e"),
    "gopher://h/1a%0D%0Ab": (b"1", b"a\r\nb", None, None, None),
    "gopher://h/7a%09b%0a": (b"7", b"a", b"b\n", None, None),
}


@pytest.mark.parametrize(("url", "expected"), GOPHER.items(), ids=GOPHER)
def test_a_gopher_url_has_its_selector_and_request(url, expected):
    view = decode(url)
    names = ("gtype", "selector", "search", "gopher+_string", "request")
    assert {name: view[name] for name in names} == dict(zip(names, expected, strict=True))


#: A filled form of Gopher+ in a URL, and its octets.
GOPHER_FORM_URL = "gopher://h/1sel%09%09+%091%0D%0A+-1%0D%0Aone%0D%0Atwo%0D%0A.%0D%0A"
GOPHER_FORM = b"+\t1\r\n+-1\r\none\r\ntwo\r\n.\r\n"


def test_a_gopher_form_is_sent_after_two_tabs():
    view = decode(GOPHER_FORM_URL)
    assert view["gopher+_string"] == GOPHER_FORM
    assert view["request"] == b"sel\t\t" + GOPHER_FORM


def test_a_gopher_form_may_be_sent_without_a_search_string():
    """The template of section 3.4.9 has no search string, and its last line break is that of the request."""
    also = full_decoding(GOPHER_FORM_URL).also
    assert [view["request"] for view in also] == [b"sel\t" + GOPHER_FORM.removesuffix(b"\r\n")]


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("gopher://h/1sel%09s%09+%091%0D%0A", id="with-a-search-string"),
        pytest.param("gopher://h/1sel%09%09+", id="no-form"),
    ],
)
def test_a_gopher_url_without_an_empty_search_before_a_form_has_one_view(url):
    assert full_decoding(url).also == ()


# (URL, names and values of each other view, may a client refuse it, rulings)
ALSO = [
    ("ftp://h/a?b;type=I", [{"typecode": "I"}, {"name": b"a"}, {"typecode": "I", "name": b"a"}], False,
     ("R-1738-21", "R-1738-12")),
    ("file:///a/b?c", [{"directories": [b"a"], "name": b"b"}], False, ("R-1738-12",)),
    ("ftp://u%0D@h/", [], True, ("R-1738-43",)),
    ("ftp://h/a%0Ab/c", [], True, ("R-1738-43",)),
    ("http://h/a%0Ab", [], False, ()),
    ("gopher://h/0a%0Ab", [{"request": b"a\nb"}], True, ("R-1738-19",)),
    ("gopher://h/%31x", [], True, ("R-1738-20",)),
    ("nntp://h/g", [], True, ("R-1738-28",)),
    ("nntp://h/g/1", [], False, ()),
]  # fmt: skip


by_url_with_other_answers = pytest.mark.parametrize(("url", "other_views", "may_reject", "rulings"), ALSO)


@by_url_with_other_answers
def test_other_admissible_views_differ_from_the_recommended_one_as_in_the_table(
    url, other_views, may_reject, rulings
):
    views = full_decoding(url)
    assert list(views.also) == [{**views.view, **other_view} for other_view in other_views]


@by_url_with_other_answers
def test_a_client_may_refuse_some_urls(url, other_views, may_reject, rulings):
    assert full_decoding(url).may_reject == may_reject


@by_url_with_other_answers
def test_other_admissible_answers_have_their_rulings(url, other_views, may_reject, rulings):
    assert full_decoding(url).rulings == rulings


#: Names of views besides those of ftp, telnet and gopher: RFC 1738, sections 3.3, 3.5 to 3.7, 3.9 to 3.11.
OTHERS = {
    "http://h": {"segments": None, "search": None, "port": None},
    "http://h/": {"segments": [b""], "search": None},
    "http://h:8080/a%2Fb/c;d?x%3Dy=%26": {"segments": [b"a/b", b"c;d"], "search": b"x=y=&", "port": "8080"},
    "http://h/?": {"segments": [b""], "search": b""},
    "mailto:a%25b@host.dom": {"scheme": "mailto", "address": b"a%b@host.dom"},
    "mailto:a@b?subject=x": {"scheme": "mailto", "address": b"a@b?subject=x"},
    "news:*": {"scheme": "news", "group": None, "article": None, "grouppart": "*"},
    "news:comp.infosystems.www.misc": {
        "scheme": "news",
        "group": "comp.infosystems.www.misc",
        "article": None,
        "grouppart": None,
    },
    "news:a%2Fb@host.dom": {"scheme": "news", "group": None, "article": b"a/b@host.dom", "grouppart": None},
    "nntp://h/comp.x/0012": {"group": "comp.x", "digits": "0012", "port": None},
    "nntp://h/comp.x": {"group": "comp.x", "digits": None},
    "wais://h/db%20x": {"database": b"db x", "search": None, "wtype": None, "wpath": None},
    "wais://h/db?s%3f": {"database": b"db", "search": b"s?", "wtype": None, "wpath": None},
    "wais://h/db/TEXT%2F/1%3d2": {"database": b"db", "search": None, "wtype": b"TEXT/", "wpath": b"1=2"},
    "prospero://host.dom//pros/name": {"hsoname": b"/pros/name", "fields": None},
    "prospero://h/a%3Bb;x%3D=%2F;y=": {"hsoname": b"a;b", "fields": [(b"x=", b"/"), (b"y", b"")]},
    "file://vms.host.edu/disk$user/my/notes/note12345.txt": {
        "scheme": "file",
        "host": "vms.host.edu",
        "local": False,
        "directories": [b"disk$user", b"my", b"notes"],
        "name": b"note12345.txt",
    },
    "file:///a%20b": {"scheme": "file", "host": "", "local": True, "directories": [], "name": b"a b"},
    "file://LocalHost/a/": {
        "scheme": "file",
        "host": "LocalHost",
        "local": True,
        "directories": [b"a"],
        "name": b"",
    },
    "HTTP://H/": {"scheme": "http", "host": "H"},
}


@pytest.mark.parametrize(("url", "expected"), OTHERS.items(), ids=OTHERS)
def test_schemes_besides_ftp_telnet_and_gopher_have_their_views(url, expected):
    view = decode(url)
    assert {name: view[name] for name in expected} == expected


#: Sections 3.2, 3.3, 3.4.1, 3.7, 3.8, 3.9, 3.11.
PORTS = {
    "ftp://h/": "21",
    "http://h/": "80",
    "gopher://h/": "70",
    "nntp://h/g": "119",
    "telnet://h/": "23",
    "wais://h/d": "210",
    "prospero://h/n": "1525",
}


@pytest.mark.parametrize(("url", "port"), PORTS.items())
def test_a_url_without_a_port_has_only_the_default_port_of_its_scheme(url, port):
    view = decode(url)
    assert view["port"] is None
    assert view["default_port"] == port


@pytest.mark.parametrize(("url", "port"), PORTS.items())
def test_a_url_with_a_port_has_the_default_port_of_its_scheme_beside_it(url, port):
    scheme, rest = url.split("//h/")
    view = decode(f"{scheme}//h:0099/{rest}")
    assert view["port"] == "0099"
    assert view["default_port"] == port


@pytest.mark.parametrize("url", ["file:///x", "mailto:a", "news:a"])
def test_schemes_without_a_port_have_neither_a_port_nor_a_default_one(url):
    """RFC 1738, sections 3.10, 3.5 and 3.6, on files, mail and news."""
    assert "port" not in decode(url)
    assert "default_port" not in decode(url)


def test_a_port_has_no_bound():
    assert decode(f"http://h:{'9' * 10000}/")["port"] == "9" * 10000


def test_an_invalid_url_is_not_decoded():
    with pytest.raises(InvalidURL, match="'@' at offset 8"):
        decode("http://u@h/")


def test_a_url_of_an_unknown_scheme_is_not_decoded():
    with pytest.raises(Unsupported, match=r"^RFC 1738 does not define the parts of foo$"):
        decode("foo://h/a")


OCTETS = bytes(range(256))
ENCODED_OCTETS = "".join(f"%{octet:02x}" for octet in OCTETS)


def test_every_encoded_octet_is_decoded():
    assert decode(f"ftp://h/{ENCODED_OCTETS}")["name"] == OCTETS
    assert decode(f"mailto:{ENCODED_OCTETS}")["address"] == OCTETS


def test_an_octet_that_is_encoded_twice_is_decoded_once():
    """G-13."""
    encoded_twice = ENCODED_OCTETS.replace("%", "%25")
    assert decode(f"ftp://h/{encoded_twice}")["name"] == ENCODED_OCTETS.encode()


def test_a_path_of_ftp_is_split_before_it_is_decoded():
    """RFC 1738, section 3.2.2: an encoded slash belongs to the name of a directory."""
    assert decode("ftp://h/a%2Fb/c")["cwd"] == [b"a/b"]


def test_a_path_of_http_is_split_before_it_is_decoded():
    """RFC 1738, section 3.3: `/` is reserved within the path."""
    assert decode("http://h/a%2Fb/c")["segments"] == [b"a/b", b"c"]


#: The rows of all tables: the URL, names of its view, and their values.
ALL = [
    *((url, ("cwd", "name", "typecode"), expected) for url, expected in FTP.items()),
    *((url, ("user", "password"), expected) for url, expected in LOGIN.items()),
    *(
        (url, ("gtype", "selector", "search", "gopher+_string", "request"), expected)
        for url, expected in GOPHER.items()
    ),
    *((url, tuple(expected), tuple(expected.values())) for url, expected in OTHERS.items()),
]


decoding_octets = decoding.octets  # as it is before a test replaces it


def _decode_twice(text):
    return re.sub(b"%([0-9A-Fa-f]{2})", lambda match: bytes.fromhex(match[1].decode()), decoding_octets(text))


@pytest.mark.parametrize(
    "decode_wrongly",
    [
        pytest.param(lambda text: text.encode(), id="not-decoded"),
        pytest.param(_decode_twice, id="decoded-twice"),
        pytest.param(lambda text: decoding_octets(text.replace("+", " ")), id="plus-is-a-blank"),
        pytest.param(
            lambda text: decoding_octets(text).decode("utf-8", "replace").encode(), id="octets-read-as-text"
        ),
    ],
)
def test_a_wrong_decoding_of_octets_fails_the_table(monkeypatch, decode_wrongly):
    monkeypatch.setattr(decoding, "octets", decode_wrongly)
    assert _wrong_views()


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        pytest.param("_decode_gopher", 'or "1"', 'or "0"', id="another-default-type"),
        pytest.param("_decode_gopher", 'b"\\t".join(part', 'b" ".join(part', id="blank-for-tab"),
        pytest.param("_segments", "path.split", 'path.strip("/").split', id="empty-segments-lost"),
        pytest.param("_segments", 'path.split("/")', 're.split("/|%2[Ff]", path)', id="decoded-first"),
    ],
)
def test_a_planted_fault_fails_the_table(plant, name, before, after):
    plant(f"rfc.decoding.{name}", before, after)
    assert _wrong_views()


def _wrong_views():
    """Return the views that are not those of the tables."""
    wrong_views = []
    for url, names, expected in ALL:
        view = decode(url)
        if [view.get(name) for name in names] != list(expected):
            wrong_views.append(view)
    return wrong_views
