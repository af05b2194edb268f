"""An adapter whose first line is not part of the protocol."""

print("hello")
