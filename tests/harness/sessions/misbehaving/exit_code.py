"""Ends with exit code 3."""

import os

from honest import converse

converse(lambda _: os._exit(3))
