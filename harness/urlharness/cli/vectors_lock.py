"""`urlconform vectors lock` and `changelog`: what users rely on, and what changed of it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import click

from urlharness.cli.writing import refuse_installed
from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlharness.authoring.lock import Lock

#: So many new vectors are told by name.
_SHOWN = 20
_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("lock")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--check", is_flag=True, help="Write nothing; 1 where the lock would change.")
@click.option("--reason", default="", metavar="TEXT", help="Why vectors were removed, for their tombstones.")
@click.option("--release", "version", default="", metavar="VERSION", help="The version from now on.")
def lock(directory: Path | None, check: bool, reason: str, version: str) -> int:
    """Write vectors.lock from the corpus, and say what changed.

    An id that was removed needs a reason and is never used again; 6 where one is used again.
    """
    from urlharness.authoring.comparing import compare
    from urlharness.authoring.lock import read, relock, render
    from urlharness.corpus import corpus_dir, load
    from urlharness.release import LOCK

    if not check:
        refuse_installed(directory)
    root = directory or corpus_dir()
    path = root / LOCK
    old = read(path) if path.is_file() else None
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
    text = render(new)
    stale = old is None or path.read_text(encoding="ascii") != text
    if stale and not check:
        path.write_text(text, encoding="ascii")
    state = "is not what it would be" if check and stale else "written" if stale else "unchanged"
    click.echo(f"{LOCK} {state}: version {new.version}, {len(new.entries)} vectors", err=True)
    return Exit.FAILED if check and stale else Exit.PASSED


@click.command("changelog")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="[NEW]", required=False)
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
@click.option("--json", "as_json", is_flag=True, help="Print the changes as one JSON object.")
@click.option("--check", is_flag=True, help="1 where an id vanished or came back, or the version is too low.")
def changelog(old: str, new: str | None, directory: Path | None, as_json: bool, check: bool) -> int:
    """Tell what was added, changed and removed between two locks, and the version that follows.

    OLD and NEW are files, or revisions of git at which the lock of this corpus is looked up; without NEW the
    corpus as it stands is compared.
    """
    from urlharness.authoring.changelog import plain, words
    from urlharness.authoring.comparing import faults
    from urlharness.authoring.lock import entries
    from urlharness.corpus import corpus_dir, load

    root = directory or corpus_dir()
    corpus = load(root)
    before = _lock_at(old, root)
    after = _lock_at(new, root) if new else _lock_at(str(root / "vectors.lock"), root)
    if new is None:
        after = after._replace(entries=entries(corpus), digest=corpus.digest)
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
    from urlharness.authoring.lock import LockError, parse, read
    from urlharness.release import LOCK

    if Path(place).is_file():
        return read(Path(place))
    if place.startswith("-"):
        raise click.BadParameter(f"no such file or revision: {place!r}")
    command = ["git", "-C", str(root), "show", f"{place}:./{LOCK}"]
    try:
        done = subprocess.run(command, capture_output=True, check=True)  # noqa: S603 - git, and no shell
        return parse(done.stdout.decode("ascii"), f"{place}:{LOCK}")
    except FileNotFoundError:
        raise LockError(f"{place}: no such file, and there is no git to ask") from None
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().splitlines()
        raise LockError(f"{place}: no such file, and git says: {said[0] if said else 'nothing'}") from None
    except UnicodeDecodeError:
        raise LockError(f"{place}: not ASCII") from None
