"""Install libraries and build adapter programs in the user's cache.

This package may import `adapters` and the packages below it.
"""
