"""The Java adapter's class files: compiled once for each source and compiler, kept in the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

_QUICK = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]


def command(java: str, source: Path) -> list[str]:
    """The command that runs a single-file program: its classes if a compiler is at hand, else its source."""
    classes = _compiled(source)
    if classes is None:
        return [java, *_QUICK, str(source)]
    return [java, *_QUICK, "-cp", str(classes), source.stem]


def _compiled(source: Path) -> Path | None:
    javac = shutil.which("javac")
    if javac is None:
        return None
    digest = hashlib.sha256(source.read_bytes() + javac.encode()).hexdigest()[:16]
    root = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "urlconform"
    target = root / f"{source.stem}-{digest}"
    if target.is_dir():
        return target
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=root) as made:
            build = Path(made) / "classes"
            subprocess.run(  # noqa: S603 - the JDK's compiler on our own source
                [javac, "-d", str(build), str(source)], check=True, capture_output=True, timeout=60
            )
            build.rename(target)
    except (OSError, subprocess.SubprocessError):
        # no cache, no compilation, or another run was quicker
        return target if target.is_dir() else None
    return target
