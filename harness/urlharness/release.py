"""What names a corpus: the digest over its files, and the version in the head of `vectors.lock`.

The digest is that of a list in the form of sha256sum, so that any language and a shell can compute it.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

LOCK = "vectors.lock"
#: Every file that says something about URLs or about vectors; schemas say only how.
COVERED = (
    "classes.json",
    "differences/*.json",
    "flags.json",
    "paragraphs.json",
    "requirements/*.json",
    "rfc[0-9][0-9][0-9][0-9]/*.json",
    "rulings.json",
)

_HEAD = re.compile(r"^version (?P<version>\S+)\ndigest (?P<digest>[0-9a-f]{12})$", re.MULTILINE)


def covered_files(root: Path) -> list[Path]:
    """The files of the corpus at `root` over which the digest goes, in the order of their names."""
    found = (path for pattern in COVERED for path in root.glob(pattern))
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def sums(root: Path) -> str:
    """A line for each covered file: SHA-256 in hex digits, two blanks, its path below `root`."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in covered_files(root)
    )


def digest(root: Path) -> str:
    """First 12 hex digits of SHA-256 over `sums`."""
    return hashlib.sha256(sums(root).encode()).hexdigest()[:12]


def version(root: Path, found: str) -> str:
    """`1.0.0` for a corpus with the locked digest, else `1.0.0+changed`; `unlocked` without a lock."""
    try:
        with (root / LOCK).open(encoding="ascii") as stream:
            head = _HEAD.search(stream.read(400))
    except (OSError, UnicodeDecodeError):
        head = None
    if head is None:
        return "unlocked"
    return head["version"] if head["digest"] == found else f"{head['version']}+changed"
