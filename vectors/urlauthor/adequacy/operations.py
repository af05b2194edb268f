"""Faults of the operations normalize, equivalent, decode and recompose, and the suites that notice them.

A fault has a name, and replaces right answers of one operation by wrong ones.  Tables list the faults:

- normalize: a step is left out, moved, or uses a wrong character class;
- equivalent: a rung of the ladder is missing or has another force;
- decode: a part of the view is decoded in another way;
- recompose: a component is lost, changed, or lacks its delimiter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec

from urlauthor.adequacy.suites import Count
from urlharness.corpus import specifications
from urlharness.corpus.model import OPERATION_TIERS, TRIPLET, Binding, Case, Hex, Operation, Vector
from urlharness.corpus.specifications import facts
from urlharness.generate.tiers import cases, parts
from urlharness.jsonio import decoded_as_json
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge
from urloracle import operations, rfcs
from urloracle.errors import InvalidURL
from urloracle.rfc import equivalence
from urloracle.rfc.components import URI
from urloracle.rfc.equivalence import Rung
from urloracle.rfc.recomposition import recompose_authority, recompose_uri
from urloracle.rfc.resolution import remove_dot_segments
from urloracle.specification import Specification, Unsupported

OPERATIONS: tuple[Operation, ...] = ("normalize", "equivalent", "decode", "recompose")

#: The RFCs that define an operation themselves; RFC 2732 uses RFC 2396.
SPECS = tuple(spec for spec, known in specifications.SPECS.items() if known.amends is None)

#: Only every eleventh case of a generated tier is used.
_STRIDE = 11

#: Bindings that leave the answer to the library; vectors with these notice no fault.
_OPEN: Collection[Binding] = ("impl-defined", "unspecified")

#: The field of a reply that contains the answer.
_FIELDS = {"normalize": "url", "recompose": "url", "equivalent": "equal", "decode": "decoded"}
_FEATURES = frozenset(("absent-vs-empty",))

#: The answer of a fault; None is a refusal.
FaultAnswer = str | bool | Mapping[str, Any] | None


class Fault(NamedTuple):
    """A named fault of one operation.  `answer` returns its answer, given the RFC and the question."""

    name: str
    op: Operation
    answer: Callable[[Specification, Vector], FaultAnswer]


class Noticed(NamedTuple):
    """A fault, and the first suite that notices it, or None if no suite does."""

    fault: Fault
    suite: str | None


def operation_faults(spec: str) -> list[Fault]:
    """Return the faults of the operations that an RFC defines."""
    chosen = rfcs.specification(spec)
    found = [*_recomposition_faults(chosen)]
    if chosen.defines("normalize"):
        found += _normalization_faults(spec)
    if chosen.defines("equivalent"):
        found += _equivalence_faults(spec)
    if chosen.defines("decode"):
        found += _decoding_faults()
    return found


def notice(
    spec: str, suites: Mapping[str, Iterable[Case]], sample: int | None = None, seed: int = 1
) -> Iterator[Noticed]:
    """Yield the faults of an RFC, or a sample of them, each with the first suite that notices it."""
    chosen = rfcs.specification(spec)
    asked: dict[tuple[str, str], list[Case]] = {}
    for name, some in suites.items():
        for case in some:
            if case.spec == spec and case.vector.op in OPERATIONS and case.vector.binding not in _OPEN:
                asked.setdefault((name, case.vector.op), []).append(case)
    planted = operation_faults(spec)
    if sample is not None and sample < len(planted):
        planted = Random(f"{seed} {spec}").sample(planted, sample)  # noqa: S311 - not for security
    for fault in planted:
        names = (name for name in suites if _is_noticed(fault, chosen, asked.get((name, fault.op), ())))
        yield Noticed(fault, next(names, None))


def tier_cases(spec: str) -> Iterator[Case]:
    """Yield every eleventh case of the generated tiers that ask one of `OPERATIONS`."""
    for tier, asks in OPERATION_TIERS.items():
        for part in parts(tier) if asks.op in OPERATIONS else ():
            if part.spec == spec:
                yield from islice(cases(part), 0, None, _STRIDE)


def count_noticed(found: Iterable[Noticed], suites: Collection[str]) -> Count:
    """Count the faults whose first suite is one of the given suites.

    A fault that any suite notices counts as live, and every other fault as equivalent.
    """
    names = [one.suite for one in found]
    live = [name for name in names if name is not None]
    return Count(sum(name in suites for name in live), len(live), len(names) - len(live))


def _is_noticed(fault: Fault, spec: Specification, asked: Iterable[Case]) -> bool:
    return any(judge(case, _reply(fault, spec, case.vector), _FEATURES).outcome.failing for case in asked)


def _reply(fault: Fault, spec: Specification, vector: Vector) -> Reply:
    """Return the answer of a fault in the form of an adapter's reply."""
    try:
        answer = fault.answer(spec, vector)
    except (InvalidURL, Unsupported, ValueError):
        answer = None
    if answer is None:
        return Reply(0, "reject")
    return msgspec.convert({"id": 0, "status": "ok", _FIELDS[fault.op]: answer}, Reply)


def _text(value: Any) -> str:
    if isinstance(value, Hex):
        raise ValueError("bytes that are not UTF-8")  # noqa: TRY004 - the error of an invalid text
    return str(value)


# ---- normalize

#: Returns a wrong normal form, given the components of a URL, those of its normal form, and the mode.
_Reform = Callable[[URI, URI, str], URI]

_DATA = ("path", "query", "fragment", "userinfo", "host")


def _normalization(name: str, change: _Reform) -> Fault:
    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        url, mode = _text(vector.url), vector.mode or "syntax"
        right: URI = spec.parse(operations.normalize(url, spec, mode))
        found = change(spec.parse(url), right, mode)
        if found.host is not None:
            authority = recompose_authority(found.userinfo, found.host, found.port)
            found = found._replace(authority=authority)
        return recompose_uri(found)

    return Fault(name, "normalize", answer)


def _kept(component: str) -> _Reform:
    """Return a change that leaves a component as it is in the given URL."""
    return lambda given, right, _: right._replace(**{component: getattr(given, component)})


def _mapped(component: str, change: Callable[[str], str]) -> _Reform:
    """Return a change of one component of the normal form, if it is present."""

    def changed(_given: URI, right: URI, _mode: str) -> URI:
        value = getattr(right, component)
        return right if value is None else right._replace(**{component: change(value)})

    return changed


def _without(component: str, value: str | None) -> _Reform:
    """Return a change that drops a component if it has this value."""
    return lambda _given, right, _mode: (
        _with(right, component, None) if getattr(right, component) == value else right
    )


def _decoding(digits: str) -> Callable[[str], str]:
    """Return a function that decodes the triplets whose two hex digits match a pattern."""
    return lambda text: re.sub(f"%({digits})", lambda found: chr(int(found[1], 16)), text)


def _lower_hex(text: str) -> str:
    return TRIPLET.sub(lambda found: found[0].lower(), text)


def _decoded_late(given: URI, right: URI, _: str) -> URI:
    """Remove dot segments before decoding triplets, not after."""
    if right.scheme is None:
        return right
    return right._replace(path=_decoding("2[Ee]")(remove_dot_segments(given.path)))


def _dots_of_references(_given: URI, right: URI, _: str) -> URI:
    return right if right.scheme is not None else right._replace(path=remove_dot_segments(right.path))


def _excess_kept(given: URI, right: URI, _: str) -> URI:
    excess = re.match(r"(?:/\.\.)+(?=/)", given.path) if right.scheme is not None else None
    return right._replace(path=excess[0] + right.path) if excess else right


def _capitals(given: URI, right: URI, _: str) -> URI:
    """Decode the triplets of a host after folding its case, not before, so that capitals remain."""
    if given.host is None or right.host is None:
        return right
    late = re.sub("%4[1-9A-Fa-f]|%5[0-9Aa]", lambda found: chr(int(found[0][1:], 16)), given.host)
    return right._replace(host=late) if late != given.host else right


def _kept_in_scheme_mode(component: str) -> _Reform:
    return lambda given, right, mode: (
        right._replace(**{component: getattr(given, component)}) if mode == "scheme" else right
    )


def _not_decoded(component: str, octet: str) -> _Reform:
    """Return a change that leaves a component undecoded if it contains a triplet of the pattern `octet`."""

    def changed(given: URI, right: URI, _mode: str) -> URI:
        text = getattr(given, component) or ""
        kept = re.sub(octet, lambda found: found[0].upper(), text)
        return _with(right, component, kept) if right.scheme and re.search(octet, text) else right

    return changed


def _with(uri: URI, component: str, value: str | None) -> URI:
    values: dict[str, Any] = {component: value}
    return uri._replace(**values)


_UNRESERVED_OCTETS = {"letter": "%41", "hyphen": "%2[Dd]", "tilde": "%7[Ee]", "low-line": "%5[Ff]"}

_CHANGES: Mapping[str, _Reform] = {
    **{f"{name}-kept": _kept(name) for name in ("scheme", *_DATA)},
    **{f"{name}-case": _mapped(name, str.lower) for name in _DATA},
    **{f"{name}-lower-hex": _mapped(name, _lower_hex) for name in _DATA},
    **{f"{name}-absent-if-empty": _without(name, "") for name in ("userinfo", "query", "fragment")},
    "port-zeros": _mapped("port", lambda port: port.lstrip("0") or "0" * bool(port)),
    "port-dropped": lambda _given, right, _mode: right._replace(port=None),
    "port-80-of-all": _without("port", "80"),
    "port-kept-by-scheme": _kept_in_scheme_mode("port"),
    "slashes-collapsed": _mapped("path", lambda path: re.sub("//+", "/", path)),
    "final-slash-dropped": _mapped("path", lambda path: re.sub("(?<=.)/$", "", path)),
    "index-dropped": _mapped("path", lambda path: re.sub(r"(?<=/)index\.\w+$", "", path)),
    "query-sorted": _mapped("query", lambda query: "&".join(sorted(query.split("&")))),
    "plus-for-space": _mapped("query", lambda query: query.replace("+", "%20")),
    "final-dot-of-host-dropped": _mapped("host", lambda host: host.removesuffix(".")),
    "www-dropped": _mapped("host", lambda host: host.removeprefix("www.")),
    "path-decoded": _mapped("path", _decoding("2[1-9A-F]|3[AB]")),
    "slash-decoded": _mapped("path", _decoding("2[Ff]")),
    "percent-decoded": _mapped("path", _decoding("25")),
    "query-decoded": _mapped("query", _decoding("26|3[DB]|2B")),
    "tilde-encoded": _mapped("path", lambda path: path.replace("~", "%7E")),
    "marks-encoded": _mapped("path", lambda path: re.sub("[!*'()]", lambda c: f"%{ord(c[0]):02X}", path)),
}

_CHANGES_3986: Mapping[str, _Reform] = {
    "dots-kept": lambda given, right, _: right._replace(path=_decoding("2[EeDd]|7[Ee]|5[Ff]")(given.path)),
    "dots-before-decoding": _decoded_late,
    "dots-of-references-removed": _dots_of_references,
    "excess-kept": _excess_kept,
    "guard-lost": _mapped("path", lambda path: path.removeprefix("/.") if path.startswith("/.//") else path),
    "host-folded-before-decoding": _capitals,
    **{
        f"{name}-{char}-not-decoded": _not_decoded(name, octet)
        for name in ("path", "query")
        for char, octet in _UNRESERVED_OCTETS.items()
    },
    "marks-of-rfc2396-decoded": _mapped("path", _decoding("2[1789A]")),
    "empty-path-kept": lambda given, right, _: right._replace(path="") if not given.path else right,
    "slash-of-all-empty-paths": lambda _given, right, _mode: right._replace(path=right.path or "/"),
    "localhost-dropped-everywhere": lambda _given, right, _mode: (
        right._replace(host="") if right.host == "localhost" else right
    ),
    "localhost-dropped-with-login": lambda _given, right, _mode: (
        right._replace(host="") if right.host == "localhost" and right.scheme == "file" else right
    ),
}


def _normalization_faults(spec: str) -> Iterator[Fault]:
    changes = {**_CHANGES, **(_CHANGES_3986 if facts(spec).removes_dots else {})}
    return (_normalization(f"normalize-{name}", change) for name, change in changes.items())


# ---- equivalent

_LADDERS: Mapping[str, str] = {
    "rfc1738": "LADDER_1738", "rfc2396": "LADDER_2396", "rfc2732": "LADDER_2396", "rfc3986": "LADDER_3986",
}  # fmt: skip

#: Rungs that no RFC has.  Each of them changes both URLs before the comparison.
_FOREIGN: Mapping[str, Callable[[str], str]] = {
    "all-case": str.lower,
    "path-case": lambda url: re.sub("(?<=[^/])/[^/?#].*", lambda found: found[0].lower(), url),
    "all-decoded": lambda url: TRIPLET.sub(lambda found: chr(int(found[0][1:], 16)), url),
    "slashes-collapsed": lambda url: re.sub("(?<=[^:/])//+", "/", url),
    "final-slash": lambda url: url.rstrip("/"),
    "empty-query": lambda url: re.sub(r"\?$", "", url),
    "empty-fragment": lambda url: url.removesuffix("#"),
    "fragment": lambda url: url.partition("#")[0],
    "query": lambda url: url.partition("?")[0],
    "query-order": lambda url: "".join(sorted(url)) if "?" in url else url,
    "plus-for-space": lambda url: url.replace("%20", "+"),
    "userinfo": lambda url: re.sub("//[^/@]*@", "//", url),
    "password": lambda url: re.sub("(//[^/@:]*):[^/@]*@", r"\1@", url),
    "empty-password": lambda url: url.replace(":@", "@"),
    "empty-userinfo": lambda url: url.replace("//@", "//"),
    "port": lambda url: re.sub(r":\d*(?=[/?#]|$)", "", url),
    "final-dot-of-host": lambda url: re.sub(r"\.(?=[/:?#]|$)", "", url, count=1),
    "www": lambda url: url.replace("//www.", "//"),
    "index": lambda url: re.sub(r"index\.\w+$", "", url),
    "parameters": lambda url: re.sub(";[^/?#]*", "", url),
    "scheme": lambda url: url.partition(":")[2],
}


#: Properties of the text of a URL that a library may wrongly compare in addition.
_ASPECTS: Mapping[str, Callable[[str], object]] = {
    "scheme-text": lambda url: url.partition(":")[0],
    "host-text": lambda url: TRIPLET.sub("", re.sub("^.*?//([^/?#@]*@)?|[:/?#].*", "", url)),
    "hex-case": lambda url: [one for one in TRIPLET.findall(url) if one != one.upper()],
    "number-of-escapes": lambda url: len(TRIPLET.findall(url)),
    "escaped-letters": lambda url: len(re.findall("%[46][1-9A-Fa-f]|%[57][0-9Aa]", url)),
    "escaped-marks": lambda url: len(re.findall("%2[DdEe1789Aa]|%5[Ff]|%7[Ee]", url)),
    "number-of-segments": lambda url: url.partition("?")[0].count("/"),
    "port": lambda url: re.findall(r"//[^/?#]*(:\d*)", url),
    "length": len,
}


def _equivalence_faults(spec: str) -> Iterator[Fault]:
    ladder: Sequence[Rung] = getattr(equivalence, _LADDERS[spec])
    for place, rung in enumerate(ladder):
        before, after = ladder[:place], ladder[place + 1 :]
        faults: dict[str, Sequence[Rung]] = {
            "missing": (*before, *after),
            "missing-with-next": (*before, *after[1:]),
            "required": (*before, rung._replace(syntax="must", scheme="must"), *after),
            "required-by-scheme": (*before, rung._replace(scheme="must"), *after),
            "required-by-syntax": (*before, rung._replace(syntax="must"), *after),
            "open": (*before, rung._replace(syntax="may", scheme="may"), *after),
        }
        for name, other in faults.items():
            yield Fault(f"equivalent-{place + 1}-{rung.ruling}-{name}", "equivalent", _comparison(other))
    for name, change in _FOREIGN.items():
        yield Fault(f"equivalent-ignores-{name}", "equivalent", _comparison_of(change))
    for name, aspect in _ASPECTS.items():
        yield Fault(f"equivalent-only-if-same-{name}", "equivalent", _stricter(aspect))
    yield Fault("equivalent-by-text", "equivalent", lambda _, vector: vector.url == vector.other)


def _comparison(ladder: Sequence[Rung]) -> Callable[[Specification, Vector], FaultAnswer]:
    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        one, other, mode = _text(vector.url), _text(vector.other), vector.mode or "syntax"
        normalize = spec.algorithms.normalize
        if normalize is not None:
            compare = rfcs.comparer(ladder, normalize)
            return compare(one, other, mode, spec.rules).equal
        with _ladder_rfc1738(ladder):
            return operations.equivalent(one, other, spec, mode).equal

    return answer


def _comparison_of(change: Callable[[str], str]) -> Callable[[Specification, Vector], FaultAnswer]:
    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        one, other = _text(vector.url), _text(vector.other)
        return _verdict(spec, one, other, vector) or change(one) == change(other)

    return answer


def _stricter(aspect: Callable[[str], object]) -> Callable[[Specification, Vector], FaultAnswer]:
    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        one, other = _text(vector.url), _text(vector.other)
        return _verdict(spec, one, other, vector) and aspect(one) == aspect(other)

    return answer


def _verdict(spec: Specification, one: str, other: str, vector: Vector) -> FaultAnswer:
    return operations.equivalent(one, other, spec, vector.mode or "syntax").equal


@contextmanager
def _ladder_rfc1738(ladder: Sequence[Rung]) -> Iterator[None]:
    before = equivalence.LADDER_1738
    equivalence.LADDER_1738 = tuple(ladder)
    try:
        yield
    finally:
        equivalence.LADDER_1738 = before


# ---- decode

#: By scheme, the parts of a decoded view that are bytes or lists of bytes.
_PARTS: Mapping[str, Sequence[str]] = {
    "ftp": ("user", "password", "cwd", "name"),
    "http": ("segments", "search"),
    "gopher": ("gtype", "selector", "search", "gopher+_string"),
    "mailto": ("address",),
    "news": ("article",),
    "telnet": ("user", "password"),
    "wais": ("database", "search", "wtype", "wpath"),
    "file": ("directories", "name"),
    "prospero": ("hsoname", "fields"),
}
_PORTS = {
    "ftp": "21", "http": "80", "gopher": "70", "nntp": "119", "telnet": "23", "wais": "210",
    "prospero": "1525",
}  # fmt: skip
_LISTS = {"cwd": "name", "directories": "name", "segments": "segments"}


_View = Mapping[str, Any]


def _decoding_fault(name: str, scheme: str, change: Callable[[_View], _View]) -> Fault:
    """Return a fault that replaces some values of the decoded view of one scheme."""

    def answer(_: Specification, vector: Vector) -> FaultAnswer:
        view = operations.decode(_text(vector.url))
        if view["scheme"] == scheme:
            view = {**view, **change(view)}
        return dict(decoded_as_json(view))

    return Fault(f"decode-{scheme}-{name}", "decode", answer)


def _each(change: Callable[[bytes], bytes]) -> Callable[[Any], Any]:
    """Return a function that changes all bytes in a decoded value."""

    def changed(value: Any) -> Any:
        if isinstance(value, bytes):
            return change(value)
        return [changed(one) for one in value] if isinstance(value, (list, tuple)) else value

    return changed


def _twice(value: bytes) -> bytes:
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes.fromhex(found[1].decode()), value)


#: Wrong ways to decode, as changes of correctly decoded bytes.
_OTHER_WAYS: Mapping[str, Callable[[bytes], bytes]] = {
    "twice": _twice,
    "plus-as-space": lambda value: value.replace(b"+", b" "),
    "ends-at-nul": lambda value: value.partition(b"\0")[0],
    "lower-case": bytes.lower,
    "not-decoded": lambda value: re.sub(
        rb"[^A-Za-z0-9$\-_.+!*'(),]", lambda found: b"%%%02X" % ord(found[0]), value
    ),
}


def _decoding_faults() -> Iterator[Fault]:
    for scheme, names in _PARTS.items():
        for name in names:
            changes = {way: _each(change) for way, change in _OTHER_WAYS.items()}
            changes["empty-as-absent"] = lambda value: value or None
            changes["absent-as-empty"] = lambda value: b"" if value is None else value
            for way, change in changes.items():
                yield _decoding_fault(f"{name}-{way}", scheme, _value(name, change))
        for name in set(names) & _LISTS.keys():
            yield _decoding_fault(f"{name}-split-late", scheme, partial(_split_late, name))
            yield _decoding_fault(f"{name}-without-empty", scheme, _value(name, _without_empty))
    for scheme, port in _PORTS.items():
        for other in (*_PORTS.values(), None):
            if other != port:
                yield _decoding_fault(
                    f"default-port-{other}", scheme, _value("default_port", _constant(other))
                )
        yield _decoding_fault(
            "port-filled-in", scheme, lambda view: {"port": view["port"] or view["default_port"]}
        )
        yield _decoding_fault(
            "port-as-number", scheme, _value("port", lambda text: text and text.lstrip("0"))
        )
        yield _decoding_fault("port-lost", scheme, _value("port", _constant(None)))
        yield _decoding_fault("host-lost", scheme, _value("host", _constant(None)))
    for scheme, changes_of_views in _SINGLE.items():
        for name, change_view in changes_of_views.items():
            yield _decoding_fault(name, scheme, change_view)


def _value(name: str, change: Callable[[Any], Any]) -> Callable[[_View], _View]:
    """Return a function that changes one part of a view, and returns a mapping with only this part."""
    return lambda view: {name: change(view[name])}


def _constant(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _without_empty(pieces: list[bytes] | None) -> list[bytes] | None:
    return pieces and [one for one in pieces if one]


def _split_late(name: str, view: _View) -> _View:
    """Split a path at slashes after decoding it, not before."""
    last = _LISTS[name]
    whole = view[name] if last == name else [*view[name], view[last]]
    if not whole or None in whole:
        return {}
    pieces = b"/".join(whole).split(b"/")
    return {name: pieces} if last == name else {name: pieces[:-1], last: pieces[-1]}


def _request(separator: bytes, *names: str) -> Callable[[_View], _View]:
    """Return a function that joins these fields of a gopher view to a request."""

    def change(view: _View) -> _View:
        fields = [view[name] for name in names]
        request = separator.join(field for field in fields if field is not None)
        return {"request": None if view["request"] is None else request}

    return change


def _until(mark: bytes) -> Callable[[bytes | None], bytes | None]:
    """Return a function that cuts off a value at a mark."""
    return lambda value: value and value.partition(mark)[0]


def _segments_until(mark: bytes) -> Callable[[list[bytes] | None], list[bytes] | None]:
    return lambda pieces: pieces and [one.partition(mark)[0] for one in pieces]


def _type_in_name(view: _View) -> _View:
    return {"name": b"%s;type=%s" % (view["name"], view["typecode"].encode())} if view["typecode"] else {}


def _name_as_directory(view: _View) -> _View:
    return {"cwd": [*view["cwd"], view["name"] or b""], "name": b""}


def _first_directory_lost(view: _View) -> _View:
    first, *others = view["directories"] or [None]
    return {"directories": others} if first == b"" else {}


#: Further faults, each for one scheme.
_SINGLE: Mapping[str, Mapping[str, Callable[[_View], _View]]] = {
    "ftp": {
        "typecode-dropped": _value("typecode", _constant(None)),
        "typecode-default": _value("typecode", lambda code: code or "i"),
        "typecode-in-name": _type_in_name,
        "root-added": _value("cwd", lambda cwd: [b"", *cwd]),
        "name-is-directory": _name_as_directory,
        "anonymous": _value("user", lambda user: b"anonymous" if user is None else user),
    },
    "http": {
        "slash-filled-in": _value("segments", lambda pieces: pieces or [b""]),
        "search-split": _value("segments", _segments_until(b"?")),
        "parameters-dropped": _value("segments", _segments_until(b";")),
        "dots-removed": _value(
            "segments", lambda pieces: [one for one in pieces or () if one != b".."] or None
        ),
    },
    "gopher": {
        "type-in-selector": lambda view: {"selector": view["gtype"] + view["selector"]},
        "type-0-for-1": _value("gtype", lambda kind: b"0" if kind == b"1" else kind),
        "query-is-search": _value("selector", _until(b"?")),
        "request-without-search": _request(b"\t", "selector"),
        "request-without-string": _request(b"\t", "selector", "search"),
        "request-with-type": _request(b"", "gtype", "request"),
        "request-with-question-mark": _request(b"?", "selector", "search", "gopher+_string"),
        "request-without-empty": _value("request", lambda line: line and re.sub(b"\t\t+", b"\t", line)),
    },
    "mailto": {"headers-dropped": _value("address", _until(b"?"))},
    "news": {
        "star-is-group": lambda view: {"group": view["group"] or view["grouppart"], "grouppart": None},
        "article-is-group": lambda view: {"group": view["group"] or view["article"], "article": None},
        "article-without-host": _value("article", _until(b"@")),
    },
    "nntp": {
        "number-without-zeros": _value("digits", lambda digits: digits and digits.lstrip("0")),
        "number-lost": _value("digits", _constant(None)),
        "group-lost": _value("group", _constant(None)),
    },
    "file": {
        "always-local": _value("local", _constant(value=True)),
        "never-local": _value("local", _constant(value=False)),
        "localhost-not-local": lambda view: {"local": view["host"] == ""},
        "localhost-in-one-case": lambda view: {"local": view["host"] in ("", "localhost")},
        "localhost-by-part": lambda view: {"local": not view["host"] or "localhost" in view["host"].lower()},
        "host-lost": _value("host", _constant("")),
        "localhost-lost": lambda view: {"host": "" if view["local"] else view["host"]},
        "first-empty-directory-lost": _first_directory_lost,
    },
    "prospero": {
        "fields-lost": _value("fields", _constant(None)),
        "fields-sorted": _value("fields", lambda fields: fields and sorted(fields)),
        "one-field": _value("fields", lambda fields: fields and fields[:1]),
        "no-fields-as-list": _value("fields", lambda fields: fields or []),
    },
}


# ---- recompose

#: The delimiters before and after each component.
_DELIMITERS: Mapping[str, tuple[str, str]] = {
    "scheme": ("", ":"), "authority": ("//", ""), "path": ("", ""), "query": ("?", ""), "fragment": ("#", ""),
}  # fmt: skip
_DELIMITERS_1808 = {
    "scheme": ("", ":"), "net_loc": ("//", ""), "path": ("", ""), "params": (";", ""), "query": ("?", ""),
    "fragment": ("#", ""),
}  # fmt: skip
_DELIMITERS_1738 = {
    "scheme": ("", ":"), "user": ("", "@"), "password": (":", ""), "host": ("//", ""),
    "port": (":", ""), "hpath": ("/", ""), "fpath": ("/", ""), "search": ("?", ""),
    "ftptype": (";type=", ""), "gtype": ("/", ""), "selector": ("", ""),
    "gopher+_string": ("%09", ""), "group": ("/", ""), "digits": ("/", ""), "database": ("/", ""),
    "wtype": ("/", ""), "wpath": ("/", ""), "ppath": ("/", ""), "fieldspecs": ("", ""),
    "schemepart": ("", ""), "encoded822addr": ("", ""), "article": ("", ""), "grouppart": ("", ""),
}  # fmt: skip

#: If a component is lost, these components are lost with it.
_LOST = {"authority": ("authority", "userinfo", "host", "port")}

_MARK = "\0"

#: A function from the value of a component (a text, None, or a list of fields) to a wrong one.
_Rewrite = Callable[[Any], Any]


def _recomposition_faults(spec: Specification) -> Iterator[Fault]:
    known = facts(spec.id)
    delimiters = _DELIMITERS_1808 if known.params else _DELIMITERS
    if known.by_scheme:
        delimiters = _DELIMITERS_1738
    for name, (before, behind) in delimiters.items():
        yield _recomposition(f"{name}-lost", _LOST.get(name, (name,)), _constant(None))
        for way, change in _REWRITES.items():
            if way != "absent-as-empty" or name not in ("scheme", "path"):
                yield _recomposition(f"{name}-{way}", (name,), change)
        if before or behind:
            answer = partial(_without_delimiter, name, before, behind)
            yield Fault(f"recompose-{name}-without-delimiter", "recompose", answer)


def _text_only(change: Callable[[str], str]) -> _Rewrite:
    return lambda value: change(value) if isinstance(value, str) else value


_REWRITES: Mapping[str, _Rewrite] = {
    "decoded": _text_only(_decoding("[2-7][0-9A-Fa-f]")),
    "lower-case": _text_only(str.lower),
    "empty-as-absent": lambda value: value or None,
    "absent-as-empty": lambda value: "" if value is None else value,
    "zero-as-absent": lambda value: None if value == "0" else value,
}


def _recomposition(name: str, components: Collection[str], change: _Rewrite) -> Fault:
    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        parts = _components(vector)
        return operations.recompose(
            parts | {one: change(parts[one]) for one in components if one in parts}, spec
        )

    return Fault(f"recompose-{name}", "recompose", answer)


def _without_delimiter(
    name: str, before: str, behind: str, spec: Specification, vector: Vector
) -> FaultAnswer:
    parts = _components(vector)
    if not isinstance(parts.get(name), str):
        return operations.recompose(parts, spec)
    marked = operations.recompose(parts | {name: f"{_MARK}{parts[name]}{_MARK}"}, spec)
    bare = marked.replace(f"{before}{_MARK}", _MARK).replace(f"{_MARK}{behind}", _MARK)
    return bare.replace(_MARK, "")


def _components(vector: Vector) -> dict[str, Any]:
    return dict(vector.components or {})
