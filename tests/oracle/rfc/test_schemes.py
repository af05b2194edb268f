"""Components of RFC 1738: a type for each scheme, and one for all others."""

from __future__ import annotations

import pytest

from urloracle.operations import parse
from urloracle.rfc.schemes import (
    FileURL,
    FtpURL,
    GenericURL,
    GopherURL,
    HttpURL,
    MailtoURL,
    NewsURL,
    NntpURL,
    ProsperoURL,
    TelnetURL,
    WaisURL,
)
from urloracle.rfcs import SPECIFICATIONS

SCHEMES = {
    "http://h": HttpURL("http", "h", None, None, None),
    "http://h/": HttpURL("http", "h", None, "", None),
    "http://h:1/?": HttpURL("http", "h", "1", "", ""),
    "HtTp://h/a/b;c?d": HttpURL("HtTp", "h", None, "a/b;c", "d"),
    "ftp://h": FtpURL("ftp", None, None, "h", None, None, None),
    "ftp://@h/": FtpURL("ftp", "", None, "h", None, "", None),
    "ftp://:@h": FtpURL("ftp", "", "", "h", None, None, None),
    "ftp://u?;:p&=@h:2//a": FtpURL("ftp", "u?;", "p&=", "h", "2", "/a", None),
    "ftp://h/a;type=I": FtpURL("ftp", None, None, "h", None, "a", "I"),
    "file:///": FileURL("file", "", ""),
    "file:////x": FileURL("file", "", "/x"),
    "file://LocalHost/a?b": FileURL("file", "LocalHost", "a?b"),
    "gopher://h/": GopherURL("gopher", "h", None, None, None, None, None),
    "gopher://h/1": GopherURL("gopher", "h", None, "1", "", None, None),
    "gopher://h//x": GopherURL("gopher", "h", None, "/", "x", None, None),
    "gopher://h/7s%09": GopherURL("gopher", "h", None, "7", "s", "", None),
    "gopher://h/7s%09a%09+%09b": GopherURL("gopher", "h", None, "7", "s", "a", "+%09b"),
    "gopher://h/%09a": GopherURL("gopher", "h", None, "%09", "a", None, None),
    "gopher://h/0a?b/c": GopherURL("gopher", "h", None, "0", "a?b/c", None, None),
    "mailto:a@b?c": MailtoURL("mailto", "a@b?c"),
    "news:*": NewsURL("news", None, None, "*"),
    "news:a.b": NewsURL("news", "a.b", None, None),
    "news:*@h": NewsURL("news", None, "*@h", None),
    "nntp://h/g": NntpURL("nntp", "h", None, "g", None),
    "nntp://h:3/g-1/007": NntpURL("nntp", "h", "3", "g-1", "007"),
    "telnet://u:@h:4/": TelnetURL("telnet", "u", "", "h", "4"),
    "wais://h/": WaisURL("wais", "h", None, "", None, None, None),
    "wais://h/d?": WaisURL("wais", "h", None, "d", "", None, None),
    "wais://h/d//": WaisURL("wais", "h", None, "d", None, "", ""),
    "prospero://h/": ProsperoURL("prospero", "h", None, "", None),
    "prospero://h/a//b;=;c=d": ProsperoURL("prospero", "h", None, "a//b", (("", ""), ("c", "d"))),
    "x:": GenericURL("x", "", None, None, None, None, None),
    "x:a//b": GenericURL("x", "a//b", None, None, None, None, None),
    "x://h": GenericURL("x", "//h", None, None, "h", None, None),
    "x://:p@h:5/": GenericURL("x", "//:p@h:5/", "", "p", "h", "5", ""),
    "x://a/b?c": GenericURL("x", "//a/b?c", None, None, "a", None, "b?c"),
    "x://:::/": GenericURL("x", "//:::/", None, None, None, None, None),
}


@pytest.mark.parametrize("text", SCHEMES)
def test_each_scheme_of_rfc1738_has_its_components(text):
    """RFC 1738, sections 3.1 to 3.11: each scheme has its components, an unknown one the generic ones."""
    components = parse(text, "rfc1738")
    assert components == SCHEMES[text]
    assert type(components) is type(SCHEMES[text])


def components_of(text):
    """Return the components of a URL of RFC 1738 by the names of the RFC."""
    return SPECIFICATIONS["rfc1738"].asdict(parse(text, "rfc1738"))


def test_components_have_the_names_of_the_rfc():
    """No Python field can have the name `gopher+_string`."""
    gopher = components_of("gopher://h/7s%09a%09+")
    assert list(gopher) == ["scheme", "host", "port", "gtype", "selector", "search", "gopher+_string"]
    assert gopher["gopher+_string"] == "+"


@pytest.mark.parametrize(
    ("text", "fieldspecs"),
    [("prospero://h/a;b=c", [["b", "c"]]), ("prospero://h/a", None)],
    ids=["a-field", "no-field"],
)
def test_the_fields_of_prospero_are_a_list_of_pairs(text, fieldspecs):
    """RFC 1738, section 3.11: each field has a name and a value."""
    assert components_of(text)["fieldspecs"] == fieldspecs


def test_a_text_that_only_the_generic_profile_derives_has_the_general_components():
    """R-1738-01."""
    components = parse("http://u@h/", "rfc1738", profile="generic")
    assert components == GenericURL("http", "//u@h/", "u", None, "h", None, "")


def test_a_text_that_only_the_rule_genericurl_derives_has_the_general_components():
    """R-1738-01."""
    components = parse("http:x", "rfc1738", "genericurl")
    assert components == GenericURL("http", "x", None, None, None, None, None)


def test_a_text_that_the_rule_of_its_scheme_derives_has_its_components_in_the_generic_profile():
    """R-1738-01."""
    assert isinstance(parse("http://h/", "rfc1738", profile="generic"), HttpURL)
