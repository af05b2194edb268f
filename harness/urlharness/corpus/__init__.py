"""The corpus: test cases and requirements as frozen records; what they say in words; selections, locks, exports.

Imports `text`, `jsonio`, `limits`, `shell`, `exitcodes`, `words` and the data package `urlvectors` alone.
"""

from urlharness.corpus.model import corpus_dir

__all__ = ["corpus_dir"]
