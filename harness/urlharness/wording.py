"""Parts of sentences: nouns with their number, lists, suggestions, names of RFCs, sections and errors."""

from __future__ import annotations

import signal
from collections.abc import Collection, Iterable, Sequence
from difflib import get_close_matches

#: Labels of the parts of an RFC that have no section number. Reports show their headings instead.
_UNNUMBERED = frozenset(("front", "appendix", "references", "addresses", "index"))


def counted(number: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun, such as "1 case" or "1,065 cases".

    The default plural is the singular with an s.
    """
    if number == 1:
        return f"1 {singular}"
    noun = plural or f"{singular}s"
    return f"{number:,} {noun}"


def enumerated(words: Iterable[str]) -> str:
    """Join words as in a sentence: "host", "host and path", "host, path and query". There must be one."""
    *first_words, last_word = words
    return f"{', '.join(first_words)} and {last_word}" if first_words else last_word


def first_names(names: Sequence[str], limit: int, separator: str = ", ") -> str:
    """Join the first `limit` names. If there are more, append "and N more"."""
    parts = list(names[:limit])
    if len(names) > limit:
        parts.append(f"and {len(names) - limit} more")
    return separator.join(parts)


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """Return a question that suggests the candidates similar to a wrong name, or an empty string."""
    similar = get_close_matches(name, [*candidates], cutoff=0.7)
    return f"Did you mean {' or '.join(map(repr, similar))}?" if similar else ""


def rfc(spec: str) -> str:
    """Return the name of a specification, such as RFC 3986."""
    return f"RFC {spec.removeprefix('rfc')}"


def rfcs(specs: Collection[str]) -> str:
    """Return the names of specifications in one phrase, sorted, such as "RFC 1808, 2396 and 2732"."""
    numbers = sorted(int(spec.removeprefix("rfc")) for spec in specs)
    return f"RFC {enumerated(map(str, numbers))}"


def section_label(label: str, title: str) -> tuple[str, str]:
    """Return (number, title) of a section, or (heading, "") for a part of the RFC without a number."""
    if label in _UNNUMBERED:
        return title or label.capitalize(), ""
    return label, title


def section_place(label: str, title: str) -> str:
    """Return "section 3.2" or the like for a sentence, or the heading of a part without a number."""
    if label in _UNNUMBERED:
        return title or label.capitalize()
    return f"section {label}"


def os_reason(error: OSError) -> str:
    """Return the reason for an error of the operating system, such as "no such file or directory"."""
    reason = error.strerror or str(error)
    return f"{reason[:1].lower()}{reason[1:]}"


def parse_reason(error: Exception) -> str:
    """Return why a parser cannot read a text: its own words, but "nested too deeply" for a RecursionError."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def signal_name(number: int) -> str:
    """Return the name of a signal, such as SIGSEGV, or `signal N` if the signal has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
