"""The npm package: its tests, the outcomes of the harness, planted faults, and the example."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.corpus.lock import vector_digest
from urlharness.gate.baseline import FORMAT, read_baseline_file

from .recorded import failures_of_one_side, numbers_of_rules, published_recordings

ROOT = Path(__file__).parents[3]
PACKAGES = ROOT / "packages"
RULES = Path(__file__).with_name("rules.json")
EXAMPLE = PACKAGES / "npm" / "example"
KNOWN_FAILURES = EXAMPLE / "test" / "urlconform.json"
LIBRARY = "node-url"

#: The version of Node whose URL has the known failures of the example.
NEEDED_NODE = 20


def version_of_node() -> int:
    """Return the first number of the version of the installed Node, or 0 if there is none."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return 0
    printed = subprocess.run(["node", "--version"], check=True, capture_output=True, text=True).stdout
    return int(re.search(r"\d+", printed)[0])


@pytest.fixture(scope="module")
def node_is_installed():
    """Skip tests where Node is not installed, or has another URL."""
    if version_of_node() != NEEDED_NODE:
        pytest.skip("Node 20 is not installed")


def run(folder, *command, **environment):
    """Run a command in a folder, and return what it did."""
    variables = os.environ | {"npm_config_offline": "true", "npm_config_update_notifier": "false"}
    return subprocess.run(
        command, cwd=folder, env=variables | environment, capture_output=True, encoding="utf-8", check=False
    )


def node_test(folder, *options, **environment):
    """Run the tests of a package, which are printed as TAP."""
    command = ("node", "--test", "--test-reporter=tap", *options, "test/")
    return run(folder, *command, **environment)


@pytest.fixture(scope="module")
def packed(node_is_installed, tmp_path_factory):
    """The file of the package, made as its README.md says."""
    folder = tmp_path_factory.mktemp("npm")
    package = folder / "urlconform-npm"
    subprocess.run([sys.executable, PACKAGES / "pack.py", "npm", package], check=True, capture_output=True)
    done = run(folder, "npm", "pack", package)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.tgz"))


@pytest.fixture(scope="module")
def package(packed, tmp_path_factory):
    """A copy of the package with its data and its tests; not to be changed."""
    copy = tmp_path_factory.mktemp("packages") / "npm"
    shutil.copytree(PACKAGES / "npm", copy, ignore=shutil.ignore_patterns("bundle", "example"))
    shutil.copytree(packed.parent / "urlconform-npm" / "bundle", copy / "bundle")
    return copy


@pytest.mark.long
@pytest.mark.parametrize("answers", ["published_answers", "made_answers"])
def test_the_package_gives_the_outcomes_of_the_harness(package, answers, request):
    """A replayed answer is also given by an implementation."""
    folder = request.getfixturevalue(answers)
    done = run(
        package,
        *("node", "--test", "--test-reporter=tap", "test/parity.test.js"),
        URLCONFORM_REPLAY=str(folder),
    )
    assert done.returncode == 0, done.stdout[-5000:]
    for path in folder.glob("*.jsonl"):
        assert f"- {path.name}\n" in done.stdout


@pytest.mark.long
def test_the_tests_of_the_package_pass(package):
    """They plant a fault for each rule of RUNNER.md into the judge, too."""
    done = node_test(package, URLCONFORM_RULES=str(RULES))
    assert done.returncode == 0, done.stdout[-5000:]
    assert "a judge without a rule stumbles" in done.stdout


def test_each_rule_has_an_answer_that_needs_it():
    rows = json.loads(RULES.read_bytes())
    assert [row["rule"].partition("-")[0] for row in rows] == numbers_of_rules()


# ---- the example


@pytest.fixture(scope="module")
def example(packed, tmp_path_factory):
    """A project with the test of the example, in which the packed file is installed."""
    project = tmp_path_factory.mktemp("example") / "project"
    shutil.copytree(EXAMPLE, project, ignore=shutil.ignore_patterns("node_modules"))
    name = json.loads((PACKAGES / "npm" / "package.json").read_bytes())["name"]
    manifest = project / "package.json"
    document = json.loads(manifest.read_bytes())
    document["devDependencies"][name] = f"file:{packed}"
    manifest.write_text(json.dumps(document), "utf-8")
    done = run(project, "npm", "install")
    assert done.returncode == 0, done.stderr
    return project


@pytest.mark.long
def test_the_packed_file_is_smaller_than_2_mb(packed):
    assert packed.stat().st_size < 2_000_000


@pytest.mark.long
def test_the_example_passes_with_its_known_failures(example):
    done = node_test(example)
    assert done.returncode == 0, done.stdout[-5000:]
    assert re.search(r"not ok \d+ - rfc3986/.* # TODO", done.stdout)


@pytest.fixture
def example_without_known_failures(example, tmp_path):
    project = Path(shutil.copytree(example, tmp_path / "project", symlinks=True))
    (project / "test" / "urlconform.json").unlink()
    return project


@pytest.mark.long
def test_the_example_fails_without_its_known_failures(example_without_known_failures):
    done = node_test(example_without_known_failures, r"--test-name-pattern=rfc3986/5\.2\.4/")
    assert done.returncode == 1
    assert "RFC 3986, section 5.2.4, paragraph " in done.stdout
    assert "it is not in test/urlconform.json" in done.stdout


@pytest.mark.long
def test_the_example_writes_its_known_failures(example_without_known_failures):
    assert node_test(example_without_known_failures, URLCONFORM_UPDATE="1").returncode == 0
    written = (example_without_known_failures / "test" / "urlconform.json").read_bytes()
    assert written == KNOWN_FAILURES.read_bytes()


def test_the_known_failures_of_the_example_are_a_baseline_of_the_command():
    file = read_baseline_file(KNOWN_FAILURES)
    assert file.baseline.schema == FORMAT
    assert file.is_canonical


def test_the_known_failures_of_the_example_are_of_this_corpus(corpus):
    """If not, run `URLCONFORM_UPDATE=1 npm test` in the example, with the data of this corpus."""
    digests = {case.vector.id: vector_digest(case) for case in corpus.cases}
    entries = read_baseline_file(KNOWN_FAILURES).baseline.entries
    assert [entry.id for entry in entries if digests.get(entry.id) != entry.digest] == []


@pytest.mark.long
def test_the_example_fails_where_the_adapter_of_the_command_fails(corpus):
    """The published answers of the adapter are of the same URL, to cases that both can be asked."""
    recording = published_recordings(corpus.cases, [LIBRARY])[LIBRARY]
    listed = read_baseline_file(KNOWN_FAILURES).baseline.by_id()
    assert failures_of_one_side(corpus.cases, recording, listed) == []
