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
def test_workflows_limit_permissions_and_time(path, workflow):
    """Permissions are named, jobs end, actions have a version, and scripts have no expressions of others."""
    content = workflow(str(path.relative_to(ROOT)))
    assert "permissions" in content
    for job in content["jobs"].values():
        assert "container" not in job or "actions/setup-python" not in str(job)  # it has none for Debian
        assert "uses" in job or job["timeout-minutes"] <= (240 if path.name == "long.yml" else 30)
        for step in job.get("steps", ()):
            expressions = re.findall(r"\$\{\{\s*(\w*)", step.get("run", ""))
            assert set(expressions) <= {"matrix"}
            assert "uses" not in step or re.search(r"@(v\d+(\.\d+)?|release/v\d+)$", step["uses"])


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
