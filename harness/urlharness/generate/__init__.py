"""Generated tiers: complete test suites of every rule, and the systematic tier of resolution."""
