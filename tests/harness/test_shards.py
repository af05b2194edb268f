"""Cases divided among several processes: the answers are those of one, in the same order."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from urlharness.adapters.registry import InProcess, find
from urlharness.engine.client import Apart, ClientPool, open_client
from urlharness.engine.session import Session
from urlharness.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.runner import question

LIMITS = Limits(start=60, case=60)


def answers(adapter, asked, jobs):
    asker = open_client(adapter, LIMITS._replace(jobs=jobs), "tests")
    found = list(asker.ask(asked))
    asker.close()
    assert [place for place, _ in found] == list(range(len(asked)))
    return [got[:2] if isinstance(got, tuple) else _plain(got) for _, got in found], asker


def _plain(reply: Reply) -> dict:
    return {name: getattr(reply, name) for name in reply.__struct_fields__ if name != "id"}


def questions(names):
    return [Question(id=0, op="normalize", spec="rfc3986", url=f"http://h/{name}") for name in names]


@pytest.mark.once
@pytest.mark.parametrize("name", ["reference", "urllib"])
def test_bundled_adapters_answer_alike_in_processes_of_their_own(corpus, name):
    asked = [question(case) for case in corpus.cases[::40]]
    alone, _ = answers(find(name), asked, 1)
    shared, asker = answers(find(name), asked, 2)
    assert isinstance(asker, ClientPool)
    assert shared == alone


#: What a function may do to a question, by its url; `print` is a mark that it leaves on stdout.
FUNCTION = """
import os

def answer(question):
    what = question["url"].rpartition("/")[2]
    print(what, flush=True)
    match what:
        case "error": raise KeyError("\\ud800")
        case "octets": return {"status": "ok", "url": b"a:b"}
        case "surrogate": return {"status": "ok", "url": "\\ud800"}
        case "object": return {"status": "ok", "also": [object()]}
        case "none": return None
        case "exit": raise SystemExit(3)
    return {"status": "ok", "url": question["url"]}
"""


def test_a_function_is_judged_alike_in_processes_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)  # as it is taken away again
    name = f"shared_{tmp_path.name}".replace("-", "_")
    (tmp_path / f"{name}.py").write_text(FUNCTION, "utf-8")
    adapter = find(f"python:{name}:answer")
    asked = questions(["a", "error", "octets", "b", "surrogate", "object", "none", "exit", "c"])
    here, asker = answers(replace(adapter, apart=False), asked, 1)
    assert not isinstance(asker, Apart)
    abnormal = [got[0] for got in here if isinstance(got, tuple)]
    assert abnormal == ["garbage"] * 4 + ["crash"]
    for jobs in (1, 3):
        found, asker = answers(adapter, asked, jobs)
        assert isinstance(asker, Apart)
        assert found == here


def test_a_function_without_a_name_is_asked_in_this_process():
    hello = {
        "protocol": 1,
        "implementation": {"name": "x", "version": "1"},
        "ops": ["normalize"],
        "specs": [],
    }
    seen = []
    adapter = InProcess("reference", lambda: (hello, lambda asked: seen.append(asked) or {"status": "ok"}))
    assert len(answers(adapter, questions("abc"), 4)[0]) == len(seen) == 3


CRASHING = """
def right(message):
    if int(message["url"].rpartition("/")[2]) % 3 == 1:
        os._exit(9)
    return {"id": message["id"], "status": "ok", "url": message["url"]}
"""


@pytest.mark.parametrize("window", [1, 5])
def test_the_adapter_is_given_up_after_the_same_question(adapter, window):
    """The fifth that ends a program is the last; with several processes an earlier one may be."""
    program = find(f"jsonl:{' '.join(adapter(CRASHING, window))}")
    found = []
    for jobs in (1, 3):
        asker = open_client(program, LIMITS._replace(jobs=jobs, restarts=4), "tests")
        outcomes = [
            got.outcome if isinstance(got, tuple) else got.status
            for _, got in asker.ask(questions(range(40)))
        ]
        assert [got.outcome for _, got in asker.ask(questions("7"))] == ["aborted"]
        asker.close()
        found.append(outcomes)
    assert found[0] == [*(["ok", "crash", "ok"] * 5)[:14], *["aborted"] * 26]
    assert found[1].count("crash") <= 5
    assert "aborted" in found[1]


def test_work_is_shared(adapter, tmp_path):
    """Each of the processes waits for the others before it answers: together they come through."""
    special = f"""
    def right(message):
        open({str(tmp_path)!r} + "/" + str(os.getpid()), "w").close()
        while len([name for name in os.listdir({str(tmp_path)!r}) if name.isdigit()]) < 3:
            time.sleep(0.01)
        return {{"id": message["id"], "status": "ok", "url": message["url"]}}
    """
    found, asker = answers(find(f"jsonl:{' '.join(adapter(special, 64))}"), questions(range(30)), 3)
    assert {got["status"] for got in found} == {"ok"}
    assert asker.restarts == 0


def test_a_process_starts_when_there_is_something_to_ask(adapter, tmp_path):
    special = f"open({str(tmp_path / 'starts')!r}, 'a').write('x')"
    asker = open_client(find(f"jsonl:{' '.join(adapter(special))}"), LIMITS._replace(jobs=200), "tests")
    assert len(list(asker.ask(questions("ab")))) == 2
    assert list(asker.ask([])) == []
    asker.close()
    assert len((tmp_path / "starts").read_text("ascii")) <= 3


def test_one_job_is_one_session(adapter):
    asker = open_client(find(f"jsonl:{' '.join(adapter())}"), LIMITS, "tests")
    assert isinstance(asker, Session)
    assert [place for place, _ in asker.ask(itertools.islice(questions("abc"), 2))] == [0, 1]
    asker.close()


@pytest.mark.once
def test_a_run_with_jobs_writes_the_results_of_one_without(urlconform, tmp_path):
    written = []
    for jobs in ("1", "3"):
        options = ("--spec", "rfc1808", "--section", "5", "--jobs", jobs, "--report", "json=r.jsonl")
        assert urlconform("run", "urllib", *options).returncode == 1
        lines = (tmp_path / "r.jsonl").read_text("utf-8").splitlines()
        written.append([line for line in lines if line.startswith('{"type":"case"')])
    assert len(written[0]) > 40
    assert written[1] == written[0]


@pytest.mark.once
def test_a_run_ends_when_its_time_is_over(urlconform, adapter, tmp_path):
    name = f"jsonl:{' '.join(adapter('def right(message): time.sleep(60)'))}"
    limits = ("--timeout", "60", "--total-timeout", "1.5", "--report", "json=r.jsonl")
    done = urlconform("run", name, "--spec", "rfc1808", "--section", "5.1", *limits)
    assert done.returncode in (1, 3), done.stderr
    assert "the 1.5 s for all cases were over" in (tmp_path / "r.jsonl").read_text("utf-8")
