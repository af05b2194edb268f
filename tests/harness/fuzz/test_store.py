"""The folder of a campaign: findings on disk, resuming, what cannot be read."""

from __future__ import annotations

import errno
import json
from contextlib import closing

import msgspec
import pytest

from urlharness.fuzz import DamageError
from urlharness.fuzz.findings import CampaignFinding, Changes, Effect, TextOrigin
from urlharness.fuzz.store import (
    SCHEMA,
    Campaign,
    PoolText,
    Round,
    Store,
    StoreError,
    count_classes,
    read_finding,
    read_known,
    repro_command,
)
from urlharness.jsonio import ascii_line
from urlharness.panel.answer import Answer
from urlharness.system.files import OutsideError

ANSWERS = {"a": Answer("parsed", {"host": "x"}), "b": Answer("rejected", message="no")}
CAMPAIGN = Campaign(SCHEMA, ("a", "b"), "rfc3986", ("parse",), 1, True, False, "")


def finding(number=1, **fields):
    url = {"url": "//\\" * number}
    defaults = {
        "id": f"parse-host-x-{number}",
        "operation": "parse",
        "spec": "rfc3986",
        "adapters": ("a", "b"),
        "component": "host",
        "input": url,
        "answers": ANSWERS,
        "origin": TextOrigin(url, "token", 3),
        "class_": "backslash",
        "severity": "host",
        "cause": "defect",
    }
    return CampaignFinding(**{**defaults, **fields})


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "out")) as store:
        yield store


def test_a_finding_has_a_folder(store, tmp_path):
    store.save(finding())
    folder = tmp_path / "out" / "parse-host-x-1"
    assert {path.name for path in folder.iterdir()} == {"input", "finding.json", "repro.sh"}
    assert (folder / "input").read_bytes() == b"//\\"
    assert json.loads((folder / "finding.json").read_bytes())["answers"] == {
        "a": {"kind": "parsed", "components": {"host": "x"}},
        "b": {"kind": "rejected", "message": "no"},
    }
    assert (folder / "repro.sh").read_text() == "#!/usr/bin/env bash\nurlconform ask -a a -a b -- '//\\'\n"
    assert (folder / "repro.sh").stat().st_mode & 0o111
    assert read_finding(folder) == finding()
    assert store.read_findings() == [finding()]


def test_a_pair_has_two_inputs(store, tmp_path):
    pair = {"base": "http://a/?b", "reference": "\t"}
    store.save(finding(operation="resolve", input=pair, origin=TextOrigin(pair)))
    assert (tmp_path / "out" / "parse-host-x-1" / "input.reference").read_bytes() == b"\t"
    assert (
        repro_command(store.read_findings()[0]) == "urlconform ask -a a -a b --base 'http://a/?b' -- $'\\x09'"
    )


def test_a_changed_finding_is_written_again(store):
    store.save(finding())
    changed = finding(effects=(Effect("path", None, {"url": "\\"}, {}),))
    store.save(changed)
    assert store.read_findings() == [changed]


@pytest.fixture
def store_with_location(tmp_path):
    with closing(Store(tmp_path / "out", "a b/setup.cfg")) as store:
        yield store


def test_the_list_has_every_finding_the_most_severe_first(store, tmp_path):
    store.save(finding(2, severity="path"))
    store.save(finding(1))
    store.write_lists()
    lines = (tmp_path / "out" / "findings.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["parse-host-x-1", "parse-host-x-2"]
    assert read_known(tmp_path / "out" / "findings.jsonl") == read_known(tmp_path / "out")


def test_the_sarif_log_has_every_finding_with_its_level_and_location(store_with_location, tmp_path):
    store_with_location.save(finding(2, severity="path"))
    store_with_location.save(finding(1))
    store_with_location.write_lists()
    run = json.loads((tmp_path / "out" / "findings.sarif").read_bytes())["runs"][0]
    assert [sarif_result["level"] for sarif_result in run["results"]] == ["error", "warning"]
    assert run["tool"]["driver"]["rules"][0]["id"] == "backslash"
    location = run["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "a%20b/setup.cfg"


def test_lists_are_made_from_the_files_of_findings(store, tmp_path):
    store.save(finding())
    changed = finding(cause="allowed by the RFC")
    path = tmp_path / "out" / changed.id / "finding.json"
    path.write_bytes(msgspec.json.encode(changed))
    store.write_lists()
    assert read_known(tmp_path / "out" / "findings.jsonl") == [changed]


ROUND = Round(8, 2000, (PoolText(0, "a\ud7ff\uffff", "shape", (1, 2)),), Changes())


def reopened(folder, campaign=CAMPAIGN):
    with closing(Store(folder)) as store:
        return store.resume(campaign)


def test_a_campaign_is_resumed_with_its_rounds(store, tmp_path):
    assert store.resume(CAMPAIGN) == []
    store.write_round(ROUND)
    store.close()
    assert reopened(tmp_path / "out") == [ROUND]


@pytest.fixture
def journal(store, tmp_path):
    """The journal of a campaign with one round, which is not open."""
    store.resume(CAMPAIGN)
    store.write_round(ROUND)
    store.close()
    return tmp_path / "out" / "journal.jsonl"


def test_an_incomplete_round_is_cut_off(journal):
    complete = journal.read_bytes()
    _campaign_line, round_line = complete.splitlines()
    half_a_line = round_line[: len(round_line) // 2]
    journal.write_bytes(complete + half_a_line)
    assert reopened(journal.parent) == [ROUND]
    assert journal.read_bytes() == complete


def test_a_journal_whose_first_line_is_incomplete_begins_anew(journal):
    first_line, _, _ = journal.read_bytes().partition(b"\n")
    journal.write_bytes(first_line[: len(first_line) // 2])
    assert reopened(journal.parent) == []


def test_another_campaign_is_refused(store, tmp_path):
    store.resume(CAMPAIGN)
    store.close()
    changed = Campaign(SCHEMA, ("a", "c"), "rfc3986", ("parse",), 2, True, False, "")
    with pytest.raises(StoreError, match="has other adapters and seed; choose another folder"):
        reopened(tmp_path / "out", changed)
    unfolded = msgspec.structs.replace(CAMPAIGN, seed=2, fold=True)  # which may follow from the seed
    with pytest.raises(StoreError, match="has other seed; choose"):
        reopened(tmp_path / "out", unfolded)


def test_a_campaign_of_an_earlier_version_is_refused(store, tmp_path):
    (tmp_path / "out" / "journal.jsonl").write_text('{"schema":"urlfuzz-1","adapters":["a","b"]}\n')
    with pytest.raises(StoreError, match="of an earlier version; choose another folder with --out"):
        store.resume(CAMPAIGN)


def test_a_folder_is_written_by_one_campaign_at_a_time(store, tmp_path):
    with pytest.raises(StoreError, match="another campaign writes"):
        Store(tmp_path / "out")


def test_a_folder_without_a_campaign_is_refused(tmp_path):
    with pytest.raises(StoreError, match="not the folder of a campaign"):
        read_known(tmp_path)


def test_a_missing_finding_is_named(tmp_path):
    with pytest.raises(StoreError, match="no such file"):
        read_finding(tmp_path / "none")


# A folder that someone else has made.


@pytest.fixture
def victim(tmp_path):
    """A folder beside that of the campaign, which nothing may touch."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "finding.json").write_text("theirs")
    yield tmp_path / "victim"
    assert [path.name for path in (tmp_path / "victim").iterdir()] == ["finding.json"]
    assert (tmp_path / "victim" / "finding.json").read_text() == "theirs"


def json_of(**fields):
    """Return a finding as JSON data, with other fields."""
    return {**msgspec.to_builtins(finding()), **fields}


#: Fields of a finding that no campaign writes, and a part of the message.
NO_FINDING = [
    pytest.param({"id": "../../victim"}, "matching regex", id="id-out"),
    pytest.param({"id": "/tmp/x"}, "matching regex", id="id-absolute"),
    pytest.param({"id": "parse-a/../../../victim"}, "matching regex", id="id-through"),
    pytest.param({"id": "journal.jsonl"}, "matching regex", id="id-journal"),
    pytest.param({"id": "parse-a\n"}, "matching regex", id="id-line-end"),
    pytest.param({"id": "parse-" + "a" * 300}, "length", id="id-long"),
    pytest.param({"input": {}}, "an input of parse must have url", id="no-input"),
    pytest.param({"input": {"/../../x": "a", "url": "a"}}, "and nothing else", id="input-out"),
    pytest.param({"operation": "resolve"}, "must have base and reference", id="input-of-another"),
    pytest.param({"origin": {"input": {"base": "a"}}}, "an input of parse", id="origin"),
    pytest.param(
        {"effects": [{"component": "x", "class": None, "input": {}, "answers": {}}]}, "an input", id="effect"
    ),
    pytest.param({"adapters": ["a"]}, "fewer than two adapters", id="adapters"),
    pytest.param({"adapters": ["a", "c"]}, "an answer of 'b'", id="answers"),
    pytest.param({"spec": "rfc9"}, "no specification named 'rfc9'", id="specification"),
]


@pytest.mark.parametrize(("fields", "message"), NO_FINDING)
def test_a_finding_that_no_campaign_writes_is_refused(tmp_path, fields, message):
    folder = tmp_path / "out" / "parse-host-x-1"
    folder.mkdir(parents=True)
    (folder / "finding.json").write_text(json.dumps(json_of(**fields)))
    with pytest.raises(DamageError) as caught:
        read_known(tmp_path / "out")
    assert str(caught.value).startswith(f"{folder}/finding.json: ")
    assert message in str(caught.value)


@pytest.mark.parametrize(("fields", "message"), NO_FINDING)
def test_a_list_with_a_finding_that_no_campaign_writes_is_refused(tmp_path, fields, message):
    path = tmp_path / "findings.jsonl"
    path.write_text(f"{json.dumps(json_of())}\n{json.dumps(json_of(**fields))}\n")
    with pytest.raises(DamageError) as caught:
        read_known(path)
    assert str(caught.value).startswith(f"{path}:2: ")
    assert message in str(caught.value)


#: The content of a file, and a part of the message.
NO_JSON = [
    pytest.param(b"", "truncated", id="empty"),
    pytest.param(b"{}", "missing required field", id="no-field"),
    pytest.param(b'{"a":' * 100_000, "nested too deeply", id="deep"),
    pytest.param(b'{"id": "\xff"}', "", id="no-utf-8"),
    pytest.param(b'{"id": "\\ud800"}', "", id="surrogate"),
    pytest.param(b"[]", "Expected `object`", id="list"),
]


@pytest.mark.parametrize(("content", "message"), NO_JSON)
def test_a_damaged_finding_is_refused(tmp_path, content, message):
    (tmp_path / "finding.json").write_bytes(content)
    with pytest.raises(DamageError) as caught:
        read_finding(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/finding.json: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["finding.json", ""])
def test_a_linked_finding_is_not_read(tmp_path, victim, name):
    folder = tmp_path / "out" / "parse-host-x-1"
    (folder if name else folder.parent).mkdir(parents=True)
    (folder / name).symlink_to(victim / name)
    with pytest.raises(DamageError, match="a symbolic link, which is not followed"):
        read_known(tmp_path / "out")


#: A line of a journal, and a part of the message.
BAD_ROUNDS = [
    *NO_JSON[1:],
    pytest.param(
        ascii_line(Round(8, 9, (PoolText(7, "a", "b", ()),), Changes())), "an operation that", id="track"
    ),
    pytest.param(ascii_line(Round(8, 9, (PoolText(-1, "a", "b", ()),), Changes())), ">= 0", id="no-track"),
    pytest.param(b'{"shards":1e30,"cases":1,"kept":[],"changes":{}}', "`int`", id="shards"),
    pytest.param(ascii_line(Round(10**18, 9, (), Changes())), "<=", id="more-shards"),
    pytest.param(ascii_line(Round(8, -9, (), Changes())), ">= 0", id="cases"),
    pytest.param(ascii_line(Round(8, 9, (), Changes({"../../x": 1}))), "matching regex", id="id-out"),
    pytest.param(ascii_line(Round(8, 9, (), Changes({"parse-x": -1}))), ">= 0", id="no-effects"),
    pytest.param(ascii_line(Round(8, 9, (), Changes({"parse-x": 99}))), "<= 20", id="more-effects"),
    pytest.param(ascii_line(Round(8, 9, (), Changes(counts={"x": -1}))), ">= 0", id="count"),
]


@pytest.mark.parametrize(("line", "message"), BAD_ROUNDS)
def test_a_damaged_journal_is_refused_and_not_changed(store, tmp_path, line, message):
    store.resume(CAMPAIGN)
    store.write_round(ROUND)
    store.close()
    journal = tmp_path / "out" / "journal.jsonl"
    whole = journal.read_bytes() + line.strip() + b"\n"
    journal.write_bytes(whole)
    with pytest.raises(DamageError) as caught:
        reopened(tmp_path / "out")
    assert str(caught.value).startswith(f"{journal}:3: ")
    assert message in str(caught.value)
    assert journal.read_bytes() == whole


def test_a_finding_with_the_id_of_another_folder_is_not_saved(store, victim):
    with pytest.raises(OutsideError, match="not the name of a file"):
        store.save(finding(id="../victim"))


#: Links in the folder of a campaign.
LINKS = ["parse-host-x-1", "parse-host-x-1/finding.json", "findings.jsonl", "findings.sarif"]


@pytest.mark.parametrize("name", LINKS)
def test_a_finding_is_not_saved_through_a_link(store, tmp_path, victim, name):
    path = tmp_path / "out" / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(victim if name == "parse-host-x-1" else victim / "finding.json")

    def save():
        store.save(finding())
        store.write_lists()

    with pytest.raises(OutsideError, match="a symbolic link"):
        save()


def test_the_remains_of_an_interrupted_process_are_no_way_out(store, tmp_path, victim):
    (tmp_path / "out" / ".parse-host-x-1").symlink_to(victim)
    with pytest.raises(OutsideError, match="a symbolic link"):
        store.save(finding())


@pytest.mark.parametrize("name", ["victim/finding.json", "victim/new.json"])
def test_a_linked_journal_is_not_opened(tmp_path, victim, name):
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "journal.jsonl").symlink_to(tmp_path / name)
    with pytest.raises(OutsideError, match="a symbolic link"):
        Store(tmp_path / "planted")


def test_a_full_disk_names_the_file(store, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("urlharness.fuzz.store.write_atomically", full)
    with pytest.raises(OSError, match="No space left") as caught:
        store.save(finding())
    assert "parse-host-x-1" in caught.value.filename
    assert store.read_findings() == []


def test_findings_are_counted_by_class():
    assert count_classes([finding(1), finding(2), finding(3, class_=None)]) == {"backslash": 2, "no-class": 1}
