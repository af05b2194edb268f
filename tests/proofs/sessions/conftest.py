"""The fixtures of the tests of sessions, for their proofs."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_PATH = Path(__file__).parents[2] / "harness" / "sessions" / "conftest.py"
_spec = spec_from_file_location("session_fixtures", _PATH)
assert _spec is not None
assert _spec.loader is not None
_fixtures = module_from_spec(_spec)
_spec.loader.exec_module(_fixtures)

cases = _fixtures.cases
command = _fixtures.command
examine = _fixtures.examine
