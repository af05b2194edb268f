"""Whatever an adapter does to one question, the verdict on every other one is as if it had behaved.

One row for each way to misbehave: what becomes of the question that is to blame, or of each that is.  For all
others the verdict of the honest adapter has to come out, with one question in flight, with four and with all.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from urlharness.engine.client import sessions
from urlharness.limits import AdapterDead, Limits

SCRIPTS = Path(__file__).parent / "scripts"
PATIENT = Limits(start=10**9, case=10**9)
WINDOWS = (*(pytest.param(window, marks=pytest.mark.once) for window in (1, 4)), 64)

#: The script, what becomes of TARGET, and words of the detail.
ONE_IS_TO_BLAME = [
    ("exit_code", "crash", "exit code 3"),
    ("exception", "crash", "exit code 1"),
    ("sigsegv", "crash", "killed by SIGSEGV"),
    ("sigkill", "crash", "killed by SIGKILL"),
    ("leaves_a_child", "crash", "exit code 7"),
    ("leaves_a_child_apart", "crash", "exit code 7"),
    ("exits_with_0", "no-answer", "it ended without an answer"),
    ("half_a_line_then_exit", "no-answer", "it ended without an answer after '{\"id\":'"),
    ("closes_stdout", "no-answer", "it closed its output and went on"),
    ("hangs", "timeout", "no answer within 1000 s"),
    ("answers_too_late", "timeout", "no answer within 1000 s"),
    ("half_a_line_then_stall", "timeout", "no answer within 1000 s"),
    ("drips_too_long", "timeout", "no answer within 1000 s"),
    ("ignores_sigterm", "timeout", "no answer within 1000 s"),
    ("stops_itself", "timeout", "no answer within 1000 s"),
    ("skips_the_question", "timeout", "no answer within 1000 s"),
    ("endless_stderr", "timeout", "no answer within 1000 s"),
    ("endless_blank_lines", "timeout", "no answer within 1000 s"),
    ("closes_stdin", "timeout", "no answer within 1000 s"),
    ("garbage_line", "garbage", "not a reply: JSON is malformed"),
    ("array", "garbage", "it is a list, not an object: '[]'"),
    ("empty_object", "garbage", "it has no status"),
    ("nul_octets", "garbage", "'\\x00\\x00\\x00'"),
    ("two_replies_in_a_line", "garbage", "more than one JSON object"),
    ("bom", "garbage", "'\\ufeff{"),
    ("invalid_utf_8", "garbage", "not a reply"),
    ("lone_surrogate", "garbage", "not a reply"),
    ("deep_json", "garbage", "at `$.also[0][0]`"),
    ("deep_unknown_field", "garbage", "maximum recursion depth exceeded"),
    ("huge_number", "garbage", "at is "),
    ("line_of_10_mib", "garbage", "a line of more than 1048576 octets"),
    ("line_without_end", "garbage", "a line of more than 1048576 octets"),
    ("unknown_status", "garbage", 'status is "maybe": one of ok, reject'),
    ("wrong_type", "garbage", "url is 7, a number"),
    ("id_as_text", "garbage", "id is a text"),
    ("unknown_id", "garbage", 'a reply to 1000000, which was never asked: \'{"id": 1000000,'),
    ("id_from_before", "garbage", 'a reply to a question that is not open: \'{"id": N,'),
    ("hello_for_an_answer", "garbage", "it says hello twice"),
    ("takes_the_third_id", "garbage", 'a reply to the id 3 ahead, which was never asked: \'{"id": N,'),
    ("answers_for_the_next_three", "garbage", "a reply to the id 1 ahead, which was never asked"),
    ("banner_before_the_answer", "garbage", "'DEBUG: thinking'"),
    ("flaky", "fail", ""),
    ("wrong_every_7th", "fail", ""),
    ("unsupported", "unsupported", "not today"),
    ("error", "error", "IndexError"),
]

#: Scripts that are odd, and yet answer every question.
NOBODY_IS_TO_BLAME = """
    honest answers_twice answers_twice_later noise_behind_the_answer noise_behind_every_answer crlf
    blank_lines two_replies_in_one_write one_reply_in_two_writes octet_by_octet out_of_order
    unknown_fields stderr_of_10_mib replies_of_900_kib writes_before_it_reads answers_then_crashes
    ends_after_every_answer crashes_at_the_5th hangs_at_the_5th closes_stdin_after_the_answer
    claims_unknown_operations answers_the_next_three_too one_id_for_two shifts_waiting_ids
    counts_its_replies answers_what_is_to_come
""".split()  # noqa: SIM905

#: The script, and what becomes of the questions of this name, or whose names begin so.
MANY_ARE_TO_BLAME = [
    ("accepts_everything", {"no": "fail", "ref": "fail", "TARGET": "fail"}),
    ("rejects_everything", {"yes": "fail", "ref": "fail", "TARGET": "fail"}),
    ("echoes", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
    ("banner_behind_the_hello", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
    ("takes_the_next_id", dict.fromkeys(("no", "ref1", "ref3", "TARGET"), "garbage")),
    (
        "says_hello_twice",
        dict.fromkeys(("yes1", "no1", "ref1"), "garbage")
        | dict.fromkeys(("yes", "no", "ref", "TARGET"), "aborted"),
    ),
    ("shifts_all_ids", dict.fromkeys(("yes", "no", "ref", "TARGET"), "garbage")),
]

#: The script, and words of why nothing is asked of it.
DEAD = [
    ("never_says_hello", "no hello: no answer within 1000 s"),
    ("dies_at_the_hello", "no hello: exit code 1; it wrote: no licence"),
    ("protocol_99", "it speaks protocol 99, not 1"),
    (
        "banner_before_the_hello",
        "its first line is no hello of protocol 1: JSON is malformed: invalid character",
    ),
    ("bom_before_the_hello", "'\\ufeff{"),
    ("endless_hello", "no hello: a line of more than 1048576 octets"),
]

#: What depends on how many questions a process was asked before; elsewhere, no answer depends on that.
COUNTS = {"wrong_every_7th"}


def takes_time(script: str) -> bool:
    """Does it rely on the clock?  It leaps for every process at once, so only one may be run."""
    text = (SCRIPTS / f"{script}.py").read_text("utf-8")
    return "hang" in text or "time_passes" in text


def test_every_script_has_its_row():
    rows = [*(row[0] for row in ONE_IS_TO_BLAME + MANY_ARE_TO_BLAME + DEAD), *NOBODY_IS_TO_BLAME]
    assert sorted(rows) == sorted(path.stem for path in SCRIPTS.glob("*.py"))


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(
    ("script", "outcome", "words"), [pytest.param(*row, id=row[0]) for row in ONE_IS_TO_BLAME]
)
def test_one_is_to_blame(examine, script, outcome, words, window):
    found = examine(script, window)
    blamed, detail = found.pop("TARGET")
    assert blamed == outcome
    assert words in detail
    assert set(found.values()) == {("pass", "")}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("script", NOBODY_IS_TO_BLAME)
def test_nobody_is_to_blame(examine, script, window):
    assert set(examine(script, window).values()) == {("pass", "")}


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("script", "outcomes"), [pytest.param(*row, id=row[0]) for row in MANY_ARE_TO_BLAME])
def test_many_are_to_blame(examine, script, outcomes, window):
    found = examine(script, window)
    for name, (outcome, _) in found.items():
        assert outcome == outcomes.get(name, outcomes.get(name.rstrip("1234"), "pass")), name


@pytest.mark.parametrize(("script", "words"), [pytest.param(*row, id=row[0]) for row in DEAD])
def test_nothing_is_asked_of_the_dead(examine, script, words):
    with pytest.raises(AdapterDead) as dead:
        examine(script, 1)
    assert words in str(dead.value)


@pytest.mark.parametrize("window", WINDOWS)
def test_the_time_for_all_cases_ends_the_run(examine, window):
    """What was settled by then stays settled."""
    found = examine("hangs", window, limits=PATIENT._replace(total=5000))
    names = list(found)
    before = names.index("TARGET")
    assert {found[name] for name in names[:before]} == {("pass", "")}
    assert {found[name] for name in names[before:]} == {("aborted", "the 5000 s for all cases were over")}


@pytest.mark.once
@pytest.mark.parametrize(
    "script",
    [
        script
        for script in [row[0] for row in ONE_IS_TO_BLAME + MANY_ARE_TO_BLAME] + NOBODY_IS_TO_BLAME
        if not takes_time(script) and script not in COUNTS
    ],
)
def test_three_processes_come_to_the_same(examine, script, signs):
    def three(command, limits, harness):
        return sessions(command, limits._replace(jobs=3), harness)

    alone = examine(script, 4)
    signs.with_name("known").unlink(missing_ok=True)  # what `flaky` remembers
    assert examine(script, 4, three) == alone
