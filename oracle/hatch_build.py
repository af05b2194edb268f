"""Build hook for wheels with the C engine; off unless HATCH_BUILD_HOOKS_ENABLE=1 is set.

Without it, the wheel is pure Python and needs no compiler.  With it, a failure to compile is an error.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ORACLE = Path(__file__).parent
# loops of a few steps: vector instructions make them slower, an aligned start makes them faster
FLAGS = ["-std=c11", "-O3", "-fno-tree-vectorize", "-falign-loops=32", "-fno-plt", "-Wall", "-Wextra"]


class NativeBuildHook(BuildHookInterface[Any]):
    """Compiles the engine and packs its tables."""

    def dependencies(self) -> list[str]:
        """Return what the build needs if the hook is on."""
        return ["setuptools"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the engine and its tables to a wheel; write them beside the sources if it is editable."""
        if self.target_name != "wheel":
            return
        if sysconfig.get_config_var("Py_GIL_DISABLED") or sys.implementation.name != "cpython":
            raise RuntimeError("the C engine needs CPython with the GIL; unset HATCH_BUILD_HOOKS_ENABLE")
        package = ORACLE / "urloracle"
        build = package if version == "editable" else Path(self.directory, "native")
        build.mkdir(parents=True, exist_ok=True)
        sys.path.insert(0, str(ORACLE))
        try:
            from urloracle import native, splitting  # noqa: PLC0415 - the sources beside this file
        finally:
            sys.path.remove(str(ORACLE))
        engine = compiled(build, native.source_digest())
        tables = build / native.TABLES
        tables.write_bytes(splitting.packed_tables())
        build_data["force_include"] |= {str(file): f"urloracle/{file.name}" for file in (engine, tables)}
        build_data["pure_python"] = False
        platform = re.sub("[-.]", "_", sysconfig.get_platform())  # as the tag of a wheel is written
        build_data["tag"] = f"cp311-abi3-{platform}"


def compiled(folder: Path, digest: str) -> Path:
    """Compile the engine for the stable ABI of Python 3.11 into a folder and return the file.

    `digest` is that of its source.
    """
    from setuptools import Distribution, Extension  # noqa: PLC0415 - not there if the hook is off
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    flags = [] if sys.platform == "win32" else FLAGS
    source = str(ORACLE / "urloracle" / "_native.c")
    macros = [("SOURCE", f'"{digest}"')]
    engine = Extension(
        "_native", [source], define_macros=macros, py_limited_api=True, extra_compile_args=flags
    )
    with TemporaryDirectory() as temporary:
        command = build_ext(Distribution({"ext_modules": [engine]}))
        command.build_lib = str(folder)
        command.build_temp = temporary
        command.ensure_finalized()
        command.run()
    return folder / command.get_ext_filename("_native")
