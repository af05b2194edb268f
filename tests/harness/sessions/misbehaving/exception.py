"""Ends by an exception that nobody catches."""

from honest import converse

converse(lambda message: [][message["id"]])
