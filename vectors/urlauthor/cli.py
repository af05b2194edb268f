"""The commands `urlconform vectors lint|fmt|add|adopt|twins|derive|cover|lock|…`, loaded by name."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from urlharness.cli.author.export import export
from urlharness.cli.author.sync import sync
from urlharness.cli.files import refuse_overwriting
from urlharness.cli.options import ExistingPath
from urlharness.corpus import model
from urlharness.corpus.loader import LOCK, load
from urlharness.corpus.lock import Lock, LockError, locked_vectors, parse_lock, read_lock, render_lock
from urlharness.corpus.model import INPUTS, OPERATIONS, Case, Corpus
from urlharness.corpus.selection import Selection, spec_name
from urlharness.corpus.specifications import SPECS, facts
from urlharness.exitcodes import Exit
from urlharness.jsonio import write_atomically
from urlharness.system.files import remove_below, write_below
from urlharness.system.portability import usable_processors
from urlharness.text import logged, plain
from urlharness.wording import rfc

if TYPE_CHECKING:
    from rich.table import Table

    from urlauthor.add import WitnessFile
    from urlauthor.lock import VectorChange
    from urlauthor.stats import Figures, Stats
    from urlauthor.twins import Places
    from urlharness.results.verdict import Verdict

#: The maximum number of added vectors that `lock` lists.
_LISTED = 20
#: Folders of installed packages; the next installation overwrites changes there.
_INSTALLED = {"site-packages", "dist-packages"}
#: Inputs whose options take JSON.
_JSON_INPUTS = ("components",)

_DIRECTORY = ExistingPath(path_type=Path, file_okay=False)
_FILE = click.Path(path_type=Path, dir_okay=False)
_corpus_option = click.option("--vectors", "directory", type=_DIRECTORY, help="Directory of another corpus.")


class _Json(click.ParamType):  # type: ignore[type-arg,unused-ignore]  # generic since click 8.2
    """An option value in JSON."""

    name = "JSON"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Decode the value."""
        try:
            return json.loads(value)
        except ValueError as error:
            self.fail(f"not JSON: {error}", param, ctx)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def vectors() -> None:
    """Write, check, measure and export the corpus."""


vectors.add_command(export)
vectors.add_command(sync)


def _corpus_root(directory: Path | None, *, write: bool = False) -> Path:
    """Return the corpus directory.  Raise UsageError if `write` would change an installed package."""
    root = directory or model.corpus_dir()
    if write and directory is None and _INSTALLED & set(root.resolve().parts):
        raise click.UsageError(
            f"the corpus in {root} belongs to an installed package and cannot be changed: "
            "name another corpus (--vectors DIR), or install the source tree in place (pip install -e .)"
        )
    return root


@vectors.command("lint", short_help="Check the corpus and its lock for errors.")
@_corpus_option
@click.option(
    "--rfc-dir",
    type=_DIRECTORY,
    envvar="URLCONFORM_RFC_DIR",
    help="Folder with rfc1738.txt etc., to recompute the paragraph digests.",
)
def lint(directory: Path | None, rfc_dir: Path | None) -> int:
    """Check the corpus against its schemas, grammars, RFCs and lock.  Exit with 6 if it has errors."""
    from urlauthor.lint.differences import lint_differences
    from urlauthor.lint.lock import lint_lock
    from urlauthor.lint.vectors import lint_vectors
    from urlharness.corpus.rfctext import read_texts

    texts = read_texts(rfc_dir, SPECS) if rfc_dir else {}
    if rfc_dir and not texts:
        first_spec = next(iter(SPECS))
        raise click.UsageError(
            f"no RFC text in {rfc_dir}: expected files such as {first_spec}.txt (--rfc-dir)"
        )
    root = _corpus_root(directory)
    all_errors = [*lint_vectors(root, texts), *lint_differences(root), *lint_lock(root)]
    errors = dict.fromkeys(all_errors)  # an error that two checks find in the same file is shown once
    for error in errors:
        click.echo(logged(str(error)))
    click.echo(f"{len(errors)} errors; paragraph digests {_recomputed_in_words(texts)}", err=True)
    return Exit.INVALID_FILE if errors else Exit.PASSED


def _recomputed_in_words(texts: Collection[str]) -> str:
    """Return a message that says which paragraph digests were recomputed."""
    if not texts:
        return "not recomputed: no RFC texts were given (--rfc-dir)"
    without_text = ", ".join(spec for spec in SPECS if spec not in texts)
    state = f"recomputed from {len(texts)} RFC texts"
    return f"{state}; no text for {without_text}" if without_text else state


@vectors.command("fmt")
@_corpus_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
def fmt(directory: Path | None, check: bool) -> int:
    """Rewrite corpus files in canonical form."""
    from urlharness.corpus.export import text_and_canonical_text
    from urlharness.corpus.loader import covered_files

    changed = 0
    root = _corpus_root(directory, write=not check)
    for path in covered_files(root):
        text, canonical_text = text_and_canonical_text(path)
        if text != canonical_text:
            changed += 1
            if check:
                click.echo(logged(f"{path}: not in canonical form"))
            else:
                click.echo(logged(f"{path}: formatted"))
                write_below(root, path.relative_to(root).as_posix(), canonical_text)
    return Exit.FAILED if check and changed else Exit.PASSED


def _add_input_options(command: Any) -> Any:
    """Add one option for each input that an operation can have."""
    options: dict[str, dict[str, Any]] = {name: {"metavar": "TEXT"} for name in INPUTS}
    options |= {name: {"type": _Json(), "metavar": "JSON"} for name in _JSON_INPUTS}
    decorated = command
    for name in reversed(INPUTS):
        decorated = click.option(f"--{name}", name, **options[name])(decorated)
    return decorated


@vectors.command("add", short_help="Draft a vector, and write it.")
@click.option("--requirement", required=True, metavar="ID", help="The id of the requirement to test.")
@click.option("--op", required=True, type=click.Choice(list(OPERATIONS)), help="The operation.")
@_add_input_options
@click.option(
    "--expect", required=True, type=_Json(), help="The correct answer, such as '{\"valid\": true}'."
)
@click.option("--spec", default="", metavar="SPEC", help="The RFC (default: the requirement's RFC).")
@click.option("--section", default="", metavar="N", help="The section (default: the requirement's section).")
@click.option("--level", default="", metavar="LEVEL", help="The level (default: the requirement's level).")
@click.option(
    "--binding",
    default="required",
    show_default=True,
    metavar="BINDING",
    help="The binding, such as permitted-set.",
)
@click.option("--class", "class_", default="", metavar="CLASS", help="The class of difference.")
@click.option(
    "--flag",
    "flags",
    multiple=True,
    metavar="FLAG",
    help="A flag of the vector, in addition to those of its class; repeatable.",
)
@click.option("--ruling", default="", metavar="RULING", help="The id of the ruling that decides the answer.")
@click.option("--comment", default="", metavar="TEXT", help="A comment for readers of the vector.")
@click.option("--fields", type=_Json(), help="More fields as JSON, for values that a shell cannot pass.")
@click.option(
    "--slug", default="", metavar="SLUG", help="The end of the id (default: the end of the requirement's id)."
)
@click.option("--file", default="", metavar="NAME", help="The file for the vector, such as 3.2.2-host.json.")
@click.option("--title", default="", metavar="TEXT", help="The title of a new file.")
@_corpus_option
@click.option("--write", is_flag=True, help="Write the vector (default: only show it).")
def add(directory: Path | None, slug: str, file: str, title: str, write: bool, **options: Any) -> int:
    """Draft a vector from the expected answer, and show the answer of the oracle under each RFC.

    The answer of the oracle is only shown: --write saves the answer of --expect even if the oracle disagrees.
    In that case one of them is wrong, and the text of the RFC decides.  Exit with 6 if the vector is invalid.
    """
    from urlauthor.add import AddError, draft_vector, lint_draft, write_draft

    root = _corpus_root(directory, write=write)
    corpus = load(root)
    try:
        _check_place(options.pop("spec"), options.pop("section"), options["requirement"])
        draft = draft_vector(root, corpus, _vector_fields(options), slug=slug, file=file, title=title)
    except AddError as error:
        raise click.UsageError(str(error)) from None
    name = draft.case.vector.id
    messages = lint_draft(root, corpus, draft)
    if messages:
        for message in messages:
            click.echo(logged(f"urlconform: {name}: {message}"), err=True)
        return Exit.INVALID_FILE
    if not _show_answers(draft.case):
        click.echo("urlconform: the oracle gives another answer; the RFC decides which is wrong", err=True)
    if write:
        write_draft(root, draft)
        click.echo(f"{name} written to {draft.case.file}")
    else:
        click.echo(f"{name} would be added to {draft.case.file} (use --write to add it)")
    return Exit.PASSED


def _check_place(spec: str, section: str, requirement: str) -> None:
    """Raise UsageError if the requirement does not belong to the given RFC and section."""
    parts = (spec_name(spec) if spec else "", section)
    prefix = "-".join(filter(None, parts))
    # with hyphens around both, because section 3.2 is not section 3.2.2
    if prefix and f"-{prefix}-" not in f"-{requirement}":
        raise click.UsageError(f"requirement {requirement} does not belong to {prefix}")


def _vector_fields(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the vector, from their own options and from --fields."""
    further_fields = options["fields"]
    if not isinstance(further_fields, dict | None):
        raise click.BadParameter("expected a JSON object", param_hint="--fields")
    fields: dict[str, Any] = {}
    for name, content in options.items():
        if name == "fields":
            continue
        may_be_empty = name in (*INPUTS, "expect")
        if content or (may_be_empty and content is not None):
            fields[name.rstrip("_")] = content  # the option `class_` is the field `class`
    if "flags" in fields:
        fields["flags"] = list(fields["flags"])
    return fields | (further_fields or {})


def _show_answers(case: Case) -> bool:
    """Print the answer of --expect, and the answer of the oracle under each RFC.

    Return False if the oracle disagrees with --expect under the RFC of the vector.
    """
    import msgspec

    from urlharness.adapters.reference import answer
    from urlharness.cli.output import console
    from urlharness.corpus.describe import describe_expected, describe_inputs
    from urlharness.protocol.messages import Reply
    from urlharness.results.verdict import judge
    from urlharness.runner import question

    vector = case.vector
    inputs = "  ".join(f"{name} {text}" for name, text in describe_inputs(vector))
    lines = [f"{vector.op}  {inputs}", f"{'claimed':10}{describe_expected(vector.expect)}"]
    request = msgspec.to_builtins(question(case))
    agrees = True
    for spec in SPECS:
        fields = answer({**request, "spec": spec})
        reply = msgspec.convert({**fields, "id": 0}, Reply)  # the id is not looked at
        case_of_spec = msgspec.structs.replace(case, spec=spec)
        verdict = judge(case_of_spec, reply, {"absent-vs-empty"}, strict=True)
        mark = " "
        if spec == case.spec:
            mark = ">"
            agrees = verdict.outcome.passing
        shown_fields = {name: content for name, content in fields.items() if name != "message"}
        lines.append(f"{mark} {spec:9}{_agreement_in_words(verdict):12}{json.dumps(shown_fields)}")
    out = console()
    for line in lines:
        out.print(plain(line), soft_wrap=True)
    return agrees


def _agreement_in_words(verdict: Verdict) -> str:
    """Return whether the oracle agrees with --expect, in at most two words."""
    from urlharness.results.verdict import Outcome

    match verdict.outcome:
        case Outcome.PASS:
            return "as claimed"
        case Outcome.UNSUPPORTED:
            return "no answer"
        case Outcome.VARIANT:
            return f"variant {verdict.variant}"
    return "otherwise"


@vectors.command("adopt", short_help="Make vectors from witnesses of mutants.")
@click.argument("file", type=ExistingPath(path_type=Path, dir_okay=False))
@click.option("--write", is_flag=True, help="Write the files (default: only count the new vectors).")
@_corpus_option
def adopt(file: Path, write: bool, directory: Path | None) -> int:
    """Make vectors from the candidates in FILE, which `vectors adequacy --survivors` wrote.

    Each RFC has a file for these vectors.  Questions that the corpus already asks are skipped.
    """
    root = _corpus_root(directory, write=write)
    corpus = load(root)
    try:
        for spec, candidates in _read_candidates(file).items():
            witnesses = _witness_file(root, corpus, spec, candidates)
            name = witnesses.path.relative_to(root).as_posix()
            click.echo(f"{name}: {witnesses.new_count} new of {len(candidates)} candidates")
            if write and witnesses.new_count:
                write_below(root, name, witnesses.text)
    except (ValueError, TypeError, AttributeError) as error:
        raise click.UsageError(f"{file}: {error}") from None
    return Exit.PASSED


def _witness_file(root: Path, corpus: Corpus, spec: str, candidates: list[dict[str, Any]]) -> WitnessFile:
    """Return an RFC's file of witnesses with the candidates added.

    Raise ValueError if the corpus has no such RFC, or if a candidate has a missing field.
    """
    from urlauthor.add import adopt_witnesses

    if spec not in SPECS:
        raise ValueError(f"unknown RFC {spec!r} (known: {', '.join(SPECS)})")
    try:
        return adopt_witnesses(root, corpus, spec, candidates)
    except KeyError as missing:
        raise ValueError(f"a candidate of {spec} has no `{missing.args[0]}`") from None


def _read_candidates(file: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the candidates of each RFC.  Raise UsageError if the file has another form."""
    candidates = json.loads(file.read_bytes())
    if not isinstance(candidates, dict) or not all(isinstance(rows, list) for rows in candidates.values()):
        raise click.UsageError(f"{file}: expected an object of RFCs and their candidates")
    return candidates


@vectors.command("twins", short_help="Make whole-URL twins of the vectors of lesser rules.")
@_corpus_option
@click.option("--write", is_flag=True, help="Write the files (default: only compare them).")
def twins(directory: Path | None, write: bool) -> int:
    """Put the texts of human-made vectors of lesser rules, such as host, into whole URLs.

    List the vectors without a twin, with reasons.  Exit with 1 if a file differs and is not written, and with
    6 if a claim in places.json is false, or a vector has neither a twin nor a reason.
    """
    from urlauthor.lint.vectors import TWINS
    from urlauthor.twins import derive, read_places

    root = _corpus_root(directory, write=write)
    places = read_places()
    derived = derive(load(root), places)
    reasons = places.reason_by_missing_id()
    errors = list(_false_claims(places))
    without_reason = [name for name in derived.missing if name not in reasons]
    errors += [f"{name}: it has no twin, and places.json gives no reason" for name in without_reason]
    for message in errors:
        click.echo(logged(f"urlconform: {message}"), err=True)
    for name in derived.missing:
        click.echo(f"{name}: {reasons.get(name, 'no reason')}")
    total = len(derived.covered) + len(derived.missing)
    click.echo(f"{len(derived.covered)} of {total} vectors of lesser rules have a twin", err=True)
    code = _compare_files(root, TWINS, derived.files, write=write and not errors)
    return Exit.INVALID_FILE if errors else code


def _false_claims(places: Places) -> Iterator[str]:
    """Yield a message for each claim in places.json that is false."""
    from urlauthor.twins import counterexample

    for spec, places_of_spec in places.places.items():
        for rule_place in places_of_spec:
            text = counterexample(spec, rule_place)
            if text is not None:
                whole = f"{rule_place.prefix}…{rule_place.suffix}"
                claim = f"claim {rule_place.proves!r}"
                yield f"{spec}: {rule_place.rule} in {whole}: {claim} is false for {text!r}"


@vectors.command("derive", short_help="Make vectors of RFC 3987 that follow from those of RFC 3986.")
@_corpus_option
@click.option("--write", is_flag=True, help="Write the files (default: only compare them).")
def derive(directory: Path | None, write: bool) -> int:
    """Put characters beyond ASCII in place of letters in vectors of RFC 3986, with the answers that follow.

    Exit with 1 if a file differs and is not written.
    """
    from urlauthor import derived
    from urlauthor.lint.vectors import DERIVED

    root = _corpus_root(directory, write=write)
    return _compare_files(root, DERIVED, derived.derive(load(root)), write=write)


@vectors.command("cover", short_help="Make whole URLs that combine the parts of all components.")
@_corpus_option
@click.option("--write", is_flag=True, help="Write the files (default: only compare them).")
def cover(directory: Path | None, write: bool) -> int:
    """Combine the parts in parts.json into whole URLs, with the answers that follow from the parts.

    List the number of vectors by RFC and operation.  Exit with 1 if a file differs and is not written.
    """
    from urlauthor.add import used_ids
    from urlauthor.cover.pairs import derive
    from urlauthor.lint.vectors import PAIRS

    root = _corpus_root(directory, write=write)
    corpus = load(root)
    combined = derive(corpus, used_ids(root, corpus))
    for (spec, name), count in combined.counts.items():
        click.echo(f"{spec} {name}: {count}")
    return _compare_files(root, PAIRS, combined.files, write=write)


def _compare_files(root: Path, ending: str, files: Mapping[str, str], *, write: bool) -> Exit:
    """Compare the files of the corpus with this ending with `files`, or write them, and say how many differ.

    `files` maps the name of each wanted file to its text.
    """
    stale = _stale_files(root, ending, files)
    if write:
        _write_or_remove(root, stale, files)
        click.echo(f"{len(stale)} files written", err=True)
        return Exit.PASSED
    click.echo(f"{len(stale)} files differ", err=True)
    return Exit.FAILED if stale else Exit.PASSED


def _stale_files(root: Path, ending: str, files: Mapping[str, str]) -> list[str]:
    """Return the names of the files to write or to remove, so that only `files` have the given ending."""
    present = {path.relative_to(root).as_posix() for path in root.glob(f"rfc*/*{ending}")}
    names = sorted(present | files.keys())
    return [name for name in names if not _has_text(root / name, files.get(name))]


def _write_or_remove(root: Path, names: Collection[str], files: Mapping[str, str]) -> None:
    """Write each named file that has a text in `files`, and remove the other named files."""
    for name in names:
        if name in files:
            write_below(root, name, files[name])
        else:
            remove_below(root, name)


def _has_text(path: Path, text: str | None) -> bool:
    """Return True if a file has this text, or is missing if the text is None."""
    present = path.read_text(encoding="ascii") if path.is_file() else None
    return present == text


@vectors.command("lock")
@_corpus_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if the lock would change.")
@click.option("--reason", default="", metavar="TEXT", help="The reason why vectors were removed.")
@click.option("--release", "version", default="", metavar="VERSION", help="Set a new version of the corpus.")
def lock(directory: Path | None, check: bool, reason: str, version: str) -> int:
    """Write vectors.lock from the corpus, and list the changes.

    Exit with 6 if a vector was removed without a reason, or the id of a removed vector is used again.
    """
    from urlauthor.lock import compare_locks, relock

    root = _corpus_root(directory, write=not check)
    path = root / LOCK
    old = read_lock(path) if path.is_file() else None
    new = relock(load(root), old, reason=reason, version=version)
    if old is not None:
        _print_changes(compare_locks(old.entries, new))
    text = render_lock(new)
    stale = old is None or path.read_text(encoding="ascii") != text
    if stale and not check:
        write_below(root, LOCK, text)
    if not stale:
        state = "unchanged"
    elif check:
        state = "is stale"
    else:
        state = "written"
    click.echo(f"{LOCK} {state}: version {new.version}, {len(new.entries)} vectors", err=True)
    return Exit.FAILED if check and stale else Exit.PASSED


def _print_changes(changes: Iterable[VectorChange]) -> None:
    """Print the first added vectors, and all that changed or were removed, because users rely on them."""
    added = [change for change in changes if change.kind == "added"]
    changed_or_removed = [change for change in changes if change.kind != "added"]
    for change in [*added[:_LISTED], *changed_or_removed]:
        click.echo(logged(f"{change.id}: {change.kind}: {change.clause}"))
    if len(added) > _LISTED:
        click.echo(f"… and {len(added) - _LISTED} more added")


@vectors.command("changelog", short_help="List the changes between two locks.")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@_corpus_option
@click.option("--json", "as_json", is_flag=True, help="Print the changes as one JSON object.")
@click.option(
    "--check", is_flag=True, help="Exit with 1 if ids are lost or reused, or the version is too low."
)
def changelog(old: str, new: str | None, directory: Path | None, as_json: bool, check: bool) -> int:
    """List the vectors added, changed and removed between two locks, and the next version.

    OLD and NEW are lock files, or git revisions of the lock of this corpus.  Without NEW, OLD is compared
    with the corpus in its current state.
    """
    from urlauthor.lock import changelog_json, changelog_markdown, lock_faults
    from urlharness.bundle.folder import bundle_digest

    root = _corpus_root(directory)
    corpus = load(root)
    before = _lock_at(old, root)
    after = _lock_at(new or str(root / LOCK), root)
    if new is None:
        after = after._replace(
            entries=locked_vectors(corpus),
            digest=corpus.digest,
            bundle=bundle_digest(corpus, after.version),
        )
    if as_json:
        click.echo(json.dumps(changelog_json(before, after)))
    else:
        click.echo(changelog_markdown(before, after, corpus))
    faults = lock_faults(before, after) if check else []
    for fault in faults:
        click.echo(f"urlconform: {fault}", err=True)
    return Exit.FAILED if faults else Exit.PASSED


def _lock_at(name: str, root: Path) -> Lock:
    """Return the lock of a file or of a git revision.  Raise LockError if there is none."""
    if Path(name).is_file():
        return read_lock(Path(name))
    if name.startswith("-"):
        raise click.BadParameter(f"no such file or revision: {name!r}")
    command = ["git", "-C", str(root), "show", f"{name}:./{LOCK}"]
    try:
        process = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - git, and no shell
        text = process.stdout.decode("ascii")
        return parse_lock(text, f"{name}:{LOCK}")
    except FileNotFoundError:
        raise LockError(f"{name}: no such file, and git is not installed") from None
    except subprocess.CalledProcessError as error:
        message = error.stderr.decode("utf-8", "replace").strip() or "nothing"
        first_line = message.splitlines()[0]
        raise LockError(f"{name}: no such file, and git says: {first_line}") from None
    except UnicodeDecodeError:
        raise LockError(f"{name}: the lock is not ASCII text") from None


@vectors.command("stats", short_help="Show what the corpus covers.")
@_corpus_option
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC; repeatable.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
@click.option("--uncovered", is_flag=True, help="Print only what is uncovered; exit with 1 if anything is.")
def stats(directory: Path | None, specs: tuple[str, ...], as_json: bool, uncovered: bool) -> int:
    """Show what the corpus covers by RFC, section, rule, level, binding, class and flag.

    A requirement is uncovered if a library can violate it and no vector tests it.  A grammar requirement is
    also uncovered if it has no accepting or no rejecting vector, although such a vector is possible.  A rule
    is uncovered if it has no accepting or no rejecting vector.
    """
    from urlauthor.stats import measure

    figures = measure(load(directory), grammar_rules())
    selected = _selected_specs(specs)
    figures = figures._replace(
        specs={spec: figures.specs[spec] for spec in selected},
        uncovered=[missing for missing in figures.uncovered if missing.spec in selected],
    )
    if uncovered and as_json:
        click.echo(json.dumps(figures.as_json()["uncovered"]))
    elif uncovered:
        for missing in figures.uncovered:
            click.echo(str(missing))
    elif as_json:
        click.echo(json.dumps(figures.as_json()))
    else:
        _print_stats(figures)
    return Exit.FAILED if uncovered and figures.uncovered else Exit.PASSED


def _selected_specs(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the ids of the named RFCs, or of all RFCs if none is named, in the order of the corpus."""
    selected = Selection(tuple(map(spec_name, names))).specs
    return tuple(spec for spec in SPECS if not selected or spec in selected)


def grammar_rules() -> dict[str, list[str]]:
    """Map each RFC to the rules that vectors must test.

    For an RFC that amends another one, these are only the rules that it adds or changes.
    """
    from urloracle.rfcs import SPECIFICATIONS

    rules = {}
    for spec, specification in SPECIFICATIONS.items():
        grammar = specification.grammar
        rules_of_spec = [rule for rule in grammar if rule not in facts(spec).added_rules]
        amended_spec = facts(spec).amends
        if amended_spec:
            amended = SPECIFICATIONS[amended_spec].grammar
            rules_of_spec = [
                rule for rule in rules_of_spec if rule not in amended or grammar[rule] != amended[rule]
            ]
        rules[spec] = rules_of_spec
    return rules


def _print_stats(stats: Stats) -> None:
    """Print the tables of each RFC, and then what is uncovered."""
    from urlharness.cli.output import console

    out = console()
    for spec in stats.specs:
        out.print(_sections_table(stats, spec))
        figures_of_spec = stats.specs[spec]
        counters = {
            "levels": figures_of_spec.levels,
            "bindings": figures_of_spec.bindings,
            "flags": figures_of_spec.flags,
            "classes": figures_of_spec.classes,
            "origins": figures_of_spec.origins,
        }
        for label, counts in counters.items():
            listed = ", ".join(f"{name} {count}" for name, count in counts.most_common())
            out.print(f"{label:10}{listed or 'none'}", soft_wrap=True)
        out.print(f"{'rules':10}accepting vectors, rejecting vectors, and rejections while the rule is open:")
        for rule, figures in stats.rules.get(spec, {}).items():
            out.print(f"  {rule:24}{figures.accepting:5}{figures.rejecting:5}{figures.open:5}")
        out.print()
    out.print(f"uncovered: {len(stats.uncovered)}")
    for missing in stats.uncovered:
        out.print(f"  {missing}", soft_wrap=True)


def _sections_table(stats: Stats, spec: str) -> Table:
    """Return the requirements by testability, and the vectors by kind, of each section of an RFC."""
    from rich import box
    from rich.table import Table

    from urlauthor.stats import KINDS, TESTABLE

    title = f"{rfc(spec)}: requirements by testability, vectors by kind"
    table = Table(title=title, title_justify="left", box=box.SIMPLE, pad_edge=False)
    table.add_column("section")
    for name in (*TESTABLE, *KINDS):
        table.add_column(name, justify="right")

    for section, figures in stats.of_sections(spec).items():
        table.add_row(section, *_cells_of_figures(figures))
    table.add_section()
    table.add_row("all", *_cells_of_figures(stats.specs[spec]))
    return table


def _cells_of_figures(figures: Figures) -> list[str]:
    """Return the cells of a row of `_sections_table` after the first one. A number of 0 is a dot."""
    from urlauthor.stats import KINDS, TESTABLE

    numbers = [figures.requirements[testable] for testable in TESTABLE]
    numbers += [figures.vectors[kind] for kind in KINDS]
    return [str(number) if number else "." for number in numbers]


@vectors.command("adequacy", short_help="Measure which mistakes the corpus, or tests of yours, notice.")
@click.argument("files", metavar="[FILE]...", nargs=-1, type=ExistingPath(path_type=Path))
@click.option(
    "--tests",
    "tests",
    multiple=True,
    type=ExistingPath(path_type=Path),
    metavar="FILE...",
    help="Measure these tests instead of the corpus: files or folders.",
)
@click.option("--rule", default="", metavar="RULE", help="The rule of tests that name none; needs --tests.")
@click.option(
    "--fail-under",
    type=click.FloatRange(0, 100),
    default=0.0,
    metavar="PERCENT",
    help="Exit with 1 if the tests notice fewer kinds of mistakes; needs --tests.",
)
@click.option(
    "--add",
    type=click.IntRange(min=1),
    metavar="N",
    help="Choose N texts that notice most; -o writes them in the format of the tests; needs --tests.",
)
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC; repeatable.")
@click.option(
    "--all",
    "is_complete",
    is_flag=True,
    help="Measure also the RFCs of which the file of -o has figures of the same vectors.",
)
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    metavar="N",
    help="Estimate: analyse only N mutants, pairs and faults of each rule.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the random sample.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option(
    "--survivors",
    type=_FILE,
    metavar="FILE",
    help="Write texts that show the mutants missed by the core, as JSON.",
)
@click.option(
    "-o",
    "--output",
    type=_FILE,
    metavar="FILE",
    help="Write the figures as JSON, and measure only RFCs whose vectors differ from those that FILE is of;"
    " with --tests, write the texts of --add.",
)
@click.option(
    "--processes", type=click.IntRange(min=1), metavar="N", help="Number of processes (default: one per CPU)."
)
def adequacy(
    files: tuple[Path, ...],
    tests: tuple[Path, ...],
    rule: str,
    fail_under: float,
    add: int | None,
    specs: tuple[str, ...],
    is_complete: bool,
    sample: int | None,
    seed: int,
    as_json: bool,
    survivors: Path | None,
    output: Path | None,
    processes: int | None,
) -> int:
    """Measure which mutants and faults the corpus notices.  Exit with 1 if a goal is missed.

    With --tests, measure the tests of another project: which mistakes of a URL library they would not notice,
    and which few texts to add.  Exit with 1 if a test expects a wrong answer, or if fewer kinds of mistakes
    are noticed than --fail-under demands.
    """
    if tests:
        from urlharness.cli.author.adequacy import TestOptions, measure_tests

        refused = {"--all": is_complete or None, "--sample": sample, "--survivors": survivors}
        for option, setting in refused.items():
            if setting is not None:
                raise click.UsageError(f"{option} is for the corpus: omit it with --tests")
        _check_outputs({"-o": output})
        signal.signal(
            signal.SIGTERM, signal.default_int_handler
        )  # stops the worker processes, as Ctrl-C does
        options = TestOptions((*tests, *files), specs, rule, fail_under, add or 0, output, processes, as_json)
        return measure_tests(options)
    if files or rule or fail_under or add is not None:
        raise click.UsageError("FILE, --rule, --fail-under and --add need --tests FILE")
    options_of_corpus = _CorpusOptions(
        specs=_selected_specs(specs),
        sample=sample,
        seed=seed,
        as_json=as_json,
        survivors=survivors,
        output=output,
        processes=processes or usable_processors(),
        keeps_figures=not (is_complete or specs or survivors),
    )
    return _measure_corpus(options_of_corpus)


class _CorpusOptions(NamedTuple):
    """The options of a measurement of the corpus; `survivors` and `output` are files to write.

    If `keeps_figures` is true, an RFC is not measured if the output has figures of the same vectors.
    """

    specs: tuple[str, ...]
    sample: int | None
    seed: int
    as_json: bool
    survivors: Path | None
    output: Path | None
    processes: int
    keeps_figures: bool


def _check_outputs(outputs: Mapping[str, Path | None]) -> None:
    """Raise a usage error if the folder of an output does not exist, or if the output is the configuration.

    `outputs` maps options to files.
    """
    for option, file in outputs.items():
        if file is None:
            continue
        if not file.parent.is_dir():
            raise click.BadParameter(f"{file.parent}: no such directory")
        refuse_overwriting(option, [file], {})


def _measure_corpus(options: _CorpusOptions) -> int:
    """Measure the corpus, and print and write the figures.  Return 1 if a goal is missed, otherwise 0."""
    from urlauthor.adequacy import plan, stored

    output = options.output
    survivors = options.survivors
    sample = options.sample
    seed = options.seed
    _check_outputs({"-o": output, "--survivors": survivors})
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stops the worker processes, as Ctrl-C does
    corpus = load()
    digests = stored.digests_of_corpus(corpus)
    before = stored.read_stored(output, sample, seed)
    fresh = before.fresh(digests) if options.keeps_figures else {}
    for spec in fresh:
        click.echo(f"{spec}: kept, because its vectors have not changed", err=True)
    to_measure = tuple(spec for spec in options.specs if spec not in fresh)
    extent = plan.Plan(to_measure, sample, seed, processes=options.processes, cover=survivors is not None)
    with _progress() as report:
        measured = plan.run(extent, report)
    measured_figures = plan.figures(measured)
    if output is not None:
        after = before.replace(measured_figures, digests)
        document = stored.document(after, corpus.digest, sample, seed)
        write_atomically(output, json.dumps(document, indent=1) + "\n")
    if survivors is not None:
        _write_witnesses(survivors, {spec: measured[spec].survivors for spec in options.specs})
    figures = {spec: measured_figures.get(spec) or fresh[spec] for spec in options.specs}
    if options.as_json:
        click.echo(json.dumps(figures, indent=1))
    else:
        _print_adequacy(figures)
    missed = list(plan.missed_goals(figures, sample))
    for line in missed:
        click.echo(f"goal missed: {line}", err=True)
    return Exit.FAILED if missed else Exit.PASSED


def _write_witnesses(path: Path, survivors: Mapping[str, list[dict[str, Any]]]) -> None:
    """Write candidate vectors for the survivors of each RFC, and say how many there are for each rule."""
    from urlauthor.adequacy.analysis import candidate_vectors

    candidates = {spec: candidate_vectors(spec, mutants) for spec, mutants in survivors.items()}
    write_atomically(path, json.dumps(candidates, indent=1) + "\n")
    for spec, candidates_of_spec in candidates.items():
        rules = Counter(str(candidate["rule"]) for candidate in candidates_of_spec)
        counts = ", ".join(f"{rule} {count}" for rule, count in rules.items())
        click.echo(f"{spec}: {len(candidates_of_spec)} witnesses: {counts}", err=True)


def _print_adequacy(figures: dict[str, Any]) -> None:
    """Print the figures of `plan.figures` as a table: a row for each RFC and tier."""
    from rich.table import Table

    from urlauthor.adequacy.plan import COLUMNS, rows
    from urlharness.cli.output import console

    table = Table(box=None, pad_edge=False)
    for name in ("RFC", "tier", *(column.replace("_", " ") for column in COLUMNS), "fault domain"):
        table.add_column(name)
    for row in rows(figures):
        table.add_row(*row)
    console().print(table)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar if stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("mutants", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
