"""The gate: baseline, policy, findings, decision; may import `results` and below."""
