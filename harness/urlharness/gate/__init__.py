"""The gate: baseline, policy, findings, decision. It may import `results` and the packages below it."""
