"""Explanations of verdicts: the derivation, the nearest valid text, the steps of a resolution."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from urloracle.automata.dfa import SINK, Automaton
from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.rfc.normalization import TRIPLET
from urloracle.rfc.resolution import Step
from urloracle.rfcs import specification
from urloracle.specification import Profile, Specification, Unsupported

MAX_EXPLAINED_LENGTH = 2048  # steps grow faster than the text, and a derivation has a node for each character
_LONGEST_REPAIR = 4096  # the search for a repair takes time proportional to states times characters

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")
#: Scheme, authority and the rest of a text, whether it is valid or not.
_PARTS = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)([^/?#]*)(.*)", re.DOTALL)
_BARE_IPV6 = re.compile(r"[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*")
_ZONE = re.compile(r"(?<=[0-9A-Fa-f:.])%[^]/?#]{0,64}(?=])")
_BAD_PORT = re.compile(r":([0-9]*+)([^]:]+)$")
_BETWEEN_WORDS = re.compile(r"(?<=\w) (?=\w)")
_AROUND = ' \t\r\n<>"\ufeff\u200b'  # characters around URLs in text, and invisible ones
_IN_AUTHORITY = "/?#[]@:"  # escaping one of these in an authority would change the host


class Repair(NamedTuple):
    """A valid text, and the edit of the invalid text that leads to it.

    `offset` is the offset of the first change in the invalid text.  `character` is the text that was
    inserted, deleted or escaped, or the text that replaces the old characters.  `note` is usually empty.
    Otherwise it names a later RFC that defines a syntax for the removed text, or says that several blanks
    were escaped.
    """

    text: str
    edit: Literal["insert", "replace", "delete", "escape"]
    offset: int
    character: str
    note: str = ""

    @property
    def description(self) -> str:
        """The edit in words, such as `escape ' ' at offset 10`."""
        by = "by " if self.edit == "replace" else ""
        note = f"; {self.note}" if self.note else ""
        return f"{self.edit} {by}{self.character!r} at offset {self.offset}{note}"


@dataclass(frozen=True)
class Explanation:
    """The verdict of an RFC on a text under one rule, with an explanation.

    If the text is valid, `derivation` is the tree of rules.  If the rule is also one for whole URLs,
    `components` maps the RFC's names to the components.  If the text is invalid, `problem` is the error, and
    `nearest` is the valid text that was probably meant, or None if none was found.

    If a base was given, `steps` lists the steps of the resolution, and `problem` can be an error of the base.
    A text of more than 2048 characters has no derivation.  There are no steps if base and text together have
    more than 2048 characters.
    """

    text: str
    spec: str
    rule: str
    problem: InvalidURL | None = None
    nearest: Repair | None = None
    components: dict[str, Any] | None = None
    derivation: Derivation | None = None
    steps: tuple[Step, ...] = ()

    @property
    def valid(self) -> bool:
        """True if the rule derives the text and, if a base was given, the resolution succeeds."""
        return self.problem is None


def explain(
    text: str,
    spec: str | Specification,
    rule: str | None = None,
    profile: Profile | None = None,
    *,
    base: str | None = None,
) -> Explanation:
    """Explain a text: return the tree of rules that derives it, or the reason why it is invalid.

    If a base is given, the text is a reference, and the answer lists the steps of its resolution.  The error
    of an invalid text or base is not raised but returned as `problem`.  Raise UnknownSpecification or
    UnknownRule if there is no such RFC or rule, and Unsupported if a base is given for RFC 1738.

    >>> explanation = explain("http://user@a/", "rfc1738")
    >>> explanation.problem.position, explanation.problem.section, explanation.nearest.text
    (11, '3.3', 'http://a/')
    >>> [child.rule for child in explain("//a/b", "rfc3986").derivation.children]
    ['relative-ref']
    >>> explain("../g", "rfc3986", base="http://a/b/c").steps[-1].value
    'http://a/g'
    """
    rfc = specification(spec)
    asked_rule = rfc.grammar.canonical_name(rule or rfc.default_rule)
    problem = rfc.problem(text, rule, profile)
    if problem is not None:
        return Explanation(text, rfc.id, asked_rule, problem, _find_repair(rfc, problem, profile))
    try:
        components = rfc.asdict(rfc.parse(text, rule, profile))
    except Unsupported:
        components = None
    tree = derive(text, rfc, rule, profile) if len(text) <= MAX_EXPLAINED_LENGTH else None
    explanation = Explanation(text, rfc.id, asked_rule, None, None, components, tree)
    if base is None:
        return explanation
    try:
        if len(base) + len(text) > MAX_EXPLAINED_LENGTH:
            rfc.resolve(base, text)  # raises if the base is invalid
            return explanation
        return replace(explanation, steps=tuple(resolution_steps(base, text, rfc)))
    except InvalidURL as invalid_base:
        return replace(explanation, problem=invalid_base)


def derive(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Derivation:
    """Return the derivation of a valid text.  Raise InvalidURL if the text is invalid."""
    rfc = specification(spec)
    problem = rfc.problem(text, rule, profile)
    if problem is not None:
        raise problem
    language = rfc.language(rfc.judging_rule(text, rule, profile), profile)
    tree = derivation(language.grammar, language.rule, text)
    assert tree is not None  # the rule accepts the text
    return tree


def resolution_steps(base: str, reference: str, spec: str | Specification) -> list[Step]:
    """Return the steps of a resolution.  The result of the last step is the target.

    Raise the same errors as `resolve`.
    """
    steps: list[Step] = []
    specification(spec).resolve(base, reference, steps.append)
    return steps


def nearest_valid(
    text: str, spec: str | Specification, rule: str | None = None, profile: Profile | None = None
) -> Repair | None:
    """Return a valid text that was probably meant, or that is one edit away from the text.

    Return None if the text is valid, is very long, or if no such text was found.

    >>> nearest_valid("http://h/a b", "rfc3986").text
    'http://h/a%20b'
    """
    rfc = specification(spec)
    problem = rfc.problem(text, rule, profile)
    return None if problem is None else _find_repair(rfc, problem, profile)


def _find_repair(spec: Specification, problem: InvalidURL, profile: Profile | None) -> Repair | None:
    """Return the repair of an invalid text, or None: the first valid proposal, or else one edit."""
    if len(problem.text) > _LONGEST_REPAIR:
        return None
    automaton = spec.automaton(problem.rule, profile)
    candidates = (repair for propose in _PROPOSALS for repair in propose(problem.text, automaton))
    for repair in candidates:
        if automaton.accepts(repair.text):
            return repair
    if _BETWEEN_WORDS.match(problem.text, problem.position):
        return None  # deleting the blank would join two words
    return _one_edit(problem, automaton)


def _without_surroundings(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose the text without tabs and line breaks, and without the characters in `_AROUND` around it."""
    bare = re.sub("[\t\r\n]", "", text.strip(_AROUND))
    if bare and bare != text:
        offset = next(at for at, char in enumerate(text) if char in _AROUND)
        yield Repair(bare, "delete", offset, text[offset])


def _without_zone(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose the text without the zone of an IPv6 address, because none of the five RFCs defines zones."""
    zone = _ZONE.search(text)
    if zone is None:
        return
    name = re.sub("^%(25)?", "", zone[0])
    note = ""
    if name:
        note = "RFC 6874 adds zones to RFC 3986"
        if not zone[0].startswith("%25"):
            note += f", written as %25{name}"
    yield Repair(text[: zone.start()] + text[zone.end() :], "delete", zone.start(), zone[0], note)


def _with_slashes(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose slashes in place of all backslashes before query and fragment."""
    hierarchy = re.split("[?#]", text, maxsplit=1)[0]
    if "\\" in hierarchy:
        after = text[len(hierarchy) :]
        yield Repair(hierarchy.replace("\\", "/") + after, "replace", text.index("\\"), "/")


def _with_escapes(text: str, automaton: Automaton) -> Iterator[Repair]:
    """Propose to escape each character that is invalid at its place (RFC 3986, section 2.5)."""
    parts = _PARTS.match(text)
    authority = range(parts.start(2), parts.end(2)) if parts else range(0)
    state = automaton.start
    written = []
    changed = []
    for offset, char in enumerate(text):
        replacement = char
        following = automaton.state_after(state, char)
        stray = char == "%" and not TRIPLET.match(text, offset)
        outer = char == " " and not _BETWEEN_WORDS.match(text, offset)  # other proposals delete it
        delimits = offset in authority and (char in _IN_AUTHORITY or outer)
        if stray or (following == SINK and not delimits):
            try:
                replacement = "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "surrogateescape"))
            except UnicodeEncodeError:  # half of a surrogate pair
                return
            following = automaton.state_after(state, replacement)
            changed.append(offset)
        written.append(replacement)
        state = following
        if state == SINK:
            return
    if changed:
        characters = "".join(dict.fromkeys(text[offset] for offset in changed))
        note = "each blank as %20" if characters == " " and len(changed) > 1 else ""
        yield Repair("".join(written), "escape", changed[0], characters, note)


def _with_another_user(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose two texts: with each @ in the user information escaped, and without user information."""
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return
    before, authority, after = parts.groups()
    user, at, host = authority.rpartition("@")
    if "@" in user:
        escaped = user.replace("@", "%40")
        yield Repair(f"{before}{escaped}@{host}{after}", "escape", len(before) + user.index("@"), "@")
    if at:
        yield Repair(before + host + after, "delete", len(before), user + at)


def _with_another_host(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose changes of the host and of what is next to it.

    The changes are: brackets around an IPv6 address, a missing bracket or slash after the host, no bad port,
    no blanks around the host, and the IDNA form of a host that is not ASCII.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return
    slashes, authority, after = parts.groups()
    user, at, host = authority.rpartition("@")
    before = slashes + user + at
    start = len(before)
    end = parts.end(2)
    if _BARE_IPV6.fullmatch(host):
        yield Repair(f"{before}[{host}]{after}", "insert", start, "[]")
    if "[" in host and "]" not in host:
        yield Repair(f"{before}{host}]{after}", "insert", end, "]")
    if after[:1] in ("?", "#"):
        yield Repair(f"{before}{host}/{after}", "insert", end, "/")
    port = _BAD_PORT.search(host)
    if port is not None:
        # the digits before the wrong characters stay; if there are none, the colon goes, too
        begin = port.start(2) if port[1] else port.start()
        yield Repair(before + host[:begin] + after, "delete", start + begin, host[begin:])
    stripped = host.strip(" ")
    if host != stripped:
        yield Repair(before + stripped + after, "delete", start + host.index(" "), " ")
    if not host.isascii():
        with suppress(UnicodeError):
            ascii_host = host.encode("idna").decode()
            yield Repair(before + ascii_host + after, "replace", start, ascii_host)


def _with_another_beginning(text: str, _automaton: Automaton) -> Iterator[Repair]:
    """Propose changes at the beginning of the text.

    The changes are: no blanks in the scheme, `./` before a path with a colon (RFC 3986, section 4.2), and a
    scheme where there is none.
    """
    head, colon, rest = text.partition(":")
    joined = head.replace(" ", "")
    if " " in head and rest.startswith("//") and _SCHEME.fullmatch(joined):
        yield Repair(f"{joined}:{rest}", "delete", head.index(" "), " ")
    if colon and "/" not in head and not rest.startswith("//") and not _SCHEME.fullmatch(head):
        yield Repair(f"./{text}", "insert", 0, "./")
    first_part = re.split("[/:?#]", text, maxsplit=1)[0]
    if text.startswith("//"):
        yield Repair(f"http:{text}", "insert", 0, "http:")
    elif "." in first_part[1:]:  # as in a host
        yield Repair(f"http://{text}", "insert", 0, "http://")


#: The first proposal that is valid wins, so those that change what was meant least come first.
_PROPOSALS: tuple[Callable[[str, Automaton], Iterator[Repair]], ...] = (
    _without_surroundings,
    _without_zone,
    _with_slashes,
    _with_another_beginning,
    _with_escapes,
    _with_another_user,
    _with_another_host,
)


def _one_edit(problem: InvalidURL, automaton: Automaton) -> Repair | None:
    """Return a valid text that is one edit away, or None.  The edit is as near to the error as possible."""
    # an edit after the error cannot help, so try the offsets from the error backwards; at each offset delete
    # a character, or else replace it, or else insert one
    text = problem.text
    accepted = _states_before_suffixes(automaton, text)
    states = [automaton.start]
    for char in text[: problem.position]:
        states.append(automaton.state_after(states[-1], char))
    for offset, state in reversed(list(enumerate(states))):
        before = text[:offset]
        after = text[offset + 1 :]
        if offset < len(text):
            if state in accepted[offset + 1]:
                return Repair(before + after, "delete", offset, text[offset])
            character = _character_to(automaton, state, accepted[offset + 1])
            if character is not None:
                return Repair(before + character + after, "replace", offset, character)
        character = _character_to(automaton, state, accepted[offset])
        if character is not None:
            return Repair(before + character + text[offset:], "insert", offset, character)
    return None


def _character_to(automaton: Automaton, state: int, targets: frozenset[int]) -> str | None:
    """Return a character that leads from a state to one of the targets, or None.

    Letters are preferred, and lower case to upper case.
    """
    row = automaton.table[state]
    fitting = (char for char, kind in automaton.classes.items() if row[kind] in targets)
    return min(fitting, key=lambda char: (not char.isalpha(), char.swapcase()), default=None)


def _states_before_suffixes(automaton: Automaton, text: str) -> list[frozenset[int]]:
    """For each offset, return the states from which the rest of the text is accepted."""
    accepted = [frozenset(automaton.accepting)]
    for char in reversed(text):
        kind = automaton.classes.get(char)
        targets = accepted[-1]
        states: frozenset[int] = frozenset()
        if kind is not None and targets:  # a character without a class leads to the sink from everywhere
            states = frozenset(state for state, row in enumerate(automaton.table) if row[kind] in targets)
        accepted.append(states)
    return accepted[::-1]
