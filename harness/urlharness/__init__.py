"""The harness: loads vectors, asks implementations, compares their answers, and reports."""
