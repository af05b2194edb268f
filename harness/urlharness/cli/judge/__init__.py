"""The commands that run adapters and judge them. They may import every package except `cli.understand`."""
