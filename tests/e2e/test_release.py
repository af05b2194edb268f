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


def test_a_release_follows_tests_and_build(release, workflow):
    jobs = release["jobs"]
    assert release[True] == {"push": {"tags": ["v*"]}}
    assert jobs["publish"]["needs"] == ["test", "build", "native"]
    assert jobs["test"]["uses"] == "./.github/workflows/ci.yml"
    assert "workflow_call" in workflow(".github/workflows/ci.yml")[True]


def test_only_one_job_can_publish(release):
    """It uses a short-lived token, checks out nothing and runs no script."""
    assert release["permissions"] == {}
    writing = {name for name, job in release["jobs"].items() if "write" in job["permissions"].values()}
    assert writing == {"publish"}
    publish = release["jobs"]["publish"]
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["environment"] == "pypi"
    assert [step["uses"].partition("@")[0] for step in publish["steps"]] == [
        "actions/download-artifact",
        "pypa/gh-action-pypi-publish",
    ]
    assert "password" not in str(release)


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
    """It has no Python for Debian."""
    jobs = workflow(str(path.relative_to(ROOT)))["jobs"]
    in_containers = {name: job for name, job in jobs.items() if "container" in job}
    assert [name for name, job in in_containers.items() if "actions/setup-python" in str(job)] == []


def steps_of(content):
    return [step for job in content["jobs"].values() for step in job.get("steps", ())]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_scripts_have_no_expressions_of_others(path, workflow):
    scripts = [step.get("run", "") for step in steps_of(workflow(str(path.relative_to(ROOT))))]
    assert set(re.findall(r"\$\{\{\s*(\w*)", "\n".join(scripts))) <= {"matrix"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_every_action_has_a_version(path, workflow):
    actions = [step["uses"] for step in steps_of(workflow(str(path.relative_to(ROOT)))) if "uses" in step]
    assert [name for name in actions if not re.search(r"@(v\d+(\.\d+)?|release/v\d+)$", name)] == []


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
def test_the_tag_is_the_version(release, runner, tag, heading, code, message):
    (step,) = [step for step in release["jobs"]["build"]["steps"] if "TAG" in step.get("env", {})]
    shutil.copy(ROOT / "pyproject.toml", runner.folder)
    (runner.folder / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", "utf-8")
    done = runner.run(step, {"github.ref_name": tag})
    assert message in done.stderr
    assert done.returncode == code
    assert not (runner.folder / "injected").exists()


def test_the_built_files_are_published(release):
    """One folder, built once: checked, installed afresh and gated before it is handed on."""
    steps = release["jobs"]["build"]["steps"]
    names = [step.get("name") or step["uses"].partition("@")[0] for step in steps]
    assert names[-3:] == ["Build", "The wheel is whole", "actions/upload-artifact"]
    assert steps[-1]["with"]["if-no-files-found"] == "error"
    assert steps[-1]["with"]["path"] == release["jobs"]["publish"]["steps"][0]["with"]["path"] == "dist"
