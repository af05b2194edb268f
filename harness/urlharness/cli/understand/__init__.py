"""The commands that explain the RFCs, and answer by them: they ask the oracle, and no library."""
