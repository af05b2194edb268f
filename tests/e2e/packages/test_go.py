"""The Go module: its style, its tests, the outcomes of the harness, planted faults, and the example."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from urlharness.corpus.lock import vector_digest
from urlharness.gate.baseline import FORMAT, read_baseline_file

from .recorded import failures_of_one_side, numbers_of_rules, published_recordings

ROOT = Path(__file__).parents[3]
PACKAGES = ROOT / "packages"
EXAMPLE = PACKAGES / "go" / "example"
KNOWN_FAILURES = EXAMPLE / "testdata" / "urlconform.json"
MODULE = "github.com/{}/urlconform/packages/go"

#: The version of Go whose package net/url has the known failures of the example.
NEEDED_GO = (1, 26)


def version_of_go() -> tuple[int, ...]:
    """Return the version of the installed Go, or (0,) if there is none."""
    if shutil.which("go") is None:
        return (0,)
    printed = subprocess.run(["go", "env", "GOVERSION"], check=True, capture_output=True, text=True).stdout
    return tuple(int(number) for number in re.findall(r"\d+", printed)[:2])


@pytest.fixture(scope="module")
def go_is_installed():
    """Skip tests where Go is not installed, or too old."""
    if version_of_go() < NEEDED_GO:
        pytest.skip("Go 1.26 is not installed")


@pytest.fixture(scope="module")
def module(go_is_installed, tmp_path_factory):
    """A copy of the Go module with its data, its tests and its example; not to be changed."""
    copy = shutil.copytree(PACKAGES / "go", tmp_path_factory.mktemp("packages") / "go")
    spec = importlib.util.spec_from_file_location("pack", PACKAGES / "pack.py")
    pack = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(pack)
    pack.pack_bundle(Path(copy))
    return Path(copy)


def go(folder, *arguments, **environment):
    """Run a command of Go in a folder, without downloads, and return what it did."""
    variables = {"GOCACHE": str(Path.home() / ".cache" / "go-build")} | os.environ
    variables |= {"GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local", **environment}
    return subprocess.run(
        arguments, cwd=folder, env=variables, capture_output=True, encoding="utf-8", check=False
    )


@pytest.mark.long
def test_the_source_has_the_style_of_gofmt(module):
    assert go(module, "gofmt", "-l", ".").stdout == ""


@pytest.mark.long
@pytest.mark.parametrize("folder", [".", "example"])
def test_vet_finds_nothing(module, folder):
    done = go(module / folder, "go", "vet", "./...")
    assert done.returncode == 0, done.stderr


@pytest.mark.long
@pytest.mark.parametrize("answers", ["published_answers", "made_answers"])
def test_the_module_gives_the_outcomes_of_the_harness(module, answers, request):
    """It also runs the other tests of the module."""
    folder = request.getfixturevalue(answers)
    done = go(module, "go", "test", "-vet=off", "-v", ".", URLCONFORM_REPLAY=str(folder))
    assert done.returncode == 0, done.stdout[-5000:]
    for path in folder.glob("*.jsonl"):
        assert f"--- PASS: TestParity/{path.name}" in done.stdout


class Fault(NamedTuple):
    """A change of judge.go that takes a rule of RUNNER.md away."""

    rule: str
    right: str
    wrong: str


FAULTS = [
    Fault("1-no-answer", "if a.status != statusOK && a.status != statusReject {", "if false {"),
    Fault("2-reject", "return rightIf(a.status == statusReject) // rule 2", "return right"),
    Fault("3-accept", "return wrong // rule 3", "return right"),
    Fault("4-missing-field", "return wrong // rule 4", "return notOffered"),
    Fault(
        "5-url",
        "return got == expected || ignoreCase && folded(got) == folded(expected)",
        "return lower(got) == lower(expected)",
    ),
    Fault("6-equal", "return rightIf(content == expected.Equal) // rule 6", "return right"),
    Fault(
        "7-urls",
        "if !onlyFrom(expected[i], readings) {",
        "if !onlyFrom(expected[i], readings) && false {",
    ),
    Fault("8-several-readings", "j.best(c, withFirstReadings(c, a)) // rule 8", "j.best(c, a)"),
    Fault(
        "9-components",
        "if !sharesName(expected.parts(), got) {",
        "if !sharesName(expected.parts(), got) && false {",
    ),
    Fault("10-decoded", "return j.equalDecoded(name, admittedPart, content)", "return true"),
    Fault("11-not-exposed", "parts[name] = hiddenPart // rule 11", "parts[name] = rightPart"),
    Fault(
        "12-case",
        "return withLowerHost(expectedText) == withLowerHost(gotText)",
        "return lower(expectedText) == lower(gotText)",
    ),
    Fault(
        "13-lists-and-bytes",
        "if equalBytes(expected, got) { // rule 13",
        "if equalValues(expected, got) {",
    ),
    Fault(
        "14-absent-and-empty-in-the-RFC",
        "slices.Contains(orEmpty, name) {",
        "slices.Contains(orEmpty, name) && false {",
    ),
    Fault(
        "15-absent-and-empty-in-the-library",
        "slices.Contains(empty, name) {",
        "slices.Contains(empty, name) && false {",
    ),
    Fault("16-sum", "case wrongPart:\n\t\t\treturn wrong", "case wrongPart:"),
    Fault("17-derived-authority", "j.derivedAuthority(admittedPart, got) // rule 17", "hiddenPart"),
    Fault(
        "18-base",
        "if base != content && !j.bothNothing(base, content) {",
        "if base != content && false {",
    ),
    Fault("19-outcome", "return variant, name // rule 19", 'return pass, ""'),
    Fault("20-unlisted", 'return variant, "other" // rule 20', 'return fail, ""'),
]


@pytest.mark.long
@pytest.mark.parametrize("fault", FAULTS, ids=[fault.rule for fault in FAULTS])
def test_a_judge_without_a_rule_fails_the_test_of_the_rule(module, tmp_path, fault):
    source = (module / "judge.go").read_text("utf-8")
    assert fault.right in source
    faulty = tmp_path / "judge.go"
    faulty.write_text(source.replace(fault.right, fault.wrong, 1), "utf-8")
    overlay = tmp_path / "overlay.json"
    overlay.write_text(json.dumps({"Replace": {str(module / "judge.go"): str(faulty)}}), "utf-8")
    pattern = f"^TestRules$/^{fault.rule}$"
    done = go(module, "go", "test", "-vet=off", f"-overlay={overlay}", f"-run={pattern}", ".")
    assert f"--- FAIL: TestRules/{fault.rule}" in done.stdout


def test_each_rule_has_a_fault():
    assert [fault.rule.partition("-")[0] for fault in FAULTS] == numbers_of_rules()


# ---- the example


@pytest.mark.long
def test_the_example_passes_with_its_known_failures(module):
    done = go(module / "example", "go", "test", "-vet=off", "-v", ".")
    assert done.returncode == 0, done.stdout[-5000:]
    assert "--- SKIP: TestURL/rfc3986/" in done.stdout


@pytest.fixture
def example_without_known_failures(module, tmp_path):
    copy = shutil.copytree(module, tmp_path / "go")
    (copy / "example" / "testdata" / "urlconform.json").unlink()
    return copy / "example"


@pytest.mark.long
def test_the_example_fails_without_its_known_failures(example_without_known_failures):
    done = go(example_without_known_failures, "go", "test", "-vet=off", "-run=TestURL/rfc3986/4.4", ".")
    assert "--- FAIL: TestURL/rfc3986/4.4/" in done.stdout
    assert "RFC 3986, section 4.4, paragraph " in done.stdout


@pytest.mark.long
def test_the_example_writes_its_known_failures(example_without_known_failures):
    update = ("go", "test", "-vet=off", ".", "-urlconform.update")
    assert go(example_without_known_failures, *update).returncode == 0
    written = (example_without_known_failures / "testdata" / "urlconform.json").read_bytes()
    assert written == KNOWN_FAILURES.read_bytes()


def test_the_known_failures_of_the_example_are_a_baseline_of_the_command():
    file = read_baseline_file(KNOWN_FAILURES)
    assert file.baseline.schema == FORMAT
    assert file.is_canonical


def test_the_known_failures_of_the_example_are_of_this_corpus(corpus):
    """If not, run `go test . -urlconform.update` in the example, with the data of this corpus."""
    digests = {case.vector.id: vector_digest(case) for case in corpus.cases}
    entries = read_baseline_file(KNOWN_FAILURES).baseline.entries
    assert [entry.id for entry in entries if digests.get(entry.id) != entry.digest] == []


def test_the_example_fails_where_the_adapter_of_the_command_fails(corpus, computed_once):
    """The published answers of the adapter are of the same package, to cases that both can be asked."""
    recordings = computed_once("published-recordings", lambda: published_recordings(corpus.cases))
    listed = read_baseline_file(KNOWN_FAILURES).baseline.by_id()
    assert failures_of_one_side(corpus.cases, recordings["go-net-url"], listed) == []


# ---- the packed module


@pytest.mark.long
def test_a_new_project_tests_a_library_with_the_packed_module(go_is_installed, tmp_path):
    """The module is packed as packages/README.md says, and is smaller than 2 MB."""
    packed = tmp_path / "urlconform-go"
    subprocess.run([sys.executable, PACKAGES / "pack.py", "go", packed], check=True, capture_output=True)
    assert sum(path.stat().st_size for path in packed.rglob("*")) < 2_000_000
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(EXAMPLE / "url_test.go", project)
    account = re.search(r"github\.com/(.*?)/", (packed / "go.mod").read_text("utf-8"))[1]
    path = MODULE.format(account)
    assert go(project, "go", "mod", "init", "project").returncode == 0
    requirement = (f"-require={path}@v0.1.0", f"-replace={path}=../urlconform-go")
    assert go(project, "go", "mod", "edit", *requirement).returncode == 0
    done = go(project, "go", "test", "-vet=off", "-run=TestURL/rfc3986/5.4.1", ".")
    assert done.returncode == 0, done.stdout + done.stderr
