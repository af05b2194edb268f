"""Write the data of a native package, which is not in the repository: `python packages/pack.py go`."""

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


#: What a package has besides its code: data, tests, an example, and what was installed or packed there.
_NOT_CODE = ("bundle", "example", "*_test.go", "testdata", "test", "node_modules", "*.tgz", ".*")


def pack_bundle(package: Path) -> None:
    """Write the bundle into a package: its manifest, and each file of cases compressed."""
    target = package / "bundle"
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


def copy_package(package: Path, target: Path) -> None:
    """Copy a package without data, tests and example into a folder that does not exist."""
    shutil.copytree(package, target, ignore=shutil.ignore_patterns(*_NOT_CODE))
    shutil.copy(PACKAGES.parent / "LICENSE", target)


def main() -> None:
    """Write the data of a package into its folder, or the whole package into another one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", choices=["go", "npm"])
    parser.add_argument("folder", nargs="?", type=Path, help="write the package into this new folder")
    arguments = parser.parse_args()
    if importlib.util.find_spec("urlharness") is None:
        parser.error("urlconform is not installed: pip install the folder above this one first")
    package = PACKAGES / arguments.package
    if arguments.folder is not None:
        if arguments.folder.exists():
            parser.error(f"{arguments.folder} exists already")
        copy_package(package, arguments.folder)
        package = arguments.folder
    pack_bundle(package)


if __name__ == "__main__":
    main()
