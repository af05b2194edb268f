"""Build bash command lines that users can paste into a terminal.

They are commands of `urlconform`, and commands that write the input of an adapter.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

#: Longer command lines are not shown, because they are unreadable and break terminals when pasted.
_MAX_COMMAND_LENGTH = 2000

_PRINTABLE = re.compile(r"[\x20-\x7e]*")


def quote(text: str) -> str:
    """Return a text as one word of bash.

    If the text contains control characters or non-ASCII characters, the word is `$'…'` with these as bytes.
    """
    if _PRINTABLE.fullmatch(text):
        return shlex.quote(text)
    encoded = text.encode("utf-8", "surrogateescape")
    return f"$'{''.join(map(_escaped_byte, encoded))}'"


def _escaped_byte(byte: int) -> str:
    """Return a byte as a character inside `$'…'`, escaped unless it is printable."""
    is_printable = 32 <= byte < 127
    if is_printable and byte not in b"'\\":
        return chr(byte)
    return f"\\x{byte:02x}"


def join(words: Sequence[str]) -> str:
    """Return words as a command line."""
    return " ".join(map(quote, words))


def option_words(**values: object) -> list[str]:
    """Return command-line options: `fail_on=("must",)` is `--fail-on must`, and `strict=True` is `--strict`.

    A name of one letter gives an option such as `-k`. The option of a list or tuple is repeated for each
    item. None, False and empty values are left out.
    """
    words = []
    for name, setting in values.items():
        option = f"-{name}" if len(name) == 1 else f"--{name.replace('_', '-')}"
        arguments = setting if isinstance(setting, list | tuple) else [setting]
        for argument in arguments:
            if argument is True:
                words.append(option)
            elif isinstance(argument, float):
                words += [option, f"{argument:.15g}"]
            elif argument not in (None, False, ""):
                words += [option, str(argument)]
    return words


def repro_command(
    identifier: str,
    adapter: str,
    *,
    vectors: str = "",
    timeout: float | None = None,
    start_timeout: float | None = None,
    spec: str = "",
    whole: bool = False,
) -> str:
    """Return the command that asks an adapter one case again.

    A named difference has a case for each RFC, so it needs `spec`. With `whole`, no text is abbreviated.
    """
    options = option_words(
        vectors=vectors, timeout=timeout, start_timeout=start_timeout, spec=spec, whole=whole
    )
    return join(["urlconform", "repro", identifier, "-a", adapter, *options])


def ask_command(adapters: Sequence[str], url: str = "", *, base: str = "", reference: str = "") -> str:
    """Return the command that asks adapters to parse `url`, or to resolve `reference` against `base`."""
    options = option_words(a=list(adapters), base=base)
    return join(["urlconform", "ask", *options, "--", url or reference])


def baseline_create_command(adapter: str, options: Sequence[str], output: str) -> str:
    """Return the command that writes the first baseline of an adapter."""
    return join(["urlconform", "baseline", "create", adapter, *options, "-o", output])


def baseline_update_command(
    baseline: str, adapter: str, options: Sequence[str], *, only_shrink: bool = False
) -> str:
    """Return the command that updates a baseline. With `only_shrink`, the command accepts no new failure."""
    words = ["urlconform", "baseline", "update", baseline, adapter, *options]
    if only_shrink:
        words.append("--only-shrink")
    return join(words)


def wire_input_command(written: bytes, command: Sequence[str], folder: Path | None = None) -> str:
    """Return `printf … | COMMAND`, a command line that writes the bytes to a program.

    If there are no bytes, return `COMMAND </dev/null`. If the program starts in a folder, it is
    `(cd FOLDER && COMMAND)`. If bash cannot print the bytes, or if the line would be too long, return an
    empty string.
    """
    if b"\0" in written:
        return ""
    *lines, rest = written.decode("utf-8", "surrogateescape").split("\n")
    commands = []
    if lines:
        commands.append(join(["printf", "%s\\n", *lines]))
    if rest:
        commands.append(join(["printf", "%s", rest]))
    program = join(command)
    if folder is not None:
        program = f"(cd {quote(str(folder))} && {program})"
    match commands:
        case []:
            line = f"{program} </dev/null"
        case [print_all]:
            line = f"{print_all} | {program}"
        case _:
            line = f"{{ {'; '.join(commands)}; }} | {program}"
    return line if len(line) <= _MAX_COMMAND_LENGTH else ""
