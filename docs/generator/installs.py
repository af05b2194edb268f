"""The lines that install a tag, in all pages and in the example, by account and version of pyproject.toml."""

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
#: What is installed from a tag: the repository, or the action in it.
_TAG = re.compile(
    r"(?P<before>github\.com/|uses: )[\w.-]+/urlconform(?P<folder>/\.github/actions/gate)?@v[\d.]+"
)


@cache
def account_and_version() -> tuple[str, str]:
    """Return the account that has the repository, and the version of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["urls"]["Source"].split("/")[-2], project["version"]


def with_tag(text: str) -> str:
    """Return a text whose lines install the tag of the current version."""
    account, version = account_and_version()
    return _TAG.sub(rf"\g<before>{account}/urlconform\g<folder>@v{version}", text)


def installs_tag(text: str) -> bool:
    """Return True if a text has a line that installs a tag."""
    return _TAG.search(text) is not None
