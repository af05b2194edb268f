"""Tools of those who write vectors: the lock, new vectors, coverage, changelog and export."""
