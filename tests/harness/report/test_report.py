"""All renderers: loaded when they are used, and safe for any text of an adapter."""

from __future__ import annotations

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
import report_checks
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from urlharness.corpus.model import Requirement
from urlharness.exitcodes import Exit
from urlharness.gate.gate import decide
from urlharness.protocol.messages import Implementation
from urlharness.report import RENDERERS, document, github, junit, render
from urlharness.results.model import AskedVector, Example, Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome

TEXTS = report_checks.TEXTS

texts = (
    st.sampled_from(TEXTS) | st.text(max_size=30) | st.lists(st.sampled_from(TEXTS), max_size=4).map("".join)
)

#: Functions that escape texts: without any of them some report is broken.
GUARDS = [
    pytest.param(document, "logged", id="texts-of-documents"),
    pytest.param(document, "_without_bars", id="cells-of-markdown"),
    pytest.param(document, "_in_backticks", id="spans-of-markdown"),
    pytest.param(github, "logged", id="texts-of-annotations"),
    pytest.param(github, "_escaped_property", id="properties-of-annotations"),
    pytest.param(junit, "_attribute_text", id="attributes-of-junit"),
    pytest.param(junit, "_body_text", id="bodies-of-junit"),
]


@pytest.mark.parametrize(
    ("form", "beginning"),
    [
        ("html", "<!doctype"),
        ("junit", "<?xml ver"),
        ("markdown", "## ⚪ URL "),
        ("badge", '{\n "lib":'),
        ("github", "::notice "),
        ("earl", "@prefix d"),
        ("ctrf", '{\n "report'),
    ],
)
def test_a_report_begins_as_its_format_does(make_case, record, form, beginning):
    results = record([make_case("rfc3986-3-x")], Participant("lib", "ran"))
    assert render(form, results, (), {}).startswith(beginning)


@pytest.fixture
def red_gate(make_case, record):
    """A run that loses fragments, rejects valid texts and times out, and its judgement."""
    lost = {"op": "parse", "url": "#f", "expect": {"components": {"path": "", "fragment": "f"}}}
    without_fragment = {"status": "ok", "components": {"path": "", "fragment": None}}
    rows = {
        "rfc3986-3.5-a": (lost, Outcome.FAIL, without_fragment),
        "rfc3986-3.5-b": (lost, Outcome.FAIL, without_fragment),
        "rfc3986-3.2-c": ({"rule": "host"}, Outcome.FAIL, {"status": "reject"}),
        "rfc3986-3.3-d": ({}, Outcome.TIMEOUT, {}),
    }
    cases = [make_case(name, **fields) for name, (fields, _, _) in rows.items()]
    answers = [Result(name, "lib", outcome, got=got) for name, (_, outcome, got) in rows.items()]
    library = Participant("lib", "ran", specs=("rfc3986",), features=("absent-vs-empty",))
    results = record(cases, library, *answers)
    return results, decide(results, ["lib"]).judgements


@pytest.mark.parametrize("form", ["html", "junit", "markdown", "github"])
@pytest.mark.parametrize(
    ("heading", "example"),
    [
        ("fragment missing in 2 answers", "rfc3986-3.5-a"),
        ("valid host rejected in 1 answer", "rfc3986-3.2-c"),
        ("timeout on 1 question", "rfc3986-3.3-d"),
    ],
)
def test_every_report_has_the_same_groups_with_their_examples(red_gate, form, heading, example):
    text = render(form, *red_gate)
    assert heading in text
    assert f"urlconform repro {example} -a lib" in text


@pytest.mark.parametrize("form", RENDERERS)
def test_a_report_needs_no_judgements_and_no_baselines(make_case, record, form):
    results = record([make_case("rfc3986-3-x")], Participant("lib", "ran"))
    assert render(form, results) == render(form, results, (), {})


def test_no_renderer_is_imported_before_it_is_used():
    code = "import sys, urlharness.report; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "urlharness.report" in loaded
    assert [name for name in loaded if name.startswith(("urlharness.report.", "jinja2", "rich"))] == []


def filled(make_case, record, given_texts, outcomes, claimed=(), state="dead", *, end=True) -> Results:
    """Return results with these texts in every field, one after the other."""
    endless = itertools.cycle(given_texts)

    def text() -> str:
        return next(endless).encode("utf-8", "replace").decode("utf-8")

    cases = [
        make_case(
            f"rfc3986-3.{number}-{text()}", url=text(), rule=text(), requirement=text(), **{"class": text()}
        )
        for number in range(3)
    ]
    name = text() or "x"
    other_text = text()
    answers = [
        Result(case.vector.id, name, Outcome(outcome), text(), text(), {"status": text()}, text())
        for case, outcome in zip(cases, outcomes, strict=True)
    ]
    # a hello needs a name, so no library is without one
    about = Implementation(text() or "x", text(), text(), text(), text())
    ran = Participant(name, "ran", about, specs=claimed)
    dead = Participant(f"{other_text} other", state, message=text())
    results = record(cases, ran, dead, *answers, title=text(), end=end)
    counts = {Outcome.PASS: 1, Outcome.FAIL: 10**18}
    tally = Tally(name, f"part {text()}", text(), "rfc3986", counts, counts, {"coverage": (1, 2)}, text())
    requirement = Requirement("r", "3.1", 1, "0" * 12, "must", text())
    example = Example(AskedVector(cases[0], requirement, tally.part), answers[0])
    return msgspec.structs.replace(results, tallies=(tally,), examples=(example,))


def broken(results: Results) -> bool:
    """Return True if a check of some report fails."""
    try:
        report_checks.check_all(results)
    except (AssertionError, ValueError, ET.ParseError):
        return True
    return False


@settings(
    max_examples=25,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    given_texts=st.lists(texts, min_size=1, max_size=8),
    outcomes=st.lists(st.sampled_from(["fail", "crash", "partial", "pass"]), min_size=3, max_size=3),
    claimed=st.sampled_from([(), ("rfc3986",), ("x",)]),
    state=st.sampled_from(["dead", "not installed"]),
    end=st.booleans(),
)
def test_any_text_in_any_field_is_escaped_in_every_report(
    make_case, record, given_texts, outcomes, claimed, state, end
):
    report_checks.check_all(filled(make_case, record, given_texts, outcomes, claimed, state, end=end))


@pytest.fixture
def broken_turns(make_case, record):
    """Return a function that finds the turns of the hostile texts in which a check of some report fails.

    In all turns together each text is in each field once.
    """

    def find():
        turns = [(*TEXTS[start:], *TEXTS[:start]) for start in range(len(TEXTS))]
        return [turn for turn in turns if broken(filled(make_case, record, turn, ["fail", "crash", "fail"]))]

    return find


def test_every_hostile_text_in_every_field_is_escaped(broken_turns):
    assert broken_turns() == []


@pytest.mark.parametrize(("module", "name"), GUARDS)
@pytest.mark.sampled(3)
def test_a_report_without_escaping_fails_its_check(broken_turns, monkeypatch, module, name):
    monkeypatch.setattr(module, name, lambda text: text)
    assert broken_turns() != []


PLANTED = {
    "html": "<b>x</b>",
    "mention": "see @octocat",
    "link": "[a](http://b/)",
    "image": "![a](http://b/)",
    "heading-inside": "a\n\n<div>",
    "autolink": "see https://a.example/",
    "table-cut": "| a | b |\n| --- | --- |\n| c |",
    "escape": "\x1b[1m",
    "too-long": "x" * 60_001,
}


@pytest.mark.parametrize("name", PLANTED)
def test_the_check_of_markdown_can_fail(name):
    with pytest.raises(AssertionError):
        report_checks.check_markdown(PLANTED[name])


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("x", id="no-command"),
        pytest.param("::error title=a,b::c", id="comma-in-a-property"),
        pytest.param("::error title=a:b::c", id="colon-in-a-property"),
        pytest.param("::debug title=a::b", id="another-command"),
        pytest.param("::error title=a::\x1b", id="escape-sequence"),
    ],
)
def test_the_check_of_annotations_can_fail(line):
    with pytest.raises(AssertionError):
        report_checks.check_github(f"{line}\n::notice title=x::y\n")


#: How each report shows an invisible name and an invisible difference; a badge shows the name alone.
CODE_POINTS = {
    "terminal": ("\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "junit": ("\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "markdown": ("\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "github": ("\\u{3164}\\u{2800}", "'//\\u{34f}a'"),
    "html": ("⟨U+3164⟩⟨U+2800⟩</",),
    "badge": ("\\u3164\\u2800",),
    "earl": ("\\\\u{3164}\\\\u{2800}", "'//\\\\u{34f}a'"),
    "ctrf": ("\\\\u{3164}\\\\u{2800}", "'//\\\\u{34f}a'"),
}


@pytest.fixture
def invisible_run(make_case, record, on_terminal):
    """Return a function that reports a wrong answer that looks right, of a library with an invisible name."""
    case = make_case("rfc3986-3.3-x", op="parse", expect={"components": {"path": "//a"}})
    name = "\u3164\u2800"
    wrong = Result(case.vector.id, name, "fail", detail="path is '//\u034fa', not '//a'", stderr="e\u0301")
    results = record([case], Participant(name, "ran", Implementation(name, "1")), wrong)

    def report(form):
        return on_terminal(results, name, width=200) if form == "terminal" else render(form, results)

    return report


def test_the_table_of_code_points_has_every_report():
    assert CODE_POINTS.keys() == {"terminal", *RENDERERS}


@pytest.mark.parametrize("form", CODE_POINTS)
def test_invisible_characters_are_shown_as_code_points(invisible_run, form):
    text = invisible_run(form)
    assert [part for part in CODE_POINTS[form] if part not in text] == []


@pytest.mark.parametrize("form", [form for form in CODE_POINTS if form != "html"])
def test_every_character_of_a_report_is_visible(invisible_run, form):
    """The script of the page has some that are not, as escapes."""
    assert report_checks.readable(invisible_run(form).replace("\n", ""))


#: Answers each question with the next text, in every field of an answer, and crashes on some.
ADAPTER = """
import json, os, sys

TEXTS = json.load(open(sys.argv[1], encoding="utf-8"))
LOUD = "".join(TEXTS)

def send(message):
    os.write(1, json.dumps(message).encode() + b"\\n")

for count, line in enumerate(sys.stdin.buffer):
    question = json.loads(line)
    if question["type"] == "hello":
        send({"type": "hello", "protocol": 1, "ops": ["validate", "parse", "resolve"], "specs": [],
              "implementation": {"name": LOUD, "version": LOUD, "language": LOUD, "runtime": LOUD}})
        continue
    if question["type"] == "bye":
        break
    # the question decides, so that a restarted process gives the same answers
    key = sum(json.dumps({k: v for k, v in question.items() if k != "id"}).encode())
    text = TEXTS[key % len(TEXTS)]
    os.write(2, LOUD.encode("utf-8", "surrogatepass"))
    number = question["id"]
    kind = key % 11
    if kind == 0:
        send({"id": number, "status": "error", "message": text})
    elif kind == 1:
        send({"id": number, "status": "unsupported", "message": text})
    elif kind == 2:
        os._exit(9)
    elif kind == 3:
        os.write(1, text.replace("\\n", " ").encode("utf-8", "surrogatepass") + b"\\n")
    elif kind == 4:
        os.write(1, b'{"id": %d, "status": "ok", "also": ' % number + b"[" * 5000 + b"]" * 5000 + b"}\\n")
    elif kind == 5:
        send({"id": number, "status": "reject", "at": 10 ** 40, "message": text})
    elif kind == 6:
        send({"id": number, "status": "reject", "at": 2 ** 63, "message": text, text: 1e300})
    elif question["op"] == "parse":
        send({"id": number, "status": "ok", "components": {"scheme": text, "path": text, text: text}})
    elif question["op"] == "resolve":
        send({"id": number, "status": "ok", "url": text})
    else:
        send({"id": number, "status": "reject", "message": text})
"""


def check_printable(text: str) -> None:
    """Check that a text has no control characters, and no commands to build servers."""
    assert text.replace("\n", "").isprintable()
    report_checks.check_log(text)


def check_hostile_results(path: Path) -> list[str]:
    """Check a whole file of the results of `ADAPTER`; return the ids of its cases."""
    text = path.read_text("ascii")
    check_printable(text)
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["type"] == "footer"
    results = [line for line in lines if line["type"] == "case"]
    assert {"fail", "unsupported", "crash", "garbage"} - {line["outcome"] for line in results} == set()
    (about,) = (line["implementation"] for line in lines if line["type"] == "implementation")
    assert about["name"] == "".join(TEXTS)
    assert about["runtime"] == "".join(TEXTS)
    return [line["id"] for line in results]


def check_junit_of_cases(path: Path, case_ids: list[str]) -> None:
    """Check a JUnit report, which has a test for each case."""
    suites = report_checks.suites_of_cases(report_checks.check_junit(path.read_text("utf-8")))
    tests = [test.attrib["name"] for suite in suites for test in suite.iter("testcase")]
    assert sorted(tests) == sorted(case_ids)


def check_badge_files(folder: Path) -> None:
    """Check the names and the contents of the files of badges."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    assert paths != []
    for path in paths:
        relative = path.relative_to(folder).as_posix()
        assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*/rfc3986[0-9.-]*\.json", relative)
        report_checks.check_badge(json.loads(path.read_text("ascii")))


def test_the_reports_of_a_hostile_adapter_are_harmless(urlconform, tmp_path):
    """The run comes to its end, and all texts are nothing but text in every report and on the terminal.

    The run takes long, so all its reports are checked in one test.
    """
    (tmp_path / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    (tmp_path / "texts.json").write_text(json.dumps(TEXTS), encoding="utf-8")
    # the name of an adapter is its command, so words that it does not read are hostile too
    name = f"jsonl:{sys.executable} -I -S adapter.py texts.json '<b>|`@x`\x1b[1m\u202e\n::error::x'"
    files = {"json": "r.jsonl", "junit": "j.xml", "markdown": "m.md", "github": "g.txt", "badge": "badges"}
    files["earl"] = "e.ttl"
    files["ctrf"] = "c.json"
    options = [word for form, file in files.items() for word in ("--report", f"{form}={file}")]
    done = urlconform("run", name, "--spec", "3986", "--section", "4.2", *options)
    assert done.returncode in (Exit.FAILED, Exit.ADAPTER_DEAD)
    case_ids = check_hostile_results(tmp_path / "r.jsonl")
    for output in (done.stdout, done.stderr, urlconform("report", "r.jsonl").stdout):
        check_printable(output)
    check_junit_of_cases(tmp_path / "j.xml", case_ids)
    report_checks.check_markdown((tmp_path / "m.md").read_text("utf-8"))
    report_checks.check_github((tmp_path / "g.txt").read_text("utf-8"))
    check_badge_files(tmp_path / "badges")
    report_checks.check_earl((tmp_path / "e.ttl").read_text("utf-8"))
    report_checks.check_ctrf((tmp_path / "c.json").read_text("utf-8"))
    written = {"adapter.py", "texts.json", *files.values()}  # neither `../x` nor `$(touch owned)` were run
    assert {path.name for path in tmp_path.iterdir()} - {"results.jsonl"} == written
