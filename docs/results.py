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
from generator.figures import ASKED_FILE, digest_of_vectors

from urlharness.adapters.catalogue import catalogue
from urlharness.adapters.registry import available_adapters, find
from urlharness.compare.browsers import ONLY_WITH_BASE
from urlharness.compare.matrix import make_matrix, probe_texts, traits
from urlharness.compare.questions import with_differences
from urlharness.corpus.loader import load, load_classes
from urlharness.corpus.longtext import abbreviated
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.specifications import Spec, is_asked
from urlharness.panel.answer import Answer
from urlharness.panel.panel import Panel, TextQuestions
from urlharness.protocol.limits import Limits
from urlharness.report.comparison import comparison_blocks
from urlharness.report.document import as_markdown
from urlharness.results.model import Result, Results, read_results
from urlharness.results.verdict import Outcome
from urlharness.runner import ConnectedAdapter
from urlharness.wording import rfc

FOLDER = Path(__file__).parent / "results"
#: The pages of libraries have a folder of their own: `rfc3987` is a library, too.
LIBRARY_PAGES = FOLDER / "libraries"
ANSWERS = FOLDER / "rfc3986.jsonl.xz"
COUNTS = FOLDER / "counts.json"
ASKED = FOLDER / ASKED_FILE
SPECS: tuple[Spec, ...] = ("rfc3986", "rfc3987", "rfc2396", "rfc1808")
#: Filled by docs/make.py when the corpus has changed since.
NOTE = "<!--=results.note--><!--/-->"
#: Libraries that nearly do what an RFC says: each of their wrong answers is shown.
NEAR: Mapping[Spec, Sequence[str]] = {
    "rfc3986": ("uriparser", "fluent-uri", "network-uri", "rfc3987"),
    "rfc3987": ("iri-string", "oxiri"),
}

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
    library and the id of each of these. `cases` maps the ids of all questions to their cases.
    """
    second_answers = _ask_timeouts_again(read_results(path), cases, limits)
    still_silent = [key for key, answer in second_answers.items() if answer.outcome is Outcome.TIMEOUT]
    *lines, last_line = path.read_bytes().splitlines(keepends=True)
    decided = []
    for line in lines:
        fields = json.loads(line)
        if fields["type"] != "case":
            decided.append(line)
            continue
        key = (fields["implementation"], fields["id"])
        if key not in second_answers:
            decided.append(line)
        elif key not in still_silent:
            second_fields = abbreviated(msgspec.to_builtins(second_answers[key]))
            decided.append(_json_line(second_fields))
    footer = json.loads(last_line)
    footer["counts"] = _corrected_counts(footer["counts"], second_answers)
    footer["digest"] = _digest(b"".join(decided))
    path.write_bytes(b"".join(decided) + _json_line(footer))
    return still_silent


def _ask_timeouts_again(
    results: Results, cases: Mapping[str, Case], limits: Limits
) -> dict[tuple[str, str], Result]:
    """Ask the questions that timed out once more, one after another; the keys are library and id."""
    second_answers = {}
    for participant in results.participants:
        name = participant.name
        for identifier, first_answer in results.of(name).items():
            if first_answer.outcome is Outcome.TIMEOUT:
                second_answers[name, identifier] = _ask_alone(name, cases[identifier], limits)
    return second_answers


def _ask_alone(name: str, case: Case, limits: Limits) -> Result:
    """Ask a library one question in a process of its own."""
    connected = ConnectedAdapter(find(name), limits)
    try:
        return connected.ask_one(case)
    finally:
        connected.close()


def _corrected_counts(
    counts: Mapping[str, Mapping[str, int]], second_answers: Mapping[tuple[str, str], Result]
) -> dict[str, dict[str, int]]:
    """Return the outcomes of each library in a footer, with second outcomes in place of timeouts."""
    tallies = {name: Counter(tally) for name, tally in counts.items()}
    for (name, _), answer in second_answers.items():
        tallies[name][Outcome.TIMEOUT] -= 1
        if answer.outcome is not Outcome.TIMEOUT:
            tallies[name][answer.outcome] += 1
    corrected = {}
    for name, tally in tallies.items():
        remaining = +tally  # without the outcomes that no question has any more
        if remaining:
            corrected[name] = dict(remaining)
    return corrected


def refuse_other_versions(results: Results) -> None:
    """End the program if a Python library has another version than the catalogue says."""
    versions = {name: library.version for name, library in catalogue().items() if library.manager == "pip"}
    differences = []
    for participant in results.participants:
        expected = versions.get(participant.name)
        if not expected or participant.implementation is None:
            continue
        version = participant.implementation.version
        if version != expected:
            differences.append(f"{participant.name} {version}, not {expected}")
    if differences:
        sys.exit(f"other versions than those of the catalogue: {', '.join(differences)}")


def count_libraries(answers: Mapping[str, Sequence[Answer]], texts: Sequence[str]) -> dict[str, int]:
    """Count for each entry of `COUNTED` the libraries that answer so.

    `answers` maps each library to its answers to the `texts`, in their order.
    """
    totals = {}
    for key, (text, host) in COUNTED.items():
        number = texts.index(text)
        answers_to_text = [answers_of_library[number] for answers_of_library in answers.values()]
        if host is None:
            totals[key] = sum(answer.kind == "rejected" for answer in answers_to_text)
        else:
            totals[key] = sum(answer.components.get("host") == host for answer in answers_to_text)
    return totals


def write_compact(source: Path, target: Path) -> None:
    """Write a results file without messages, compressed, with the digest of the new lines in its footer.

    Equal answers to a case stand together, which halves the compressed file.
    """
    beginning: list[bytes] = []
    cases: list[tuple[tuple[str, ...], bytes]] = []
    footer = {}
    for line in source.read_bytes().splitlines():
        fields = json.loads(line)
        _remove_messages(fields)
        if fields["type"] == "case":
            answer = json.dumps(fields.get("got"))
            order = (fields["id"], fields["outcome"], answer, fields["implementation"])
            cases.append((order, _json_line(fields)))
        elif fields["type"] == "footer":
            footer = fields
        else:
            beginning.append(_json_line(fields))
    cases.sort()
    text = b"".join(beginning) + b"".join(line for _, line in cases)
    footer["digest"] = _digest(text)
    target.write_bytes(lzma.compress(text + _json_line(footer), preset=9 | lzma.PRESET_EXTREME))


def _digest(lines: bytes) -> str:
    """Return the digest that the footer of a results file contains of all lines before it."""
    return hashlib.sha256(lines).hexdigest()[:12]


def _remove_messages(fields: dict[str, Any]) -> None:
    """Remove what a library, its adapter or this machine say in words from a line of results."""
    fields.pop("stderr", None)
    got = fields.get("got")
    if isinstance(got, dict) and got.get("message") != ONLY_WITH_BASE:  # which decides about a cause
        got.pop("message", None)
    if fields["type"] == "header":
        fields["argv"] = []
    if fields["type"] == "case" and fields["outcome"] in ("pass", "fail", "partial", "unsupported"):
        fields.pop("detail", None)


def _json_line(fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def libraries_to_name(spec: Spec) -> Sequence[str]:
    """Return the libraries to ask about an RFC that is only asked of those that claim it.

    Return none if every library is asked.
    """
    if is_asked(spec, claimed=()):
        return []
    claiming = [name for name, library in catalogue().items() if library.iris]
    return [adapter.name for adapter in available_adapters() if adapter.name in claiming]


def run_compare(*arguments: str | Path) -> None:
    """Run `urlconform compare`."""
    words = ["urlconform", "compare", *map(str, arguments)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


def rfc_page(results: Results, probes: Mapping[str, Sequence[Answer]]) -> str:
    """Return the page of an RFC. `probes` are the answers of each library to the texts for habits."""
    names = [participant.name for participant in results.participants if participant.name != "reference"]
    matrix = make_matrix(results, names)
    habits = traits({name: answers for name, answers in probes.items() if name in names})
    blocks = comparison_blocks(matrix, matrix.disagreements, load_classes(), habits, everything=False)
    return as_markdown(blocks)


def _links(names: Sequence[str], folder: str = "") -> str:
    return ", ".join(f"[{name}]({folder}{name}.md)" for name in names)


def unanswered_in_words(silent: Sequence[tuple[str, str]]) -> str:
    """Return a sentence on the questions that had no answer in time, or an empty string if all had one."""
    if not silent:
        return ""
    questions = ", ".join(f"{name} to `{identifier}`" for name, identifier in silent)
    return f"\nNo answer within {PATIENT.case:,.0f} s, so these count nowhere: {questions}.\n"


def first_page(results: Results, silent: Sequence[tuple[str, str]]) -> str:
    """Return the first page: what was asked, when and where, and the links.

    `results` are those of RFC 3986, and `silent` the questions of all RFCs that had no answer in time.
    """
    header = results.header
    implementations = [participant.implementation for participant in results.participants]
    libraries = len(implementations)
    languages = len({implementation.language for implementation in implementations if implementation})
    return f"""# Results

The answers of {libraries} libraries in {languages} languages to corpus {header.corpus}, asked on
{header.started[:10]}. The tables name their versions: those of Debian 12, or current ones of PyPI, npm,
crates.io, Maven Central and the Go proxy. Only those that claim RFC 3987 were asked about it. {NOTE}

| | |
|---|---|
| {_links(SPECS)} | scores, causes, the most harmful differences, families, habits |
{_rows_of_libraries()}
| [rfc3986.jsonl.xz](rfc3986.jsonl.xz) | the answers about RFC 3986 |
{unanswered_in_words(silent)}
```sh
urlconform compare --results docs/results/rfc3986.jsonl.xz --only host
urlconform compare urllib node-url --results docs/results/rfc3986.jsonl.xz --report html=compare.html
```

`python docs/results.py` asks again; [findings.md](../findings.md) has what follows from it.
"""


def _rows_of_libraries() -> str:
    """Return the rows of the first page that have the links to pages of libraries."""
    rows = []
    for spec, names in NEAR.items():
        links = _links(names, f"{LIBRARY_PAGES.name}/")
        rows.append(f"| {links} | they nearly do what {rfc(spec)} says: every wrong answer, by class |")
    return "\n".join(rows)


def with_note(page: str) -> str:
    """Return a page with the note below its title."""
    return page.replace("\n\n", f"\n\n{NOTE}\n\n", 1)


def write() -> None:
    """Ask every library, and write all pages."""
    LIBRARY_PAGES.mkdir(parents=True, exist_ok=True)
    corpus = load()
    probes = _answers_of_libraries(probe_texts())
    silent: list[tuple[str, str]] = []
    with tempfile.TemporaryDirectory() as scratch:
        for spec in SPECS:
            path = Path(scratch) / f"{spec}.jsonl"
            silent += _ask_about(corpus, spec, path)
            results = read_results(path)
            refuse_other_versions(results)
            _write_page(FOLDER / f"{spec}.md", rfc_page(results, probes))
            if spec in NEAR:
                answers = ANSWERS if spec == "rfc3986" else path.with_suffix(".jsonl.xz")
                write_compact(path, answers)
                _write_pages_of_libraries(NEAR[spec], answers)
    texts = list(dict.fromkeys(text for text, _ in COUNTED.values()))
    totals = count_libraries(_answers_of_libraries(texts), texts)
    COUNTS.write_text(json.dumps(totals, indent=1) + "\n", "ascii")
    digests = {spec: digest_of_vectors(spec) for spec in SPECS}
    ASKED.write_text(json.dumps(digests, indent=1) + "\n", "ascii")
    (FOLDER / "README.md").write_text(first_page(read_results(ANSWERS), silent), "utf-8")


def _write_pages_of_libraries(names: Sequence[str], answers: Path) -> None:
    """Write the page of each of these libraries from a file of answers."""
    for name in names:
        page = LIBRARY_PAGES / f"{name}.md"
        run_compare(name, "--results", answers, "--all", "--report", f"markdown={page}")
        _write_page(page, page.read_text("utf-8"))


def _write_page(path: Path, page: str) -> None:
    """Write a page with the note."""
    path.write_text(with_note(page), "utf-8")


def _answers_of_libraries(texts: Sequence[str]) -> dict[str, Sequence[Answer]]:
    """Ask every library, and map its name to its answers, in the order of the texts."""
    libraries = Panel(available_adapters()).ask(TextQuestions(texts))
    return {library.name: library.answers for library in libraries}


def _ask_about(corpus: Corpus, spec: Spec, path: Path) -> Sequence[tuple[str, str]]:
    """Write the answers of the libraries to the questions of an RFC.

    Return the library and the id of each question without an answer.
    """
    run_compare(*libraries_to_name(spec), "--spec", spec, "--report", f"json={path}")
    cases_of_spec = [case for case in corpus.cases if case.spec == spec]
    _, cases = with_differences(corpus, cases_of_spec, spec)
    return decide_timeouts(path, {case.vector.id: case for case in cases})


def main() -> int:
    """Write all pages, or with `--check` compare the corpus that was asked with the one of today.

    Return the exit code: 1 if `--check` finds that another corpus was asked.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the corpus changed")
    if not parser.parse_args().check:
        write()
        return 0
    digest_of_results = read_results(ANSWERS).header.corpus
    digest = load().digest
    if digest_of_results == digest:
        return 0
    sys.stdout.write(
        f"docs/results is about corpus {digest_of_results}, not {digest}: run python docs/results.py\n"
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
