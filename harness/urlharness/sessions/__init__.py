"""Run adapters and collect their replies: processes, sessions and the scheduler.

This package may import `adapters`, `protocol`, `corpus` and the modules below them.
"""
