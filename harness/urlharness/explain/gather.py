"""All that is to be said of a text, or of a reference and its base, RFC by RFC; and the same as JSON."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from urlharness.corpus.differences import load_rulings
from urlharness.corpus.differences import load_classes
from urlharness.explain.answers import resolutions, splits
from urlharness.explain.classify import Differences, Named, Side, name
from urloracle.explanation import Explanation, explain
from urloracle.operations import resolve
from urloracle.rfc.resolution import Resolution, Step
from urloracle.rfcs import SPECIFICATIONS


@dataclass(frozen=True)
class Change:
    """A step of a resolution; `removed` are the segments that it took away."""

    step: Step
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Explained:
    """What the RFCs say.  `silent` are those that have no answer, `targets` is empty without a base.

    `generic` is true where the generic form of RFC 1738 derives what the rule of its scheme refuses.
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
        """The steps of the resolution under one RFC, with what each removed."""
        return changes(self.answers[spec].steps)


def gather(text: str, specs: Sequence[str], base: str | None = None) -> Explained:
    """Ask every RFC, and name the differences between them."""
    able = [spec for spec in specs if base is None or SPECIFICATIONS[spec].resolver is not None]
    answers = {spec: explain(text, spec, base=base) for spec in able}
    targets = {} if base is None else _targets(base, text, answers)
    question = splits(text, able) if base is None else resolutions(base, text, able)
    differences = name(question, load_classes())
    others = {} if base is not None else {spec: _others(answer) for spec, answer in answers.items()}
    silent = tuple(spec for spec in specs if spec not in able)
    return Explained(text, base, answers, others, targets, differences, silent, _generic(answers))


def _targets(base: str, text: str, answers: Mapping[str, Explanation]) -> dict[str, Resolution]:
    return {spec: resolve(base, text, spec) for spec, answer in answers.items() if answer.valid}


def _others(answer: Explanation) -> list[dict[str, Any]]:
    """The other components that a ruling admits."""
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
    """Steps with the segments that they removed: those of a path, or of the output buffer of RFC 3986."""
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
    """The output and input buffers of RFC 3986, section 5.2.4, behind a step that is one of its loop."""
    if not step.label.startswith(" "):
        return None
    output, _, rest = step.what.removeprefix("output ").partition(", input ")
    return output.replace("(empty)", ""), rest.replace("(empty)", "")


def _taken(step: Step, before: str, buffer: tuple[str, str]) -> tuple[str, ...]:
    """What step 2C took off the output buffer; the other steps take nothing off it."""
    if step.label.strip() != "2C" or not before.startswith(buffer[0]):
        return ()
    lost = before[len(buffer[0]) :].removeprefix("/")
    return (lost, "..") if before != buffer[0] else ("..",)


def _removed(label: str, before: str, after: str) -> tuple[str, ...]:
    """The segments of a path that a step 6a to 6f of RFC 1808 or RFC 2396 took away."""
    if not label.startswith("6") or label == "6":
        return ()
    old, new = before.split("/"), after.replace("(empty)", "").split("/")
    if old[-1] in (".", "..") and new[-1] == "":  # what is removed at the end leaves its slash
        del new[-1]
    lost = len(old) - len(new)
    if lost <= 0:
        return ()
    if [segment for segment in old if segment != "."] == [segment for segment in new if segment != "."]:
        return (".",) * lost
    start = next((number for number, segment in enumerate(new) if segment != old[number]), len(new))
    return tuple(old[start : start + lost]) if new[start:] == old[start + lost :] else ()


# JSON


def as_json(explained: Explained) -> dict[str, Any]:
    """All of it; the shape is that of docs/explain.md."""
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
