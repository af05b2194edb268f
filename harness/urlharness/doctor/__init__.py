"""The examination of `adapters doctor`: does an adapter keep to the protocol?

It may import `engine`, `adapters`, `protocol`, `corpus` and the modules below them.
"""
