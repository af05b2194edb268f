"""Whole-URL twins: the texts of lesser rules, such as `host`, put into whole URLs.

A place is the part of a whole URL where a text of a rule can be: a place of `host` is between `http://` and
`/`.  `places.json` lists the places, and the claim that each of them proves.

The claims below use three languages.  R is the language of the lesser rule.  Q contains each text X for which
`prefix X suffix` is a whole URL.  S contains each text that begins with `begin`, has no character of
`without` after this beginning, and is `shortest` to `longest` characters long.

- accepts: Every text in both R and S is in Q.
- verdicts: R and Q have the same members in S.
- offsets: R and Q have the same members in S.  In addition, a prefix of a text in S can be extended to a text
  in R if, and only if, it can be extended to a text in Q.  If such a prefix is in S but not in R, the first
  character of `suffix` cannot follow it.
- other: Q includes the language of the rule `other`, so that a text of this rule makes a valid URL.
- never: No text in both R and S is a prefix of a text in Q, so that such a text makes every URL invalid.

A place can name a ruling, `open`, by which a program may refuse there what the rule has and the same rule of
profile `prose` has not, such as a group of an IPv4 address above 255.

All claims are equations of regular languages, and `counterexample` decides them with the automata that the
oracle makes from the grammar files.  The answer of a twin follows from the answer of its original by a claim.
No answer comes from a question to the oracle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources
from operator import and_, ne
from typing import Any, Literal, NamedTuple

import msgspec

from urlauthor.lint.vectors import TWIN, TWINS
from urlharness.corpus.export import canonical_text
from urlharness.corpus.lock import question_key, question_of
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.specifications import Spec, facts
from urloracle.automata.dfa import SINK, Automaton, difference, product
from urloracle.grammar.alphabet import ALPHABET
from urloracle.rfcs import SPECIFICATIONS

_TITLE = "Texts of lesser rules in whole URLs"

Claim = Literal["offsets", "verdicts", "accepts", "other", "never"]

#: The variant of a program that refuses a text that a place leaves open.
_REFUSED = "range"

#: Rulings that leave the verdict on a whole URL open, because a program may refuse capitals in a scheme.
OPEN_RULINGS = frozenset(("R-1738-03",))


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A place of a rule in a whole URL, and the claim that it proves.

    The docstring of the module describes most fields.  `whole` is the rule of the whole URL (default: the
    default rule of the RFC).
    """

    rule: str
    prefix: str
    proves: Claim
    suffix: str = ""
    whole: str = ""
    begin: str = ""
    without: str = ""
    shortest: int = 0
    longest: int | None = None
    other: str = ""
    open: str = ""

    def includes(self, text: str) -> bool:
        """Return True if the text is in S: it begins as required and has an allowed length."""
        least = max(self.shortest, len(self.begin))
        return len(text) >= least and self._is_prefix(text)

    def _is_prefix(self, text: str) -> bool:
        """Return True if the text is a prefix of a text in S; the minimum length is ignored."""
        if self.longest is not None and len(text) > self.longest:
            return False
        length = len(self.begin)
        beginning = text[:length]
        rest = text[length:]
        return self.begin.startswith(beginning) and set(rest).isdisjoint(self.without)

    def whole_rule(self, spec: Spec) -> str:
        """Return the rule of the whole URL."""
        return self.whole or SPECIFICATIONS[spec].default_rule

    def leaves_open(self, spec: Spec, text: str) -> bool:
        """Return True if the ruling `open` lets a program refuse a text of the rule in this place."""
        if not self.open:
            return False
        specification = SPECIFICATIONS[spec]
        is_of_rule = specification.automaton(self.rule).accepts(text)
        return is_of_rule and not specification.automaton(self.rule, "prose").accepts(text)

    def answer(self, spec: Spec, text: str, answer: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the answer for `prefix text suffix`, or None if the claim does not decide it.

        `answer` is the answer of a `validate` vector for the text under the rule.
        """
        if self.proves == "other":
            automaton = SPECIFICATIONS[spec].automaton(self.other)
            is_of_other = not answer["valid"] and automaton.accepts(text)
            return {"valid": True} if is_of_other else None
        if self.proves == "never":
            is_decided = answer["valid"] and self.includes(text)
            return {"valid": False, "at": len(self.prefix)} if is_decided else None
        same_verdict = {name: answer[name] for name in ("valid", "variant") if name in answer}
        is_invalid = not answer["valid"]
        if is_invalid and self.proves == "offsets" and self._decides_offset(text, answer["at"]):
            return {"valid": False, "at": len(self.prefix) + answer["at"], **same_verdict}
        if is_invalid and self.proves == "accepts":
            return None
        return same_verdict if self.includes(text) else None

    def _decides_offset(self, text: str, at: int) -> bool:
        """Return True if claim `offsets` decides about a text with an error at `at`."""
        if at == len(text):  # it ends too early, so its end must be an end in S
            return self.includes(text)
        return self._is_prefix(text[: at + 1])


class Places(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of places.json.

    `places` lists the places of each RFC.  `missing` lists, by RFC and reason, the ids of vectors without a
    twin.
    """

    places: Mapping[Spec, Sequence[Place]]
    missing: Mapping[Spec, Mapping[str, Sequence[str]]]

    def reason_by_missing_id(self) -> dict[str, str]:
        """Map the ids of vectors without a twin to the reasons."""
        reasons: dict[str, str] = {}
        for ids_by_reason in self.missing.values():
            for reason, ids in ids_by_reason.items():
                reasons |= dict.fromkeys(ids, reason)
        return reasons


class Derived(NamedTuple):
    """The twins of a corpus: documents by file, and ids.

    `covered` maps each original to the vector that asks for its text in a whole URL: its twin, the twin of
    another original, or a human-made vector.  `missing` lists the ids of all other vectors of lesser rules.
    """

    files: Mapping[str, str]
    covered: Mapping[str, str]
    missing: Sequence[str]


def read_places() -> Places:
    """Return the content of places.json."""
    file = resources.files("urlauthor") / "places.json"
    return msgspec.json.decode(file.read_bytes(), type=Places)


def originals(corpus: Corpus) -> list[Case]:
    """Return the human-made `validate` cases of lesser rules."""
    return [case for case in corpus.cases if _is_lesser(case)]


def _is_lesser(case: Case) -> bool:
    """Return True for a human-made `validate` vector of a rule that is not one for whole URLs."""
    vector = case.vector
    is_made_by_hand = vector.op == "validate" and vector.origin is None
    return is_made_by_hand and vector.rule not in facts(case.spec).whole_rules


def counterexample(spec: Spec, place: Place) -> str | None:
    """Return a shortest text for which the claim of a place is false, or None if the claim is true."""
    specification = SPECIFICATIONS[spec]
    whole = specification.automaton(place.whole_rule(spec))
    if whole.state_after(whole.start, place.prefix) == SINK:
        return ""
    quotient = _quotient(whole, place)
    if place.proves == "other":
        not_in_quotient = difference(specification.automaton(place.other), quotient)
        return not_in_quotient.shortest_member()
    for wrong_texts in _counterexamples(specification.automaton(place.rule), quotient, place):
        text = wrong_texts.shortest_member()
        if text is not None:
            return text
    return None


def _quotient(whole: Automaton, rule_place: Place) -> Automaton:
    """Return the automaton of Q: of the texts that make a whole URL between prefix and suffix of a place."""
    start = whole.state_after(whole.start, rule_place.prefix)
    states = range(len(whole.table))
    before_suffix = [
        state for state in states if whole.state_after(state, rule_place.suffix) in whole.accepting
    ]
    return Automaton(whole.classes, whole.table, start, frozenset(before_suffix))


def _counterexamples(rule: Automaton, quotient: Automaton, rule_place: Place) -> Iterator[Automaton]:
    """Yield automata of texts that contradict the claim of a place, all empty if the claim is true.

    `rule` is the automaton of the rule (R), and `quotient` that of Q.
    """
    texts = _texts_automaton(rule_place)
    if rule_place.proves == "never":
        common = product(rule, _prefixes(quotient), and_)
        yield product(common, texts, and_)
        return
    if rule_place.proves == "accepts":
        yield product(difference(rule, quotient), texts, and_)
        return
    yield product(product(rule, quotient, ne), texts, and_)
    if rule_place.proves == "offsets":
        prefixes_of_one = product(_prefixes(rule), _prefixes(quotient), ne)
        yield product(prefixes_of_one, _prefixes(texts), and_)
        if rule_place.suffix:
            unfinished = _unfinished(rule, quotient, rule_place.suffix[0])
            yield product(unfinished, texts, and_)


def derive(corpus: Corpus, places: Places) -> Derived:
    """Return the twins of a corpus.

    An existing twin stays if a place still proves it.  Otherwise the original gets the first possible twin
    (`_drafts`) whose question no witness of a mutant asks.  If another vector already asks this question, it
    covers the original, and no twin is made.
    """
    cases = originals(corpus)
    drafts = {case.vector.id: _drafts_by_question(case, places) for case in cases}
    asking = _Asking(corpus, drafts)
    vectors_by_section: defaultdict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    covered: dict[str, str] = {}
    for case in cases:
        name = case.vector.id
        question = asking.question_for(name, drafts[name])
        if question is not None:
            covered[name] = asking.claim(question, name + TWIN)
            if covered[name] == name + TWIN:
                vectors_by_section[case.spec, case.section].append(drafts[name][question])
    documents = {}
    for (spec, section), vectors in vectors_by_section.items():
        documents[f"{spec}/{section}{TWINS}"] = _document(spec, section, vectors)
    missing = [name for name in drafts if name not in covered]
    return Derived(documents, covered, missing)


class _Asking:
    """The vectors that ask questions: those of the corpus, and the twins that are derived from it."""

    def __init__(self, corpus: Corpus, drafts: Mapping[str, Mapping[str, object]]) -> None:
        """Let each existing twin ask its question if it is still a draft of its original.

        `drafts` has the drafts of each original by question.  Existing twins come first, so that no new twin
        asks their questions.
        """
        self._questions_of_twins: dict[str, str] = {}
        self._witnesses: set[str] = set()
        self._id_by_question: dict[str, str] = {}
        for case in corpus.cases:
            vector = case.vector
            if vector.origin == "twin":
                self._questions_of_twins[vector.id] = question_of(case)
                continue
            if vector.origin == "mutant":
                self._witnesses.add(vector.id)
            self._id_by_question[question_of(case)] = vector.id
        for name, drafts_of_original in drafts.items():
            question = self._questions_of_twins.get(name + TWIN)
            if question is not None and question in drafts_of_original:
                self._id_by_question.setdefault(question, name + TWIN)

    def question_for(self, name: str, questions: Iterable[str]) -> str | None:
        """Return the question for the twin of an original, or None if witnesses ask all of these."""
        question = self._questions_of_twins.get(name + TWIN)
        if question is not None and self._id_by_question.get(question) == name + TWIN:
            return question
        for possible in questions:
            if self._id_by_question.get(possible) not in self._witnesses:
                return possible
        return None

    def claim(self, question: str, twin: str) -> str:
        """Return the id of the vector that asks a question, which is the twin if none has asked it."""
        return self._id_by_question.setdefault(question, twin)


def _drafts_by_question(case: Case, places: Places) -> dict[str, dict[str, Any]]:
    """Map the questions of the possible twins of a vector to these twins, in the order of `_drafts`."""
    return {question_key(case.spec, draft): draft for draft in _drafts(case, places)}


def _drafts(case: Case, places: Places) -> Iterator[dict[str, Any]]:
    """Yield the possible twins of a vector: twins with an offset first, twins with another verdict last."""
    ranked_drafts = []
    for rule_place in places.places.get(case.spec, ()):
        draft = _draft(case, rule_place)
        if draft is not None:
            ranked_drafts.append((_rank(draft, rule_place), draft))
    # only by rank: of equal ones, the place that is listed first comes first
    for _, draft in sorted(ranked_drafts, key=lambda ranked_draft: ranked_draft[0]):
        yield draft


def _draft(case: Case, rule_place: Place) -> dict[str, Any] | None:
    """Return the twin of a vector in a place, or None if there is none."""
    vector = msgspec.to_builtins(case.vector)
    text = case.vector.url
    if rule_place.rule != case.vector.rule or not isinstance(text, str) or len(text) > MAX_WHOLE_LENGTH:
        return None
    if vector.get("ruling") in OPEN_RULINGS:
        return None
    answers = _answers(case.spec, rule_place, text, vector["expect"])
    if not answers or (_is_opposite(rule_place) and len(answers) > 1):
        return None
    same_fields = _inherited_fields(vector, rule_place)
    if answers == [{"valid": True}] and rule_place.leaves_open(case.spec, text):
        answers.append({"valid": False, "variant": _REFUSED})
        same_fields |= {"binding": "impl-defined", "ruling": rule_place.open}
    return {
        "id": vector["id"] + TWIN,
        **same_fields,
        "op": "validate",
        "rule": rule_place.whole_rule(case.spec),
        "url": rule_place.prefix + text + rule_place.suffix,
        "expect": {"any": answers} if len(answers) > 1 else answers[0],
        "origin": "twin",
        "comment": _comment(rule_place),
    }


def _is_opposite(rule_place: Place) -> bool:
    """Return True if a twin in a place has another verdict than its original."""
    return rule_place.proves in ("other", "never")


def _inherited_fields(vector: Mapping[str, Any], rule_place: Place) -> dict[str, Any]:
    """Return the fields that a twin in a place has in common with its original."""
    fields = ["requirement", "level", "binding", "ruling"]
    if not _is_opposite(rule_place):  # class and flags are about the verdict
        fields += ["class", "flags"]
    return {field: vector[field] for field in fields if field in vector}


def _answers(spec: Spec, rule_place: Place, text: str, expect: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the answers for a text in a place, or an empty list if the claim does not decide all of them."""
    answers = []
    for expected in expect.get("any") or [expect]:
        answer = rule_place.answer(spec, text, expected)
        if answer is None:
            return []
        answers.append(answer)
    return answers


def _rank(draft: Mapping[str, Any], rule_place: Place) -> int:
    """Return 0 if each rejection has an offset, 1 if one does not, and 2 for a twin with another verdict."""
    if _is_opposite(rule_place):
        return 2
    expect = draft["expect"]
    answers = expect.get("any") or [expect]
    has_all_offsets = all(answer["valid"] or "at" in answer for answer in answers)
    return 0 if has_all_offsets else 1


def _comment(rule_place: Place) -> str:
    """Return the comment of a twin: what its text shows of the rule in whose place it stands."""
    if rule_place.proves == "other":
        return (
            f"Not of `{rule_place.rule}`, but any text of the form of `{rule_place.other}` makes a URL here."
        )
    if rule_place.proves == "never":
        return f"No URL has an unencoded character of `{rule_place.rule}`."
    return f"In the place of `{rule_place.rule}`."


def _document(spec: str, section: str, vectors: list[dict[str, Any]]) -> str:
    """Return the text of the file with the twins of a section."""
    head = {"schema": "urlvectors-1", "spec": spec, "section": section, "title": _TITLE}
    return canonical_text({**head, "vectors": vectors})


def _prefixes(automaton: Automaton) -> Automaton:
    """Return the automaton of all prefixes of members.

    An accepting state must be reachable from every state except the sink.
    """
    return replace(automaton, accepting=frozenset(range(1, len(automaton.table))))


def _unfinished(rule: Automaton, quotient: Automaton, first: str) -> Automaton:
    """Return the automaton of texts that are cut too short, but can be followed by the suffix.

    Such a text is a prefix of a text of the rule, but not itself a text of the rule.  In the place, `first`,
    the first character of the suffix, can follow it.
    """
    states = range(len(quotient.table))
    before_suffix = frozenset(state for state in states if quotient.state_after(state, first) != SINK)
    followed = replace(quotient, accepting=before_suffix)
    proper_prefixes = difference(_prefixes(rule), rule)
    return product(proper_prefixes, followed, and_)


@cache
def _texts_automaton(rule_place: Place) -> Automaton:
    """Return the automaton of S: of the texts that begin as the place demands and have an allowed length.

    State n + 1 stands for the texts of length n, and state 0 is the sink.
    """
    least = max(rule_place.shortest, len(rule_place.begin))
    most = least if rule_place.longest is None else rule_place.longest
    allowed_after_beginning = set(ALPHABET) - set(rule_place.without)
    table = [(SINK,) * len(ALPHABET)]
    for length in range(most + 1):
        state = length + 1
        if length < most:
            target = state + 1
        elif rule_place.longest is None:  # longer texts stay in this state
            target = state
        else:
            target = SINK
        allowed = allowed_after_beginning
        if length < len(rule_place.begin):
            allowed = {rule_place.begin[length]}
        row = [target if char in allowed else SINK for char in ALPHABET]
        table.append(tuple(row))
    classes = {char: number for number, char in enumerate(ALPHABET)}
    accepting = frozenset(range(least + 1, most + 2))
    return Automaton(classes, table, 1, accepting)
