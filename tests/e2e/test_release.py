"""The workflows of this project: permissions, and a release of what was tested."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture
def release(workflow):
    """The workflow of a release."""
    return workflow(".github/workflows/release.yml")


#: The key `on` of a workflow, which YAML 1.1 reads as a truth value.
ON = True


def test_a_tag_of_a_version_is_released(release):
    assert release[ON] == {"push": {"tags": ["v*"]}}


def test_nothing_is_published_before_the_tests_and_the_builds(release):
    assert release["jobs"]["publish"]["needs"] == ["test", "build", "native"]


def test_the_tests_of_a_release_are_those_of_every_change(release, workflow):
    assert release["jobs"]["test"]["uses"] == "./.github/workflows/ci.yml"
    assert "workflow_call" in workflow(".github/workflows/ci.yml")[ON]


def test_only_the_jobs_that_publish_can_write(release):
    """The Go module is published by the tag of a commit with its data."""
    assert release["permissions"] == {}
    writing = {name for name, job in release["jobs"].items() if "write" in job["permissions"].values()}
    assert writing == {"go-module", "publish"}


def test_the_go_module_has_no_tag_before_the_tests_and_the_build(release):
    assert release["jobs"]["go-module"]["needs"] == ["test", "build"]


def test_the_go_module_gets_the_tag_of_its_folder_on_a_commit_with_its_data(release, runner):
    step = release["jobs"]["go-module"]["steps"][-1]
    for name in ("python3", "git"):
        runner.stub(name, writes_results=False)
    for name in ("pip", "python"):
        program = runner.folder / "pack" / "bin" / name
        program.parent.mkdir(parents=True, exist_ok=True)
        program.symlink_to(runner.world / "bin" / "git")
    done = runner.run(step, {"github.ref_name": "v1.2.3"})
    assert done.returncode == 0, done.stderr
    calls = runner.calls("git")
    assert ["add", "--force", "packages/go/bundle"] in calls
    assert calls[-2:] == [["tag", "packages/go/v1.2.3"], ["push", "origin", "packages/go/v1.2.3"]]


def test_the_job_that_publishes_uses_a_short_lived_token(release):
    publish = release["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    assert "password" not in str(release)


def test_the_job_that_publishes_checks_out_nothing_and_runs_no_script(release):
    assert [step["uses"].partition("@")[0] for step in release["jobs"]["publish"]["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_its_permissions(path, workflow):
    assert "permissions" in workflow(str(path.relative_to(ROOT)))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_time_of_every_job_is_limited(path, workflow):
    limit = 240 if path.name == "long.yml" else 30  # minutes
    jobs = workflow(str(path.relative_to(ROOT)))["jobs"]
    own_jobs = {name: job for name, job in jobs.items() if "uses" not in job}
    assert [name for name, job in own_jobs.items() if job["timeout-minutes"] > limit] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_no_job_in_a_container_uses_setup_python(path, workflow):
    """The action `setup-python` has no Python for Debian."""
    jobs = workflow(str(path.relative_to(ROOT)))["jobs"]
    in_containers = {name: job for name, job in jobs.items() if "container" in job}
    assert [name for name, job in in_containers.items() if "actions/setup-python" in str(job)] == []


def steps_of(content):
    """Return the steps of all jobs of a workflow."""
    return [step for job in content["jobs"].values() for step in job.get("steps", ())]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_the_only_expressions_in_scripts_are_those_of_the_matrix(path, workflow):
    """Other expressions may have texts that people outside of the project write."""
    scripts = [step.get("run", "") for step in steps_of(workflow(str(path.relative_to(ROOT))))]
    assert set(re.findall(r"\$\{\{\s*(\w*)", "\n".join(scripts))) <= {"matrix"}


#: A tag of an action, such as v4 or v1.2, or the branch of its releases, such as release/v1.
VERSION_OF_ACTION = re.compile(r"v\d+(\.\d+)?|release/v\d+")


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_has_a_version(path, workflow):
    actions = [step["uses"] for step in steps_of(workflow(str(path.relative_to(ROOT)))) if "uses" in step]
    without_version = [
        action for action in actions if not VERSION_OF_ACTION.fullmatch(action.partition("@")[2])
    ]
    assert without_version == []


@pytest.mark.parametrize(
    ("tag", "heading", "code", "message"),
    [
        pytest.param(f"v{VERSION}", f"## {VERSION} (2030-01-01)", 0, "", id="fits"),
        pytest.param(f"v{VERSION}", f"## {VERSION}", 0, "", id="no-date"),
        pytest.param(f"v{VERSION}", "## Unreleased", 1, "CHANGELOG.md has no heading", id="no-heading"),
        pytest.param(f"v{VERSION}", f"## {VERSION}0", 1, "CHANGELOG.md has no heading", id="longer"),
        pytest.param("v9.9.9", f"## {VERSION}", 1, "the tag is v9.9.9", id="other-tag"),
        pytest.param("v$(touch injected)", f"## {VERSION}", 1, "the tag is v$(touch injected)", id="hostile"),
    ],
)
def test_a_release_needs_the_version_as_its_tag_and_a_heading_of_the_changelog(
    release, runner, tag, heading, code, message
):
    (step,) = [step for step in release["jobs"]["build"]["steps"] if "TAG" in step.get("env", {})]
    shutil.copy(ROOT / "pyproject.toml", runner.folder)
    (runner.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", "utf-8")
    done = runner.run(step, {"github.ref_name": tag})
    assert message in done.stderr
    assert done.returncode == code
    assert not (runner.folder / "injected").exists()


def test_a_build_is_checked_before_it_is_handed_on(release):
    steps = release["jobs"]["build"]["steps"]
    names = [step.get("name") or step["uses"].partition("@")[0] for step in steps]
    assert names[-3:] == ["Build", "The wheel is whole", "actions/upload-artifact"]


def test_what_is_published_is_what_was_built(release):
    upload = release["jobs"]["build"]["steps"][-1]
    download = release["jobs"]["publish"]["steps"][0]
    assert upload["with"]["if-no-files-found"] == "error"
    assert upload["with"]["path"] == "dist"
    assert download["with"]["path"] == "dist"
