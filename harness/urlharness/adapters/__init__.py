"""The bundled adapters, and the ways to name one of one's own."""
