"""The algorithms of the RFCs, from splitting to extraction.

The package may import `language`, `errors` and the modules that these import.
"""
