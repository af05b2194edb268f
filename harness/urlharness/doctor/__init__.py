"""The examination of `adapters doctor`, which checks that an adapter follows the protocol.

This package may import `engine`, `adapters`, `protocol`, `corpus` and the packages below them.
"""
