"""The examination of `adapters doctor`, which tells whether an adapter keeps to the protocol.

It may import `engine`, `adapters`, `protocol`, `corpus` and the modules below them.
"""
