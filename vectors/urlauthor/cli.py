"""`urlconform vectors lint|fmt|add|adopt|lock|changelog|stats|adequacy`, loaded by name."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from urlharness.cli.export import export
from urlharness.corpus.model import INPUTS, OPERATIONS, SPECS
from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlauthor.stats import Stats
    from urlharness.corpus.lock import Lock
    from urlharness.corpus.model import Case


# -------------------- cli.adequacy: `urlconform vectors adequacy`: what the corpus and the generated tiers would notice.


_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--spec", "specs", multiple=True, type=click.Choice(SPECS), help="This RFC only; repeatable.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N",
              help="Only N mutants, pairs and faults of each rule: an estimate.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="What sampling begins with.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--survivors", type=_FILE, metavar="FILE",
              help="Write what the core misses, with witnesses, as JSON.")  # fmt: skip
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Write result and corpus digest.")
@click.option("--processes", type=click.IntRange(min=1), metavar="N", help="Default: one for each CPU.")
def adequacy(specs: tuple[str, ...], sample: int | None, seed: int, as_json: bool,
             survivors: Path | None, output: Path | None, processes: int | None) -> int:  # fmt: skip
    """Measure what the corpus would notice: mutants and faults; 1 where a goal is missed."""
    from urlauthor.adequacy.plan import COLUMNS, Plan, document, figures, missed, rows, run, specs_of
    from urlharness.corpus.loader import load

    for file in filter(None, (output, survivors)):
        if not file.parent.is_dir():
            raise click.BadParameter(f"{file.parent}: no such directory")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the processes as Ctrl-C does
    digest = load().digest
    chosen = specs_of(specs, SPECS)
    workers = processes or os.cpu_count() or 1
    plan = Plan(chosen, sample, seed, processes=workers, cover=survivors is not None)
    with _progress() as told:
        measured = run(plan, told)
    found = figures(measured)
    if output is not None:
        text = json.dumps(document(found, digest, sample, seed), indent=1) + "\n"
        output.write_text(text, encoding="ascii")
    if survivors is not None:
        from urlauthor.adequacy.analysis import candidates

        grouped = {spec: candidates(spec, measured[spec].survivors) for spec in chosen}
        survivors.write_text(json.dumps(grouped, indent=1) + "\n", encoding="ascii")
        for spec, witnesses in grouped.items():
            click.echo(f"{spec}: {_summary(witnesses)}", err=True)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        _print(list(rows(found)), COLUMNS)
    under = list(missed(found))
    for line in under:
        click.echo(f"under the goal: {line}", err=True)
    return Exit.FAILED if under else Exit.PASSED


def _summary(witnesses: list[dict[str, object]]) -> str:
    rules = Counter(str(one["rule"]) for one in witnesses)
    return f"{len(witnesses)} witnesses: " + ", ".join(f"{rule} {count}" for rule, count in rules.items())


def _print(rows: list[tuple[str, ...]], columns: tuple[str, ...]) -> None:
    from rich.table import Table

    from urlharness.cli.output import console

    table = Table(box=None, pad_edge=False)
    for name in ("RFC", "tier", *(column.replace("_", " ") for column in columns), "fault domain"):
        table.add_column(name)
    for row in rows:
        table.add_row(*row)
    console().print(table)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal's stderr; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("mutants", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# -------------------- cli.writing: The corpus that a command writes to: one that was named, or that of a source tree.


_INSTALLED = {"site-packages", "dist-packages"}


def refuse_installed(directory: Path | None) -> None:
    """Raise UsageError where no directory is named and the corpus is that of an installed package.

    What is written there is gone with the next installation, and no review sees it.
    """
    from urlharness.corpus.model import corpus_dir

    if directory is None and _INSTALLED & set(corpus_dir().resolve().parts):
        raise click.UsageError(
            f"the corpus in {corpus_dir()} belongs to an installed package and is not written to: "
            "name another (--vectors DIR), or install the source tree in place (pip install -e .)"
        )


# -------------------- cli.vectors_add: `urlconform vectors add`: a new vector with its id, beside what every RFC answers by the oracle.


_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


_JSON_INPUTS = ("components",)


class _Json(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """JSON on the command line."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value that it says."""
        try:
            return json.loads(value)
        except ValueError as error:
            self.fail(f"not JSON: {error}", param, ctx)


def _inputs(command: Any) -> Any:
    """Add an option for each input of an operation."""
    for name in reversed(INPUTS):
        option = {"type": _Json(), "metavar": "JSON"} if name in _JSON_INPUTS else {"metavar": "TEXT"}
        command = click.option(f"--{name}", name, **option)(command)
    return command


@click.command("add")
@click.option("--requirement", required=True, metavar="ID", help="The statement that it tests.")
@click.option("--op", required=True, type=click.Choice(list(OPERATIONS)), help="The operation.")
@_inputs
@click.option("--expect", required=True, type=_Json(), help="What the RFC says, such as '{\"valid\": true}'.")
@click.option("--spec", default="", metavar="SPEC", help="The RFC; that of the requirement.")
@click.option("--section", default="", metavar="N", help="The section; that of the requirement.")
@click.option("--level", default="", metavar="LEVEL", help="The level; else that of the requirement.")
@click.option(
    "--binding", default="required", show_default=True, metavar="BINDING", help="What the text obliges."
)
@click.option("--class", "class_", default="", metavar="CLASS", help="A class of difference.")
@click.option("--flag", "flags", multiple=True, metavar="FLAG", help="A flag beside those of the class.")
@click.option("--ruling", default="", metavar="RULING", help="The ruling that decides.")
@click.option("--comment", default="", metavar="TEXT", help="What a reader should know.")
@click.option("--fields", type=_Json(), help="More fields of the vector, for what a shell cannot spell.")
@click.option(
    "--slug", default="", metavar="SLUG", help="The end of the id; that of the requirement by default."
)
@click.option("--file", default="", metavar="NAME", help="Its file, such as 3.2.2-host.json.")
@click.option("--title", default="", metavar="TEXT", help="The title of a new file.")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--write", "wanted", is_flag=True, help="Write it; without this nothing is written.")
def add(directory: Path | None, slug: str, file: str, title: str, wanted: bool, **given: Any) -> int:
    """Make a vector of what the RFC says, show what the oracle answers under every RFC, and write it.

    The oracle is shown, never copied: what is written is what --expect says, also where the oracle disagrees.
    Then one of them is wrong, and the text of the RFC says which.  6 where the vector is none.
    """
    from urlauthor.add import AddingError, draft, problems, write
    from urlharness.corpus.loader import load
    from urlharness.corpus.model import corpus_dir

    if wanted:
        refuse_installed(directory)
    root = directory or corpus_dir()
    corpus = load(root)
    try:
        _check_place(given.pop("spec"), given.pop("section"), given["requirement"])
        made = draft(root, corpus, _fields(given), slug=slug, file=file, title=title)
    except AddingError as error:
        raise click.UsageError(str(error)) from None
    wrong = problems(root, corpus, made)
    if wrong:
        for problem in wrong:
            click.echo(f"urlconform: {made.case.vector.id}: {problem}", err=True)
        return Exit.INVALID_FILE
    agrees = _show(made.case)
    if not agrees:
        click.echo("urlconform: the oracle says otherwise; read the paragraph again", err=True)
    if wanted:
        write(root, made)
    state = "written to" if wanted else "would stand in"
    click.echo(f"{made.case.vector.id} {state} {made.case.file}{'' if wanted else ' (--write writes it)'}")
    return Exit.PASSED


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """The fields of the vector: what was given, without what was left out."""
    more = given.pop("fields")
    more = {} if more is None else more
    if not isinstance(more, dict):
        raise click.BadParameter("an object is needed", param_hint="--fields")
    flags = list(given.pop("flags"))
    texts = {name: given[name] for name in given if name in INPUTS or name == "expect"}
    words = {name.rstrip("_"): given[name] for name in given if name not in texts}
    return {
        **{name: value for name, value in words.items() if value},
        **{name: value for name, value in texts.items() if value is not None},
        **({"flags": flags} if flags else {}),
        **more,
    }


def _check_place(spec: str, section: str, requirement: str) -> None:
    """The place that was named is that of the requirement, whose id says it."""
    from urlauthor.add import AddingError
    from urlharness.corpus.selection import spec_name

    named = "-".join(filter(None, (spec and spec_name(spec), section)))
    if named and f"-{named}-" not in f"-{requirement}":
        raise AddingError(f"requirement {requirement} does not belong to {named}")


def _show(case: Case) -> bool:
    """Print the claim and the answer of every RFC; False where the oracle's answer is not the one claimed."""
    import msgspec

    from urlharness.adapters.reference import answer
    from urlharness.cli.output import console
    from urlharness.corpus.describe import describe_expected, describe_inputs
    from urlharness.corpus.model import SPECS
    from urlharness.protocol.messages import Reply
    from urlharness.results.verdict import judge
    from urlharness.runner import question
    from urlharness.text import plain

    out = console()
    vector = case.vector
    given = "  ".join(f"{name} {value}" for name, value in describe_inputs(vector))
    out.print(plain(f"{vector.op}  {given}"), soft_wrap=True)
    out.print(plain(f"{'claimed':10}{describe_expected(vector.expect)}"), soft_wrap=True)
    agrees = True
    for spec in SPECS:
        reply = answer({**msgspec.to_builtins(question(case)), "spec": spec})
        of_spec = msgspec.structs.replace(case, spec=spec)
        verdict = judge(of_spec, msgspec.convert({**reply, "id": 0}, Reply), {"absent-vs-empty"}, strict=True)
        own = spec == case.spec
        agrees = agrees and (not own or verdict.outcome.passing)
        told = {"pass": "as claimed", "variant": f"variant {verdict.variant}", "unsupported": "no answer"}
        same = told.get(verdict.outcome, "otherwise")
        mark = ">" if own else " "
        shown = json.dumps({name: value for name, value in reply.items() if name != "message"})
        out.print(plain(f"{mark} {spec:9}{same:12}{shown}"), soft_wrap=True)
    return agrees


# -------------------- cli.vectors_adopt: `urlconform vectors adopt`: witnesses of mutants made into vectors.


_VECTORS_ADOPT_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("adopt")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--write", is_flag=True, help="Write the files; else only their sizes are told.")
@click.option("--vectors", "directory", type=_VECTORS_ADOPT_DIRECTORY, help="The corpus in this directory.")
def adopt(file: Path, write: bool, directory: Path | None) -> int:
    """Make vectors of the candidates in FILE, which `vectors adequacy --survivors` wrote.

    They go into a file of their own for each RFC; what the corpus asks already is left out.
    """
    from urlauthor.add import AdoptingError, adopted
    from urlharness.corpus.loader import load
    from urlharness.corpus.model import SPECS, corpus_dir

    if write:
        refuse_installed(directory)
    root = directory or corpus_dir()
    corpus = load(root)
    try:
        grouped = json.loads(file.read_bytes())
        for spec, candidates in grouped.items():
            if spec not in SPECS:
                raise AdoptingError(f"no RFC {spec!r}")
            path, text, count = adopted(root, corpus, spec, candidates)
            click.echo(f"{path.relative_to(root)}: {count} new of {len(candidates)} candidates")
            if write and count:
                path.write_text(text, encoding="ascii")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(f"{file}: {error}") from None
    return Exit.PASSED


# -------------------- cli.vectors_lock: `urlconform vectors lock` and `changelog`: what users rely on, and what changed of it.


#: So many new vectors are told by name.
_SHOWN = 20


_VECTORS_LOCK_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("lock")
@click.option("--vectors", "directory", type=_VECTORS_LOCK_DIRECTORY, help="The corpus in this directory.")
@click.option("--check", is_flag=True, help="Write nothing; 1 where the lock would change.")
@click.option("--reason", default="", metavar="TEXT", help="Why vectors were removed, for their tombstones.")
@click.option("--release", "version", default="", metavar="VERSION", help="The version from now on.")
def lock(directory: Path | None, check: bool, reason: str, version: str) -> int:
    """Write vectors.lock from the corpus, and say what changed.

    An id that was removed needs a reason and is never used again; 6 where one is used again.
    """
    from urlauthor.lock import compare, relock
    from urlharness.corpus.loader import load
    from urlharness.corpus.lock import LOCK, read_lock, render_lock
    from urlharness.corpus.model import corpus_dir

    if not check:
        refuse_installed(directory)
    root = directory or corpus_dir()
    path = root / LOCK
    old = read_lock(path) if path.is_file() else None
    new = relock(load(root), old, reason=reason, version=version)
    changes = list(compare(old.entries, new)) if old else []
    added = [change for change in changes if change.kind == "added"]
    for change in added[:_SHOWN]:
        click.echo(f"{change.id}: {change.kind}: {change.clause}")
    if len(added) > _SHOWN:
        click.echo(f"… and {len(added) - _SHOWN} more added")
    for change in changes:  # what others rely on is told one by one
        if change.kind != "added":
            click.echo(f"{change.id}: {change.kind}: {change.clause}")
    text = render_lock(new)
    stale = old is None or path.read_text(encoding="ascii") != text
    if stale and not check:
        path.write_text(text, encoding="ascii")
    state = "is not what it would be" if check and stale else "written" if stale else "unchanged"
    click.echo(f"{LOCK} {state}: version {new.version}, {len(new.entries)} vectors", err=True)
    return Exit.FAILED if check and stale else Exit.PASSED


@click.command("changelog")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--vectors", "directory", type=_VECTORS_LOCK_DIRECTORY, help="The corpus in this directory.")
@click.option("--json", "as_json", is_flag=True, help="Print the changes as one JSON object.")
@click.option("--check", is_flag=True, help="1 where an id vanished or came back, or the version is too low.")
def changelog(old: str, new: str | None, directory: Path | None, as_json: bool, check: bool) -> int:
    """Tell what was added, changed and removed between two locks, and the version that follows.

    OLD and NEW are files, or revisions of git at which the lock of this corpus is looked up; without NEW the
    corpus as it stands is compared.
    """
    from urlauthor.lock import faults, plain, words
    from urlharness.corpus.loader import load
    from urlharness.corpus.lock import locked_vectors
    from urlharness.corpus.model import corpus_dir

    root = directory or corpus_dir()
    corpus = load(root)
    before = _lock_at(old, root)
    after = _lock_at(new, root) if new else _lock_at(str(root / "vectors.lock"), root)
    if new is None:
        after = after._replace(entries=locked_vectors(corpus), digest=corpus.digest)
    if as_json:
        click.echo(json.dumps(plain(before, after)))
    else:
        click.echo(words(before, after, corpus))
    wrong = faults(before, after) if check else []
    for fault in wrong:
        click.echo(f"urlconform: {fault}", err=True)
    return Exit.FAILED if wrong else Exit.PASSED


def _lock_at(place: str, root: Path) -> Lock:
    """The lock in a file, or at a revision of git."""
    from urlharness.corpus.lock import LOCK, LockError, parse_lock, read_lock

    if Path(place).is_file():
        return read_lock(Path(place))
    if place.startswith("-"):
        raise click.BadParameter(f"no such file or revision: {place!r}")
    command = ["git", "-C", str(root), "show", f"{place}:./{LOCK}"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - git, and no shell
        return parse_lock(done.stdout.decode("ascii"), f"{place}:{LOCK}")
    except FileNotFoundError:
        raise LockError(f"{place}: no such file, and there is no git to ask") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise LockError(f"{place}: no such file, and git says: {said[0] if said else 'nothing'}") from None
    except UnicodeDecodeError:
        raise LockError(f"{place}: not ASCII") from None


# -------------------- cli.vectors_stats: `urlconform vectors stats`: what the corpus covers, by section and by rule, and what it does not.


#: Names of our own in a grammar, for what an RFC spells out in words (R-2732-08) or leaves to its reader.
_OWN_NAMES = {("rfc2732", "tail"), ("rfc1808", "lwsp")}


_VECTORS_STATS_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("stats")
@click.option("--vectors", "directory", type=_VECTORS_STATS_DIRECTORY, help="The corpus in this directory.")
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--uncovered", is_flag=True, help="Print only what is uncovered; 1 where that is anything.")
def stats(directory: Path | None, specs: tuple[str, ...], as_json: bool, uncovered: bool) -> int:
    """Show what the corpus covers by RFC, section, rule, level, binding, class and flag.

    Uncovered is a statement that a library could violate and no vector tests, a grammar statement without an
    accepting or without a rejecting vector where it has both sides, and a rule that is not asked from both.
    """
    from urlauthor.stats import measure
    from urlharness.corpus.loader import load

    figures = measure(load(directory), grammar_rules())
    wanted = _chosen(specs)
    figures = figures._replace(
        specs={spec: found for spec, found in figures.specs.items() if spec in wanted},
        uncovered=[hole for hole in figures.uncovered if hole.spec in wanted],
    )
    if uncovered:
        plain = figures.plain()["uncovered"]
        lines = [json.dumps(plain)] if as_json else [str(hole) for hole in figures.uncovered]
        for line in lines:
            click.echo(line)
        return Exit.FAILED if figures.uncovered else Exit.PASSED
    if as_json:
        click.echo(json.dumps(figures.plain()))
    else:
        _vectors_stats_print(figures)
    return Exit.PASSED


def grammar_rules() -> dict[str, list[str]]:
    """The rules of each grammar that vectors have to ask; of RFC 2732 those that it adds or changes."""
    from urloracle.rfcs import SPECIFICATIONS

    older = SPECIFICATIONS["rfc2396"].grammar
    found = {}
    for spec, specification in SPECIFICATIONS.items():
        grammar = specification.grammar
        inherited = spec == "rfc2732"
        found[spec] = [
            rule
            for rule in grammar
            if (spec, rule) not in _OWN_NAMES
            and not (inherited and rule in older and grammar[rule] == older[rule])
        ]
    return found


def _chosen(specs: tuple[str, ...]) -> tuple[str, ...]:
    from urlharness.corpus.model import SPECS
    from urlharness.corpus.selection import Selection, spec_name

    return Selection(tuple(map(spec_name, specs))).specs or SPECS


def _vectors_stats_print(stats: Stats) -> None:
    from rich import box
    from rich.table import Table

    from urlauthor.stats import KINDS
    from urlharness.cli.output import console

    out = console()
    for spec, totals in stats.specs.items():
        table = Table(
            title=f"RFC {spec[3:]}: requirements by testability, vectors by kind",
            title_justify="left",
            box=box.SIMPLE,
            pad_edge=False,
        )
        table.add_column("section")
        for name in ("library", "client", "no", *KINDS):
            table.add_column(name, justify="right")
        rows = [(section, found) for (of, section), found in stats.sections.items() if of == spec]
        for section, found in [*rows, ("all", totals)]:
            if section == "all":
                table.add_section()
            numbers = [found.requirements[name] for name in ("library", "client", "no")]
            numbers += [found.vectors[name] for name in KINDS]
            table.add_row(section, *(str(number) if number else "." for number in numbers))
        out.print(table)
        for label, counts in (
            ("levels", totals.levels),
            ("bindings", totals.bindings),
            ("flags", totals.flags),
            ("classes", totals.classes),
        ):
            out.print(f"{label:10}{_listed(counts)}", soft_wrap=True)
        rules = stats.rules.get(spec, {})
        out.print(f"{'rules':10}asked from both sides, and open where a text is refused:")
        for rule, asked in rules.items():
            out.print(f"  {rule:24}{asked.accepting:5}{asked.rejecting:5}{asked.open:5}")
        out.print()
    out.print(f"uncovered: {len(stats.uncovered)}")
    for hole in stats.uncovered:
        out.print(f"  {hole}", soft_wrap=True)


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common()) or "none"


# -------------------- cli.vectors: `urlconform vectors`: the tools of those who write vectors.


_VECTORS_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def vectors() -> None:
    """Write, check, measure and export the corpus."""


vectors.add_command(add)


vectors.add_command(adequacy)


vectors.add_command(adopt)


vectors.add_command(changelog)


vectors.add_command(export)


vectors.add_command(lock)


vectors.add_command(stats)


@vectors.command("lint")
@click.option("--vectors", "directory", type=_VECTORS_DIRECTORY, help="The corpus in this directory.")
@click.option("--rfc-dir", type=_VECTORS_DIRECTORY, envvar="URLCONFORM_RFC_DIR",
              help="Folder with rfc1738.txt and so on, to recompute the paragraph digests.")  # fmt: skip
def lint_(directory: Path | None, rfc_dir: Path | None) -> int:
    """Check the corpus against its schemas, grammars, RFCs and lock; 6 where anything is wrong."""
    from urlauthor.lint.differences import lint_differences
    from urlauthor.lint.lock import lint_authoring
    from urlauthor.lint.vectors import lint
    from urlauthor.rfctext import read
    from urlharness.corpus.model import SPECS, corpus_dir

    texts = read(rfc_dir, SPECS) if rfc_dir else {}
    if rfc_dir and not texts:
        raise click.UsageError(f"there is no RFC text in {rfc_dir}, such as {SPECS[0]}.txt (--rfc-dir)")
    root = directory or corpus_dir()
    # what two checks need and neither can read is said once
    findings = list(dict.fromkeys([*lint(root, texts), *lint_differences(root), *lint_authoring(root)]))
    for finding in findings:
        click.echo(str(finding))
    click.echo(f"{len(findings)} findings; paragraph digests {_recomputed(texts, SPECS)}", err=True)
    return Exit.INVALID_FILE if findings else Exit.PASSED


def _recomputed(texts: Collection[str], specs: Collection[str]) -> str:
    """Which paragraph digests were recomputed, in words."""
    if not texts:
        return "not recomputed, for want of the RFC texts (--rfc-dir)"
    without = ", ".join(spec for spec in specs if spec not in texts)
    some = f"recomputed from {len(texts)} RFC texts"
    return f"{some}, not those of {without}" if without else some


@vectors.command("fmt")
@click.option("--vectors", "directory", type=_VECTORS_DIRECTORY, help="The corpus in this directory.")
@click.option("--check", is_flag=True, help="Change nothing; 1 where a file would change.")
def fmt(directory: Path | None, check: bool) -> int:
    """Rewrite corpus files in canonical form."""
    if not check:
        refuse_installed(directory)
    from urlharness.corpus.differences import difference_files
    from urlharness.corpus.export import canonical
    from urlharness.corpus.model import corpus_dir, vector_files

    root = directory or corpus_dir()
    changed = 0
    named = (root / f"{name}.json" for name in ("classes", "flags", "paragraphs", "rulings"))
    tables = [*(root / "requirements").glob("*.json"), *(path for path in named if path.is_file())]
    for path in [*vector_files(root), *sorted(tables), *difference_files(root)]:
        text = path.read_text(encoding="utf-8")
        wanted = canonical(json.loads(text))
        if text != wanted:
            changed += 1
            click.echo(f"{path}: {'not canonical' if check else 'formatted'}")
            if not check:
                path.write_text(wanted, encoding="utf-8")
    return Exit.FAILED if check and changed else Exit.PASSED
