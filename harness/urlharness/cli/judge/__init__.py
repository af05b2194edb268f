"""The commands that run adapters and judge them; they may import every package but `cli.understand`."""
