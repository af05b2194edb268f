"""Failing cases of a run, groups of them, and new findings of the gate, the most serious first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from urlharness.corpus.describe import describe_expected, describe_inputs, describe_place
from urlharness.corpus.model import section_key
from urlharness.corpus.specifications import Spec, report_place
from urlharness.exitcodes import Exit
from urlharness.gate.findings import Finding, count_asked
from urlharness.gate.gate import Group, Judgement
from urlharness.gate.policy import PLAIN
from urlharness.protocol.messages import ReplyComponents
from urlharness.results.model import AskedVector, Participant, Result, Results
from urlharness.results.scores import report_order
from urlharness.results.verdict import Outcome, judge_components
from urlharness.sessions.process import error_line
from urlharness.shell import repro
from urlharness.text import clipped
from urlharness.wording import counted, section_place

#: The maximum number of failures in a group.
KEPT = 20

#: The components in the order of the harm that a wrong value does, worst first. An empty string stands for
#: components that are not listed, and for no component.
_HARM = ("host", "userinfo", "authority", "port", "scheme", "", "path", "params", "query", "fragment")

#: Other names of components, and words for them in the titles of sections.
_ALSO = {
    "hostname": "host",
    "ipv6": "host",
    "user": "userinfo",
    "password": "userinfo",
    "net_loc": "authority",
}

#: The components of any text: RFC 3986, appendix B, with the authority split as well.
_COMPONENTS = re.compile(
    r"(?:(?P<scheme>[^:/?#]*):)?"
    r"(?://(?:(?P<userinfo>[^/?#]*)@)?(?P<host>[^/?#]*?)(?::(?P<port>[^]:/?#]*))?(?=[/?#]|$))?"
    r"(?P<path>[^?#]*)(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?",
    re.DOTALL,
)


class Failure(NamedTuple):
    """A failing case, and what reports say about it."""

    asked: AskedVector
    result: Result
    run: Results

    @property
    def question(self) -> str:
        """The operation and its inputs."""
        vector = self.asked.case.vector
        return f"{vector.op}: {', '.join(f'{name} {value}' for name, value in describe_inputs(vector))}"

    @property
    def expected(self) -> str:
        """The expected answer, in words."""
        return describe_expected(self.asked.case.vector.expect)

    @property
    def got(self) -> str:
        """The actual answer, in words."""
        return self.result.detail or self.result.variant or self.result.outcome

    @property
    def wrote(self) -> str:
        """The line on stderr that explains an abnormal end, or "" if there is none or `got` contains it."""
        line = error_line(self.result.stderr) if self.result.outcome.abnormal else ""
        return "" if line in self.got else clipped(line, 200)

    @property
    def why(self) -> str:
        """The actual answer and the line on stderr that explains it."""
        return f"{self.got}; it wrote: {self.wrote}" if self.wrote else self.got

    @property
    def command(self) -> str:
        """The shell command that repeats the case."""
        header, stored = self.run.header, self.result.id in self.run.vectors
        return repro(
            self.result.id,
            self.result.implementation,
            vectors=header.vectors if stored else "",
            timeout=header.timeout,
            start_timeout=header.start_timeout,
        )

    def in_full(self, before: str = "") -> list[tuple[str, str]]:
        """Return everything about the failure that reports show, as pairs (label, text).

        `before` is what the baseline says of the case, or empty.
        """
        case, requirement, outcome = self.asked.case, self.asked.requirement, self.result.outcome
        unnamed = outcome is Outcome.FAIL or self.got == outcome
        lines = (
            ("input", self.question),
            ("expected", self.expected),
            ("got", self.why.removeprefix("got ") if unnamed else f"{outcome}: {self.why}"),
            ("before", before.removesuffix(f", now {self.got}")),
            ("statement", f"{requirement.statement} ({requirement.id})"),
            ("section", describe_place(case, requirement)),
            ("flags", ", ".join(case.flags)),
            ("repeat", self.command),
        )
        return [(label, text) for label, text in lines if text]


class NewFinding(NamedTuple):
    """Something new that fails the gate.

    With a baseline, it is a finding other than a stale entry, and `text` is the difference from the baseline
    in words. Without a baseline, it is a failure, and `kind` is `failure`. The field `failure` is None if the
    finding concerns no case.
    """

    kind: str
    id: str
    failure: Failure | None
    text: str = ""

    @property
    def severity(self) -> tuple[object, ...]:
        """The sort key. Findings without a case come after human-made vectors and before witnesses."""
        return (True,) if self.failure is None else severity(self.failure)


class FailureGroup(NamedTuple):
    """Failures of one implementation in one section and class, or in one rule of a generated tier.

    `place` is the section, or the rule with its tier. `claimed` is True if the implementation claims the RFC.
    `outcomes` counts all failing cases, but `failures` contains only the most serious ones.
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
    def flags(self) -> tuple[str, ...]:
        """The flags of the failures in `failures`."""
        return tuple(dict.fromkeys(flag for one in self.failures for flag in one.asked.case.flags))

    @property
    def witnesses(self) -> bool:
        """True if all failures concern witnesses."""
        return any(one.asked.case.vector.origin == "mutant" for one in self.failures[:1])


def severity(failure: Failure) -> tuple[object, ...]:
    """Return the sort key of a failure, the most serious first.

    The criteria, in order: human-made vectors before witnesses; the flag `security`; abnormal ends, then
    components by their harm; accepted invalid texts before rejected valid ones.
    """
    case = failure.asked.case
    ended = failure.result.outcome.abnormal and failure.result.outcome is not Outcome.ABORTED  # never asked
    harm = -1 if ended else _HARM.index(wrong_component(failure))
    accepts = case.vector.expect.alternatives[0].valid is False
    witness = case.vector.origin == "mutant"
    return witness, "security" not in case.flags, harm, not accepts, report_order(case), case.vector.id


def wrong_component(failure: Failure) -> str:
    """Return the most harmful component that a failure concerns, or an empty string."""
    case, result = failure.asked.case, failure.result
    expected, got, inputs = case.vector.expect.alternatives[0], result.got, case.vector.inputs
    if isinstance(expected.components, dict) and "components" in got:
        features = next(one.features for one in failure.run.participants if one.name == result.implementation)
        parts = msgspec.convert(got["components"], ReplyComponents)
        verdicts = judge_components(case.spec, expected.components, parts, features)
        return _most_harmful(name for name, verdict in verdicts.items() if verdict.outcome.failing)
    if isinstance(expected.at, int) and isinstance(url := inputs.get("url"), str) and ":" in url:
        parsed = _parsed(url)
        return next(
            (
                name
                for name, text in parsed.groupdict().items()
                if text is not None and parsed.end(name) >= expected.at
            ),
            "",
        )
    if isinstance(expected.result, str) and isinstance(url := got.get("url"), str):
        wanted, found = _parsed(expected.result), _parsed(url)
        return _most_harmful(name for name, text in wanted.groupdict().items() if text != found[name])
    title = re.findall(r"\w+", failure.asked.title.lower())
    return _most_harmful([case.vector.rule or "", *title])


def _parsed(url: str) -> re.Match[str]:
    found = _COMPONENTS.match(url)
    assert found is not None  # it matches any text
    return found


def _most_harmful(names: Iterable[str]) -> str:
    found = {_ALSO.get(name, name) for name in names}
    return next((name for name in _HARM if name in found), "")


def claims(participant: Participant, spec: str) -> bool:
    """Return True if the implementation claims the RFC. An implementation that claims no RFC claims all."""
    return not participant.specs or spec in participant.specs


def stored_failures(results: Results, participant: Participant) -> Iterator[Failure]:
    """Yield the failing required cases of the corpus, in the order of the run."""
    for result in results.of(participant.name).values():
        if result.outcome.failing:
            asked = results.vectors[result.id]
            if asked.case.vector.binding == "required":
                yield Failure(asked, result, results)


def generated_failures(results: Results) -> dict[tuple[str, str], list[Failure]]:
    """Map each (implementation, part) to the failing generated cases that the results contain."""
    found: dict[tuple[str, str], list[Failure]] = {}
    for example in results.examples:
        key = example.result.implementation, example.asked.title
        found.setdefault(key, []).append(Failure(example.asked, example.result, results))
    return found


def new_findings(results: Results, judgement: Judgement) -> list[NewFinding]:
    """Return everything new that fails the gate, the most serious first. Aborted cases are left out."""
    if judgement.code not in (Exit.FAILED, Exit.ADAPTER_DEAD):
        return []
    name, kept = judgement.name, generated_failures(results)
    found = list[NewFinding]()
    if judgement.findings:
        for one in judgement.findings:
            if one.kind == "stale" or (one.result is not None and one.result.outcome is Outcome.ABORTED):
                continue
            text, asked = describe_finding(one), results.vectors.get(one.id)
            if asked is not None and one.result is not None:
                found.append(NewFinding(one.kind, one.id, Failure(asked, one.result, results), text))
            else:
                examples = kept.get((name, one.id), ())
                found += [NewFinding(one.kind, each.result.id, each, text) for each in examples]
                found += [] if examples else [NewFinding(one.kind, one.id, None, text)]
    else:
        criteria = judgement.criteria
        policy = criteria.policy if criteria is not None else PLAIN
        failures = [Failure(results.vectors[id_], one, results) for id_, one in results.of(name).items()]
        failures += [one for (of, _), own in kept.items() if of == name for one in own]
        found += [
            NewFinding("failure", one.result.id, one)
            for one in failures
            if one.result.outcome is not Outcome.ABORTED
            and policy.fails(one.asked.case, one.result)
            and (criteria is None or criteria.judges(one.asked.case.spec))
        ]
    return sorted(found, key=lambda one: one.severity)


def count_findings(results: Results, judgement: Judgement, found: Sequence[NewFinding]) -> int:
    """Count the new findings, including new failures of generated cases that the results do not contain."""
    parts = {one.id for one in judgement.findings}
    tallies = results.tallies_of(judgement.name)
    failing = sum(one.failing for one in tallies if one.part in parts or not judgement.findings)
    kept = sum(one.failure is not None and one.id not in results.vectors for one in found)
    return len(found) + max(0, failing - kept)


def unlike(found: Iterable[NewFinding]) -> list[NewFinding]:
    """Return the findings, but leave out each failure that shares its statement or class with an earlier one.

    Only failures of a gate without a baseline are left out.
    """
    kept, seen = list[NewFinding](), set[tuple[str, ...]]()
    for one in found:
        keys = _likeness(one.failure) if one.kind == "failure" and one.failure is not None else set()
        if seen.isdisjoint(keys):
            kept.append(one)
            seen |= keys
    return kept


def _likeness(failure: Failure) -> set[tuple[str, ...]]:
    case, requirement = failure.asked.case, failure.asked.requirement
    keys: set[tuple[str, ...]] = {(case.spec, case.section, requirement.id)}
    return keys | ({(case.spec, case.vector.class_)} if case.vector.class_ else set())


def severe_ids(group: Group, found: Sequence[NewFinding]) -> tuple[str, ...]:
    """Return the ids of a group, the most serious first.

    `found` are the new findings of the judgement that contains the group.
    """
    failures = [(one.id, one.failure) for one in found if one.kind == "failure"]
    failing = [id_ for id_, one in failures if one is not None and one.result.outcome == group.label]
    order = {one.id: number for number, one in enumerate(found)}
    return tuple(failing) or tuple(sorted(group.ids, key=lambda one: order.get(one, len(order))))


def known_failures(results: Results, judgement: Judgement) -> str:
    """Say how many failures equal their entry in the baseline, or return "" without a baseline."""
    criteria = judgement.criteria
    if criteria is None or criteria.baseline is None:
        return ""
    asked = count_asked(criteria.baseline, results, judgement.name, criteria.specs)
    other = sum(one.entry is not None and one.result is not None for one in judgement.findings)
    return f"{judgement.name}: {counted(asked - other, 'known failure')}, all in the baseline"


def describe_finding(one: Finding) -> str:
    """Say how a finding differs from the baseline. Return an empty string for a regression."""
    if one.kind == "unknown id":
        return "the baseline lists it, and the corpus does not have it"
    if one.kind == "coverage" and one.result is not None:
        return one.result.detail
    if one.entry is None:
        return one.detail
    issue = f" ({one.entry.issue})" if one.entry.issue else ""
    got = f" {msgspec.json.encode(one.entry.got).decode()}" if one.entry.got else ""
    listed = f"listed as {one.entry.outcome}{issue}{got}"
    if one.kind == "lost":
        return f"{one.detail}; {listed}"
    return f"{listed}; the vector has changed since" if one.kind == "moved" else listed


def failure_groups(results: Results) -> list[FailureGroup]:
    """Return all groups of failures, the most serious first.

    The first groups are those of claimed RFCs. The further criteria, in order: human-made vectors, abnormal
    ends, the flag `security`, the number of failures.
    """
    order = [participant.name for participant in results.participants]
    found = list[FailureGroup]()
    for participant in results.participants:
        found += _stored_groups(results, participant)
        found += _generated_groups(results, participant)

    def position(group: FailureGroup) -> tuple[object, ...]:
        abnormal = any(outcome.abnormal for outcome in group.outcomes)
        gravity = not group.claimed, group.witnesses, not abnormal, "security" not in group.flags, -group.size
        spec, section = report_place(group.spec), section_key(group.place.removeprefix("section "))
        return *gravity, order.index(group.implementation), spec, section, group.class_

    return sorted(found, key=position)


def _stored_groups(results: Results, participant: Participant) -> Iterator[FailureGroup]:
    groups: dict[tuple[Spec, str, str], list[Failure]] = {}
    for one in stored_failures(results, participant):
        case = one.asked.case
        groups.setdefault((case.spec, case.section, case.vector.class_ or ""), []).append(one)
    for (spec, section, class_), failures in groups.items():
        title = results.titles.get((spec, section), "")
        where, claimed = section_place(section, title), claims(participant, spec)
        title = "" if where == title else title
        outcomes = Counter(one.result.outcome for one in failures)
        kept = tuple(sorted(failures, key=severity)[:KEPT])
        yield FailureGroup(participant.name, spec, where, title, class_, claimed, outcomes, kept)


def _generated_groups(results: Results, participant: Participant) -> Iterator[FailureGroup]:
    kept = generated_failures(results)
    for tally in results.tallies:
        if tally.implementation == participant.name and tally.failing:
            outcomes = {outcome: count for outcome, count in tally.required.items() if outcome.failing}
            where, claimed = f"{tally.subject}, tier {tally.tier}", claims(participant, tally.spec)
            own = tuple(kept.get((participant.name, tally.part), ()))
            yield FailureGroup(participant.name, tally.spec, where, "", "", claimed, outcomes, own)
