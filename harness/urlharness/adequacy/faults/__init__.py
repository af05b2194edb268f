"""Faults of the mappings of RFC 3987, and what a fault is."""
