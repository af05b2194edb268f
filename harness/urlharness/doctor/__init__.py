"""The command `adapters doctor`. Its examination checks whether an adapter follows the protocol.

This package may import `sessions`, `adapters`, `protocol`, `corpus` and the packages below them.
"""
