"""The doctor: tells an adapter that breaks the protocol from a library that breaks an RFC."""
