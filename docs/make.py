#!/usr/bin/env python3
"""Write the generated pages of the documentation; with `--check` only compare them."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Mapping
from pathlib import Path

from generator import api, drawing, figures, installs, packages, rules, rulings

DOCS = Path(__file__).parent


def pages() -> dict[str, str]:
    """Return every generated page by its path, which is relative to this folder."""
    written = rulings.PAGE.read_text(encoding="utf-8")
    body = written.partition(rulings.HEAD)[0]
    files = [*DOCS.glob("*.md"), *DOCS.glob("results/**/*.md"), *DOCS.parent.glob("*.md")]
    files += [*installs.EXAMPLE, *installs.GO_MODULE, *installs.NPM_PACKAGE]
    return {
        "rulings.md": rulings.page(written),
        "../harness/urlharness/corpus/ruling_texts.json": rulings.texts(body),
        **rules.pages(),
        "api.md": api.page(),
        "pipeline.svg": drawing.drawing(),
        "packages.svg": packages.drawing(),
        **figures.pages(DOCS, files),
    }


def stale(generated: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the pages that differ from the files in a folder, each with its first differences."""
    differences = {}
    for name, text in generated.items():
        path = folder / name
        current = path.read_text(encoding="utf-8") if path.exists() else ""
        if current != text:
            lines = difflib.unified_diff(
                current.splitlines(), text.splitlines(), name, "generated", n=0, lineterm=""
            )
            differences[name] = "\n".join(list(lines)[:20])
    return differences


def main(arguments: list[str] | None = None) -> int:
    """Write the stale pages and print their names, or print their differences and write nothing.

    Return the exit code: 1 if `--check` finds a stale page.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a page is stale")
    only_check = parser.parse_args(arguments).check
    generated = pages()
    differences = stale(generated, DOCS)
    if only_check and differences:
        sys.stdout.writelines(f"{difference}\n" for difference in differences.values())
        sys.stdout.write("run: python docs/make.py\n")
        return 1
    for name in differences:
        sys.stdout.write(f"docs/{name}\n")
        path = DOCS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(generated[name], encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
