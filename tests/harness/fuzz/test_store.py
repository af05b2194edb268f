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
CAMPAIGN = Campaign(
    SCHEMA,
    adapters=("a", "b"),
    spec="rfc3986",
    operations=("parse",),
    seed=1,
    feedback=True,
    fold=False,
    texts="",
)


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


@pytest.fixture
def finding_folder(store, tmp_path):
    """The folder of a saved finding."""
    store.save(finding())
    return tmp_path / "out" / "parse-host-x-1"


def test_a_saved_finding_is_read_from_its_folder(store, finding_folder):
    assert read_finding(finding_folder) == finding()
    assert store.read_findings() == [finding()]


def test_the_folder_of_a_finding_has_three_files(finding_folder):
    assert {path.name for path in finding_folder.iterdir()} == {"input", "finding.json", "repro.sh"}


def test_a_finding_has_the_bytes_of_its_input(finding_folder):
    assert (finding_folder / "input").read_bytes() == b"//\\"


def test_a_finding_has_the_answers_as_json(finding_folder):
    assert json.loads((finding_folder / "finding.json").read_bytes())["answers"] == {
        "a": {"kind": "parsed", "components": {"host": "x"}},
        "b": {"kind": "rejected", "message": "no"},
    }


def test_a_finding_has_a_script_that_asks_again(finding_folder):
    script = finding_folder / "repro.sh"
    assert script.read_text() == "#!/usr/bin/env bash\nurlconform ask -a a -a b -- '//\\'\n"
    assert script.stat().st_mode & 0o111 == 0o111


@pytest.fixture
def saved_pair(store, tmp_path):
    """The folder of a saved finding of a base and a reference."""
    pair = {"base": "http://a/?b", "reference": "\t"}
    store.save(finding(operation="resolve", input=pair, origin=TextOrigin(pair)))
    return tmp_path / "out" / "parse-host-x-1"


def test_a_pair_has_two_inputs(saved_pair):
    assert (saved_pair / "input.base").read_bytes() == b"http://a/?b"
    assert (saved_pair / "input.reference").read_bytes() == b"\t"


def test_a_pair_is_asked_again_with_its_base(saved_pair):
    assert (
        repro_command(read_finding(saved_pair)) == "urlconform ask -a a -a b --base 'http://a/?b' -- $'\\x09'"
    )


def test_a_changed_finding_is_written_again(store):
    store.save(finding())
    changed = finding(effects=(Effect("path", None, {"url": "\\"}, {}),))
    store.save(changed)
    assert store.read_findings() == [changed]


@pytest.fixture
def lists(tmp_path):
    """The folder with the lists of two findings, whose file in code scanning is `a b/setup.cfg`."""
    with closing(Store(tmp_path / "out", "a b/setup.cfg")) as store:
        store.save(finding(2, severity="path"))
        store.save(finding(1))
        store.write_lists()
    return tmp_path / "out"


def test_the_list_has_every_finding_the_most_severe_first(lists):
    lines = (lists / "findings.jsonl").read_text().splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["parse-host-x-1", "parse-host-x-2"]


def test_the_list_is_read_as_the_folder_is(lists):
    assert read_known(lists / "findings.jsonl") == read_known(lists)


@pytest.fixture
def sarif_run(lists):
    """The run of the SARIF log."""
    (run,) = json.loads((lists / "findings.sarif").read_bytes())["runs"]
    return run


def test_the_sarif_log_has_every_finding_with_its_level(sarif_run):
    assert [finding["level"] for finding in sarif_run["results"]] == ["error", "warning"]


def test_the_sarif_log_has_a_rule_for_each_class(sarif_run):
    assert [rule["id"] for rule in sarif_run["tool"]["driver"]["rules"]] == ["backslash"]


def test_the_sarif_log_has_the_location_of_the_campaign(sarif_run):
    locations = [location for finding in sarif_run["results"] for location in finding["locations"]]
    names = {location["physicalLocation"]["artifactLocation"]["uri"] for location in locations}
    assert names == {"a%20b/setup.cfg"}


def test_lists_are_made_from_the_files_of_findings(store, tmp_path):
    store.save(finding())
    changed = finding(cause="allowed by the RFC")
    path = tmp_path / "out" / changed.id / "finding.json"
    path.write_bytes(msgspec.json.encode(changed))
    store.write_lists()
    assert read_known(tmp_path / "out" / "findings.jsonl") == [changed]


TRACK = 0  # the only operation of the campaign
ROUND = Round(
    shards=8,
    cases=2000,
    kept=(PoolText(TRACK, "a\ud7ff\uffff", "shape", codes=(1, 2)),),
    changes=Changes(),
)


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


@pytest.mark.parametrize(
    ("fields", "difference"),
    [
        pytest.param({"adapters": ("a", "c"), "seed": 2}, "other adapters and seed", id="adapters-and-seed"),
        # whether spellings are folded may follow from the seed
        pytest.param({"seed": 2, "fold": True}, "other seed", id="seed-and-fold"),
    ],
)
def test_a_campaign_with_other_settings_than_those_of_the_journal_is_refused(journal, fields, difference):
    with pytest.raises(StoreError, match=f"has {difference}; choose another folder"):
        reopened(journal.parent, msgspec.structs.replace(CAMPAIGN, **fields))


def test_a_campaign_of_an_earlier_version_is_refused(store, tmp_path):
    (tmp_path / "out" / "journal.jsonl").write_text('{"schema":"urlfuzz-1","adapters":["a","b"]}\n')
    with pytest.raises(StoreError, match="of an earlier version; choose another folder with --out"):
        store.resume(CAMPAIGN)


@pytest.mark.usefixtures("store")
def test_a_folder_is_written_by_one_campaign_at_a_time(tmp_path):
    with pytest.raises(StoreError, match="another campaign writes"):
        Store(tmp_path / "out")


@pytest.mark.usefixtures("without_locks")
def test_a_campaign_needs_no_locks_of_the_file_system(tmp_path):
    with closing(Store(tmp_path / "out")) as store:
        assert store.resume(CAMPAIGN) == []


def test_a_folder_without_a_campaign_is_refused(tmp_path):
    with pytest.raises(StoreError, match="not the folder of a campaign"):
        read_known(tmp_path)


def test_a_missing_finding_is_named(tmp_path):
    with pytest.raises(StoreError, match="no such file") as caught:
        read_finding(tmp_path / "none")
    assert str(caught.value).startswith(f"{tmp_path / 'none'}")


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


#: The content of a damaged file, and a part of the message.
DAMAGED = [
    pytest.param(b"", "truncated", id="empty"),
    pytest.param(b"{}", "missing required field", id="no-field"),
    pytest.param(b'{"a":' * 100_000, "nested too deeply", id="deep"),
    pytest.param(b'{"id": "\xff"}', "utf-8", id="no-utf-8"),
    pytest.param(b'{"id": "\\ud800"}', "truncated", id="surrogate"),
    pytest.param(b"[]", "Expected `object`", id="list"),
]


@pytest.mark.parametrize(("content", "message"), DAMAGED)
def test_a_damaged_finding_is_refused(tmp_path, content, message):
    (tmp_path / "finding.json").write_bytes(content)
    with pytest.raises(DamageError) as caught:
        read_finding(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path}/finding.json: ")
    assert message.lower() in str(caught.value).lower()


def test_a_linked_finding_is_not_read(tmp_path, victim):
    folder = tmp_path / "out" / "parse-host-x-1"
    folder.mkdir(parents=True)
    (folder / "finding.json").symlink_to(victim / "finding.json")
    with pytest.raises(DamageError, match="a symbolic link, which is not followed"):
        read_known(tmp_path / "out")


def test_a_linked_folder_of_a_finding_is_not_read(tmp_path, victim):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "parse-host-x-1").symlink_to(victim)
    with pytest.raises(DamageError, match="a symbolic link, which is not followed"):
        read_known(tmp_path / "out")


def _round_with(changes):
    """Return a round with changes of the register."""
    return Round(shards=8, cases=9, kept=(), changes=changes)


#: A line of a journal, and a part of the message.
BAD_ROUNDS = [
    pytest.param(b"{}", "missing required field", id="no-field"),
    pytest.param(b'{"a":' * 100_000, "nested too deeply", id="deep"),
    pytest.param(b"[]", "Expected `object`", id="list"),
    pytest.param(ascii_line(ROUND).replace(b"shape", b"\xff"), "utf-8", id="no-utf-8"),
    pytest.param(ascii_line(ROUND).replace(b"shape", b"\\ud800"), "surrogate pair", id="surrogate"),
    pytest.param(
        ascii_line(Round(8, 9, (PoolText(7, "a", "shape", codes=()),), Changes())),
        "an operation that",
        id="track",
    ),
    pytest.param(
        ascii_line(Round(8, 9, (PoolText(-1, "a", "shape", codes=()),), Changes())), ">= 0", id="no-track"
    ),
    pytest.param(b'{"shards":1e30,"cases":1,"kept":[],"changes":{}}', "`int`", id="shards"),
    pytest.param(
        ascii_line(Round(shards=10**18, cases=9, kept=(), changes=Changes())), "<=", id="more-shards"
    ),
    pytest.param(ascii_line(Round(shards=8, cases=-9, kept=(), changes=Changes())), ">= 0", id="cases"),
    pytest.param(ascii_line(_round_with(Changes({"../../x": 1}))), "matching regex", id="id-out"),
    pytest.param(ascii_line(_round_with(Changes({"parse-x": -1}))), ">= 0", id="no-effects"),
    pytest.param(ascii_line(_round_with(Changes({"parse-x": 99}))), "<= 20", id="more-effects"),
    pytest.param(ascii_line(_round_with(Changes(counts={"x": -1}))), ">= 0", id="count"),
]


@pytest.mark.parametrize(("line", "message"), BAD_ROUNDS)
def test_a_damaged_journal_is_refused_and_not_changed(journal, line, message):
    whole = journal.read_bytes() + line.strip() + b"\n"
    journal.write_bytes(whole)
    with pytest.raises(DamageError) as caught:
        reopened(journal.parent)
    assert str(caught.value).startswith(f"{journal}:3: ")
    assert message.lower() in str(caught.value).lower()
    assert journal.read_bytes() == whole


@pytest.mark.usefixtures("victim")
def test_a_finding_with_the_id_of_another_folder_is_not_saved(store):
    with pytest.raises(OutsideError, match="not the name of a file"):
        store.save(finding(id="../victim"))


@pytest.mark.parametrize(
    ("link", "target"),
    [
        pytest.param("parse-host-x-1", ".", id="folder"),
        pytest.param("parse-host-x-1/finding.json", "finding.json", id="finding"),
    ],
)
def test_a_finding_is_not_saved_through_a_link(store, tmp_path, victim, link, target):
    path = tmp_path / "out" / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(victim / target)
    with pytest.raises(OutsideError, match="a symbolic link"):
        store.save(finding())


@pytest.mark.parametrize("name", ["findings.jsonl", "findings.sarif"])
def test_a_list_is_not_written_through_a_link(store, tmp_path, victim, name):
    store.save(finding())
    (tmp_path / "out" / name).symlink_to(victim / "finding.json")
    with pytest.raises(OutsideError, match="a symbolic link"):
        store.write_lists()


def test_the_remains_of_an_interrupted_process_are_no_way_out(store, tmp_path, victim):
    (tmp_path / "out" / ".parse-host-x-1").symlink_to(victim)
    with pytest.raises(OutsideError, match="a symbolic link"):
        store.save(finding())


@pytest.mark.usefixtures("victim")
@pytest.mark.parametrize(
    "name", ["victim/finding.json", "victim/new.json"], ids=["to-a-file", "to-a-missing-file"]
)
def test_a_linked_journal_is_not_opened(tmp_path, name):
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "journal.jsonl").symlink_to(tmp_path / name)
    with pytest.raises(OutsideError, match="a symbolic link"):
        Store(tmp_path / "planted")


def test_a_full_disk_names_the_file(store, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("urlharness.fuzz.store.write_atomically", full)
    with pytest.raises(OSError, match="No space left") as caught:
        store.save(finding())
    assert "parse-host-x-1" in caught.value.filename
    assert store.read_findings() == []


def test_findings_are_counted_by_class():
    assert count_classes([finding(1), finding(2), finding(3, class_=None)]) == {"backslash": 2, "no-class": 1}
