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
from urlharness.exitcodes import Exit

REPEATING = [check.name for check in CHECKS if check.repeats]


def names_of(report, state):
    """Return the names of the checks of a report that have a state."""
    return [check_result.name for check_result in report.checks if check_result.state == state]


def test_a_good_adapter_passes_every_check(good_adapter, patient):
    report = examine(good_adapter(), patient)
    assert [check_result for check_result in report.checks if check_result.state != "ok"] == []
    assert [check_result.name for check_result in report.checks] == [check.name for check in CHECKS]
    assert report.healthy


def test_checks_of_the_server_are_skipped_for_a_function(patient):
    framing = [check.name for check in CHECKS if check.scope == "program"]
    report = examine(find("urllib"), patient, only=["any order", *framing])
    assert report.healthy
    assert names_of(report, "skipped") == framing
    assert names_of(report, "ok") == ["hello", "any order"]


def test_nothing_else_is_checked_if_every_operation_is_an_error(good_adapter, patient):
    report = examine(good_adapter("def answer(q): return 1 / 0"), patient)
    assert [(check_result.name, check_result.state) for check_result in report.checks] == [
        ("hello", "ok"),
        ("operations", "broken"),
        ("all others", "skipped"),
    ]
    _hello, operations, _others = report.checks
    assert "an exception that is not a rejection" in operations.protocol


#: Code of an adapter that an IPv6 address ends: the good adapter catches exceptions in `guarded`, this one
#: does not.
CRASHES_ON_IPV6 = """
    def guarded(q):
        return answer(q)

    old = answer

    def answer(q):
        if '[::1' in str(q.get('url')):
            raise ValueError('no IPv6')
        return old(q)
    """

#: Checks that ask about an IPv6 address.
WITH_IPV6 = ("refusals", "odd texts", "any order")


@pytest.fixture
def checks_with_one_fault(good_adapter, patient):
    """The results of three checks that run into the same exception."""
    _hello, *check_results = examine(good_adapter(CRASHES_ON_IPV6), patient, only=WITH_IPV6).checks
    return check_results


def test_the_same_fault_is_described_once(checks_with_one_fault):
    """The first check describes it, and the two others refer to that one."""
    first, *others = checks_with_one_fault
    assert "stderr: ValueError: no IPv6" in first.message
    assert [check_result.message for check_result in others] == [f"the same fault as in “{first.name}”"] * 2


def test_every_check_with_the_same_fault_shows_its_own_exchange(checks_with_one_fault):
    assert [check_result.name for check_result in checks_with_one_fault if not check_result.exchange] == []


def test_the_checks_after_one_that_fails_are_done(good_adapter, monkeypatch, patient):
    checks = (CHECKS[0], Check("first", HELLO, lambda _: 1 / 0), Check("second", HELLO, lambda _: ok("")))
    monkeypatch.setattr(examination, "CHECKS", checks)
    report = examine(good_adapter(), patient)
    assert [(check_result.name, check_result.state) for check_result in report.checks] == [
        ("hello", "ok"),
        ("first", "broken"),
        ("second", "ok"),
    ]
    _hello, first, _second = report.checks
    assert "ZeroDivisionError: division by zero" in first.message


#: The first start or the first answer never comes, the next ones do.
LATE = [
    pytest.param("if not os.path.exists('FILE'): open('FILE', 'w').close(); hang()",
                 "hello", "but a retry was answered", id="start"),
    pytest.param("old = answer\ndef answer(q):\n"
                 "    if not os.path.exists('FILE'): open('FILE', 'w').close(); hang()\n"
                 "    return old(q)", "operations", "but a retry was answered", id="answer"),
]  # fmt: skip


@pytest.mark.parametrize(("special", "name", "words"), LATE)
@pytest.mark.usefixtures("signs")
def test_an_answer_on_retry_is_a_warning(good_adapter, patient, tmp_path, special, name, words):
    adapter = good_adapter(special.replace("FILE", str(tmp_path / "seen")))
    report = examine(adapter, patient, only=[name])
    assert report.healthy
    *_, check_result = report.checks
    assert check_result.state == "warning"
    assert words in check_result.message
    assert "the time without a complete line" in check_result.protocol


#: How long a line took, and what is said of it.
SLOW = [
    pytest.param(Wait(12, "hello"), "the hello came after 12.0 s; a run waits 30 s", id="within-a-run"),
    pytest.param(Wait(40, "hello"), "a run waits 30 s, so it needs `--start-timeout 80`", id="start-timeout"),
    pytest.param(Wait(7.5, "answer"), "a run waits 5 s, so it needs `--timeout 15`", id="timeout"),
]


@pytest.mark.parametrize(("wait", "words"), SLOW)
def test_a_slow_adapter_is_told_which_option_it_needs(wait, words):
    assert words in examination._slowness_in_words(Patience(), wait)


SLOW_ADAPTER = """
old = answer

def answer(q):
    time.sleep(0.002)
    return old(q)
"""


@pytest.fixture
def report_of_slow_adapter(good_adapter, patient, monkeypatch):
    """The report of an adapter that is too slow for checks that repeat questions."""
    checks = [check for check in CHECKS if check.essential or check.repeats or check.name == "ids"]
    monkeypatch.setattr(examination, "CHECKS", checks)
    return examine(good_adapter(SLOW_ADAPTER), patient._replace(total=0.001))


def test_checks_that_repeat_questions_are_skipped_for_a_slow_adapter(report_of_slow_adapter):
    names = [check_result.name for check_result in report_of_slow_adapter.checks]
    assert names == ["hello", "repetitions", "operations", "ids"]
    assert report_of_slow_adapter.healthy


def test_the_report_says_how_long_the_checks_that_it_skips_would_take(report_of_slow_adapter):
    messages = {check_result.name: check_result.message for check_result in report_of_slow_adapter.checks}
    assert f"{', '.join(REPEATING)} would take about" in messages["repetitions"]


def test_a_check_that_is_asked_for_by_name_runs_for_a_slow_adapter(good_adapter, patient):
    report = examine(good_adapter(SLOW_ADAPTER), patient._replace(total=0.2), only=["same twice"])
    assert [check_result.name for check_result in report.checks] == ["hello", "same twice"]


def abandon_after_first_check(examination):
    """Start an examination, and close it after its first check."""
    check_results = iter(examination)
    next(check_results)
    check_results.close()


def test_an_abandoned_examination_kills_the_adapter(good_adapter, patient, tmp_path, alive):
    pid_file = tmp_path / "pid"
    adapter = good_adapter(f"open({str(pid_file)!r}, 'w').write(str(os.getpid()))")
    abandon_after_first_check(Examination(adapter, patient))
    assert not alive(int(pid_file.read_text("utf-8")))


def test_an_adapter_of_an_abandoned_examination_is_not_called_healthy(good_adapter, patient):
    abandoned = Examination(good_adapter(), patient)
    abandon_after_first_check(abandoned)
    assert [check_result.name for check_result in abandoned.report().checks] == ["hello"]
    assert not abandoned.report().healthy


@pytest.fixture
def interrupted_doctor(good_adapter, monkeypatch, urlconform):
    """Return a function that runs the command, which is interrupted in the second check."""

    def interrupt(_client: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(examination, "CHECKS", (CHECKS[0], Check("first", HELLO, interrupt)))
    return lambda *options: urlconform("adapters", "doctor", good_adapter().name, *options)


def test_an_interrupted_examination_ends_its_text_with_a_note(interrupted_doctor):
    done = interrupted_doctor()
    assert done.stdout.splitlines()[-1] == "interrupted: the other checks were not done"
    assert done.returncode == Exit.INTERRUPTED


def test_an_interrupted_examination_prints_the_checks_that_were_done_as_json(interrupted_doctor):
    done = interrupted_doctor("--json")
    report = json.loads(done.stdout)
    assert report["healthy"] is False
    assert [check_result["name"] for check_result in report["checks"]] == ["hello"]
    assert done.returncode == Exit.INTERRUPTED


@pytest.fixture
def checked_unknown_rule(good_adapter, urlconform):
    """The command on an adapter that answers questions about unknown rules, with that check alone."""
    adapter = good_adapter("def accepts(q): return {'status': 'ok'}").name
    return urlconform("adapters", "doctor", adapter, "--check", "unknown rule")


def test_the_command_shows_a_warning_with_its_rule(checked_unknown_rule):
    _hello, warning, rule, *_ = checked_unknown_rule.stdout.splitlines()
    assert warning.startswith("unknown rule      warning   a rule that does not exist is answered with `ok`")
    assert rule.strip().startswith("docs/protocol.md, “Outcomes”: the")


def test_the_command_shows_the_exchange_of_a_warning_with_a_line_to_paste(checked_unknown_rule):
    _hello, _warning, _rule, question, reply, line_to_paste, *_ = checked_unknown_rule.stdout.splitlines()
    assert '-> {"op":"validate"' in question
    assert '<- {"id":' in reply
    assert line_to_paste.strip().startswith("printf ")


def test_the_doctor_of_an_adapter_with_a_warning_ends_with_exit_code_0(checked_unknown_rule):
    assert checked_unknown_rule.returncode == Exit.PASSED


@pytest.fixture
def broken_report(good_adapter, urlconform):
    """The command on a broken adapter, with its report as JSON."""
    adapter = good_adapter("def answer(q): return 1 / 0").name
    return urlconform("adapters", "doctor", adapter, "--json")


def test_the_doctor_of_a_broken_adapter_ends_with_exit_code_3(broken_report):
    assert json.loads(broken_report.stdout)["healthy"] is False
    assert broken_report.returncode == Exit.ADAPTER_DEAD


def test_a_check_has_all_its_fields_in_json(broken_report):
    _hello, operations, *_ = json.loads(broken_report.stdout)["checks"]
    assert set(operations) == {"name", "state", "message", "protocol", "exchange", "reproduce"}


@pytest.mark.parametrize(
    ("option", "argument"),
    [("--timeout", "nan"), ("--start-timeout", "0"), ("--check", "nothing")],
    ids=["no-number", "zero", "unknown-check"],
)
def test_wrong_options_have_exit_code_2(urlconform, option, argument):
    done = urlconform("adapters", "doctor", "urllib", option, argument)
    assert argument in done.stderr
    assert done.returncode == Exit.USAGE


#: Escape sequences and a command to a build server, in the hello and on stderr.
HOSTILE_ADAPTER = r"""
HELLO['implementation']['version'] = '\x1b]0;x\x07\n::error::y'
sys.stderr.write('\x1b[2J')
"""


def test_hostile_texts_are_escaped(good_adapter, urlconform):
    """Neither escape sequences nor commands to a build server come through."""
    done = urlconform("adapters", "doctor", good_adapter(HOSTILE_ADAPTER).name, "--check", "stderr")
    assert "\x1b" not in done.stdout
    assert "\n::error" not in done.stdout
    assert r"\u{1b}]0;x\u{7}\u{a}::error::y" in done.stdout
    assert done.returncode == Exit.PASSED


def test_hostile_texts_are_the_same_in_json(good_adapter, urlconform):
    name = good_adapter(HOSTILE_ADAPTER).name
    report = msgspec.json.decode(urlconform("adapters", "doctor", name, "--json", "--check", "stderr").stdout)
    assert report["hello"]["implementation"]["version"] == "\x1b]0;x\x07\n::error::y"
    assert report["healthy"] is True
