"""The fixtures and words of the tests of the batch engine, for its proofs."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_PATH = Path(__file__).parents[2] / "harness" / "batch" / "conftest.py"
_spec = spec_from_file_location("batch_fixtures", _PATH)
assert _spec is not None
assert _spec.loader is not None
_fixtures = module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)

questions = _fixtures.questions
expected, transition_cover = _fixtures.expected, _fixtures.transition_cover
