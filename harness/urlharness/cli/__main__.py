"""`python -m urlharness.cli`: the command without its script."""

from urlharness.cli import main

main()
