"""`urlconform vectors export`: the count that it prints, earlier exports, and options that are refused."""

from __future__ import annotations

import pytest

from urlharness.corpus.loader import load
from urlharness.exitcodes import Exit


@pytest.fixture
def export_command(part, tmp_path):
    """The words of a command that exports the small corpus."""
    return ("vectors", "export", str(tmp_path / "out"), "--vectors", str(part))


def test_export_counts_the_exported_vectors(export_command, urlconform, tmp_path):
    done = urlconform(*export_command, "--spec", "RFC 1808")
    assert done.stdout == f"{tmp_path / 'out'}: {len(load(tmp_path / 'out').cases)} vectors\n"
    assert done.returncode == Exit.PASSED


@pytest.fixture
def changed_file(export_command, urlconform, tmp_path):
    """A file of an earlier export, which was changed since."""
    urlconform(*export_command)
    path = tmp_path / "out" / "README.md"
    path.write_text("mine", "ascii")
    return path


def test_export_does_not_replace_an_earlier_export(export_command, urlconform, tmp_path, changed_file):
    done = urlconform(*export_command)
    assert f"{tmp_path / 'out'} is not empty (use --force to replace an earlier export)" in done.stderr
    assert done.returncode == Exit.USAGE
    assert changed_file.read_text("ascii") == "mine"


def test_export_replaces_an_earlier_export_by_force(export_command, urlconform, changed_file):
    assert urlconform(*export_command, "--force").returncode == Exit.PASSED
    assert changed_file.read_text("utf-8").startswith("# URL vectors, version ")


def test_the_bundle_counts_its_cases(part, urlconform, tmp_path):
    command = ("vectors", "export", "--format", "bundle", "-o", str(tmp_path / "out"), "--vectors", str(part))
    done = urlconform(*command)
    assert done.stdout == f"{tmp_path / 'out'}: {len(load(part).cases)} cases, 0 left out\n"
    assert done.returncode == Exit.PASSED
    assert (tmp_path / "out" / "RUNNER.md").is_file()


def test_the_bundle_has_no_tiers(urlconform, tmp_path):
    done = urlconform("vectors", "export", str(tmp_path / "out"), "--format", "bundle", "--tier", "complete")
    assert "--format bundle has no generated tiers: omit --tier" in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("folders", "why"),
    [((), "Missing argument 'DIR'."), (("a", "-o", "b"), "give either DIR or -o, not both")],
    ids=["none", "two"],
)
def test_the_folder_is_named_once(urlconform, folders, why):
    done = urlconform("vectors", "export", *folders)
    assert why in done.stderr
    assert done.returncode == Exit.USAGE


@pytest.mark.parametrize(
    ("option", "why"),
    [
        (("--tier", "complete"), "json-schema-test-suite has no generated tiers: omit --tier"),
        (("--spec", "rfc1808"), "json-schema-test-suite asks rfc3986 and rfc3987 only, not rfc1808"),
        (("--section", "99"), "no vector meets the selection: section 99."),
    ],
    ids=["tier", "spec", "nothing"],
)
def test_options_that_the_format_cannot_have_are_refused(urlconform, tmp_path, option, why):
    command = ("vectors", "export", str(tmp_path / "out"), "--format", "json-schema-test-suite")
    done = urlconform(*command, *option)
    assert why in done.stderr
    assert done.returncode == Exit.USAGE
