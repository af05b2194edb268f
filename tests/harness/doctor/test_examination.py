"""An examination: its order, its retries, what it skips, and what the command prints of it."""

from __future__ import annotations

import json

import msgspec
import pytest

from urlharness.adapters.registry import find
from urlharness.doctor import examination
from urlharness.doctor.checks import CHECKS, Check
from urlharness.doctor.client import Patience, Wait
from urlharness.doctor.examination import Examination, examine
from urlharness.doctor.model import HELLO, ok

REPEATING = [check.name for check in CHECKS if check.repeats]


def test_nothing_is_wrong_with_a_good_adapter(good_adapter, patient):
    report = examine(good_adapter(), patient)
    assert report.healthy
    assert report.hello is not None
    assert [
        (check_result.name, check_result.state, check_result.message)
        for check_result in report.checks
        if check_result.state != "ok"
    ] == []
    assert [check_result.name for check_result in report.checks] == [check.name for check in CHECKS]


def test_checks_of_the_server_are_skipped_for_a_function(patient):
    framing = [check.name for check in CHECKS if check.scope == "program"]
    report = examine(find("urllib"), patient, only=["any order", *framing])
    assert report.healthy
    assert [check_result.name for check_result in report.checks if check_result.state == "skipped"] == framing
    assert [check_result.name for check_result in report.checks if check_result.state == "ok"] == [
        "hello",
        "any order",
    ]


def test_nothing_else_is_checked_if_every_operation_is_an_error(good_adapter, patient):
    report = examine(good_adapter("def answer(q): return 1 / 0"), patient)
    assert [(check_result.name, check_result.state) for check_result in report.checks] == [
        ("hello", "ok"),
        ("operations", "broken"),
        ("all others", "skipped"),
    ]
    assert "an exception that is not a rejection" in report.checks[1].protocol


def test_the_same_fault_is_described_once(good_adapter, patient):
    """An exception that ends the program and is found by several checks is described by the first."""
    special = "def guarded(q): return answer(q)\nold = answer\ndef answer(q):\n"
    special += "    if '[::1' in str(q.get('url')): raise ValueError('no IPv6')\n    return old(q)"
    names = ("refusals", "odd texts", "any order")
    first, *others = examine(good_adapter(special), patient, only=names).checks[1:]
    assert "stderr: ValueError: no IPv6" in first.message
    assert {check_result.message for check_result in others} == {f"the same fault as in “{first.name}”"}
    assert all(check_result.exchange for check_result in others)


def test_a_check_that_fails_loses_nothing(good_adapter, monkeypatch, patient):
    checks = (CHECKS[0], Check("first", HELLO, lambda _: 1 / 0), Check("second", HELLO, lambda _: ok("")))
    monkeypatch.setattr(examination, "CHECKS", checks)
    report = examine(good_adapter(), patient)
    assert [(check_result.name, check_result.state) for check_result in report.checks] == [
        ("hello", "ok"),
        ("first", "broken"),
        ("second", "ok"),
    ]
    assert "ZeroDivisionError: division by zero" in report.checks[1].message


#: The first start or the first answer never comes, the next ones do.
LATE = [
    pytest.param("if not os.path.exists('FILE'): open('FILE', 'w').close(); hang()",
                 "hello", "but a retry was answered", id="start"),
    pytest.param("old = answer\ndef answer(q):\n"
                 "    if not os.path.exists('FILE'): open('FILE', 'w').close(); hang()\n"
                 "    return old(q)", "operations", "but a retry was answered", id="answer"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "name", "words"), LATE)
def test_an_answer_on_retry_is_a_warning(good_adapter, patient, signs, tmp_path, special, name, words):
    adapter = good_adapter(special.replace("FILE", str(tmp_path / "seen")))
    report = examine(adapter, patient, only=[name])
    assert report.healthy
    assert report.checks[-1].state == "warning"
    assert words in report.checks[-1].message
    assert "the time without a complete line" in report.checks[-1].protocol


#: How long a line took, and what is said of it.
SLOW = [
    pytest.param(Wait(12, "hello"), "the hello came after 12.0 s; a run waits 30 s", id="within-a-run"),
    pytest.param(Wait(40, "hello"), "a run waits 30 s, so it needs `--start-timeout 80`", id="start-timeout"),
    pytest.param(Wait(7.5, "answer"), "a run waits 5 s, so it needs `--timeout 15`", id="timeout"),
]


@pytest.mark.parametrize(("wait", "words"), SLOW)
def test_a_slow_adapter_is_told_which_option_it_needs(wait, words):
    assert words in examination._slow(Patience(), wait)


def test_checks_that_repeat_questions_are_skipped_for_a_slow_adapter(good_adapter, patient, monkeypatch):
    """It is said before how long they take; a check that is asked for by name runs."""
    checks = [check for check in CHECKS if check.essential or check.repeats or check.name == "ids"]
    monkeypatch.setattr(examination, "CHECKS", checks)
    adapter = good_adapter("old = answer\ndef answer(q): time.sleep(0.002); return old(q)")
    impatient = patient._replace(total=0.2)
    report = examine(adapter, impatient)
    assert report.healthy
    names = [check_result.name for check_result in report.checks]
    assert names in (
        ["hello", "repetitions", "operations", "ids"],
        ["hello", "operations", "repetitions", "ids"],
    )
    (message,) = (
        check_result.message for check_result in report.checks if check_result.name == "repetitions"
    )
    assert f"{', '.join(REPEATING)} would take about" in message
    named = examine(adapter, impatient, only=["same twice"])
    assert [check_result.name for check_result in named.checks] == ["hello", "same twice"]


def test_an_abandoned_examination_kills_the_adapter(good_adapter, patient, tmp_path, alive):
    pid_file = tmp_path / "pid"
    adapter = good_adapter(f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))")
    examined = Examination(adapter, patient)
    results = iter(examined)
    next(results)
    results.close()
    assert not alive(int(pid_file.read_text("utf-8")))
    assert not examined.report().healthy
    assert len(examined.report().checks) == 1


@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_an_interrupt_prints_what_was_found(good_adapter, monkeypatch, urlconform, as_json):
    def interrupted(_client: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(examination, "CHECKS", (CHECKS[0], Check("first", HELLO, interrupted)))
    done = urlconform("adapters", "doctor", good_adapter().name, *(["--json"] if as_json else []))
    assert done.returncode == 130
    if as_json:
        report = json.loads(done.stdout)
        assert report["healthy"] is False
        assert [check_result["name"] for check_result in report["checks"]] == ["hello"]
    else:
        assert done.stdout.splitlines()[-1] == "interrupted: the other checks were not done"


def test_the_command_shows_the_rule_the_exchange_and_a_line_to_paste(good_adapter, urlconform):
    adapter = good_adapter("def accepts(q): return {'status': 'ok'}").name
    done = urlconform("adapters", "doctor", adapter, "--check", "unknown rule")
    _, first, rule, sent, received, pasted, *_ = done.stdout.splitlines()
    assert first.startswith("unknown rule      warning   a rule that does not exist is answered with `ok`")
    assert rule.split()[:3] == ["docs/protocol.md,", "“Outcomes”:", "the"]
    assert '-> {"op":"validate"' in sent
    assert '<- {"id":' in received
    assert pasted.strip().startswith("printf ")
    assert done.returncode == 0


def test_a_broken_adapter_has_exit_code_3(good_adapter, urlconform):
    adapter = good_adapter("def answer(q): return 1 / 0").name
    done = urlconform("adapters", "doctor", adapter, "--json")
    report = json.loads(done.stdout)
    assert report["healthy"] is False
    assert done.returncode == 3
    assert set(report["checks"][1]) == {"name", "state", "message", "protocol", "exchange", "reproduce"}


@pytest.mark.parametrize(
    "words", [("--timeout", "nan"), ("--start-timeout", "0"), ("--check", "nothing")], ids=" ".join
)
def test_wrong_options_have_exit_code_2(urlconform, words):
    done = urlconform("adapters", "doctor", "urllib", *words)
    assert words[1] in done.stderr
    assert done.returncode == 2


def test_hostile_texts_are_escaped(good_adapter, urlconform):
    """Neither escape sequences nor commands to a build server come through, and JSON stays JSON."""
    nasty = r"HELLO['implementation']['version'] = '\x1b]0;x\x07\n::error::y'; sys.stderr.write('\x1b[2J')"
    name = good_adapter(nasty).name
    done = urlconform("adapters", "doctor", name, "--check", "stderr")
    assert "\x1b" not in done.stdout
    assert "\n::error" not in done.stdout
    assert done.returncode == 0
    report = msgspec.json.decode(urlconform("adapters", "doctor", name, "--json", "--check", "stderr").stdout)
    assert report["hello"]["implementation"]["version"] == "\x1b]0;x\x07\n::error::y"
    assert report["healthy"] is True
