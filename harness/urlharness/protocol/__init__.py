"""The wire protocol between harness and adapters: messages, errors, the server.

It may import `corpus` and the ground modules.
"""
