"""The examination behind `adapters doctor`: does an adapter keep to the protocol?

It may import `engine`, `adapters`, `protocol`, `corpus` and the modules of the ground layer.
"""
