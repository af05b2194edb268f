"""The harness: loads vectors, asks implementations, compares their answers, and reports."""

from importlib.metadata import version

__version__ = version("urlconform")
