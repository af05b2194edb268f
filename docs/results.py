#!/usr/bin/env python3
"""Ask every library found here, and write docs/results; with `--check`, fail if another corpus was asked.

The answers to RFC 3986 are kept, without the messages of the libraries, for `urlconform compare --results`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from urlharness.corpus.loader import load
from urlharness.results.model import Results, read_results

FOLDER = Path(__file__).parent / "results"
KEPT = FOLDER / "rfc3986.jsonl.xz"
SPECS = ("rfc3986", "rfc2396", "rfc1808")
#: Filled by docs/make.py when the corpus has changed since.
NOTE = "<!--=results.note--><!--/-->"
#: Libraries that nearly do what RFC 3986 says: each of their wrong answers is shown.
NEAR = ("uriparser", "fluent-uri", "network-uri", "rfc3987")


def compact(source: Path, target: Path) -> None:
    """Write a results file without messages, compressed, with the digest of the new lines in its footer.

    Equal answers to a case stand together, which halves the compressed file.
    """
    lines: list[tuple[tuple[str, ...], bytes]] = []
    for line in source.read_bytes().splitlines():
        fields = json.loads(line)
        if isinstance(fields.get("got"), dict):
            fields["got"].pop("message", None)
        if fields["type"] == "case" and fields["outcome"] in ("pass", "fail", "partial", "unsupported"):
            fields.pop("detail", None)
        fields.pop("stderr", None)
        if fields["type"] == "header":
            fields["argv"] = []
        place = ()
        if fields["type"] == "case":
            answer = json.dumps(fields.get("got"))
            place = (fields["id"], fields["outcome"], answer, fields["implementation"])
        elif fields["type"] == "footer":
            place = ("\x7f",)
        lines.append((place, _line(fields)))
    lines.sort(key=lambda one: one[0])
    *lines, (_, footer) = lines
    text = b"".join(line for _, line in lines)
    last = {**json.loads(footer), "digest": hashlib.sha256(text).hexdigest()[:12]}
    target.write_bytes(lzma.compress(text + _line(last), preset=9 | lzma.PRESET_EXTREME))


def _line(fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def compare(*arguments: str | Path) -> None:
    """Run `urlconform compare`."""
    words = ["urlconform", "compare", *map(str, arguments)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command


def _links(names: Sequence[str]) -> str:
    return ", ".join(f"[{name}]({name}.md)" for name in names)


def index(results: Results) -> str:
    """Return the first page: what was asked, when and where, and the links."""
    header, libraries = results.header, len(results.participants)
    languages = {one.implementation.language for one in results.participants if one.implementation}
    return f"""# Results

The answers of {libraries} libraries in {len(languages)} languages to corpus {header.corpus}, asked on
{header.started[:10]}. The tables name their versions: those of Debian 12, or current ones of PyPI, npm,
crates.io, Maven Central and the Go proxy. {NOTE}

| | |
|---|---|
| {_links(SPECS)} | scores, causes, the most harmful differences, families, habits |
| {_links(NEAR)} | they nearly do what RFC 3986 says: every wrong answer, by class |
| [rfc3986.jsonl.xz](rfc3986.jsonl.xz) | the answers |

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
    with tempfile.TemporaryDirectory() as scratch:
        for spec in SPECS:
            answers = Path(scratch) / f"{spec}.jsonl"
            compare("--spec", spec, "--report", f"json={answers}", "--report", f"markdown={FOLDER / spec}.md")
            if spec == "rfc3986":
                compact(answers, KEPT)
    (FOLDER / "README.md").write_text(index(read_results(KEPT)), "utf-8")
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
    asked, now = read_results(KEPT).header.corpus, load().digest
    if asked != now:
        sys.stdout.write(f"docs/results is about corpus {asked}, not {now}: run python docs/results.py\n")
    return int(asked != now)


if __name__ == "__main__":
    sys.exit(main())
