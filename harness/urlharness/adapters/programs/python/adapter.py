"""urlconform adapter for Python libraries: `python adapter.py LIBRARY RFCS`.

RFCS is a JSON file with the rules of each RFC for a whole URL and the names of its components. Every answer
comes from the library: the adapter translates names, and repairs nothing.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, NamedTuple

Parts = dict[str, Any]

#: WHATWG parsers have no relative form, so a reference is checked against this base.
BASE = "http://a/b/c/d;p?q"


class Library(NamedTuple):
    """What a library offers, as functions of texts; None for what it lacks.

    `parse` returns the components that the library shows, and raises ValueError for a text that it refuses.
    `relative` is True if it parses relative references. `check` raises ValueError for an invalid text, if the
    library has a stricter check than its parser.
    """

    module: str
    homepage: str
    specs: tuple[str, ...] = ()
    distribution: str = ""
    parse: Callable[[str], Parts] | None = None
    check: Callable[[str], object] | None = None
    relative: bool = True
    empty: bool = False
    resolve: Callable[[str, str], str] | None = None
    normalize: Callable[[str], str] | None = None
    recompose: Callable[[Mapping[str, str | None]], str] | None = None


_FIVE = ("scheme", "authority", "path", "query", "fragment")


def text_of(value: object) -> str | None:
    """Return a value of a library as text; None stays None."""
    if value is None:
        return None
    return value.decode("ascii") if isinstance(value, bytes) else str(value)


def in_brackets(host: str | None) -> str | None:
    """Return the host with the brackets of an IP literal, which the library leaves out."""
    return f"[{host}]" if host is not None and ":" in host and not host.startswith("[") else host


def _refuse(message: str) -> None:
    raise ValueError(message)


# ---- libraries


def _rfc3986() -> Library:
    import rfc3986
    from rfc3986.validators import Validator

    names = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

    def parse(text: str) -> Parts:
        found = rfc3986.uri_reference(text)
        return {name: getattr(found, name) for name in ("authority", *names)} | {"path": found.path or ""}

    def check(text: str) -> None:
        try:
            Validator().check_validity_of(*names).validate(rfc3986.uri_reference(text))
        except rfc3986.exceptions.RFC3986Exception as error:
            raise ValueError(str(error)) from None

    def resolve(base: str, reference: str) -> str:
        return rfc3986.uri_reference(reference).resolve_with(base).unsplit()

    def recompose(parts: Mapping[str, str | None]) -> str:
        return rfc3986.URIReference(*(parts.get(name) for name in _FIVE)).unsplit()

    return Library(
        "rfc3986",
        "https://pypi.org/project/rfc3986/",
        ("rfc3986",),
        parse=parse,
        check=check,
        empty=True,
        resolve=resolve,
        normalize=lambda text: rfc3986.uri_reference(text).normalize().unsplit(),
        recompose=recompose,
    )


def _rfc3987() -> Library:
    import rfc3987

    def parse(text: str) -> Parts:
        return dict(rfc3987.parse(text, rule="URI_reference"))

    return Library(
        "rfc3987",
        "https://pypi.org/project/rfc3987/",
        ("rfc3986",),
        parse=parse,
        empty=True,
        resolve=rfc3987.resolve,
        recompose=lambda parts: rfc3987.compose(**{name: parts.get(name) for name in _FIVE}),
    )


def _uritools() -> Library:
    import uritools

    def parse(text: str) -> Parts:
        found = uritools.urisplit(text)
        return dict(zip(_FIVE, found, strict=True)) | {
            "userinfo": found.userinfo,
            "host": found.host,
            "port": found.port,
        }

    return Library(
        "uritools",
        "https://pypi.org/project/uritools/",
        ("rfc3986",),
        parse=parse,
        empty=True,
        resolve=uritools.urijoin,
        recompose=lambda parts: uritools.uriunsplit([parts.get(name) for name in _FIVE]),
    )


def _hyperlink() -> Library:
    from hyperlink import URL

    def parse(text: str) -> Parts:
        url = URL.from_text(text)
        return {
            "scheme": url.scheme,
            "authority": url.authority(with_password=True),
            "userinfo": url.userinfo,
            "host": in_brackets(url.host),
            "fragment": url.fragment,
        }  # `port` is the default one where there is none; path and query are lists

    return Library(
        "hyperlink",
        "https://pypi.org/project/hyperlink/",
        ("rfc3986",),
        parse=parse,
        resolve=lambda base, reference: URL.from_text(base).click(reference).to_text(with_password=True),
        normalize=lambda text: URL.from_text(text).normalize().to_text(with_password=True),
    )


def _yarl() -> Library:
    from yarl import URL

    def parse(text: str) -> Parts:
        url = URL(text)
        return {
            "scheme": url.scheme,
            "authority": url.raw_authority,
            "user": url.raw_user,
            "password": url.raw_password,
            "host": in_brackets(url.raw_host),
            "port": text_of(url.explicit_port),
            "path": url.raw_path,
            "query": url.raw_query_string,
            "fragment": url.raw_fragment,
        }

    return Library(
        "yarl",
        "https://pypi.org/project/yarl/",
        parse=parse,
        resolve=lambda base, reference: str(URL(base).join(URL(reference))),
    )


def _furl() -> Library:
    from furl import furl

    def parse(text: str) -> Parts:
        url = furl(text)
        return {
            "scheme": url.scheme,
            "authority": url.netloc,
            "user": url.username,
            "password": url.password,
            "host": url.host,
            "path": str(url.path),
            "query": str(url.query),
            "fragment": str(url.fragment),
        }  # `port` is the default one where there is none

    return Library(
        "furl",
        "https://pypi.org/project/furl/",
        parse=parse,
        resolve=lambda base, reference: furl(base).join(reference).url,
    )


def _httpx() -> Library:
    import httpx

    def parsed(text: str) -> Any:
        try:
            return httpx.URL(text)
        except httpx.InvalidURL as error:
            raise ValueError(str(error)) from None

    def parse(text: str) -> Parts:
        url = parsed(text)
        return {
            "scheme": url.scheme,
            "authority": text_of(url.netloc),
            "userinfo": text_of(url.userinfo),
            "host": in_brackets(text_of(url.raw_host)),
            "port": text_of(url.port),
            "path": text_of(url.raw_path).partition("?")[0],
            "query": text_of(url.query),
            "fragment": url.fragment,
        }

    return Library(
        "httpx",
        "https://pypi.org/project/httpx/",
        ("rfc3986",),
        parse=parse,
        resolve=lambda base, reference: str(parsed(base).join(parsed(reference))),
    )


def _urllib3() -> Library:
    from urllib3.exceptions import LocationParseError
    from urllib3.util import Url, parse_url

    def parsed(text: str) -> Url:
        try:
            return parse_url(text)
        except LocationParseError as error:
            raise ValueError(str(error)) from None

    def parse(text: str) -> Parts:
        url = parsed(text)
        return {
            "scheme": url.scheme,
            "authority": url.authority,
            "userinfo": url.auth,
            "host": url.host,
            "port": text_of(url.port),
            "path": url.path or "",
            "query": url.query,
            "fragment": url.fragment,
        }

    return Library("urllib3", "https://pypi.org/project/urllib3/", ("rfc3986",), parse=parse, empty=True)


def _whatwg(parsed: Callable[..., Any]) -> Callable[[str], Parts]:
    """Return `parse` for a class with the attributes of the WHATWG URL Standard."""

    def parse(text: str) -> Parts:
        url = parsed(text)
        return {
            "scheme": url.protocol.removesuffix(":"),
            "user": url.username,
            "password": url.password,
            "host": url.hostname,
            "port": text_of(url.port),
            "path": url.pathname,
            "query": url.search.removeprefix("?"),
            "fragment": url.hash.removeprefix("#"),
        }

    return parse


def _ada_url() -> Library:
    from ada_url import URL

    return Library(
        "ada_url",
        "https://pypi.org/project/ada-url/",
        distribution="ada-url",
        parse=_whatwg(URL),
        check=lambda text: URL(text, BASE),
        relative=False,
        resolve=lambda base, reference: URL(reference, base).href,
    )


def _can_ada() -> Library:
    import can_ada

    return Library(
        "can_ada", "https://pypi.org/project/can_ada/", parse=_whatwg(can_ada.parse), relative=False
    )


def _boltons() -> Library:
    from boltons.urlutils import URL

    def parse(text: str) -> Parts:
        url = URL(text)
        return {
            "scheme": url.scheme,
            "authority": url.get_authority(full_quote=False, with_userinfo=True),
            "host": in_brackets(url.host),
            "path": url.path,
            "fragment": url.fragment,
        }  # `port` is None or the default one where it is written; user and password are decoded

    def normalize(text: str) -> str:
        url = URL(text)
        url.normalize()
        return url.to_text()

    return Library(
        "boltons",
        "https://pypi.org/project/boltons/",
        parse=parse,
        resolve=lambda base, reference: URL(base).navigate(reference).to_text(),
        normalize=normalize,
    )


def _w3lib() -> Library:
    from w3lib.url import canonicalize_url

    return Library("w3lib", "https://pypi.org/project/w3lib/", normalize=canonicalize_url)


def _pydantic() -> Library:
    from pydantic import AnyUrl

    def parse(text: str) -> Parts:
        url = AnyUrl(text)
        return {
            "scheme": url.scheme,
            "user": url.username,
            "password": url.password,
            "host": url.host,
            "path": url.path or "",
            "query": url.query,
            "fragment": url.fragment,
        }  # `port` is the default one where there is none

    return Library("pydantic", "https://pypi.org/project/pydantic/", parse=parse, relative=False, empty=True)


def _werkzeug() -> Library:
    from werkzeug.urls import iri_to_uri

    return Library("werkzeug", "https://pypi.org/project/Werkzeug/", normalize=iri_to_uri)


def _rfc3986_validator() -> Library:
    from rfc3986_validator import validate_rfc3986

    def check(text: str) -> None:
        if not validate_rfc3986(text, rule="URI"):
            _refuse("validate_rfc3986 returns None")

    return Library(
        "rfc3986_validator",
        "https://pypi.org/project/rfc3986-validator/",
        ("rfc3986",),
        distribution="rfc3986-validator",
        check=check,
        relative=False,
    )


def _pywhatwgurl() -> Library:
    from pywhatwgurl import URL

    return Library(
        "pywhatwgurl",
        "https://pypi.org/project/pywhatwgurl/",
        parse=_whatwg(URL),
        check=lambda text: URL(text, BASE),
        relative=False,
        resolve=lambda base, reference: URL(reference, base).href,
    )


def _url_normalize() -> Library:
    from url_normalize import url_normalize

    return Library(
        "url_normalize",
        "https://pypi.org/project/url-normalize/",
        distribution="url-normalize",
        normalize=url_normalize,
    )


def _purl() -> Library:
    from purl import URL

    def parse(text: str) -> Parts:
        url = URL(text)
        return {
            "scheme": url.scheme(),
            "authority": url.netloc(),
            "user": url.username(),
            "password": url.password(),
            "host": url.host(),
            "port": text_of(url.port()),
            "path": url.path(),
            "query": url.query(),
            "fragment": url.fragment(),
        }

    return Library("purl", "https://pypi.org/project/purl/", parse=parse)


LIBRARIES: Mapping[str, Callable[[], Library]] = {
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3987,
    "uritools": _uritools,
    "hyperlink": _hyperlink,
    "yarl": _yarl,
    "furl": _furl,
    "httpx": _httpx,
    "urllib3": _urllib3,
    "ada-url": _ada_url,
    "can_ada": _can_ada,
    "boltons": _boltons,
    "w3lib": _w3lib,
    "pydantic": _pydantic,
    "werkzeug": _werkzeug,
    "rfc3986-validator": _rfc3986_validator,
    "pywhatwgurl": _pywhatwgurl,
    "url-normalize": _url_normalize,
    "purl": _purl,
}


# ---- answers


class Adapter:
    """Answers the questions of the protocol with one library."""

    def __init__(self, name: str, rfcs: Mapping[str, Any]) -> None:
        self.name, self.library, self.rfcs = name, LIBRARIES[name](), rfcs

    def hello(self) -> Parts:
        """Return the hello."""
        library = self.library
        offered = {
            "validate": library.parse or library.check,
            "parse": library.parse,
            "resolve": library.resolve,
            "recompose": library.recompose,
            "normalize": library.normalize,
        }
        return {
            "type": "hello",
            "protocol": 1,
            "implementation": {
                "name": self.name,
                "version": version(library.distribution or library.module),
                "language": "python",
                "runtime": f"{platform.python_implementation()} {platform.python_version()}",
                "homepage": library.homepage,
            },
            "ops": [name for name, function in offered.items() if function is not None],
            "specs": list(library.specs),
            "features": ["absent-vs-empty", "validate-by-parse"] if library.empty else ["validate-by-parse"],
            "window": 64,
        }

    def answer(self, question: Parts) -> Parts:
        """Return the reply to a question, without its id."""
        if any(isinstance(question.get(name), dict) for name in ("url", "base", "reference")):
            return {"status": "unsupported", "message": "the library takes text, not bytes"}
        try:
            return getattr(self, question["op"])(question)
        except ValueError as error:
            return {"status": "reject", "message": str(error)}

    def validate(self, question: Parts) -> Parts:
        """Accept what the library parses, if it is of the kind that the rule derives."""
        spec, text = question["spec"], question["url"]
        rule = self.rfcs["rules"][spec].get(question.get("rule") or self.rfcs["default"][spec])
        if rule is None:
            return {"status": "unsupported", "message": "the library parses whole URLs only"}
        form, check = rule["form"], self.library.check
        if form != "absolute" and not self.library.relative and (check is None or self.library.parse is None):
            return {"status": "unsupported", "message": "the library has no relative references"}
        scheme = self._scheme(text, form)
        if form == "absolute" and scheme is None:
            _refuse("it has no scheme")
        if form == "relative" and scheme is not None:
            _refuse("it has a scheme")
        if not rule["fragment"] and "#" in text:
            _refuse("it has a fragment")
        if "scheme" in rule and (scheme or "").lower() != rule["scheme"]:
            _refuse(f"the scheme is {scheme}")
        return {"status": "ok"}

    def _scheme(self, text: str, form: str) -> str | None:
        """Return the scheme that the library sees, or None.  Raise ValueError if it refuses the text."""
        library = self.library
        if library.check is not None:
            library.check(text)
        if library.parse is None:  # it tells valid texts only
            return text.partition(":")[0] if form == "absolute" else None
        try:
            return library.parse(text)["scheme"] or None
        except ValueError:
            if library.relative or form == "absolute":
                raise
            return None  # the check has accepted it as a relative reference

    def parse(self, question: Parts) -> Parts:
        """Return the components under the names of the RFC."""
        spec, text = question["spec"], question["url"]
        rule = self.rfcs["rules"][spec].get(question.get("rule") or self.rfcs["default"][spec])
        if rule is None:
            return {"status": "unsupported", "message": "the library parses whole URLs only"}
        parts = dict(self.library.parse(text))
        if "userinfo" not in parts and "user" in parts:
            parts["userinfo"] = _joined(parts["user"], parts["password"])
        if "path" in parts:
            parts["url-path"] = parts["path"][1:] if parts["path"].startswith("/") else None
        names = self.rfcs["components"][spec]
        own = names.get((parts["scheme"] or "").lower()) or names[""]
        return {
            "status": "ok",
            "components": {name: parts[part] for name, part in own.items() if part in parts},
        }

    def resolve(self, question: Parts) -> Parts:
        """Return the reference resolved against the base."""
        return {"status": "ok", "url": self.library.resolve(question["base"], question["reference"])}

    def normalize(self, question: Parts) -> Parts:
        """Return the normal form."""
        return {"status": "ok", "url": self.library.normalize(question["url"])}

    def recompose(self, question: Parts) -> Parts:
        """Return the text of five components."""
        if question["spec"] in ("rfc1738", "rfc1808"):
            return {"status": "unsupported", "message": "the library has the components of RFC 3986"}
        return {"status": "ok", "url": self.library.recompose(question["components"])}


def _joined(user: str | None, password: str | None) -> str | None:
    """Return userinfo as the library writes it: without a colon if there is no password."""
    return f"{user or ''}:{password}" if password else user


def main() -> None:
    """Answer the questions on stdin, a JSON object per line."""
    name, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        adapter = Adapter(name, json.load(file))
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        if message.get("type") == "hello":
            reply = adapter.hello()
        elif message.get("type") == "run":
            try:
                reply = adapter.answer(message)
            except Exception as error:
                reply = {"status": "error", "message": f"{type(error).__name__}: {error}"}
            reply = {"id": message["id"], **reply}
        elif message.get("type") == "bye":
            return
        else:
            continue
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
