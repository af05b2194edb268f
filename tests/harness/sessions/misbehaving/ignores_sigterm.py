"""Ignores what would end it politely, and hangs."""

import signal

from honest import converse, hang


def target(message):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang()


converse(target)
