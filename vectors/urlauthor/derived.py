"""Vectors of RFC 3987 that follow from those of RFC 3986: a letter becomes a character beyond ASCII.

Each rule of RFC 3987 derives the same texts of ASCII as its counterpart in RFC 3986 does (R-3987-36).  So the
answer of a vector of RFC 3986 is also that of RFC 3987, and `derive` carries it over to a text with a
character of `ucschar`, or in a query of `iprivate`.

A letter is *replaceable* by a character if it does not matter to the rule which of the two stands there.  Let
the *clean* beginning of a text be the whole text if it is valid, and else the characters before its first
wrong one.  After the clean beginning with the letter, the automaton of the rule is in one of its states.  If
it is in the same state after the clean beginning with the character instead, both beginnings have the same
continuations, so the new text has the verdict and the offset of the old one.  The automaton decides this for
all continuations at once; no answer comes from a question to the oracle.  Nor does a replacement move a
component: neither a letter nor a character beyond ASCII is a delimiter (RFC 3987, section 2.1).

Few texts are chosen, so that they are of many kinds (`_Choice`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from string import ascii_letters
from typing import Any, NamedTuple

import msgspec

from urlauthor.lint.vectors import DERIVED, DERIVED_SLUG
from urlharness.corpus.export import canonical_text
from urlharness.corpus.lock import question_key, question_of
from urlharness.corpus.model import Case, Corpus, Vector
from urlharness.corpus.specifications import DEFAULT_SPEC, SPECS, facts
from urloracle.automata.dfa import SINK
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import SPECIFICATIONS

_TITLE = "Texts of RFC 3986 with a character beyond ASCII in place of a letter"

#: The RFC of the derived vectors.
SPEC = next(spec for spec in SPECS if facts(spec).iris)

#: The maximum number of derived vectors.
LIMIT = 500

#: The maximum length of a text, so that people can read it.
_LONGEST = 100

#: Characters of `ucschar`, which take turns: the first and the last one of ranges, characters of scripts that
#: are written from right to left, marks that combine with the letter before, and others of several planes.
UCSCHAR = (
    "\u00e9\u05d0\ud7ff\u0301\U0001f600\u00a0\uf900\u0627\U00010000\u4e2d\ufdcf\u0e31\U0001fffd\ufdf0\u0421"
    "\U00020000\uffef\u05b0\U0002fffd\u3042\U00030000\u0712\U0003fffd\u1100\U00040000\u0905\U000e1000\u0435"
    "\U000efffd\u07d0\U0001d11e\u00df\U000dfffd\u0130\U00010a00\U0001e900\u20ac\U0004fffd\u0f71\U00050000"
)

#: Characters of `iprivate`, which take turns with those of `ucschar` in a query: the ends of its ranges.
IPRIVATE = "\ue000\uf8ff\U000f0000\U000ffffd\U00100000\U0010fffd"

#: The components of a whole reference (RFC 3986, appendix B), and those of an authority.
_REFERENCE = re.compile(
    r"(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)
_AUTHORITY = re.compile(r"(?:(?P<userinfo>[^@]*)@)?(?P<host>\[[^\]]*\]|[^:]*)(?::(?P<port>.*))?", re.DOTALL)

#: The rule that has the characters of each component.
_RULES = {
    "userinfo": "iuserinfo",
    "host": "ireg-name",
    "path": "ipchar",
    "query": "iquery",
    "fragment": "ifragment",
}


#: A lesser rule, or "" for the rules of whole references, and a text.
_Group = tuple[str, str]


class Kind(NamedTuple):
    """What derived vectors should be different in: properties of the original, and where the letter stands.

    `wrong` is the first wrong character, "end" if the text ends too early, or None if the text is valid.
    """

    section: str
    op: str
    rule: str
    component: str
    wrong: str | None


class ReplacedLetter(NamedTuple):
    """The vectors of RFC 3986 that have a text, and the offset of a letter that is replaceable in them all.

    `group` is the rule of the vectors, if this is a lesser one, and the text.  `component` is the component
    of the letter, or the lesser rule.
    """

    group: _Group
    originals: Sequence[Case]
    offset: int
    component: str

    @property
    def text(self) -> str:
        """The text with the letter."""
        return self.group[1]

    def with_character(self, character: str) -> str:
        """Return the text with a character in place of the letter."""
        return self.text[: self.offset] + character + self.text[self.offset + 1 :]

    def kinds(self) -> Iterator[Kind]:
        """Yield the kind of each of the vectors."""
        for case in self.originals:
            vector = case.vector
            yield Kind(case.section, vector.op, vector.rule or "", self.component, _wrong_character(vector))


def derive(corpus: Corpus) -> dict[str, str]:
    """Return the documents of all derived vectors by file name.

    A derived vector in the corpus stays as long as its letter is replaceable.
    """
    replacements = list(_replacements(corpus))
    existing = _existing_characters(corpus, replacements)
    choice = _Choice(corpus, existing)
    vectors_by_section: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for replacement, character in choice.chosen(replacements):
        for case in replacement.originals:
            vector = _derived_vector(corpus, case, replacement, character)
            section = corpus.requirements[vector["requirement"]].section
            vectors_by_section[section].append(vector)
    documents = {}
    for section, vectors in vectors_by_section.items():
        head = {"schema": "urlvectors-1", "spec": SPEC, "section": section, "title": _TITLE}
        vectors.sort(key=lambda vector: str(vector["id"]))
        documents[f"{SPEC}/{section}{DERIVED}"] = canonical_text({**head, "vectors": vectors})
    return documents


def counterpart(rule: str) -> str:
    """Return the rule of RFC 3987 that stands for a rule of RFC 3986: IRI for URI, `ihost` for `host`.

    A rule that RFC 3987 has not changed stands for itself.
    """
    grammar: Grammar = SPECIFICATIONS[SPEC].grammar
    with_iri = rule.replace("URI", "IRI")
    for name in (with_iri, f"i{rule}"):
        if name != rule and name in grammar:
            return name
    return rule


def is_replaceable(vector: Vector, offset: int, character: str) -> bool:
    """Return True if the verdict and the offset of a vector stay if a character stands at an offset.

    The vector is one of RFC 3986, with one answer.
    """
    text = str(vector.url)
    clean = text[: _length_of_clean_beginning(vector)]
    replaced = clean[:offset] + character + clean[offset + 1 :]
    specification = SPECIFICATIONS[SPEC]
    automaton = specification.automaton(
        counterpart(vector.rule) if vector.rule else specification.default_rule
    )
    state = automaton.state_after(automaton.start, clean)
    return state != SINK and state == automaton.state_after(automaton.start, replaced)


def _length_of_clean_beginning(vector: Vector) -> int:
    """Return the offset of the first wrong character, or the length of a valid text."""
    at = vector.expect.at
    return at if isinstance(at, int) else len(str(vector.url))


def _wrong_character(vector: Vector) -> str | None:
    """Return the first wrong character, "end" if the text ends too early, or None if the text is valid."""
    if vector.expect.valid is not False:
        return None
    text = str(vector.url)
    offset = _length_of_clean_beginning(vector)
    return text[offset] if offset < len(text) else "end"


def _text(case: Case) -> str:
    """Return the text of a case of `validate` or `parse`."""
    return str(case.vector.url)


# ---- which letters are replaceable


def _replacements(corpus: Corpus) -> Iterator[ReplacedLetter]:
    """Yield one replacement for each text and each component, in the order of the corpus.

    All vectors with a whole reference are one group, so that the same letter is replaced in all of them.
    Otherwise a group has the vectors of one lesser rule.
    """
    groups: defaultdict[_Group, list[Case]] = defaultdict(list)
    for case in corpus.cases:
        if _can_be_original(case):
            rule = case.vector.rule or ""
            lesser_rule = "" if not rule or rule in facts(DEFAULT_SPEC).whole_rules else rule
            groups[lesser_rule, _text(case)].append(case)
    for group, cases in groups.items():
        lesser_rule, text = group
        if not lesser_rule and not _is_asked_by_default(cases):
            continue
        replacement_by_component: dict[str, ReplacedLetter] = {}
        for offset, letter in enumerate(text):
            if letter not in ascii_letters:
                continue
            component = lesser_rule or component_at(text, offset)
            if component in replacement_by_component:
                continue
            replacement = ReplacedLetter(group, cases, offset, component)
            cited = {_requirement(case, replacement) for case in cases}
            if cited <= corpus.requirements.keys() and _is_replaceable_in_all(cases, offset):
                replacement_by_component[component] = replacement
        yield from replacement_by_component.values()


def _can_be_original(case: Case) -> bool:
    """Return True for a hand-made vector of RFC 3986 with one answer, about a short text of ASCII."""
    vector = case.vector
    if case.spec != DEFAULT_SPEC or vector.op not in ("validate", "parse") or vector.origin is not None:
        return False
    if vector.binding != "required" or vector.profile is not None or len(vector.expect.alternatives) > 1:
        return False
    if not isinstance(vector.url, str) or not vector.url.isascii() or len(vector.url) > _LONGEST:
        return False
    has_offset = vector.expect.valid is not False or isinstance(vector.expect.at, int)
    is_known = not vector.rule or counterpart(vector.rule) in SPECIFICATIONS[SPEC].grammar
    return has_offset and is_known


def _is_asked_by_default(cases: Sequence[Case]) -> bool:
    """Return True if a vector asks for a whole reference under the default rule, or none asks for a verdict.

    So a derived text of another rule, such as IRI, is asked under the default rule, too.
    """
    rules = {case.vector.rule for case in cases if case.vector.op == "validate"}
    return not rules or facts(DEFAULT_SPEC).default_rule in rules


def _is_replaceable_in_all(cases: Sequence[Case], offset: int) -> bool:
    """Return True if a letter is replaceable in all vectors by each character of `UCSCHAR`.

    The automaton treats the characters of `ucschar` alike, so it is enough to ask for the first one.
    """
    return all(
        offset < _length_of_clean_beginning(case.vector) and is_replaceable(case.vector, offset, UCSCHAR[0])
        for case in cases
    )


def component_at(text: str, offset: int) -> str:
    """Return the component of a whole reference that contains the character at an offset.

    Return "reference" for a delimiter.
    """
    reference = _REFERENCE.fullmatch(text)
    assert reference is not None  # every text matches
    for name in ("scheme", "path", "query", "fragment"):
        if reference.start(name) <= offset < reference.end(name):
            return name
    start = reference.start("authority")
    authority = _AUTHORITY.fullmatch(reference["authority"] or "")
    if authority is not None:
        for name in ("userinfo", "host", "port"):
            if authority.start(name) <= offset - start < authority.end(name):
                return name
    return "reference"


# ---- the choice


class _Choice:
    """Chooses replacements of many kinds.

    The rule: Kinds are listed in the order in which the corpus has them.  In each round, each kind that has
    fewer vectors than the number of the round gets the first replacement of that kind, of a group that is not
    chosen yet; vectors that combine parts of URLs come last.  It ends before there are more than `LIMIT`
    vectors.  The characters take turns.
    """

    def __init__(self, corpus: Corpus, existing: Mapping[_Group, tuple[int, str]]) -> None:
        """Prepare a choice; `existing` maps groups to the offset and character of vectors in the corpus."""
        self._existing = existing
        self._questions = {question_of(case) for case in corpus.cases if case.vector.origin != "derived"}
        self._groups: set[_Group] = set()
        self._size = 0
        self._counts: Counter[Kind] = Counter()
        self._turns: Counter[str] = Counter()

    def chosen(self, replacements: Sequence[ReplacedLetter]) -> Iterator[tuple[ReplacedLetter, str]]:
        """Yield the chosen replacements, each with its character: first those that the corpus has."""
        for replacement in replacements:
            offset, character = self._existing.get(replacement.group, (None, ""))
            if replacement.offset == offset and self._take(replacement, character):
                yield replacement, character
        by_kind: defaultdict[Kind, list[ReplacedLetter]] = defaultdict(list)
        for replacement in sorted(replacements, key=_is_combined):
            for kind in replacement.kinds():
                by_kind[kind].append(replacement)
        most = max(map(len, by_kind.values()), default=0)
        for number in range(1, most + 1):
            for kind, replacements_of_kind in by_kind.items():
                if self._counts[kind] < number:
                    yield from self._first_of(replacements_of_kind)

    def _first_of(self, replacements: Sequence[ReplacedLetter]) -> Iterator[tuple[ReplacedLetter, str]]:
        """Yield the first replacement that can be taken, if there is one, with its character."""
        for replacement in replacements:
            character = self._character(replacement)
            if self._take(replacement, character):
                yield replacement, character
                return

    def _take(self, replacement: ReplacedLetter, character: str) -> bool:
        """Count a replacement and return True, if group and questions are new and there is room for it."""
        size = self._size + len(replacement.originals)
        if replacement.group in self._groups or size > LIMIT:
            return False
        questions = _questions_of(replacement, character)
        if not questions.isdisjoint(self._questions):
            return False
        self._groups.add(replacement.group)
        self._questions |= questions
        self._size = size
        self._counts.update(replacement.kinds())
        self._turns["private" if character in IPRIVATE else "ucschar"] += 1
        self._turns[replacement.component] += 1
        return True

    def _character(self, replacement: ReplacedLetter) -> str:
        """Return the character whose turn it is; in a query, it is a private one every other time."""
        if replacement.component == "query" and self._turns["query"] % 2 == 0:
            return IPRIVATE[self._turns["private"] % len(IPRIVATE)]
        return UCSCHAR[self._turns["ucschar"] % len(UCSCHAR)]


def _questions_of(replacement: ReplacedLetter, character: str) -> set[str]:
    """Return the questions of the derived vectors with a character in place of the letter."""
    new_text = replacement.with_character(character)
    return {question_key(SPEC, _question(case.vector, new_text)) for case in replacement.originals}


def _is_combined(replacement: ReplacedLetter) -> bool:
    """Return True if all the vectors combine parts of URLs."""
    return all(case.vector.combined for case in replacement.originals)


def _existing_characters(
    corpus: Corpus, replacements: Collection[ReplacedLetter]
) -> dict[_Group, tuple[int, str]]:
    """Map the groups of originals to the offset and the character of their derived vectors in the corpus."""
    texts = {case.vector.id: _text(case) for case in corpus.cases if case.vector.origin == "derived"}
    existing: dict[_Group, tuple[int, str]] = {}
    for replacement in replacements:
        for case in replacement.originals:
            new_text = texts.get(derived_id(corpus, case, replacement))
            if new_text is None or len(new_text) != len(replacement.text):
                continue
            character = new_text[replacement.offset]
            if new_text == replacement.with_character(character) and character in UCSCHAR + IPRIVATE:
                existing[replacement.group] = (replacement.offset, character)
    return existing


# ---- the vectors


def _derived_vector(
    corpus: Corpus, case: Case, replacement: ReplacedLetter, character: str
) -> dict[str, Any]:
    """Return the vector that follows from an original if a character stands in place of a letter."""
    assert is_replaceable(case.vector, replacement.offset, character)
    original = msgspec.to_builtins(case.vector)
    new_text = replacement.with_character(character)
    requirement = corpus.requirements[_requirement(case, replacement)]
    vector = {
        "id": derived_id(corpus, case, replacement),
        "requirement": requirement.id,
        "level": requirement.level,
        **_question(case.vector, new_text),
        "expect": _answer(case.vector, replacement, new_text),
        "binding": "required",
        "origin": "derived",
        "comment": f"{original['id']} with U+{ord(character):04X} for the letter at {replacement.offset}.",
    }
    for name in ("class", "flags", "ruling"):
        if name in original:
            vector[name] = original[name]
    return vector


def derived_id(corpus: Corpus, case: Case, replacement: ReplacedLetter) -> str:
    """Return the id of a derived vector, which has the id of the original in it."""
    section = corpus.requirements[_requirement(case, replacement)].section
    slug = case.vector.id.removeprefix(f"{DEFAULT_SPEC}-").replace(".", "-").lower()
    return f"{SPEC}-{section}-{DERIVED_SLUG}{slug}"


def _requirement(case: Case, replacement: ReplacedLetter) -> str:
    """Return the statement that a derived vector cites.

    A valid whole reference is about the rule that has the characters of the component.
    """
    vector = case.vector
    if vector.op == "parse":
        return f"{SPEC}-2.1-same-components"
    rule = counterpart(vector.rule or "")
    if vector.expect.valid is not False:
        rule = _RULES.get(replacement.component, rule)
    return f"{SPEC}-{facts(SPEC).grammar_ids}{rule.lower()}"


def _question(vector: Vector, text: str) -> dict[str, Any]:
    """Return the question of RFC 3987 that stands for that of a vector, about another text."""
    question = {"op": vector.op, "url": text}
    if vector.rule:
        question["rule"] = counterpart(vector.rule)
    return question


def _answer(vector: Vector, replacement: ReplacedLetter, new_text: str) -> dict[str, Any]:
    """Return the answer to the new text: the verdict and offset of the original, or the new components."""
    answer = vector.expect
    if answer.valid is False:
        return {"valid": False, "at": answer.at}
    if answer.kind != "components":
        return {"valid": True}
    components = dict(msgspec.to_builtins(answer.components))
    for name in _containing(replacement.component):
        start = _start_of(name, replacement.text)
        old = components[name]
        index = replacement.offset - start
        components[name] = old[:index] + new_text[replacement.offset] + old[index + 1 :]
    return {"components": components}


def _containing(component: str) -> tuple[str, ...]:
    """Return a component and, if it is a part of the authority, the authority."""
    return (component, "authority") if component in ("userinfo", "host") else (component,)


def _start_of(component: str, text: str) -> int:
    """Return the offset at which a component begins."""
    reference = _REFERENCE.fullmatch(text)
    assert reference is not None
    if component not in ("userinfo", "host"):
        return reference.start(component)
    authority = _AUTHORITY.fullmatch(reference["authority"])
    assert authority is not None
    return reference.start("authority") + authority.start(component)
