"""Runs adapters and collects their replies: processes, sessions, the scheduler.

It may import `adapters`, `protocol`, `corpus` and the ground modules.
"""
