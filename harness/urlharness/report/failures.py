"""Failing cases of a run, groups of them, and new findings of the gate, the most serious first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.describe import describe_expected, describe_inputs, describe_place
from urlharness.corpus.model import section_key
from urlharness.corpus.specifications import Spec, report_place
from urlharness.exitcodes import Exit
from urlharness.gate import differences
from urlharness.gate.baseline import Entry
from urlharness.gate.differences import NOTHING_BEFORE, Before, Difference, component_at
from urlharness.gate.findings import Finding, count_asked_entries
from urlharness.gate.gate import FINDINGS, Criteria, Group, Judgement
from urlharness.gate.policy import PLAIN
from urlharness.panel.severity import BY_HARM, general_component, harm_rank
from urlharness.panel.spelling import split
from urlharness.protocol.messages import ComponentValue, ReplyComponents
from urlharness.results.model import AskedVector, Participant, Result, Results
from urlharness.results.scores import report_order
from urlharness.results.verdict import Outcome, judge_components
from urlharness.sessions.process import error_line
from urlharness.text import clipped
from urlharness.wording import counted, section_place

#: The maximum number of characters of what an adapter wrote on stderr.
_STDERR_LIMIT = 200

#: The maximum number of failures in a group.
KEPT = 20

#: The kind of a new finding of a gate without a baseline.
FAILURE = "failure"

#: All kinds of new findings, in the order of reports.
_KINDS = (FAILURE, *FINDINGS)

#: Other words for components in titles and statements.
_SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "host": ("authority", "server", "ipv4", "ipv6", "net_loc", "network"),
    "userinfo": ("user", "password", "authority"),
    "port": ("authority",),
}

#: The words of a finding without a case.
_WITHOUT_CASE: Mapping[str, Difference] = {
    "coverage": Difference("coverage lost", (), "for", "operation"),
    "unknown id": Difference("no such vector", (), "for", "id"),
}
_OF_PART = Difference("failures", (), "in", "generated part")

#: Words for components in names of rules and titles of sections, each with the component of RFC 3986.
_COMPONENT_WORDS = {"authority": "host", "hostname": "host", "ipv6": "host", "params": "path"}

#: A failure that concerns no component counts as much as one in this component.
_COMPARABLE_COMPONENT = "port"

#: The harm of an abnormal end, which comes before that of every component.
_HARM_OF_ABNORMAL_END = -1


class Failure(NamedTuple):
    """A failing case, and what reports say about it."""

    asked: AskedVector
    result: Result
    run: Results

    @property
    def question(self) -> str:
        """The operation and its inputs."""
        vector = self.asked.case.vector
        inputs = ", ".join(f"{name} {description}" for name, description in describe_inputs(vector))
        return f"{vector.op}: {inputs}"

    @property
    def expected(self) -> str:
        """The expected answer, in words."""
        return describe_expected(self.asked.case.vector.expect)

    @property
    def got(self) -> str:
        """The actual answer, in words."""
        return self.result.detail or self.result.variant or self.result.outcome

    @property
    def stderr_line(self) -> str:
        """The line on stderr that explains an abnormal end, or "" if there is none or `got` contains it."""
        if not self.result.outcome.abnormal:
            return ""
        line = error_line(self.result.stderr)
        return "" if line in self.got else clipped(line, _STDERR_LIMIT)

    @property
    def got_with_stderr(self) -> str:
        """The actual answer and, if there is one, the line on stderr that explains it."""
        return f"{self.got}; it wrote: {self.stderr_line}" if self.stderr_line else self.got

    @property
    def command(self) -> str:
        """The shell command that repeats the case."""
        return self.run.repro_command(self.result.id, self.result.implementation)

    def labelled_facts(self, before: str = "") -> list[tuple[str, str]]:
        """Return everything about the failure that reports show, as pairs (label, text), without empty texts.

        `before` is what the baseline says of the case, or empty. If it ends with the answer, this end is left
        out.
        """
        case = self.asked.case
        requirement = self.asked.requirement
        facts = {
            "input": self.question,
            "expected": self.expected,
            "got": self._got_with_outcome(),
            "before": before.removesuffix(f", now {self.got}"),
            "statement": f"{requirement.statement} ({requirement.id})",
            "section": describe_place(case, requirement),
            "flags": ", ".join(case.flags),
            "repeat": self.command,
        }
        return [(label, text) for label, text in facts.items() if text]

    def _got_with_outcome(self) -> str:
        """Return the actual answer after its outcome, unless this is a plain failure or says the same."""
        outcome = self.result.outcome
        if outcome is Outcome.FAIL or self.got == outcome:
            return self.got_with_stderr.removeprefix("got ")
        return f"{outcome}: {self.got_with_stderr}"


class Severity(NamedTuple):
    """The sort key of a failure, the most serious first. The fields are the criteria, in order.

    Human-made vectors come before witnesses, those with the flag `security` before others, abnormal ends
    before failures in components, which are ordered by `harm`, and accepted invalid texts before rejected
    valid ones. `place` is that in the order of reports.
    """

    is_witness: bool
    is_unflagged: bool
    harm: int
    rejects_valid: bool
    place: tuple[object, ...]
    id: str


class NewFinding(NamedTuple):
    """Something new that fails the gate.

    With a baseline, it is a finding other than a stale entry, and `text` is the difference from the baseline
    in words. Without a baseline, it is a failure, and `kind` is `failure`. The field `failure` is None if the
    finding concerns no case. `difference` says how the answer differs, or what the finding is.
    """

    kind: str
    id: str
    failure: Failure | None
    difference: Difference
    text: str = ""

    @property
    def severity_key(self) -> tuple[object, ...]:
        """The sort key. Findings without a case come after human-made vectors and before witnesses."""
        if self.failure is None:
            # the key of a failure begins with `is_witness`, and a shorter tuple comes before a longer one
            return (True,)
        return severity(self.failure)

    @property
    def clarity_key(self) -> tuple[object, ...]:
        """The sort key for the example of a group, the clearest first.

        The criteria, in order: no special case, which would not show the difference of all; the kind; an
        answer that has a text for each component that differs; human-made vectors before witnesses; a
        statement about the difference before one about something else, which vectors that combine inputs can
        have; the flag `security`; the harm; the length of the question.
        """
        first_criteria = (bool(self.difference.narrow), _KINDS.index(self.kind))
        if self.failure is None:
            return first_criteria
        gravity = severity(self.failure)
        return (
            *first_criteria,
            not _has_text_of_components(self.failure, self.difference),
            gravity.is_witness,
            not _states_difference(self.failure, self.difference),
            gravity.is_unflagged,
            gravity.harm,
            gravity.rejects_valid,
            len(self.failure.question),
            gravity,
        )


class FindingGroup(NamedTuple):
    """New findings that differ in the same way, the clearest first, so that the first one is the example.

    `shown` is 0, or the number of findings of all groups if the results do not contain all generated cases
    that could belong to this group.
    """

    findings: tuple[NewFinding, ...]
    shown: int = 0

    @property
    def example(self) -> NewFinding:
        """The clearest finding."""
        return self.findings[0]

    @property
    def heading(self) -> str:
        """The difference with the number of findings, such as "fragment missing in 626 answers"."""
        difference = self.example.difference
        # a special case is an example only if all findings are such cases
        words = difference.narrow or difference.words
        if self.shown:
            number = f"{len(self.findings):,} of the {self.shown:,} shown"
            return f"{words} {difference.preposition} {number}"
        return difference._replace(words=words).counted(len(self.findings))

    @property
    def kinds(self) -> str:
        """The numbers of findings by kind, or "" without a baseline."""
        return kinds_in_words(self.findings)

    @property
    def heading_with_kinds(self) -> str:
        """The heading and, with a baseline, the numbers of findings by kind."""
        return f"{self.heading} ({self.kinds})" if self.kinds else self.heading

    @property
    def rest(self) -> str:
        """The number of findings besides the example in words, or "" if there are none."""
        besides_example = self.findings[1:]
        if not besides_example:
            return ""
        number = f"{len(besides_example):,} more of the same"
        kinds = kinds_in_words(besides_example)
        return f"{number}: {kinds}" if kinds else number

    @property
    def sort_key(self) -> tuple[object, ...]:
        """The sort key: the first kind, then the number of findings, then the severity of the example.

        Groups of witnesses come after others.
        """
        is_witness, *further_criteria = self.example.severity_key
        first_kind = min(_KINDS.index(finding.kind) for finding in self.findings)
        return (first_kind, is_witness, -len(self.findings), *further_criteria)


class FailureGroup(NamedTuple):
    """Failures of one implementation in one section and class, or in one rule of a generated tier.

    `place` is the section, or the rule with its tier. `claimed` is True if the implementation claims the RFC.
    `outcomes` counts all failing cases. Of a section, `failures` contains the most serious ones, sorted. Of a
    rule, it contains the first ones, in the order of the run.
    """

    implementation: str
    spec: Spec
    place: str
    title: str
    class_: str
    claimed: bool
    outcomes: Mapping[Outcome, int]
    failures: tuple[Failure, ...]

    @property
    def size(self) -> int:
        """The number of failing cases."""
        return sum(self.outcomes.values())

    @property
    def counts(self) -> str:
        """The numbers of failing cases by outcome, in words."""
        counts = [f"{number:,} {outcome}" for outcome, number in self.outcomes.items()]
        return ", ".join(counts)

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the failures in `failures`."""
        flags = [flag for failure in self.failures for flag in failure.asked.case.flags]
        return tuple(dict.fromkeys(flags))

    @property
    def has_only_witnesses(self) -> bool:
        """True if all failures concern witnesses, and False if there is no failure."""
        if not self.failures:
            return False
        # failures of witnesses come last, and no generated case is a witness
        return self.failures[0].asked.case.vector.origin == "mutant"

    @property
    def gravity_key(self) -> tuple[object, ...]:
        """The sort key of groups before their place in reports, the most serious first."""
        is_abnormal = any(outcome.abnormal for outcome in self.outcomes)
        is_security = "security" in self.flags
        return (not self.claimed, self.has_only_witnesses, not is_abnormal, not is_security, -self.size)


def severity(failure: Failure) -> Severity:
    """Return the sort key of a failure, the most serious first."""
    case = failure.asked.case
    outcome = failure.result.outcome
    if outcome.abnormal and outcome is not Outcome.ABORTED:  # an aborted case was never asked
        harm = _HARM_OF_ABNORMAL_END
    else:
        harm = harm_rank(wrong_component(failure) or _COMPARABLE_COMPONENT)
    return Severity(
        is_witness=case.vector.origin == "mutant",
        is_unflagged="security" not in case.flags,
        harm=harm,
        rejects_valid=case.vector.expect.alternatives[0].valid is not False,
        place=report_order(case),
        id=case.vector.id,
    )


def wrong_component(failure: Failure) -> str:
    """Return the most harmful component that a failure concerns, or an empty string.

    The component follows from the first of these that there is: the answer to `parse`, the offset of the
    error in a URL, the parts in which the returned URL is wrong, the names in the rule and the title.
    """
    vector = failure.asked.case.vector
    expected = vector.expect.alternatives[0]
    got = failure.result.got
    if isinstance(expected.components, dict) and "components" in got:
        return _most_harmful(_failing_components(failure, expected.components))
    url = vector.inputs.get("url")
    if isinstance(expected.at, int) and isinstance(url, str) and ":" in url:
        return component_at(url, expected.at)
    returned_url = got.get("url")
    if isinstance(expected.result, str) and isinstance(returned_url, str):
        expected_parts = split(expected.result)
        parts = split(returned_url)
        return _most_harmful(name for name in parts if parts[name] != expected_parts[name])
    title_words = re.findall(r"\w+", failure.asked.title.lower())
    return _most_harmful([vector.rule or "", *title_words])


def _failing_components(failure: Failure, expected: Mapping[str, ComponentValue]) -> list[str]:
    """Return the names of the components that an answer to `parse` gets wrong."""
    participant = failure.run.participant(failure.result.implementation)
    components = msgspec.convert(failure.result.got["components"], ReplyComponents)
    verdicts = judge_components(failure.asked.case.spec, expected, components, participant.features)
    return [component for component, verdict in verdicts.items() if verdict.outcome.failing]


def _most_harmful(names: Iterable[str]) -> str:
    """Return the most harmful component among names and words, or an empty string if there is none."""
    components = [_COMPONENT_WORDS.get(name, name) for name in names]
    known_components = [name for name in components if general_component(name) in BY_HARM]
    return min(known_components, key=harm_rank, default="")


def claims(participant: Participant, spec: str) -> bool:
    """Return True if the implementation claims the RFC. An implementation that claims no RFC claims all."""
    return not participant.specs or spec in participant.specs


def stored_failures(results: Results, participant: Participant) -> Iterator[Failure]:
    """Yield the failing required cases of the corpus that were asked, in the order of the run."""
    for case_result in results.of(participant.name).values():
        if case_result.outcome.wrong:
            vector = results.vectors[case_result.id]
            if vector.case.vector.binding == "required":
                yield Failure(vector, case_result, results)


def generated_failures(results: Results) -> dict[tuple[str, str], list[Failure]]:
    """Map each (implementation, part) to the failing generated cases that the results contain."""
    failures: dict[tuple[str, str], list[Failure]] = {}
    for example in results.examples:
        part = example.asked.title
        key = (example.result.implementation, part)
        failures.setdefault(key, []).append(Failure(example.asked, example.result, results))
    return failures


def new_findings(results: Results, judgement: Judgement) -> list[NewFinding]:
    """Return everything new that fails the gate, the most serious first. Aborted cases are left out.

    If the gate is passed, or nothing was judged, there is nothing new.
    """
    if judgement.code not in (Exit.FAILED, Exit.ADAPTER_DEAD):
        return []
    if judgement.findings:
        findings = _new_beside_baseline(results, judgement)
    else:
        findings = _new_without_baseline(results, judgement)
    return sorted(findings, key=lambda finding: finding.severity_key)


def _new_beside_baseline(results: Results, judgement: Judgement) -> Iterator[NewFinding]:
    """Yield the findings of a gate with a baseline, without stale entries and aborted cases.

    A finding about a generated part stands for its examples, if the results contain any.
    """
    generated = generated_failures(results)
    for finding in judgement.findings:
        is_aborted = finding.result is not None and finding.result.outcome is Outcome.ABORTED
        if finding.kind != "stale" and not is_aborted:
            examples = generated.get((judgement.name, finding.id), ())
            yield from _findings_about(finding, results, judgement.criteria, examples)


def _findings_about(
    finding: Finding, results: Results, criteria: Criteria | None, examples: Sequence[Failure]
) -> Iterator[NewFinding]:
    """Yield what reports show of a finding: its case, or the `examples` of its generated part, or itself."""
    kind = finding.kind
    text = describe_finding(finding)
    vector = results.vectors.get(finding.id)
    if vector is not None and finding.result is not None:
        failure = Failure(vector, finding.result, results)
        before = _listed_before(finding, failure, criteria)
        yield NewFinding(kind, finding.id, failure, _difference(failure, before), text)
        return
    for example in examples:
        yield NewFinding(kind, example.result.id, example, _difference(example), text)
    if not examples:
        words = _WITHOUT_CASE.get(kind, _OF_PART)
        yield NewFinding(kind, finding.id, failure=None, difference=words, text=text)


def _listed_before(finding: Finding, failure: Failure, criteria: Criteria | None) -> Before:
    """Return the answer of an entry that has changed, and the components that the baseline locks.

    Without a baseline, nothing is locked.
    """
    entry = finding.entry
    answer = entry.got if entry is not None and finding.kind == "changed" else {}
    if criteria is None or criteria.baseline is None:
        return Before(answer)
    locked = criteria.baseline.partly.get(failure.asked.case.spec, {})
    return Before(answer, locked.get(finding.id, {}))


def _difference(failure: Failure, before: Before = NOTHING_BEFORE) -> Difference:
    """Return how the answer of a failure differs."""
    features = failure.run.participant(failure.result.implementation).features
    return differences.difference(failure.asked.case, failure.result, features, before)


def _new_without_baseline(results: Results, judgement: Judgement) -> Iterator[NewFinding]:
    """Yield every failure of the judged RFCs that was not aborted.

    Without criteria, yield those of the plain policy in all RFCs.
    """
    criteria = judgement.criteria
    policy = criteria.policy if criteria is not None else PLAIN
    for failure in _answered_cases(results, judgement.name):
        case = failure.asked.case
        is_judged = criteria is None or criteria.judges(case.spec)
        is_aborted = failure.result.outcome is Outcome.ABORTED
        if is_judged and not is_aborted and policy.fails(case, failure.result):
            yield NewFinding(FAILURE, failure.result.id, failure, _difference(failure))


def _answered_cases(results: Results, name: str) -> Iterator[Failure]:
    """Yield the stored cases of an implementation and its generated ones that the results contain.

    Each has the form of a failure, but a stored case may have passed: a policy decides which of them fail.
    """
    for identifier, answer in results.of(name).items():
        yield Failure(results.vectors[identifier], answer, results)
    for (implementation, _), examples in generated_failures(results).items():
        if implementation == name:
            yield from examples


def count_unlisted(
    results: Results, judgement: Judgement, groups: Sequence[FindingGroup], listed: int
) -> int:
    """Count the new findings that a report leaves out if it lists the first `listed` groups.

    Besides those of the other groups, these are the new failures of generated cases that the results, and so
    the groups, do not contain.
    """
    ids_of_findings = {finding.id for finding in judgement.findings}
    failing = 0
    for tally in results.tallies_of(judgement.name):
        if tally.part in ids_of_findings or not judgement.findings:
            failing += tally.failing
    contained = sum(_is_generated_case(finding, results) for finding in findings_of_groups(groups))
    not_contained = max(0, failing - contained)
    in_other_groups = findings_of_groups(groups[listed:])
    return len(in_other_groups) + not_contained


def groups_of_new_findings(results: Results, judgement: Judgement) -> list[FindingGroup]:
    """Return the groups of new findings that differ in the same way, in the order of `FindingGroup.sort_key`.

    They are what every report shows of a gate that is not passed.
    """
    findings_by_words: dict[str, list[NewFinding]] = {}
    for finding in new_findings(results, judgement):
        findings_by_words.setdefault(finding.difference.words, []).append(finding)
    groups = []
    for findings_with_words in findings_by_words.values():
        by_clarity = sorted(findings_with_words, key=lambda finding: finding.clarity_key)
        groups.append(FindingGroup(tuple(by_clarity)))
    if count_unlisted(results, judgement, groups, len(groups)):
        groups = [*_groups_with_total(groups, results)]
    return sorted(groups, key=lambda group: group.sort_key)


def _groups_with_total(groups: Sequence[FindingGroup], results: Results) -> Iterator[FindingGroup]:
    """Yield the groups. Those with a generated case say how many findings the results contain in all."""
    total = len(findings_of_groups(groups))
    for group in groups:
        if any(_is_generated_case(finding, results) for finding in group.findings):
            yield group._replace(shown=total)
        else:
            yield group


def _is_generated_case(finding: NewFinding, results: Results) -> bool:
    """Return True if a finding is about a generated case."""
    return finding.failure is not None and finding.id not in results.vectors


def findings_of_groups(groups: Iterable[FindingGroup]) -> list[NewFinding]:
    """Return the findings of all groups."""
    return [finding for group in groups for finding in group.findings]


def sorted_findings(groups: Iterable[FindingGroup]) -> list[NewFinding]:
    """Return the findings of all groups, the most serious first."""
    return sorted(findings_of_groups(groups), key=lambda finding: finding.severity_key)


def kinds_in_words(findings: Iterable[NewFinding]) -> str:
    """Return the numbers of findings by kind, such as "504 regressions, 122 changed", or "" for failures."""
    counts = Counter(finding.kind for finding in findings)
    return ", ".join(counted(counts[kind], *nouns) for kind, nouns in FINDINGS.items() if counts[kind])


def _states_difference(failure: Failure, difference: Difference) -> bool:
    """Return True if the statement or the section of a failure names a component that differs.

    This is also so if no component differs.
    """
    vector = failure.asked
    text = f"{vector.title} {vector.requirement.statement}".lower()
    words: list[str] = []
    for name in difference.components:
        words += [name, *_SYNONYMS.get(name, ())]
    return not words or any(word in text for word in words)


def _has_text_of_components(failure: Failure, difference: Difference) -> bool:
    """Return True if the answers have a text, which is not empty, for each component that differs.

    They are the expected and the actual answer, or of an invalid text, the text itself.
    """
    vector = failure.asked.case.vector
    names = set(_components_with_text(failure.result.got))
    for expected in vector.expect.alternatives:
        answer = {
            "components": expected.components,
            "decoded": expected.decoded,
            "url": expected.result,
            "base": expected.base,
        }
        if expected.valid is False:
            answer = {"url": vector.inputs.get("url")}
        names.update(_components_with_text(answer))
    return names.issuperset(map(general_component, difference.components))


def _components_with_text(answer: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of the parts of an answer that are neither absent nor empty.

    `answer` has the fields of a reply. The components of URLs in it count, too.
    """
    for field in ("components", "decoded"):
        parts = answer.get(field)
        if isinstance(parts, Mapping):
            yield from (general_component(name) for name, part in parts.items() if part)
    for field in ("url", "base"):
        url = answer.get(field)
        if isinstance(url, str):
            yield from (name for name, part in split(url).items() if part)


def ids_by_severity(group: Group, findings: Sequence[NewFinding]) -> tuple[str, ...]:
    """Return the ids of a group, the most serious first.

    `findings` are the new findings of the judgement that contains the group, the most serious first. A group
    of a gate without a baseline is labelled with an outcome, and has the ids of all findings with it.
    """
    ids_of_outcome = tuple(_ids_of_failures(findings, group.label))
    if ids_of_outcome:
        return ids_of_outcome
    ranks = {finding.id: rank for rank, finding in enumerate(findings)}
    return tuple(sorted(group.ids, key=lambda identifier: ranks.get(identifier, len(ranks))))


def _ids_of_failures(findings: Iterable[NewFinding], outcome: str) -> Iterator[str]:
    """Yield the ids of the failures with an outcome, of a gate without a baseline."""
    for finding in findings:
        failure = finding.failure
        if finding.kind == FAILURE and failure is not None and failure.result.outcome == outcome:
            yield finding.id


def known_failures_in_words(results: Results, judgement: Judgement) -> str:
    """Say how many failures equal their entry in the baseline, or return "" if none does.

    Without a baseline, or if the adapter did not run, nothing was compared.
    """
    criteria = judgement.criteria
    has_run = results.participant(judgement.name).state == "ran"
    if criteria is None or criteria.baseline is None or not has_run:
        return ""
    asked_entries = count_asked_entries(criteria.baseline, results, judgement.name, criteria.specs)
    changed_entries = [
        finding for finding in judgement.findings if finding.entry is not None and finding.result is not None
    ]
    unchanged = asked_entries - len(changed_entries)
    if not unchanged:
        return ""
    return f"{judgement.name}: {counted(unchanged, 'known failure')}, all in the baseline"


def describe_finding(finding: Finding) -> str:
    """Say how a finding differs from the baseline.

    Without an entry, this is the loss of a locked answer, or an empty string for a regression.
    """
    if finding.kind == "unknown id":
        return "the baseline lists it, and the corpus does not have it"
    if finding.kind == "coverage" and finding.result is not None:
        return finding.result.detail
    if finding.entry is None:
        return finding.detail
    now = finding.result.got if finding.result is not None else {}
    listed = _entry_in_words(finding.entry, now)
    if finding.kind == "lost":
        return f"{finding.detail}; {listed}"
    if finding.kind == "moved":
        return f"{listed}; the vector has changed since"
    return listed


def _entry_in_words(entry: Entry, now: Mapping[str, Any]) -> str:
    """Return an entry of a baseline in words: its outcome, its issue and its answer, if it has them.

    `now` is the present answer, from which the words show the difference.
    """
    words = f"listed as {entry.outcome}"
    if entry.issue:
        words += f" ({entry.issue})"
    answer = differences.answer_in_words(entry.got, now) if entry.got else ""
    if answer:
        words += f": {answer}"
    return words


def failure_groups(results: Results) -> list[FailureGroup]:
    """Return all groups of failures, the most serious first.

    The first groups are those of claimed RFCs. The further criteria, in order: human-made vectors, abnormal
    ends, the flag `security`, the number of failures, the order of the implementations and of the sections.
    """
    implementations = [participant.name for participant in results.participants]
    generated = generated_failures(results)
    groups: list[FailureGroup] = []
    for participant in results.participants:
        groups += _stored_groups(results, participant)
        groups += _generated_groups(results, participant, generated)
    return sorted(groups, key=lambda group: (group.gravity_key, _place_of_group(group, implementations)))


def _place_of_group(group: FailureGroup, implementations: Sequence[str]) -> tuple[object, ...]:
    """Return the sort key of groups with the same gravity: by implementation, RFC, section and class."""
    implementation = implementations.index(group.implementation)
    section = section_key(group.place.removeprefix("section "))
    return (implementation, report_place(group.spec), section, group.class_)


def _stored_groups(results: Results, participant: Participant) -> Iterator[FailureGroup]:
    """Yield a group for each section and class with failing vectors. It has the most serious failures."""
    # by RFC, section and class
    failures_by_group: dict[tuple[Spec, str, str], list[Failure]] = {}
    for failure in stored_failures(results, participant):
        case = failure.asked.case
        key = (case.spec, case.section, case.vector.class_ or "")
        failures_by_group.setdefault(key, []).append(failure)
    for (spec, section, class_), failures in failures_by_group.items():
        title = results.titles.get((spec, section), "")
        section_words = section_place(section, title)
        most_serious = sorted(failures, key=severity)[:KEPT]
        yield FailureGroup(
            implementation=participant.name,
            spec=spec,
            place=section_words,
            title="" if section_words == title else title,  # no title is said twice
            class_=class_,
            claimed=claims(participant, spec),
            outcomes=Counter(failure.result.outcome for failure in failures),
            failures=tuple(most_serious),
        )


def _generated_groups(
    results: Results, participant: Participant, generated: Mapping[tuple[str, str], Sequence[Failure]]
) -> Iterator[FailureGroup]:
    """Yield a group for each generated part with failing required cases.

    Its failures are the first that the run kept, not the most serious. `generated` maps (implementation,
    part) to them.
    """
    for tally in results.tallies_of(participant.name):
        if not tally.wrong:
            continue
        rule = f"{tally.subject}, tier {tally.tier}"
        is_claimed = claims(participant, tally.spec)
        outcomes = {outcome: count for outcome, count in tally.required.items() if outcome.failing}
        outcomes.pop(Outcome.ABORTED, None)  # these cases were never asked
        examples = generated.get((participant.name, tally.part), ())
        yield FailureGroup(
            implementation=participant.name,
            spec=tally.spec,
            place=rule,
            title="",
            class_="",
            claimed=is_claimed,
            outcomes=outcomes,
            failures=tuple(examples),
        )
