"""The rulings in one line each: what was decided where an RFC leaves it open."""

from __future__ import annotations

from functools import cache

import msgspec

from urlharness.corpus import CorpusError, corpus_dir


@cache
def readings() -> dict[str, str]:
    """The reading of each ruling by its id, such as R-1738-03; raises CorpusError."""
    path = corpus_dir() / "rulings.json"
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, str])
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise CorpusError(f"{path}: {error}") from None
