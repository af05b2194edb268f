"""The fixture `oracle` in a session of a user."""

from __future__ import annotations

import subprocess
import sys

import pytest

from urlharness.pytest_plugin.fixtures import Oracle
from urloracle import Unsupported

TEST = """
def test_oracle(oracle):
    assert oracle.spec == {spec!r}
    assert oracle.parse("http://a/b;c").path == {path!r}
"""
#: Options, the RFC, and its path of the URL.
BOUND = [
    pytest.param([], "rfc3986", "/b;c", id="default"),
    pytest.param(["--urlconform-spec", "rfc1808"], "rfc1808", "/b", id="option"),
    pytest.param(["-o", "urlconform_spec=rfc1808"], "rfc1808", "/b", id="ini"),
    pytest.param(["--urlconform-spec", "3987"], "rfc3987", "/b;c", id="iris"),
]
WRONG = [
    pytest.param(["rfc9"], "no specification named 'rfc9'; choose from rfc1738", id="unknown"),
    pytest.param(["rfc1808", "rfc3986"], "`oracle` needs one RFC, not rfc1808, rfc3986", id="two"),
]


def run(folder, options, spec="", path=""):
    (folder / "test_own.py").write_text(TEST.format(spec=spec, path=path), "utf-8")
    plugins = ("-p", "no:cacheprovider", "-p", "no:hypothesispytest")
    command = [sys.executable, "-m", "pytest", "-q", *plugins, *options, "test_own.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize(("options", "spec", "path"), BOUND)
@pytest.mark.sampled(4)
def test_the_oracle_is_bound_to_the_selected_rfc(tmp_path, options, spec, path):
    done = run(tmp_path, options, spec, path)
    assert done.returncode == 0, done.stdout


def test_the_oracle_of_iris_maps_them():
    assert Oracle("rfc3987").to_uri("/\u00e9") == "/%C3%A9"


def test_the_oracle_of_iris_converts_uris():
    assert Oracle("rfc3987").to_iri("/%C3%A9") == "/\u00e9"


def test_the_oracle_of_urls_maps_nothing():
    with pytest.raises(Unsupported):
        Oracle("rfc3986").to_uri("/")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("specs", "message"), WRONG)
def test_a_selection_that_is_no_single_rfc_is_an_error(tmp_path, specs, message):
    done = run(tmp_path, [f"--urlconform-spec={spec}" for spec in specs])
    assert message in done.stdout + done.stderr
    assert done.returncode == pytest.ExitCode.TESTS_FAILED
