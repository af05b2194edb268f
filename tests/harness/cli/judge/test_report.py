"""`urlconform report`: it reads a results file, and does not write it."""

from __future__ import annotations

from urlharness.exitcodes import Exit

ONE_VECTOR = ("--spec", "1808", "-k", "5.1-segment")


def test_a_report_does_not_overwrite_its_results(urlconform, tmp_path):
    urlconform("run", "urllib", *ONE_VECTOR, "--report", "json=r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    done = urlconform("report", "r.jsonl", "--report", "html=r.jsonl")
    assert "would overwrite the results file" in done.stderr
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "r.jsonl").read_bytes() == before


def test_json_is_written_by_run_alone(urlconform):
    done = urlconform("report", "r.jsonl", "--report", "json=x")
    assert "json is the results file, which `run` writes" in done.stderr
    assert done.returncode == Exit.USAGE
