"""The public operations on texts.

The parameter `spec` is an identifier such as `"rfc3986"`, or a `Specification`.  All functions raise
`InvalidURL` for an invalid text, `Unsupported` for an operation that the RFC does not define, and
`UnknownSpecification` or `UnknownRule` for an unknown name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, overload

from urloracle import native
from urloracle.errors import InvalidURL, Unsupported, check_texts
from urloracle.grammar.expression import Reference
from urloracle.readers import Reader
from urloracle.readings import other_specifications
from urloracle.rfc import base as base_module
from urloracle.rfc import decoding
from urloracle.rfc.admission import Admission
from urloracle.rfc.base import Base, Layers
from urloracle.rfc.components import URI, RelativeURL
from urloracle.rfc.decoding import Decoding
from urloracle.rfc.equivalence import ComparisonMode, Equivalence
from urloracle.rfc.extraction import Extract
from urloracle.rfc.mapping import EncodedCharacter, Forms, characters, examined, query_in
from urloracle.rfc.normalization import MODES, Mode, NormalForms
from urloracle.rfc.normalization import normal_forms as admitted_forms
from urloracle.rfc.resolution import Resolution
from urloracle.rfc.schemes import SchemeURL
from urloracle.rfcs import RFC1808, specification
from urloracle.specification import Profile, Specification

#: The reader of each specification that was asked, by the specification or its identifier.
_READERS: dict[str | Specification, Reader] = {}
_ENTRANCE = native.Entrance()


def _open_reader(spec: str | Specification) -> Reader:
    """Return the reader of a specification, and remember it, so that later texts find it at once."""
    reader = specification(spec).reader
    _READERS[spec] = reader
    _ENTRANCE.register(spec, reader)
    return reader


@_ENTRANCE.enters("accepts")
def validate(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> None:
    """Raise InvalidURL if the rule of the RFC does not derive the text.

    The default rule is `url` for RFC 1738, `URL` for RFC 1808, `IRI-reference` for RFC 3987, and
    `URI-reference` for the others.

    >>> validate("http://a:80/", "rfc1738")
    >>> validate("192.0.2.256", "rfc3986", "IPv4address")
    Traceback (most recent call last):
    ...
    urloracle.errors.InvalidURL: not a valid IPv4address of RFC 3986: '6' at offset 10; ...
      192.0.2.256
                ^
    """
    if rule is None and profile is None:
        reader = _READERS.get(spec) or _open_reader(spec)
        if reader.accepts(text):
            return
        raise specification(spec).refusal(text)
    problem = specification(spec).problem(text, rule, profile)
    if problem is not None:
        raise problem


@overload
def parse(
    text: str,
    spec: Literal["rfc2396", "rfc2732", "rfc3986", "rfc3987"],
    rule: str | None = None,
    profile: Profile | None = None,
) -> URI: ...


@overload
def parse(
    text: str, spec: Literal["rfc1808"], rule: str | None = None, profile: Profile | None = None
) -> RelativeURL: ...


@overload
def parse(
    text: str, spec: Literal["rfc1738"], rule: str | None = None, profile: Profile | None = None
) -> SchemeURL: ...


@overload
def parse(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Any: ...


@_ENTRANCE.enters("read")
def parse(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Any:
    """Return the components of a valid text as a named tuple: None means absent, "" means empty (G-09).

    The tuple is a `RelativeURL` for RFC 1808 and a `URI` for the later RFCs.  For RFC 1738 each scheme has
    its own type of tuple.

    >>> parse("http://a/b;c?d", "rfc1808")
    RelativeURL(scheme='http', net_loc='a', path='/b', params='c', query='d', fragment=None)
    >>> parse("http://a/b;c?d", "rfc3986").path
    '/b;c'
    """
    if rule is not None or profile is not None:
        return specification(spec).parse(text, rule, profile)
    reader = _READERS.get(spec) or _open_reader(spec)
    try:
        parts = reader.read(text)
    except TypeError:
        check_texts(text)
        raise
    if parts is None:
        raise specification(spec).refusal(text)
    return parts


@_ENTRANCE.enters("view")
def view(text: str, spec: str | Specification) -> Any:
    """Return a view of the components of a valid text: an object with the attributes of the tuple of `parse`.

    A view stores the text, and computes a component each time that it is read.  With the C engine, if you
    read few components of many texts, it takes less time and memory than `parse`.  Its method `astuple`
    returns that tuple.

    >>> view("http://a/b?c", "rfc3986").host
    'a'
    """
    reader = _READERS.get(spec) or _open_reader(spec)
    try:
        components = reader.view(text)
    except TypeError:
        check_texts(text)
        raise
    if components is None:
        raise specification(spec).refusal(text)
    return components


@_ENTRANCE.enters("resolve")
def resolve(base: str, reference: str, spec: str | Specification) -> Resolution:
    """Resolve a reference: return the recommended text, and in `also` the other admissible results.

    RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2, RFC 3987 section 6.5.  Raise InvalidURL if
    the reference or the base is invalid, if the base is relative, or if the base is opaque and the reference
    needs its path.

    >>> resolve("http://a/b/c/d;p?q", "../../../g", "rfc3986").text
    'http://a/g'
    >>> resolve("http://a/b/c/d;p?q", "../../../g", "rfc2396").also[0]
    Alternative(text='http://a/g', variant='excess-dropped', ruling='R-2396-18')
    """
    reader = _READERS.get(spec) or _open_reader(spec)
    try:
        return reader.resolve(base, reference)
    except TypeError:
        check_texts(base, reference)
        raise


def resolutions(base: str, reference: str, spec: str | Specification) -> Resolution:
    """Return the result of `resolve`, and add to `also` the results of refusing or normalizing the base.

    Only RFC 3986 has such results.  Section 5.1 demands a base without a fragment, and section 5.2.1 makes
    the normalization of the base optional.

    >>> [other.text for other in resolutions("http://a:80/b/..", "g", "rfc3986").also]
    ['http://a:80/g', 'http://a/g']
    """
    return specification(spec).resolve_all(base, reference)


def recompose(components: Mapping[str, Any], spec: str | Specification) -> str:
    """Return the text with the given components; `components` maps the RFC's names to texts.

    A component is absent if its value is None or missing.  The algorithms are RFC 1808 section 4 step 7,
    RFC 2396 section 5.2 step 7 and RFC 3986 section 5.3.  RFC 1738 has no algorithm, so its production of
    the scheme is used.  Raise ValueError if the RFC does not define one of the components, or if the
    production derives no text with exactly these components.

    >>> recompose({"scheme": "http", "authority": "a", "path": "", "query": ""}, "rfc3986")
    'http://a?'
    """
    return recompositions(components, spec)[0]


def recompositions(components: Mapping[str, Any], spec: str | Specification) -> list[str]:
    """Return every admissible text with the given components, the result of `recompose` first.

    >>> recompositions({"scheme": "telnet", "host": "a"}, "rfc1738")
    ['telnet://a/', 'telnet://a']
    """
    rfc = specification(spec)
    return rfc.algorithms.recompose(components, rfc.languages)


def normalize(text: str, spec: str | Specification, mode: Mode = "syntax") -> str:
    """Return the normal form of a text.  Equivalent texts have the same normal form.

    Under RFC 3986, mode `syntax` applies section 6.2.2, and mode `scheme` also applies section 6.2.3.  Under
    RFC 3987, these are the sections 5.3.2 and 5.3.3.  Under RFC 2396 section 6, mode `syntax` lowers the case
    of scheme and host, and mode `scheme` also removes the default port.

    >>> normalize("HTTP://EXAMPLE.com:80/%7ea/../b", "rfc3986")
    'http://example.com:80/b'
    >>> normalize("HTTP://EXAMPLE.com:80/%7ea/../b", "rfc3986", "scheme")
    'http://example.com/b'
    """
    rfc = specification(spec)
    if rfc.algorithms.normalize is None:
        raise rfc.unsupported("normalize")
    _check_mode(mode)
    return rfc.algorithms.normalize(parse(text, rfc), mode, rfc.grammar)


def normal_forms(text: str, spec: str | Specification, mode: Mode = "syntax") -> NormalForms:
    """Return the result of `normalize`, and the other normal forms that the RFC admits, with their rulings.

    >>> normal_forms("ftp://a:21/", "rfc3986", "scheme").also
    (Alternative(text='ftp://a:21/', variant='port-kept', ruling='R-3986-32'),)
    """
    rfc = specification(spec)
    if rfc.algorithms.normal_forms is not None:
        _check_mode(mode)
        return rfc.algorithms.normal_forms(parse(text, rfc), mode, rfc.rules)
    form = parse(normalize(text, rfc, mode), rfc)
    assert rfc.algorithms.variants is not None  # set together with `normalize`
    unreserved = rfc.grammar.character_class(Reference("unreserved")) or frozenset()
    variants = rfc.algorithms.variants(form, parse(text, rfc), mode, unreserved)
    return admitted_forms(form, variants)


def equivalent(
    one: str, other: str, spec: str | Specification, mode: ComparisonMode = "syntax"
) -> Equivalence:
    """Compare two URLs: return the verdict, the other admissible verdicts, and the components that differ.

    Mode `syntax` applies RFC 3986 section 6.2.2, RFC 2396 section 6 without knowledge of schemes, or RFC 1738
    sections 2.1 and 2.2.  Mode `scheme` also applies RFC 3986 section 6.2.3, and removes default ports under
    the other RFCs.  Fragments are compared, too; RFC 1738 has none.  Under RFC 3987, the modes apply sections
    5.3.2 and 5.3.3, and mode `simple` compares the characters of the texts (section 5.3.1).

    Raise InvalidURL if a text is invalid or a relative reference.  Raise Unsupported if the RFC is 1808,
    which does not define equivalence.

    >>> equivalent("http://a/%7Eb", "HTTP://a/~b", "rfc3986").equal
    True
    """
    rfc = specification(spec)
    if rfc.algorithms.compare is None:
        raise rfc.unsupported("equivalent")
    if mode == "simple":
        if rfc.algorithms.compare_simply is None:
            raise _unknown_mode(mode)
        return rfc.algorithms.compare_simply(one, other, rfc.rules)
    _check_mode(mode)
    return rfc.algorithms.compare(one, other, mode, rfc.rules)


def to_uri(iri: str, spec: str | Specification = "rfc3987", rule: str | None = None) -> str:
    """Return the URI to which an IRI or a reference maps (RFC 3987, section 3.1).

    With a rule such as `ifragment`, the text is a component.  Raise InvalidURL if the rule does not derive
    the text, and Unsupported if the RFC defines no such mapping.

    >>> to_uri("http://r\u00e9sum\u00e9.example.org/\U00010300")
    'http://r%C3%A9sum%C3%A9.example.org/%F0%90%8C%80'
    """
    text = uri_forms(iri, spec, rule).text
    if text is None:
        raise specification(spec).refusal(iri, rule)
    return text


def uri_forms(iri: str, spec: str | Specification = "rfc3987", rule: str | None = None) -> Forms:
    """Return the result of `to_uri`, and the other URIs that the RFC admits, with their rulings.

    The text of the result is None if the recommended answer is to refuse the IRI.

    >>> [form.text for form in uri_forms("http://\u00e9.org").also]
    ['http://%c3%a9.org', 'http://xn--9ca.org']
    """
    rfc = specification(spec)
    if rfc.algorithms.to_uri is None:
        raise rfc.unsupported("to_uri")
    check_texts(iri)
    return rfc.algorithms.to_uri(iri, rfc.grammar.canonical_name(rule or rfc.default_rule), rfc.rules)


def to_iri(uri: str, spec: str | Specification = "rfc3987", rule: str | None = None) -> str:
    r"""Return the IRI to which a URI or a reference is converted (RFC 3987, section 3.2).

    It maps back to the URI, except for the case of triplets and for unreserved characters (R-3987-13).
    With a rule such as `ifragment`, the text is a component.  Raise InvalidURL if the rule does not derive
    the text or if it has characters beyond ASCII, and Unsupported if the RFC defines no such conversion.

    >>> to_iri("http://xn--99zt52a.example.org/D%C3%BCrst%FC%e2%80%ae")
    'http://xn--99zt52a.example.org/D\xfcrst%FC%E2%80%AE'
    """
    text = iri_forms(uri, spec, rule).text
    if text is None:
        raise refusal_of_uri(uri, specification(spec), rule)
    return text


def iri_forms(uri: str, spec: str | Specification = "rfc3987", rule: str | None = None) -> Forms:
    """Return the result of `to_iri`, and the other IRIs that the RFC admits, with their rulings.

    The text of the result is None if the recommended answer is to refuse the URI.

    >>> [form.text for form in iri_forms("http://a/?%EE%80%80").also]
    ['http://a/?%EE%80%80']
    """
    rfc = specification(spec)
    if rfc.algorithms.to_iri is None:
        raise rfc.unsupported("to_iri")
    check_texts(uri)
    return rfc.algorithms.to_iri(uri, rfc.grammar.canonical_name(rule or rfc.default_rule), rfc.rules)


def admission_of_uri(
    iri: str, answer: str | None, spec: str | Specification = "rfc3987", rule: str | None = None
) -> Admission:
    """Return whether an answer to `to_uri` is admitted, with the reason; None stands for a refusal.

    More answers are admitted than `uri_forms` lists, such as hosts by other versions of IDNA.  Raise
    Unsupported if the RFC defines no such mapping.

    >>> admission_of_uri("http://fa\u00df.de/", "http://xn--fa-hia.de/").rulings
    ('R-3987-19', 'R-3987-20')
    """
    rfc = specification(spec)
    if rfc.algorithms.admission_of_uri is None:
        raise rfc.unsupported("to_uri")
    check_texts(iri, "" if answer is None else answer)
    name = rfc.grammar.canonical_name(rule or rfc.default_rule)
    return rfc.algorithms.admission_of_uri(iri, answer, name, rfc.rules)


def admission_of_iri(
    uri: str, answer: str | None, spec: str | Specification = "rfc3987", rule: str | None = None
) -> Admission:
    """Return whether an answer to `to_iri` is admitted, with the reason; None stands for a refusal.

    More answers are admitted than `iri_forms` lists, because characters against which the RFC advises may
    stay encoded, each on its own (R-3987-08).  Raise Unsupported if the RFC defines no such conversion.

    >>> admission_of_iri("/%C3%A9%E3%80%80", "/\u00e9%E3%80%80").rulings
    ('R-3987-08',)
    >>> admission_of_iri("/%C3%A9", "/%C3%A9").reason
    '%C3%A9 at offset 1 must be decoded'
    """
    rfc = specification(spec)
    if rfc.algorithms.admission_of_iri is None:
        raise rfc.unsupported("to_iri")
    check_texts(uri, "" if answer is None else answer)
    name = rfc.grammar.canonical_name(rule or rfc.default_rule)
    return rfc.algorithms.admission_of_iri(uri, answer, name, rfc.rules)


def rulings_on_further_uris(
    iri: str, spec: str | Specification = "rfc3987", rule: str | None = None
) -> tuple[str, ...]:
    """Return the rulings by which answers to `to_uri` are admitted that `uri_forms` does not list.

    Raise Unsupported if the RFC defines no such mapping.

    >>> rulings_on_further_uris("http://fa\u00df.de/")
    ('R-3987-20',)
    """
    rfc = specification(spec)
    if rfc.algorithms.further_uris is None:
        raise rfc.unsupported("to_uri")
    check_texts(iri)
    return rfc.algorithms.further_uris(iri, rfc.grammar.canonical_name(rule or rfc.default_rule), rfc.rules)


def examined_triplets(
    uri: str, spec: str | Specification = "rfc3987", rule: str | None = None
) -> list[EncodedCharacter]:
    """Return the triplets of a URI, character by character, each with what `to_iri` does to it.

    The reason is "decoded", or why the triplets stay.  Raise InvalidURL as `to_iri` does.

    >>> [(encoded.written, encoded.reason) for encoded in examined_triplets("/%C3%A9%2f%FC")]
    [('%C3%A9', 'decoded'), ('%2f', 'reserved'), ('%FC', 'no-utf-8')]
    """
    rfc = specification(spec)
    if rfc.algorithms.to_iri is None:
        raise rfc.unsupported("to_iri")
    name = rule or rfc.default_rule
    if rfc.problem(uri, name) is not None or not uri.isascii():
        raise refusal_of_uri(uri, rfc, rule)
    query = query_in(uri, name, is_whole=name.lower() in rfc.whole)
    return list(examined(uri, characters(rfc.grammar), query))


def refusal_of_uri(uri: str, rfc: Specification, rule: str | None = None) -> InvalidURL:
    """Return the error with which `to_iri` refuses a text that is no URI.

    It is that of the rule, or about the first character beyond ASCII.
    """
    problem = rfc.problem(uri, rule)
    if problem is not None:
        return problem
    name = rfc.grammar.canonical_name(rule or rfc.default_rule)
    position = next(offset for offset, char in enumerate(uri) if not char.isascii())
    reason = (
        f"U+{ord(uri[position]):04X} at offset {position}: a URI has only characters of ASCII (section 3.2)"
    )
    return InvalidURL(uri, rfc.id, name, position, rules=(name,), section="3.2", reason=reason)


def extract(text: str, spec: str | Specification) -> list[Extract]:
    r"""Return the URLs in running text, in order, each with its span, delimiters and admissible readings.

    RFC 1738 appendix, RFC 2396 appendix E, RFC 3986 appendix C.  White space inside delimiters is removed.
    A hyphen before a line break has two readings.  Relative references are not extracted.  Raise Unsupported
    if the RFC is 1808, because it only defines URLs in the Base header (see `base_header`).

    >>> [url.readings[0].text for url in extract("see <http://a/\n b> and \"http://c/\".", "rfc3986")]
    ['http://a/b', 'http://c/']
    """
    rfc = specification(spec)
    if rfc.algorithms.extract is None:
        raise rfc.unsupported("extract")
    return rfc.algorithms.extract(text, rfc.rules)


def base_url(
    spec: str | Specification,
    *,
    embedded: str | None = None,
    encapsulating: str | None = None,
    retrieval: str | None = None,
    default: str | None = None,
) -> Base:
    """Return the base URL of the innermost layer that has one, the layer, and the section of the RFC.

    RFC 1808 section 3, RFC 2396 section 5.1, RFC 3986 section 5.1.  Pass None for a layer without a base.
    If no layer has a base, `url` is None.  Under RFC 1808 it is "" instead, which is the only default that
    this RFC permits, and the argument `default` is ignored.

    Raise Unsupported if the RFC is 1738.  Raise InvalidURL if a base is invalid or relative.  Under
    RFC 3986, a base may be relative if a layer around it has an absolute base.

    >>> base_url("rfc3986", encapsulating="http://a/", retrieval="http://b/")
    Base(url='http://a/', source='encapsulating', section='5.1.2', also=())
    """
    rfc = specification(spec)
    if rfc.algorithms.base is None:
        raise rfc.unsupported("base")
    return rfc.algorithms.base(Layers(embedded, encapsulating, retrieval, default), rfc.rules)


def base_header(text: str) -> str:
    r"""Return the URL of a header field `Base: <URL:…>`, folded or not (RFC 1808 section 3.1, R-1808-26).

    Raise InvalidURL if the field is invalid; its `position` is an offset in `text`.

    >>> base_header("Base: <URL:http://a/\r\n b>")
    'http://a/b'
    """
    return base_module.base_header(text, RFC1808.languages, RFC1808.problem)


def decode(url: str) -> dict[str, Any]:
    """Return the decoded parts of a URL of RFC 1738, as the section of its scheme defines them.

    Each result contains `scheme` and, if the scheme has them, `host`, `port` and `default_port` as text,
    `user` and `password`.  Decoded parts are bytes, and absent parts are None:

        ftp       cwd (a list), name, typecode                                          (section 3.2.2)
        http      segments (a list, None without a slash), search                       (3.3)
        gopher    gtype, selector, search, gopher+_string, request (None if none can be sent)   (3.4)
        mailto    address                                                               (3.5)
        news      group, article, grouppart ("*"): exactly one of them                  (3.6)
        nntp      group, digits                                                         (3.7)
        wais      database, search, wtype, wpath                                        (3.9)
        file      local, directories (a list), name                                     (3.10)
        prospero  hsoname, fields (name and value pairs, None if there are none)        (3.11)

    Raise InvalidURL if the URL is invalid, and Unsupported if its scheme is not in the table.

    >>> decode("ftp://a/%2Fetc/motd;type=a")["cwd"]
    [b'/etc']
    """
    return full_decoding(url).view


def full_decoding(url: str) -> Decoding:
    """Return the result of `decode`, and the other answers that RFC 1738 admits, with their rulings.

    Raise InvalidURL and Unsupported as `decode` does.
    """
    decoded = decoding.full_decoding(parse(url, "rfc1738"))
    if decoded is None:
        scheme = url.partition(":")[0]
        raise Unsupported(f"RFC 1738 does not define the parts of {scheme}")
    return decoded


@cache
def prepare(spec: str | Specification) -> None:
    """Compile what the answers of an RFC need, which otherwise happens when a text first needs it.

    This function is for property tests, which must not measure the time of the compilation in an example.
    Nothing else needs it: the answers are the same.
    """
    registered = specification(spec)
    _compile_automata(registered)
    _compile_patterns(registered)


def _compile_automata(spec: Specification) -> None:
    """Compile the automata that judge whole URLs, by the rules of the RFC and by other readings of them."""
    for read_as in (spec, *other_specifications(spec)):
        for rule in (*spec.schemes.values(), spec.unknown_scheme or spec.default_rule):
            read_as.languages[rule].compile()
    if spec.absolute is not None:
        spec.languages[spec.absolute].compile()
    spec.automaton(spec.default_rule)


def _compile_patterns(spec: Specification) -> None:
    """Compile the patterns that split whole URLs.  The C engine, too, needs them for unusual texts."""
    spec.read("")
    split = spec.algorithms.reader(spec.rules)
    for scheme in ("", *spec.schemes):
        split(f"{scheme}:")  # makes the pattern of the scheme
    if spec.algorithms.resolver is not None:
        spec.algorithms.resolver(spec.rules)  # makes a pattern without the parts of the authority
    for pattern in spec.languages.splits.values():
        pattern.compile()


def _check_mode(mode: str) -> None:
    if mode not in MODES:
        raise _unknown_mode(mode)


def _unknown_mode(mode: str) -> ValueError:
    return ValueError(f"no mode {mode!r}; there are {', '.join(MODES)}")
