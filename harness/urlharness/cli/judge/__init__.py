"""The commands that judge a library: `run`, `report`, `repro` and `baseline`."""
