"""A session: its limits, its hello, and what goes over the wire; how it bears faults is in misbehaving/."""

from __future__ import annotations

import itertools
import tracemalloc

import pytest

from urlharness.engine.process import Watch
from urlharness.engine.scheduler import HELD, LIGHT, REACH, Supply
from urlharness.engine.session import Session
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.messages import Question, Reply, ids

NAMES = ["a", "b", "c", "TARGET", "d", "e", "f"]
PATIENT = Limits(start=20, case=20)


def questions(names=NAMES):
    return [Question(id=0, op="normalize", spec="rfc3986", url=f"http://h/{name}") for name in names]


def outcomes(command, limits=PATIENT, names=NAMES):
    """What became of each question, by name: "own" where the answer is the one to it."""
    session = Session(command, limits, "tests")
    asked = questions(names)
    found = {}
    for index, got in session.ask(asked):
        assert names[index] not in found, "a question settled twice"
        if isinstance(got, Abnormal):
            found[names[index]] = got
        else:
            assert got.url == asked[index].url, "the answer to another question"
            found[names[index]] = got.status
    session.close()
    assert found.keys() == set(names)
    return found


def fault(code: str) -> str:
    return f"def fault(message):\n    {code}\n"


def test_stderr_goes_with_an_abnormal_outcome(adapter):
    code = "os.write(2, b'x' * 9999 + b' the end'); os._exit(2)"
    guilty = outcomes(adapter(fault(code)))["TARGET"]
    assert guilty.stderr.endswith("x the end")
    assert len(guilty.stderr.encode()) == 4096


@pytest.mark.parametrize("window", [1, 4, 64])
def test_a_program_that_always_crashes_is_given_up(adapter, window):
    """After the same question for any window."""
    everything = "def right(message):\n    os._exit(9)\n"
    found = outcomes(adapter(everything, window), PATIENT._replace(restarts=2), list("abcdef"))
    assert [found[name].outcome for name in "abcdef"] == ["crash"] * 3 + ["aborted"] * 3
    why = "it had to be started again more than 2 times; the last time: exit code 9"
    assert found["f"].detail == why


def test_a_program_that_starts_only_once_is_given_up(adapter, tmp_path):
    special = f"""
    if os.path.exists({str(tmp_path / "been here")!r}):
        sys.exit("no second time")
    open({str(tmp_path / "been here")!r}, "w").close()
    def fault(message):
        os._exit(1)
    """
    found = outcomes(adapter(special))
    assert [found[name] for name in "abc"] == ["ok"] * 3
    assert {found[name].outcome for name in ("TARGET", *"def")} == {"aborted"}
    assert "no second time" in found["d"].detail


DEAD = [
    pytest.param("def hello(): os._exit(0)", "no hello: it ended", id="ends-at-hello"),
    pytest.param("os.kill(os.getpid(), signal.SIGABRT)", "no hello: killed by SIGABRT", id="aborts-at-start"),
    pytest.param("HELLO['protocol'] = [1]", "it speaks protocol [1], not 1", id="protocols-in-a-list"),
    pytest.param("del HELLO['type']", "no hello of protocol 1", id="no-type"),
    pytest.param("del HELLO['ops']", "it has no ops: ", id="no-operations"),
    pytest.param("del HELLO['implementation']['version']", "it has no implementation.version", id="version"),
    pytest.param("HELLO['window'] = 0", "window is 0: it is a whole number", id="no-window"),
]


@pytest.mark.parametrize(("special", "words"), DEAD)
def test_a_program_without_a_hello_is_dead(adapter, special, words):
    with pytest.raises(AdapterDead) as dead:
        Session(adapter(special), PATIENT, "tests")
    assert words in str(dead.value)


@pytest.mark.parametrize("program", ["no-such-program", "/", "./no/such"], ids=["name", "folder", "path"])
def test_a_program_that_is_not_there_is_dead(program):
    with pytest.raises(AdapterDead, match=program):
        Session([program], PATIENT, "tests")


def test_the_hello_is_kept(adapter):
    session = Session(adapter(window=9), PATIENT, "tests")
    session.close()
    assert (session.hello.implementation.name, session.hello.window) == ("made up", 9)


def test_nothing_of_the_corpus_is_sent(adapter, tmp_path):
    """Only the fields of the question go over the wire: no vector id, no expectation."""
    special = f"""
    def right(message):
        with open({str(tmp_path / "seen")!r}, "a") as file:
            file.write(" ".join(sorted(message)) + "\\n")
        return {{"id": message["id"], "status": "ok", "url": message["url"]}}
    """
    outcomes(adapter(special), names=["a"])
    assert (tmp_path / "seen").read_text("ascii") == "id op spec type url\n"


def test_ids_are_never_used_twice(adapter, tmp_path):
    special = f"""
    def fault(message):
        os._exit(1)
    def right(message):
        with open({str(tmp_path / "ids")!r}, "a") as file:
            print(message["id"], file=file)
        return {{"id": message["id"], "status": "ok", "url": message["url"]}}
    """
    outcomes(adapter(special, 4))
    ids = (tmp_path / "ids").read_text("ascii").split()
    assert len(ids) == len(set(ids)) >= len(NAMES) - 1


def test_ids_rise_and_are_not_to_be_guessed():
    """No id follows soon upon another, two sessions have different ones, a million stays below 2³¹."""
    million = list(itertools.islice(ids(), 10**6))
    assert million[0] == 1
    assert million[-1] < 2**31
    steps = [after - before for before, after in itertools.pairwise(million)]
    assert min(steps) > 500
    assert len(set(steps)) > 500
    assert list(itertools.islice(ids(), 100)) != million[:100]


def test_answers_are_in_doubt_until_a_later_one_has_come(adapter, tmp_path):
    """Nothing is open beside them, and still they were given by another question."""
    special = f"""
    def fault(message):
        if os.path.exists({str(tmp_path / "been here")!r}):
            return send(right(message))
        open({str(tmp_path / "been here")!r}, "w").close()
        others = [json.loads(sys.stdin.buffer.readline()) for _ in range(3)]
        ids = [one["id"] for one in (message, *others)]
        out("".join(json.dumps(right(message) | {{"id": number}}) + "\\n" for number in ids))
        sys.stdin.buffer.readline()  # when the fifth is asked
        send(right(others[0]))
    """
    assert set(outcomes(adapter(special, 4), names=["TARGET", *"abcdefg"]).values()) == {"ok"}


def test_what_was_held_back_goes_to_no_later_question(adapter, tmp_path, monkeypatch):
    """All time was over while answers were in doubt: they stay, and what is asked afterwards is aborted."""
    marker = tmp_path / "reached"
    hangs = fault(f"open({str(marker)!r}, 'w').close(); time.sleep(60)")
    session = Session(adapter(hangs, 64), PATIENT._replace(total=1000), "tests")
    wait = Watch.wait

    def until_it_hangs(watch, seconds):
        over = marker.exists()
        wait(watch, seconds)
        if over:
            session.patience.ends = 0

    monkeypatch.setattr(Watch, "wait", until_it_hangs)
    first = [got.status if isinstance(got, Reply) else got.outcome for _, got in session.ask(questions())]
    assert first == ["ok"] * 3 + ["aborted"] * 4
    assert [got.outcome for _, got in session.ask(questions())] == ["aborted"] * 7
    session.close()


def test_replies_are_records(adapter):
    session = Session(adapter(), PATIENT, "tests")
    assert all(isinstance(got, Reply) for _, got in session.ask(questions(["a"])))
    session.close()


def test_a_program_that_breaks_after_each_answer_is_given_up(adapter):
    """No question is to blame, but it would be started again for ever."""
    special = """
    def right(message):
        send({"id": message["id"], "status": "ok", "url": message["url"]})
        os._exit(1)
    """
    found = outcomes(adapter(special), PATIENT._replace(restarts=2), list("abcdefgh"))
    assert [found[name] for name in "abcde"] == ["ok"] * 5
    assert found["h"].outcome == "aborted"
    assert found["h"].detail.endswith(" 2 times, and no question is to blame; the last time: exit code 1")


def test_a_program_that_numbers_its_replies_is_told_so(adapter):
    """It lives until its second answer, and no question is to blame."""
    special = """
    given = []
    def right(message):
        given.append(message["id"])
        return {"id": given[0] + len(given) - 1, "status": "ok", "url": message["url"]}
    """
    found = outcomes(adapter(special), PATIENT._replace(restarts=2), list("abcdefgh"))
    assert {got if got == "ok" else got.outcome for got in found.values()} == {"ok", "aborted"}
    assert "the last time: a reply to a question that is not open" in found["h"].detail


def test_a_hello_later_than_all_time_is_none(adapter):
    with pytest.raises(AdapterDead, match=r"the 0\.2 s for all cases were over"):
        Session(adapter("def hello(): time.sleep(60)"), PATIENT._replace(total=0.2), "tests")


def test_what_is_asked_no_more_disturbs_nothing(adapter):
    """A run that was broken off leaves replies behind: the next one does not take them for its own."""
    session = Session(adapter(window=4), PATIENT, "tests")
    broken = session.ask(questions())
    assert next(broken)[0] == 0
    broken.close()
    assert [(place, got.url) for place, got in session.ask(questions(["x"]))] == [(0, "http://h/x")]
    session.close()


def test_questions_are_taken_as_they_are_asked(adapter):
    """A million questions to an adapter that reads none of them: few are taken, and fewer octets kept."""
    taken = itertools.count()
    million = (question for question in itertools.repeat(*questions(["x"]), 10**6) if next(taken) >= 0)
    special = "def hello():\n    send(HELLO)\n    time.sleep(60)"
    session = Session(adapter(special, 65536), PATIENT._replace(case=0.5, restarts=0), "tests")
    settled = session.ask(million)
    assert next(settled)[1].outcome == "timeout"
    assert next(taken) < 10_000
    settled.close()


def test_nobody_is_far_ahead_of_the_oldest(adapter, monkeypatch):
    """An adapter that answers all but the first: what waits for that is bounded."""
    monkeypatch.setattr("urlharness.engine.scheduler.REACH", 100)
    taken = itertools.count()
    names = ["TARGET", *(str(n) for n in range(1000))]
    asked = (question for question in questions(names) if next(taken) >= 0)
    ends_later = fault("signal.setitimer(signal.ITIMER_REAL, 0.5)")
    session = Session(adapter(ends_later, 8), PATIENT, "tests")
    settled = session.ask(asked)
    assert next(settled)[1][:2] == ("crash", "killed by SIGALRM")
    assert next(taken) < 200
    assert [got.status for _, got in settled] == ["ok"] * 1000
    session.close()


def dealt(supply: Supply) -> int:
    """How many questions it deals while none is settled; half a million is without an end."""
    return sum(len(supply.take(500)) for _ in range(1000))


def test_how_far_ahead_is_bounded():
    supply = Supply(itertools.repeat(*questions(["x"])))
    assert dealt(supply) == REACH < 100_000
    supply.floor += 7
    assert dealt(supply) == 7
    assert not supply.done


def test_what_waits_is_bounded():
    """Above so many octets no question is dealt, until what waits has gone on; few octets are not counted."""
    supply = Supply(itertools.repeat(*questions(["x"])))
    places = range(200)
    for place in places:
        supply.hold(place, 2**20)
        supply.hold(place, 2**20)  # it was in doubt, and asked again
        assert bool(supply.take(1)) == (place < 32)
    assert supply.overfull()
    assert supply.window(64) == 1
    for place in places:
        supply.let_go(place)
    assert len(supply.take(1)) == 1
    assert not supply.heavy
    assert REACH * LIGHT <= HELD


#: Does not answer TARGET while others are in flight, and gives the others long answers.
LONG = """
def fault(message):
    if os.path.exists(MARKER):
        return send(right(message))
    open(MARKER, "w").close()

def right(message):
    return {"id": message["id"], "status": "ok", "url": message["url"], "layer": "x" * 50_000}
"""


def test_long_answers_are_not_hoarded(adapter, tmp_path, monkeypatch):
    """All are in flight at once, and all but the first are answered: what that takes is bounded."""
    monkeypatch.setattr("urlharness.engine.scheduler.HELD", 10**6)
    command = adapter(f"MARKER = {str(tmp_path / 'asked')!r}\n{LONG}", 1024)
    tracemalloc.start()
    found = outcomes(command, names=["TARGET", *map(str, range(400))])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert set(found.values()) == {"ok"}
    assert peak < 10**7


def test_long_answers_keep_others_from_being_asked(adapter, monkeypatch):
    """Where the window is small it is enough to ask nothing more."""
    monkeypatch.setattr("urlharness.engine.scheduler.HELD", 10**6)
    taken = itertools.count()
    asked = (question for question in questions(["TARGET", *map(str, range(200))]) if next(taken) >= 0)
    ends_later = f"{LONG}{fault('signal.setitimer(signal.ITIMER_REAL, 0.5)')}"
    session = Session(adapter(ends_later, 8), PATIENT, "tests")
    settled = session.ask(asked)
    assert next(settled)[1][:2] == ("crash", "killed by SIGALRM")
    assert next(taken) < 40
    assert [got.status for _, got in settled] == ["ok"] * 200
    session.close()
