"""Signals that end the command: they interrupt it once, so that it ends its adapters and closes its files.

Help needs this module, so it imports nothing that is slow to load.
"""

from __future__ import annotations

import os
import signal
import stat
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

#: Seconds after a signal in which further ones do not interrupt again.
_BURST = 1.0

#: Seconds after which an interrupt that Python has dropped is repeated.
_REPEAT_DELAY = 0.01

#: The signal of a terminal that is gone. Windows has none.
_HANGUP = getattr(signal, "SIGHUP", None)


#: Whether signals can be held back. On Windows they cannot.
_CAN_HOLD = hasattr(signal, "pthread_sigmask")

#: The signals that end the command.
ENDING = frozenset(filter(None, (signal.SIGINT, signal.SIGTERM, _HANGUP)))


class HeldSignals:
    """Holds signals back while modules are imported, since no handler can end the command in one line yet.

    As a context manager it holds them during the body. If one has come, all stay back until `release`.
    """

    def __init__(self) -> None:
        self._mask_before: set[int] | None = None

    def __enter__(self) -> None:
        """Hold the signals of `ENDING` back, and remember which ones were held before."""
        if _CAN_HOLD:
            self._mask_before = set(signal.pthread_sigmask(signal.SIG_BLOCK, ENDING))

    def __exit__(self, *_: object) -> None:
        """Release the signals, unless one has come, which would end the command without a handler."""
        if not _CAN_HOLD:
            return
        has_come = not ENDING.isdisjoint(signal.sigpending())
        if not has_come:
            self.release()

    def release(self) -> None:
        """Restore the mask of signals from before, if signals were held back. A pending one comes at once."""
        if self._mask_before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, self._mask_before)
            self._mask_before = None


class InterruptHandler:
    """Turns signals into KeyboardInterrupt.

    A caller that wants to end the command may send several signals within a moment, such as SIGINT to the
    group and then SIGTERM. Only the first interrupts, because the others would interrupt the clean-up.
    """

    def __init__(self) -> None:
        self._deaf_until = 0.0

    def install(self) -> None:
        """Handle SIGTERM. Handle SIGINT and SIGHUP, too, unless the caller lets this process ignore them.

        An interrupt that Python drops in a destructor or callback is repeated.
        """
        signal.signal(signal.SIGTERM, self._interrupt)
        self.install_for_ctrl_c()
        if _HANGUP and signal.getsignal(_HANGUP) is not signal.SIG_IGN:  # `nohup` ignores it
            signal.signal(_HANGUP, self._interrupt)
        sys.unraisablehook = self._repeat_lost_interrupt

    def install_for_ctrl_c(self) -> None:
        """Handle SIGINT, unless this process handles it in another way or ignores it."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._interrupt)

    def _interrupt(self, number: int, _frame: FrameType | None) -> None:
        """Raise the exception of an interrupt, unless another signal has done so a moment ago."""
        if number == _HANGUP:
            _discard_output_to_lost_terminal()
        if time.monotonic() < self._deaf_until:
            return
        self._deaf_until = time.monotonic() + _BURST
        raise _interrupt_type()

    def _repeat_lost_interrupt(self, unraisable: UnraisableHookArgs) -> None:
        """Interrupt again if Python drops the exception, as it does in a destructor or callback.

        This is `sys.unraisablehook`, so it gets other dropped exceptions, too, which Python prints.
        """
        if not issubclass(unraisable.exc_type, KeyboardInterrupt):
            sys.__unraisablehook__(unraisable)
            return
        from threading import Timer

        self._deaf_until = 0.0
        # a little later, because an exception in this hook is dropped as well; SIGTERM is never ignored
        repetition = Timer(_REPEAT_DELAY, signal.raise_signal, [signal.SIGTERM])
        repetition.daemon = True
        repetition.start()


def _discard_output_to_lost_terminal() -> None:
    """Let stdout and stderr lead nowhere if they led to a terminal: writing to it would fail from now on."""
    for descriptor in (1, 2):
        with suppress(OSError):
            # a terminal that is gone is a device, but no terminal any more
            is_device = stat.S_ISCHR(os.fstat(descriptor).st_mode)
            if is_device and not os.isatty(descriptor):
                os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def _interrupt_type() -> type[KeyboardInterrupt]:
    """Return Interrupted, by which `serve` distinguishes a signal from an exception of a library.

    Its module is not imported here, because help does not need it. Where nobody has imported it, nobody
    distinguishes the two.
    """
    failures = sys.modules.get("urlharness.protocol.failures")
    return getattr(failures, "Interrupted", KeyboardInterrupt)


def ignore_signals() -> None:
    """Ignore signals from now on: the exit code is known, and Python is about to end."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
