"""The commands that compare libraries with each other: `compare` and `ask`."""
