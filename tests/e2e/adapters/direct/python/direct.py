"""Print the accessors of a Python library: `direct.py LIBRARY`, one question and one answer a line.

Each library is called as its documentation does it; direct.toml names the page.
"""

import importlib
import json
import sys
from typing import Any


class Library:
    """A library: the exceptions with which it refuses a text, and a method for each operation that it offers.

    The methods are named as the operations of a question: parse, resolve, normalize or validate. `refusals`
    are the exceptions that the documentation names, or their public base classes.
    """

    module: str
    refusals: tuple[type[Exception], ...] = (ValueError,)

    def __init__(self) -> None:
        self.library: Any = importlib.import_module(self.module)


def attributes(url: object, names: str) -> dict[str, Any]:
    """Return attributes of an object. Bytes are ASCII."""
    values = {name: getattr(url, name) for name in names.split()}
    return {
        name: content.decode("ascii") if isinstance(content, bytes) else content
        for name, content in values.items()
    }


class Urllib(Library):
    module = "urllib.parse"

    def parse(self, url):
        names = "scheme netloc path query fragment username password hostname port"
        return attributes(self.library.urlsplit(url), names)

    def resolve(self, base, reference):
        return self.library.urljoin(base, reference)


class Rfc3986(Library):
    module = "rfc3986"

    def __init__(self):
        super().__init__()
        self.refusals = (importlib.import_module("rfc3986.exceptions").RFC3986Exception,)

    def parse(self, url):
        reference = self.library.uri_reference(url)
        return attributes(reference, "scheme authority userinfo host port path query fragment")

    def resolve(self, base, reference):
        return self.library.uri_reference(reference).resolve_with(base).unsplit()

    def normalize(self, url):
        return self.library.normalize_uri(url)


class Rfc3987(Library):
    module = "rfc3987"

    def parse(self, url):
        return dict(self.library.parse(url, rule="URI_reference"))

    def resolve(self, base, reference):
        return self.library.resolve(base, reference)


class Rfc3986Iris(Library):
    """IRIReference, which has no normal form, and whose resolve_with fails for that reason."""

    module = "rfc3986"

    def __init__(self):
        super().__init__()
        self.refusals = (importlib.import_module("rfc3986.exceptions").RFC3986Exception,)

    def parse(self, url):
        reference = self.library.iri_reference(url)
        return attributes(reference, "scheme authority userinfo host port path query fragment")

    def to_uri(self, url):
        return self.library.iri_reference(url).encode().unsplit()


class Rfc3987Iris(Rfc3987):
    def parse(self, url):
        return dict(self.library.parse(url))  # by default the rule is IRI_reference


class Uritools(Library):
    module = "uritools"

    def parse(self, url):
        return attributes(
            self.library.urisplit(url), "scheme authority userinfo host port path query fragment"
        )

    def resolve(self, base, reference):
        return self.library.urijoin(base, reference)


class Hyperlink(Library):
    module = "hyperlink"
    # with_password: by default a text has no password, for logs

    def __init__(self):
        super().__init__()
        self.refusals = (ValueError, self.library.URLParseError)

    def parse(self, url):
        parsed = self.library.URL.from_text(url)
        names = "scheme userinfo host port rooted path query fragment"
        return {**attributes(parsed, names), "authority": parsed.authority(with_password=True)}

    def resolve(self, base, reference):
        return self.library.URL.from_text(base).click(reference).to_text(with_password=True)

    def normalize(self, url):
        return self.library.URL.from_text(url).normalize().to_text(with_password=True)

    def to_uri(self, url):
        return self.library.URL.from_text(url).to_uri().to_text(with_password=True)

    def to_iri(self, url):
        return self.library.URL.from_text(url).to_iri().to_text(with_password=True)


class Yarl(Library):
    module = "yarl"

    def parse(self, url):
        authority = "raw_authority raw_user raw_password host_subcomponent explicit_port"
        return attributes(self.library.URL(url), f"scheme {authority} raw_path raw_query_string raw_fragment")

    def resolve(self, base, reference):
        return str(self.library.URL(base).join(self.library.URL(reference)))


class Furl(Library):
    module = "furl"

    def parse(self, url):
        parsed = self.library.furl(url)
        return {
            **attributes(parsed, "scheme username password host port netloc"),
            "path": str(parsed.path),
            "query": str(parsed.query),
            "fragment": str(parsed.fragment),
        }

    def resolve(self, base, reference):
        return self.library.furl(base).join(reference).url

    def normalize(self, url):
        parsed = self.library.furl(url)
        parsed.path.normalize()
        return parsed.url


class Httpx(Library):
    module = "httpx"

    def __init__(self):
        super().__init__()
        self.refusals = (self.library.InvalidURL,)

    def parse(self, url):
        names = "scheme userinfo raw_host host port netloc path raw_path query fragment"
        return attributes(self.library.URL(url), names)

    def resolve(self, base, reference):
        return str(self.library.URL(base).join(reference))


class Urllib3(Library):
    module = "urllib3"

    def __init__(self):
        super().__init__()
        self.refusals = (self.library.exceptions.LocationParseError,)

    def parse(self, url):
        return attributes(
            self.library.util.parse_url(url), "scheme auth host port path query fragment netloc authority"
        )


class AdaUrl(Library):
    module = "ada_url"

    def parse(self, url):
        names = "href protocol username password host hostname port pathname search hash"
        return attributes(self.library.URL(url), names)

    def resolve(self, base, reference):
        return self.library.join_url(base, reference)

    def normalize(self, url):
        return self.library.normalize_url(url)


class CanAda(Library):
    module = "can_ada"

    def parse(self, url):
        names = "href protocol username password host hostname port pathname search hash"
        return attributes(self.library.parse(url), names)


class Boltons(Library):
    module = "boltons.urlutils"

    def parse(self, url):
        parsed = self.library.URL(url)
        names = "scheme username password host port path fragment"
        return {
            **attributes(parsed, names),
            "query_params": parsed.query_params.to_text(),
            "get_authority": parsed.get_authority(with_userinfo=True),
        }

    def resolve(self, base, reference):
        return self.library.URL(base).navigate(reference).to_text()

    def normalize(self, url):
        parsed = self.library.URL(url)
        parsed.normalize()
        return parsed.to_text()


class W3lib(Library):
    module = "w3lib.url"

    def normalize(self, url):
        return self.library.canonicalize_url(url)


class Pydantic(Library):
    module = "pydantic"

    def parse(self, url):
        return attributes(self.library.AnyUrl(url), "scheme username password host port path query fragment")


class Rfc3986Validator(Library):
    module = "rfc3986_validator"

    def validate(self, url):
        return bool(self.library.validate_rfc3986(url, rule="URI_reference"))


class Pywhatwgurl(Library):
    module = "pywhatwgurl"

    def parse(self, url):
        names = "href protocol username password host hostname port pathname search hash"
        return attributes(self.library.URL(url), names)

    def resolve(self, base, reference):
        return self.library.URL(reference, base).href


class UrlNormalize(Library):
    module = "url_normalize"

    def normalize(self, url):
        return self.library.url_normalize(url)


class Werkzeug(Library):
    module = "werkzeug.urls"

    def to_uri(self, url):
        return self.library.iri_to_uri(url)

    def to_iri(self, url):
        return self.library.uri_to_iri(url)


class Purl(Library):
    module = "purl"

    def parse(self, url):
        parsed = self.library.URL(url)
        names = "scheme username password host port netloc path query fragment"
        return {name: getattr(parsed, name)() for name in names.split()}


class LazrUri(Library):
    module = "lazr.uri"

    def __init__(self):
        super().__init__()
        self.refusals = (self.library.InvalidURIError,)

    def parse(self, url):
        names = "scheme userinfo host port authority path query fragment"
        return attributes(self.library.URI(url), names)

    def resolve(self, base, reference):
        return str(self.library.URI(base).resolve(reference))


class WhatwgUrl(Library):
    module = "whatwg_url"

    def __init__(self):
        super().__init__()
        self.refusals = (self.library.UrlParserError,)

    def parse(self, url):
        names = "scheme username password hostname host port path query fragment"
        return attributes(self.library.parse_url(url), names)

    def resolve(self, base, reference):
        return self.library.urljoin(base, reference)

    def normalize(self, url):
        return self.library.normalize_url(url)


LIBRARIES = {
    "urllib": Urllib,
    "rfc3986": Rfc3986,
    "rfc3987": Rfc3987,
    "uritools": Uritools,
    "hyperlink": Hyperlink,
    "yarl": Yarl,
    "furl": Furl,
    "httpx": Httpx,
    "urllib3": Urllib3,
    "ada-url": AdaUrl,
    "can_ada": CanAda,
    "boltons": Boltons,
    "w3lib": W3lib,
    "pydantic": Pydantic,
    "rfc3986-validator": Rfc3986Validator,
    "pywhatwgurl": Pywhatwgurl,
    "url-normalize": UrlNormalize,
    "werkzeug": Werkzeug,
    "purl": Purl,
    "lazr.uri": LazrUri,
    "python-whatwg-url": WhatwgUrl,
}


#: The libraries that have other functions for IRIs.
LIBRARIES_OF_IRIS = {"rfc3986": Rfc3986Iris, "rfc3987": Rfc3987Iris}


def answer(library: Library, question: dict[str, str]) -> dict[str, Any]:
    operation = question["op"]
    method = getattr(library, operation, None)
    if method is None:
        return {"offered": False}
    texts = [text for field, text in question.items() if field not in ("op", "mode", "spec")]
    try:
        answer_of_library = method(*texts)
    except NotImplementedError:
        return {"offered": False}
    except library.refusals as refusal:
        return {"refused": str(refusal)}
    except Exception as failure:  # noqa: BLE001 - any exception of the library is an answer
        return {"failed": f"{type(failure).__name__}: {failure}"}
    field = {"parse": "accessors", "validate": "valid"}.get(operation, "url")
    return {field: answer_of_library}


def main() -> None:
    name = sys.argv[1]
    library = LIBRARIES[name]()
    library_of_iris = LIBRARIES_OF_IRIS.get(name, LIBRARIES[name])()
    for line in sys.stdin:
        question = json.loads(line)
        asked_library = library_of_iris if question.get("spec") == "rfc3987" else library
        sys.stdout.write(json.dumps(answer(asked_library, question)) + "\n")


main()
