"""A program that lets each allocation of calls of the C engine fail once, one after the other.

usage: python exhausted_memory.py MODULE

MODULE is the file of the compiled engine. The exit code is 77 if this Python cannot let allocations fail.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from entering import enter_engine, loaded, operations_anew

from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import packed_tables

#: Texts that the engine reads, and some that it leaves to Python.
TEXTS = ("http://h:1/p?q", "mailto:a", "ftp://u:p@h/a", "h\u00e9", "a" * 3000)
#: Bases, and references that are resolved against them.
REFERENCES = {"http://h/a/b": ("../c", "../../..", "a" * 3000), "http://h": ("c", "../c", "?q", "a" * 3000)}


def calls() -> Iterator[tuple[Callable[[], Any], bool]]:
    """Yield calls, each with whether it must allocate memory: a view or a target is a new object."""
    functions = operations_anew()
    for rfc in SPECIFICATIONS.values():
        reader = rfc.reader
        for text in TEXTS:
            yield partial(reader.accepts, text), False
            yield partial(reader.read, text), False
            yield partial(reader.view, text), reader.accepts(text)
        url = TEXTS[0]
        yield partial(functions.validate, url, rfc.id), False
        yield partial(functions.parse, url, rfc.id), False
        yield partial(functions.parse, url, spec=rfc.id), False
        yield partial(functions.view, url, rfc.id), True
        if rfc.defines("resolve"):
            for base, references in REFERENCES.items():
                for reference in references:
                    yield partial(reader.resolve, base, reference), True
            for reference in ("c", "../c"):
                yield partial(functions.resolve, "http://h", reference, rfc.id), True


def count_failures(
    call: Callable[[], Any], set_nomemory: Callable[..., None], restore: Callable[[], None]
) -> int:
    """Let the first allocation of a call fail, then the second, and so on, until the call succeeds.

    Return how often it failed. A call that succeeds has fewer allocations, so each of them has failed once.
    """
    expected = call()
    failures = 0
    while True:
        set_nomemory(failures, failures + 1)
        try:
            answer = call()
        except MemoryError:
            failures += 1
            continue
        finally:
            restore()
        for later_answer in (answer, call()):
            assert type(later_answer) is type(expected)
            assert later_answer == expected
        return failures


def main(file: str) -> int:
    """Let the calls fail, and return the exit code."""
    try:
        import _testcapi
    except ImportError:
        return 77
    enter_engine(loaded(file), packed_tables())
    for call, allocates in calls():
        failures = count_failures(call, _testcapi.set_nomemory, _testcapi.remove_mem_hooks)
        assert failures > 0 or not allocates, call
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
