"""Installs libraries and builds adapter programs in the user's cache. It may import `adapters` and below."""
