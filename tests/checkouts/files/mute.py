"""An adapter that reads, and never answers."""

import sys

sys.stdin.read()
