"""The table of specifications: what the harness and the authors' tools know about each RFC.

An RFC is data here. Code asks for a fact, such as `facts(spec).params`, and never compares the name of an
RFC, so that a new RFC is a new entry of `SPECS` (docs/adding-an-rfc.md). What an RFC says about texts, that
is, its grammar and its algorithms, is in the oracle. The facts that both need are in both, because a run of
vectors does not load the oracle; a test compares them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from typing import Annotated

import msgspec

from urlharness.wording import rfc, rfcs

#: The identifier of a specification. `check_specs` raises ValueError if there is none.
Spec = Annotated[str, msgspec.Meta(pattern="^rfc[0-9]+$")]

#: The RFC of questions that name none, and the RFC whose components the other RFCs are compared by.
DEFAULT_SPEC = "rfc3986"

#: The RFCs that every adapter is asked about. This list never grows: an adapter is asked about another RFC
#: only if it claims that RFC, so an RFC that is new in the table changes nothing for an older adapter.
DEFAULT_SPECS = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")


@dataclass(frozen=True, kw_only=True)
class SpecificationFacts:
    """The facts that the harness knows about an RFC.

    Identity:

    - `id`: its identifier
    - `obsoletes`, `updates`: the RFCs that it replaces, and that it changes
    - `amends`: the RFC of which it changes only a part. Everything else that holds of that RFC holds of it.

    Rules:

    - `default_rule`: the rule of whole texts
    - `absolute_rule`: the rule of texts with a scheme and without a fragment
    - `relative_rule`: the rule of texts without a scheme, or None if there are no relative references
    - `narrower_rule`: a rule that derives fewer texts than the default rule, and a text that only the default
      rule derives
    - `whole_rules`: the rules of whole texts. Every other rule is a lesser rule.
    - `added_rules`: maps each rule that this project added to the grammar, or to the overlay of the split
      tables, to the rule of the RFC that it is a part or reading of. Vectors name only rules of the RFC.
    - `suites`: the rules of whole texts for which tests are generated
    - `by_scheme`: the rule that has one alternative for each scheme, if schemes have rules of their own
    - `unknown_scheme`: in this case, the rule for every other scheme

    Operations:

    - `sections`: maps each operation that it defines, besides validate and parse, to the section
    - `reference_section`: the section that says which texts have no scheme, if it has one of its own
    - `step_sections`: maps the steps of a resolution, `target`, `merge` and `dots`, to their sections, if
      each has one of its own
    - `parse_section`: the section that defines the components
    - `base_header`: the section that defines a header for the base, if one does
    - `mode_sections`: maps each mode of normalization and comparison to its section, if it has one of its own

    Components:

    - `components`: maps its components to the component of RFC 3986 that contains each, or to None

    Properties of texts and algorithms:

    - `iris`: its texts are IRIs. Of a text of ASCII it says what RFC 3986 says, so its answer is shown beside
      those of the other RFCs only if a text has other characters, and it excuses no answer about URLs.
    - `empty_is_absent`: an empty component may be given as an absent one
    - `absent_paths`: a path can be absent, not only empty
    - `ip_literals`: a host can be an address in brackets
    - `opaque_parts`: a text with a scheme may have no path but an opaque part
    - `query_drops_segment`: a reference that is only a query drops the last segment of the base path
    - `letter_begins_scheme`: a scheme begins with a letter, so other text before a colon is no scheme
    - `question_mark_in_location`: a question mark does not end the network location
    - `empty_segments`: a segment of a path can be empty
    - `capitals_refusable`: a program may refuse capital letters in a scheme
    - `removes_dots`: resolution removes the dot segments of every path, that of an absolute reference too
    - `safe_tilde`: the tilde is allowed without an encoding
    - `registry_names`: an authority can be a name of a registry, which has neither userinfo nor host nor port
    - `gained_authority`: the ruling that leaves open a result whose path reads as an authority
    - `opaque_base`: the ruling that leaves open what becomes of a relative reference if the base is opaque
    - `unsuitable_schemes`: maps each scheme that no base may have to the ruling that leaves open what becomes
      of a relative reference then
    - `second_hash`: the ruling that admits the components of a text with a second number sign, which no rule
      derives
    - `lone_hash`: the rulings on what becomes of a reference that is a number sign alone
    - `own_rules`: the ruling by which a text of a scheme with a rule of its own has to follow that rule, if
      the grammar also derives it as one of an unknown scheme
    - `undivided`: the rulings by which everything after the scheme is one component if it begins with two
      slashes, but does not go on as a login
    - `unstated_equivalences`: the rulings and sections on steps of a comparison of which the RFC does not say
      that a program may take them or leave them out. The reference answers by their meaning, but another
      library is not right under the RFC because of them.
    - `untested_triplets`: the one of these by which two authorities are not compared if only triplets of
      unreserved characters make them differ

    The corpus:

    - `grammar_ids`: the beginning of the ids of its grammar requirements, after the id of the RFC
    - `printed`: the digest of the index of its paragraphs, which never changes, because an RFC never changes

    What combined vectors cite (`urlauthor.cover`). A statement is given by the id of its requirement, without
    the id of the RFC.

    - `statements`: maps each operation to the statements on its steps, by the name of the step; those under
      `part` are about parts of a text whose reading or refusal may rest on a ruling
    - `with_scheme`: maps each statement about paths that does not hold if there is a scheme to one that does
    - `without_scheme`: the opposite of `with_scheme`
    - `rulings`: maps each open question, such as `dots-kept`, to the ruling that decides it

    The code of the oracle, which the tools of the corpus' authors change to see what vectors notice:

    - `resolution_functions`: the functions of the resolution, as `module.function` in `urloracle.rfc`
    - `ladder`: the name of the steps of equivalence in `urloracle.rfc.equivalence`
    """

    id: str
    default_rule: str
    absolute_rule: str
    components: Mapping[str, str | None]
    obsoletes: tuple[str, ...] = ()
    updates: tuple[str, ...] = ()
    amends: str | None = None
    relative_rule: str | None = None
    narrower_rule: tuple[str, str] | None = None
    whole_rules: tuple[str, ...] = ()
    added_rules: Mapping[str, str] = field(default_factory=dict)
    suites: tuple[str, ...] = ()
    by_scheme: str | None = None
    unknown_scheme: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)
    reference_section: str = ""
    step_sections: Mapping[str, str] = field(default_factory=dict)
    parse_section: str = ""
    base_header: str | None = None
    mode_sections: Mapping[str, str] = field(default_factory=dict)
    iris: bool = False
    empty_is_absent: bool = False
    absent_paths: bool = False
    ip_literals: bool = False
    opaque_parts: bool = False
    query_drops_segment: bool = False
    registry_names: bool = False
    letter_begins_scheme: bool = False
    question_mark_in_location: bool = False
    empty_segments: bool = True
    capitals_refusable: bool = False
    removes_dots: bool = False
    safe_tilde: bool = True
    gained_authority: str | None = None
    opaque_base: str | None = None
    unsuitable_schemes: Mapping[str, str] = field(default_factory=dict)
    second_hash: str | None = None
    lone_hash: tuple[str, ...] = ()
    own_rules: str | None = None
    undivided: tuple[str, ...] = ()
    unstated_equivalences: frozenset[str] = frozenset()
    untested_triplets: str | None = None
    grammar_ids: str = ""
    printed: str = ""
    statements: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    with_scheme: Mapping[str, str] = field(default_factory=dict)
    without_scheme: Mapping[str, str] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    resolution_functions: tuple[str, ...] = ()
    ladder: str | None = None

    @property
    def title(self) -> str:
        """Its name for people, such as "RFC 3986"."""
        return rfc(self.id)

    @property
    def precedence(self) -> str:
        """A clause that names the RFCs that it obsoletes and updates, or "" if there are none."""
        clauses = []
        if self.obsoletes:
            clauses.append(f"obsoletes {rfcs(self.obsoletes)}")
        if self.updates:
            clauses.append(f"updates {rfcs(self.updates)}")
        return f"{self.title} {', and '.join(clauses)}" if clauses else ""

    @property
    def grammar_section(self) -> str:
        """The section of its grammar requirements."""
        return self.grammar_ids.partition("-")[0]

    @property
    def params(self) -> bool:
        """True if parameters are a component of their own."""
        return "params" in self.components

    @property
    def fragments(self) -> bool:
        """True if a fragment is a component."""
        return "fragment" in self.components

    @property
    def generic(self) -> bool:
        """True if its components are those of RFC 3986."""
        return self.components.keys() == GENERIC.keys()

    @cached_property
    def rules_of_any_scheme(self) -> frozenset[str]:
        """The rules of whole texts that are not for one scheme only."""
        general = {self.default_rule, self.absolute_rule, self.relative_rule or "", self.unknown_scheme}
        suites = () if self.by_scheme else self.suites
        return frozenset((*general, *suites)) - {""}

    @property
    def rules_of_whole_texts(self) -> frozenset[str]:
        """The rules of whole texts, of any scheme or of one."""
        return self.rules_of_any_scheme.union(self.suites)

    def rfc_rule(self, name: str) -> str:
        """Return the rule of the RFC that stands for a rule of the grammar or of the split tables."""
        return self.added_rules.get(name, name)

    def defines(self, operation: str) -> bool:
        """Return True if it defines an operation. Every RFC defines validate and parse."""
        return operation in ("validate", "parse") or operation in self.sections

    def component_for(self, counterpart: str) -> str:
        """Return its first component that stands for this component of RFC 3986, or else the latter."""
        for name, counterpart_of_name in self.components.items():
            if counterpart_of_name == counterpart:
                return name
        return counterpart


#: The components of RFC 3986.
GENERIC = {
    name: name for name in ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")
}

_SCHEME_RULES = (
    *("ftpurl", "httpurl", "gopherurl", "mailtourl", "newsurl", "nntpurl", "telneturl", "waisurl"),
    *("fileurl", "prosperourl"),
)
_PATHS_1738 = (
    *("fpath", "ftptype", "hpath", "gtype", "selector", "gopher+_string", "encoded822addr", "group"),
    *("article", "grouppart", "digits", "database", "wtype", "wpath", "ppath", "fieldspecs", "urlpath"),
)

_RFC1738 = SpecificationFacts(
    id="rfc1738",
    default_rule="url",
    absolute_rule="url",
    narrower_rule=("ftpurl", "http://h/"),
    whole_rules=("url", "genericurl", "otherurl", *_SCHEME_RULES, "waisdatabase", "waisindex", "waisdoc"),
    added_rules={
        "gopher-field": "selector",
        "gopher-search": "search",
        "no-tab": "selector",
        "file-host": "fileurl",
        "every": "grouppart",
        "fieldspecs": "fieldspec",
    },
    suites=_SCHEME_RULES,
    by_scheme="url",
    unknown_scheme="genericurl",
    sections={"equivalent": "2.2", "extract": "appendix", "decode": "3", "recompose": "5"},
    components={
        "scheme": "scheme",
        "user": "userinfo",
        "password": "userinfo",
        "host": "host",
        "port": "port",
        **dict.fromkeys(_PATHS_1738, "path"),
        **dict.fromkeys(("search", "query"), "query"),  # `query` in the reading of R-1738-12
        "schemepart": None,
    },
    absent_paths=True,
    question_mark_in_location=True,
    capitals_refusable=True,
    safe_tilde=False,
    own_rules="R-1738-01",
    undivided=("R-1738-02", "R-1738-06"),
    unstated_equivalences=frozenset(
        (
            "G-11",
            "R-1738-21",
            "R-1738-23",
            "R-1738-26",
            "R-1738-27",
            "R-1738-36",
            "section 3.1",
            "section 3.4.1",
        )
    ),
    untested_triplets="R-1738-36",
    grammar_ids="5-bnf-",
    printed="e8e990c7e0db",
    ladder="LADDER_1738",
)

_RFC1808 = SpecificationFacts(
    id="rfc1808",
    updates=("rfc1738",),
    default_rule="URL",
    absolute_rule="absoluteURL",
    relative_rule="relativeURL",
    narrower_rule=("absoluteURL", "a/b"),
    whole_rules=("URL", "absoluteURL", "generic-RL", "relativeURL"),
    added_rules={
        "from-root": "abs_path",
        "rooted": "abs_path",
        "no-location": "rel_path",
        "no-path": "rel_path",
        "lwsp": "base-header",
    },
    suites=("URL", "absoluteURL", "relativeURL"),
    sections={"resolve": "4", "base": "3", "recompose": "4"},
    base_header="3.1",
    components={
        "scheme": "scheme",
        "net_loc": "authority",
        "path": "path",
        "params": None,
        "query": "query",
        "fragment": "fragment",
    },
    empty_is_absent=True,
    question_mark_in_location=True,
    empty_segments=False,
    safe_tilde=False,
    gained_authority="R-1808-23",
    unsuitable_schemes=dict.fromkeys(("mailto", "news", "telnet"), "R-1808-18"),
    second_hash="R-1808-29",
    lone_hash=("R-1808-11",),
    grammar_ids="2.2-bnf-",
    printed="5389ffeb7a1c",
    statements={
        "resolve": {
            "nothing": "4-step2a",
            "scheme": "4-step2b",
            "authority": "4-step3",
            "rooted": "4-step4",
            "relative": "4-step6",
            "params": "4-step5a",
            "query": "4-step5b",
            "empty": "4-step5",
        },
        "recompose": dict.fromkeys(("scheme", "authority", "path", "params", "query", "fragment"), "4-step7"),
    },
    with_scheme={
        "2.4.2-other-character": "2.2-bnf-segment",
        "5.3-colon-escape": "2.2-bnf-segment",
    },
    rulings={"dots-kept": "R-1808-15"},
    resolution_functions=(
        "resolution.resolve_rfc1808",
        "resolution._transform_rfc1808",
        "resolution._directory",
        "resolution.remove_dots",
        "resolution._remove_or_keep",
        "recomposition.recompose_rfc1808",
    ),
)

_RFC2396 = SpecificationFacts(
    id="rfc2396",
    updates=("rfc1808", "rfc1738"),
    default_rule="URI-reference",
    absolute_rule="absoluteURI",
    relative_rule="relativeURI",
    # no rule of RFC 2396 has this name, but adapters use the names of RFC 3986 for both RFCs
    narrower_rule=("URI", "a/b"),
    whole_rules=("URI-reference", "absoluteURI", "relativeURI"),
    added_rules={"opaque_no_slash": "uric_no_slash", "no-path": "rel_path"},
    suites=("URI-reference", "absoluteURI", "relativeURI"),
    sections={
        "resolve": "5.2",
        "base": "5.1",
        "normalize": "6",
        "equivalent": "6",
        "extract": "E",
        "recompose": "5.2",
    },
    components=GENERIC,
    opaque_parts=True,
    registry_names=True,
    query_drops_segment=True,
    letter_begins_scheme=True,
    gained_authority="R-2396-32",
    opaque_base="R-2396-21",
    second_hash="R-2396-24",
    grammar_ids="A-",
    printed="7cf047a9a859",
    statements={
        "resolve": {
            "scheme": "5.2-step-3",
            "authority": "5.2-step-4",
            "rooted": "5.2-step-5",
            "relative": "5.2-step-6",
            "query": "5.2-step-2-own",
            "empty": "5.2-step-2",
        },
        "recompose": {
            "scheme": "5.2-step-7-scheme",
            "authority": "5.2-step-7-authority",
            "path": "5.2-step-7-path",
            "query": "5.2-step-7-query",
            "fragment": "5.2-step-7-fragment",
        },
        "normalize": {
            "scheme-case": "6-scheme-case",
            "host-case": "6-host-case",
            "unchanged": "6-otherwise-different",
            "default-port": "6-default-port",
        },
        "extract": {"angle-brackets": "E-wrappers", "quotes": "E-wrappers"},
    },
    with_scheme={
        "5-rel-path": "3-opaque-part",
        "5-rel-segment": "3-opaque-part",
        "5-colon-protected": "3-opaque-part",
    },
    rulings={"dots-kept": "R-2396-19", "normal-form": "R-2396-27", "limits-of-host": "R-2396-13"},
    resolution_functions=(
        "resolution.resolve_rfc2396",
        "resolution._transform_rfc2396",
        "resolution.merge",
        "resolution.remove_dots",
        "resolution._remove_or_keep",
        "recomposition.recompose_parts",
    ),
    ladder="LADDER_2396",
)

# RFC 2732 changes RFC 2396 in its section 3
_RFC2732 = replace(
    _RFC2396,
    id="rfc2732",
    updates=("rfc2396",),
    amends="rfc2396",
    added_rules={**_RFC2396.added_rules, "tail": "IPv6address"},
    sections=dict.fromkeys(_RFC2396.sections, "3"),
    ip_literals=True,
    grammar_ids="3-",
    printed="3939c1e12055",
    statements={
        operation: dict.fromkeys(steps, "3-operations") for operation, steps in _RFC2396.statements.items()
    },
    with_scheme={},
    rulings={"limits-of-host": "R-2396-13"},
    resolution_functions=(),  # those of RFC 2396 are measured with that RFC
)

_RFC3986 = SpecificationFacts(
    id="rfc3986",
    obsoletes=("rfc2732", "rfc2396", "rfc1808"),
    updates=("rfc1738",),
    default_rule="URI-reference",
    absolute_rule="absolute-URI",
    relative_rule="relative-ref",
    narrower_rule=("URI", "a/b"),
    whole_rules=("URI-reference", "URI", "absolute-URI", "relative-ref"),
    suites=("URI-reference", "URI", "absolute-URI", "relative-ref"),
    sections={
        "resolve": "5.2",
        "base": "5.1",
        "normalize": "6.2",
        "equivalent": "6.2",
        "extract": "C",
        "recompose": "5.3",
    },
    reference_section="4.1",
    step_sections={"target": "5.2.2", "merge": "5.2.3", "dots": "5.2.4"},
    mode_sections={"syntax": "6.2.2", "scheme": "6.2.3"},
    parse_section="3",
    components=GENERIC,
    ip_literals=True,
    letter_begins_scheme=True,
    removes_dots=True,
    grammar_ids="A-",
    printed="7d30fe574666",
    statements={
        "part": {
            "userinfo": "3.2.1-bnf-userinfo",
            "utf8": "3.2.2-utf8",
            "dec-octet": "3.2.2-bnf-dec-octet",
            "characters": "2-limited-set",
        },
        "resolve": {
            "scheme": "5.2.2-scheme",
            "authority": "5.2.2-authority",
            "rooted": "5.2.2-path-absolute",
            "relative": "5.2.2-path-relative",
            "query": "5.2.2-path-empty-query",
            "empty": "5.2.2-path-empty",
        },
        "recompose": {
            "scheme": "5.3-scheme",
            "authority": "5.3-authority",
            "path": "5.3-path",
            "query": "5.3-query",
            "fragment": "5.3-fragment",
        },
        "normalize": {
            "scheme-case": "6.2.2.1-scheme-host",
            "host-case": "6.2.2.1-scheme-host",
            "unchanged": "6.2.2.1-rest",
            "decoded": "6.2.2.2-decode",
            "dots": "6.2.2.3-dots",
            "encoded-dots": "6.2.2.3-encoded-dots",
            "dots-of-reference": "6.2.2.3-relative",
            "empty-path": "6.2.3-empty-path",
            "default-port": "6.2.3-port",
        },
        "extract": {"angle-brackets": "C-angle", "quotes": "C-quotes"},
    },
    with_scheme={
        "4.2-colon": "3.3-bnf-path-rootless",
        "4.5-same-syntax": "3.3-bnf-path-rootless",
    },
    without_scheme={"3.3-bnf-path-rootless": "3.3-bnf-path-noscheme"},
    rulings={
        "empty-host": "R-3986-19",
        "colon-in-userinfo": "R-3986-23",
        "host-not-utf8": "R-3986-24",
        "dec-octet": "R-3986-03",
        "unprintable": "G-07",
        "rootless-dots": "R-3986-08",
        "letters-decoded-in-host": "R-3986-17",
        "spelling-of-address": "R-3986-46",
        "empty-in-comparison": "R-3986-22",
        "dots-of-reference": "R-3986-37",
        "default-port-with-zeros": "R-3986-45",
    },
    resolution_functions=(
        "resolution._transform_rfc3986",
        "resolution.merge",
        "resolution.remove_dot_segments",
        "resolution._remove_dots_of_rootless",
        "recomposition.recompose_parts",
    ),
    ladder="LADDER_3986",
)

# RFC 3987 resolves references, and defines a base, as RFC 3986 does (section 6.5)
_RFC3987 = SpecificationFacts(
    id="rfc3987",
    default_rule="IRI-reference",
    absolute_rule="absolute-IRI",
    relative_rule="irelative-ref",
    narrower_rule=("IRI", "a/b"),
    whole_rules=("IRI-reference", "IRI", "absolute-IRI", "irelative-ref"),
    suites=("IRI-reference", "IRI", "absolute-IRI", "irelative-ref"),
    sections={
        "resolve": "6.5",
        "base": "6.5",
        "recompose": "2.1",
        "normalize": "5.3",
        "equivalent": "5.3",
        "to_uri": "3.1",
        "to_iri": "3.2",
    },
    mode_sections={"syntax": "5.3.2", "scheme": "5.3.3", "simple": "5.3.1"},
    parse_section="2.2",
    components=GENERIC,
    iris=True,
    ip_literals=True,
    letter_begins_scheme=True,
    removes_dots=True,
    grammar_ids="2.2-bnf-",
    printed="52bd3779a125",
    statements={
        "part": {"userinfo": "2.2-bnf-iuserinfo"},
        "resolve": dict.fromkeys(
            ("scheme", "authority", "rooted", "relative", "query", "empty"), "6.5-resolution"
        ),
        "recompose": dict.fromkeys(
            ("scheme", "authority", "path", "query", "fragment"), "2.1-same-operations"
        ),
        "normalize": {
            "scheme-case": "5.3.2.1-scheme-lower",
            "host-case": "5.3.2.1-host-lower",
            "unchanged": "5.3.2.1-other-case",
            "decoded": "5.3.2.3-decode",
            "dots": "5.3.2.4-dots",
            "encoded-dots": "5.3.2.4-dots",
            "dots-of-reference": "5.3.2.4-dots",
            "empty-path": "5.3.3-empty-path",
            "default-port": "5.3.3-default-port",
        },
    },
    without_scheme={"2.2-bnf-ipath-rootless": "2.2-bnf-ipath-noscheme"},
    rulings={
        "empty-host": "R-3986-19",
        "colon-in-userinfo": "R-3986-23",
        "rootless-dots": "R-3986-08",
        "spelling-of-address": "R-3986-46",
        "dots-of-reference": "R-3986-37",
        "default-port-with-zeros": "R-3986-45",
    },
    resolution_functions=_RFC3986.resolution_functions,
    ladder=_RFC3986.ladder,
)

#: The specifications by identifier, in the order of the corpus.
SPECS: dict[str, SpecificationFacts] = {
    entry.id: entry for entry in (_RFC1738, _RFC1808, _RFC2396, _RFC2732, _RFC3986, _RFC3987)
}

#: The names of components that every reply may use, so that an adapter can answer each RFC in the same way:
#: those of RFC 3986 and RFC 1808, and the parts of the user information in RFC 1738.
COMMON_NAMES = (*GENERIC, "net_loc", "params", "user", "password")

#: Names that libraries give to components, with those of RFC 3986.
_NAMES_OF_LIBRARIES = {
    "protocol": "scheme",
    "netloc": "authority",
    "username": "userinfo",
    "hostname": "host",
    "pathname": "path",
    "querystring": "query",
    "hash": "fragment",
    "anchor": "fragment",
}


def facts(spec: str) -> SpecificationFacts:
    """Return the facts about a specification. Raise ValueError if there is none of this name."""
    entry = SPECS.get(spec)
    if entry is None:
        raise ValueError(f"no specification named {spec!r}; choose from {', '.join(SPECS)}")
    return entry


def check_specs(names: Iterable[str]) -> None:
    """Raise ValueError if there is no specification of one of the names."""
    for name in names:
        facts(name)


def is_asked(spec: str, claimed: Collection[str]) -> bool:
    """Return True if an adapter that claims these RFCs is asked about an RFC."""
    return spec in DEFAULT_SPECS or spec in claimed


def spec_order(spec: str) -> int:
    """Return the place of a specification in the order of the corpus."""
    return list(SPECS).index(spec)


def reported_specs() -> list[str]:
    """Return the specifications in the order of reports."""
    return sorted(SPECS, key=report_place)


def url_specs() -> tuple[str, ...]:
    """Return the specifications of URLs, which are all but those of IRIs, in the order of the corpus."""
    return tuple(spec for spec, entry in SPECS.items() if not entry.iris)


def specs_for(*texts: str) -> tuple[str, ...]:
    """Return the specifications whose answers to texts are shown side by side, in the order of the corpus.

    Those of IRIs are among them if a text has characters beyond ASCII.
    """
    return url_specs() if all(map(str.isascii, texts)) else tuple(SPECS)


def answering_specs(*texts: str) -> list[str]:
    """Return the specifications of `specs_for` in the order in which people read their answers."""
    return in_reading_order(specs_for(*texts))


def in_reading_order(specs: Iterable[str]) -> list[str]:
    """Return specifications in the order in which commands show their answers to one question.

    The RFC that counts today, `DEFAULT_SPEC`, comes first, and those that it obsoletes or updates come last.
    """
    older = older_specs()
    return sorted(specs, key=lambda spec: (spec in older, report_place(spec)))


def older_specs() -> frozenset[str]:
    """Return the specifications that `DEFAULT_SPEC` obsoletes or updates."""
    current = SPECS[DEFAULT_SPEC]
    return frozenset((*current.obsoletes, *current.updates))


@cache
def report_place(spec: str) -> tuple[bool, int, int]:
    """Return the sort key of a specification in reports.

    The RFC that counts today, `DEFAULT_SPEC`, comes first, and then the last one of the table. An RFC that
    amends another one comes after that one.
    """
    leader = SPECS[spec].amends or spec
    return (leader != DEFAULT_SPEC, -spec_order(leader), spec_order(spec))


def is_component(name: object, spec: str) -> bool:
    """Return True if a reply to a question of an RFC may have a component of this name."""
    return name in COMMON_NAMES or (spec in SPECS and name in SPECS[spec].components)


def meant_component(name: object, spec: str) -> str:
    """Return "; a component is called NAME" with the name that is probably meant by an unknown one.

    `spec` is the RFC whose name is suggested. If there is no such RFC, it is that of RFC 3986. Return an
    empty string if no name is similar.
    """
    entry = SPECS.get(spec, SPECS[DEFAULT_SPEC])
    lower_name = str(name).lower()
    if lower_name in _NAMES_OF_LIBRARIES:
        meant = entry.component_for(_NAMES_OF_LIBRARIES[lower_name])
    else:
        meant = next(iter(get_close_matches(lower_name, entry.components, cutoff=0.7)), "")
    return f"; a component is called {meant}" if meant else ""
