"""A file is written whole, or stays as it was: what people wrote into it is nobody's to lose."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a text of ASCII; raises OSError, which names the file, and then what was there is there still."""
    if path.exists() and not path.is_file():  # a device or a pipe
        path.write_text(text, encoding="ascii")
        return
    real = path.resolve()  # a link stays one
    beside = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="ascii")
        if real.exists():
            shutil.copymode(real, beside)
        beside.replace(real)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
