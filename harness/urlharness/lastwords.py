"""The line that tells why a program ended, among those that it wrote on stderr last.

Of ten languages most end with something else: places of the stack, the version of the interpreter, a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

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


#: What languages write of an exception that nobody caught, as a place of its stack or before it.
_UNCAUGHT = re.compile(
    r"^(?:Traceback \(most recent call last\):|\s+at \S.*[(:]\S+:\d+.*|\s+from \S+:\d+:in .*"
    r"|goroutine \d+ .*\[|thread '.*panicked at |PHP Fatal error:  Uncaught )",
    re.MULTILINE,
)


def has_stack(stderr: str) -> bool:
    """True where stderr has what looks like an uncaught exception."""
    return _UNCAUGHT.search(stderr) is not None


def telling_line(stderr: str) -> str:
    """The line of an error on stderr, else the last line; empty where there is none."""
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
