"""The commands `generate`, for the cases of generated tiers, and `vectors export`, for the corpus as JSON."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import BinaryIO, get_args

import click
import msgspec

from urlharness.cli.options import ExistingPath
from urlharness.cli.output import OnProgress, progress
from urlharness.corpus.export import ExportError, canonical, write_export
from urlharness.corpus.jsonl import case_line
from urlharness.corpus.loader import load
from urlharness.corpus.model import Tier, VectorFile, corpus_dir
from urlharness.corpus.selection import Selection, spec_name
from urlharness.exitcodes import Exit
from urlharness.generate.digests import pin_digests, pinned_digests, tier_streams
from urlharness.generate.tiers import Part, UnknownPart, cases, parts, requirement
from urlharness.results.generated import Counted, Digest

#: Number of cases between two updates of the progress.
_STEP = 1000


@click.command()
@click.option("--tier", "tiers", type=click.Choice(get_args(Tier)), multiple=True, required=True,
              help="The tier to generate; may be given several times.")  # fmt: skip
@click.option("--spec", metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--rule", metavar="RULE", help="Only this rule.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the cases to this file (default: stdout).")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["jsonl", "vectors"]), default="jsonl", show_default=True,
              help="Format: one case per line, or one vector file.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N cases of each rule.")
@click.option("--digest", "digest_only", is_flag=True, help="Print only counts and digests, no cases.")
@click.option(
    "--check", is_flag=True, help="Compare the digests with tiers.json; exit with 1 if any differs."
)
@click.option("--pin", is_flag=True, help="Write the digests to tiers.json.")
def generate(
    tiers: tuple[Tier, ...],
    spec: str | None,
    rule: str | None,
    output: Path | None,
    form: str,
    limit: int | None,
    digest_only: bool,
    check: bool,
    pin: bool,
) -> int:
    """Generate the cases of a tier: questions with their answers, the same at each call.

    complete: a complete test suite for every rule. k1: a suite that also detects one extra state. bytes: a
    suite that detects every wrong treatment of a single character. resolution, normalization, equivalence,
    decoding, recomposition: inputs of this operation in every shape. The number of cases and their SHA-256
    are printed on stderr.
    """
    try:
        spec = None if spec is None else spec_name(spec)
        found = [part for tier in dict.fromkeys(tiers) for part in parts(tier, spec, rule)]
    except UnknownPart as unknown:
        raise click.UsageError(str(unknown)) from None
    quiet = digest_only or check or pin
    if quiet and (output is not None or form == "vectors"):
        raise click.UsageError("with --digest, --check or --pin no case is written: omit -o and --format")
    if (check or pin) and limit is not None:
        raise click.UsageError("--check and --pin need all cases: omit --limit")
    if form == "vectors":
        return _write_vector_file(found, output, limit)
    pinned = {} if pin else pinned_digests()
    totals = {part: min(known.cases, limit or known.cases) for part, known in pinned.items()}
    stream = None if quiet else sys.stdout.buffer
    with nullcontext(stream) if output is None else output.open("wb") as target, progress() as report:
        counted = _write(found, target, limit, totals, report)
    if pin:
        pin_digests(counted)
    elif check:
        return _compare(counted, pinned)
    else:
        for part, (count, digest) in counted.items():
            click.echo(f"{part.name}  {count} cases  sha256 {digest}", err=not digest_only)
    return Exit.PASSED


def _write(
    found: Sequence[Part],
    stream: BinaryIO | None,
    limit: int | None,
    totals: Mapping[Part, int],
    report: OnProgress,
) -> dict[Part, Counted]:
    """Write the cases, one per line; map each part to the number and the digest of its cases."""
    counted = {}
    for part in found:
        digest = Digest()
        for number, case in enumerate(islice(cases(part), limit), 1):
            line = case_line(case)
            digest.add(line)
            if stream is not None:
                stream.write(line)
            if number % _STEP == 0:
                report(part.name, number, totals.get(part))
        counted[part] = digest.counted
    if stream is not None:
        stream.flush()
    return counted


def _write_vector_file(found: Sequence[Part], output: Path | None, limit: int | None) -> int:
    """Write the cases as one vector file, which is built in memory; return the exit code."""
    if len(found) > 1:
        names = ", ".join(part.rule or part.spec for part in found)
        raise click.UsageError(f"a vector file covers one rule of one RFC: choose one of {names}")
    (part,) = found
    digest, vectors = Digest(), []
    for case in islice(cases(part), limit):
        digest.add(case_line(case))
        vectors.append(case.vector)
    title = f"Generated: {part.name}"
    content = VectorFile("urlvectors-1", part.spec, requirement(part).section, title, tuple(vectors))
    document = canonical(msgspec.to_builtins(content))
    if output is None:
        click.echo(document, nl=False)
    else:
        output.write_text(document, encoding="ascii")
    count, sha256 = digest.counted
    click.echo(f"{part.name}  {count} cases  sha256 {sha256}", err=True)
    return Exit.PASSED


def _compare(counted: Mapping[Part, Counted], pinned: Mapping[Part, Counted]) -> int:
    differing = [part for part, found in counted.items() if pinned.get(part) != found]
    for part in differing:
        wanted, found = pinned.get(part), counted[part]
        pins = "no digest is pinned" if wanted is None else f"pinned {wanted.cases} cases, {wanted.digest}"
        click.echo(f"{part.name}: generated {found.cases} cases, {found.digest}; {pins}")
    click.echo(f"{len(counted) - len(differing)} of {len(counted)} parts have their pinned digest", err=True)
    return Exit.FAILED if differing else Exit.PASSED


@click.command("export", short_help="Write the corpus as plain JSON.")
@click.argument("target", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option(
    "--section", "sections", multiple=True, metavar="N", help="Only this section and its subsections."
)
@click.option("--tier", "tiers", type=click.Choice(["core", *get_args(Tier)]), multiple=True,
              default=["core"], show_default=True,
              help="The tiers to write; generated tiers go into tiers/.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace an earlier export.")
@click.option("--vectors", "directory", type=ExistingPath(path_type=Path, file_okay=False),
              help="Use the corpus in this directory.")  # fmt: skip
def export(
    target: Path,
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    tiers: tuple[str, ...],
    force: bool,
    directory: Path | None,
) -> int:
    """Write the corpus to DIR as plain JSON, for use without Python, with a README that explains it."""
    root = directory or corpus_dir()
    selection = Selection(tuple(map(spec_name, specs)), sections)
    try:
        generated = tier_streams([tier for tier in get_args(Tier) if tier in tiers], selection)
        streams = {stream.part: stream.cases() for stream in generated}
        count = write_export(
            root, load(root), target, selection, force=force, core="core" in tiers, streams=streams
        )
    except ExportError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{target}: {count} vectors")
    return Exit.PASSED
