"""A compiled engine is loaded and entered: for the tests, and for the programs that they start."""

from __future__ import annotations

import importlib.util
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

from urloracle import native, operations


def loaded(path: str | Path) -> ModuleType:
    """Load a compiled engine, and return it; each file is a module of its own."""
    loader = ExtensionFileLoader("urloracle._native", str(path))
    spec = importlib.util.spec_from_file_location("urloracle._native", path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def enter_engine(module: Any, tables: bytes) -> None:
    """Let the oracle of this process ask an engine from now on."""
    engine = native._engine_of(module, tables)
    native._engine = lambda: engine
    native._module = lambda: module


def operations_anew() -> ModuleType:
    """Return the module of operations, imported again, so that it asks the engine that the oracle has now."""
    spec = importlib.util.spec_from_file_location("urloracle.operations", operations.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
