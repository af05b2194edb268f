"""The fixtures of the engine's tests, for its proofs."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

_HARNESS = Path(__file__).parents[2] / "harness"

for _path in (_HARNESS / "conftest.py", _HARNESS / "engine" / "conftest.py"):
    _spec = spec_from_file_location(f"fixtures_of_{_path.parent.name}", _path)
    assert _spec is not None
    assert _spec.loader is not None
    _module = module_from_spec(_spec)
    _spec.loader.exec_module(_module)
    globals().update({name: value for name, value in vars(_module).items() if not name.startswith("__")})
