"""The vectors of the corpus that an independent implementation is asked."""

from __future__ import annotations

from urlharness.corpus.model import Corpus, Vector


def vectors_of(operation: str, spec: str, corpus: Corpus, kind: str) -> list[Vector]:
    """Return the vectors of an operation whose recommended answer is of a kind, such as `result`."""
    return [
        case.vector
        for case in corpus.cases
        if case.spec == spec
        and case.vector.op == operation
        and case.vector.expect.alternatives[0].kind == kind
    ]
