"""The line for a shell that asks a case again, of the corpus that it came from."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from urlharness.pasting import Place, patience
from urlharness.results import Header, Results


class Around(NamedTuple):
    """What stands around `urlconform repro ID -a ADAPTER`: `corpus` is for stored cases alone."""

    before: str
    corpus: str
    behind: str


def around(header: Header) -> Around:
    """What a line that asks a case of a run again has, whichever case it is, and whichever adapter.

    It is run where the adapters of the run live, and a stored case is looked up where the run had it from;
    the adapter is given the time that it had.
    """
    before, behind = Place(header.folder).around
    corpus = f" --vectors {shlex.quote(header.vectors)}" if header.vectors else ""
    limits = "".join(f" {word}" for word in patience(header.timeout, header.start_timeout))
    return Around(before, corpus, f"{limits}{behind}")


def repro_line(results: Results, identifier: str, implementation: str) -> str:
    """The line that puts a case of a run to an implementation again; it works where the run was made.

    Generated cases are of no file.
    """
    before, corpus, behind = around(results.header)
    line = f"urlconform repro {shlex.quote(identifier)} -a {shlex.quote(implementation)}"
    return f"{before}{line}{corpus if identifier in results.vectors else ''}{behind}"
