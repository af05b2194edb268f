"""The fixtures and helpers of the tests of the batch engine, for its proofs."""

from ...harness.batch.conftest import (  # noqa: TID252 - tests are not an installed package
    expected,
    questions,
    transition_cover,
)

__all__ = ["expected", "questions", "transition_cover"]
