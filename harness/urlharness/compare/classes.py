"""Classes of differences: which of the named differences explains that two answers are not the same.

A class must name what differs in the two answers, not what the text has besides. It is found in three steps:

- The manner in which two values of a component differ leaves a few classes; see `manners`.
- Of these, the class whose form the text has is taken, such as a `%2e` in the path. A class without a form
  must be a reason why the RFCs differ, too.
- If only one answer accepts, there are no two values. If RFC 3986 refuses the text, the first fault is the
  reason. If it accepts the text, the reason is the only unusual thing in it. It is unknown if there are
  several, or if the library accepts other texts with that thing; see `form_of_class`.

For a URL of which a results file keeps only the beginning, the form of the beginning must do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from urlharness.compare.manners import Manner, ValuePair, classes_of, compare_texts, compare_values
from urlharness.compare.rfc_answers import is_whole_rule
from urlharness.corpus.longtext import is_abbreviation
from urlharness.corpus.model import AUTHORITY, Vector
from urlharness.explain.by_rfc import compare_equivalence, compare_resolutions, compare_splits
from urlharness.explain.classify import CHARACTERS, has_zone, ids_of_classes
from urlharness.explain.mapping_classes import class_of_mapping
from urlharness.explain.refusal import HOST_ONLY
from urlharness.panel.answer import Answer, hidden_differences, parts_of
from urlharness.panel.hosts import host_target
from urlharness.panel.severity import BY_HARM, OTHER, VERDICT, general_component
from urlharness.panel.spelling import (
    COMPONENTS,
    DEFAULT_PORTS,
    joined_authority,
    split,
    without_cut_triplet,
    without_dots,
)
from urlharness.text import ascii_lower
from urloracle.errors import InvalidURL
from urloracle.operations import resolutions
from urloracle.rfcs import SPECIFICATIONS

#: For longer texts, the answers of the RFCs are not used to find a class.
_MAX_CLASSIFIED_LENGTH = 2_000


#: The manners in which a library finds no host, for whatever is in the text.
_LOST_HOST = frozenset((Manner.LOST, Manner.UNDIVIDED))


def class_of(
    vector: Vector,
    component: str,
    *,
    scheme: bool = False,
    answers: tuple[Answer, Answer] | None = None,
    subject: str | None = None,
    excluded: frozenset[str] = frozenset(),
) -> str | None:
    """Return the id of the class of a difference in a component, or None if no class fits.

    `answers` are the two answers that differ. A class must name what differs in them. `scheme` is True if the
    schemes in the answers differ, too. If the vector names a class that can explain the difference, return
    that class. `subject` is the component that the question is about, or None if it is about no single one.
    `excluded` are classes for which a library does not lose the scheme; see `classes_of_seen_scheme`.
    """
    if vector.op in ("to_uri", "to_iri"):
        return _class_of_mapping(vector, answers)
    return _class_of_url(
        vector, component, scheme=scheme, answers=answers, subject=subject, excluded=excluded
    )


def _class_of_url(
    vector: Vector,
    component: str,
    *,
    scheme: bool,
    answers: tuple[Answer, Answer] | None,
    subject: str | None,
    excluded: frozenset[str],
) -> str | None:
    """Return the class of a difference in a component, other than of a mapping; see `class_of`."""
    base = vector.base if isinstance(vector.base, str) else None
    text = vector.reference if base is not None else vector.url
    if vector.op == "recompose":
        text = vector.expect.alternatives[0].result  # the library was given only components
        if component == "host" and _has_path_like_authority(vector):
            return "double-slash"
    if not isinstance(text, str) or (vector.rule is not None and not is_whole_rule(vector.rule)):
        return vector.class_
    if answers is not None and component in hidden_differences(*answers):
        return None  # what differs was not recorded
    class_of_answers = _class_of_whole_answers(component, text, base, answers)
    if class_of_answers is not None:
        return class_of_answers
    pair = None
    if answers is not None and component not in (VERDICT, OTHER):
        pair = value_pair(component, text, base, *answers)
    finds_no_host = pair is not None and pair.manner in _LOST_HOST
    # a combination names one of its parts, and another one may be the reason
    is_name_unsure = vector.combined and (component == VERDICT or finds_no_host)
    named = None if is_name_unsure else vector.class_
    if answers is not None and component == "authority" and pair is not None and pair.first == pair.second:
        return _class_of_authorities(text, base, answers, named=named)
    entry = class_of_text(
        text,
        component,
        base,
        vector.other if isinstance(vector.other, str) else None,
        scheme=scheme,
        named=named,
        values=pair,
        subject=None if is_name_unsure else subject,
        excluded=excluded,
    )
    if vector.op == "recompose" and component == "host" and entry in _UNLISTED:
        return None  # the library was given the host, and did not look for it in a text
    return entry


def _class_of_whole_answers(
    component: str, text: str, base: str | None, answers: tuple[Answer, Answer] | None
) -> str | None:
    """Return the class of a difference in a component that other components of the answers show, or None."""
    if answers is None:
        return None
    if component == "host":
        return _class_of_path_as_authority(text, answers)
    is_after_host = component in ("path", "query")
    if is_after_host and base is not None and _differ_in_query_of_base(base, text, answers):
        return "ftp-question"
    return None


def _class_of_path_as_authority(text: str, answers: tuple[Answer, Answer]) -> str | None:
    """Return the class of a path that one answer has as its authority once it is changed, or None.

    Two slashes are at its beginning once its dots are removed, or once its triplets are decoded.
    """
    parts = split(text)
    path = parts["path"] or ""
    if parts["host"] is not None or path.startswith("//"):
        return None
    components_of_answers = map(parts_of, answers)
    authorities = [
        f"//{components['host']}{components.get('path') or ''}"
        for components in components_of_answers
        if components.get("host")
    ]
    # of a rootless path, some libraries remove the first segment, but not the slash after it
    if without_dots(f"/{path.removeprefix('/')}") in authorities:
        return "double-slash"
    is_decoded = "%2f" in path.lower() and unquote(path) in map(unquote, authorities)
    return "encoded-delimiter" if is_decoded else None


def _differ_in_query_of_base(base: str, reference: str, answers: tuple[Answer, Answer]) -> bool:
    """Return True if one of two targets keeps a part of the query of an ftp or file base as part of the path.

    It does so if the library reads no query there, as in RFC 1738, section 3.2.2. That part ends with a
    slash, and the reference follows it.
    """
    before_query, _, query = base.partition("?")
    is_merged = re.match("[^:/?#]+:|/|#|$", reference) is None
    if not is_merged or "/" not in query or re.match("(?i)(ftp|file):", base) is None:
        return False
    folder = f"{before_query}?{query.partition('/')[0]}/"
    path, question_mark, query_of_reference = reference.partition("#")[0].partition("?")
    last_segment = path.rpartition("/")[2]
    end = f"{'' if last_segment in ('.', '..') else last_segment}{question_mark}{query_of_reference}"
    targets = [(answer.text or "").partition("#")[0] for answer in answers]
    keeps = [_has_ends(target, folder, end) for target in targets]
    return any(keeps) and not all(keeps)


def _has_ends(text: str, beginning: str, end: str) -> bool:
    """Return True if a text begins and ends with two texts that do not overlap."""
    return text.startswith(beginning) and text.removeprefix(beginning).endswith(end)


def _class_of_authorities(
    text: str, base: str | None, answers: tuple[Answer, Answer], *, named: str | None
) -> str | None:
    """Return the class of two authorities with equal hosts: that of what differs beside the host."""
    beside_host = _class_beside_host(text, base, answers, named=named)
    if _differ_in_userinfo(*answers):
        return beside_host  # also without a class, as a lost delimiter is not what is wrong
    delimiter = _class_of_delimiters(text, base, authorities=_shown_authorities(answers))
    return delimiter or beside_host


def _class_of_mapping(vector: Vector, answers: tuple[Answer, Answer] | None) -> str | None:
    """Return the class of a difference in a mapping: what the wrong answers show, or that of the text."""
    if not isinstance(vector.url, str) or (vector.rule is not None and not is_whole_rule(vector.rule)):
        return vector.class_
    expected_texts = [alternative.result for alternative in vector.expect.alternatives]
    answered_texts = [answer.text for answer in answers or () if answer.kind == "url"]
    wrong_texts = [answered for answered in answered_texts if answered not in expected_texts]
    return class_of_mapping(vector.op, vector.url, wrong_texts) or vector.class_


def _shown_authorities(answers: Iterable[Answer]) -> Sequence[str]:
    """Return the authorities that answers show because these contradict their parts."""
    authorities = [answer.components.get("authority") for answer in answers]
    return [authority for authority in authorities if authority is not None]


def _class_of_delimiters(text: str, base: str | None, *, authorities: Sequence[str]) -> str | None:
    """Return the class of the delimiters in which the authorities of two answers with equal hosts differ.

    They are the brackets of an address, or those of an empty port or of empty user information. `authorities`
    are those that contradict their parts.
    """
    parts = _Text(_known_part(text), base)
    if "[" in parts.authority and any("[" not in authority for authority in authorities):
        return "ipv6-literal"
    if parts.userinfo == "":
        return "empty-component"
    return "empty-port" if parts.port == "" else None


def _class_beside_host(
    text: str, base: str | None, answers: tuple[Answer, Answer], *, named: str | None
) -> str | None:
    """Return the class of two authorities with equal hosts: that of userinfo or port if only one differs.

    A person names the class if it is not one of hosts.
    """
    if named is not None and component_of_class(named) != "host":
        return named
    first, second = map(_authority_of, answers)
    if first is None or second is None:
        return None
    parts = split(f"//{first}")
    other_parts = split(f"//{second}")
    # the delimiter of an empty part is spelling only
    differing = [name for name in ("userinfo", "port") if (parts[name] or "") != (other_parts[name] or "")]
    if len(differing) != 1:
        return None
    (component,) = differing
    values = compare_texts(component, parts[component], other_parts[component])
    return class_of_text(text, component, base, values=values)


def _differ_in_userinfo(first: Answer, second: Answer) -> bool:
    """Return True if the authorities of two answers differ in more of the user information than its `@`."""
    first_authority = _authority_of(first)
    second_authority = _authority_of(second)
    if first_authority is None or second_authority is None:
        return False
    first_text = split(f"//{first_authority}")["userinfo"] or ""
    second_text = split(f"//{second_authority}")["userinfo"] or ""
    return first_text != second_text


def _authority_of(answer: Answer) -> str | None:
    """Return the authority of an answer, or None if the answer does not show all of it.

    An answer shows none that only repeats its parts.
    """
    components = answer.components
    authority = components.get("authority")
    if authority is not None or not {"userinfo", "port"} <= components.keys():
        return authority
    return joined_authority(components["userinfo"], components.get("host"), components["port"])


def value_pair(component: str, text: str, base: str | None, first: Answer, second: Answer) -> ValuePair:
    """Return how a component of two answers to a text, or to a reference with its base, differs."""
    parts = split(text)
    host = parts["host"]
    if base is not None and parts["scheme"] is None and host is None:
        host = split(base)["host"]  # which the text inherits
    return compare_values(component, first, second, host=host)


@lru_cache(maxsize=65536)
def class_of_text(
    text: str,
    component: str,
    base: str | None = None,
    other: str | None = None,
    *,
    scheme: bool = False,
    named: str | None = None,
    values: ValuePair | None = None,
    subject: str | None = None,
    excluded: frozenset[str] = frozenset(),
) -> str | None:
    """Return the id of the class of a difference in a component, or None; see `class_of`.

    `base` is the base if `text` is a reference. `other` is the second text of an `equivalent` question.
    `named` is the class that a person gave to the question. `values` says how the component differs in two
    answers. Without it, the form of the text decides. `subject` is the component that the question is about.
    If a text is long or abbreviated, the answers of the RFCs are not used: then only a person names the class
    of a verdict.
    """
    known_base = None if base is None else _known_part(base)
    texts = [_Text(_known_part(string), known_base) for string in (text, other) if string is not None]
    general = _classified_component(component)
    is_long = len(text) >= _MAX_CLASSIFIED_LENGTH or any(map(is_abbreviation, (text, base, other)))
    if general == VERDICT:
        if is_long:
            return named
        problems = [problem for problem_text in texts for problem in problem_text.problems()]
        if problems:  # then the other RFCs, which take long to ask, do not matter
            return _class_of_first_fault(problems, named)
        return _class_of_valid_text(texts, _reasons(text, base, other), named, subject)
    reasons = [] if is_long else _reasons(text, base, other)
    if general == OTHER and other is not None and not (is_long and values is None):
        return named or _class_of_comparison(texts, text, other, reasons)
    if values is None:
        candidates = _candidates(texts, general, reasons, scheme=scheme, named=named)
        return next(filter(None, candidates), None)
    if _takes_digits_for_port(texts, general, values):
        return "colon-digits"
    entry = _class_of_values(texts, general, values, reasons, scheme=scheme, named=named)
    if general == "scheme" and not excluded.isdisjoint(_UNLISTED):
        return _class_of_known_scheme(texts, entry, excluded)
    return entry


class ClassForm(NamedTuple):
    """The form in which a question has a class: its operation, and the place of the class in its texts.

    `shape` is the scheme of the text or its target, or else the delimiters of a relative reference: those at
    its beginning, then the set of those in it. Some libraries read `a`, but not `a/b` or `a?b`, as a host.
    """

    operation: str
    rule: str | None
    shape: str
    is_in_text: bool
    is_elsewhere: bool


def form_of_class(vector: Vector, entry: str) -> ClassForm | None:
    """Return the form of a class in a valid question, or None if the question does not have it.

    Return None, too, if libraries that accept one form of the class may refuse another one with good reason,
    such as one of two odd hosts.
    """
    base = vector.base if isinstance(vector.base, str) else None
    text = vector.reference if base is not None else vector.url
    if entry not in _OF_ONE_FORM or not isinstance(text, str):
        return None
    if vector.rule is not None and not is_whole_rule(vector.rule):
        return None
    form = _form_in_text(vector.op, vector.rule, text, base, entry)
    return form if form.is_in_text or form.is_elsewhere else None


#: The delimiters at the beginning of a relative reference.
_FIRST_DELIMITERS = re.compile("//|[/?#]")


@lru_cache(maxsize=65536)
def _form_in_text(operation: str, rule: str | None, string: str, base: str | None, entry: str) -> ClassForm:
    """Return the form in which a question on a text would have a class, even if it does not have it."""
    text = _Text(_known_part(string), None if base is None else _known_part(base))
    has_form = _TESTS.get(entry)
    is_in_text = bool(_VISIBLE[entry](text.raw)) if has_form is None else has_form(text)
    is_elsewhere = entry in _ODD_TO_LIBRARIES and _ODD_TO_LIBRARIES[entry](text)
    shape = text.target_scheme or _delimiters_of_reference(string)
    if entry in _UNLISTED and text.relative_path and text.reference:
        # what a library refuses with such a base, it may accept alone
        shape = f"{shape} of the base, {'same document' if text.is_same_document else 'other'}"
    return ClassForm(operation, rule, shape, is_in_text, is_elsewhere)


def _delimiters_of_reference(reference: str) -> str:
    """Return the delimiters at the beginning of a relative reference, and after a blank those in it."""
    match = _FIRST_DELIMITERS.match(reference)
    beginning = match[0] if match else ""
    contained = "".join(delimiter for delimiter in "#/?" if delimiter in reference)
    return f"{beginning} {contained}"


class SchemeForm(NamedTuple):
    """The form in which the target of a question has a scheme.

    `base_kind` says from where: it is empty if the scheme is in the text, and otherwise the kind of the base:
    `host`, `rooted` or `rootless`. `merges` is True if the path of the target begins with that of the base.
    """

    operation: str
    scheme: str
    base_kind: str
    merges: bool


def scheme_form(vector: Vector) -> SchemeForm | None:
    """Return the form in which a question has a scheme, in lower case, or None if its target has none."""
    base = vector.base if isinstance(vector.base, str) else None
    string = vector.reference if base is not None else vector.url
    if not isinstance(string, str) or (vector.rule is not None and not is_whole_rule(vector.rule)):
        return None
    text = _Text(_known_part(string), None if base is None else _known_part(base))
    if not text.target_scheme:
        return None
    return SchemeForm(vector.op, text.target_scheme, text.base_kind, text.merges)


def classes_of_seen_scheme(form: SchemeForm, seen_forms: Iterable[SchemeForm]) -> frozenset[str]:
    """Return the classes for which a library does not lose a scheme in a form.

    `seen_forms` are those of the questions in whose answers it shows the scheme. If it shows the same scheme,
    it knows such schemes. A base that is rootless is a reason only if it shows the scheme of one that is not,
    without a host, either; http does not count, since some libraries take it for every scheme that they do
    not find. Nor does a target that begins with the path of the base, which may be a path as a whole for it.
    """
    alike = [seen for seen in seen_forms if seen.operation == form.operation]
    not_merged = [seen for seen in alike if not seen.merges]
    entries: set[str] = set()
    if any(
        seen.scheme == form.scheme and bool(seen.base_kind) is bool(form.base_kind) for seen in not_merged
    ):
        entries.update(_UNLISTED)
    shows_rootless = any(seen.base_kind == "rootless" for seen in alike)
    shows_rooted = any(seen.base_kind == "rooted" and seen.scheme != "http" for seen in not_merged)
    if shows_rootless or not shows_rooted:
        entries.add("rootless")
    return frozenset(entries)


def component_of_class(entry: str | None) -> str | None:
    """Return the component that a class is about, or None if it can explain differences in several."""
    components = _EXPLAINED.get(entry or "", frozenset())
    if len(components) != 1:
        return None
    (component,) = components
    return component


def class_of_unlisted_scheme(text: str) -> str | None:
    """Return the class of a scheme that libraries may not know, or have a rule for, or None."""
    entry = _class_of_odd_scheme(_Text(text, base=None))
    return entry if entry in _UNLISTED else None


# ---- the text

#: A triplet of an unreserved character (RFC 3986, section 2.3).
_UNRESERVED_TRIPLET = re.compile("%(?:2[de]|3[0-9]|[46][1-9a-f]|[57][0-9a]|5f|7e)", re.IGNORECASE)

#: The beginning of a text up to the end of the authority, or what a library may read as two slashes.
_HEAD = re.compile(r"[\x00-\x20]*(?:[^:/?#]+:)?(?://[^/?#]*|[/\\\x00-\x20]*)")

#: The delimiter of an empty component in a text.
_EMPTY_PART = re.compile(r"\?(#|$)|#$|//@|//[^/?#]*:(/|\?|#|$)")


class _Text:
    """The parts of a text, and of its base if it is a reference, that can explain a difference.

    A library that reads a text finds its host first: in the text, or in the base if the text inherits its
    authority. So `head` is that of one of the two, up to the end of the authority.
    """

    def __init__(self, text: str, base: str | None) -> None:
        self.raw = text
        self.lowered = text.lower()
        self.base = base
        parts = split(text)
        base_parts = split(base or "")

        #: True if the text is a reference, which comes with a base.
        self.reference = base is not None
        #: True if the text has no scheme, or if it is a reference, its base.
        self.relative = (parts if base is None else base_parts)["scheme"] is None
        #: True if the text has neither a scheme nor an authority.
        self.relative_path = parts["scheme"] is None and parts["host"] is None
        self.scheme = parts["scheme"] or ""
        self.base_scheme = (base_parts["scheme"] or "").lower()
        #: The scheme of the text, or that of the base if the text has none.
        self.target_scheme = self.scheme.lower() or self.base_scheme
        self.schemes = [scheme for scheme in (parts["scheme"], base_parts["scheme"]) if scheme is not None]

        #: The text, or the base if the text inherits its authority.
        self.authority_source = base if base and self.relative_path else text
        head = _HEAD.match(self.authority_source)
        self.head = head[0] if head else ""
        head_parts = split(self.head)
        self.head_scheme = (head_parts["scheme"] or "").lower()
        self.host = head_parts["host"]
        self.port = head_parts["port"]
        self.userinfo = head_parts["userinfo"]
        self.authority = self.head.partition("//")[2]
        self.has_authority = parts["host"] is not None
        self.base_host = base_parts["host"]
        self.inherits_authority = self.relative_path and self.base_host is not None

        self.path = parts["path"] or ""
        self.base_path = base_parts["path"] or ""
        #: True if the path of the target begins with that of the base.
        self.merges = self.reference and self.relative_path and not self.path.startswith("/")
        inherits_query = parts["query"] is None and self.relative_path
        self.query = (base_parts if inherits_query else parts)["query"] or ""
        self.fragment = parts["fragment"] or ""

        #: The components of the text that are empty.
        self.empty = [name for name in ("userinfo", "port", "query", "fragment") if parts[name] == ""]

    @property
    def leaves_two_slashes(self) -> bool:
        """True if there is no authority, and the path begins with two slashes once its dots are removed."""
        return not self.has_authority and without_dots(self.path).startswith("//")

    @property
    def paths(self) -> str:
        """The paths from which the path of the target is made."""
        return f"{self.base_path}/{self.path}" if self.merges and self.base_path else self.path

    @property
    def has_rootless_base(self) -> bool:
        """True if the path of the target is made from that of a base, which begins with no slash."""
        return self.merges and bool(self.base_path) and not self.base_path.startswith("/")

    @property
    def base_kind(self) -> str:
        """The kind of the base whose scheme the target has: see `SchemeForm`."""
        if self.scheme or not self.reference:
            return ""
        if self.base_host is not None or self.has_authority:
            return "host"
        return "rootless" if self.base_path and not self.base_path.startswith("/") else "rooted"

    @property
    def is_same_document(self) -> bool:
        """True if the text is a reference that is empty, or a fragment alone."""
        return self.reference and not self.raw.partition("#")[0]

    @property
    def has_empty_segment(self) -> bool:
        """True if a segment of one of these paths is empty."""
        return "//" in self.path or (self.merges and "//" in self.base_path)

    @property
    def after_path(self) -> str:
        """The query and the fragment. Dots and slashes there are data (RFC 3986, sections 3.4 and 3.5)."""
        return f"{self.query}/{self.fragment}"

    @property
    def empty_in_base(self) -> bool:
        """True if a component of the base is empty."""
        return _EMPTY_PART.search(self.base or "") is not None

    def part(self, component: str) -> str:
        """Return the text in which the characters can explain a difference in a component."""
        match component:
            case "scheme" | "userinfo" | "host" | "port":
                return self.head
            case "path":
                return self.paths
            case "query":
                return self.query
            case "fragment":
                return self.fragment
        return self.raw if self.base is None else f"{self.base}/{self.raw}"

    def problems(self) -> Sequence[InvalidURL]:
        """Return why RFC 3986 refuses the text and its base, if it does."""
        specification = SPECIFICATIONS["rfc3986"]
        problems = [specification.problem(text) for text in (self.raw, self.base) if text is not None]
        return [problem for problem in problems if problem is not None]

    def contains(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case text."""
        return re.search(pattern, self.lowered) is not None

    def in_host(self, pattern: str) -> bool:
        """Return True if a regular expression matches anywhere in the lower-case host."""
        return re.search(pattern, (self.host or "").lower()) is not None


#: The largest number of a TCP port.
_LARGEST_PORT = 65_535


def _is_odd_port(port: str | None) -> bool:
    """Return True if a port is no number, is written with zeros before it, or is none of TCP."""
    if not port:
        return False
    if not (port.isascii() and port.isdigit()):
        return True
    number = int(port)
    return port != str(number) or not 0 < number <= _LARGEST_PORT


#: Classes of what RFC 1738 alone refuses. They are the last of the reasons why the RFCs differ.
_BROAD = ("fragment", "tilde", "search-slash", "opaque-query", "userinfo-not-allowed", "relative-reference")

#: A dot segment, and a segment with dots that is none.
_DOTS = re.compile(r"(^|/)\.\.?(/|$)")
_DOTTED_NAME = re.compile(r"(^|/)(\.[^./]|\.\.[^/]|[^/]*[^./]\.(/|$))")


def _climbs_too_high(text: _Text) -> bool:
    """Return True if the `..` of a path exceed the segments to remove (RFC 3986, section 5.4.2)."""
    from_base = text.relative_path and not text.path.startswith("/")
    # of the base, the last segment does not count, because a merge removes it
    levels = max(0, text.base_path.count("/") - 1) if from_base else 0
    for segment in text.path.removeprefix("/").split("/"):
        if segment == "..":
            levels -= 1
        elif segment != ".":
            levels += 1
        if levels < 0:
            return True
    return False


#: The schemes that every library with a list of schemes knows.
_LISTED = frozenset(("http", "https", "ftp", "file", "ws", "wss"))

#: The classes of a scheme that is not in such a list: with other characters than letters, with letters only,
#: and with a rule of its own.
_UNLISTED = ("scheme-characters", "unknown-scheme", "scheme-rule")

#: The schemes that have a rule of their own in RFC 1738, section 5.
_OF_RFC1738 = frozenset(SPECIFICATIONS["rfc1738"].schemes)

#: The components in the authority, and those after it.
_LOGIN = frozenset(AUTHORITY)
_REST = frozenset(("path", "query", "fragment"))

#: For each class that can only explain differences in some components: these components. Other classes, such
#: as those of a scheme or of a reference, can explain a difference in any component.
_EXPLAINED: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("several-ats", "login-delimiter"), _LOGIN),
    **dict.fromkeys(("userinfo-not-allowed",), frozenset(("userinfo",))),
    **dict.fromkeys(
        ("netloc-end", "ipv4-forms", "ipv4-range", "ipv6-literal", "zone-id"), frozenset(("host",))
    ),
    **dict.fromkeys(("host-label", "trailing-dot", "escape-in-host", "empty-host"), frozenset(("host",))),
    **dict.fromkeys(("empty-port", "port-digits"), frozenset(("host", "port"))),
    **dict.fromkeys(("default-port", "foreign-port"), frozenset(("port",))),
    **dict.fromkeys(("scheme-case",), frozenset(("scheme", "host"))),
    **dict.fromkeys(("params", "ftp-type", "telnet-path", "prospero-fields"), frozenset(("path",))),
    **dict.fromkeys(("empty-segment", "empty-path", "encoded-dots", "dots-in-base"), frozenset(("path",))),
    **dict.fromkeys(("dots-in-absolute-path", "excess-dotdot"), frozenset(("path",))),
    **dict.fromkeys(("ftp-question", "gopher-parts", "opaque-query"), frozenset(("path", "query"))),
    **dict.fromkeys(("wais-parts", "mailto-address", "news-grouppart"), frozenset(("path", "query"))),
    **dict.fromkeys(("search-slash",), frozenset(("query",))),
    **dict.fromkeys(("fragment", "lone-hash"), frozenset(("fragment",))),
    **dict.fromkeys(("tilde", "bracket", "second-hash", "escaped-unreserved"), _REST),
    **dict.fromkeys(("encoded-delimiter", "empty-component", "dots-elsewhere", "rootless"), _REST),
}

#: Classes of characters that must occur in the part that differs.
_VISIBLE: Mapping[str, Callable[[str], object]] = {
    **{name: test for name, test in CHARACTERS.items() if name != "second-hash"},
    "tilde": re.compile("~").search,
    "bracket": re.compile(r"[\[\]]").search,
    "escaped-unreserved": re.compile("%").search,
    "encoded-dots": re.compile("(?i)%2e").search,
    "encoded-delimiter": re.compile("(?i)%(2[13-9a-cf]|3[abdf]|40|5[bd])").search,
    "colon-in-segment": re.compile(":").search,
}


def _explains(entry: str, component: str, text: _Text) -> bool:
    """Return True if a class can be the reason for a difference in a component.

    Any class can be the reason for a difference outside components.
    """
    if component in (VERDICT, OTHER):
        return True
    if entry in _EXPLAINED and component not in _EXPLAINED[entry]:
        return False
    if entry in ("relative-reference", *_UNLISTED):  # a library may see an authority where none is
        return component == "scheme" or text.host is None
    if entry == "colon-in-segment" and component in _LOGIN and text.host is not None:
        return False  # the colon of a reference without an authority
    if entry == "slash-count":
        return _SLASHES[entry](text)
    if entry == "dots-elsewhere":
        # in a path, dot segments have classes of their own
        dots = _DOTTED_NAME if component == "path" else _DOTS
        return dots.search(text.part(component)) is not None
    return entry not in _VISIBLE or bool(_VISIBLE[entry](text.part(component)))


def _class_of_character(text: _Text, component: str) -> str | None:
    """Return the class of a character in the part of a text that differs, or None."""
    part = text.part(component)
    in_head = component in (*_LOGIN, "scheme")
    for name, occurs in CHARACTERS.items():
        # the first hash delimits the fragment, so no part has both
        if occurs(part) or (name == "second-hash" and not in_head and occurs(text.raw)):
            return name
    if not in_head and re.search(r"[\[\]]", part.replace(text.authority, "", 1)):
        return "bracket"
    return "zone-id" if component not in _REST and has_zone(text.authority) else None


def _class_of_odd_scheme(text: _Text) -> str | None:
    """Return the class of a scheme that libraries do not know or do not take for a scheme, or None.

    The scheme of the text comes before that of its base.
    """
    for scheme in text.schemes:
        entry = _class_of_scheme(scheme)
        if entry is not None:
            return entry
    return None


def _class_of_scheme(scheme: str) -> str | None:
    """Return the class of a scheme by its characters, or None if every library with a list knows it."""
    if scheme.lower() in _LISTED:
        return None
    if scheme.lower() in _OF_RFC1738:
        return "scheme-rule"
    if re.fullmatch("[A-Za-z]+", scheme):
        return "unknown-scheme"
    if re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", scheme):
        return "scheme-characters"
    if re.fullmatch("[0-9+.-][A-Za-z0-9+.-]*", scheme):
        return "scheme-first-char"
    return None


def _has_opaque_query(text: _Text) -> bool:
    """Return True if a question mark follows an opaque part, which begins with no slash (RFC 2396, 3)."""
    return text.host is None and "?" in text.raw and not text.path.startswith("/")


#: A segment that ends with a colon and digits, and one of digits only.
_SEGMENT_WITH_PORT = re.compile("[^/]:[0-9]+(?:/|$)")
_SEGMENT_OF_DIGITS = re.compile("[0-9]+(?:/|$)")


def _has_colon_and_digits(text: _Text) -> bool:
    """Return True if a colon and digits in the target of a text look like a port, but no authority is there.

    They are in a segment (`x:80`), or after the colon of the scheme (`f:80`, base `f:a` and `80`), also in a
    base.
    """
    if text.has_authority:
        return False
    if _SEGMENT_WITH_PORT.search(text.path) is not None:
        return True
    if text.scheme:
        return _SEGMENT_OF_DIGITS.match(text.path) is not None
    if not text.merges or text.base_host is not None:
        return False
    if _SEGMENT_OF_DIGITS.match(text.base_path) is not None:
        return True
    # a base without a slash has no segment that a merge keeps, so the path follows the scheme
    return "/" not in text.base_path and _SEGMENT_OF_DIGITS.match(text.path) is not None


def _has_odd_scheme(text: _Text) -> bool:
    """Return True if a scheme has other characters than letters, which some libraries do not expect."""
    has_other_characters = any(re.search("[^A-Za-z]", scheme) for scheme in text.schemes)
    return has_other_characters and _class_of_odd_scheme(text) in _UNLISTED


# ---- forms of a text

#: Tests of the form of a text, by the class that has this form.
_Forms = Mapping[str, Callable[[_Text], bool]]

#: Classes by the form of a reference and its base, for any component.
_REFERENCES: _Forms = {
    "same-scheme": lambda text: text.contains("^[^:/?#]+:(?!//)") and text.scheme.lower() == text.base_scheme,
    "double-slash": lambda text: text.reference and not text.inherits_authority and text.leaves_two_slashes,
}

#: A scheme that has an authority, with another number of slashes than two.
_ODD_SLASHES = re.compile("(https?|ftp|wss?):(?!//[^/])")

_SLASHES: _Forms = {
    "slash-count": lambda text: _ODD_SLASHES.match(text.lowered) is not None,
    "file-host": lambda text: text.contains("^file:"),
}

#: An IPv6 address without its brackets, perhaps with a port.
_BARE_IPV6 = re.compile("[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*", re.IGNORECASE)


def _is_bare_ipv6(host: str) -> bool:
    return _BARE_IPV6.fullmatch(host) is not None


_SEVERAL: _Forms = {
    "several-ats": lambda text: text.authority.count("@") > 1,
    "ipv6-literal": lambda text: (
        "[" in text.authority
        or "]" in text.authority.rpartition("@")[2]
        or _is_bare_ipv6(text.authority.rpartition("@")[2])
    ),
}

_EMPTY: _Forms = {"empty-component": lambda text: bool(text.empty) or text.empty_in_base}

#: Classes by the component that differs, then by the form of the text.
_FORMS: Mapping[str, _Forms] = {
    "host": {
        **_SEVERAL,
        "escape-in-host": lambda text: "%" in (text.host or ""),
        "ipv4-forms": lambda text: text.in_host(r"^(0x)?[0-9a-f]*[0-9][0-9a-f]*([.](0x)?[0-9a-f]+)*[.]?$"),
        "trailing-dot": lambda text: text.in_host("[.]$"),
        "port-digits": lambda text: _is_odd_port(text.port),
        **_SLASHES,
        "empty-host": lambda text: text.host == "",
        "host-label": lambda text: text.in_host(r"[^a-z0-9.:\[\]-]|\.\.|^[.-]|-$|-\.|\.-|[^.]{64}|.{254}"),
        "scheme-case": lambda text: (text.host or "") != (text.host or "").lower(),
    },
    "userinfo": {
        "several-ats": _SEVERAL["several-ats"],
        "login-delimiter": lambda text: re.search(":.*:|[;?]", text.userinfo or "") is not None,
        "empty-component": lambda text: text.userinfo == "" or (text.userinfo or "").endswith(":"),
        "userinfo-not-allowed": lambda text: text.userinfo is not None and text.head_scheme in HOST_ONLY,
    },
    "port": {
        "empty-port": lambda text: text.port == "",
        "default-port": lambda text: bool(text.port) and text.port == DEFAULT_PORTS.get(text.target_scheme),
        **_SEVERAL,
        "port-digits": lambda text: bool(text.port),
    },
    VERDICT: {"several-ats": _SEVERAL["several-ats"]},
    "scheme": {"scheme-case": lambda text: text.scheme != text.scheme.lower()},
    "query": _EMPTY,
    "fragment": _EMPTY,
}

#: Classes by the form of the text, for any component that they can explain. They are tried last.
_LAST: _Forms = {
    "encoded-dots": lambda text: "%2e" in text.lowered,
    "encoded-delimiter": lambda text: bool(_VISIBLE["encoded-delimiter"](text.raw)),
    "escaped-unreserved": lambda text: _UNRESERVED_TRIPLET.search(text.raw) is not None,
    "empty-reference": lambda text: text.raw == "",
    "network-path": lambda text: text.reference and text.raw.startswith("//"),
    "query-only": lambda text: text.reference and text.raw.startswith("?"),
    **_EMPTY,
    "scheme-characters": lambda text: _class_of_odd_scheme(text) == "scheme-characters",
    "unknown-scheme": lambda text: _class_of_odd_scheme(text) in ("unknown-scheme", "scheme-first-char"),
    "scheme-rule": lambda text: _class_of_odd_scheme(text) == "scheme-rule",
    "pathless-base": lambda text: bool(text.base_host) and not text.base_path,
    "double-slash": lambda text: text.reference and ("//" in text.path or "//" in text.base_path),
    "dots-in-base": lambda text: _DOTS.search(text.base_path) is not None,
    "dots-in-absolute-path": lambda text: _DOTS.search(text.path) is not None and not text.reference,
    "excess-dotdot": _climbs_too_high,
    "dots-elsewhere": lambda text: bool(_DOTS.search(text.after_path) or _DOTTED_NAME.search(text.path)),
    "search-slash": lambda text: re.search("[/?]", text.query) is not None,
    "params": lambda text: ";" in text.paths,
    "colon-in-segment": lambda text: ":" in text.path,
    "opaque-query": lambda text: _has_opaque_query(text) and not text.reference,
    **_SLASHES,
    "relative-reference": lambda text: text.relative,
    "empty-path": lambda text: bool(text.host) and not text.path,
}


#: An authority that ends at a question mark or a number sign, or has a semicolon.
_NETLOC_END = re.compile("(?:[^:/?#]+:)?//(?:[^/?#]+[?#]|[^/?#]*;)")

#: Classes of characters that no URL has.
_ODD_CHARACTERS = ("backslash", "white-space", "control-character", "unsafe-character")

#: The forms that a class must have if the manner of the difference leaves a choice of classes.
_TESTS: _Forms = {
    **_LAST,
    **_FORMS["userinfo"],
    **_FORMS["host"],
    **_REFERENCES,
    "empty-component": lambda text: (
        bool(text.empty) or text.empty_in_base or (text.userinfo or "").endswith(":")
    ),
    **{
        name: lambda text, name=name: (  # type: ignore[misc]
            _class_of_odd_scheme(text) == name and text.scheme.lower() not in _LISTED
        )
        for name in ("scheme-characters", "unknown-scheme")
    },
    "scheme-rule": lambda text: (
        _class_of_odd_scheme(text) == "scheme-rule" and text.scheme.lower() not in _LISTED
    ),
    "scheme-first-char": lambda text: _class_of_odd_scheme(text) == "scheme-first-char",
    "scheme-case": lambda text: any(scheme != scheme.lower() for scheme in text.schemes),
    "empty-port": lambda text: text.port == "",
    "port-digits": lambda text: _is_odd_port(text.port),
    "default-port": _FORMS["port"]["default-port"],
    "netloc-end": lambda text: _NETLOC_END.match(text.authority_source) is not None,
    "host-label": lambda text: _is_odd_name(text.host or ""),
    "escape-in-host": lambda text: "%" in (text.host or ""),
    "non-ascii": lambda text: not (text.host or "").isascii(),
    "bad-escape": lambda text: text.in_host("%(?![0-9a-f]{2})"),
    "ipv4-forms": lambda text: _is_ipv4_for_c_only(text.host or "") and not _is_dotted_quad(text.host or ""),
    "ipv4-range": lambda text: _is_ipv4_for_c_only(text.host or "") and _is_dotted_quad(text.host or ""),
    **{
        name: (lambda text, test=CHARACTERS[name]: test(text.head))  # type: ignore[misc]
        for name in _ODD_CHARACTERS
    },
    "query-only": lambda text: text.reference and text.raw.startswith("?"),
    "empty-reference": lambda text: text.is_same_document,
    "pathless-base": lambda text: bool(text.base_host) and not text.base_path and text.merges,
    # of a reference that inherits its beginning, the slashes are those of the base
    "slash-count": lambda text: _ODD_SLASHES.match(text.authority_source.lower()) is not None,
    "rootless": lambda text: (
        text.has_rootless_base
        or (bool(text.scheme) and not text.path.startswith("/") and _DOTS.search(text.path) is not None)
    ),
    "dots-in-base": lambda text: text.merges and _DOTS.search(text.base_path) is not None,
    "dots-in-absolute-path": lambda text: (
        (bool(text.scheme) or text.path.startswith("/")) and _DOTS.search(text.path) is not None
    ),
    "dots-elsewhere": lambda text: _DOTTED_NAME.search(text.paths) is not None,
    "excess-dotdot": _climbs_too_high,
    "encoded-dots": lambda text: (
        re.search("(?i)(^|/)([.]|%2e){1,2}(/|$)", text.paths) is not None and "%2e" in text.paths.lower()
    ),
    "lone-hash": lambda text: text.raw == "#",
    "second-hash": lambda text: text.raw.count("#") > 1,
    "fragment": lambda text: "#" in text.raw,
    "file-drive": lambda text: (
        text.head_scheme in ("", "file") and re.match("/?[A-Za-z](:|[|]|%3A|%7C)", text.path) is not None
    ),
    "empty-segment": lambda text: text.has_empty_segment,
    "empty-scheme-part": lambda text: re.fullmatch("[^:/?#]+:(#.*)?", text.raw) is not None,
    "ftp-question": lambda text: text.head_scheme in ("ftp", "file") and "?" in text.raw,
    "ftp-type": lambda text: text.head_scheme == "ftp" and ";type=" in text.paths,
    "prospero-fields": lambda text: text.head_scheme == "prospero" and ";" in text.paths,
    "mailto-address": lambda text: text.scheme.lower() == "mailto",
    "gopher-parts": lambda text: text.head_scheme == "gopher",
    "opaque-query": lambda text: bool(text.scheme) and _has_opaque_query(text),
    "colon-digits": _has_colon_and_digits,
}

#: What a library may refuse in an authority, although the RFC accepts it.
_ODD_AUTHORITY = (
    "several-ats",
    "login-delimiter",
    "ipv6-literal",
    "ipv4-range",
    "ipv4-forms",
    "escape-in-host",
    "non-ascii",
    "file-drive",
    "empty-host",
    "trailing-dot",
    "host-label",
    "empty-port",
    "port-digits",
)

#: What a library may refuse in a text, although the RFC accepts it, besides the differences of the RFCs.
_ODD = (
    *_ODD_AUTHORITY,
    *_UNLISTED,
    "scheme-first-char",
    "relative-reference",
    "file-host",
    "slash-count",
    "same-scheme",
    "rootless",
    "empty-scheme-part",
    "pathless-base",
    "query-only",
    "network-path",
    "excess-dotdot",
    "double-slash",
    "userinfo-not-allowed",
    "scheme-case",
)

#: Classes that say how a reference looks. A library seldom refuses a reference for that, so that other things
#: in it, or in its base, are more likely reasons.
_FORMS_OF_REFERENCES = frozenset(("query-only", "empty-reference", "lone-hash"))

#: The classes of which all texts look alike. A library that accepts one of them does not refuse another one
#: with the same scheme because of its class.
_OF_ONE_FORM = frozenset(
    (
        *("scheme-characters", "unknown-scheme"),
        *("relative-reference", "network-path", "query-only", "empty-reference", "pathless-base"),
        *("lone-hash", "fragment", "tilde", "search-slash", "userinfo-not-allowed"),
        *("trailing-dot", "empty-port", "empty-component"),
    )
)

#: The manners in which a library without a notion of the scheme may differ in the other components.
_WITHOUT_SCHEME = frozenset(
    (Manner.NO_AUTHORITY, Manner.NEW_AUTHORITY, Manner.LOST, Manner.SLASH, Manner.OTHER)
)

#: The most groups of an IPv4 address.
_IPV4_GROUPS = 4

#: Other characters than those of names, empty labels, hyphens at the ends of labels, and too long names.
_ODD_NAME = re.compile(r"[^a-z0-9.:\[\]\x80-\U0010ffff-]|\.\.|^[.-]|-$|-\.|\.-|[^.]{64}|.{254}")


def _is_odd_name(host: str) -> bool:
    """Return True if DNS does not allow a name: other characters, empty labels, or too long.

    A triplet stands for a character that it allows.
    """
    name = re.sub("%[0-9a-f]{2}", "a", host.lower()).removesuffix(".")
    return _ODD_NAME.search(name) is not None


def _is_ipv4_for_c_only(host: str) -> bool:
    """Return True if programs in C read a host as an IPv4 address, but RFC 3986 does not."""
    name = host.removesuffix(".")  # the dot has a class of its own
    groups = name.lower().split(".")
    are_numbers = all(re.fullmatch("0x[0-9a-f]*|[0-9]+", group) for group in groups)
    if len(groups) > _IPV4_GROUPS or not are_numbers:
        return False
    return SPECIFICATIONS["rfc3986"].problem(name, "IPv4address") is not None


def _has_octal_group(text: _Text) -> bool:
    """Return True if programs in C read a group of the host as an octal number."""
    host = text.host or ""
    return _is_ipv4_for_c_only(host) and re.search("(^|[.])0[0-9]", host) is not None


def _ends_in_a_number(text: _Text) -> bool:
    """Return True if the last label of a host has only digits, but the host is no IPv4 address of RFC 3986.

    A dot at the end of the host does not count.
    """
    host = (text.host or "").removesuffix(".")
    if re.search("(^|[.])[0-9]+$", host) is None:
        return False
    return SPECIFICATIONS["rfc3986"].problem(host, "IPv4address") is not None


def _is_dotted_quad(host: str) -> bool:
    """Return True if a host has four decimal numbers, which may be larger than 255."""
    return re.fullmatch("[0-9]+([.][0-9]+){3}[.]?", host) is not None


#: What else a library may refuse in a text, or in its base, although the RFC accepts it.
_ODD_TO_LIBRARIES: _Forms = {
    "scheme-characters": _LAST["scheme-characters"],
    "unknown-scheme": _LAST["unknown-scheme"],
    "scheme-rule": _LAST["scheme-rule"],
    # browsers read a host whose last label is a number as an address, and refuse it
    "ipv4-forms": _ends_in_a_number,
    # a scheme with neither an authority nor a path before its query
    "opaque-query": lambda text: bool(text.scheme) and not text.path and _has_opaque_query(text),
    # a library may know the scheme, and its syntax
    "mailto-address": lambda text: text.scheme.lower() == "mailto",
    # two hyphens there are reserved for labels such as xn--tda (RFC 5891, section 4.2.3.1)
    "host-label": lambda text: text.in_host("(^|[.])(?!xn)..--"),
    "slash-count": lambda text: _ODD_SLASHES.match((text.base or "").lower()) is not None,
    # the user of a network path gets the scheme of the base
    "userinfo-not-allowed": lambda text: text.userinfo is not None and text.target_scheme in HOST_ONLY,
    # the scheme may be that of the base
    "file-host": lambda text: text.target_scheme == "file",
    # a base should have no fragment (RFC 3986, sections 4.3 and 5.1)
    "fragment": lambda text: "#" in (text.base or ""),
}


# ---- the class of a difference


def _has_path_like_authority(vector: Vector) -> bool:
    """Return True if the path of a question to recompose begins with two slashes, without an authority."""
    components = vector.components
    if not isinstance(components, Mapping) or components.get("authority") or components.get("host"):
        return False
    path = components.get("path")
    return isinstance(path, str) and path.startswith("//")


def _class_of_values(
    texts: Sequence[_Text],
    component: str,
    values: ValuePair,
    reasons: Sequence[str],
    *,
    scheme: bool,
    named: str | None,
) -> str | None:
    """Return the class of the manner in which two values differ, or None.

    `scheme` is True if the schemes in the answers differ, too. `named` is the class that a person gave to the
    question, which counts if it is a class of the manner. `reasons` are the classes by which the RFCs differ.
    """
    manner = values.manner
    if scheme and (component == "scheme" or manner in _WITHOUT_SCHEME):
        entry = _class_of_unseen_scheme(texts, component, values, reasons)
        if entry is not None:
            return entry
    if manner is Manner.UNDIVIDED or (component == "host" and manner is Manner.LOST):
        return _class_of_lost_host(texts, values, reasons, named)
    if manner is Manner.NEW_AUTHORITY and not any(_has_text_of_host(text, values) for text in texts):
        return None  # the library invents a host
    class_of_end = _class_of_end(texts, component, values)
    if class_of_end is not None:
        return class_of_end
    if manner is Manner.SAME_TARGET and any(map(_has_octal_group, texts)):
        return named if named in ("ipv4-forms", "ipv4-range") else "ipv4-forms"
    fitting = _fitting_classes_of_manner(texts, component, values, reasons)
    if named in fitting:
        return named
    return fitting[0] if fitting else None


def _fitting_classes_of_manner(
    texts: Sequence[_Text], component: str, values: ValuePair, reasons: Sequence[str]
) -> Sequence[str]:
    """Return the classes of the manner in which two values differ that fit the texts, the best one first."""
    source = texts[0].part(component)
    possible = [
        entry
        for entry in classes_of(component, values, source)
        if _may_explain(entry, component, texts, values)
    ]
    if values.manner is Manner.TRIPLETS and component != "host":
        return possible  # they come from the characters that differ, so nothing is left to test
    return list(_fitting_classes(possible, texts, reasons))


def _loses_slash_of_ftp(text: _Text, values: ValuePair) -> bool:
    """Return True if one of two paths has no slash at its beginning, which is no part of an FTP path.

    So it is in RFC 1738, section 3.2.2. Libraries that follow it do so whatever is before the slash.
    """
    if values.manner is not Manner.SLASH or text.target_scheme != "ftp" or not text.path.startswith("/"):
        return False
    return not all((path or "").startswith("/") for path in (values.first, values.second))


def _class_of_unseen_scheme(
    texts: Sequence[_Text], component: str, values: ValuePair, reasons: Sequence[str]
) -> str | None:
    """Return the class of a difference that comes from a scheme that one library does not see, or None.

    If no other class fits and one text is relative, return `relative-reference`.
    """
    if component == "scheme" and any(_is_segment_with_colon(text, values) for text in texts):
        return "colon-in-segment"
    if component == "scheme" and any(_is_segment_with_colon(text, values, colon="%3a") for text in texts):
        return "encoded-delimiter"
    entry = next(_fitting_classes((*_UNLISTED, "scheme-first-char"), texts, reasons), None)
    if entry in _UNLISTED and any(text.userinfo and text.host == "" for text in texts):
        return "empty-host"  # user information before an empty host is odd, whatever the scheme is
    if entry is None and any(text.relative for text in texts):
        return "relative-reference"
    return entry


def _class_of_known_scheme(texts: Sequence[_Text], entry: str | None, excluded: frozenset[str]) -> str | None:
    """Return the class of a difference in a scheme that a library shows elsewhere, or None.

    `entry` is the class as far as nothing is known of the library. If it does not name what the difference
    comes from, a rootless base may be that.
    """
    if entry in ("colon-in-segment", "encoded-delimiter", "scheme-case"):
        return entry
    is_rootless = any(text.has_rootless_base for text in texts)
    if is_rootless and "rootless" not in excluded:
        return "rootless"
    return None if entry in excluded else entry


def _is_segment_with_colon(text: _Text, values: ValuePair, *, colon: str = ":") -> bool:
    """Return True if one of two answers takes the beginning of a relative path for a scheme.

    `colon` is what follows it in the text.
    """
    if not text.relative or text.host is not None or text.path.startswith("/"):
        return False
    beginnings = tuple(f"{scheme.lower()}{colon}" for scheme in (values.first, values.second) if scheme)
    return any(segment.startswith(beginnings) for segment in _possible_first_segments(text.path.lower()))


def _possible_first_segments(path: str) -> Sequence[str]:
    """Return the segments of a path, or only the first one if no `..` can make another one the first."""
    segments = [segment for segment in path.split("/") if segment != "."]
    return segments if ".." in segments else segments[:1]


def _takes_digits_for_port(texts: Sequence[_Text], component: str, values: ValuePair) -> bool:
    """Return True if an answer has a host because it takes a colon and digits for a port.

    The host is then what the target begins with: its scheme, or its first segment.
    """
    if component != "host" or values.manner not in _WITHOUT_SCHEME:
        return False
    for text in filter(_has_colon_and_digits, texts):
        first_segment = text.path.partition("/")[0].partition(":")[0]
        beginnings = {text.scheme, text.base_scheme, first_segment} - {"", text.base_host}
        if not beginnings.isdisjoint({values.first, values.second}):
            return True
    return False


#: A slash as a triplet.
_ENCODED_SLASH = re.compile("%2[Ff]")

#: A drive letter as the end of a path.
_DRIVE = re.compile("/?[A-Za-z][:|]/?")


def _merges_below_empty_host(text: _Text) -> bool:
    """Return True if a reference is merged with a base that has an empty host and no path."""
    return text.merges and text.base_host == "" and not text.base_path


def _class_of_end(texts: Sequence[_Text], component: str, values: ValuePair) -> str | None:
    """Return the class of what only one of two values has at an end, if that alone names it, or None."""
    if component == "path" and _DRIVE.fullmatch(values.rest) is not None:
        return "file-drive"
    if component == "path" and any(_is_resolved_after_decoding(text, values) for text in texts):
        return "encoded-delimiter"
    if component == "path" and values.manner is Manner.SLASH and any(map(_merges_below_empty_host, texts)):
        return "empty-host"  # it is what the slash before a reference comes from (RFC 3986, 5.2.3)
    return _class_of_host_alone(texts, values) if component == "host" else None


def _class_of_host_alone(texts: Sequence[_Text], values: ValuePair) -> str | None:
    """Return the class of two hosts if what one of them is alone names it, or None."""
    if values.manner is Manner.NEW_AUTHORITY and any(map(_may_gain_authority, texts)):
        return "double-slash"
    if any(_is_merged_into_host(text, values) for text in texts):
        return "pathless-base"
    if values.manner is not Manner.OTHER:
        return None
    return next(filter(None, (_class_of_other_host(text, values) for text in texts)), None)


def _class_of_other_host(text: _Text, values: ValuePair) -> str | None:
    """Return the class of two unlike hosts if one of them alone names it, or None."""
    hosts = (values.first or "", values.second or "")
    is_from_base = text.base_host is not None and text.base_host.lower() in hosts
    if is_from_base and text.raw.startswith("//"):
        return "network-path"
    if any(host.startswith("//") for host in hosts):  # all after the colon is one part for the library
        return _class_of_odd_scheme(text)
    has_more_than_host = text.authority.lower() != (text.host or "").lower()
    if text.target_scheme == "file" and has_more_than_host and text.authority.lower() in hosts:
        return "file-host"  # such a URL has neither a user nor a port (RFC 1738, section 3.10)
    first_segment, *_ = without_dots(text.path).lstrip("/").split("/")
    if first_segment.lower() in hosts and _climbs_too_high(text):
        return "excess-dotdot"  # the dots have removed the authority
    return None


def _is_resolved_after_decoding(text: _Text, values: ValuePair) -> bool:
    """Return True if one of two paths is that of a target for which `%2F` was taken for a slash.

    Libraries that decode it may remove the dot segments of the base, too (RFC 3986, section 5.2.1).
    """
    if text.base is None or "%2f" not in text.paths.lower():
        return False
    base = _ENCODED_SLASH.sub("/", text.base)
    reference = _ENCODED_SLASH.sub("/", text.raw)
    # a path that the RFC gives, too, does not show that anything was decoded
    paths = _target_paths(base, reference) - _target_paths(text.base, text.raw)
    return not paths.isdisjoint((values.first, values.second))


def _target_paths(base: str, reference: str) -> set[str | None]:
    """Return the paths of the targets that RFC 3986 admits, or none if a text is invalid."""
    try:
        target = resolutions(base, reference, "rfc3986")
    except InvalidURL:
        return set()
    targets = [target.text, *(alternative.text for alternative in target.also)]
    return {split(text)["path"] for text in targets if text is not None}


def _is_merged_into_host(text: _Text, values: ValuePair) -> bool:
    """Return True if a library appends a reference to the host of a base without a path.

    Or it takes the beginning of the reference for the host.
    """
    if not text.merges or not _TESTS["pathless-base"](text):
        return False
    if values.rest:
        return text.raw.startswith(values.rest)
    first_segment = text.path.partition("/")[0]
    return bool(first_segment) and first_segment in (values.first, values.second)


def _class_of_lost_host(
    texts: Sequence[_Text], values: ValuePair, reasons: Sequence[str], named: str | None
) -> str | None:
    """Return the class of a host that one library does not find, or does not divide from its authority.

    It is that of what is unusual in the texts: the class that a person `named`, or the only one, or None.
    """
    if any(_ends_at_backslash(text, values) for text in texts):
        return "backslash"
    if any(_loses_localhost(text, values) for text in texts):
        return "file-host"
    unusual = _oddities_of_host(texts, values.manner, reasons)
    may_hide = set(unusual) - {"escape-in-host", "host-label", "trailing-dot", "empty-port"}
    if may_hide == {"ipv6-literal"} and _has_stray_bracket(texts):
        return "ipv6-literal"  # of what is unusual in the host, RFC 3986 refuses this first
    return _named_or_only(unusual, named)


def _ends_at_backslash(text: _Text, values: ValuePair) -> bool:
    """Return True if the only host of two answers is all that is before a backslash in an authority."""
    before_backslash, backslash, _ = text.authority.partition("\\")
    if not backslash or not before_backslash:
        return False
    return ascii_lower(before_backslash) == ascii_lower(values.first or values.second or "")


def _loses_localhost(text: _Text, values: ValuePair) -> bool:
    """Return True if the only host of two answers is the localhost of a file URL.

    It may be left out, by which an empty host remains (RFC 1738, section 3.10).
    """
    host = values.first or values.second or ""
    return text.target_scheme == "file" and values.manner is Manner.LOST and host.lower() == "localhost"


def _oddities_of_host(texts: Sequence[_Text], manner: Manner, reasons: Sequence[str]) -> Sequence[str]:
    """Return the classes for which a library may not find a host, of the most likely kind that there is."""
    odd_characters = list(_fitting_classes(_ODD_CHARACTERS, texts, reasons))
    if odd_characters:
        return odd_characters  # a label is odd only because of such a character
    oddities = _oddities_of_authority(texts, manner, reasons)
    if oddities:
        return oddities
    if "host-label" in reasons:  # a last label that begins with a digit (RFC 2396, 3.2.2)
        return ["host-label"]
    if any(text.target_scheme == "file" for text in texts):
        return ["file-host"]
    if any(text.reference for text in texts):
        return list(_fitting_classes(sorted(_FORMS_OF_REFERENCES), texts, reasons))
    return []


def _oddities_of_authority(texts: Sequence[_Text], manner: Manner, reasons: Sequence[str]) -> Sequence[str]:
    """Return the classes of what is unusual in authorities, or before one that a library does not see."""
    odd: Sequence[str] = _ODD_AUTHORITY
    if manner is Manner.LOST:
        odd = (*_ODD_AUTHORITY, *_UNLISTED, "relative-reference")
    oddities = list(_fitting_classes(odd, texts, reasons))
    if "trailing-dot" in oddities and any(map(_ends_in_a_number, texts)):
        oddities.append("ipv4-forms")  # the number may be the reason, with or without the dot
    if "file-drive" in oddities:  # the drive is what looks like a host, and the host is empty beside it
        oddities = [entry for entry in oddities if entry not in ("empty-host", "file-host")]
    if "empty-host" not in oddities and any(text.userinfo == "" for text in texts):
        oddities.append("empty-component")
    return oddities


def _has_stray_bracket(texts: Sequence[_Text]) -> bool:
    """Return True if RFC 3986 refuses a text for a bracket in its host."""
    for text in texts:
        for problem in text.problems():
            is_at_bracket = problem.text.startswith(("[", "]"), problem.position)
            if is_at_bracket and _class_of_fault(problem) == "ipv6-literal":
                return True
    return False


#: Dot segments before a slash. A library that only drops them makes an authority of what follows.
_DOTS_BEFORE_SLASHES = re.compile(r"/?(?:[.]{1,2}/)+/")


def _may_gain_authority(text: _Text) -> bool:
    """Return True if a library that removes dots, or only drops them, may read the path as an authority."""
    if text.base_host:  # a new host may be that of the base; see the class `same-scheme`
        return False
    is_dropped_to_slashes = not text.has_authority and _DOTS_BEFORE_SLASHES.match(text.path) is not None
    return text.leaves_two_slashes or is_dropped_to_slashes


def _has_text_of_host(text: _Text, values: ValuePair) -> bool:
    """Return True if the only host of two answers is written in a text or its base; see `_contains_host`."""
    host = values.first or values.second or ""
    return _contains_host(f"{text.base or ''}{text.raw}", host)


#: Delimiters around a host in a text.
_AROUND_HOST = re.compile(r"[/\\?#@:\s]+")


def _contains_host(text: str, host: str) -> bool:
    """Return True if a host is written in a text, perhaps in triplets, or in another form of its target."""
    if unquote(host).lower() in unquote(text).lower():
        return True
    words = filter(None, _AROUND_HOST.split(text))
    return any(host_target(word) == host_target(host) for word in words)


def _may_explain(entry: str, component: str, texts: Sequence[_Text], values: ValuePair) -> bool:
    """Return True if a class that belongs to the manner of a difference may be the reason for it."""
    if component == "host" and values.manner is Manner.OTHER:
        return _may_explain_other_host(entry, texts, values)
    if component == "host" and values.manner is Manner.LOGIN and entry == "login-delimiter":
        # a decoded `@` of the host ends the user information, whatever is in that
        return not any("%40" in (text.host or "") for text in texts)
    if component == "path" and values.manner is Manner.OTHER and entry in ("encoded-dots", "dots-elsewhere"):
        return _differ_in_dots(entry, values.first or "", values.second or "")
    if entry == "userinfo-not-allowed" and component == "userinfo":
        return not any(_has_undecodable_userinfo(text) for text in texts)
    is_about_ftp = component == "path" and entry == "slash-count"
    return not (is_about_ftp and any(_loses_slash_of_ftp(text, values) for text in texts))


def _differ_in_dots(entry: str, path: str, other_path: str) -> bool:
    """Return True if dots, or encoded dots, as a class says, may be what two unlike paths differ in.

    They are not if both paths have them, or if only one of the paths begins with an authority.
    """
    if path.startswith("//") is not other_path.startswith("//"):
        return False
    dot = "%2e" if entry == "encoded-dots" else "."
    count = path.lower().count(dot)
    return count == 0 or count != other_path.lower().count(dot)


def _has_undecodable_userinfo(text: _Text) -> bool:
    """Return True if triplets of the user information are no UTF-8, for which a library may not show it."""
    try:
        unquote(text.userinfo or "", errors="strict")
    except UnicodeDecodeError:
        return True
    return False


def _may_explain_other_host(entry: str, texts: Sequence[_Text], values: ValuePair) -> bool:
    """Return True if a class can be the reason for two unlike hosts.

    Those of delimiters move the end of the userinfo, too; those of a base put its host into one answer. A
    backslash that one library takes for a slash ends its host, or the other one has it in its host.
    """
    if entry == "backslash":
        hosts = (values.first or "", values.second or "")
        return any(_depends_on_backslash(host, text) for host in hosts for text in texts)
    if entry in ("several-ats", "login-delimiter"):
        return "userinfo" in values.components
    if entry in ("network-path", "same-scheme"):
        return any(text.base_host in (values.first, values.second) for text in texts)
    return True


def _depends_on_backslash(host: str, text: _Text) -> bool:
    """Return True if a host contains a backslash, or is before one in the text."""
    before_backslash = text.head.partition("\\")[0]
    return "\\" in host or _contains_host(before_backslash, host)


def _fitting_classes(entries: Iterable[str], texts: Sequence[_Text], reasons: Sequence[str]) -> Iterator[str]:
    """Yield the classes of which a text has the form. A class without a test must be one of the `reasons`."""
    for entry in entries:
        has_form = _TESTS.get(entry)
        fits = entry in reasons if has_form is None else any(map(has_form, texts))
        if fits:
            yield entry


def _named_or_only(fitting: Sequence[str], named: str | None) -> str | None:
    """Return the class that a person named if it fits, or the only one, or None if there are several."""
    if named in fitting:
        return named
    return fitting[0] if len(fitting) == 1 else None


def _class_of_first_fault(problems: Iterable[InvalidURL], named: str | None) -> str | None:
    """Return the class of a difference in the verdict on texts that RFC 3986 refuses.

    It is that of the first fault, or `named` if no class of a fault fits.
    """
    # a delimiter of running text or a bar of a drive is the first wrong character there
    if named in ("url-wrapper", "file-drive"):
        return named
    return next(filter(None, map(_class_of_fault, problems)), named)


def _class_of_valid_text(
    texts: Sequence[_Text], reasons: Sequence[str], named: str | None, subject: str | None
) -> str | None:
    """Return the class of a difference in the verdict on texts that RFC 3986 accepts, or None.

    A library may refuse whatever is unusual in them. If that is more than one thing, its answer does not show
    the reason, unless the question was written for one of them: for the class that a person `named`, or for
    the only one about the `subject`.
    """
    unusual = _oddities_of_valid_text(texts, reasons)
    likely_name = _likely_name(texts, unusual, named)
    if "double-slash" in (*unusual, likely_name):  # the RFC leaves open what to do with such a target
        return "double-slash"
    has_unnamed_oddity = any(map(_has_unnamed_oddity, texts))
    if not unusual and not has_unnamed_oddity:
        unusual = frozenset(entry for entry in _BROAD if entry in reasons)
    if likely_name in unusual - _FORMS_OF_REFERENCES:
        return likely_name
    if has_unnamed_oddity:
        return None
    if subject in AUTHORITY:
        about_subject = [entry for entry in unusual if subject in _EXPLAINED.get(entry, frozenset())]
        if len(about_subject) == 1:
            return about_subject[0]
    # some libraries know http only, so that another scheme may be the reason
    may_be_scheme = any(text.target_scheme in ("ftp", "file", "ws", "wss") for text in texts)
    if may_be_scheme or len(unusual) != 1:
        return None
    (only_oddity,) = unusual
    return only_oddity


def _oddities_of_valid_text(texts: Sequence[_Text], reasons: Sequence[str]) -> frozenset[str]:
    """Return the classes of what is unusual in texts that RFC 3986 accepts, without those of `_BROAD`."""
    unusual = set(_fitting_classes(_ODD, texts, reasons))
    unusual.update(entry for entry in reasons if entry not in _BROAD)
    unusual.update(_entries_with_form(_ODD_TO_LIBRARIES, texts))
    if "file-drive" in unusual:
        unusual -= {"empty-host", "file-host"}
    return frozenset(unusual)


def _likely_name(texts: Sequence[_Text], unusual: Collection[str], named: str | None) -> str | None:
    """Return the class that a person named for a valid question, or a likelier one, or None."""
    if named == "file-host" and "userinfo-not-allowed" in unusual:
        return "userinfo-not-allowed"  # every file URL has the form of the other one, and few have a user
    if named == "double-slash" and any(text.inherits_authority for text in texts):
        return None  # after an authority, two slashes are a path as any other
    return named


#: The schemes with an authority like that of http that RFC 1738 does not have.
_LATER_SCHEMES = frozenset(("https", "ws", "wss"))


def _has_unnamed_oddity(text: _Text) -> bool:
    """Return True if a text has what a library may refuse, but what is no named difference of the RFCs.

    That is user information with a scheme like http that RFC 1738 does not have, or a path that begins with
    an asterisk, which is the name of all groups after `news:` only.
    """
    if text.scheme and text.path.startswith("*") and text.target_scheme != "news":
        return True
    return text.userinfo is not None and (text.head_scheme or text.target_scheme) in _LATER_SCHEMES


def _class_of_fault(problem: InvalidURL) -> str | None:
    """Return the class of the first fault of a text, or None."""
    before = problem.text[: problem.position]
    rest = problem.text[problem.position :]
    character = rest[:1]
    if re.search("%[0-9A-Fa-f]?$", before):
        return "bad-escape"
    for name in ("backslash", "control-character", "white-space", "non-ascii", "unsafe-character"):
        if CHARACTERS[name](character):
            return name
    authority = re.fullmatch("(?:[^:/?#]+:)?//([^/?#]*)", before)
    if authority is not None:
        # it may also end too early: in brackets, or where what follows a colon has been no user information
        rest_of_authority = re.split("[/?#]", rest, maxsplit=1)[0]
        return _class_of_authority_fault(authority[1], rest_of_authority)
    if character == ":" and re.search("[:/?#]", before) is None:
        like_scheme = re.fullmatch("[A-Za-z0-9+.-]+", before) is not None
        return "scheme-first-char" if like_scheme else "colon-in-segment"
    return {"[": "bracket", "]": "bracket", "#": "second-hash"}.get(character)


def _class_of_authority_fault(before: str, rest: str) -> str | None:
    """Return the class of the first fault of an authority, or None.

    `before` is the authority before the fault, and `rest` the authority from the fault on.
    """
    starts_with_bracket = rest.startswith(("[", "]"))
    if _is_in_brackets(before):
        return "zone-id" if has_zone(before + rest) else "ipv6-literal"
    if rest.startswith("@"):
        return "several-ats"
    if "@" in rest and starts_with_bracket:  # the bracket is in the userinfo, which has no address
        return "bracket"
    if "@" in rest and "@" in before:  # what is no port is user information if the last `@` ends it
        return "several-ats"
    _, _, host_and_port = f"{before}{rest}".rpartition("@")
    if _is_bare_ipv6(host_and_port):
        return "ipv6-literal"
    _, _, host_and_port_before = before.rpartition("@")
    if starts_with_bracket or host_and_port_before.endswith("]"):
        return "ipv6-literal"
    return "port-digits" if ":" in host_and_port_before else None


def _is_in_brackets(before: str) -> bool:
    """Return True if the text before a fault opens a bracket that it does not close."""
    return before.rfind("[") > before.rfind("]")


def _class_of_comparison(
    texts: Sequence[_Text], text: str, second: str, reasons: Sequence[str]
) -> str | None:
    """Return the class of the components in which two compared texts differ, if it is the same for all."""
    if _compares_drive_with_host(text, second):
        return "file-drive"
    parts = split(text)
    second_parts = split(second)
    entries = set()
    for component in COMPONENTS:
        if parts[component] != second_parts[component]:
            values = compare_texts(component, parts[component], second_parts[component])
            entries.add(_class_of_values(texts, component, values, reasons, scheme=False, named=None))
    if parts["scheme"] != second_parts["scheme"] and any(map(_has_odd_scheme, texts)):
        entries.add("scheme-characters")  # the signs in it may be the reason, too
    return entries.pop() if len(entries) == 1 else None


#: A URL of a drive: the slashes before its letter, and what begins with the letter.
_URL_OF_DRIVE = re.compile("(?i:file):(?P<slashes>/*)(?P<drive>[A-Za-z][:|].*)", re.DOTALL)


def _compares_drive_with_host(text: str, second: str) -> bool:
    """Return True if two URLs differ only in whether a drive letter is the host or in the path."""
    match = _URL_OF_DRIVE.fullmatch(text)
    second_match = _URL_OF_DRIVE.fullmatch(second)
    if match is None or second_match is None or match["drive"] != second_match["drive"]:
        return False
    return (match["slashes"] == "//") is not (second_match["slashes"] == "//")


def _candidates(
    texts: Sequence[_Text], component: str, reasons: Sequence[str], *, scheme: bool, named: str | None
) -> Iterator[str | None]:
    """Yield the classes of a difference, the best one first, and None where none is found.

    `reasons` are the classes by which the RFCs differ.
    """
    if scheme:
        yield from map(_class_of_odd_scheme, texts)
    if named is not None:
        yield _first_explaining([named], component, texts)
    for text in texts:
        yield _class_of_character(text, component)
    yield next(_entries_with_form(_REFERENCES, texts), None)
    yield next(_entries_with_form(_FORMS.get(component, {}), texts), None)
    narrow_reasons = [entry for entry in reasons if entry not in _BROAD]
    yield _first_explaining(narrow_reasons, component, texts)
    broad_reasons = [entry for entry in _BROAD if entry in reasons]
    yield _first_explaining(broad_reasons, component, texts)
    if component == OTHER:
        for forms in _FORMS.values():
            yield _first_explaining(_entries_with_form(forms, texts), component, texts)
    yield _first_explaining(_entries_with_form(_LAST, texts), component, texts)


def _first_explaining(entries: Iterable[str], component: str, texts: Sequence[_Text]) -> str | None:
    """Return the first class that can be the reason for a difference in a component, or None."""
    for entry in entries:
        if any(_explains(entry, component, text) for text in texts):
            return entry
    return None


def _classified_component(component: str) -> str:
    """Return the component of RFC 3986 to which a component belongs; those of old RFCs belong to the path."""
    if component in (VERDICT, OTHER):
        return component
    general = general_component("host" if component == "authority" else component)
    return general if general in BY_HARM else "path"


def _reasons(text: str, base: str | None, second: str | None) -> list[str]:
    """Return the classes by which the RFCs differ about a question.

    With a base, it is about a resolution; with a second text that is not empty, about an equivalence;
    otherwise, about a split.
    """
    if base is not None:
        return ids_of_classes(compare_resolutions(base, text))
    if second:
        return ids_of_classes(compare_equivalence(text, second))
    return ids_of_classes(compare_splits(text))


def _known_part(text: str) -> str:
    """Return a text, or of an abbreviation its beginning, without a triplet cut in two."""
    if not is_abbreviation(text):
        return text
    # the end of an abbreviation has the length and the hash, also of bytes
    beginning, _, _ = text.rpartition("… (")
    return without_cut_triplet(beginning)


def _entries_with_form(forms: _Forms, texts: Sequence[_Text]) -> Iterator[str]:
    """Yield the classes of a table of which a text has the form."""
    return (entry for entry, has_form in forms.items() if any(map(has_form, texts)))
