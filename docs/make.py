#!/usr/bin/env python3
"""Makes the generated pages of the documentation: `python docs/make.py`, or `--check` to compare only."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Mapping
from pathlib import Path

from generator import api, drawing, figures, packages, rules, rulings

DOCS = Path(__file__).parent


def pages() -> dict[str, str]:
    """Every generated page by its path below this folder."""
    written = rulings.PAGE.read_text(encoding="utf-8")
    return {
        "rulings.md": rulings.page(written),
        **rules.pages(),
        "api.md": api.page(),
        "pipeline.svg": drawing.drawing(),
        "packages.svg": packages.drawing(),
        **figures.pages(DOCS, [*DOCS.glob("*.md"), *DOCS.parent.glob("*.md")]),
    }


def stale(made: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The pages that differ from what lies in the folder, each with its difference in a few lines."""
    found = {}
    for name, text in made.items():
        path = folder / name
        there = path.read_text(encoding="utf-8") if path.exists() else ""
        if there != text:
            lines = difflib.unified_diff(
                there.splitlines(), text.splitlines(), name, "made", n=0, lineterm=""
            )
            found[name] = "\n".join(list(lines)[:20])
    return found


def main(arguments: list[str] | None = None) -> int:
    """Exit code 1 where `--check` finds a page that is not as it would be made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a page is stale")
    check = parser.parse_args(arguments).check
    made = pages()
    different = stale(made, DOCS)
    for name, difference in different.items():
        sys.stdout.write(f"{difference}\n" if check else f"docs/{name}\n")
        if not check:
            (DOCS / name).parent.mkdir(exist_ok=True)
            (DOCS / name).write_text(made[name], encoding="utf-8", newline="\n")
    if check and different:
        sys.stdout.write("run: python docs/make.py\n")
    return int(check and bool(different))


if __name__ == "__main__":
    sys.exit(main())
