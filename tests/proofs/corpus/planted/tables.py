"""All planted faults, by operation and name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

from .faults import Fault

OPERATIONS = (
    "validate",
    "parse",
    "resolve",
    "normalize",
    "recompose",
    "equivalent",
    "extract",
    "decode",
    "base",
    "to_uri",
    "to_iri",
)


def _faults(operation: str) -> dict[str, Fault]:
    """Return the faults of an operation: those of its module, or of the modules in its folder."""
    folder = Path(__file__).parent
    modules = [operation] if (folder / f"{operation}.py").exists() else []
    modules += [f"{operation}.{path.stem}" for path in sorted((folder / operation).glob("*.py"))]
    faults: dict[str, Fault] = {}
    for module in modules:
        table = getattr(import_module(f".{module}", __package__), "FAULTS", {})
        assert not faults.keys() & table.keys()  # a name stands for one fault
        faults.update(table)
    return faults


FAULTS: Mapping[str, Mapping[str, Fault]] = {operation: _faults(operation) for operation in OPERATIONS}
