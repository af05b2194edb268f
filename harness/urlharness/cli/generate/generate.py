"""The command `generate`, which writes texts with expected answers, or the cases of a tier."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, assert_never, get_args

import click
import msgspec

from urlharness.cli.files import refuse_overwriting
from urlharness.cli.options import ExistingPath
from urlharness.cli.output import print_stderr, progress
from urlharness.corpus.export import canonical_text
from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import Case, Tier, VectorFile
from urlharness.corpus.selection import spec_name
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.exitcodes import Exit
from urlharness.generate import formats
from urlharness.generate.formats import Format
from urlharness.generate.kinds import RequestError, WrongLabel
from urlharness.generate.requests import COUNT, KINDS, MakeFastSampler, Request, Texts
from urlharness.generate.tiers import Part, UnknownPart, cases, parts, requirement
from urlharness.generate.tiers.digests import pin_digests, pinned_digests
from urlharness.jsonio import WholeFile, errors_named, write_atomically
from urlharness.results.generated import Counted, Digest
from urlharness.system.processes import WorkerEnded
from urlharness.words.sampling import draw_sample

#: The number of cases between two updates of the progress.
_STEP = 1000

#: The minimum number of texts for which it pays to load the batch engine.
_WORTH_COMPILED_SAMPLING = 20_000

#: The maximum length of texts.
_MAX_GENERATED_LENGTH = 70_000

#: The name of a file in a corpus for fuzzers.
_SHA1 = re.compile("[0-9a-f]{40}")

#: A function that returns the cases to write of a part.
_SelectCases = Callable[[Part], Iterator[Case]]


class _TierRequest(NamedTuple):
    """The cases of tiers to write: those of one RFC and rule (None: of all).

    `limit` and `seed` select cases of each rule, as `_select_cases` says.
    """

    tiers: Sequence[Tier]
    spec: str | None
    rule: str | None
    limit: int | None
    seed: int | None


class _DigestOptions(NamedTuple):
    """The options that use the digests of cases. If one is given, no case is written."""

    print_only: bool
    check: bool
    pin: bool


class Lengths(click.ParamType[range]):
    """The type of a range of lengths: MIN:MAX, or one length."""

    name = "lengths"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> range:
        """Return the lengths from MIN to MAX, including MAX. Fail if there are none or too long ones."""
        minimum, colon, maximum = str(value).partition(":")
        if not colon:
            maximum = minimum
        if not minimum.isdecimal() or not maximum.isdecimal():
            self.fail(f"{value!r} is not MIN:MAX", param, ctx)
        lengths = range(int(minimum), int(maximum) + 1)
        if not lengths or lengths[-1] > _MAX_GENERATED_LENGTH:
            self.fail(f"{value!r} is not a range of lengths up to {_MAX_GENERATED_LENGTH:,}", param, ctx)
        return lengths


@click.command()
@click.option(
    "--tier",
    "tiers",
    type=click.Choice(get_args(Tier)),
    multiple=True,
    help="The cases of this tier; may be given several times.",
)
@click.option("--valid", is_flag=True, help="Valid texts.")
@click.option("--invalid", is_flag=True, help="Texts with one thing wrong.")
@click.option(
    "--near-miss",
    is_flag=True,
    help="Beginnings of valid texts, each followed by a forbidden character.",
)
@click.option("--boundary", is_flag=True, help="Texts with boundary lengths, boundary numbers, empty parts.")
@click.option("--cover", is_flag=True, help="Few valid texts that take every transition of the automaton.")
@click.option("--resolution", is_flag=True, help="Pairs of base and reference.")
@click.option(
    "--mutate",
    type=ExistingPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The lines of a file, then valid lines broken by one edit, or spliced.",
)
@click.option(
    "--class",
    "difference",
    metavar="NAME",
    help="Texts and pairs that show a class of difference, such as backslash.",
)
@click.option("--spec", metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--rule", metavar="RULE", help="Only this rule (default for texts: the rule of whole URLs).")
@click.option(
    "--scheme", metavar="SCHEME", help="Only valid texts and bases with this scheme, and texts made of them."
)
@click.option(
    "--count",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Number of texts of a kind (default: {COUNT:,}, but all near misses, boundaries and covers).",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    metavar="N",
    help="Seed of random texts (default: 0). With --tier and --limit: draw the cases.",
)
@click.option(
    "--length",
    type=Lengths(),
    metavar="MIN:MAX",
    help="Only texts of these lengths (default: 0:80; boundaries 0:4200).",
)
@click.option(
    "--explore", is_flag=True, help="First draw texts that take new transitions, until all are taken."
)
@click.option("--uniform", is_flag=True, help="Make all valid texts of a length equally likely.")
@click.option(
    "--weights",
    type=ExistingPath(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="TOML file with weights of rules, alternatives and characters.",
)
@click.option("--all-specs", is_flag=True, help="Add the answer of every RFC: verdict, components, result.")
@click.option("--base", metavar="URL", help="With --all-specs, also resolve each text against this base.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 256),
    metavar="N",
    help="Number of processes (default: 1); the texts do not depend on it.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to this file (default: stdout); for a corpus, to this folder.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(get_args(Format)),
    default="jsonl",
    show_default=True,
    help="Format of the texts; dict is a dictionary for fuzzers.",
)
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Only the first N cases of each rule of a tier; with --seed, N random ones.",
)
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
    form: Format,
    limit: int | None,
    seed: int | None,
    digest_only: bool,
    check: bool,
    pin: bool,
    jobs: int | None,
    **text_options: Any,
) -> int:
    """Write texts with expected answers (labels), or the cases of a tier.

    The same options give the same output. Texts that are drawn at random, as with --valid, depend on --seed.
    Each label is checked in a second way, and a wrong label ends the command. If fewer texts than --count
    exist, all of them are written.

    The cases of a tier are questions with their answers. complete: a complete test suite for every rule. k1:
    a suite that also detects one extra state. bytes: a suite that detects every wrong treatment of a single
    character. resolution, normalization, equivalence, decoding, recomposition: inputs of this operation in
    every shape. The number of cases and their SHA-256 are printed on stderr.
    """
    # `text_options` are fields of `Request`, each of them false if it is not given: --tier refuses true ones
    spec_id = None if spec is None else spec_name(spec)
    _refuse_overwriting(output, form, text_options)
    digest_options = _DigestOptions(digest_only, check, pin)
    if tiers:
        if jobs or any(text_options.values()):
            raise click.UsageError("texts of a rule cannot be combined with --tier")
        tier_request = _TierRequest(tiers, spec_id, rule, limit, seed)
        return _run_tier_request(tier_request, form, output, digest_options)
    if limit is not None or any(digest_options):
        raise click.UsageError("--limit, --digest, --check and --pin need a --tier")
    texts_only = form in ("corpus", "vectors", "parquet")
    request = Request(
        spec=spec_id or DEFAULT_SPEC, rule=rule, seed=seed or 0, texts_only=texts_only, **text_options
    )
    return _write_texts(request, form, output, jobs or 1)


# ---- refusals


def _refuse_first(messages: Iterator[str]) -> None:
    """Raise a usage error with the first message, if there is one."""
    message = next(messages, None)
    if message is not None:
        raise click.UsageError(message)


def _contradictions_with_tier(
    request: _TierRequest, form: Format, output: Path | None, digest_options: _DigestOptions
) -> Iterator[str]:
    """Yield a message for each option that contradicts --tier."""
    if form not in ("jsonl", "vectors"):
        yield "with --tier, only the formats jsonl and vectors are possible"
    if request.seed is not None and request.limit is None:
        yield "with --tier, --seed needs --limit"
    has_target = output is not None or form == "vectors"
    if any(digest_options) and has_target:
        yield "with --digest, --check or --pin no case is written: omit -o and --format"
    if (digest_options.check or digest_options.pin) and request.limit is not None:
        yield "--check and --pin need all cases: omit --limit"


def _refuse_overwriting(output: Path | None, form: Format, text_options: Mapping[str, Any]) -> None:
    """Raise a usage error if the output is an input. `text_options` are those of `generate`."""
    inputs: dict[str, Path | None] = {
        "the file of --mutate": text_options["mutate"],
        "the file of --weights": text_options["weights"],
    }
    if output is None:
        return
    if form != "corpus":
        refuse_overwriting("-o", [output], inputs)
        return
    reads_files = any(file is not None for file in inputs.values())
    if reads_files:
        # a folder, where each file is named after its SHA-1
        files = [path for path in output.glob("*") if _SHA1.fullmatch(path.name)]
        refuse_overwriting("-o", files, inputs)


def _contradictions(request: Request, form: Format, output: Path | None) -> Iterator[str]:
    """Yield a message for each contradiction between options for texts. The first one is reported."""
    kinds = request.kinds
    if not kinds and form != "dict":
        every_kind = ", --".join(KINDS)
        yield f"give a --tier or a kind of text: --{every_kind}"
    if form == "corpus" and output is None:
        yield "a corpus is a folder: give -o DIR"
    if form == "parquet" and output is None and sys.stdout.isatty():
        yield "parquet is a binary format: give -o FILE"
    if request.all_specs and form not in ("jsonl", "parquet"):
        yield "--all-specs needs --format jsonl or parquet"
    yield from _contradictions_of_kinds(request)
    if request.base is not None and not request.all_specs:
        yield "--base needs --all-specs"
    if request.resolution and form == "corpus":
        yield "a file of a corpus has one text; --resolution makes pairs"
    if request.resolution and len(kinds) > 1 and form in ("vectors", "parquet"):
        yield f"a {form} file has either texts or pairs to resolve; use --resolution alone"


def _contradictions_of_kinds(request: Request) -> Iterator[str]:
    """Yield a message for each option that changes no text of the selected kinds."""
    kinds = request.kinds
    draws_whole_texts = "valid" in kinds or "invalid" in kinds
    has_weights = request.weights is not None
    if request.explore and not draws_whole_texts:
        yield "--explore needs --valid or --invalid"
    if (request.uniform or has_weights) and not draws_whole_texts and "near-miss" not in kinds:
        yield "--uniform and --weights need --valid, --invalid or --near-miss"
    if request.scheme is not None and {"mutate", "class"}.issuperset(kinds):
        yield "--scheme needs another kind of text than --mutate and --class"
    if request.rule is not None and kinds == ["resolution"]:
        yield "pairs to resolve have no --rule"
    if request.uniform and has_weights:
        yield "--uniform leaves no room for --weights"


# ---- texts of a rule


def _write_texts(request: Request, form: Format, output: Path | None, jobs: int) -> int:
    """Write the texts of a rule in a format, and return the exit code.

    `jobs` is the number of processes. Raise a usage error if options contradict each other or the RFC.
    """
    _refuse_first(_contradictions(request, form, output))
    try:
        texts = Texts(request, jobs=jobs, fast_sampler=_fast_sampler(request, form))
        if form == "vectors" and texts.by_scheme:
            raise click.UsageError(f"a vector file needs the rule of one scheme, not {texts.rule}")
        omitted = _write_format(texts, form, output)
    except RequestError as error:
        raise click.UsageError(str(error)) from None
    except WrongLabel as wrong:
        print_stderr(f"urlconform: {wrong}")
        return Exit.FAILED
    except WorkerEnded:
        print_stderr("urlconform: a process of --jobs was killed; fewer processes need less memory")
        return Exit.USAGE
    for line in texts.summary():
        click.echo(line, err=True)
    if omitted:
        click.echo(f"left out: {omitted} texts with line ends (--format jsonl includes them)", err=True)
    return Exit.PASSED


def _fast_sampler(request: Request, form: Format) -> MakeFastSampler | None:
    """Return compiled sampling, or None if its libraries are not installed or it is not worth its start.

    Parquet needs these libraries. Raise a usage error if they are not installed.
    """
    draws_texts = request.valid or request.invalid
    is_worth_its_start = draws_texts and (request.number or 0) >= _WORTH_COMPILED_SAMPLING
    if not is_worth_its_start and form != "parquet":
        return None
    try:
        import urlharness.batch  # noqa: F401 - its error says how to install what is missing
        from urlharness.generate.compiled import CompiledSampler
    except ImportError as missing:
        if form == "parquet":
            raise click.ClickException(f"--format parquet: {missing}") from None
        return None
    return CompiledSampler


def _write_format(texts: Texts, form: Format, output: Path | None) -> int:
    """Write texts in a format to a file, or to stdout without one. Return the number of texts left out.

    The output is a folder if the format is `corpus`, which needs one.
    """
    if form == "corpus":
        assert output is not None  # refused before
        with errors_named(output):
            formats.write_corpus(texts, output)
        return 0
    omitted = 0
    spec = texts.spec
    rule = texts.rule
    with nullcontext(sys.stdout.buffer) if output is None else WholeFile(output) as stream:
        match form:
            case "lines":
                omitted = formats.write_lines(texts, stream)
            case "jsonl":
                formats.write_jsonl(spec, rule, texts, stream)
            case "vectors":
                stream.write(formats.vector_file(spec, rule, texts).encode("ascii"))
            case "dict":
                dictionary = formats.dictionary_lines(spec, rule)
                stream.writelines(f"{line}\n".encode("ascii") for line in dictionary)
            case "parquet":
                from urlharness.generate.parquet import write_parquet

                write_parquet(texts, stream)
            case "pytest":
                module = formats.pytest_lines(spec, rule, texts)
                stream.writelines(f"{line}\n".encode("ascii") for line in module)
            case _:
                assert_never(form)
        stream.flush()
    return omitted


# ---- cases of a tier


def _run_tier_request(
    request: _TierRequest, form: Format, output: Path | None, digest_options: _DigestOptions
) -> int:
    """Write the cases of tiers, or print, check or pin their digests, and return the exit code.

    Raise a usage error if the options contradict each other, or if a tier has no such part.
    """
    _refuse_first(_contradictions_with_tier(request, form, output, digest_options))
    tiers = dict.fromkeys(request.tiers)  # without repetitions, in their order
    try:
        selected_parts = [part for tier in tiers for part in parts(tier, request.spec, request.rule)]
    except UnknownPart as unknown:
        raise click.UsageError(str(unknown)) from None
    limit = request.limit
    select_cases = partial(_select_cases, limit=limit, seed=request.seed)
    if form == "vectors":
        return _write_vector_file(selected_parts, output, select_cases)
    pinned = {} if digest_options.pin else pinned_digests()
    totals = {part: digest.cases for part, digest in pinned.items()}
    if limit is not None:
        totals = {part: min(total, limit) for part, total in totals.items()}
    digests = _write_cases(selected_parts, output, select_cases, totals, is_quiet=any(digest_options))
    if digest_options.check:
        return _compare_digests(digests, pinned)
    if digest_options.pin:
        pin_digests(digests)
    else:
        _print_digests(digests, err=not digest_options.print_only)
    return Exit.PASSED


def _select_cases(part: Part, limit: int | None, seed: int | None) -> Iterator[Case]:
    """Return the first cases of a part or, with a seed, a random sample of its cases in order."""
    if seed is None or limit is None:
        return islice(cases(part), limit)
    return draw_sample(cases(part), limit, seed)


def _write_cases(
    selected_parts: Sequence[Part],
    output: Path | None,
    select_cases: _SelectCases,
    totals: Mapping[Part, int],
    *,
    is_quiet: bool,
) -> dict[Part, Counted]:
    """Write the cases, one per line. Return the number and the digest of the cases of each part.

    `totals` are the numbers of the cases of parts, as far as they are known. If `is_quiet`, nothing is
    written.
    """
    stdout = None if is_quiet else sys.stdout.buffer
    digests = {}
    with nullcontext(stdout) if output is None else WholeFile(output) as stream, progress() as report:
        for part in selected_parts:
            digest = Digest()
            for number, case in enumerate(select_cases(part), 1):
                line = case_line(case)
                digest.add(line)
                if stream is not None:
                    stream.write(line)
                if number % _STEP == 0:
                    report(part.name, number, totals.get(part))
            digests[part] = digest.counted
        if stream is not None:
            stream.flush()
    return digests


def _print_digests(digests: Mapping[Part, Counted], *, err: bool) -> None:
    """Print the number of cases and the digest of each part, on stderr if `err`."""
    for part, (count, sha256) in digests.items():
        click.echo(f"{part.name}  {count} cases  sha256 {sha256}", err=err)


def _write_vector_file(
    selected_parts: Sequence[Part], output: Path | None, select_cases: _SelectCases
) -> int:
    """Write the cases as one vector file, which is built in memory, and return the exit code.

    Raise a usage error if there are several parts: a file covers one rule of one RFC.
    """
    if len(selected_parts) > 1:
        names = ", ".join(part.rule or part.spec for part in selected_parts)
        raise click.UsageError(f"a vector file covers one rule of one RFC: choose one of {names}")
    (part,) = selected_parts
    digest = Digest()
    vectors = []
    for case in select_cases(part):
        digest.add(case_line(case))
        vectors.append(case.vector)
    title = f"Generated: {part.name}"
    file = VectorFile("urlvectors-1", part.spec, requirement(part).section, title, tuple(vectors))
    document = canonical_text(msgspec.to_builtins(file))
    if output is None:
        click.echo(document, nl=False)
    else:
        write_atomically(output, document)
    _print_digests({part: digest.counted}, err=True)
    return Exit.PASSED


def _compare_digests(digests: Mapping[Part, Counted], pinned: Mapping[Part, Counted]) -> int:
    """Print the parts whose digest differs from the pinned one, and return the exit code."""
    equal = 0
    for part, generated in digests.items():
        expected = pinned.get(part)
        if generated == expected:
            equal += 1
            continue
        pin = "no digest is pinned"
        if expected is not None:
            pin = f"pinned {expected.cases} cases, {expected.digest}"
        click.echo(f"{part.name}: generated {generated.cases} cases, {generated.digest}; {pin}")
    click.echo(f"{equal} of {len(digests)} parts have their pinned digest", err=True)
    return Exit.PASSED if equal == len(digests) else Exit.FAILED
