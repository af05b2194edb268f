"""`urlconform fuzz`: exit codes, what is printed, and what the folder has."""

from __future__ import annotations

import json
import re
import shlex
import shutil

import pytest

from urlharness.exitcodes import Exit

from ...report.report_checks import check_log  # noqa: TID252 - tests are not an installed package

BROKEN = """
from urlharness.adapters.urllib_parse import answer as right, hello

def original(question):
    return right(question)

def patched(question):
    return right({**question, "url": patch(question["url"])})

original.hello = patched.hello = hello()
"""
PAIR = ("python:broken:original", "python:broken:patched")
#: The bug of the second adapter: it takes a backslash for a slash.
BACKSLASH_AS_SLASH = r'text.replace("\\", "/")'


@pytest.fixture
def write_pair(tmp_path):
    """Return a function that writes the two adapters; the second one changes each text by an expression."""

    def write(patch):
        (tmp_path / "broken.py").write_text(f"def patch(text):\n    return {patch}\n{BROKEN}", "utf-8")

    return write


@pytest.fixture
def pair(write_pair):
    """The names of an adapter and of one with a bug."""
    write_pair(BACKSLASH_AS_SLASH)
    return PAIR


CAMPAIGN = ("fuzz", "run", *PAIR, "--no-oracle", "--cases", "250")


@pytest.fixture(scope="module")
def first_campaign():
    """A list that keeps a finished run of the campaign and the folder that it has written."""
    return []


@pytest.fixture
def campaign(first_campaign, pair, urlconform, tmp_path, tmp_path_factory):
    """A run of the campaign that has written one finding to fuzz-findings."""
    written = tmp_path / "fuzz-findings"
    if not first_campaign:
        run = urlconform(*CAMPAIGN)
        stored = shutil.copytree(written, tmp_path_factory.mktemp("campaign") / "stored")
        first_campaign.extend((run, stored))
        return run
    run, stored = first_campaign
    shutil.copytree(stored, written)
    return run


@pytest.fixture
def finding(campaign, tmp_path):
    """The folder of the only finding of the campaign."""
    (folder,) = (path for path in (tmp_path / "fuzz-findings").iterdir() if path.is_dir())
    return folder


def test_run_counts_findings_and_cases(campaign):
    assert "1 finding in fuzz-findings, 1 of them new; 250 cases in all" in campaign.stdout
    assert campaign.stderr == ""
    assert campaign.returncode == Exit.FAILED


@pytest.mark.usefixtures("campaign")
def test_a_second_run_finds_nothing_new_and_still_fails(urlconform):
    done = urlconform(*CAMPAIGN)
    assert "1 finding in fuzz-findings, 0 of them new" in done.stdout
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("campaign")
def test_known_findings_do_not_fail_a_run(urlconform):
    done = urlconform(*CAMPAIGN, "--known", "fuzz-findings")
    assert done.stdout.startswith("0 findings in fuzz-findings that --known does not have; 250 cases in all")
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("campaign")
def test_findings_of_several_earlier_campaigns_are_known(urlconform, tmp_path):
    (tmp_path / "monday.jsonl").touch()  # a campaign without findings
    earlier_campaigns = ("--known", "monday.jsonl", "--known", "fuzz-findings")
    done = urlconform(*CAMPAIGN, *earlier_campaigns, "--out", "tuesday")
    assert done.stdout.startswith("0 findings in tuesday that --known does not have")


@pytest.mark.usefixtures("campaign")
def test_known_findings_about_other_adapters_have_no_effect(urlconform):
    options = ("--no-oracle", "--cases", "5", "--known", "fuzz-findings", "--out", "other")
    done = urlconform("fuzz", "run", PAIR[0], "urllib", *options)
    assert done.stderr == "urlconform: 1 finding of --known is about other adapters, and without effect\n"


def test_show_lists_the_findings(finding, urlconform):
    listing = urlconform("fuzz", "show", "fuzz-findings").stdout
    assert finding.name in listing.replace("\n", "")  # the table may break a long name


def test_show_names_the_command_that_shows_one_finding(finding, urlconform):
    *_, command = urlconform("fuzz", "show", "fuzz-findings").stdout.splitlines()
    assert command == "one in full: urlconform fuzz show fuzz-findings ID"
    assert finding.name in urlconform("fuzz", "show", "fuzz-findings", finding.name).stdout


@pytest.mark.parametrize("end", ["", "/"])
def test_show_takes_the_folder_of_a_finding(finding, urlconform, end):
    done = urlconform("fuzz", "show", f"fuzz-findings/{finding.name}{end}")
    assert done.stdout.splitlines()[0] == finding.name
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("campaign")
def test_show_lists_the_findings_in_100_columns(urlconform):
    lines = urlconform("fuzz", "show", "fuzz-findings").stdout.splitlines()
    assert [line for line in lines if len(line) > 100] == []
    assert lines != []


def test_show_explains_a_finding(finding, urlconform):
    text = urlconform("fuzz", "show", "fuzz-findings", finding.name).stdout
    assert "class backslash" in text
    assert "urlconform ask -a python:broken:original -a python:broken:patched -- '\\'" in text


@pytest.mark.usefixtures("campaign")
def test_replay_says_that_a_bug_is_still_there(urlconform):
    done = urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert done.stdout.splitlines()[-1] == "1 still there"
    assert done.returncode == Exit.FAILED


@pytest.mark.usefixtures("campaign")
def test_replay_says_that_a_mended_bug_is_gone(urlconform, write_pair):
    write_pair("text")
    done = urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert done.stdout.splitlines()[-1] == "1 gone"
    assert done.returncode == Exit.PASSED


def test_promote_proposes_a_vector(finding, urlconform):
    done = urlconform("fuzz", "promote", str(finding))
    assert json.loads((finding / "vector.json").read_bytes())["proposed"] == {"valid": False}
    assert done.returncode == Exit.PASSED


def test_promote_prints_the_command_that_adds_the_vector(finding, urlconform):
    line = urlconform("fuzz", "promote", str(finding)).stdout.splitlines()[-1]
    program, *words, place_of_answer = shlex.split(line)
    assert program == "urlconform"
    assert place_of_answer == "ANSWER"
    assert urlconform(*words, '{"valid": false}').stderr == ""


def test_minimise_prints_the_shortest_text_that_differs(pair, urlconform, tmp_path):
    (tmp_path / "input").write_text("http://a\\@b.example/c\n")
    done = urlconform("fuzz", "minimise", "input", *pair)
    assert "parse //a\\" in done.stdout  # // differs too, but in another way: one host is absent
    assert done.returncode == Exit.FAILED


def test_minimise_passes_if_the_answers_do_not_differ(pair, urlconform, tmp_path):
    (tmp_path / "input").write_text("http://a/")
    done = urlconform("fuzz", "minimise", "input", *pair)
    assert done.stdout == "the answers do not differ\n"
    assert done.returncode == Exit.PASSED


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


@pytest.fixture
def campaign_of_three(pair, urlconform):
    """A campaign with an adapter and, twice, one with a bug."""
    original, patched = pair
    run = urlconform("fuzz", "run", original, patched, patched, "--no-oracle", "--fold", "--cases", "250")
    assert run.returncode == Exit.FAILED


@pytest.mark.usefixtures("campaign_of_three")
def test_adapters_that_agree_are_named_together(urlconform):
    listing = urlconform("fuzz", "show", "fuzz-findings").stdout
    assert "python:broken:patched, python:broken:patched (2): " in " ".join(listing.split())


@pytest.mark.usefixtures("campaign_of_three")
def test_replay_asks_an_adapter_that_took_part_twice(urlconform):
    replay = urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert re.fullmatch(r"\d+ still there", replay.stdout.splitlines()[-1])


def test_minimise_keeps_the_class(urlconform, write_pair, tmp_path):
    """The shorter text // differs in the host, too, but has no backslash."""
    write_pair(f'{BACKSLASH_AS_SLASH}.replace("//", "//x")')
    (tmp_path / "input").write_text("http://a.example\\@b.example/\n")
    process = urlconform("fuzz", "minimise", "input", *PAIR)
    assert "class backslash" in process.stdout


#: The arguments of `fuzz`, and a part of the message.
REFUSED = [
    pytest.param(["run", "urllib", "--no-oracle"], "at least two adapters", id="one-adapter"),
    pytest.param(["run", "urllib", "--op", "normalize"], "urllib cannot normalize", id="no-operation"),
    pytest.param(
        ["run", "urllib", "--op", "parse,map"], "'map' is not one of 'parse'", id="no-operation-in-list"
    ),
    pytest.param(["run", "nosuch"], "no adapter named 'nosuch'", id="unknown-adapter"),
    pytest.param(["run", "urllib", "--spec", "rfc9"], "no specification named 'rfc9'", id="no-rfc"),
    pytest.param(
        ["minimise", "-", "urllib", "urllib", "--spec", "nope"], "named 'rfcnope'", id="no-rfc-to-minimise"
    ),
    pytest.param(["show", "nosuch"], "nosuch: no such file", id="no-folder"),
    pytest.param(["show", "."], "not the folder of a campaign", id="no-campaign"),
    pytest.param(
        ["run", "urllib", "--cases", "1", "--sarif-location", "setup.cfg"],
        "no file setup.cfg: name one of your sources by --sarif-location",
        id="no-sarif-location",
    ),
    pytest.param(
        ["minimise", "-", "urllib", "urllib", "--op", "resolve"], "--base must be used together", id="no-base"
    ),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_arguments_that_do_not_fit_are_refused_in_one_line(urlconform, arguments, message):
    done = urlconform("fuzz", *arguments)
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
    assert done.returncode == Exit.USAGE


def test_an_adapter_that_does_not_start_ends_the_campaign_in_one_line(urlconform):
    done = urlconform("fuzz", "run", "jsonl:false")
    assert done.stderr == "urlconform: jsonl:false: no hello: exit code 1\n"
    assert done.returncode == Exit.ADAPTER_DEAD


# A folder of findings that someone else has made.

HOSTILE = "\x1b]0;x\x07\x1b[2J\u202e\r\n"
#: Commands of build servers: GitHub reads `::` at the beginning of a line, others `##` anywhere.
CI = "::error file=x::y ##vso[task.setvariable variable=a]b ##[error]c"


@pytest.fixture
def write_finding(tmp_path):
    """Return a function that writes the folder of a campaign with one finding, whose fields it can change."""

    def write(**fields):
        adapters = fields.get("adapters", ["urllib", "reference"])
        parsing, refusing = adapters
        finding = {
            "id": "parse-host-x-1",
            "operation": "parse",
            "spec": "rfc3986",
            "adapters": adapters,
            "component": "host",
            "input": {"url": "//\\"},
            "answers": {
                parsing: {"kind": "parsed", "components": {"host": "x"}},
                refusing: {"kind": "rejected", "message": "no"},
            },
            "origin": {"input": {"url": "//\\"}},
            "groups": [[parsing], [refusing]],
            "severity": "host",
            "cause": "defect",
        }
        folder = tmp_path / "fuzz-findings" / "parse-host-x-1"
        folder.mkdir(parents=True)
        (folder / "finding.json").write_text(json.dumps(finding | fields))

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
def test_what_is_printed_of_a_finding_is_escaped(write_finding, urlconform, command, fields):
    write_finding(**fields)
    done = urlconform("fuzz", *command)
    printed = done.stdout + done.stderr
    lines = printed.split("\n")
    assert lines != [""]
    assert [line for line in lines if not line.isprintable()] == []
    check_log(printed)


@pytest.mark.parametrize("width", range(10, 60, 7))
def test_a_broken_line_of_the_table_is_no_command(write_finding, urlconform, width):
    """The table breaks the texts at other places for each width."""
    write_finding(cause="x" * width + "::error::y " + "::error::y" * 20)
    done = urlconform("fuzz", "show", "fuzz-findings")
    lines = done.stdout.splitlines()
    assert [line for line in lines if "error" in line] != []
    check_log(done.stdout)
    assert done.returncode == Exit.PASSED


#: Adapters that a finding can name, each of which says what code to run.
CODE = ["exec:touch PWNED", "jsonl:touch PWNED", "python:tracing:answer"]


@pytest.fixture
def tracing_module(tmp_path):
    """A module that leaves a trace if it is imported."""
    (tmp_path / "tracing.py").write_text("open('PWNED', 'w')\n")


@pytest.mark.usefixtures("tracing_module")
@pytest.mark.parametrize("name", CODE)
def test_replay_names_code_of_a_finding_that_it_would_run(write_finding, urlconform, name):
    """The second of two equal adapters has ` (2)` after its name, which is no part of its code."""
    write_finding(adapters=["urllib", f"{name} (2)"])
    done = urlconform("fuzz", "replay", "fuzz-findings")
    (line,) = done.stderr.splitlines()
    assert f"the findings name code to run: {name!r}; to run it, give --trust" in line
    assert done.stdout == ""
    assert done.returncode == Exit.USAGE


@pytest.mark.usefixtures("tracing_module")
@pytest.mark.parametrize("name", CODE)
def test_replay_runs_no_code_of_a_finding_unasked(write_finding, urlconform, tmp_path, name):
    write_finding(adapters=["urllib", f"{name} (2)"])
    assert urlconform("fuzz", "replay", "fuzz-findings").returncode == Exit.USAGE
    assert not (tmp_path / "PWNED").exists()


@pytest.mark.usefixtures("tracing_module")
@pytest.mark.parametrize("name", CODE)
def test_replay_runs_code_that_the_user_trusts(write_finding, urlconform, tmp_path, name):
    write_finding(adapters=["urllib", name])
    urlconform("fuzz", "replay", "fuzz-findings", "--trust")
    assert (tmp_path / "PWNED").exists()


def test_replay_of_known_libraries_needs_no_trust(write_finding, urlconform):
    write_finding(adapters=["urllib", "reference"])
    done = urlconform("fuzz", "replay", "fuzz-findings")
    assert done.stdout.splitlines()[-1] == "1 changed"
    assert done.returncode == Exit.FAILED


@pytest.fixture
def terminal(monkeypatch):
    """Stdin of a command is a terminal."""
    stream = "click.testing._NamedTextIOWrapper.isatty"
    monkeypatch.setattr(stream, lambda self: self.name == "<stdin>", raising=False)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(
    ("answer", "code", "runs"),
    [("y", Exit.ADAPTER_DEAD, True), ("n", Exit.USAGE, False), ("", Exit.USAGE, False)],
    ids=["yes", "no", "nothing"],
)
def test_replay_shows_the_code_and_asks(write_finding, urlconform, tmp_path, answer, code, runs):
    write_finding(adapters=["urllib", "jsonl:touch PWNED"])
    done = urlconform("fuzz", "replay", "fuzz-findings", stdin=f"{answer}\n")
    assert done.stderr.startswith(
        "The findings in fuzz-findings name code to run in the current folder:\n  jsonl:touch PWNED\n"
    )
    assert done.returncode == code
    assert (tmp_path / "PWNED").exists() is runs


def test_promote_writes_through_no_link(finding, urlconform, tmp_path):
    (tmp_path / "victim").write_text("theirs")
    (finding / "vector.json").symlink_to(tmp_path / "victim")
    done = urlconform("fuzz", "promote", str(finding))
    assert done.stderr == f"urlconform: {finding}/vector.json: a symbolic link, which is not followed here\n"
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "victim").read_text() == "theirs"


@pytest.fixture
def linked_folder(tmp_path):
    """The folder to which fuzz-findings is a link, as it may be in a clone."""
    (tmp_path / "victim").mkdir()
    (tmp_path / "fuzz-findings").symlink_to("victim")
    return tmp_path / "victim"


SHORT_CAMPAIGN = ("fuzz", "run", *PAIR, "--no-oracle", "--cases", "1")


@pytest.mark.usefixtures("pair")
def test_a_campaign_does_not_follow_a_link_of_the_default_name(urlconform, linked_folder):
    done = urlconform(*SHORT_CAMPAIGN)
    assert done.stderr.startswith("urlconform: fuzz-findings is a symbolic link; ")
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.USAGE
    assert list(linked_folder.iterdir()) == []


@pytest.mark.usefixtures("pair")
def test_a_campaign_follows_a_link_that_the_user_names(urlconform, linked_folder):
    urlconform(*SHORT_CAMPAIGN, "--out", "fuzz-findings")
    assert (linked_folder / "journal.jsonl").is_file()


def change_journal(folder, old, new):
    """Replace a text in the journal of a campaign, where it occurs first."""
    journal = folder / "journal.jsonl"
    text = journal.read_text()
    assert old in text
    journal.write_text(text.replace(old, new, 1))


def name_victim_in_journal(folder):
    (finding,) = (path for path in folder.iterdir() if path.is_dir())
    change_journal(folder, f'"{finding.name}"', '"../../victim"')


def name_unknown_track_in_journal(folder):
    change_journal(folder, '"kept":[[0,', '"kept":[[7,')


def add_linked_finding(folder):
    (folder / "parse-host-linked").symlink_to("../victim")


def replace_by_link(name):
    """Return a function that replaces a file of the folder by a link to a file of the victim."""

    def replace(folder):
        (folder / name).unlink()
        (folder / name).symlink_to("../victim/finding.json")

    return replace


NOT_FOLLOWED = "a symbolic link, which is not followed here"
#: A function that changes the folder of a campaign, what the next run says of it, and its exit code.
CHANGED = [
    pytest.param(
        name_victim_in_journal,
        "journal.jsonl:2: Expected `str` matching regex ",
        Exit.INVALID_FILE,
        id="id-in-the-journal",
    ),
    pytest.param(
        add_linked_finding, f"parse-host-linked: {NOT_FOLLOWED}", Exit.INVALID_FILE, id="linked-folder"
    ),
    pytest.param(
        name_unknown_track_in_journal,
        "journal.jsonl:2: a text is of an operation that the campaign does not have",
        Exit.INVALID_FILE,
        id="track",
    ),
    pytest.param(
        replace_by_link("findings.sarif"), f"findings.sarif: {NOT_FOLLOWED}", Exit.USAGE, id="linked-sarif"
    ),
    pytest.param(
        replace_by_link("findings.jsonl"), f"findings.jsonl: {NOT_FOLLOWED}", Exit.USAGE, id="linked-list"
    ),
    pytest.param(
        replace_by_link("journal.jsonl"), f"journal.jsonl: {NOT_FOLLOWED}", Exit.USAGE, id="linked-journal"
    ),
]


@pytest.mark.usefixtures("campaign")
@pytest.mark.parametrize(("change_folder", "message", "code"), CHANGED)
@pytest.mark.sampled(3)
def test_a_campaign_stays_in_its_folder(urlconform, tmp_path, change_folder, message, code):
    victim = tmp_path / "victim"
    victim.mkdir()
    (victim / "finding.json").write_text("theirs")
    change_folder(tmp_path / "fuzz-findings")
    done = urlconform("fuzz", "run", *PAIR, "--no-oracle", "--cases", "500")
    assert done.stderr.startswith(f"urlconform: fuzz-findings/{message}")
    assert done.stderr.count("\n") == 1
    assert done.returncode == code
    assert [path.name for path in victim.iterdir()] == ["finding.json"]
    assert (victim / "finding.json").read_text() == "theirs"


#: A program that maps rightly, and some that do not: they map the surrogates of a character beyond U+FFFF one
#: by one, compose letters before the mapping, leave a blank, or decode a formatting character.
MAPPINGS = """
from unicodedata import normalize

from urlharness import functions
from urloracle import to_iri, to_uri


def encoded(char):
    units = char.encode("utf-16-be")
    return "".join(
        f"%{byte:02X}"
        for start in range(0, len(units), 2)
        for byte in chr(int.from_bytes(units[start : start + 2], "big")).encode("utf-8", "surrogatepass")
    )


def with_surrogates(text):
    to_uri(text)
    return "".join(char if char.isascii() else encoded(char) for char in text)


def with_blank(text):
    return to_uri(text.replace(" ", "%20")).replace("%20", " ") if " " in text else to_uri(text)


def library(name, to_uri=to_uri, to_iri=to_iri):
    return functions(name, "1", specs=["rfc3987"], to_uri=to_uri, to_iri=to_iri)


right = library("right")
surrogates = library("surrogates", with_surrogates)
composed = library("composed", lambda text: to_uri(normalize("NFC", text)))
blank = library("blank", with_blank)
override = library("override", to_iri=lambda text: to_iri(text).replace("%E2%80%AE", "\\u202e"))
"""

#: A planted fault: the operation, the program, and its answer to a text on which it is found. A campaign
#: takes seconds, so only one of each operation is in every run.
MAPPING_FAULTS = [
    pytest.param("to_uri", "surrogates", r"%ED%A.%..%ED", id="surrogates"),
    pytest.param("to_uri", "composed", r"%C[0-9A-F]%", id="composed", marks=pytest.mark.long),
    pytest.param("to_uri", "blank", r"\\u\{20\}", id="blank", marks=pytest.mark.long),
    pytest.param("to_iri", "override", r"\\u\{202e\}", id="override"),
]


@pytest.fixture
def fuzz_mapping(urlconform, tmp_path):
    """Return a function that runs a campaign of a mapping with one of the programs, and the oracle."""
    (tmp_path / "maps.py").write_text(MAPPINGS, "utf-8")

    def run(operation, name, spec="rfc3987"):
        words = ("fuzz", "run", f"python:maps:{name}", "--spec", spec, "--op", operation)
        return urlconform(*words, "--cases", "250")

    return run


@pytest.mark.parametrize(("operation", "name", "answer"), MAPPING_FAULTS)
def test_a_wrong_mapping_is_found(fuzz_mapping, operation, name, answer):
    done = fuzz_mapping(operation, name)
    assert done.returncode == Exit.FAILED, done.stderr
    assert re.search(f"python:maps:{name}: [^ ]*{answer}", done.stdout)


@pytest.mark.parametrize("operation", ["to_uri,to_iri", pytest.param("to_iri", marks=pytest.mark.long)])
def test_a_right_mapping_gives_no_finding(fuzz_mapping, operation):
    done = fuzz_mapping(operation, "right")
    assert done.returncode == Exit.PASSED, done.stdout
    assert "0 findings" in done.stdout


def test_a_mapping_is_not_asked_under_an_rfc_without_it(fuzz_mapping):
    done = fuzz_mapping("to_uri", "right", "rfc3986")
    assert "RFC 3986 does not define to_uri; use --spec rfc3987" in done.stderr
    assert done.returncode == Exit.USAGE
