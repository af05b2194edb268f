"""Made-up results of many implementations, which err in families, and of a generated tier."""

import random
import runpy
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import msgspec

from urlharness.corpus.model import Case, Expected, Requirement, Vector, case_kind
from urlharness.protocol.messages import Implementation
from urlharness.results.model import AskedVector, Example, Header, Participant, Result, Results, Tally

SAMPLES = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("samples.py"))))

FAMILIES = ("rfc", "browser", "legacy", "regex", "split")
WORDS = ("fast", "tiny", "safe", "old", "async", "strict", "plain", "next", "lib")


def participants(count):
    """The reference, and implementations named after their families: `browser-tiny`, `rfc-fast`, …"""
    names = [f"{family}-{word}" for word in WORDS for family in FAMILIES]
    made = [Participant("reference", "ran", Implementation("oracle", "1"), features=("absent-vs-empty",))]
    for number, name in enumerate(names[: count - 1]):
        specs = (("rfc3986",), ("rfc2396", "rfc2732"), ())[number % 3]
        made.append(Participant(name, "ran", Implementation(name, f"1.{number}", "c"), specs=specs))
    return tuple(made)


def results(corpus, cases, implementations, seed=7):
    """A complete run of so many cases and implementations; the same for the same seed."""
    asked = SAMPLES.asked_of(corpus, cases)
    taken = participants(implementations)
    dice = random.Random(seed)
    invented = SAMPLES.Outcomes(seed)
    found = {participant.name: {} for participant in taken}
    for line in asked:
        vector = line.case.vector
        right = {**invented.right(vector), "id": 1}
        wrong = {family: _answer(dice, invented, vector, right) for family in FAMILIES}
        for participant in taken:
            name = participant.name
            answer = wrong.get(name.partition("-")[0])
            if answer is None or dice.random() < 0.03:  # one goes its own way
                answer = ("pass", "", "", right, "")
            found[name][vector.id] = Result(vector.id, name, *answer)
    header = Header(corpus="0123456789ab", **SAMPLES.HEADER)
    kinds = {line.case.vector.id: case_kind(line.case) for line in asked}
    return Results(
        header,
        {line.case.vector.id: line for line in asked},
        taken,
        found,
        complete=True,
        asked=Counter(kinds.values()),
        counted={
            name: Counter((kinds[one.id], one.outcome) for one in own.values()) for name, own in found.items()
        },
        titles=corpus.titles,
    )


def _answer(dice, invented, vector, right):
    """What a family answers to a vector: most are right, some not offered, a few end the process."""
    throw = dice.random()
    if throw < 0.7:
        return None
    if throw < 0.8:
        return "unsupported", "", "no such rule", {"status": "unsupported"}, ""
    if throw > 0.995:
        return "crash", "", "signal 11", {}, "Segmentation fault"
    if throw > 0.97:
        return "variant", "other", "", right, ""
    result = invented.wrong(vector, "one")
    return "fail", "", result.detail, result.got, ""


#: Failing generated cases of `generated`, one for each hostile text.
GENERATED = len(SAMPLES.HOSTILE)


def generated(path, cases):
    """A run of the reference and of one library, with a generated part of which hostile texts fail."""
    taken = SAMPLES.PARTICIPANTS[:2]
    stored = SAMPLES.write(path, cases, taken)
    statement = Requirement(
        "rfc3986-3-URI", "3", 0, "", "grammar", "The rule URI derives the text or does not."
    )
    examples = []
    for number, text in enumerate(SAMPLES.HOSTILE):
        vector = Vector(
            id=f"complete-rfc3986-URI-{number:06}",
            requirement=statement.id,
            level="grammar",
            op="validate",
            binding="required",
            rule="URI",
            url=text,
            expect=Expected(valid=False, at=0),
        )
        asked = AskedVector(
            Case("rfc3986", "3", vector, "complete-rfc3986-URI"), statement, "complete-rfc3986-URI"
        )
        examples.append(
            Example(asked, Result(vector.id, "urllib", "fail", detail=text[:300], got={"status": "ok"}))
        )
    counts = {"reference": {"pass": 900}, "urllib": {"pass": 700, "fail": 200}}
    tallies = tuple(
        Tally(name, "complete-rfc3986-URI", "complete", "rfc3986", found, found, {}, "URI", "ab" * 32)
        for name, found in counts.items()
    )
    return msgspec.structs.replace(stored, tallies=tallies, examples=tuple(examples))
