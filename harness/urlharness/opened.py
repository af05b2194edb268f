"""An adapter that is kept open: it says hello once, and cases are put to it as they come."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from urlharness import __version__
from urlharness.adapters.own_function import fault_of, hello_of
from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase, UnknownAdapter, find
from urlharness.askers import open_adapter
from urlharness.corpus import Case
from urlharness.protocol import well_formed
from urlharness.results import Participant, Result
from urlharness.runner import introduce, results_of
from urlharness.serve import exited
from urlharness.session import Limits

#: An adapter as callers give it: a name as on the command line, a function from question to reply, a value.
Given = str | Callable[[dict[str, Any]], Mapping[str, Any]] | Adapter


def adapter_of(given: Given, folder: Path | None = None) -> Adapter:
    """The adapter that is meant, one that is a name in its folder: see `find`; raises UnknownAdapter."""
    if isinstance(given, str):
        return find(given, folder)
    if isinstance(given, InProcess | Program | ProgramPerCase):
        return given
    return in_process(given)


def in_process(function: Any) -> InProcess:
    """The adapter of a function, which may carry its hello in an attribute; raises UnknownAdapter."""
    try:
        return _in_process(function)
    except SystemExit as end:  # of code of that attribute, which would end whoever asks, and say nothing
        raise UnknownAdapter(f"the hello of a {type(function).__name__}: {exited(end)}") from end


def _in_process(function: Any) -> InProcess:
    if fault := fault_of(function):
        raise UnknownAdapter(f"{well_formed(repr(function))} {fault}")
    module, name = (getattr(function, f"__{part}__", "") for part in ("module", "qualname"))
    shown = f"{module}:{name or type(function).__qualname__}"
    hello = hello_of(function, shown)
    about = hello["implementation"]
    called = str(about.get("name", shown)) if isinstance(about, Mapping) else shown
    return InProcess(well_formed(called), lambda: (hello, function))


class Opened:
    """An adapter that has said hello; raises NotInstalled and AdapterDead where it does not."""

    def __init__(self, adapter: Adapter, limits: Limits, blind: Collection[str] = ()) -> None:
        """`blind` names features that no verdict counts on, such as `absent-vs-empty`."""
        self._blind = blind
        self._asker = open_adapter(adapter, limits, f"urlconform/{__version__}")
        self.participant: Participant = introduce(adapter.name, self._asker.hello)

    def ask(self, cases: Sequence[Case]) -> Iterator[tuple[Case, Result]]:
        """Each case with its result, as they are settled; several are in flight where it allows that."""
        for index, result in results_of(self.participant.name, self._asker, cases, self._blind):
            yield cases[index], result

    def ask_one(self, case: Case) -> Result:
        """The result of one case."""
        ((_, result),) = self.ask([case])
        return result

    def close(self) -> None:
        """Say goodbye and end it."""
        self._asker.close()
