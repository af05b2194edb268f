"""The commands that answer questions about URLs.

They may import the oracle, `explain` and the packages below it.
"""
