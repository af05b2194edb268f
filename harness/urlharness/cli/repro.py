"""`urlconform repro`: one case put to one adapter, with the question, the answer and the verdict."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

import click
import msgspec
from msgspec import structs

from urlharness.adapters.registry import NotInstalled, find
from urlharness.cli.output import console
from urlharness.corpus import Case, Corpus, Requirement, load
from urlharness.exitcodes import Exit
from urlharness.flags import explained
from urlharness.report.terminal import plain
from urlharness.results import Result, ResultsWriter, read_results
from urlharness.runner import open_results, question
from urlharness.runner import run as run_adapter
from urlharness.session import AdapterDead, Limits
from urlharness.verdict import FAILING


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("identifier", metavar="ID")
@click.option("-a", "--adapter", "name", required=True, metavar="ADAPTER", help="The adapter to ask.")
@click.option("--timeout", type=click.FloatRange(min=0.001), default=5.0, show_default=True,
              metavar="S", help="Seconds for the answer.")  # fmt: skip
def repro(identifier: str, name: str, timeout: float) -> int:
    """Put the case ID to an adapter and show what was asked, what came back and what was expected."""
    adapter = find(name)
    corpus, case = _found(identifier)
    cases = [case]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "results.jsonl"
        writer: ResultsWriter = open_results(path.open("wb"), corpus, cases)
        participant = run_adapter(adapter, cases, writer, Limits(case=timeout))
        writer.close()
        results = read_results(path)
    if participant.state == "not installed":
        raise NotInstalled(f"{name}: {participant.message}")
    if participant.state == "dead":
        raise AdapterDead(f"{name}: {participant.message}")
    result: Result = results.of(adapter.name)[identifier]
    requirement = corpus.requirements[case.vector.requirement]
    asked = msgspec.json.encode(question(case)).decode()
    lines = (
        ("case", identifier),
        ("requirement", f"{requirement.statement} ({requirement.id})"),
        ("place", _place(case.spec, requirement)),
        *(("flag", flag) for flag in explained(case.flags)),
        ("binding", case.vector.binding + (f", {case.vector.ruling}" if case.vector.ruling else "")),
        ("question", asked),
        ("answer", msgspec.json.encode(result.got).decode() if result.got else "none"),
        ("expected", msgspec.json.encode(case.vector.expect).decode()),
        ("outcome", " ".join(filter(None, (result.outcome, result.variant, result.detail)))),
        ("stderr", result.stderr.strip()),
    )
    out = console()
    for label, text in lines:
        if text:
            out.print(f"{label:12}{plain(text)}", soft_wrap=True)
    served = f"printf '%s\\n' {shlex.quote(asked)} | urlconform serve {shlex.quote(name)}"
    out.print(f"{'by hand':12}{plain(served)}", soft_wrap=True)
    return Exit.FAILED if result.outcome in FAILING else Exit.PASSED


def _found(identifier: str) -> tuple[Corpus, Case]:
    """The case of this id, stored or generated, and the corpus with its requirement."""
    corpus = load()
    for case in corpus.cases:
        if case.vector.id == identifier:
            return corpus, case
    from urlharness.generate.tiers import cases, part_of, requirement

    part = part_of(identifier)
    if part is not None:
        stated = requirement(part)
        known = structs.replace(corpus, requirements={**corpus.requirements, stated.id: stated})
        for case in cases(part):
            if case.vector.id == identifier:
                return known, case
    raise click.BadParameter(f"no vector named {identifier!r}", param_hint="ID")


def _place(spec: str, requirement: Requirement) -> str:
    """Where the requirement stands; that of a generated case is a whole section."""
    place = f"RFC {spec.removeprefix('rfc')}, section {requirement.section}"
    return f"{place}, paragraph {requirement.paragraph}" if requirement.paragraph else place
