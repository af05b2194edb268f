"""Write the data of the native packages, which is not in the repository: `python packages/pack.py go`."""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = Path(__file__).parent


def pack_go(module: Path) -> None:
    """Write the bundle into a Go module: its manifest, and each file of cases compressed."""
    target = module / "bundle"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    with tempfile.TemporaryDirectory() as scratch:
        bundle = Path(scratch) / "bundle"
        export = ["vectors", "export", "--format", "bundle", "-o", str(bundle)]
        subprocess.run([sys.executable, "-m", "urlharness.cli", *export], check=True)
        for path in sorted(bundle.glob("urlvectors-*.json")):
            # without a time stamp, so that the same bundle gives the same bytes
            compressed = gzip.compress(path.read_bytes(), mtime=0)
            (target / f"{path.name}.gz").write_bytes(compressed)
        shutil.copy(bundle / "manifest.json", target)


def copy_module(module: Path, target: Path) -> None:
    """Copy a module without data, tests and example into a folder that does not exist."""
    ignored = shutil.ignore_patterns("bundle", "example", "*_test.go", "testdata")
    shutil.copytree(module, target, ignore=ignored)
    shutil.copy(PACKAGES.parent / "LICENSE", target)


def main() -> None:
    """Write the data of a package into its folder, or the whole package into another one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", choices=["go"])
    parser.add_argument("folder", nargs="?", type=Path, help="write the package into this new folder")
    arguments = parser.parse_args()
    if importlib.util.find_spec("urlharness") is None:
        parser.error("urlconform is not installed: pip install the folder above this one first")
    module = PACKAGES / arguments.package
    if arguments.folder is not None:
        if arguments.folder.exists():
            parser.error(f"{arguments.folder} exists already")
        copy_module(module, arguments.folder)
        module = arguments.folder
    pack_go(module)


if __name__ == "__main__":
    main()
