"""An interrupt that comes from outside, as against one that a library raises by itself."""

from __future__ import annotations

import signal
from types import FrameType


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command, such as that of Ctrl-C."""


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """End the command: the handler of a signal."""
    raise Interrupted


def tell_interrupts() -> None:
    """From now on Ctrl-C raises Interrupted, unless it is taken or ignored; for the main thread."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
