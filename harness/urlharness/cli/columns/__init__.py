"""The command for columns of URLs: `check`."""
