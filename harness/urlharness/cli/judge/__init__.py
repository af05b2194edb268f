"""The commands that run adapters and judge them; may import everything but `cli.understand`."""
