"""The commands for authors of adapters and vectors: `adapters`, `serve`, and `export` of `vectors`."""
