"""The line that tells why a program ended, among those that it wrote on stderr last.

Of ten languages most end with something else: places of the stack, the version of the interpreter, a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: So many octets of stderr go with an abnormal outcome.
KEPT = 4096
_CUT = "\n…\n"  # between that line and the end
_LONGEST = 500  # characters of the line that tells, where it stands above them

#: Lines behind which, up to an empty one, only places of the stack come: Go, Rust, PHP, Node.
_STACK = re.compile(r"goroutine \d+ .*\[|stack backtrace:|Stack trace:|Require stack:|\[signal SIG")
#: Lines that name no cause.
_NO_CAUSE = (
    r"\s+at .*",  # Java and Node
    r"\s+\.\.\. \d+ (?:more|common frames omitted|lines matching .*)",
    r"Node\.js v\d.*",
    r"\s+(?:code|requireStack|errno|syscall|path|url): .*|\s*[{}\[\]],?",  # of an error of Node
    r"(?:\s*\d+:|\s) ?from \S+:\d+.*",  # Ruby
    r"#\d+ .*|\s+thrown in .* on line \d+",  # PHP
    r"(?:BEGIN|END|INIT|CHECK|UNITCHECK) failed--.*|Compilation failed in require at .*",  # Perl
    r"note: .*",  # Rust
    r"exit status \d+|\s+\S+\.go:\d+.*|created by .*",  # Go
    r"\s*[\^~]+\s*",  # the mark below a line of source
    r"Aborted.*|.*\(core dumped\)",  # a shell
)
_NONE = re.compile("|".join(f"(?:{line})" for line in _NO_CAUSE))


#: What languages write of an exception that nobody caught, before its stack or as a place of it.
_UNCAUGHT = re.compile(
    r"Traceback \(most recent call last\):|[ \t]+from \S+:\d+:in |goroutine \d+ .*\["
    r"|thread '.*panicked at |PHP Fatal error:  Uncaught "
)
#: A place of Java and Node, which ends with its line, and perhaps the column.
_PLACE = re.compile(r"[ \t]+at \S")
_PLACED = re.compile(r":\d+\)?\s*$")


def has_stack(stderr: str) -> bool:
    """True where stderr has what looks like an uncaught exception."""
    # line by line: over all of a text that is made for it, a search takes the square of its length
    return any(
        _UNCAUGHT.match(line) or (_PLACE.match(line) and _PLACED.search(line)) for line in stderr.split("\n")
    )


def kept(stderr: str) -> str:
    """What a result keeps of stderr: its end, and above it the line that tells, where that is further up."""
    octets = stderr.encode()
    if len(octets) <= KEPT:
        return stderr
    end = octets[-KEPT:].decode("utf-8", "ignore")
    told = telling_line(stderr)
    if told in end:
        return end
    above = f"{told[:_LONGEST]}{_CUT}"
    return above + octets[len(above.encode()) - KEPT :].decode("utf-8", "ignore")


def telling_line(stderr: str) -> str:
    """The line of an error on stderr, else the last line; empty where there is none.

    Of what is `kept` it is the same line, as far as that has it.
    """
    above, cut, _ = stderr.partition(_CUT)
    if cut and "\n" not in above:  # what follows may begin within a place of a stack
        return above.strip()
    lines = stderr.rstrip().split("\n")
    *_, told = [lines[-1], *_causes(lines)]
    return told.strip()


def _causes(lines: list[str]) -> Iterator[str]:
    """Lines that may name a cause: what is no place of a stack and no note."""
    stack = False
    for line in lines:
        if _STACK.match(line):
            stack = True
        elif not line.strip():
            stack = False
        elif not stack and not _NONE.fullmatch(line):
            yield line
