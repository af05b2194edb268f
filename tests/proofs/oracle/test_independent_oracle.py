"""An independent oracle answers random questions as the real one does.

The independent oracle has grammars typed from the RFCs, a recogniser without automata, and algorithms on
lists.  The questions ask if a text is valid, and if not where, and ask for its components, its target, and
its normal form.  Profile `prose` is left out: its conditions are in no grammar of the RFCs.
"""

from __future__ import annotations

import ast
import os
from collections import deque
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from urloracle import operations
from urloracle.automata.dfa import determinize, difference
from urloracle.automata.positions import position_automaton
from urloracle.errors import InvalidURL
from urloracle.grammar.expression import Alternation, Characters, Expression, Reference, Repetition
from urloracle.grammar.expression import Sequence as Row
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import specification
from urloracle.specification import Unsupported

from ..generate.independent_resolution import RESOLVERS  # noqa: TID252 - tests are not an installed package
from .independent_oracle.components import WHOLE, components
from .independent_oracle.normalization import normal_form
from .independent_oracle.recogniser import FILES, HELPERS, Node, grammar, verdict
from .independent_oracle.texts import questions
from .test_faults import ALGORITHMS, SYNTAX, fault_cases

#: Rules that only the oracle's grammar files have.
OWN_HELPERS = {"rfc1808": {"lwsp"}, "rfc2732": {"tail", "hex4"}}

#: The rules of each RFC; that they are those of the typed grammar, `test_every_rule_is_typed` says.
RULES = [
    (spec, rule)
    for spec in FILES
    for rule in sorted({rule.lower() for rule in specification(spec).grammar} - OWN_HELPERS.get(spec, set()))
]

#: How many questions all RFCs get, in the environments `proofs` and `long` of tox.
QUESTIONS = (5_000, 200_000)
#: How many of them find planted faults, in the same environments: some faults show in few texts.
FAULT_QUESTIONS = (20_000, 200_000)

#: Bases that references are resolved against, besides some of the texts before them.
BASES = (
    "http://a/b/c/d;p?q",
    "http://a/b/c/d;p?q#f",
    "http://a",
    "f:/a/../b//c",
    "foo:a/b",
    "file:///a/b?c/d",
)
#: No base is a base of RFC 1808 (R-1808-17).
BASES_OF = {"rfc1808": (*BASES, "")}


class Difference(NamedTuple):
    """A question, and the answers of the real and of the independent oracle."""

    question: str
    first: object
    second: object


def differences(spec: str, count: int, seed: int, stored_texts: Sequence[str]) -> Iterator[Difference]:
    """Yield the questions that the oracles answer differently."""
    random = Random(seed)
    recent = deque(["http://a/"], maxlen=3)
    bases = BASES_OF.get(spec, BASES)
    default = specification(spec).default_rule
    for question in questions(spec, count, seed, stored_texts):
        text = question.text
        rule = question.rule
        profile = random.choice((None, None, "generic", "scheme-specific"))
        expected = verdict(text, spec, rule, profile)
        answer = _first_verdict(text, spec, rule, profile)
        yield from _compared(f"validate {text!r} as {rule}, {profile}", answer, expected)
        if verdict(text, spec, rule).valid:
            answer = _first_components(text, spec, rule)
            expected = components(text, spec, rule)
            yield from _compared(f"parse {text!r} as {rule}", answer, expected)
        if rule.lower() not in WHOLE[spec]:
            continue
        if rule.lower() != default.lower():
            expected = verdict(text, spec, default)
            yield from _compared(f"validate {text!r}", _first_verdict(text, spec, None, None), expected)
        if verdict(text, spec, default).valid:
            yield from _whole(text, spec, random.choice((*bases, *recent)))
            absolute = specification(spec).absolute
            if absolute and verdict(text, spec, absolute).valid and len(text) < 100:
                recent.append(text)


def _compared(question: str, first: object, second: object) -> Iterator[Difference]:
    """Yield the difference between two answers, if there is one."""
    if first != second:
        yield Difference(question, first, second)


def _whole(text: str, spec: str, base: str) -> Iterator[Difference]:
    """Yield the differences about a valid URL or reference."""
    default = specification(spec).default_rule
    expected = components(text, spec, default)
    yield from _compared(f"parse {text!r}", _first_components(text, spec, None), expected)
    if spec in RESOLVERS:
        try:
            answer = operations.resolve(base, text, spec).text
        except InvalidURL:
            answer = None
        expected = RESOLVERS[spec](base, text).recommended
        yield from _compared(f"resolve {text!r} against {base!r}", answer, expected)
    if spec in ("rfc2396", "rfc2732", "rfc3986"):
        for mode in ("syntax", "scheme"):
            answer = operations.normalize(text, spec, mode)
            yield from _compared(f"normalize {text!r}, {mode}", answer, normal_form(text, spec, mode))


def _first_verdict(text: str, spec: str, rule: str | None, profile: Any) -> tuple[bool, int | None]:
    """Return the verdict of the oracle on a text, and the offset of the error."""
    try:
        operations.validate(text, spec, rule, profile)
    except InvalidURL as problem:
        return False, problem.position
    return True, None


def _first_components(text: str, spec: str, rule: str | None) -> dict[str, Any] | None:
    """Return the components by the oracle, or None if it parses no texts of the rule."""
    try:
        return specification(spec).asdict(operations.parse(text, spec, rule))
    except Unsupported:
        return None


@pytest.fixture(scope="module")
def seed() -> int:
    """Another seed in each run, which the header prints; URLCONFORM_SEED repeats one."""
    return int(os.environ["URLCONFORM_SEED"])


@pytest.fixture(scope="module")
def stored_texts(corpus) -> list[str]:
    """The texts of the corpus with at most 200 characters."""
    texts = set()
    for case in corpus.cases:
        vector = case.vector
        texts.update((vector.url, vector.other, vector.base, vector.reference))
    return sorted(text for text in texts if isinstance(text, str) and len(text) <= 200)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("count", [QUESTIONS[0], pytest.param(QUESTIONS[1], marks=pytest.mark.long)])
@pytest.mark.parametrize("spec", FILES)
def test_both_oracles_answer_alike(spec, count, seed, stored_texts):
    problems = list(islice(differences(spec, count // len(FILES), seed, stored_texts), 5))
    assert not problems, f"URLCONFORM_SEED={seed} repeats them: {problems}"


# ---- the grammars, exactly


def _expression(node: Node) -> Expression:
    """Return a node as an expression of the oracle, of which automata are made."""
    parts = tuple(map(_expression, node.parts))
    match node.kind:
        case "one":
            return Characters(node.value)
        case "name":
            return Reference(node.value)
        case "row":
            return Row(parts)
        case "choice":
            return Alternation(parts)
    return Repetition(*parts, *node.value)


@cache
def _typed(spec: str) -> Grammar:
    """Return the rules of the independent oracle as a grammar of the oracle."""
    names = {name: name for name in grammar(spec).names}
    return Grammar(
        {name: _expression(grammar(spec).rule(name)) for name in names}, names, dict.fromkeys(names, "")
    )


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_typed_rule_has_the_language_of_the_oracles_rule(spec, rule):
    """The typed grammar and that of the oracle derive the same texts."""
    typed, _ = determinize(position_automaton(_typed(spec), Reference(rule)))
    ours = specification(spec).automaton(rule, "generic")
    assert difference(typed, ours).shortest_member() is None
    assert difference(ours, typed).shortest_member() is None


@pytest.mark.parametrize("spec", FILES)
def test_every_rule_is_typed(spec):
    ours = {rule.lower() for rule in specification(spec).grammar} - OWN_HELPERS.get(spec, set())
    assert ours == grammar(spec).names - HELPERS.get(spec, set())


def test_the_independent_oracle_imports_nothing_of_the_real_one():
    folder = Path(__file__).parent
    modules = list((folder / "independent_oracle").glob("*.py"))
    assert modules != []
    for file in (*modules, folder.parent / "generate" / "independent_resolution.py"):
        packages = imported_packages(file.read_text(encoding="utf-8"))
        assert packages.isdisjoint({"urloracle", "urlharness", "urlauthor"}), file


def test_an_import_of_the_real_oracle_is_noticed():
    source = "import json, urloracle.rfcs\nfrom urlharness import runner\nfrom .texts import questions\n"
    assert imported_packages(source) == {"json", "urloracle", "urlharness"}


def imported_packages(source: str) -> set[str]:
    """Return the first names of the modules that a source imports, without those of its own package."""
    modules = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            modules.append(node.module or "")
    return {module.partition(".")[0] for module in modules}


# ---- planted faults

#: Faults that the questions do not reach: the open rules of an error, and recomposition.
UNASKED = {"2732-rules-without-the-outer"}


def by_fault():
    """Return the parametrization by the faults that the corpus notices.

    All but the first of each place are marked `long`. The faults of resolution are in test_resolution.
    """
    faults = {
        location: changes
        for location, changes in (SYNTAX | ALGORITHMS).items()
        if not location[1].startswith("rfc.resolution.")
    }
    rows = []
    places = set()
    for row in fault_cases(faults):
        if row.id in UNASKED:
            continue
        spec, location, *change = row.values
        is_long = (spec, location) in places
        places.add((spec, location))
        count = FAULT_QUESTIONS[1] if is_long else FAULT_QUESTIONS[0]
        marks = [pytest.mark.long] if is_long else []
        rows.append(pytest.param(spec, location, *change, count, id=row.id, marks=marks))
    return pytest.mark.parametrize(("spec", "location", "before", "after", "count"), rows)


def is_noticed(spec: str, count: int, anew: Any) -> bool:
    """Return True if the oracle answers a question differently, or fails instead of answering.

    The questions are the same in each run.
    """
    try:
        anew(spec)
        return next(differences(spec, count, 1, BASES), None) is not None
    except (AssertionError, AttributeError, LookupError, ValueError):
        return True


@pytest.mark.sampled(3)
@by_fault()
def test_a_fault_is_noticed(spec, location, before, after, count, anew, plant):
    plant(location, before, after)
    assert is_noticed(spec, count // len(FILES), anew)
