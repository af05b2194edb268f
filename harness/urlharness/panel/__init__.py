"""Asking several libraries the same questions: their answers, and what of two answers differs.

This package may import `explain` and the packages below it, `adapters` and `sessions`.
"""
