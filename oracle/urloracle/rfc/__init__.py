"""The algorithms of the RFCs, from splitting to extraction.  Imports `language`, `errors` and below."""
