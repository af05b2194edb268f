"""Sends each question back."""

from honest import converse, send

converse(send, send)
