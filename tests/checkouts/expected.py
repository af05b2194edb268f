"""The differences between commit b0feebb4 and today that are no regressions, each with its reason."""

from __future__ import annotations

from checkouts.differences import Expected, Rewording

REWORDINGS = (
    Rewording(r"a byte that is no UTF-8 is shown as \xff", r"U\+DCFF", r"the byte \\xff"),
    Rewording(r"a byte that is no UTF-8 is shown as \xff", r"\\u\{dcff\}", r"\\xff"),
)

EXPECTED = (
    Expected(
        "an InvalidURL has the arguments text, RFC and rule; all else are properties", place="*.args[[]*"
    ),
)
