"""`urlconform vectors`: the tools of those who write vectors."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import click

from urlharness.cli.adequacy import adequacy
from urlharness.cli.vectors_add import add
from urlharness.cli.vectors_adopt import adopt
from urlharness.cli.vectors_export import export
from urlharness.cli.vectors_lock import changelog, lock
from urlharness.cli.vectors_stats import stats
from urlharness.cli.writing import refuse_installed
from urlharness.exitcodes import Exit

_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


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
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--rfc-dir", type=_DIRECTORY, envvar="URLCONFORM_RFC_DIR",
              help="Folder with rfc1738.txt and so on, to recompute the paragraph digests.")  # fmt: skip
def lint_(directory: Path | None, rfc_dir: Path | None) -> int:
    """Check the corpus against its schemas, grammars, RFCs and lock; 6 where anything is wrong."""
    from urlharness import rfctext
    from urlharness.authoring.checks import lint_authoring
    from urlharness.corpus import SPECS, corpus_dir
    from urlharness.lint import lint
    from urlharness.lint_differences import lint_differences

    texts = rfctext.read(rfc_dir, SPECS) if rfc_dir else {}
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
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--check", is_flag=True, help="Change nothing; 1 where a file would change.")
def fmt(directory: Path | None, check: bool) -> int:
    """Rewrite corpus files in canonical form."""
    if not check:
        refuse_installed(directory)
    from urlharness.corpus import corpus_dir, vector_files
    from urlharness.differences import difference_files
    from urlharness.documents import canonical

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
