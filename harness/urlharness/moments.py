"""When a run started: an ISO 8601 date-time with its offset, in results files and as readers see it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated

import msgspec

# 30 and 31 February, the 31st of a month of 30 days, and 29 February of a year that is no leap year
_NO_SUCH_DAY = (
    "(?!.{5}(?:02-3|(?:0[469]|11)-31))"
    "(?!(?:..(?:[02468][1235679]|[13579][01345789])|(?:[02468][1235679]|[13579][01345789])00)-02-29)"
)
_DATE = "[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
#: A moment to the second; its end keeps Python from passing over a line end, and says no more in JSON Schema.
PATTERN = f"^{_NO_SUCH_DAY}{_DATE}T{_MINUTE}:[0-5][0-9][+-]{_MINUTE}$(?!\\n)"

#: The text of a moment, such as 2026-11-22T15:35:46+00:00.
Moment = Annotated[str, msgspec.Meta(pattern=PATTERN)]


_REGEX = f"`str` matching regex {PATTERN!r}"
_IN_WORDS = "a moment with its offset from UTC, as 2026-11-22T15:35:46+00:00"


def in_words(error: str) -> str:
    """What a decoder says, with words for the pattern where it speaks of that."""
    return error.replace(_REGEX, _IN_WORDS)


def now() -> str:
    """The present moment, to the second and in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def in_utc(moment: str) -> str:
    """A moment in UTC, without its offset: 2026-11-22T15:35:46; a text that is none as it is."""
    try:
        found = dt.datetime.fromisoformat(moment).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return moment
    return found.replace(tzinfo=None).isoformat(timespec="seconds")
