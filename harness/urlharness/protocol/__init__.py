"""The wire protocol between harness and adapters: messages, errors, the server.

This package may import `corpus` and the modules below it.
"""
