"""`python -m urlharness.cli` runs `urlconform` without the installed script."""

from urlharness.cli import main

main()
