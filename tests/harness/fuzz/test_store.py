"""The folder of a campaign: findings on disk, resuming, what cannot be read."""

from __future__ import annotations

import json
from contextlib import closing

import msgspec
import pytest

from urlharness.fuzz.findings import CampaignFinding, Changes, Effect, GivenAnswer, TextOrigin
from urlharness.fuzz.store import (
    Campaign,
    Kept,
    Round,
    Store,
    StoreError,
    read_finding,
    read_known,
    repro,
    total,
)

ANSWERS = {"a": GivenAnswer("parsed", {"host": "x"}), "b": GivenAnswer("rejected", message="no")}
CAMPAIGN = Campaign("urlfuzz-1", ("a", "b"), "rfc3986", ("parse",), 1, True, False, "")


def finding(number=1, **fields):
    url = {"url": "//\\" * number}
    given = {"id": f"parse-host-x-{number}", "operation": "parse", "spec": "rfc3986", "adapters": ("a", "b"),
             "component": "host", "input": url, "answers": ANSWERS,
             "origin": TextOrigin(url, "token", 3), "class_": "backslash", "severity": "host",
             "cause": "defect", **fields}  # fmt: skip
    return CampaignFinding(**given)


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "out")) as made:
        yield made


def test_a_finding_has_a_folder(store, tmp_path):
    store.save(finding())
    folder = tmp_path / "out" / "parse-host-x-1"
    assert {path.name for path in folder.iterdir()} == {"input", "answers.json", "finding.json", "repro.sh"}
    assert (folder / "input").read_bytes() == b"//\\"
    assert json.loads((folder / "answers.json").read_bytes()) == {
        "a": {"kind": "parsed", "components": {"host": "x"}},
        "b": {"kind": "rejected", "message": "no"},
    }
    assert (folder / "repro.sh").read_text() == "#!/usr/bin/env bash\nurlconform ask -a a -a b -- '//\\'\n"
    assert (folder / "repro.sh").stat().st_mode & 0o111
    assert read_finding(folder) == finding() == store.findings()[0]


def test_a_pair_has_two_inputs(store, tmp_path):
    pair = {"base": "http://a/?b", "reference": "\t"}
    store.save(finding(operation="resolve", input=pair))
    assert (tmp_path / "out" / "parse-host-x-1" / "input.reference").read_bytes() == b"\t"
    assert repro(store.findings()[0]) == "urlconform ask -a a -a b --base 'http://a/?b' -- $'\\x09'"


def test_a_changed_finding_is_written_again(store):
    store.save(finding())
    changed = finding(effects=(Effect("path", None, {"url": "\\"}, {}),))
    store.save(changed)
    assert store.findings() == [changed]


def test_lists(store, tmp_path):
    """They have every finding, the most severe first."""
    for one in (finding(2, severity="path"), finding(1)):
        store.save(one)
    store.finish("a b/setup.cfg")
    lines = (tmp_path / "out" / "findings.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["parse-host-x-1", "parse-host-x-2"]
    run = json.loads((tmp_path / "out" / "findings.sarif").read_bytes())["runs"][0]
    assert [one["level"] for one in run["results"]] == ["error", "warning"]
    assert run["tool"]["driver"]["rules"][0]["id"] == "backslash"
    place = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == "a%20b/setup.cfg"
    assert read_known(tmp_path / "out" / "findings.jsonl") == read_known(tmp_path / "out")


def test_a_removed_finding_is_gone(store):
    store.save(finding())
    store.remove(finding())
    assert store.findings() == []


ROUND = Round(8, 2000, (Kept(0, "a\ud7ff\uffff", "shape", (1, 2)),), Changes())


def reopened(folder, campaign=CAMPAIGN):
    with closing(Store(folder)) as store:
        return store.resume(campaign)


def test_resuming(store, tmp_path):
    assert store.resume(CAMPAIGN) == []
    store.write_round(ROUND)
    store.close()
    assert reopened(tmp_path / "out") == [ROUND]


def test_an_incomplete_round_is_cut_off(store, tmp_path):
    store.resume(CAMPAIGN)
    store.write_round(ROUND)
    store.close()
    journal = tmp_path / "out" / "journal.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + whole.splitlines()[1][:20])
    assert reopened(tmp_path / "out") == [ROUND]
    assert journal.read_bytes() == whole
    journal.write_bytes(whole[:10])
    assert reopened(tmp_path / "out") == []


def test_another_campaign_is_refused(store, tmp_path):
    store.resume(CAMPAIGN)
    store.close()
    other = Campaign("urlfuzz-1", ("a", "c"), "rfc3986", ("parse",), 2, True, False, "")
    with pytest.raises(StoreError, match="has other adapters and seed; choose another folder"):
        reopened(tmp_path / "out", other)
    unfolded = msgspec.structs.replace(CAMPAIGN, seed=2, fold=True)  # which may follow from the seed
    with pytest.raises(StoreError, match="has other seed; choose"):
        reopened(tmp_path / "out", unfolded)


def test_one_campaign_at_a_time(store, tmp_path):
    with pytest.raises(StoreError, match="another campaign writes"):
        Store(tmp_path / "out")


def test_what_cannot_be_read(tmp_path):
    (tmp_path / "x.jsonl").write_text("{}\n")
    with pytest.raises(StoreError, match=r"x\.jsonl: .*missing required field"):
        read_known(tmp_path / "x.jsonl")
    with pytest.raises(StoreError, match="not the folder of a campaign"):
        read_known(tmp_path)
    with pytest.raises(StoreError, match="no such file"):
        read_finding(tmp_path / "none")


def test_a_full_disk_names_the_file(store, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("urlharness.fuzz.store.write_atomically", full)
    with pytest.raises(OSError, match="No space left") as caught:
        store.save(finding())
    assert "parse-host-x-1" in caught.value.filename
    assert store.findings() == []


def test_total():
    assert total([finding(1), finding(2), finding(3, class_=None)]) == {"backslash": 2, "no-class": 1}
