"""Pinned files of a bundle: how two of them differ, and what is no such file."""

from __future__ import annotations

import json

import pytest

from urlharness.bundle import sync
from urlharness.bundle.sync import (
    BundleError,
    CaseChange,
    FetchError,
    PinnedCase,
    PinnedFile,
    compare_pinned,
    fetch_checked,
    is_url,
    parse_pinned,
)

CASE = PinnedCase("0" * 12, b"{}")
FILE_OF_CASES = {
    "schema": "urlbundle-1",
    "corpus": {"version": "1.2.3", "digest": "1" * 12},
    "spec": "rfc3986",
    "cases": [{"id": "rfc3986-1-a", "digest": "0" * 12, "statement": "It is."}],
}


def test_a_file_is_read_with_its_version_and_its_cases():
    pinned = parse_pinned(json.dumps(FILE_OF_CASES).encode(), "f.json")
    text = json.dumps(FILE_OF_CASES["cases"][0]).encode()
    assert pinned == PinnedFile("1.2.3", {"rfc3986-1-a": PinnedCase("0" * 12, text)})


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\xff", id="not-utf-8"),
        pytest.param(b"[]", id="list"),
        pytest.param(json.dumps(FILE_OF_CASES | {"schema": "urlbundle-2"}).encode(), id="later-schema"),
        pytest.param(json.dumps(FILE_OF_CASES | {"cases": [{"id": "a"}]}).encode(), id="no-digest"),
        pytest.param(
            json.dumps(FILE_OF_CASES | {"cases": [{"id": "\x1b[2J", "digest": ""}]}).encode(),
            id="id-with-control-character",
        ),
    ],
)
def test_what_is_no_file_of_cases_is_refused(content):
    with pytest.raises(BundleError, match=r"^f\.json: not a file of cases of a bundle: "):
        parse_pinned(content, "f.json")


CHANGES = {
    "same": (CASE, CASE, []),
    "added": (None, CASE, [CaseChange("a", "added")]),
    "removed": (CASE, None, [CaseChange("a", "removed")]),
    "changed": (CASE, CASE._replace(digest="2" * 12, text=b"[]"), [CaseChange("a", "changed")]),
    "reworded": (CASE, CASE._replace(text=b"[]"), [CaseChange("a", "reworded")]),
}


@pytest.mark.parametrize(("old", "new", "changes"), CHANGES.values(), ids=CHANGES)
def test_a_case_differs_in_one_way(old, new, changes):
    old_file = PinnedFile("1.0.0", {"a": old} if old else {})
    new_file = PinnedFile("1.1.0", {"a": new} if new else {})
    assert compare_pinned(old_file, new_file) == changes


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("https://h/bundle", True),
        ("HTTP://h/bundle", True),
        ("file:///bundle", False),
        ("bundle", False),
        ("./https:/h", False),
    ],
    ids=["https", "upper-case", "file", "path", "path-with-colon"],
)
def test_only_http_is_fetched(source, expected):
    assert is_url(source) is expected


class EndlessReply:
    """A reply of a server that never ends."""

    def __enter__(self):
        return self

    def __exit__(self, *_arguments):
        pass

    def read(self, count):
        return bytes(count)


def test_a_reply_without_end_is_refused(monkeypatch):
    monkeypatch.setattr(sync, "MOST_BYTES", 1000)
    monkeypatch.setattr(sync, "urlopen", lambda *_arguments, **_options: EndlessReply())
    with pytest.raises(FetchError, match=r"^http://h/manifest\.json: more than 1,000 bytes$"):
        fetch_checked("http://h", "urlvectors-rfc3986.json")
