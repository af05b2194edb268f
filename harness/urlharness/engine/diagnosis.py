"""Why a program did not start or what it last said on stderr."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from urlharness.exitcodes import Exit
from urlharness.limits import environment

# -------------------- lastwords: The line that tells why a program ended, among those that it wrote on stderr last.


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


# -------------------- starting: Why a program does not start, or ends before it says anything: its name, its file, what is around it.


_SHELL = frozenset(("cd", "export", "source", ".", "exec", "set", "ulimit"))


_OPERATORS = frozenset(("&&", "||", "|", ";", "&", "<", ">", ">>", "2>&1"))


_HEAD = 256  # octets of a file that the kernel looks at


_OURS = "urlconform: "


def not_started(command: Sequence[str], said: str, folder: Path | None = None) -> str:
    """Why the program of a command could not be run in a folder; `said` is what the system says of it."""
    name = command[0]
    path = _file(name, folder)
    wrong = _wrong_with(path, folder) if path is not None else ""
    if wrong:
        return f"{name}: {wrong}"
    advice = _advice(command, folder) if path is None else ""
    return f"{name}: {said}{advice}"


def missing(name: str, folder: Path | None = None) -> bool:
    """True where no program is found under a name that is run in a folder."""
    # a name without a folder is looked for on the PATH, wherever it runs
    return shutil.which(name if folder is None or "/" not in name else str(folder / name)) is None


def is_no_program(command: Sequence[str]) -> bool:
    """True for an executable file that no kernel runs, and every shell would as a script of its own."""
    path = _file(command[0])
    return path is not None and not path.is_dir() and os.access(path, os.X_OK) and _no_program(_head(path))


def ended(command: Sequence[str], status: int, folder: Path | None = None) -> str:
    """A hint for a program that ended with a status before it said anything, `; ` before it; or nothing."""
    path = _file(command[0], folder)
    if path is not None and _crlf(_head(path)):
        return f"; {_crlf(_head(path))}"
    script = next(_scripts(command, folder), None)
    if script is not None and b"\r\n" in (_head(script) or b""):
        return f"; the lines of {script} end with CRLF: dos2unix or sed 's/\\r$//' mends it"
    if status <= 0:
        return ""
    seen = ", ".join(environment())
    return f"; of the environment it sees {seen} alone, `env NAME=value COMMAND` gives it more"


def not_served(status: int | None, stderr: str) -> str:
    """What a child process of ours says of a function that cannot be served; empty where it does not.

    A module may have written to that line before, and may write others when its process ends.
    """
    if status != Exit.ADAPTER_DEAD:
        return ""
    return next((line.partition(_OURS)[2] for line in reversed(stderr.split("\n")) if _OURS in line), "")


def last_line(stderr: str) -> str:
    """The last line of what was written on stderr, empty where there is none; a carriage return is no end."""
    return stderr.strip().rpartition("\n")[2]


def _file(name: str, folder: Path | None = None) -> Path | None:
    """The file that a command names, whether it can be run or not."""
    if "/" in name:
        path = Path(folder or "", name)
        return path if os.path.lexists(path) else None
    found = shutil.which(name)
    return Path(found) if found else None


def _scripts(command: Sequence[str], folder: Path | None) -> Iterator[Path]:
    """What a shell, which stumbles over CRLF, is given to read."""
    if Path(command[0]).name.endswith("sh"):
        for word in command[1:]:
            if (path := Path(folder or "", word)).is_file():
                yield path


def _advice(command: Sequence[str], folder: Path | None) -> str:
    """What to write instead, where there is no such program."""
    name = command[0]
    if "=" in name and "/" not in name.partition("=")[0]:
        return f"; no shell reads this: write env {shlex.join(command)}"
    if name in _SHELL or _OPERATORS & set(command):
        return "; no shell reads this: bash -c '...' does"
    if name.startswith("~"):
        return "; no shell reads this: write the folder in place of ~"
    if "/" not in name and Path(folder or "", name).is_file():
        where = "this folder" if folder in (None, Path.cwd()) else str(folder)
        return f"; there is one in {where}: write {shlex.quote(f'./{name}')}"
    return ""


def _wrong_with(path: Path, folder: Path | None) -> str:
    """What is wrong with a file that could not be run; empty where that is not to be seen."""
    if path.is_dir():
        return "it is a directory"
    if not os.access(path, os.X_OK):
        return (
            f"it may not be executed: chmod +x {shlex.quote(str(path))}, or write its interpreter before it"
        )
    head = _head(path)
    if head is None:
        return ""
    if crlf := _crlf(head):
        return crlf
    if head.startswith(b"#!"):
        interpreter = Path(os.fsdecode((head[2:].split() or [b""])[0]))
        there = os.access(Path(folder or "", interpreter), os.X_OK)
        return "" if there else f"its interpreter {interpreter} is not there"
    if head.startswith(b"\x7fELF"):
        return "it was built for another machine or system, or is damaged"
    if not head:
        return "the file is empty"
    if b"\0" in head:
        return "it is no program"
    return "it has no #! line, which would name its interpreter"


def _head(path: Path) -> bytes | None:
    """The beginning of a file; None where it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(_HEAD)
    except OSError:
        return None


def _no_program(head: bytes | None) -> bool:
    return head is not None and not head.startswith((b"#!", b"\x7fELF"))


def _crlf(head: bytes | None) -> str:
    """What a `#!` line that ends with CRLF asks for, in words; empty where it does not."""
    line, newline, _ = (head or b"").partition(b"\n")
    if not (newline and line.startswith(b"#!") and line.endswith(b"\r")):
        return ""
    asked = line[2:].decode("utf-8", "replace").split(" ")[-1]
    return f"its #! line ends with CRLF, so that {asked!r} is asked for: dos2unix or sed 's/\\r$//' mends it"
