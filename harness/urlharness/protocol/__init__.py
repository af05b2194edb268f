"""The wire protocol between harness and adapters: messages, descriptions of invalid lines, and the server.

This package may import `corpus` and the modules below it.
"""
