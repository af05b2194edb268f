"""`vectors sync`: replace a pinned file of the bundle, and list what changed."""

from __future__ import annotations

import hashlib
import json
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NamedTuple

import pytest

from urlharness.exitcodes import Exit

NAME = "urlvectors-rfc3986.json"
SAME = {"id": "rfc3986-1-same", "digest": "0" * 12, "statement": "It is."}
OLD_CASES = [
    SAME,
    {"id": "rfc3986-1-removed", "digest": "1" * 12, "statement": "It was."},
    {"id": "rfc3986-1-changed", "digest": "2" * 12, "statement": "It may."},
    {"id": "rfc3986-1-reworded", "digest": "3" * 12, "statement": "It must."},
]
NEW_CASES = [
    SAME,
    {"id": "rfc3986-1-changed", "digest": "4" * 12, "statement": "It may."},
    {"id": "rfc3986-1-reworded", "digest": "3" * 12, "statement": "It has to."},
    {"id": "rfc3986-1-added", "digest": "5" * 12, "statement": "It will."},
]


def file_of_cases(version, cases):
    corpus = {"version": version, "digest": "6" * 12}
    document = {"schema": "urlbundle-1", "corpus": corpus, "spec": "rfc3986", "cases": cases}
    return json.dumps(document).encode()


OLD = file_of_cases("1.0.0", OLD_CASES)
NEW = file_of_cases("1.1.0", NEW_CASES)


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def manifest_of(content):
    """Return the manifest of a bundle of one file."""
    digest = sha256(f"{sha256(content)}  {NAME}\n".encode())
    files = [{"name": NAME, "spec": "rfc3986", "cases": 4, "sha256": sha256(content)}]
    return {"schema": "urlbundle-manifest-1", "digest": digest, "files": files}


class Folder(NamedTuple):
    """A folder with a bundle, and a pinned file beside it."""

    path: Path
    pinned: Path

    def write_bundle(self, content, manifest):
        (self.path / NAME).write_bytes(content)
        (self.path / "manifest.json").write_text(json.dumps(manifest), "ascii")


@pytest.fixture
def folder(tmp_path):
    """A bundle of the new version, and the pinned file of the old one."""
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    pinned = tmp_path / NAME
    pinned.write_bytes(OLD)
    files = Folder(bundle, pinned)
    files.write_bundle(NEW, manifest_of(NEW))
    return files


class QuietHandler(SimpleHTTPRequestHandler):
    """A handler that does not log requests."""

    def log_message(self, *_arguments):
        """Log nothing."""


@pytest.fixture
def server(folder):
    """The URL of a server of the bundle."""
    handler = partial(QuietHandler, directory=folder.path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{http.server_port}"
        http.shutdown()


def test_the_pinned_file_is_replaced(folder, urlconform):
    urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert folder.pinned.read_bytes() == NEW


def test_the_cases_that_changed_are_listed(folder, urlconform):
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert done.stdout.splitlines() == [
        "rfc3986-1-added: added",
        "rfc3986-1-changed: changed",
        "rfc3986-1-removed: removed",
        "rfc3986-1-reworded: reworded",
    ]


def test_the_cases_that_changed_are_counted(folder, urlconform):
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert done.stderr == f"{NAME} written: corpus 1.1.0, 1 added, 1 changed, 1 removed, 1 reworded\n"


def test_a_change_has_an_exit_code_of_its_own(folder, urlconform):
    assert urlconform("vectors", "sync", "bundle", "-o", NAME).returncode == Exit.STALE


def test_a_file_that_is_up_to_date_passes(folder, urlconform):
    folder.pinned.write_bytes(NEW)
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert done.stderr == f"{NAME} is unchanged: corpus 1.1.0\n"
    assert done.returncode == Exit.PASSED


def test_only_a_new_version_is_a_change(folder, urlconform):
    folder.pinned.write_bytes(file_of_cases("1.0.0", NEW_CASES))
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert done.stderr == f"{NAME} written: corpus 1.1.0, no case changed\n"
    assert done.returncode == Exit.STALE


def test_all_cases_of_a_first_file_are_added(folder, urlconform):
    folder.pinned.unlink()
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert [line.partition(": ")[2] for line in done.stdout.splitlines()] == ["added"] * 4


@pytest.mark.parametrize("source", ["bundle", "bundle/", f"bundle/{NAME}"], ids=["folder", "slash", "file"])
def test_a_source_is_a_folder_or_a_file_in_it(folder, urlconform, source):
    urlconform("vectors", "sync", source, "-o", NAME)
    assert folder.pinned.read_bytes() == NEW


@pytest.mark.parametrize("path", ["", "/", f"/{NAME}"], ids=["folder", "slash", "file"])
def test_a_source_is_the_url_of_a_folder_or_of_a_file_in_it(folder, server, urlconform, path):
    urlconform("vectors", "sync", server + path, "-o", NAME)
    assert folder.pinned.read_bytes() == NEW


def test_the_written_file_may_have_another_name_than_its_source(folder, urlconform, tmp_path):
    urlconform("vectors", "sync", f"bundle/{NAME}", "-o", "cases.json")
    assert (tmp_path / "cases.json").read_bytes() == NEW


def test_the_digest_of_the_bundle_may_be_given(folder, urlconform):
    digest = manifest_of(NEW)["digest"]
    done = urlconform("vectors", "sync", "bundle", "-o", NAME, "--digest", digest)
    assert done.returncode == Exit.STALE


# ---- what leaves the pinned file as it is


def with_other_sum(folder):
    folder.write_bundle(NEW, manifest_of(OLD))


def with_other_digest(folder):
    folder.write_bundle(NEW, manifest_of(NEW) | {"digest": "0" * 64})


def without_files(folder):
    folder.write_bundle(NEW, manifest_of(NEW) | {"files": [], "digest": sha256(b"")})


def with_another_schema(folder):
    folder.write_bundle(NEW, manifest_of(NEW) | {"schema": "urlbundle-manifest-2"})


def with_a_file_that_is_none(folder):
    folder.write_bundle(b"[]", manifest_of(b"[]"))


REFUSED = {
    "sum": (with_other_sum, f"{NAME}: its SHA-256 is {sha256(NEW)}, but manifest.json says {sha256(OLD)}"),
    "digest": (with_other_digest, f"manifest.json: its files have the digest {manifest_of(NEW)['digest']}"),
    "no-file": (without_files, f"bundle: the bundle has no file '{NAME}'"),
    "schema": (with_another_schema, "manifest.json: not the manifest of a bundle"),
    "no-cases": (with_a_file_that_is_none, f"{NAME}: not a file of cases of a bundle"),
}


@pytest.mark.parametrize(("break_bundle", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_bundle_is_refused(folder, urlconform, break_bundle, message):
    break_bundle(folder)
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert message in done.stderr
    assert done.returncode == Exit.INVALID_FILE
    assert folder.pinned.read_bytes() == OLD


def test_a_bundle_with_another_digest_than_the_given_one_is_refused(folder, urlconform):
    done = urlconform("vectors", "sync", "bundle", "-o", NAME, "--digest", "0" * 64)
    assert f"the digest of the bundle is {manifest_of(NEW)['digest']}, not {'0' * 64}" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
    assert folder.pinned.read_bytes() == OLD


def test_a_file_that_is_not_of_a_bundle_is_not_replaced(folder, urlconform):
    folder.pinned.write_bytes(b"notes")
    done = urlconform("vectors", "sync", "bundle", "-o", NAME)
    assert f"{NAME}: not a file of cases of a bundle" in done.stderr
    assert done.returncode == Exit.INVALID_FILE
    assert folder.pinned.read_bytes() == b"notes"


def test_a_file_that_the_server_does_not_have_is_an_error(folder, server, urlconform):
    done = urlconform("vectors", "sync", f"{server}/none/", "-o", NAME)
    assert f"{server}/none/manifest.json: the server answers 404 File not found" in done.stderr
    assert done.returncode == Exit.USAGE
    assert folder.pinned.read_bytes() == OLD


def test_a_server_that_cannot_be_reached_is_an_error(folder, urlconform):
    done = urlconform("vectors", "sync", "http://127.0.0.1:1/", "-o", NAME)
    assert "http://127.0.0.1:1/manifest.json: " in done.stderr
    assert done.returncode == Exit.USAGE


def test_a_folder_that_does_not_exist_is_an_error(folder, urlconform):
    done = urlconform("vectors", "sync", "none", "-o", NAME)
    assert "none/manifest.json: no such file or directory" in done.stderr
    assert done.returncode == Exit.USAGE


def test_the_pinned_file_is_not_the_file_of_the_bundle(folder, urlconform):
    done = urlconform("vectors", "sync", "bundle", "-o", f"bundle/{NAME}")
    assert "would overwrite the bundle" in done.stderr
    assert done.returncode == Exit.USAGE
