"""The digest of a corpus covers every file of it."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

from urlharness.corpus.loader import covered_files, load
from urlharness.corpus.model import corpus_dir
from urlharness.panel.spelling import split

#: Files that are made from the corpus, and may name its digest.
MEASURED = {"adequacy.json", "tiers.json"}


@pytest.mark.parametrize(
    "name",
    ["classes.json", "flags.json", "paragraphs.json", "rfc1808/5.1-normal.json", "requirements/rfc2732.json"],
)
def test_the_digest_changes_with_a_file(part, name):
    before = load(part).digest
    (part / name).write_bytes((part / name).read_bytes() + b"\n")
    assert load(part).digest != before


def test_the_digest_covers_every_file_but_schemas_and_measurements():
    covered = {path.relative_to(corpus_dir()).as_posix() for path in covered_files(corpus_dir())}
    names = {path.relative_to(corpus_dir()).as_posix() for path in corpus_dir().rglob("*.json")}
    schemas = {name for name in names if name.startswith("schemas/")}
    assert names - covered - schemas == MEASURED


def test_the_digest_equals_sha256sum(part):
    names = [path.relative_to(part).as_posix() for path in covered_files(part)]
    assert names == sorted(names)  # otherwise the digest would depend on the order in a folder
    lines = subprocess.run(["sha256sum", *names], cwd=part, capture_output=True, check=True).stdout
    assert hashlib.sha256(lines).hexdigest()[:12] == load(part).digest


#: The default ports that RFC 3986, section 6.2.3, removes, and that of another scheme with an authority.
DEFAULT_PORTS = {"http": "80", "https": "443", "ftp": "21", "ws": "80", "wss": "443", "ssh": "22"}


def is_changed_by_scheme(url):
    """Return whether section 6.2.3 removes the port of a URL or adds the slash of an empty path."""
    parts = split(url)
    default_port = DEFAULT_PORTS.get((parts["scheme"] or "").lower())
    port = parts["port"]
    if port == "" or (port is not None and port.lstrip("0") == default_port):
        return True
    return default_port is not None and bool(parts["host"]) and parts["path"] == ""


def test_no_normal_form_by_syntax_requires_what_the_scheme_removes():
    """R-3986-20, R-3986-21 and R-3986-45: a port or slash that section 6.2.3 changes may go or stay."""
    normalized = [
        case.vector
        for case in load().cases
        if case.spec == "rfc3986" and case.vector.op == "normalize" and case.vector.mode != "scheme"
    ]
    vectors = [vector for vector in normalized if isinstance(vector.url, str)]
    bindings = {vector.binding for vector in vectors if is_changed_by_scheme(vector.url)}
    assert bindings != set(), "the corpus has such texts"
    assert "required" not in bindings
