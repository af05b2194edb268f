"""The Python interface: ask an adapter, and get outcomes, scores and the decision of the gate.

    from urlharness import functions, run
    report = run(functions("tinyurl", resolve=tinyurl.join), spec="rfc3986")
    assert report.gate(baseline="urlconform-baseline.json").passed

An adapter is a name as on the command line, a function that maps a question to a reply, or an instance of an
adapter class of `urlharness.adapters.registry`. A function that is named as `python:MODULE:FUNCTION` runs in
a child process, so it may hang or exit. A function object runs in this process.

Except for the AssertionError of `assert_conforms`, the message of every error is one line. Besides the errors
that `run` lists, the interface raises PolicyError and, for files that cannot be used, CorpusError,
BaselineError and ResultsError.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, TypeVar

import msgspec

from urlharness.adapters.python import Functions, functions
from urlharness.adapters.registry import Adapter, NotInstalled
from urlharness.corpus.describe import describe_expected, show_value
from urlharness.corpus.loader import load
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import Case, Corpus, Expected, Operation, Tier, Vector
from urlharness.corpus.selection import Selection, SelectionError, spec_name
from urlharness.corpus.specifications import facts
from urlharness.deadline import without_deadline
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, read_baseline
from urlharness.gate.findings import Finding
from urlharness.gate.gate import decide, failure_test
from urlharness.gate.policy import PLAIN, make_policy
from urlharness.generate.admission import admission_of_reply, with_admitted_answers
from urlharness.generate.tiers import UnknownPart, normalization, parts, requirement, resolution
from urlharness.generate.tiers.labels import Label, expected_text, label
from urlharness.protocol.errors import value_error
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import AtLeastOne, Jobs, Limits, Seconds
from urlharness.protocol.messages import ComponentTexts, Reply
from urlharness.results.coverage import WHOLE_RFC, asked_sizes, incomplete_places, section_sizes
from urlharness.results.model import Result, Results, open_exclusively, read_results
from urlharness.results.scores import Score, scores_by_section, scores_by_spec
from urlharness.results.verdict import Outcome, Verdict, judge, judge_components
from urlharness.runner import (
    ConnectedAdapter,
    Given,
    adapter_of,
    adapters_folder,
    cases_to_ask,
    open_results,
)
from urlharness.runner import run as run_adapter
from urloracle.errors import InvalidURL
from urloracle.operations import iri_forms, prepare, uri_forms
from urloracle.readings import other_verdicts
from urloracle.rfc.mapping import Forms
from urloracle.rfcs import specification
from urloracle.specification import Specification, Unsupported

__all__ = ["Functions", "Gate", "NothingSelected", "Report", "assert_conforms", "functions", "run", "stream"]

Names = str | Iterable[str]
_Row = TypeVar("_Row")


class _Numbers(TypedDict):
    """The numbers of a run, with types that say which ones are in range."""

    timeout: Seconds
    start_timeout: Seconds
    total_timeout: Seconds | None
    jobs: Jobs
    maxfail: AtLeastOne | None


class NothingSelected(SelectionError):
    """The selection matches no vector."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The decision of the gate: the exit code of `urlconform run`, the reasons, and the findings."""

    code: Exit
    reasons: tuple[str, ...]
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """True if the command would exit with 0. With stale entries in the baseline, it would exit with 4."""
        return self.code is Exit.PASSED


@dataclass(frozen=True)
class Report:
    """The results of one adapter.

    `results` is the whole record of the run. The properties are computed from it. `specs` are the RFCs that
    the caller of `run` selected (empty: all).
    """

    results: Results
    adapter: str
    specs: tuple[str, ...]
    corpus: Corpus

    @property
    def outcomes(self) -> Mapping[str, Result]:
        """The result of each vector, by id. It contains outcome, variant, detail, and the reply as `got`."""
        return self.results.of(self.adapter)

    @cached_property
    def sections(self) -> Mapping[tuple[str, str], Score]:
        """The score of each section by RFC and number, as in `sections["rfc3986", "5.2.4"].results.value`.

        A section does not include its subsections. `complies` is False if some vectors of the section were
        not asked, or if the run was cut short.
        """
        sizes = section_sizes(self.corpus)
        asked_of = asked_sizes(self.results)
        return self._scores(
            scores_by_section(self.results), lambda section: asked_of[section] == sizes[section]
        )

    @cached_property
    def totals(self) -> Mapping[str, Score]:
        """The score of each RFC.

        `complies` is False if some vectors of the RFC were not asked, or if the run was cut short.
        """
        incomplete = incomplete_places(self.results)
        return self._scores(scores_by_spec(self.results), lambda spec: (spec, WHOLE_RFC) not in incomplete)

    def _scores(
        self, rows: Mapping[_Row, Mapping[str, Score]], is_whole: Callable[[_Row], bool]
    ) -> dict[_Row, Score]:
        """Return the score of the adapter in each row. A score `complies` only if the row is whole."""
        scores = {}
        for row, by_adapter in rows.items():
            if self.adapter in by_adapter:
                whole = self.results.complete and is_whole(row)
                scores[row] = replace(by_adapter[self.adapter], whole=whole)
        return scores

    def gate(
        self,
        baseline: Baseline | Path | str | None = None,
        *,
        fail_on: Names = (),
        policy: Mapping[str, str] | None = None,
        strict: bool = False,
    ) -> Gate:
        """Return the decision that `urlconform run` would make on these results.

        The gate judges the RFCs that the caller of `run` selected. Without such a selection, it judges the
        RFCs that the adapter claims and those that the baseline lists, or all RFCs if the adapter claims
        none. `baseline` is a list of known wrong answers, or the path of its file. `fail_on` names the levels
        that can fail (default: all). `policy` says which admissible answers to accept, as in
        `{"permitted-set": "listed"}`. With `strict`, partial answers fail, and so do unsupported cases of
        operations that the adapter claims.

        Raise BaselineError if the file of the baseline cannot be read or is invalid. Raise PolicyError if
        `policy` or `fail_on` is invalid.
        """
        known_answers = read_baseline(Path(baseline)) if isinstance(baseline, str | Path) else baseline
        baselines = {}
        corpus_ids = None
        if known_answers is not None:
            baselines = {self.adapter: known_answers}
            corpus_ids = known_ids(self.corpus).ids
        settings = (policy or {}).items()
        gate_policy = make_policy(settings, self.corpus.cases, _as_tuple(fail_on), strict=strict)
        decision = decide(
            self.results,
            [self.adapter],
            self.specs,
            policy=gate_policy,
            baselines=baselines,
            corpus_ids=corpus_ids,
        )
        findings: list[Finding] = []
        for judgement in decision.judgements:
            findings += judgement.findings
        return Gate(decision.code, tuple(decision.reasons), tuple(findings))


def run(
    adapter: Given,
    *,
    spec: Names = (),
    section: Names = (),
    rule: Names = (),
    flag: Names = (),
    words: Names = (),
    timeout: float = 5.0,
    start_timeout: float = 30.0,
    total_timeout: float | None = None,
    jobs: int = 1,
    maxfail: int | None = None,
    results: Path | str | None = None,
) -> Report:
    """Ask an adapter the selected vectors, and return a report on its answers.

    `spec`, `section`, `rule`, `flag` and `words` (the option `-k`) select vectors, like the options of
    `urlconform run`. Each of them is one name or several names. Timeouts are in seconds, from 0.001 to a
    million: `timeout` for one case, `start_timeout` for the hello, and `total_timeout` for all cases. When
    the time for all cases has run out, cases without a result are aborted. `jobs` is the number of processes
    that share the cases, from 1 to 256. A function object always runs in this process.

    After `maxfail` failures in judged RFCs (at least 1), the adapter is asked nothing more, and the gate
    cannot pass. Failures that a baseline lists count, too. `results` is the path of a file to which the
    record is written as JSON Lines. `urlconform report` can read this file.

    Raise UnknownAdapter or SelectionError if a name is unknown, and ValueError if a number is out of range.
    Raise NothingSelected if no vector is selected, and ResultsError if another run is writing the file. Raise
    NotInstalled if the runtime of the adapter is missing, and AdapterDead if the adapter cannot be started.
    """
    limits = _checked_limits(timeout, start_timeout, total_timeout, jobs, maxfail)
    adapter_object = adapter_of(adapter)
    name = adapter_object.name
    selected = _select_cases(spec, section, rule, flag, words)
    corpus = selected.corpus
    cases = selected.cases
    specs = selected.specs
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "results.jsonl") if results is None else Path(results).absolute()
        file = open_exclusively(path)
        writer = open_results(file, corpus, cases, folder=adapters_folder([adapter_object]), limits=limits)
        interrupted = True
        try:
            is_failure = failure_test([name], specs, PLAIN, {})
            participant = run_adapter(
                adapter_object, cases, writer, limits, maxfail=maxfail, is_failure=is_failure
            )
            interrupted = False
        finally:
            writer.close(interrupted=interrupted)
        if participant.state == "not installed":
            raise NotInstalled(f"{name}: {participant.message}")
        if participant.state == "dead":
            raise AdapterDead(f"{name}: {participant.message}")
        return Report(read_results(path), name, specs, corpus)


def stream(
    adapter: Given,
    *,
    spec: Names = (),
    section: Names = (),
    rule: Names = (),
    flag: Names = (),
    words: Names = (),
    timeout: float = 5.0,
    start_timeout: float = 30.0,
    total_timeout: float | None = None,
    jobs: int = 1,
) -> Generator[tuple[Case, Result], None, None]:
    """Yield (case, result) for each vector as soon as it has a result.

    The first step of the iterator starts the adapter. The last step ends it, and so does closing the
    iterator. The arguments are those of `run`, except `maxfail` and `results`. NotInstalled and AdapterDead
    are raised in the first step, all other errors of `run` by the call.
    """
    limits = _checked_limits(timeout, start_timeout, total_timeout, jobs)
    adapter_object = adapter_of(adapter)
    selected = _select_cases(spec, section, rule, flag, words)
    # another function, because this one must raise its errors before the first step
    return _stream_results(adapter_object, limits, selected.cases)


def _stream_results(
    adapter: Adapter, limits: Limits, cases: Sequence[Case]
) -> Generator[tuple[Case, Result], None, None]:
    """Start the adapter, yield each case with its result, and end the adapter."""
    with contextlib.closing(ConnectedAdapter(adapter, limits)) as connected:
        yield from connected.ask(cases_to_ask(cases, connected.participant.specs))


class _Selected(NamedTuple):
    """The corpus, the selected cases of it, and the RFCs that the caller selected (empty: all)."""

    corpus: Corpus
    cases: Sequence[Case]
    specs: tuple[str, ...]


def _select_cases(spec: Names, section: Names, rule: Names, flag: Names, words: Names) -> _Selected:
    """Return the cases that have all these properties. Raise NothingSelected if there is no such case."""
    specs = tuple(map(spec_name, _as_tuple(spec)))
    selection = Selection(specs, _as_tuple(section), _as_tuple(rule), _as_tuple(words), _as_tuple(flag))
    corpus = load()
    cases = selection.pick(corpus.cases)
    if not cases:
        raise NothingSelected(selection.no_match_message(corpus.cases))
    return _Selected(corpus, list(cases), specs)


def assert_conforms(
    text: str,
    *,
    validate: Callable[[str], object] | None = None,
    parse: Callable[[str], ComponentTexts] | None = None,
    resolve: Callable[[str, str], str] | None = None,
    normalize: Callable[[str], str] | None = None,
    to_uri: Callable[[str], str] | None = None,
    to_iri: Callable[[str], str] | None = None,
    base: str | None = None,
    spec: str = "rfc3986",
    rule: str | None = None,
    rejects: tuple[type[Exception], ...] = (ValueError,),
    absent_vs_empty: bool = False,
) -> None:
    """Assert that the RFC admits the answers of the given functions to a text.

        assert_conforms("http://a/b", parse=my_parse)
        assert_conforms("../g", base="http://a/b/c", resolve=urllib.parse.urljoin)
        assert_conforms("a:b", validate=my_validate, rule="URI")

    The functions, `rejects` and `absent_vs_empty` have the same meaning as the arguments of `functions`. In
    particular, a component that `parse` leaves out is not compared. `validate` says whether a text has the
    `rule` (default: that of whole URLs and references, such as `URI-reference`). `resolve` needs a `base`,
    against which it resolves the text. Normalization is syntax-based. Only RFC 3987 defines `to_uri`
    and `to_iri`, which conform if it admits the answer; the message lists only some of those that it admits.

    Raise AssertionError if an answer is wrong. The message states the section of the RFC, the expected answer
    and the actual answer. Raise TypeError if a function returns something else than text, or a component with
    an unknown name, such as `hostname`. Raise ValueError if no function is given, if only one of
    `resolve` and `base` is given, if a `rule` is given without `validate`, or if the RFC does not define the
    operation. Raise UnknownRule if the RFC has no such rule.
    """
    __tracebackhide__ = True
    validate_by_rule = validate if rule is None or validate is None else {rule: validate}
    operations: dict[Operation, Any] = {
        "validate": validate_by_rule,
        "parse": parse,
        "resolve": resolve,
        "normalize": normalize,
        "to_uri": to_uri,
        "to_iri": to_iri,
    }
    functions_by_operation = {
        operation: function for operation, function in operations.items() if function is not None
    }
    if not functions_by_operation:
        raise ValueError(f"no function to ask; give one of {', '.join(operations)}")
    if (resolve is None) != (base is None):
        raise ValueError("`resolve` needs a `base`, and `base` is only for `resolve`")
    if rule is not None and validate is None:
        raise ValueError("`rule` is only for `validate`: the other functions get whole URLs and references")
    rfc = specification(spec)
    _prepare_once(rfc)
    adapter = functions("asked", rejects=rejects, absent_vs_empty=absent_vs_empty, **functions_by_operation)
    features: Sequence[str] = adapter.hello["features"]
    for operation in functions_by_operation:
        plain_vector = _conformance_vector(rfc, operation, text, base, rule)
        reply = _ask_functions(adapter, rfc, plain_vector)
        expectation = with_admitted_answers(plain_vector.expect, operation, rfc.id, text, [reply])
        vector = msgspec.structs.replace(plain_vector, expect=expectation)
        case = Case(rfc.id, section="", vector=vector, file="")
        verdict = judge(case, reply, features)
        if verdict.outcome not in (Outcome.PASS, Outcome.VARIANT, Outcome.PARTIAL):
            raise AssertionError(_disagreement_in_words(rfc, vector, reply, verdict, features))


#: The RFCs for which everything that `assert_conforms` needs is compiled.
_PREPARED: set[str] = set()


def _prepare_once(rfc: Specification) -> None:
    """Compile everything for an RFC, unless that is done. It does not count towards a deadline.

    So the deadline of a property test holds for all its examples.
    """
    if rfc.id not in _PREPARED:
        without_deadline(prepare, rfc)
        _PREPARED.add(rfc.id)


def _ask_functions(adapter: Functions, spec: Specification, vector: Vector) -> Reply:
    """Return the reply of functions to a vector. Raise TypeError if it is no reply."""
    __tracebackhide__ = True
    question = {"op": vector.op, "spec": spec.id, **vector.inputs}
    answer = {"id": 0, **adapter(question)}
    try:
        return msgspec.convert(answer, Reply)
    except msgspec.ValidationError as error:
        why = value_error(answer, Reply, error)
        raise TypeError(f"{vector.op} returned no valid answer: {why}{_hint_on_text(answer)}") from None


def _hint_on_text(answer: Mapping[str, object]) -> str:
    """Return a hint for a function that returns a record with the URL instead of the URL, or ""."""
    text = getattr(answer.get("url"), "text", None)
    return "; return its .text" if isinstance(text, str) else ""


def _conformance_vector(
    spec: Specification, op: Operation, text: str, base: str | None, rule: str | None
) -> Vector:
    """Return a vector with the question and the answers that the RFC admits.

    `rule` is that of `validate`, or None for the default one.

    Raise Unsupported if the RFC does not define the operation.
    """
    inputs = {"base": base, "reference": text} if op == "resolve" else {"url": text}
    if op == "validate":
        inputs["rule"] = rule or spec.default_rule
        admitted = _validity_label(spec, text, rule)
    else:
        admitted = _conformance_label(spec, op, text, base)
    return Vector(
        id="asked",
        requirement="asked",
        level="note",
        op=op,
        expect=admitted.expect,
        binding=admitted.binding,
        **inputs,
    )


def _conformance_label(spec: Specification, op: Operation, text: str, base: str | None) -> Label:
    """Return the answers that the RFC admits. Raise Unsupported if it does not define the operation.

    An operation on an invalid text, or against an invalid base, must be refused. Only a mapping may have
    another admissible answer to an invalid text.
    """
    if op == "parse":
        return _parse_label(spec, text)
    if op in _FORMS:
        return _mapping_label(_FORMS[op](text, spec))
    if not spec.defines(op):
        raise Unsupported(f"{spec.title} does not define how to {op}")
    if _refusal(spec, text, base) is not None:
        return Label(Expected(valid=False))
    if base is not None:
        return resolution.label_pair(spec, base, text)
    return normalization.label_url(spec, text, "syntax")


def _validity_label(spec: Specification, text: str, rule: str | None) -> Label:
    """Return whether a text has a rule. Verdicts of other readings of the RFC are admissible too."""
    valid = spec.problem(text, rule) is None
    return label(Expected(valid=valid), _other_verdicts(spec, text, rule))


def _parse_label(spec: Specification, text: str) -> Label:
    """Return the components of a text, or that it is to be refused.

    The answers that follow from other readings are further admissible answers of the label.
    """
    alternatives = _other_verdicts(spec, text)
    if spec.problem(text) is not None:
        return label(Expected(valid=False), alternatives)
    components = spec.parse(text)
    for number, reading in enumerate(spec.readings(components), 2):  # `components` are the first reading
        admitted = Expected(components=reading.components, variant=f"reading-{number}")
        alternatives.append(Label(admitted, "permitted-set", reading.ruling))
    return label(Expected(components=spec.asdict(components)), alternatives)


def _other_verdicts(spec: Specification, text: str, rule: str | None = None) -> list[Label]:
    """Return the verdicts on a text that follow from other readings of the RFC."""
    verdicts = []
    for verdict in other_verdicts(text, spec, rule):
        admitted = Expected(valid=verdict.valid, variant=verdict.reading.variant)
        verdicts.append(Label(admitted, "permitted-set", verdict.reading.ruling))
    return verdicts


#: The functions that return all admissible answers of a mapping. They raise Unsupported if the RFC has none.
_FORMS: Mapping[Operation, Callable[[str, Specification], Forms]] = {"to_uri": uri_forms, "to_iri": iri_forms}


def _mapping_label(forms: Forms) -> Label:
    """Return the label of a mapping: the recommended answer, and those that rulings admit."""
    alternatives = []
    for form in forms.also:
        admitted = expected_text(form.text, form.variant)
        alternatives.append(Label(admitted, "permitted-set", form.ruling))
    recommended = Expected(valid=False) if forms.text is None else Expected(result=forms.text)
    return label(recommended, alternatives)


def _refusal(spec: Specification, text: str, base: str | None, rule: str | None = None) -> InvalidURL | None:
    """Return the error for which the RFC refuses a text or else its base, or None if it refuses neither."""
    problem = spec.problem(text, rule)
    if problem is None and base is not None:
        return spec.problem(base, spec.absolute)
    return problem


def _disagreement_in_words(
    spec: Specification, vector: Vector, reply: Reply, verdict: Verdict, features: Sequence[str]
) -> str:
    """Return the message for a wrong answer.

    It states the operation, the section, the inputs, the expected answer and the actual answer.
    """
    inputs = _input_texts(vector)
    text = inputs["reference"] if vector.op == "resolve" else inputs["text"]
    refusal = _refusal(spec, text, inputs.get("base"), vector.rule)
    if refusal is not None:
        section = refusal.section
        reason = refusal.problem
    else:
        section = _violated_section(spec, vector, reply, features)
        admission = admission_of_reply(vector.op, spec.id, text, reply)
        reason = "" if admission is None else admission.reason
    lines = [(name, show_value(input_text)) for name, input_text in inputs.items()]
    lines.append(("expected", describe_expected(vector.expect)))
    if reason:
        lines.append(("because", reason))
    lines.append(("actual", verdict.detail.removeprefix("got ")))
    table = "".join(f"\n  {name:9} {words}" for name, words in lines)
    source = f"{spec.title}, section {section}" if section else spec.title
    return f"{vector.op} does not conform to {source}{table}"


def _input_texts(vector: Vector) -> dict[str, str]:
    """Return the base and the reference of a vector of `resolve`, or the text of any other vector."""
    texts = {"text": vector.url}
    if vector.op == "resolve":
        texts = {"base": vector.base, "reference": vector.reference}
    return {name: text for name, text in texts.items() if isinstance(text, str)}


def _violated_section(spec: Specification, vector: Vector, reply: Reply, features: Sequence[str]) -> str:
    """Return the section that a wrong answer violates, or an empty string if it is not known.

    For `resolve`, `normalize` and mappings, return the section on the operation. For other operations, return
    that on the first wrong component or, if no component is wrong, on the rule that was asked.
    """
    spec_facts = facts(spec.id)
    if vector.op in _FORMS:
        return spec_facts.sections[vector.op]
    if vector.op in ("resolve", "normalize"):
        tier: Tier = "resolution" if vector.op == "resolve" else "normalization"
        with contextlib.suppress(UnknownPart):  # an RFC without this tier
            first_part, *_ = parts(tier, spec.id)  # all parts of the tier have the same statement
            return requirement(first_part).section
    sections = spec.grammar.sections
    wrong = _wrong_component(spec, vector, reply, features)
    rule = vector.rule or spec.default_rule
    return sections.get(wrong) or sections.get(rule.lower(), "")


def _wrong_component(spec: Specification, vector: Vector, reply: Reply, features: Sequence[str]) -> str:
    """Return the first wrong component, or an empty string. Parts of the authority precede the authority."""
    expected = vector.expect.alternatives[0].components  # those of the recommended answer
    actual = reply.components
    if isinstance(expected, msgspec.UnsetType) or isinstance(actual, msgspec.UnsetType):
        return ""
    verdicts = judge_components(spec.id, expected, actual, features)
    wrong = [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAIL]
    wrong.sort(key=lambda name: name == "authority")  # last
    return wrong[0] if wrong else ""


def _as_tuple(names: Names) -> tuple[str, ...]:
    """Return one name or several names as a tuple."""
    return (names,) if isinstance(names, str) else tuple(names)


def _checked_limits(
    timeout: float, start_timeout: float, total_timeout: float | None, jobs: int, maxfail: int | None = None
) -> Limits:
    """Return the limits of an adapter. Raise ValueError if a number is out of range."""
    numbers = {
        "timeout": timeout,
        "start_timeout": start_timeout,
        "total_timeout": total_timeout,
        "jobs": jobs,
        "maxfail": maxfail,
    }
    try:
        msgspec.convert(numbers, _Numbers)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None
    return Limits(start_timeout, timeout, total=total_timeout, jobs=jobs)
