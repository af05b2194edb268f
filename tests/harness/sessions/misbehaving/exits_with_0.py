"""Ends early, as if all were well."""

import os

from honest import converse

converse(lambda _: os._exit(0))
