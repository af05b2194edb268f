"""The data of an explanation: a text, or a reference and its base, under each RFC; also as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from urlharness.corpus.differences import load_classes, load_rulings
from urlharness.explain.answers import resolutions, splits
from urlharness.explain.classify import Differences, Named, Side, classify
from urloracle.explanation import Explanation, explain
from urloracle.operations import resolve
from urloracle.rfc.resolution import Resolution, Step
from urloracle.rfcs import SPECIFICATIONS


@dataclass(frozen=True)
class Change:
    """A step of a resolution, and the segments that it removed."""

    step: Step
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explained:
    """The answers of the RFCs; `silent` are those without one, `targets` is empty without a base.

    `generic` is true if the generic form of RFC 1738 derives a text that the rule of its scheme refuses.
    """

    text: str
    base: str | None
    answers: Mapping[str, Explanation]
    others: Mapping[str, Sequence[Mapping[str, Any]]]
    targets: Mapping[str, Resolution]
    differences: Differences
    silent: tuple[str, ...] = ()
    generic: bool = False

    def changes(self, spec: str) -> list[Change]:
        """Return the steps of the resolution under one RFC, with the segments that each removed."""
        return changes(self.answers[spec].steps)


def gather(text: str, specs: Sequence[str], base: str | None = None) -> Explained:
    """Ask every RFC, and classify the differences."""
    able = [spec for spec in specs if base is None or SPECIFICATIONS[spec].resolver is not None]
    answers = {spec: explain(text, spec, base=base) for spec in able}
    targets = {} if base is None else _targets(base, text, answers)
    question = splits(text, able) if base is None else resolutions(base, text, able)
    differences = classify(question, load_classes())
    others = {} if base is not None else {spec: _others(answer) for spec, answer in answers.items()}
    silent = tuple(spec for spec in specs if spec not in able)
    return Explained(text, base, answers, others, targets, differences, silent, _generic(answers))


def _targets(base: str, text: str, answers: Mapping[str, Explanation]) -> dict[str, Resolution]:
    return {spec: resolve(base, text, spec) for spec, answer in answers.items() if answer.valid}


def _others(answer: Explanation) -> list[dict[str, Any]]:
    """Return the other components that a ruling admits."""
    if answer.components is None:
        return []
    spec = SPECIFICATIONS[answer.spec]
    return [reading._asdict() for reading in spec.readings(spec.parse(answer.text))]


def _generic(answers: Mapping[str, Explanation]) -> bool:
    answer = answers.get("rfc1738")
    if answer is None or answer.valid:
        return False
    return SPECIFICATIONS["rfc1738"].problem(answer.text, "genericurl") is None


def changes(steps: Sequence[Step]) -> list[Change]:
    """Return the steps with the segments that they removed from a path or an output buffer."""
    found: list[Change] = []
    path = ""
    for step in steps:
        output = buffers(step)
        if output is None:
            found.append(Change(step, _removed(step.label, path, step.value)))
            path = step.value
        else:
            found.append(Change(step, _taken(step, path, output)))
            path = output[0]
    return found


def buffers(step: Step) -> tuple[str, str] | None:
    """Return the output and input buffers after a step of the loop of RFC 3986, section 5.2.4, or None."""
    if not step.label.startswith(" "):
        return None
    output, _, rest = step.what.removeprefix("output ").partition(", input ")
    return output.replace("(empty)", ""), rest.replace("(empty)", "")


def _taken(step: Step, before: str, buffer: tuple[str, str]) -> tuple[str, ...]:
    """Return what step 2C removed from the output buffer; the other steps remove nothing."""
    if step.label.strip() != "2C" or not before.startswith(buffer[0]):
        return ()
    lost = before[len(buffer[0]) :].removeprefix("/")
    return (lost, "..") if before != buffer[0] else ("..",)


def _removed(label: str, before: str, after: str) -> tuple[str, ...]:
    """Return the segments of a path that a step 6a to 6f of RFC 1808 or RFC 2396 removed."""
    if not label.startswith("6") or label == "6":
        return ()
    old, new = before.split("/"), after.replace("(empty)", "").split("/")
    if old[-1] in (".", "..") and new[-1] == "":  # a segment removed at the end leaves its slash
        del new[-1]
    lost = len(old) - len(new)
    if lost <= 0:
        return ()
    if [segment for segment in old if segment != "."] == [segment for segment in new if segment != "."]:
        return (".",) * lost
    start = next((number for number, segment in enumerate(new) if segment != old[number]), len(new))
    return tuple(old[start : start + lost]) if new[start:] == old[start + lost :] else ()


def as_json(explained: Explained) -> dict[str, Any]:
    """Return the explanation as JSON data; docs/explain.md describes it."""
    silent = {
        spec: {"unsupported": f"{SPECIFICATIONS[spec].title} does not define relative references"}
        for spec in explained.silent
    }
    return {
        "text": explained.text,
        "base": explained.base,
        "answers": {**silent, **{spec: _answer(explained, spec) for spec in explained.answers}},
        "differences": [_named(named) for named in explained.differences.named],
        "unnamed": [[_side(side) for side in sides] for sides in explained.differences.unnamed],
    }


def _answer(explained: Explained, spec: str) -> dict[str, Any]:
    answer = explained.answers[spec]
    if answer.problem is not None:
        near = answer.nearest._asdict() if answer.nearest else None
        which = {} if explained.base is None else {"invalid": answer.problem.text}
        return {"valid": False, **which, **answer.problem.asdict(), "nearest": near}
    found: dict[str, Any] = {"valid": True}
    if spec in explained.targets:
        found |= _target(explained.targets[spec])
        steps = ((change.step, list(change.removed)) for change in explained.changes(spec))
        found["steps"] = [{**step._asdict(), "removed": removed} for step, removed in steps]
    else:
        found["also"] = [dict(other) for other in explained.others[spec]]
    tree = None if answer.derivation is None else dataclasses.asdict(answer.derivation)
    return {**found, "components": answer.components, "derivation": tree}


def _target(target: Resolution) -> dict[str, Any]:
    also = [{"url": other.text, "variant": other.variant, "ruling": other.ruling} for other in target.also]
    return {"url": target.text, "same_document": target.same_document, "also": also}


def _named(named: Named) -> dict[str, Any]:
    entry = named.entry
    return {
        "class": entry.id,
        "title": entry.title,
        "what": entry.statement,
        "effect": entry.effect,
        "sides": [_side(side) for side in named.sides],
        "rulings": {ruling: load_rulings().get(ruling, "") for ruling in named.rulings},
    }


def _side(side: Side) -> dict[str, Any]:
    return {"specs": list(side.sections), "sections": dict(side.sections), "what": side.what}
