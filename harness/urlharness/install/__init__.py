"""Libraries installed, and adapter programs built, in the user's cache; it imports `adapters` and below."""
