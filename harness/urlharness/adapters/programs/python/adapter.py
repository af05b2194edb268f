"""urlconform adapter for Python libraries: `python adapter.py LIBRARY RFCS`.

RFCS is a JSON file. For each RFC, it contains the rules for a whole URL and the names of the components.
Every answer comes from the library: the adapter only translates names, and does not correct any answer.
"""

from __future__ import annotations

import importlib.util
import json
import platform
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

Parts = dict[str, Any]
Components = Mapping[str, str | None]

#: WHATWG parsers have no relative form, so a reference is checked against this base.
BASE = "http://a/b/c/d;p?q"

#: A URL that every library accepts, and its components.
_PLAIN = "http://u:p@h.example:8080/p?q#f"
_PLAIN_PARTS = {
    "scheme": "http",
    "authority": "u:p@h.example:8080",
    "userinfo": "u:p",
    "host": "h.example",
    "port": "8080",
    "path": "/p",
    "query": "q",
    "fragment": "f",
}

#: The beginning of a text that is not a relative reference under any RFC.
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")

_FIVE = ("scheme", "authority", "path", "query", "fragment")
_SEVEN = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")

# the features of the protocol: components distinguish None and ""; a text is valid if the parser accepts it
_EMPTY = "absent-vs-empty"
_BY_PARSE = "validate-by-parse"


class Library(NamedTuple):
    """The operations of a library, as functions of texts. A field is None if the library lacks the operation.

    `parse` returns the components as the library shows them. `scheme` validates a text and returns its
    scheme, or None for a relative reference. `scheme` itself is None if the library accepts every text.
    `references` is False if the library only accepts URLs with a scheme. The functions raise `refusal`, the
    exceptions that the documentation names, for a text that the library refuses. `connect` requests a URL.
    `to_uri` maps an IRI to a URI, and `to_iri` converts a URI to an IRI (RFC 3987, sections 3.1 and 3.2).
    `iris` has the functions for questions about RFC 3987, if they are not those for URIs.
    `specs` are the RFCs that the documentation of the library claims, and `language` is the programming
    language of its parser. `modes` are the modes in which it normalizes: section 6.2.2 of RFC 3986 (`syntax`)
    and section 6.2.3 (`scheme`).
    """

    parse: Callable[[str], Parts] | None = None
    scheme: Callable[[str], str | None] | None = None
    resolve: Callable[[str, str], str] | None = None
    normalize: Callable[[str], str] | None = None
    recompose: Callable[[Components], str] | None = None
    connect: Callable[[str], object] | None = None
    to_uri: Callable[[str], str] | None = None
    to_iri: Callable[[str], str] | None = None
    iris: Library | None = None
    specs: tuple[str, ...] = ()
    features: tuple[str, ...] = (_BY_PARSE,)
    modes: tuple[str, ...] = ("syntax", "scheme")
    references: bool = True
    refusal: type[Exception] | tuple[type[Exception], ...] = ValueError
    language: str = "python"


def text_of(value: bytes | int | None) -> str | None:
    """Return bytes or a number from a library as text. Return None for None."""
    if value is None:
        return None
    return value.decode("ascii") if isinstance(value, bytes) else str(value)


def number_of(port: str | None) -> int | None:
    """Return a port as a number, for libraries that do not accept text. Return None for an empty port."""
    return int(port) if port else None


def as_written(host: str | None, authority: str | None) -> str | None:
    """Return a host that the library shows without brackets as the library writes it in the authority."""
    host_and_port = (authority or "").rpartition("@")[2]
    return f"[{host}]" if host and host_and_port.startswith(f"[{host}]") else host


def by_parse(parse: Callable[[str], Parts]) -> Callable[[str], str | None]:
    """Return the function `scheme` for a library whose parser refuses invalid texts."""
    return lambda text: parse(text)["scheme"] or None


def by_base(parse: Callable[[str], Parts], join: Callable[[str, str], object]) -> Callable[[str], str | None]:
    """Return the function `scheme` for a library that parses relative references only with a base."""

    def scheme(text: str) -> str | None:
        try:
            return parse(text)["scheme"]
        except ValueError:
            if _SCHEME.match(text) or not accepts_with_base(text):
                raise
            return None

    def accepts_with_base(text: str) -> bool:
        try:
            join(BASE, text)
        except Exception:  # also a fault of the library: it does not accept the text
            return False
        return True

    return scheme


class Refusal(ValueError):
    """The library refuses a text by its return value, or the text does not have the form of the rule."""


def _refuse(message: str) -> None:
    raise Refusal(message)


# ---- libraries


def _rfc3986() -> Library:
    from rfc3986 import iri_reference, uri_reference
    from rfc3986.exceptions import RFC3986Exception
    from rfc3986.validators import Validator

    def parse(text: str) -> Parts:
        url = uri_reference(text)
        return {name: getattr(url, name) for name in ("authority", *_SEVEN)} | {"path": url.path or ""}

    def scheme(text: str) -> str | None:
        url = uri_reference(text)
        Validator().check_validity_of(*_SEVEN).validate(url)
        return url.scheme

    def recompose(parts: Components) -> str:
        return uri_reference("").copy_with(**{name: parts.get(name) for name in _FIVE}).unsplit()

    def parse_iri(text: str) -> Parts:
        iri = iri_reference(text)
        return {name: getattr(iri, name) for name in ("authority", *_SEVEN)} | {"path": iri.path or ""}

    def to_uri(text: str) -> str:
        return iri_reference(text).encode().unsplit()

    # Without this optional package, `encode` raises the exception of a refusal for every IRI.
    has_idna = importlib.util.find_spec("idna") is not None
    return Library(
        parse,
        scheme,
        resolve=lambda base, reference: uri_reference(reference).resolve_with(base).unsplit(),
        normalize=lambda text: uri_reference(text).normalize().unsplit(),
        recompose=recompose,
        # IRIReference inherits resolve_with, but not the method normalize that resolve_with calls
        iris=Library(parse_iri, to_uri=to_uri if has_idna else None),
        specs=("rfc3986", "rfc3987"),
        features=(_EMPTY,),
        modes=("syntax",),
        refusal=RFC3986Exception,
    )


def _rfc3987() -> Library:
    import rfc3987

    def parse(text: str) -> Parts:
        return rfc3987.parse(text, rule="URI_reference")

    def parse_iri(text: str) -> Parts:
        return rfc3987.parse(text, rule="IRI_reference")

    def recompose(parts: Components) -> str:
        return rfc3987.compose(**{name: parts.get(name) for name in _FIVE})

    return Library(
        parse,
        by_parse(parse),
        resolve=rfc3987.resolve,  # of IRI references, and so of URI references
        recompose=recompose,
        iris=Library(parse_iri, by_parse(parse_iri), resolve=rfc3987.resolve, recompose=recompose),
        specs=("rfc3986", "rfc3987"),
        features=(_EMPTY, _BY_PARSE),
    )


def _rfc3986_validator() -> Library:
    from rfc3986_validator import validate_rfc3986

    def scheme(text: str) -> str | None:
        if validate_rfc3986(text, rule="URI"):
            return text.partition(":")[0]
        if not validate_rfc3986(text, rule="URI_reference"):
            _refuse("validate_rfc3986 returns None")
        return None

    return Library(scheme=scheme, specs=("rfc3986",), features=())


def _uritools() -> Library:
    from uritools import urijoin, urisplit, uriunsplit

    def parse(text: str) -> Parts:
        url = urisplit(text)  # it never refuses a text
        return {name: getattr(url, name) for name in ("authority", *_SEVEN)}

    return Library(
        parse,
        resolve=urijoin,
        recompose=lambda parts: uriunsplit([parts.get(name) for name in _FIVE]),
        specs=("rfc3986",),
        features=(_EMPTY,),
    )


def _lazr_uri() -> Library:
    from lazr.uri import URI, InvalidURIError

    def parse(text: str) -> Parts:
        url = URI(text)
        return {name: getattr(url, name) for name in ("authority", *_SEVEN)}

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: str(URI(base).resolve(reference)),
        recompose=lambda parts: str(URI(**{name: parts.get(name) for name in _SEVEN})),
        specs=("rfc3986",),
        features=(_EMPTY, _BY_PARSE),
        references=False,
        refusal=InvalidURIError,
    )


def _hyperlink() -> Library:
    from hyperlink import URL

    def parse(text: str) -> Parts:
        url = URL.from_text(text)
        # segments without slashes, and pairs that were split at "&" and "="
        path = ("", *url.path) if url.rooted and url.path else url.path
        query = (name if value is None else f"{name}={value}" for name, value in url.query)
        return {
            "scheme": url.scheme,
            "authority": url.authority(with_password=True),
            "userinfo": url.userinfo,
            "user": url.user,
            "host": as_written(url.host, url.authority()),
            "path": "/".join(path),
            "query": "&".join(query),
            "fragment": url.fragment,
        }  # without `port`, because url.port is the default port if the URL has none

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: URL.from_text(base).click(reference).to_text(with_password=True),
        normalize=lambda text: URL.from_text(text).normalize().to_text(with_password=True),
        to_uri=lambda text: URL.from_text(text).to_uri().to_text(with_password=True),
        to_iri=lambda text: URL.from_text(text).to_iri().to_text(with_password=True),
        specs=("rfc3986", "rfc3987"),
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
            "host": host_of(url),
            "port": text_of(url.explicit_port),
            "path": url.raw_path,
            "query": url.raw_query_string,
            "fragment": url.raw_fragment,
        }

    def host_of(url: URL) -> str | None:
        if hasattr(url, "host_subcomponent"):  # since version 1.13
            return url.host_subcomponent
        return as_written(url.raw_host, url.raw_authority)

    def recompose(parts: Components) -> str:
        scheme, authority, path, query, fragment = (parts.get(name) or "" for name in _FIVE)
        return str(
            URL.build(
                scheme=scheme,
                authority=authority,
                path=path,
                query_string=query,
                fragment=fragment,
                encoded=True,
            )
        )

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: str(URL(base).join(URL(reference))),
        recompose=recompose,
    )


def _furl() -> Library:
    from furl import furl

    def parse(text: str) -> Parts:
        url = furl(text)
        return {
            "scheme": url.scheme,
            "authority": url.netloc,
            "user": url.username,  # decoded
            "password": url.password,
            "host": url.host,
            "path": str(url.path),
            "query": str(url.query),
            "fragment": str(url.fragment),
        }  # without `port`, because url.port is the default port if the URL has none

    def normalize(text: str) -> str:
        url = furl(text)
        url.path.normalize()
        return url.url

    def recompose(parts: Components) -> str:
        scheme, netloc, path, query, fragment = (parts.get(name) for name in _FIVE)
        return furl(scheme=scheme, netloc=netloc, path=path, query=query, fragment=fragment).url

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: furl(base).join(reference).url,
        normalize=normalize,
        recompose=recompose,
        modes=("syntax",),
    )


def _httpx() -> Library:
    from httpx import URL, Client, HTTPError, InvalidURL

    @cache
    def client() -> Client:
        return Client(trust_env=False)  # without the proxies of the environment

    def parse(text: str) -> Parts:
        url = URL(text)
        return {
            "scheme": url.scheme,
            "userinfo": text_of(url.userinfo),
            "user": url.username,  # decoded
            "password": url.password,
            "host": as_written(text_of(url.raw_host), text_of(url.netloc)),
            "port": text_of(url.port),
            "path": text_of(url.raw_path.partition(b"?")[0]),
            "query": text_of(url.query),
            "fragment": url.fragment,  # decoded
        }  # without `authority`, because url.netloc does not contain the userinfo

    def recompose(parts: Components) -> str:
        userinfo, query = (parts.get(name) for name in ("userinfo", "query"))
        return str(
            URL(
                scheme=parts["scheme"],
                userinfo=None if userinfo is None else userinfo.encode(),
                host=parts.get("host"),
                port=number_of(parts.get("port")),
                path=parts["path"],
                query=None if query is None else query.encode(),
                fragment=parts.get("fragment"),
            )
        )

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: str(URL(base).join(reference)),
        recompose=recompose,
        connect=lambda text: client().get(text),
        specs=("rfc3986",),
        refusal=(InvalidURL, HTTPError),
    )


def _urllib3() -> Library:
    from urllib3 import PoolManager
    from urllib3.exceptions import HTTPError
    from urllib3.util import Url, parse_url

    pool = PoolManager()

    def parse(text: str) -> Parts:
        url = parse_url(text)
        parts = {
            "scheme": url.scheme,
            "userinfo": url.auth,
            "host": url.host,
            "port": text_of(url.port),
            "path": url.path or "",
            "query": url.query,
            "fragment": url.fragment,
        }
        if hasattr(url, "authority"):  # since version 2.0
            parts["authority"] = url.authority
        return parts

    def recompose(parts: Components) -> str:
        scheme, auth, host, port, path, query, fragment = (parts.get(name) for name in _SEVEN)
        return Url(scheme, auth, host, number_of(port), path, query, fragment).url

    return Library(
        parse,
        by_parse(parse),
        recompose=recompose,
        connect=lambda text: pool.request("GET", text, retries=False),
        specs=("rfc3986",),
        features=(_EMPTY, _BY_PARSE),
        refusal=HTTPError,
    )


def _boltons() -> Library:
    from boltons.urlutils import URL

    def parse(text: str) -> Parts:
        url = URL(text)  # its components are decoded, except percent-encoded delimiters
        return {
            "scheme": url.scheme,
            "authority": url.get_authority(with_userinfo=True),  # without the default port
            "user": url.username,
            "password": url.password or None,
            "host": as_written(url.host, url.get_authority()),
            "port": text_of(url.port),
            "path": url.path,
            "query": url.query_params.to_text(),
            "fragment": url.fragment,
        }

    def normalize(text: str) -> str:
        url = URL(text)
        url.normalize()
        return url.to_text()

    return Library(
        parse,
        by_parse(parse),
        resolve=lambda base, reference: URL(base).navigate(reference).to_text(),
        normalize=normalize,
        specs=("rfc3986", "rfc3987"),
        modes=("syntax",),
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

    return Library(parse, by_parse(parse))


# ---- libraries of the URL Standard of WHATWG


def _whatwg(parsed: Callable[[str], Any]) -> Callable[[str], Parts]:
    """Return the function `parse` for a class with the attributes of the URL Standard."""

    def parse(text: str) -> Parts:
        url = parsed(text)
        return {
            "scheme": url.protocol.removesuffix(":"),
            "user": url.username,
            "password": url.password or None,
            "host": url.hostname,
            "port": url.port,
            "path": url.pathname,
            "query": url.search.removeprefix("?"),
            "fragment": url.hash.removeprefix("#"),
        }

    return parse


def _ada_url() -> Library:
    from ada_url import URL, join_url, normalize_url

    parse = _whatwg(URL)
    return Library(
        parse,
        by_base(parse, join_url),
        resolve=join_url,
        normalize=normalize_url,
        modes=("syntax",),
        language="c++",
    )


def _can_ada() -> Library:
    import can_ada

    def check(base: str, text: str) -> None:
        if not can_ada.can_parse(text, base):
            can_ada.parse(text)  # it refuses the text, too, and says so

    parse = _whatwg(can_ada.parse)
    return Library(parse, by_base(parse, check), language="c++")


def _pywhatwgurl() -> Library:
    from pywhatwgurl import URL

    def resolve(base: str, reference: str) -> str:
        return URL(reference, base).href

    parse = _whatwg(URL)
    return Library(parse, by_base(parse, resolve), resolve=resolve)


def _whatwg_url() -> Library:
    from whatwg_url import normalize_url, parse_url, urljoin

    def parse(text: str) -> Parts:
        url = parse_url(text)
        return {
            "scheme": url.scheme,
            "user": url.username,
            "password": url.password,
            "host": url.hostname,
            "port": text_of(url.port),
            "path": url.path,
            "query": url.query,
            "fragment": url.fragment,
        }

    return Library(
        parse,
        by_base(parse, urljoin),
        resolve=urljoin,
        normalize=normalize_url,
        features=(_EMPTY, _BY_PARSE),
    )


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
        }  # without `port`, because url.port is the default port if the URL has none

    return Library(parse, by_parse(parse), features=(_EMPTY, _BY_PARSE), references=False, language="rust")


# ---- functions from URL to URL


def _url_normalize() -> Library:
    from url_normalize import url_normalize

    return Library(normalize=url_normalize, features=())


def _w3lib() -> Library:
    from w3lib.url import canonicalize_url

    return Library(normalize=canonicalize_url, features=(), modes=("syntax",))


# ---- conversions between URIs and IRIs


def _werkzeug() -> Library:
    from werkzeug.urls import iri_to_uri, uri_to_iri

    return Library(to_uri=iri_to_uri, to_iri=uri_to_iri, specs=("rfc3987",), features=())


# ---- HTTP clients


def _requests() -> Library:
    from requests import RequestException, Session

    session = Session()
    session.trust_env = False  # without the proxies of the environment
    return Library(connect=session.get, features=(), refusal=RequestException)


def _aiohttp() -> Library:
    import asyncio
    import atexit

    from aiohttp import ClientError, ClientSession

    loop = asyncio.new_event_loop()

    async def new_session() -> ClientSession:
        return ClientSession(trust_env=False)

    session = loop.run_until_complete(new_session())
    atexit.register(lambda: loop.run_until_complete(session.close()))

    async def request(text: str) -> None:
        async with session.get(text):
            pass

    return Library(
        connect=lambda text: loop.run_until_complete(request(text)), features=(), refusal=ClientError
    )


LIBRARIES: Mapping[str, Callable[[], Library]] = {
    "rfc3986": _rfc3986,
    "rfc3987": _rfc3987,
    "rfc3986-validator": _rfc3986_validator,
    "uritools": _uritools,
    "lazr.uri": _lazr_uri,
    "hyperlink": _hyperlink,
    "yarl": _yarl,
    "furl": _furl,
    "httpx": _httpx,
    "urllib3": _urllib3,
    "boltons": _boltons,
    "purl": _purl,
    "ada-url": _ada_url,
    "can_ada": _can_ada,
    "pywhatwgurl": _pywhatwgurl,
    "python-whatwg-url": _whatwg_url,
    "pydantic": _pydantic,
    "url-normalize": _url_normalize,
    "w3lib": _w3lib,
    "werkzeug": _werkzeug,
    "requests": _requests,
    "aiohttp": _aiohttp,
}


# ---- answers


def package_of(name: str) -> str:
    """Return the name of the package of a library."""
    return name.removeprefix("python-")


class Adapter:
    """Answers the questions of the protocol with one library."""

    def __init__(self, name: str, rfcs: Mapping[str, Any]) -> None:
        self.name = name
        self.library = LIBRARIES[name]()
        self.iris = self.library.iris or self.library
        self.rfcs = rfcs
        refusal = self.library.refusal
        self.refusals = (Refusal, *(refusal if isinstance(refusal, tuple) else (refusal,)))
        self.operations = {
            operation.__name__: operation
            for operation in (
                self.validate,
                self.parse,
                self.resolve,
                self.recompose,
                self.normalize,
                self.connect,
                self.to_uri,
                self.to_iri,
            )
            if self.offers(operation.__name__)
        }

    def offers(self, operation: str) -> bool:
        """Return True if the library has a function for the operation, for URIs or for IRIs."""
        return any(_function(library, operation) is not None for library in (self.library, self.iris))

    def library_for(self, question: Parts) -> Library:
        """Return the functions for the RFC of a question."""
        return self.iris if question["spec"] == "rfc3987" else self.library

    def check_library(self) -> None:
        """Call each function of the library once.

        Raise AttributeError, ImportError or TypeError if this version of the library lacks what the adapter
        uses. Otherwise, every answer would be an error.
        """
        for library in (self.library, self.iris):
            calls = (
                (library.parse, (_PLAIN,)),
                (library.scheme, (_PLAIN,)),
                (library.resolve, (BASE, "g")),
                (library.normalize, (_PLAIN,)),
                (library.recompose, (_PLAIN_PARTS,)),
                (library.to_uri, (_PLAIN,)),
                (library.to_iri, (_PLAIN,)),
            )
            for function, arguments in calls:
                if function is None:
                    continue
                try:
                    function(*arguments)
                except (AttributeError, ImportError, TypeError):
                    raise
                except Exception:  # noqa: S112 - any other exception is an answer of the library
                    continue

    def hello(self) -> Parts:
        """Return the hello."""
        package = package_of(self.name)
        return {
            "type": "hello",
            "protocol": 1,
            "implementation": {
                "name": self.name,
                "version": version(package),
                "language": self.library.language,
                "runtime": f"{platform.python_implementation()} {platform.python_version()}",
                "homepage": f"https://pypi.org/project/{package}/",
            },
            "ops": list(self.operations),
            "specs": self.library.specs,
            "features": self.library.features,
            "modes": self.library.modes if self.library.normalize is not None else (),
            "window": 64,
        }

    def answer(self, question: Parts) -> Parts:
        """Return the reply to a question, without its id."""
        operation = self.operations.get(question["op"])
        if operation is None or _function(self.library_for(question), question["op"]) is None:
            return _unsupported("the library has no such operation")
        texts = (question.get("url"), question.get("base"), question.get("reference"))
        if any(isinstance(text, dict) for text in (*texts, *question.get("components", {}).values())):
            return _unsupported("the library takes text, not bytes")
        try:
            return operation(question)
        except self.refusals as error:
            return {"status": "reject", "message": str(error)}
        except NotImplementedError as error:
            return _unsupported(str(error))
        except Exception as error:
            return {"status": "error", "message": f"{type(error).__name__}: {error}"}

    def validate(self, question: Parts) -> Parts:
        """Accept a text if the library accepts it, and if it has the form that the rule requires."""
        text = question["url"]
        library = self.library_for(question)
        rule = self._rule(question)
        if rule is None:
            return _unsupported("the library knows whole URLs only")
        if not library.references and rule["form"] == "relative":
            return _unsupported("the library has no relative references")
        try:
            scheme = library.scheme(text)
        except self.refusals:
            if not library.references and not _SCHEME.match(text):
                return _unsupported("the library has no relative references")
            raise
        if rule["form"] == "absolute" and scheme is None:
            _refuse("it has no scheme")
        if rule["form"] == "relative" and scheme is not None:
            _refuse("it has a scheme")
        if not rule["fragment"] and "#" in text:
            _refuse("it has a fragment")
        if "scheme" in rule and (scheme or "").lower() != rule["scheme"]:
            _refuse(f"the scheme is {scheme}")
        if scheme is None and library.parse is not None and not self._parses(text, library):
            return {"status": "ok", "message": "only with a base"}
        return {"status": "ok"}

    def parse(self, question: Parts) -> Parts:
        """Return the components under the names of the RFC."""
        text = question["url"]
        library = self.library_for(question)
        if self._rule(question) is None:
            return _unsupported("the library knows whole URLs only")
        try:
            parts = dict(library.parse(text))
        except self.refusals:
            if self._needs_base(text, library):
                return _unsupported("the library has no components of a relative reference")
            raise
        if "userinfo" not in parts and "user" in parts:
            parts["userinfo"] = _joined(parts["user"], parts["password"])
        if "path" in parts:
            parts["url-path"] = parts["path"][1:] if parts["path"].startswith("/") else None
        names_by_scheme = self.rfcs["components"][question["spec"]]
        names = names_by_scheme.get((parts["scheme"] or "").lower(), names_by_scheme[""])
        return {
            "status": "ok",
            "components": {name: parts[part] for name, part in names.items() if part in parts},
        }

    def resolve(self, question: Parts) -> Parts:
        """Return the target of the reference."""
        target = self.library_for(question).resolve(question["base"], question["reference"])
        return {"status": "ok", "url": target}

    def normalize(self, question: Parts) -> Parts:
        """Return the normal form, if the library takes the text without a base."""
        text = question["url"]
        library = self.library_for(question)
        try:
            normal_form = library.normalize(text)
        except self.refusals:
            if self._needs_base(text, library) and not self._parses(text, library):
                return _unsupported("the library has no normal form of a relative reference")
            raise
        return {"status": "ok", "url": normal_form}

    def recompose(self, question: Parts) -> Parts:
        """Return the text of components that have the names of RFC 3986."""
        if question["spec"] in ("rfc1738", "rfc1808"):
            return _unsupported("the library has the components of RFC 3986")
        library = self.library_for(question)
        if not library.references and question["components"]["scheme"] is None:
            return _unsupported("the library has no relative references")
        return {"status": "ok", "url": library.recompose(question["components"])}

    def to_uri(self, question: Parts) -> Parts:
        """Return the URI to which the library maps an IRI."""
        if self._rule(question) is None:
            return _unsupported("the library maps whole IRIs only")
        return {"status": "ok", "url": self.library_for(question).to_uri(question["url"])}

    def to_iri(self, question: Parts) -> Parts:
        """Return the IRI to which the library converts a URI."""
        if self._rule(question) is None:
            return _unsupported("the library converts whole URIs only")
        return {"status": "ok", "url": self.library_for(question).to_iri(question["url"])}

    def connect(self, question: Parts) -> Parts:
        """Return the host and the port that the client would connect to, as it gives them to the resolver.

        Nothing is contacted: the resolver and the sockets of Python only note the address. A socket gets the
        address if the client does not resolve IP addresses.
        """
        import socket  # here, so that the libraries that only parse start quickly

        addresses: list[tuple[str, int]] = []

        def note_name(host: str, port: int, *_: object, **__: object) -> None:
            addresses.append((host, port))
            raise socket.gaierror(socket.EAI_NONAME, "not resolved")

        def note_address(_: socket.socket, address: tuple[Any, ...]) -> None:
            addresses.append(address[:2])
            raise ConnectionRefusedError

        # for good: this process speaks by stdin and stdout and needs no network
        socket.getaddrinfo = note_name
        socket.socket.connect = note_address
        socket.socket.connect_ex = note_address
        try:
            self.library.connect(question["url"])
        except Exception:
            if not addresses:
                raise
        if not addresses:
            _refuse("it connects to nothing")
        host, port = addresses[0]
        return {"status": "ok", "components": {"host": host, "port": str(port)}}

    def _parses(self, text: str, library: Library) -> bool:
        """Return True if the library parses a text without a base."""
        try:
            library.parse(text)
        except self.refusals:
            return False
        return True

    def _needs_base(self, text: str, library: Library) -> bool:
        """Return True if the library takes a text that it does not parse for a relative reference."""
        if _SCHEME.match(text):
            return False
        if not library.references:
            return True
        try:
            library.scheme(text)
        except Exception:
            return False  # the library refuses it, or fails, also with a base
        return True

    def _rule(self, question: Parts) -> Mapping[str, Any] | None:
        """Return what RFCS says about the rule of a question, or None if the rule is not one for whole URLs.

        It says the `form`, whether a `fragment` is allowed, and perhaps the `scheme`.
        """
        spec = question["spec"]
        return self.rfcs["rules"][spec].get(question.get("rule") or self.rfcs["default"][spec])


def _function(library: Library, operation: str) -> Callable[..., Any] | None:
    """Return the function of a library that answers an operation, or None if the library lacks it."""
    return library.scheme if operation == "validate" else getattr(library, operation)


def _unsupported(message: str) -> Parts:
    return {"status": "unsupported", "message": message}


def _joined(user: str | None, password: str | None) -> str | None:
    """Return the userinfo as libraries write it: without a colon if there is no password."""
    return user if password is None else f"{user or ''}:{password}"


def _installed_version(name: str) -> str:
    try:
        return version(package_of(name))
    except PackageNotFoundError:
        return "(without a version)"


def main() -> None:
    """Answer the questions on stdin, one JSON object per line."""
    name, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        rfcs = json.load(file)
    try:
        adapter = Adapter(name, rfcs)
        adapter.check_library()
    except (AttributeError, ImportError, TypeError) as error:
        sys.exit(
            f"{name} {_installed_version(name)} does not fit this adapter: {type(error).__name__}: {error}"
        )
    for line in sys.stdin.buffer:
        message = json.loads(line) if line.strip() else {}
        match message.get("type"):
            case "hello":
                print(json.dumps(adapter.hello()), flush=True)
            case "run":
                print(json.dumps({"id": message["id"], **adapter.answer(message)}), flush=True)
            case "bye":
                return


if __name__ == "__main__":
    main()
