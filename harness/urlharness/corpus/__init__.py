"""The corpus: test cases and requirements as records; their words, selections, lock and export.

Imports `text`, `jsonio`, `limits`, `shell`, `exitcodes`, `words` and the data package `urlvectors` only.
"""

from urlharness.corpus.model import corpus_dir

__all__ = ["corpus_dir"]
