#!/usr/bin/env python3
"""Ask every library found here, and write docs/results; with `--check`, fail if another corpus was asked.

The answers to RFC 3986 are kept, without the messages of the libraries, for `urlconform compare --results`.
Python libraries must have the versions of the catalogue, so run this where only urlconform is installed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from urlharness.adapters.catalogue import catalogue
from urlharness.adapters.registry import available_adapters, find
from urlharness.compare.matrix import make_matrix, probe_texts, traits
from urlharness.compare.questions import with_differences
from urlharness.corpus.loader import load, load_classes
from urlharness.corpus.longtext import abbreviated
from urlharness.corpus.model import Case
from urlharness.corpus.specifications import Spec
from urlharness.panel.answer import Answer
from urlharness.panel.panel import Panel, TextQuestions
from urlharness.protocol.limits import Limits
from urlharness.report.comparison import comparison_blocks
from urlharness.report.document import as_markdown
from urlharness.results.model import Result, Results, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter

FOLDER = Path(__file__).parent / "results"
KEPT = FOLDER / "rfc3986.jsonl.xz"
COUNTS = FOLDER / "counts.json"
SPECS: tuple[Spec, ...] = ("rfc3986", "rfc2396", "rfc1808")
#: Filled by docs/make.py when the corpus has changed since.
NOTE = "<!--=results.note--><!--/-->"
#: Libraries that nearly do what RFC 3986 says: each of their wrong answers is shown.
NEAR = ("uriparser", "fluent-uri", "network-uri", "rfc3987")

#: The limits of a second try. A question that timed out is asked again alone, and so long that neither the
#: load nor a library whose time is quadratic in the text decides anything. Two libraries need a minute of CPU
#: time for one of 70,000 characters.
PATIENT = Limits(start=60.0, case=3600.0)

#: What findings.md counts: the text, and the host that libraries see in it (None: they refuse the text).
COUNTED: Mapping[str, tuple[str, str | None]] = {
    "backslash.b": ("http://a.example\\@b.example/", "b.example"),
    "backslash.a": ("http://a.example\\@b.example/", "a.example"),
    "backslash.refused": ("http://a.example\\@b.example/", None),
    "ats.c": ("http://a.example@b.example@c.example/", "c.example"),
    "ats.b-and-c": ("http://a.example@b.example@c.example/", "b.example@c.example"),
    "ats.refused": ("http://a.example@b.example@c.example/", None),
    "slashes.none": ("http:a.example/", "a.example"),
    "slashes.three": ("http:///a.example/", "a.example"),
    "numbers.address": ("http://0x7f.1/", "127.0.0.1"),
    "numbers.name": ("http://0x7f.1/", "0x7f.1"),
    "escapes.decoded": ("http://a%2eexample/", "a.example"),
    "escapes.kept": ("http://a%2eexample/", "a%2eexample"),
    "bracket.whole": ("http://[::1]a.example/", "[::1]a.example"),
    "bracket.refused": ("http://[::1]a.example/", None),
}


def decide_timeouts(
    path: Path, cases: Mapping[str, Case], limits: Limits = PATIENT
) -> Sequence[tuple[str, str]]:
    """Ask each question that timed out again, alone and patiently, and keep only the second outcome.

    A question without an answer again is left out of the file, so that no finding rests on a time. Return the
    library and the id of each of these.
    """
    second_answers = _second_answers(read_results(path), cases, limits)
    still_silent = [key for key, answer in second_answers.items() if answer.outcome is Outcome.TIMEOUT]
    lines: list[bytes] = []
    for line in path.read_bytes().splitlines(keepends=True):
        fields = json.loads(line)
        if fields["type"] == "footer":
            fields["counts"] = _corrected_counts(fields["counts"], second_answers)
            fields["digest"] = hashlib.sha256(b"".join(lines)).hexdigest()[:12]
            lines.append(_line(fields))
            continue
        key = (fields["implementation"], fields["id"]) if fields["type"] == "case" else None
        if key not in second_answers:
            lines.append(line)
        elif key not in still_silent:
            lines.append(_line(abbreviated(msgspec.to_builtins(second_answers[key]))))
    path.write_bytes(b"".join(lines))
    return still_silent


def _second_answers(
    results: Results, cases: Mapping[str, Case], limits: Limits
) -> dict[tuple[str, str], Result]:
    """Ask the questions that timed out once more, one after another; the keys are library and id."""
    second_answers = {}
    for participant in results.participants:
        for identifier, first_answer in results.of(participant.name).items():
            if first_answer.outcome is Outcome.TIMEOUT:
                connected = ConnectedAdapter(find(participant.name), limits)
                try:
                    second_answers[participant.name, identifier] = connected.ask_one(cases[identifier])
                finally:
                    connected.close()
    return second_answers


def _corrected_counts(
    counts: Mapping[str, Mapping[str, int]], second_answers: Mapping[tuple[str, str], Result]
) -> dict[str, dict[str, int]]:
    """Return the outcomes of each library in a footer, with second outcomes in place of timeouts."""
    tallies = {name: Counter(tally) for name, tally in counts.items()}
    for (name, _), answer in second_answers.items():
        tallies[name][Outcome.TIMEOUT] -= 1
        if answer.outcome is not Outcome.TIMEOUT:
            tallies[name][answer.outcome] += 1
    # A unary plus drops the outcomes that no question has any more.
    return {name: dict(+tally) for name, tally in tallies.items() if +tally}


def refuse_other_versions(results: Results) -> None:
    """End the program if a Python library has another version than the catalogue says."""
    versions = {name: library.version for name, library in catalogue().items() if library.manager == "pip"}
    differences = []
    for participant in results.participants:
        expected = versions.get(participant.name, "")
        if expected and participant.implementation is not None:
            version = participant.implementation.version
            if version != expected:
                differences.append(f"{participant.name} {version}, not {expected}")
    if differences:
        sys.exit(f"other versions than those of the catalogue: {', '.join(differences)}")


def counts(answers: Mapping[str, Sequence[Answer]], texts: Sequence[str]) -> dict[str, int]:
    """Count for each entry of `COUNTED` the libraries that answer so. `answers` are those to `texts`."""
    totals = {}
    for key, (text, host) in COUNTED.items():
        number = texts.index(text)
        answers_to_text = [answers_of_library[number] for answers_of_library in answers.values()]
        if host is None:
            totals[key] = sum(answer.kind == "rejected" for answer in answers_to_text)
        else:
            totals[key] = sum(answer.components.get("host") == host for answer in answers_to_text)
    return totals


def compact(source: Path, target: Path) -> None:
    """Write a results file without messages, compressed, with the digest of the new lines in its footer.

    Equal answers to a case stand together, which halves the compressed file.
    """
    beginning: list[bytes] = []
    cases: list[tuple[tuple[str, ...], bytes]] = []
    footer = {}
    for line in source.read_bytes().splitlines():
        fields = json.loads(line)
        _leave_out_messages(fields)
        if fields["type"] == "case":
            answer = json.dumps(fields.get("got"))
            order = (fields["id"], fields["outcome"], answer, fields["implementation"])
            cases.append((order, _line(fields)))
        elif fields["type"] == "footer":
            footer = fields
        else:
            beginning.append(_line(fields))
    cases.sort()
    text = b"".join(beginning) + b"".join(line for _, line in cases)
    footer["digest"] = hashlib.sha256(text).hexdigest()[:12]
    target.write_bytes(lzma.compress(text + _line(footer), preset=9 | lzma.PRESET_EXTREME))


def _leave_out_messages(fields: dict[str, Any]) -> None:
    """Drop what a library, its adapter or this machine say in words from a line of results."""
    fields.pop("stderr", None)
    if isinstance(fields.get("got"), dict):
        fields["got"].pop("message", None)
    if fields["type"] == "header":
        fields["argv"] = []
    if fields["type"] == "case" and fields["outcome"] in ("pass", "fail", "partial", "unsupported"):
        fields.pop("detail", None)


def _line(fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def compare(*arguments: str | Path) -> None:
    """Run `urlconform compare`."""
    words = ["urlconform", "compare", *map(str, arguments)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


def page_of(results: Results, probes: Mapping[str, Sequence[Answer]]) -> str:
    """Return the page of an RFC. `probes` are the answers of each library to the texts for habits."""
    names = [participant.name for participant in results.participants if participant.name != "reference"]
    matrix = make_matrix(results, names)
    blocks = comparison_blocks(matrix, matrix.disagreements, load_classes(), traits(probes), everything=False)
    return as_markdown(blocks)


def _links(names: Sequence[str]) -> str:
    return ", ".join(f"[{name}]({name}.md)" for name in names)


def unanswered(silent: Sequence[tuple[str, str]]) -> str:
    """Return a sentence on the questions that had no answer in time, or an empty string if all had one."""
    if not silent:
        return ""
    questions = ", ".join(f"{name} to `{identifier}`" for name, identifier in silent)
    return f"\nNo answer within {PATIENT.case:,.0f} s, so these count nowhere: {questions}.\n"


def index(results: Results, silent: Sequence[tuple[str, str]]) -> str:
    """Return the first page: what was asked, when and where, and the links."""
    header = results.header
    implementations = [participant.implementation for participant in results.participants]
    libraries = len(implementations)
    languages = len({implementation.language for implementation in implementations if implementation})
    return f"""# Results

The answers of {libraries} libraries in {languages} languages to corpus {header.corpus}, asked on
{header.started[:10]}. The tables name their versions: those of Debian 12, or current ones of PyPI, npm,
crates.io, Maven Central and the Go proxy. {NOTE}

| | |
|---|---|
| {_links(SPECS)} | scores, causes, the most harmful differences, families, habits |
| {_links(NEAR)} | they nearly do what RFC 3986 says: every wrong answer, by class |
| [rfc3986.jsonl.xz](rfc3986.jsonl.xz) | the answers |
{unanswered(silent)}
```sh
urlconform compare --results docs/results/rfc3986.jsonl.xz --only host
urlconform compare urllib node-url --results docs/results/rfc3986.jsonl.xz --report html=compare.html
```

`python docs/results.py` asks again; [findings.md](../findings.md) has what follows from it.
"""


def noted(page: str) -> str:
    """Return a page with the note below its title."""
    return page.replace("\n\n", f"\n\n{NOTE}\n\n", 1)


def write() -> None:
    """Ask every library, and write all pages."""
    FOLDER.mkdir(exist_ok=True)
    probed = Panel(available_adapters()).ask(TextQuestions(probe_texts()))
    probes = {library.name: library.answers for library in probed}
    corpus = load()
    silent: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for spec in SPECS:
            answers = Path(scratch) / f"{spec}.jsonl"
            compare("--spec", spec, "--report", f"json={answers}")
            _, cases = with_differences(corpus, [case for case in corpus.cases if case.spec == spec], spec)
            silent += decide_timeouts(answers, {case.vector.id: case for case in cases})
            results = read_results(answers)
            refuse_other_versions(results)
            (FOLDER / f"{spec}.md").write_text(page_of(results, probes), "utf-8")
            if spec == "rfc3986":
                compact(answers, KEPT)
    texts = list(dict.fromkeys(text for text, _ in COUNTED.values()))
    replies = Panel(available_adapters()).ask(TextQuestions(texts))
    totals = counts({library.name: library.answers for library in replies}, texts)
    COUNTS.write_text(json.dumps(totals, indent=1) + "\n", "ascii")
    (FOLDER / "README.md").write_text(index(read_results(KEPT), silent), "utf-8")
    for name in NEAR:
        compare(name, "--results", KEPT, "--all", "--report", f"markdown={FOLDER / name}.md")
    for name in (*SPECS, *NEAR):
        page = FOLDER / f"{name}.md"
        page.write_text(noted(page.read_text("utf-8")), "utf-8")


def main() -> int:
    """Return the exit code: 1 if `--check` finds that another corpus was asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the corpus changed")
    if not parser.parse_args().check:
        write()
        return 0
    digest_of_results = read_results(KEPT).header.corpus
    digest = load().digest
    if digest_of_results == digest:
        return 0
    sys.stdout.write(
        f"docs/results is about corpus {digest_of_results}, not {digest}: run python docs/results.py\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
