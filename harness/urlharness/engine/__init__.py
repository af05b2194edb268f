"""Runs adapters and collects their replies: processes, sessions, the scheduler.

This package may import `adapters`, `protocol`, `corpus` and the modules below them.
"""
