"""JSON in ASCII alone, which every JSON reader reads, and no terminal or log takes for more than data."""

from __future__ import annotations

import codecs

_NAME = "urlharness.asciijson"


def ascii_json(octets: bytes) -> bytes:
    """JSON texts with every character escaped that is not ASCII or has no shape.

    JSON writes control characters below U+0020 as escapes already; those left are U+007F to U+009F, line ends
    of Unicode, and what turns the direction of writing.  Octets that hold none of them are returned as they
    are.
    """
    if not octets.isascii():
        octets = octets.decode("utf-8").encode("ascii", _NAME)
    return octets.replace(b"\x7f", b"\\u007f") if b"\x7f" in octets else octets


def no_command(octets: bytes) -> bytes:
    """JSON texts without `##`, which begins a command to a build server wherever it stands in a log."""
    return octets.replace(b"##", b"#\\u0023") if b"#" in octets else octets


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """The characters that cannot be encoded as escapes of JSON, in UTF-16 as JSON has it."""
    assert isinstance(error, UnicodeEncodeError)
    digits = error.object[error.start : error.end].encode("utf-16-be").hex()
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4)), error.end


codecs.register_error(_NAME, _escaped)
