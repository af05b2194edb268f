"""`urlconform fuzz`: exit codes, what is printed, and what the folder has."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from urlharness.exitcodes import Exit

BROKEN = """
from urlharness.adapters.urllib_parse import answer as right, hello

def original(question):
    return right(question)

def patched(question):
    return right({**question, "url": question["url"].replace("\\\\", "/")})

original.hello = patched.hello = hello()
"""
PAIR = ("python:broken:original", "python:broken:patched")


@pytest.fixture
def pair(tmp_path):
    """The names of an adapter and of one with a bug."""
    (tmp_path / "broken.py").write_text(BROKEN, "utf-8")
    return PAIR


@pytest.fixture
def campaign(pair, urlconform, tmp_path):
    """The folder of the only finding, and what the campaign printed."""
    run = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250")
    (folder,) = (path for path in (tmp_path / "fuzz-findings").iterdir() if path.is_dir())
    return folder, run


def test_run_counts_findings_and_cases(campaign):
    _, run = campaign
    assert "1 finding in fuzz-findings, 1 of them new; 250 cases in all" in run.stdout
    assert run.stderr == ""
    assert run.returncode == Exit.FAILED


def test_a_second_run_finds_nothing_new(campaign, pair, urlconform):
    """What an earlier run found still fails."""
    again = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250")
    assert "1 finding in fuzz-findings, 0 of them new" in again.stdout
    assert again.returncode == Exit.FAILED


def test_known_findings_do_not_fail_a_run(campaign, pair, urlconform):
    unknown = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "250", "--known", "fuzz-findings")
    assert unknown.stdout[:61] == "0 findings in fuzz-findings that --known does not have; 250 c"
    assert unknown.returncode == Exit.PASSED


def test_show_lists_the_findings(campaign, urlconform):
    folder, _ = campaign
    listing = urlconform("fuzz", "show", "fuzz-findings")
    assert folder.name in listing.stdout.replace("\n", "")
    assert max(map(len, listing.stdout.splitlines())) <= 100


def test_show_explains_a_finding(campaign, urlconform):
    folder, _ = campaign
    details = urlconform("fuzz", "show", "fuzz-findings", folder.name)
    assert "class backslash" in details.stdout
    assert "urlconform ask -a python:broken:original -a python:broken:patched -- '\\'" in details.stdout


def test_replay_says_that_a_bug_is_still_there(campaign, urlconform):
    replayed = urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert replayed.stdout.split()[:2] == ["still", "there"]
    assert replayed.returncode == Exit.FAILED


def test_promote_proposes_a_vector_and_the_command_that_adds_it(campaign, urlconform):
    folder, _ = campaign
    promoted = urlconform("fuzz", "promote", str(folder))
    assert promoted.returncode == Exit.PASSED
    assert json.loads((folder / "vector.json").read_bytes())["proposed"] == {"valid": False}
    words = shlex.split(promoted.stdout.splitlines()[-1].replace("ANSWER", "'{\"valid\": false}'"))
    assert urlconform(*words[1:]).stderr == ""


def test_replay_says_that_a_mended_bug_is_gone(campaign, urlconform, tmp_path):
    (tmp_path / "broken.py").write_text(BROKEN.replace('"/"', '"\\\\"'), "utf-8")
    replayed = urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert replayed.stdout.splitlines()[-1] == "1 gone"
    assert replayed.returncode == Exit.PASSED


def test_minimise_prints_the_shortest_text_that_differs(pair, urlconform, tmp_path):
    (tmp_path / "input").write_text("http://a\\@b.example/c\n")
    process = urlconform("fuzz", "minimise", "input", *pair)
    assert "parse //a\\" in process.stdout  # // differs too, but in another way: one host is absent
    assert process.returncode == Exit.FAILED
    (tmp_path / "input").write_text("http://a/")
    process = urlconform("fuzz", "minimise", "input", *pair)
    assert process.stdout == "the answers do not differ\n"
    assert process.returncode == Exit.PASSED


#: How a file ends, and what of this end belongs to the input, as it is printed.
FILE_ENDS = {
    "none": ("", ""),
    "LF": ("\n", ""),
    "CRLF": ("\r\n", ""),
    "two-LF": ("\n\n", "\\u{a}"),
    "CR": ("\r", "\\u{d}"),
    "CR-and-CRLF": ("\r\r\n", "\\u{d}"),
}


@pytest.mark.parametrize(("end_of_file", "end_of_input"), FILE_ENDS.values(), ids=FILE_ENDS)
def test_minimise_drops_one_line_end_after_the_input(pair, urlconform, tmp_path, end_of_file, end_of_input):
    (tmp_path / "input").write_bytes(f"http://a\\@b.example/c{end_of_file}".encode())
    process = urlconform("fuzz", "minimise", "input", *pair)
    assert f"found in http://a\\@b.example/c{end_of_input} (given by the user)" in process.stdout


def test_adapters_that_agree_are_named_together(pair, urlconform, tmp_path):
    """With more than two adapters, those that agree are named together."""
    run = urlconform("fuzz", "run", *pair, pair[1], "--no-oracle", "--fold", "--cases", "250")
    assert run.returncode == Exit.FAILED
    listing = urlconform("fuzz", "show", "fuzz-findings").stdout
    assert "python:broken:patched, python:broken:patched (2): " in " ".join(listing.split())
    replayed = urlconform("fuzz", "replay", "fuzz-findings", "--trust").stdout.splitlines()[-1]
    assert replayed.endswith(" still there")
    assert "," not in replayed


def test_minimise_keeps_the_class(urlconform, tmp_path):
    """The shorter text // differs in the host, too, but has no backslash."""
    (tmp_path / "broken.py").write_text(BROKEN.replace('"/")', '"/").replace("//", "//x")'), "utf-8")
    (tmp_path / "input").write_text("http://a.example\\@b.example/\n")
    process = urlconform("fuzz", "minimise", "input", *PAIR)
    assert "class backslash" in process.stdout


# arguments behind `fuzz`, the exit code, and what stderr says
REFUSED = {
    "one adapter": (("run", "urllib", "--no-oracle"), 2, "at least two adapters"),
    "no operation": (("run", "urllib", "--op", "normalize"), 2, "urllib cannot normalize"),
    "dead": (("run", "jsonl:false"), 3, "jsonl:false: "),
    "unknown": (("run", "nosuch"), 2, "no adapter named 'nosuch'"),
    "no RFC": (("run", "urllib", "--spec", "rfc9"), 2, "no specification named 'rfc9'"),
    "no RFC to minimise": (("minimise", "-", "urllib", "urllib", "--spec", "nope"), 2, "named 'rfcnope'"),
    "no folder": (("show", "nosuch"), 2, "nosuch: no such file"),
    "no campaign": (("show", "."), 2, "not the folder of a campaign"),
    "no base": (("minimise", "-", "urllib", "urllib", "--op", "resolve"), 2, "--base must be used together"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arguments_that_do_not_fit_are_refused_in_one_line(name, urlconform):
    arguments, code, message = REFUSED[name]
    done = urlconform("fuzz", *arguments)
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert done.returncode == code


# A folder of findings that someone else has made.

HOSTILE = "\x1b]0;x\x07\x1b[2J\u202e\r\n"
#: Commands of build servers: GitHub reads `::` at the beginning of a line, others `##` anywhere.
CI = "::error file=x::y ##vso[task.setvariable variable=a]b ##[error]c"
COMMAND = "exec:touch PWNED"


@pytest.fixture
def plant(tmp_path):
    """Write the folder of a campaign with one finding, whose fields can be changed."""

    def write(name="parse-host-x-1", **fields):
        adapters = fields.get("adapters", ["urllib", "reference"])
        finding = {
            "id": "parse-host-x-1",
            "operation": "parse",
            "spec": "rfc3986",
            "adapters": adapters,
            "component": "host",
            "input": {"url": "//\\"},
            "answers": {adapters[0]: {"kind": "parsed", "components": {"host": "x"}},
                        adapters[1]: {"kind": "rejected", "message": "no"}},
            "origin": {"input": {"url": "//\\"}},
            "groups": [[adapters[0]], [adapters[1]]],
            "severity": "host",
            "cause": "defect",
        } | fields  # fmt: skip
        folder = tmp_path / "fuzz-findings" / name
        folder.mkdir(parents=True)
        (folder / "finding.json").write_text(json.dumps(finding))
        return folder

    return write


#: Fields that are printed, with a hostile text in each.
PRINTED = [
    pytest.param({name: CI + HOSTILE + CI}, id=name)
    for name in ("component", "side", "class", "cause", "section", "severity", "how", "reason")
] + [
    pytest.param({"adapters": [CI + HOSTILE, "b"]}, id="adapters"),
    pytest.param({"input": {"url": CI + HOSTILE}}, id="input"),
    pytest.param({"origin": {"input": {"url": CI + HOSTILE}, "how": CI + HOSTILE}}, id="origin"),
    pytest.param({"groups": [["urllib", HOSTILE + CI], [CI]]}, id="groups"),
    pytest.param(
        {"answers": {"urllib": {"kind": "parsed", "components": {"host": CI + HOSTILE, CI + HOSTILE: CI}},
                     "reference": {"kind": "rejected", "message": HOSTILE + CI}}}, id="answers",
    ),
    pytest.param(
        {"effects": [{"component": HOSTILE + CI, "class": HOSTILE, "input": {"url": CI}, "answers": {}}]},
        id="effects",
    ),
]  # fmt: skip
#: Commands that print findings.
PRINTING = {
    "show": ("show", "fuzz-findings"),
    "show-one": ("show", "fuzz-findings", "parse-host-x-1"),
    "replay": ("replay", "fuzz-findings"),
    "replay-unasked": ("replay", "fuzz-findings", "--trust"),
    "promote": ("promote", "fuzz-findings/parse-host-x-1"),
}


@pytest.mark.parametrize("command", PRINTING.values(), ids=PRINTING)
@pytest.mark.parametrize("fields", PRINTED)
def test_what_is_printed_of_a_finding_is_escaped(plant, urlconform, command, fields):
    plant(**fields)
    done = urlconform("fuzz", *command)
    for line in (done.stdout + done.stderr).split("\n"):
        assert line.isprintable()
        assert not re.search(r"##\w*\[", line)
        assert not line.lstrip().startswith("::")


@pytest.mark.parametrize("width", range(10, 60, 7))
def test_a_broken_line_of_the_table_is_no_command(plant, urlconform, width):
    """Wherever the table breaks a text."""
    plant(cause="x" * width + "::error::y " + "::error::y" * 20)
    process = urlconform("fuzz", "show", "fuzz-findings")
    assert not any(line.lstrip().startswith("::") for line in process.stdout.split("\n"))
    assert process.returncode == Exit.PASSED


#: Adapters that a finding can name, each of which says what code to run.
CODE = ["exec:touch PWNED", "jsonl:touch PWNED", "python:planted:answer"]


@pytest.fixture
def planted(tmp_path):
    """A module that leaves a trace if it is imported."""
    (tmp_path / "planted.py").write_text("open('PWNED', 'w')\n")


@pytest.mark.parametrize("name", CODE)
def test_replay_runs_no_code_of_a_finding_unasked(plant, planted, urlconform, tmp_path, name):
    plant(adapters=["urllib", f"{name} (2)"])
    done = urlconform("fuzz", "replay", "fuzz-findings")
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"the findings name code to run: {name!r}; to run it, give --trust" in done.stderr
    assert done.returncode == Exit.USAGE
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.parametrize("name", CODE)
def test_replay_runs_code_that_the_user_trusts(plant, planted, urlconform, tmp_path, name):
    plant(adapters=["urllib", name])
    urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert (tmp_path / "PWNED").exists()


def test_replay_of_known_libraries_needs_no_trust(plant, urlconform):
    plant(adapters=["urllib", "reference"])
    done = urlconform("fuzz", "replay", "fuzz-findings")
    assert done.stdout.splitlines()[-1] == "1 changed"
    assert done.returncode == Exit.FAILED


@pytest.fixture
def terminal(monkeypatch):
    """Stdin of a command is a terminal."""
    stream = "click.testing._NamedTextIOWrapper.isatty"
    monkeypatch.setattr(stream, lambda self: self.name == "<stdin>", raising=False)


@pytest.mark.parametrize(
    ("answer", "code", "runs"),
    [("y", Exit.ADAPTER_DEAD, True), ("n", Exit.USAGE, False), ("", Exit.USAGE, False)],
)
def test_replay_shows_the_code_and_asks(plant, terminal, urlconform, tmp_path, answer, code, runs):
    plant(adapters=["urllib", "jsonl:touch PWNED"])
    done = urlconform("fuzz", "replay", "fuzz-findings", stdin=f"{answer}\n")
    assert done.stderr.startswith(
        "The findings in fuzz-findings name code to run in the current folder:\n  jsonl:touch PWNED\n"
    )
    assert done.returncode == code
    assert (tmp_path / "PWNED").exists() is runs


def test_promote_writes_through_no_link(campaign, urlconform, tmp_path):
    folder, _ = campaign
    (tmp_path / "victim").write_text("theirs")
    (folder / "vector.json").symlink_to(tmp_path / "victim")
    refused = urlconform("fuzz", "promote", str(folder))
    assert refused.stderr.count("\n") == 1
    assert refused.returncode == Exit.USAGE
    assert (tmp_path / "victim").read_text() == "theirs"


def test_the_default_folder_is_no_link(pair, urlconform, tmp_path):
    """A clone can have a link of this name. A folder that the user names may be one."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "fuzz-findings").symlink_to("victim")
    command = ("fuzz", "run", *pair, "--no-oracle", "--cases", "1")
    refused = urlconform(*command)
    assert refused.stderr.count("\n") == 1
    assert refused.returncode == Exit.USAGE
    assert [*(tmp_path / "victim").iterdir()] == []
    assert urlconform(*command, "--out", "fuzz-findings").returncode == Exit.FAILED
    assert (tmp_path / "victim" / "journal.jsonl").is_file()


#: What is planted in the folder of a campaign, and the exit code of the next run.
PLANTED = [
    pytest.param("id", Exit.INVALID_FILE, id="id-in-the-journal"),
    pytest.param("folder", Exit.INVALID_FILE, id="linked-folder"),
    pytest.param("track", Exit.INVALID_FILE, id="track"),
    pytest.param("findings.sarif", Exit.USAGE, id="linked-sarif"),
    pytest.param("findings.jsonl", Exit.USAGE, id="linked-list"),
    pytest.param("journal.jsonl", Exit.USAGE, id="linked-journal"),
]


@pytest.mark.parametrize(("kind", "code"), PLANTED)
def test_a_campaign_stays_in_its_folder(campaign, pair, urlconform, tmp_path, kind, code):
    folder, _ = campaign
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "finding.json").write_text("theirs")
    journal = folder.parent / "journal.jsonl"
    lines = journal.read_text()
    if kind == "id":
        journal.write_text(lines.replace(f'"{folder.name}"', '"../../victim"'))
    elif kind == "track":
        journal.write_text(lines.replace('"kept":[[0,', '"kept":[[7,', 1))
    elif kind == "folder":
        (folder.parent / "parse-host-planted").symlink_to(victim)
    else:
        (folder.parent / kind).unlink()
        (folder.parent / kind).symlink_to(victim / "finding.json")
    ran = urlconform("fuzz", "run", *pair, "--no-oracle", "--cases", "500")
    assert ran.stderr.count("\n") == 1
    assert ran.returncode == code
    assert [path.name for path in victim.iterdir()] == ["finding.json"]
    assert (victim / "finding.json").read_text() == "theirs"
