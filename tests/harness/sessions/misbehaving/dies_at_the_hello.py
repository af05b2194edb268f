"""Says on stderr what it lacks, and ends."""

import sys

from honest import converse

converse(hello=lambda: sys.exit("no licence"))
