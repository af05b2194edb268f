"""`urlconform generate`: write the cases of a generated tier, or their digests."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, get_args

import click

from urlharness.corpus.selection import Tier, spec_name
from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlharness.corpus.model import Case
    from urlharness.generate.tiers import Part
    from urlharness.results.generated import Counted


_PATIENCE = 2.0  # seconds before a bar is shown


_STEP = 1000  # cases between two looks at it


_Told = Callable[[str, int], None]


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--tier", "tiers", type=click.Choice(get_args(Tier)), multiple=True, required=True, help="Which tier."
)
@click.option("--spec", metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--rule", metavar="RULE", help="Only this rule.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Write the cases here, not to stdout.")  # fmt: skip
@click.option("--format", "form", type=click.Choice(["jsonl", "vectors"]), default="jsonl", show_default=True,
              help="A case a line, or one vector file.")  # fmt: skip
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the first N cases of each rule.")
@click.option("--digest", "digest_only", is_flag=True, help="Write no case, only counts and digests.")
@click.option("--check", is_flag=True, help="Compare with the digests in tiers.json; 1 where one differs.")
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
    """Generate the cases of a tier, each a question with its answer; the same ones every time.

    complete has a complete test suite of every rule, k1 one for programs with a state too many, bytes one for
    programs that treat single characters apart; resolution has bases and references of every shape.  How many
    cases there were, and their SHA-256, is said on stderr.
    """
    from urlharness.generate.tiers import UnknownPart, parts

    asked = None if spec is None else spec_name(spec)
    try:
        found = [part for tier in dict.fromkeys(tiers) for part in parts(tier, asked, rule)]
    except UnknownPart as unknown:
        raise click.UsageError(str(unknown)) from None
    quiet = digest_only or check or pin
    _refuse(found, output, form, limit, quiet=quiet, pinning=check or pin)
    if form == "vectors":
        return _vector_file(found[0], output, limit)
    with _progress(found) as told:
        if not quiet and output is not None:
            with output.open("wb") as stream:
                counted = _write(found, stream, limit, told)
        else:
            counted = _write(found, None if quiet else sys.stdout.buffer, limit, told)
    if pin:
        from urlharness.generate.digests import pin as pin_digests

        pin_digests(counted)
        return Exit.PASSED
    if check:
        return _compare(counted)
    for part, (cases, digest) in counted.items():
        click.echo(f"{part.name}  {cases} cases  sha256 {digest}", err=not digest_only)
    return Exit.PASSED


def _refuse(
    found: Sequence[Part], output: Path | None, form: str, limit: int | None, *, quiet: bool, pinning: bool
) -> None:
    """Raise usage errors for options that do not go together."""
    if quiet and (output is not None or form == "vectors"):
        raise click.UsageError("with --digest, --check and --pin no case is written")
    if pinning and limit is not None:
        raise click.UsageError("the digests of tiers.json are those of all cases, without --limit")
    if form == "vectors" and len(found) > 1:
        names = ", ".join(part.rule or part.spec for part in found)
        raise click.UsageError(f"a vector file has one section of one RFC: choose of {names}")


def _write(
    found: Sequence[Part], stream: BinaryIO | None, limit: int | None, told: _Told
) -> dict[Part, Counted]:
    from urlharness.corpus.jsonl import case_line
    from urlharness.results.generated import Digest

    counted = {}
    for part in found:
        digest = Digest()
        for number, case in enumerate(_first(part, limit), 1):
            octets = case_line(case)
            digest.add(octets)
            if stream is not None:
                stream.write(octets)
            if number % _STEP == 0:
                told(part.name, number)
        counted[part] = digest.counted
    if stream is not None:
        stream.flush()
    return counted


def _first(part: Part, limit: int | None) -> Iterator[Case]:
    from urlharness.generate.tiers import cases

    return islice(cases(part), limit)


def _vector_file(part: Part, output: Path | None, limit: int | None) -> int:
    """Write one vector file; it holds all of its cases at once."""
    import msgspec

    from urlharness.corpus.export import canonical
    from urlharness.corpus.jsonl import case_line
    from urlharness.corpus.model import VectorFile
    from urlharness.generate.tiers import requirement
    from urlharness.results.generated import Digest

    digest, vectors = Digest(), []
    for case in _first(part, limit):
        digest.add(case_line(case))
        vectors.append(case.vector)
    title = f"Generated: {part.name}"
    content = VectorFile("urlvectors-1", part.spec, requirement(part).section, title, tuple(vectors))
    document = canonical(msgspec.to_builtins(content))
    if output is None:
        click.echo(document, nl=False)
    else:
        output.write_text(document, encoding="ascii")
    cases, sha256 = digest.counted
    click.echo(f"{part.name}  {cases} cases  sha256 {sha256}", err=True)
    return Exit.PASSED


def _compare(counted: dict[Part, Counted]) -> int:
    from urlharness.generate.digests import pinned

    known = pinned()
    differing = [part for part, found in counted.items() if known.get(part) != found]
    for part in differing:
        wanted, found = known.get(part), counted[part]
        pins = "nothing is pinned" if wanted is None else f"pinned {wanted.cases} cases, {wanted.digest}"
        click.echo(f"{part.name}: {found.cases} cases, {found.digest}; {pins}")
    click.echo(f"{len(counted) - len(differing)} of {len(counted)} parts have their pinned digest", err=True)
    return Exit.FAILED if differing else Exit.PASSED


@contextmanager
def _progress(found: Sequence[Part]) -> Iterator[_Told]:
    """A bar on a terminal's stderr for work that takes its time; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from urlharness.generate.digests import pinned

    known = pinned()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    totals = {part.name: known[part].cases for part in found if part in known}
    begin, tasks = time.monotonic(), {}

    def told(name: str, number: int) -> None:
        if time.monotonic() - begin < _PATIENCE:
            return
        if name not in tasks:
            bars.start()
            tasks[name] = bars.add_task(name, total=totals.get(name))
        bars.update(tasks[name], completed=number)

    try:
        yield told
    finally:
        bars.stop()
