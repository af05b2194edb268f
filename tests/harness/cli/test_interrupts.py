"""Signals that end the command, and how often they interrupt it."""

from __future__ import annotations

import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest

from urlharness.cli import interrupts
from urlharness.cli.interrupts import HeldSignals, InterruptHandler, ignore_signals
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import Interrupted

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _restored_handlers(monkeypatch):
    """Give SIGINT the handler of a new process, and restore all handlers afterwards."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = {number: signal.getsignal(number) for number in SIGNALS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def clock(monkeypatch):
    """The clock of the handler, which stands still."""
    clock = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(interrupts, "time", SimpleNamespace(monotonic=lambda: clock.seconds))
    return clock


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_interrupts_the_command(number):
    InterruptHandler().install()
    with pytest.raises(Interrupted):
        signal.raise_signal(number)


def test_further_signals_of_the_same_moment_do_not_interrupt_the_clean_up(clock):
    """A moment lasts a second."""
    InterruptHandler().install()
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)
    clock.seconds += 0.5
    signal.raise_signal(signal.SIGTERM)  # raises nothing


def test_a_later_signal_interrupts_again(clock):
    InterruptHandler().install()
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)
    clock.seconds += 1.5
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_a_signal_that_the_caller_ignores_stays_ignored(number):
    signal.signal(number, signal.SIG_IGN)
    InterruptHandler().install()
    assert signal.getsignal(number) is signal.SIG_IGN


def test_ctrl_c_alone_is_handled_where_another_program_handles_the_rest():
    before = signal.getsignal(signal.SIGTERM)
    InterruptHandler().install_for_ctrl_c()
    assert signal.getsignal(signal.SIGTERM) is before
    assert signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)


def test_an_interrupt_is_an_ordinary_one_where_nobody_distinguishes_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "urlharness.protocol.failures")
    InterruptHandler().install()
    with pytest.raises(KeyboardInterrupt) as raised:
        signal.raise_signal(signal.SIGINT)
    assert raised.type is KeyboardInterrupt


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_during_an_import_comes_when_it_is_released(number):
    InterruptHandler().install()
    held = HeldSignals()
    with held:
        signal.raise_signal(number)
    with pytest.raises(Interrupted):
        held.release()


def test_signals_come_as_before_if_none_came_during_an_import():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    with HeldSignals():
        pass
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


def test_signals_that_the_caller_blocks_stay_blocked():
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    held = HeldSignals()
    with held:
        pass
    held.release()
    blocked = signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert signal.SIGHUP in blocked


#: Runs a command that gets three signals while its first module is imported.
INTERRUPTED_IMPORT = """
import os, signal, sys

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
                os.kill(os.getpid(), number)

sys.meta_path.insert(0, Interrupts())
from urlharness.cli import main
sys.argv = ["urlconform", "validate", "http://a/"]
main()
"""


def test_signals_during_the_first_import_end_the_command_in_one_line():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, text=True, check=False
    )
    assert done.stderr == "urlconform: interrupted\n"
    assert done.returncode == Exit.INTERRUPTED


def test_signals_are_ignored_once_the_exit_code_is_known():
    ignore_signals()
    assert {signal.getsignal(number) for number in SIGNALS} == {signal.SIG_IGN}
