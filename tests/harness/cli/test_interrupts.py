"""Signals that end the command, and how often they interrupt it."""

from __future__ import annotations

import signal
import sys
from types import SimpleNamespace

import pytest

from urlharness.cli import interrupts
from urlharness.cli.interrupts import InterruptHandler, ignore_signals
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
    InterruptHandler().install()
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGINT)
    clock.seconds += 0.5
    signal.raise_signal(signal.SIGTERM)


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


def test_an_interrupt_is_an_ordinary_one_where_nobody_distinguishes_it(monkeypatch):
    monkeypatch.delitem(sys.modules, "urlharness.protocol.failures")
    InterruptHandler().install()
    with pytest.raises(KeyboardInterrupt) as raised:
        signal.raise_signal(signal.SIGINT)
    assert raised.type is KeyboardInterrupt


def test_signals_are_ignored_once_the_exit_code_is_known():
    ignore_signals()
    assert {signal.getsignal(number) for number in SIGNALS} == {signal.SIG_IGN}
