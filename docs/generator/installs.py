"""The lines that install a tag, in all pages and examples, by account and version of pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: The files of the example that install a tag.
EXAMPLE = tuple(
    ROOT / "examples" / "tinyurl" / name
    for name in (".github/workflows/ci.yml", ".gitlab-ci.yml", "pyproject.toml")
)
#: The Go module and its example.
GO_MODULE = tuple(
    ROOT / "packages" / name
    for name in ("README.md", "go/README.md", "go/go.mod", "go/example/go.mod", "go/example/url_test.go")
)
#: The npm package and its example.
NPM_PACKAGE = tuple(
    ROOT / "packages" / name
    for name in (
        "README.md",
        "npm/README.md",
        "npm/package.json",
        "npm/example/package.json",
        "npm/example/test/url.test.js",
    )
)
#: What is installed from a tag: the repository, or the action in it.
_TAG = re.compile(
    r"(?P<before>github\.com/|uses: )[\w.-]+/urlconform(?P<folder>/\.github/actions/gate)?@v[\d.]+"
)
#: The path of the Go module, perhaps with its version as in go.mod or `go get`.
_MODULE = re.compile(r"github\.com/[\w.-]+/urlconform/packages/go(?P<version>[@ ]v\d+\.\d+\.\d+)?")

#: The name of the npm package, whose scope is the account.
_PACKAGE = re.compile(r"@[a-z0-9._-]+/urlconform(?![\w.@])")
#: The addresses and the version in the file package.json of the npm package.
_REPOSITORY = re.compile(r'("repository": "https://github\.com/)[\w.-]+/')
_VERSION = re.compile(r'(?<="version": ")[\d.]+(?=")')


@cache
def account_and_version() -> tuple[str, str]:
    """Return the account that has the repository, and the version of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["urls"]["Source"].split("/")[-2], project["version"]


def with_tag(text: str) -> str:
    """Return a text whose lines install the tag of the current version."""
    account, version = account_and_version()

    def module(match: re.Match[str]) -> str:
        """Return the path of the Go module, with the version if there was one."""
        path = f"github.com/{account}/urlconform/packages/go"
        old_version = match["version"]
        return f"{path}{old_version[0]}v{version}" if old_version else path

    with_tags = _TAG.sub(rf"\g<before>{account}/urlconform\g<folder>@v{version}", text)
    with_tags = _MODULE.sub(module, with_tags)
    with_tags = _PACKAGE.sub(f"@{account.lower()}/urlconform", with_tags)
    if _REPOSITORY.search(with_tags) is None:
        return with_tags
    return _VERSION.sub(version, _REPOSITORY.sub(rf"\g<1>{account}/", with_tags))


def installs_tag(text: str) -> bool:
    """Return True if a text has a line that installs a tag, or names the Go module or the npm package."""
    return any(pattern.search(text) is not None for pattern in (_TAG, _MODULE, _PACKAGE))
