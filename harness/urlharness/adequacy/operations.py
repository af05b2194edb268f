"""Faults of the operations that change or compare URLs, and the suites that notice them.

A fault has a name, and replaces right answers of one operation by wrong ones.  Tables list the faults:

- normalize: a step is left out, moved, or uses a wrong character class;
- equivalent: a rung of the ladder is missing or has another force;
- decode: a part of the view is decoded in another way;
- recompose: a component is lost or changed, or its delimiter is missing;
- to_uri, to_iri: see `urlharness.adequacy.faults.mapping`.
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

from urlharness.adequacy.faults import mapping
from urlharness.adequacy.faults.fault import Fault, FaultAnswer, url_text
from urlharness.adequacy.suites import Count
from urlharness.corpus.model import OPERATION_TIERS, TRIPLET, Binding, Case, Operation, Vector
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

OPERATIONS: tuple[Operation, ...] = ("normalize", "equivalent", "decode", "recompose", "to_uri", "to_iri")

#: Only every eleventh case of a generated tier is used.
_STRIDE = 11

#: Bindings that leave the answer to the library; vectors with these notice no fault.
_OPEN: Collection[Binding] = ("impl-defined", "unspecified")

#: The field of a reply that contains the answer.
_FIELDS = {"equivalent": "equal", "decode": "decoded"} | dict.fromkeys(
    ("normalize", "recompose", "to_uri", "to_iri"), "url"
)
_FEATURES = frozenset(("absent-vs-empty",))


class Noticed(NamedTuple):
    """A fault, and the first suite that notices it, or None if no suite does."""

    fault: Fault
    suite: str | None


def has_own_operations(spec: str) -> bool:
    """Return False if an RFC takes its operations from the RFC that it amends."""
    return facts(spec).amends is None


def operation_faults(spec: str) -> list[Fault]:
    """Return the faults of the operations that an RFC defines."""
    specification = rfcs.specification(spec)
    faults = [*_recomposition_faults(spec)]
    if specification.defines("normalize"):
        faults += _normalization_faults(spec)
    if specification.defines("equivalent"):
        faults += _equivalence_faults(spec)
    if specification.defines("decode"):
        faults += _decoding_faults()
    if specification.defines("to_uri"):
        faults += mapping.mapping_faults()
    return faults


def examine_faults(
    spec: str, suites: Mapping[str, Iterable[Case]], sample: int | None = None, seed: int = 1
) -> Iterator[Noticed]:
    """Yield the faults of an RFC, or a sample of them, each with the first suite that notices it."""
    specification = rfcs.specification(spec)
    questions: dict[tuple[str, str], list[Case]] = {}
    for suite, cases_of_suite in suites.items():
        for case in cases_of_suite:
            op = case.vector.op
            if case.spec == spec and op in OPERATIONS and case.vector.binding not in _OPEN:
                questions.setdefault((suite, op), []).append(case)
    faults = operation_faults(spec)
    if sample is not None and sample < len(faults):
        faults = Random(f"{seed} {spec}").sample(faults, sample)  # noqa: S311 - not for security
    for fault in faults:
        first_suite = None
        for suite in suites:
            if _is_noticed(fault, specification, questions.get((suite, fault.op), ())):
                first_suite = suite
                break
        yield Noticed(fault, first_suite)


def tier_cases(spec: str) -> Iterator[Case]:
    """Yield every eleventh case of the generated tiers that ask one of `OPERATIONS`.

    No tier asks for a mapping, so its questions are those of `mapping.questions`.
    """
    tiers = [tier for tier, question in OPERATION_TIERS.items() if question.op in OPERATIONS]
    for tier in tiers:
        for part in parts(tier):
            if part.spec == spec:
                yield from islice(cases(part), 0, None, _STRIDE)
    rfc = rfcs.specification(spec)
    if rfc.defines("to_uri"):
        yield from mapping.questions(rfc)


def count_noticed(faults: Iterable[Noticed], suites: Collection[str]) -> Count:
    """Count the faults whose first suite is one of the given suites.

    A fault that any suite notices counts as live, and every other fault as equivalent.
    """
    noticing = [fault.suite for fault in faults]
    live = [suite for suite in noticing if suite is not None]
    killed = sum(suite in suites for suite in live)
    return Count(killed, len(live), len(noticing) - len(live))


def _is_noticed(fault: Fault, spec: Specification, questions: Iterable[Case]) -> bool:
    """Return True if the answer of a fault to some question is wrong."""
    for case in questions:
        reply = _reply(fault, spec, case.vector)
        if judge(case, reply, _FEATURES).outcome.failing:
            return True
    return False


def _reply(fault: Fault, spec: Specification, vector: Vector) -> Reply:
    """Return the answer of a fault in the form of an adapter's reply."""
    try:
        answer = fault.answer(spec, vector)
    except (InvalidURL, Unsupported, ValueError):
        answer = None
    if answer is None:
        return Reply(0, "reject")
    return msgspec.convert({"id": 0, "status": "ok", _FIELDS[fault.op]: answer}, Reply)


# ---- normalize

#: Returns a wrong normal form, given the components of a URL, those of its normal form, and the mode.
_Reform = Callable[[URI, URI, str], URI]

_DATA = ("path", "query", "fragment", "userinfo", "host")


def _normalization(name: str, reform: _Reform) -> Fault:
    """Return a fault that gives a wrong normal form; an authority is made of its changed parts.

    If `reform` leaves a URL no host, its authority stays as `reform` returns it.
    """

    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        url = url_text(vector.url)
        mode = vector.normalization_mode
        normal: URI = spec.parse(operations.normalize(url, spec, mode))
        wrong = reform(spec.parse(url), normal, mode)
        if wrong.host is not None:
            authority = recompose_authority(wrong.userinfo, wrong.host, wrong.port)
            wrong = wrong._replace(authority=authority)
        return recompose_uri(wrong)

    return Fault(name, "normalize", answer)


def _with_component(uri: URI, component: str, text: str | None) -> URI:
    changed: dict[str, Any] = {component: text}
    return uri._replace(**changed)


def _keep_component(component: str) -> _Reform:
    """Return a change that leaves a component as it is in the original URL."""
    return lambda original, normal, _mode: _with_component(normal, component, getattr(original, component))


def _keep_in_scheme_mode(component: str) -> _Reform:
    """Return a change like that of `_keep_component`, only in mode `scheme`."""

    def keep(original: URI, normal: URI, mode: str) -> URI:
        if mode != "scheme":
            return normal
        return _with_component(normal, component, getattr(original, component))

    return keep


def _change_component(component: str, change: Callable[[str], str]) -> _Reform:
    """Return a change of one component of the normal form, if it is present."""

    def map_component(_original: URI, normal: URI, _mode: str) -> URI:
        text = getattr(normal, component)
        return normal if text is None else _with_component(normal, component, change(text))

    return map_component


def _drop_component_if(component: str, dropped: str) -> _Reform:
    """Return a change that drops a component if it is the given text."""

    def drop(_original: URI, normal: URI, _mode: str) -> URI:
        return _with_component(normal, component, None) if getattr(normal, component) == dropped else normal

    return drop


def _leave_undecoded(component: str, octet: str) -> _Reform:
    """Return a change that leaves a component undecoded if it contains a triplet of the pattern `octet`."""

    def leave(original: URI, normal: URI, _mode: str) -> URI:
        text = getattr(original, component) or ""
        if not normal.scheme or not re.search(octet, text):
            return normal
        return _with_component(normal, component, re.sub(octet, lambda triplet: triplet[0].upper(), text))

    return leave


def _decoding(digits: str) -> Callable[[str], str]:
    """Return a function that decodes the triplets whose two hex digits match a pattern."""
    return lambda text: re.sub(f"%({digits})", lambda triplet: chr(int(triplet[1], 16)), text)


def _lower_hex(text: str) -> str:
    return TRIPLET.sub(lambda triplet: triplet[0].lower(), text)


def _without_guard(path: str) -> str:
    """Return a path without the `/.` that keeps its two slashes from beginning an authority."""
    return path.removeprefix("/.") if path.startswith("/.//") else path


def _encode_marks(path: str) -> str:
    return re.sub("[!*'()]", lambda mark: f"%{ord(mark[0]):02X}", path)


def _remove_dots_before_decoding(original: URI, normal: URI, _mode: str) -> URI:
    if normal.scheme is None:
        return normal
    return normal._replace(path=_decoding("2[Ee]")(remove_dot_segments(original.path)))


def _remove_dots_of_references(_original: URI, normal: URI, _mode: str) -> URI:
    if normal.scheme is not None:
        return normal
    return normal._replace(path=remove_dot_segments(normal.path))


def _keep_dots(original: URI, normal: URI, _mode: str) -> URI:
    return normal._replace(path=_decoding("2[EeDd]|7[Ee]|5[Ff]")(original.path))


def _keep_excess(original: URI, normal: URI, _mode: str) -> URI:
    """Keep the `..` segments at the start of a path, which have no segment to remove."""
    excess = re.match(r"(?:/\.\.)+(?=/)", original.path)
    if normal.scheme is None or excess is None:
        return normal
    return normal._replace(path=excess[0] + normal.path)


def _fold_host_before_decoding(original: URI, normal: URI, _mode: str) -> URI:
    """Decode the triplets of a host after folding its case, not before, so that capitals remain."""
    if original.host is None or normal.host is None:
        return normal
    capitals = _decoding("4[1-9A-Fa-f]|5[0-9Aa]")
    host = capitals(original.host)
    return normal if host == original.host else normal._replace(host=host)


def _keep_empty_path(original: URI, normal: URI, _mode: str) -> URI:
    return normal if original.path else normal._replace(path="")


def _drop_port(_original: URI, normal: URI, _mode: str) -> URI:
    return normal._replace(port=None)


def _fill_empty_path(_original: URI, normal: URI, _mode: str) -> URI:
    return normal._replace(path=normal.path or "/")


def _drop_localhost(_original: URI, normal: URI, _mode: str) -> URI:
    return normal._replace(host="") if normal.host == "localhost" else normal


def _drop_localhost_of_file(_original: URI, normal: URI, _mode: str) -> URI:
    is_local = normal.host == "localhost" and normal.scheme == "file"
    return normal._replace(host="") if is_local else normal


_UNRESERVED_OCTETS = {"letter": "%41", "hyphen": "%2[Dd]", "tilde": "%7[Ee]", "low-line": "%5[Ff]"}

_REFORMS: Mapping[str, _Reform] = {
    **{f"{name}-kept": _keep_component(name) for name in ("scheme", *_DATA)},
    **{f"{name}-case": _change_component(name, str.lower) for name in _DATA},
    **{f"{name}-lower-hex": _change_component(name, _lower_hex) for name in _DATA},
    **{f"{name}-absent-if-empty": _drop_component_if(name, "") for name in ("userinfo", "query", "fragment")},
    "port-zeros": _change_component("port", lambda port: port.lstrip("0") or "0" * bool(port)),
    "port-dropped": _drop_port,
    "port-80-of-all": _drop_component_if("port", "80"),
    "port-kept-by-scheme": _keep_in_scheme_mode("port"),
    "slashes-collapsed": _change_component("path", lambda path: re.sub("//+", "/", path)),
    "final-slash-dropped": _change_component("path", lambda path: re.sub("(?<=.)/$", "", path)),
    "index-dropped": _change_component("path", lambda path: re.sub(r"(?<=/)index\.\w+$", "", path)),
    "query-sorted": _change_component("query", lambda query: "&".join(sorted(query.split("&")))),
    "plus-for-space": _change_component("query", lambda query: query.replace("+", "%20")),
    "final-dot-of-host-dropped": _change_component("host", lambda host: host.removesuffix(".")),
    "www-dropped": _change_component("host", lambda host: host.removeprefix("www.")),
    "path-decoded": _change_component("path", _decoding("2[1-9A-F]|3[AB]")),
    "slash-decoded": _change_component("path", _decoding("2[Ff]")),
    "percent-decoded": _change_component("path", _decoding("25")),
    "query-decoded": _change_component("query", _decoding("26|3[DB]|2B")),
    "tilde-encoded": _change_component("path", lambda path: path.replace("~", "%7E")),
    "marks-encoded": _change_component("path", _encode_marks),
}

#: Further changes, for an RFC by which dot segments are removed.
_REFORMS_3986: Mapping[str, _Reform] = {
    "dots-kept": _keep_dots,
    "dots-before-decoding": _remove_dots_before_decoding,
    "dots-of-references-removed": _remove_dots_of_references,
    "excess-kept": _keep_excess,
    "guard-lost": _change_component("path", _without_guard),
    "host-folded-before-decoding": _fold_host_before_decoding,
    **{
        f"{name}-{char}-not-decoded": _leave_undecoded(name, octet)
        for name in ("path", "query")
        for char, octet in _UNRESERVED_OCTETS.items()
    },
    "marks-of-rfc2396-decoded": _change_component("path", _decoding("2[1789A]")),
    "empty-path-kept": _keep_empty_path,
    "slash-of-all-empty-paths": _fill_empty_path,
    "localhost-dropped-everywhere": _drop_localhost,
    "localhost-dropped-with-login": _drop_localhost_of_file,
}


def _normalization_faults(spec: str) -> Iterator[Fault]:
    """Yield the faults of `normalize` that are possible under an RFC."""
    reforms = dict(_REFORMS)
    if facts(spec).removes_dots:
        reforms |= _REFORMS_3986
    for name, reform in reforms.items():
        yield _normalization(f"normalize-{name}", reform)


# ---- equivalent

#: Rungs that no RFC has.  Each of them changes both URLs before the comparison.
_FOREIGN: Mapping[str, Callable[[str], str]] = {
    "all-case": str.lower,
    "path-case": lambda url: re.sub("(?<=[^/])/[^/?#].*", lambda path: path[0].lower(), url),
    "all-decoded": lambda url: TRIPLET.sub(lambda triplet: chr(int(triplet[0][1:], 16)), url),
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
    "hex-case": lambda url: [triplet for triplet in TRIPLET.findall(url) if triplet != triplet.upper()],
    "number-of-escapes": lambda url: len(TRIPLET.findall(url)),
    "escaped-letters": lambda url: len(re.findall("%[46][1-9A-Fa-f]|%[57][0-9Aa]", url)),
    "escaped-marks": lambda url: len(re.findall("%2[DdEe1789Aa]|%5[Ff]|%7[Ee]", url)),
    "number-of-segments": lambda url: url.partition("?")[0].count("/"),
    "port": lambda url: re.findall(r"//[^/?#]*(:\d*)", url),
    "length": len,
}


def _equivalence_faults(spec: str) -> Iterator[Fault]:
    """Yield the faults of `equivalent`: wrong ladders, and comparisons that ignore or demand too much."""
    yield from _ladder_faults(_ladder(spec))
    for name, change in _FOREIGN.items():
        yield Fault(f"equivalent-ignores-{name}", "equivalent", _comparison_after(change))
    for name, aspect in _ASPECTS.items():
        yield Fault(f"equivalent-only-if-same-{name}", "equivalent", _stricter_comparison(aspect))
    yield Fault("equivalent-by-text", "equivalent", lambda _, vector: vector.url == vector.other)


def _ladder(spec: str) -> tuple[Rung, ...]:
    """Return the steps by which an RFC compares URLs, none if it has no such steps."""
    name = facts(spec).ladder
    return () if name is None else getattr(equivalence, name)


#: Wrong forces of a rung, by mode.
_WRONG_FORCES: Mapping[str, Mapping[str, Any]] = {
    "required": {"syntax": "must", "scheme": "must"},
    "required-by-scheme": {"scheme": "must"},
    "required-by-syntax": {"syntax": "must"},
    "open": {"syntax": "may", "scheme": "may"},
}


def _ladder_faults(ladder: Sequence[Rung]) -> Iterator[Fault]:
    """Yield the faults of each rung: it is missing, alone or with the next one, or has a wrong force."""
    for index, rung in enumerate(ladder):
        before = ladder[:index]
        after = ladder[index + 1 :]
        name = f"equivalent-{index + 1}-{rung.ruling}"
        yield Fault(f"{name}-missing", "equivalent", _comparison_by([*before, *after]))
        yield Fault(f"{name}-missing-with-next", "equivalent", _comparison_by([*before, *after[1:]]))
        for way, forces in _WRONG_FORCES.items():
            wrong_rung = rung._replace(**forces)
            answer = _comparison_by([*before, wrong_rung, *after])
            yield Fault(f"{name}-{way}", "equivalent", answer)


def _comparison_by(ladder: Sequence[Rung]) -> Callable[[Specification, Vector], FaultAnswer]:
    """Return a fault's answer: the verdict by another ladder."""

    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        first, second = _compared_texts(vector)
        mode = vector.normalization_mode
        normalize = spec.algorithms.normalize
        if normalize is not None:
            compare = rfcs.comparer(ladder, normalize)
            return compare(first, second, mode, spec.rules).equal
        with _planted_ladder(spec.id, ladder):
            return operations.equivalent(first, second, spec, mode).equal

    return answer


def _comparison_after(change: Callable[[str], str]) -> Callable[[Specification, Vector], FaultAnswer]:
    """Return a fault's answer: texts are also equivalent if they are equal after a change."""

    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        first, second = _compared_texts(vector)
        return _verdict(spec, vector) or change(first) == change(second)

    return answer


def _stricter_comparison(aspect: Callable[[str], object]) -> Callable[[Specification, Vector], FaultAnswer]:
    """Return a fault's answer: texts are equivalent only if they have one more property in common."""

    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        first, second = _compared_texts(vector)
        return _verdict(spec, vector) and aspect(first) == aspect(second)

    return answer


def _compared_texts(vector: Vector) -> tuple[str, str]:
    return url_text(vector.url), url_text(vector.other)


def _verdict(spec: Specification, vector: Vector) -> bool:
    first, second = _compared_texts(vector)
    return operations.equivalent(first, second, spec, vector.mode or "syntax").equal


@contextmanager
def _planted_ladder(spec: str, ladder: Sequence[Rung]) -> Iterator[None]:
    """Replace the ladder that the algorithm of an RFC reads."""
    name = facts(spec).ladder
    assert name is not None  # a fault of the ladder was made from it
    original = getattr(equivalence, name)
    setattr(equivalence, name, tuple(ladder))
    try:
        yield
    finally:
        setattr(equivalence, name, original)


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
    "ftp": "21",
    "http": "80",
    "gopher": "70",
    "nntp": "119",
    "telnet": "23",
    "wais": "210",
    "prospero": "1525",
}
#: Maps each part that is a list of path segments to the part with the last segment.
_LAST_SEGMENTS = {"cwd": "name", "directories": "name", "segments": "segments"}

_View = Mapping[str, Any]
_ChangeOfView = Callable[[_View], _View]


def _decoding_fault(name: str, scheme: str, change: _ChangeOfView) -> Fault:
    """Return a fault that replaces some parts of the decoded view of one scheme."""

    def answer(_spec: Specification, vector: Vector) -> FaultAnswer:
        view = operations.decode(url_text(vector.url))
        if view["scheme"] == scheme:
            view = {**view, **change(view)}
        return dict(decoded_as_json(view))

    return Fault(f"decode-{scheme}-{name}", "decode", answer)


def _change_all_bytes(change: Callable[[bytes], bytes]) -> Callable[[Any], Any]:
    """Return a function that changes all bytes in a part of a view."""

    def change_part(part: Any) -> Any:
        if isinstance(part, bytes):
            return change(part)
        if isinstance(part, (list, tuple)):
            return [change_part(element) for element in part]
        return part

    return change_part


def _decode_again(octets: bytes) -> bytes:
    return re.sub(rb"%([0-9A-Fa-f]{2})", lambda triplet: bytes.fromhex(triplet[1].decode()), octets)


def _encode_again(octets: bytes) -> bytes:
    return re.sub(rb"[^A-Za-z0-9$\-_.+!*'(),]", lambda octet: b"%%%02X" % ord(octet[0]), octets)


#: Wrong ways to decode, as changes of correctly decoded bytes.
_WRONG_DECODINGS: Mapping[str, Callable[[bytes], bytes]] = {
    "twice": _decode_again,
    "plus-as-space": lambda octets: octets.replace(b"+", b" "),
    "ends-at-nul": lambda octets: octets.partition(b"\0")[0],
    "lower-case": bytes.lower,
    "not-decoded": _encode_again,
}


def _decoding_faults() -> Iterator[Fault]:
    """Yield the faults of `decode`, scheme by scheme."""
    for scheme, names in _PARTS.items():
        for name in names:
            yield from _faults_of_part(scheme, name)
        for name in _LAST_SEGMENTS.keys() & set(names):
            yield _decoding_fault(f"{name}-split-late", scheme, partial(_split_late, name))
            yield _decoding_fault(f"{name}-without-empty", scheme, _change_part(name, _without_empty))
    for scheme in _PORTS:
        yield from _faults_of_authority(scheme)
    for scheme, changes in _CHANGES_OF_VIEWS.items():
        for name, change in changes.items():
            yield _decoding_fault(name, scheme, change)


def _faults_of_part(scheme: str, name: str) -> Iterator[Fault]:
    """Yield the faults of one part of a view: wrong decodings, and a confusion of empty and absent parts."""
    for way, change_bytes in _WRONG_DECODINGS.items():
        change = _change_part(name, _change_all_bytes(change_bytes))
        yield _decoding_fault(f"{name}-{way}", scheme, change)
    empty_as_absent = _change_part(name, lambda part: part or None)
    yield _decoding_fault(f"{name}-empty-as-absent", scheme, empty_as_absent)
    absent_as_empty = _change_part(name, lambda part: b"" if part is None else part)
    yield _decoding_fault(f"{name}-absent-as-empty", scheme, absent_as_empty)


#: Changes of the authority in a view, by the name of the fault.
_CHANGES_OF_AUTHORITY: Mapping[str, _ChangeOfView] = {
    "port-filled-in": lambda view: {"port": view["port"] or view["default_port"]},
    "port-as-number": lambda view: {"port": view["port"] and view["port"].lstrip("0")},
    "port-lost": lambda _: {"port": None},
    "host-lost": lambda _: {"host": None},
}


def _faults_of_authority(scheme: str) -> Iterator[Fault]:
    """Yield the faults of host and port: another scheme's default port, and a lost or changed part."""
    for port in (*_PORTS.values(), None):
        if port != _PORTS[scheme]:
            change = _change_part("default_port", _constant(port))
            yield _decoding_fault(f"default-port-{port}", scheme, change)
    for name, change in _CHANGES_OF_AUTHORITY.items():
        yield _decoding_fault(name, scheme, change)


def _change_part(name: str, change: Callable[[Any], Any]) -> _ChangeOfView:
    """Return a function that changes one part of a view, and returns a mapping with only this part."""
    return lambda view: {name: change(view[name])}


def _constant(part: Any) -> Callable[[Any], Any]:
    return lambda _: part


def _without_empty(segments: list[bytes] | None) -> list[bytes] | None:
    return segments and [segment for segment in segments if segment]


def _split_late(name: str, view: _View) -> _View:
    """Split a path at slashes after decoding it, not before.

    Return the changed parts of the view: none if there is no path.
    """
    last = _LAST_SEGMENTS[name]
    segments = view[name] if last == name else [*view[name], view[last]]
    if not segments or None in segments:
        return {}
    late = b"/".join(segments).split(b"/")
    return {name: late} if last == name else {name: late[:-1], last: late[-1]}


def _joined_request(separator: bytes, *names: str) -> _ChangeOfView:
    """Return a function that joins these parts of a gopher view to a request."""

    def join(view: _View) -> _View:
        if view["request"] is None:
            return {"request": None}
        present = [view[name] for name in names if view[name] is not None]
        return {"request": separator.join(present)}

    return join


def _cut_at(mark: bytes) -> Callable[[bytes | None], bytes | None]:
    """Return a function that cuts off bytes at a mark."""
    return lambda octets: octets and octets.partition(mark)[0]


def _cut_segments_at(mark: bytes) -> Callable[[list[bytes] | None], list[bytes] | None]:
    return lambda segments: segments and [segment.partition(mark)[0] for segment in segments]


def _without_parents(segments: list[bytes] | None) -> list[bytes] | None:
    return [segment for segment in segments or () if segment != b".."] or None


def _put_type_in_name(view: _View) -> _View:
    return {"name": b"%s;type=%s" % (view["name"], view["typecode"].encode())} if view["typecode"] else {}


def _take_name_as_directory(view: _View) -> _View:
    return {"cwd": [*view["cwd"], view["name"] or b""], "name": b""}


def _lose_first_directory(view: _View) -> _View:
    first, *later = view["directories"] or [None]
    return {"directories": later} if first == b"" else {}


#: Further faults, each for one scheme.
_CHANGES_OF_VIEWS: Mapping[str, Mapping[str, _ChangeOfView]] = {
    "ftp": {
        "typecode-dropped": _change_part("typecode", _constant(None)),
        "typecode-default": _change_part("typecode", lambda code: code or "i"),
        "typecode-in-name": _put_type_in_name,
        "root-added": _change_part("cwd", lambda cwd: [b"", *cwd]),
        "name-is-directory": _take_name_as_directory,
        "anonymous": _change_part("user", lambda user: b"anonymous" if user is None else user),
    },
    "http": {
        "slash-filled-in": _change_part("segments", lambda segments: segments or [b""]),
        "search-split": _change_part("segments", _cut_segments_at(b"?")),
        "parameters-dropped": _change_part("segments", _cut_segments_at(b";")),
        "dots-removed": _change_part("segments", _without_parents),
    },
    "gopher": {
        "type-in-selector": lambda view: {"selector": view["gtype"] + view["selector"]},
        "type-0-for-1": _change_part("gtype", lambda kind: b"0" if kind == b"1" else kind),
        "query-is-search": _change_part("selector", _cut_at(b"?")),
        "request-without-search": _joined_request(b"\t", "selector"),
        "request-without-string": _joined_request(b"\t", "selector", "search"),
        "request-with-type": _joined_request(b"", "gtype", "request"),
        "request-with-question-mark": _joined_request(b"?", "selector", "search", "gopher+_string"),
        "request-without-empty": _change_part("request", lambda line: line and re.sub(b"\t\t+", b"\t", line)),
    },
    "mailto": {"headers-dropped": _change_part("address", _cut_at(b"?"))},
    "news": {
        "star-is-group": lambda view: {"group": view["group"] or view["grouppart"], "grouppart": None},
        "article-is-group": lambda view: {"group": view["group"] or view["article"], "article": None},
        "article-without-host": _change_part("article", _cut_at(b"@")),
    },
    "nntp": {
        "number-without-zeros": _change_part("digits", lambda digits: digits and digits.lstrip("0")),
        "number-lost": _change_part("digits", _constant(None)),
        "group-lost": _change_part("group", _constant(None)),
    },
    "file": {
        "always-local": _change_part("local", _constant(part=True)),
        "never-local": _change_part("local", _constant(part=False)),
        "localhost-not-local": lambda view: {"local": view["host"] == ""},
        "localhost-in-one-case": lambda view: {"local": view["host"] in ("", "localhost")},
        "localhost-by-part": lambda view: {"local": not view["host"] or "localhost" in view["host"].lower()},
        "host-lost": _change_part("host", _constant("")),
        "localhost-lost": lambda view: {"host": "" if view["local"] else view["host"]},
        "first-empty-directory-lost": _lose_first_directory,
    },
    "prospero": {
        "fields-lost": _change_part("fields", _constant(None)),
        "fields-sorted": _change_part("fields", lambda fields: fields and sorted(fields)),
        "one-field": _change_part("fields", lambda fields: fields and fields[:1]),
        "no-fields-as-list": _change_part("fields", lambda fields: fields or []),
    },
}


# ---- recompose

#: The delimiters before and after each component of an RFC with the components of RFC 3986.
_DELIMITERS: Mapping[str, tuple[str, str]] = {
    "scheme": ("", ":"),
    "authority": ("//", ""),
    "path": ("", ""),
    "query": ("?", ""),
    "fragment": ("#", ""),
}
#: The same if parameters are a component.
_DELIMITERS_1808: Mapping[str, tuple[str, str]] = {
    "scheme": ("", ":"),
    "net_loc": ("//", ""),
    "path": ("", ""),
    "params": (";", ""),
    "query": ("?", ""),
    "fragment": ("#", ""),
}
#: The same if schemes have rules of their own.
_DELIMITERS_1738: Mapping[str, tuple[str, str]] = {
    "scheme": ("", ":"),
    "user": ("", "@"),
    "password": (":", ""),
    "host": ("//", ""),
    "port": (":", ""),
    "hpath": ("/", ""),
    "fpath": ("/", ""),
    "search": ("?", ""),
    "ftptype": (";type=", ""),
    "gtype": ("/", ""),
    "selector": ("", ""),
    "gopher+_string": ("%09", ""),
    "group": ("/", ""),
    "digits": ("/", ""),
    "database": ("/", ""),
    "wtype": ("/", ""),
    "wpath": ("/", ""),
    "ppath": ("/", ""),
    **dict.fromkeys(("fieldspecs", "schemepart", "encoded822addr", "article", "grouppart"), ("", "")),
}

#: If a component is lost, these components are lost with it.
_LOST = {"authority": ("authority", "userinfo", "host", "port")}

#: Stands around a component in a recomposed text, to find its delimiters.
_MARK = "\0"

#: A function from a component (a text, None, or a list of fields) to a wrong one.
_Rewrite = Callable[[Any], Any]


def _recomposition_faults(spec: str) -> Iterator[Fault]:
    """Yield the faults of `recompose`: each component lost, rewritten, or without its delimiters."""
    for name, (before, after) in _delimiters(spec).items():
        yield _recomposition(f"{name}-lost", _LOST.get(name, (name,)), _constant(None))
        for way, rewrite in _REWRITES.items():
            # a path is never absent, and a scheme never empty
            if way != "absent-as-empty" or name not in ("scheme", "path"):
                yield _recomposition(f"{name}-{way}", (name,), rewrite)
        if before or after:
            answer = partial(_without_delimiter, name, before, after)
            yield Fault(f"recompose-{name}-without-delimiter", "recompose", answer)


def _delimiters(spec: str) -> Mapping[str, tuple[str, str]]:
    """Return the delimiters before and after each component of an RFC."""
    if facts(spec).by_scheme:
        return _DELIMITERS_1738
    return _DELIMITERS_1808 if facts(spec).params else _DELIMITERS


def _text_only(change: Callable[[str], str]) -> _Rewrite:
    return lambda component: change(component) if isinstance(component, str) else component


_REWRITES: Mapping[str, _Rewrite] = {
    "decoded": _text_only(_decoding("[2-7][0-9A-Fa-f]")),
    "lower-case": _text_only(str.lower),
    "empty-as-absent": lambda component: component or None,
    "absent-as-empty": lambda component: "" if component is None else component,
    "zero-as-absent": lambda component: None if component == "0" else component,
}


def _recomposition(fault_name: str, names: Collection[str], rewrite: _Rewrite) -> Fault:
    """Return a fault that recomposes a URL with wrong components of these names.

    A component that a vector does not give stays missing.
    """

    def answer(spec: Specification, vector: Vector) -> FaultAnswer:
        components = _components(vector)
        for name in names:
            if name in components:
                components[name] = rewrite(components[name])
        return operations.recompose(components, spec)

    return Fault(f"recompose-{fault_name}", "recompose", answer)


def _without_delimiter(
    name: str, before: str, after: str, spec: Specification, vector: Vector
) -> FaultAnswer:
    """Return a recomposed text in which the delimiters of a component are missing.

    If the vector does not have the component as a text, return the right text.
    """
    components = _components(vector)
    if not isinstance(components.get(name), str):
        return operations.recompose(components, spec)
    marked = {name: f"{_MARK}{components[name]}{_MARK}"}
    text = operations.recompose(components | marked, spec)
    without = text.replace(f"{before}{_MARK}", _MARK).replace(f"{_MARK}{after}", _MARK)
    return without.replace(_MARK, "")


def _components(vector: Vector) -> dict[str, Any]:
    return dict(vector.components or {})
