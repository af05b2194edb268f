"""Hangs at the hello."""

from honest import converse, hang

converse(hello=hang)
