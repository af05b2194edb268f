"""Create and update a baseline."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pytest
from msgspec import structs

from urlharness.corpus.loader import load
from urlharness.corpus.lock import locked_vector
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, read_baseline, write_baseline
from urlharness.gate.findings import findings
from urlharness.gate.gate import decide, judged_specs, other_corpus_note
from urlharness.gate.policy import PLAIN, Policy
from urlharness.gate.update import create, update
from urlharness.results.model import Participant, Result, Tally, read_results
from urlharness.results.verdict import Outcome

OTHER_CORPUS = "f" * 12
CORPUS_OF_THE_RUN = "0123456789ab"


LIB = Participant("lib", "ran", specs=("rfc3986",))


ASKED = ("known", "right", "changed", "moved", "new")


IDS = {name: f"rfc3986-3.3-{name}" for name in (*ASKED, "unasked", "gone")}


#: The entry of a part of a generated tier.
PART = Entry("resolution-rfc3986", "fail", {"required": {"fail": 7}}, "ab" * 6)


#: The ids of a corpus with a vector that is never asked.
KNOWN = frozenset((PART.id, *(identifier for name, identifier in IDS.items() if name != "gone")))


#: The ids of a corpus whose vectors are all asked.
WHOLE = KNOWN - {IDS["unasked"]}


@pytest.fixture
def results(make_case, record):
    """Return a function that runs these vectors and the part; only `right` is answered rightly."""

    def write(*names: str, whole: bool = True):
        cases = [make_case(IDS[name]) for name in names]
        answers = [
            Result(IDS[name], "lib", Outcome.PASS if name == "right" else Outcome.FAIL) for name in names
        ]
        counts = {Outcome.PASS: 1, Outcome.FAIL: 7}
        tally = Tally(
            "lib",
            PART.id,
            "resolution",
            "rfc3986",
            counts,
            {Outcome.FAIL: 7},
            {},
            digest="ab" * 32 if whole else "",
        )
        written = record(cases, LIB, *answers, tally)
        assert written.header.corpus == CORPUS_OF_THE_RUN
        return written

    return write


@pytest.fixture
def listing(make_case):
    """Return a function that makes a list of another corpus, with entries of these vectors and these numbers.

    The part is always an entry. That of `changed` has another outcome than in the run, and that of `moved` is
    of another version of the vector.
    """

    def make(*names: str, **answered: int):
        entries = []
        for name in names:
            outcome = "crash" if name == "changed" else "fail"
            digest = "f" * 12 if name == "moved" else locked_vector(make_case(IDS[name])).digest
            entries.append(Entry(IDS[name], outcome, {}, digest))
        numbers = {"rfc3986": answered} if answered else {}
        return Baseline("urlbaseline-1", OTHER_CORPUS, "lib", ("rfc3986",), (*entries, PART), numbers)

    return make


class UpdatedList(NamedTuple):
    """What a list of another corpus has, what was asked, and which update gives it the corpus of the run."""

    names: Sequence[str]
    asked: Sequence[str]
    by_only_shrink: bool
    by_update: bool
    numbers: Mapping[str, int] = {}
    corpus_ids: frozenset[str] = KNOWN

    def is_renewed(self, *, only_shrink: bool) -> bool:
        """Return True if an update, with or without `--only-shrink`, takes the corpus of the run."""
        return self.by_only_shrink if only_shrink else self.by_update


UPDATED_LISTS = {
    "as-it-was": UpdatedList(["known"], ["known"], by_only_shrink=True, by_update=True),
    "stale": UpdatedList(["known", "right"], ["known", "right"], by_only_shrink=True, by_update=True),
    "unknown-id": UpdatedList(["known", "gone"], ["known"], by_only_shrink=True, by_update=True),
    "stale-and-unknown-id": UpdatedList(
        ["known", "right", "gone"], ["known", "right"], by_only_shrink=True, by_update=True
    ),
    "new": UpdatedList(["known"], ["known", "new"], by_only_shrink=False, by_update=True),
    "stale-and-new": UpdatedList(
        ["known", "right"], ["known", "right", "new"], by_only_shrink=False, by_update=True
    ),
    "changed": UpdatedList(["known", "changed"], ["known", "changed"], by_only_shrink=False, by_update=True),
    "moved": UpdatedList(["known", "moved"], ["known", "moved"], by_only_shrink=False, by_update=True),
    "not-all-asked": UpdatedList(["known", "unasked"], ["known"], by_only_shrink=False, by_update=False),
    "numbers-not-counted": UpdatedList(
        ["known"], ["known", "right"], by_only_shrink=False, by_update=False, numbers={"validate": 2}
    ),
    "counted-and-left": UpdatedList(
        ["known", "new", "changed", "moved"],
        ASKED,
        by_only_shrink=False,
        by_update=True,
        numbers={"validate": 5},
        corpus_ids=WHOLE,
    ),
}


@pytest.fixture
def updated_by(results, listing):
    """Return a function that gives the update of a row, and the findings of the run after it."""

    def make(row: UpdatedList, *, only_shrink: bool):
        run = results(*row.asked)
        before = listing(*row.names, **row.numbers)
        updated = update(before, run, LIB, corpus_ids=row.corpus_ids, only_shrink=only_shrink)
        return updated, findings(updated.baseline, run, "lib", corpus_ids=row.corpus_ids)

    return make


EACH_LIST = pytest.mark.parametrize("row", UPDATED_LISTS.values(), ids=UPDATED_LISTS)
EACH_UPDATE = pytest.mark.parametrize("only_shrink", [True, False], ids=["only-shrink", "update"])


@EACH_LIST
@EACH_UPDATE
def test_the_baseline_takes_the_corpus_of_the_run_if_it_agrees(updated_by, row, only_shrink):
    updated, _ = updated_by(row, only_shrink=only_shrink)
    corpus = CORPUS_OF_THE_RUN if row.is_renewed(only_shrink=only_shrink) else OTHER_CORPUS
    assert updated.baseline.corpus == corpus


@EACH_LIST
@EACH_UPDATE
def test_an_update_leaves_exactly_the_findings_of_the_next_run(updated_by, row, only_shrink):
    updated, next_findings = updated_by(row, only_shrink=only_shrink)
    left_findings = [(finding.kind, finding.id) for finding in updated.unapplied]
    assert left_findings == [(finding.kind, finding.id) for finding in next_findings]


@pytest.mark.parametrize(
    ("row", "only_shrink"),
    [
        pytest.param(row, only_shrink, id=f"{name}-only-shrink" if only_shrink else f"{name}-update")
        for name, row in UPDATED_LISTS.items()
        for only_shrink in (True, False)
        if row.is_renewed(only_shrink=only_shrink)
    ],
)
def test_a_baseline_of_the_corpus_of_the_run_has_no_findings(updated_by, row, only_shrink):
    _, next_findings = updated_by(row, only_shrink=only_shrink)
    assert next_findings == []


@EACH_LIST
@EACH_UPDATE
def test_only_a_baseline_of_another_corpus_says_what_to_do(updated_by, row, only_shrink):
    updated, _ = updated_by(row, only_shrink=only_shrink)
    advice = other_corpus_note(updated.baseline, CORPUS_OF_THE_RUN)
    is_advised = "run baseline update without a selection" in advice
    assert is_advised is not row.is_renewed(only_shrink=only_shrink)


@pytest.mark.parametrize(
    ("whole", "corpus_after"),
    [(True, CORPUS_OF_THE_RUN), (False, OTHER_CORPUS)],
    ids=["the-whole-part", "a-slice"],
)
def test_only_an_update_by_a_whole_part_takes_the_corpus_of_the_run(results, listing, whole, corpus_after):
    updated = update(listing("known"), results("known", whole=whole), LIB, corpus_ids=KNOWN, only_shrink=True)
    assert updated.baseline.corpus == corpus_after
    assert updated.unapplied == []


#: The number of answers in the baseline (the run has 5); the corpus, the number and the findings after it.
ANSWER_COUNTS = [
    pytest.param(4, CORPUS_OF_THE_RUN, 5, [], id="risen"),
    pytest.param(5, CORPUS_OF_THE_RUN, 5, [], id="as-it-was"),
    pytest.param(6, OTHER_CORPUS, 6, ["coverage"], id="fallen"),
]


@pytest.mark.parametrize(("count_before", "corpus_after", "count", "kinds"), ANSWER_COUNTS)
def test_only_shrink_takes_the_number_of_answers_if_it_has_not_fallen(
    results, listing, count_before, corpus_after, count, kinds
):
    run = results(*ASKED)
    settled = update(listing("known"), run, LIB, corpus_ids=WHOLE).baseline
    numbers = {"rfc3986": {"validate": count_before}}
    listed = structs.replace(settled, corpus=OTHER_CORPUS, answered=numbers)
    updated = update(listed, run, LIB, corpus_ids=WHOLE, only_shrink=True)
    assert updated.baseline.corpus == corpus_after
    assert updated.baseline.answered == {"rfc3986": {"validate": count}}
    assert [finding.kind for finding in updated.unapplied] == kinds


RESOLVING_ADAPTER = """
def answer(question):
    return {"status": "ok", "url": ANSWERS.get(question["reference"], "x")}


answer.hello = {"ops": ["resolve"]}
"""


RESOLVING_RUN = ("python:mine:answer", "--spec", "1808", "--section", "5.2")


RIGHT_URL = "http://a/b/c/g."


@pytest.fixture
def resolves(tmp_path):
    """Write an adapter that resolves these references to these URLs, and every other one wrongly."""

    def write(**answers: str) -> None:
        (tmp_path / "mine.py").write_text(f"ANSWERS = {answers!r}\n{RESOLVING_ADAPTER}", "utf-8")

    return write


class OldBaseline:
    """The file b.json, whose baseline was made with another corpus."""

    def __init__(self, path) -> None:
        self.path = path
        self.note = (
            f"the baseline was made with corpus {OTHER_CORPUS}, but the corpus is now {load().digest}: "
        )

    @property
    def corpus(self) -> str:
        return json.loads(self.path.read_bytes())["corpus"]


@pytest.fixture
def old_baseline(urlconform, resolves, tmp_path) -> OldBaseline:
    """The baseline, of another corpus, of an adapter that resolves everything wrongly."""
    resolves()
    created = urlconform("baseline", "create", *RESOLVING_RUN, "-o", "b.json")
    assert created.returncode == Exit.PASSED
    path = tmp_path / "b.json"
    write_baseline(structs.replace(read_baseline(path), corpus=OTHER_CORPUS), path)
    return OldBaseline(path)


@pytest.fixture
def changed_run(urlconform, resolves, old_baseline):
    """A run with one mended and one changed answer, whose results are in r.jsonl."""
    resolves(**{"g.": RIGHT_URL, ".g": "y"})
    return urlconform("run", *RESOLVING_RUN, "--baseline", "b.json", "--report", "json=r.jsonl")


def test_a_run_with_a_baseline_of_another_corpus_says_what_to_do(changed_run, old_baseline):
    assert f"{old_baseline.note}run baseline update without a selection" in changed_run.stderr
    assert changed_run.returncode == Exit.FAILED


@pytest.mark.usefixtures("changed_run")
def test_only_shrink_keeps_the_corpus_while_failures_are_left(urlconform, old_baseline):
    shrunk = urlconform("baseline", "update", "b.json", "r.jsonl", "--only-shrink")
    assert old_baseline.corpus == OTHER_CORPUS
    advice = "fix the failures that are left, or omit --only-shrink\n"
    assert f"b.json: {old_baseline.note}{advice}" in shrunk.stdout
    assert shrunk.returncode == Exit.FAILED


@pytest.mark.usefixtures("changed_run")
def test_an_update_by_a_selection_keeps_the_corpus(urlconform, old_baseline):
    selection = ("-k", "5.2-excess", "--only-shrink")
    updated = urlconform("baseline", "update", "b.json", "r.jsonl", *selection)
    assert old_baseline.corpus == OTHER_CORPUS
    assert f"b.json: {old_baseline.note}run baseline update without a selection\n" in updated.stdout
    assert updated.returncode == Exit.PASSED


def test_an_update_that_leaves_no_failure_takes_the_new_corpus(urlconform, resolves, old_baseline):
    resolves(**{"g.": RIGHT_URL})
    updated = urlconform("baseline", "update", "b.json", *RESOLVING_RUN, "--only-shrink")
    assert old_baseline.corpus == load().digest
    assert f"  ~ made with corpus {OTHER_CORPUS}, now {load().digest}\n" in updated.stdout
    assert "this is" not in updated.stdout
    assert updated.returncode == Exit.PASSED


# ---- runs that no list can be made from

MINE = "python:mine:answer"


#: An adapter that is right, wrong, silent, blank, or right in part, each about an RFC of its own.
ADAPTER = """
from urlharness.adapters import reference

SILENT = {"status": "unsupported"}
WAYS = {
    "right": reference.answer,
    "wrong": lambda question: {"status": "error"},
    "silent": lambda question: SILENT,
    "blank": lambda question: {"status": "ok", "components": {}} if question["op"] == "parse" else SILENT,
    "parts": lambda question: path_of(reference.answer(question)) if question["op"] == "parse" else SILENT,
}

def path_of(reply):
    return {**reply, "components": {"path": reply["components"]["path"]}} if "components" in reply else reply

def answer(question):
    return WAYS[ABOUT.get(question["spec"], "right")](question)

answer.hello = {**reference.hello(), "implementation": {"name": "mine", "version": "1"}, "specs": CLAIMED}
"""


class Options(NamedTuple):
    """Options of a run in words, and the RFCs that they name and the policy that they make."""

    words: Sequence[str]
    specs: Sequence[str] = ()
    policy: Policy = PLAIN


#: The sections 2.4 of both RFCs ask the adapter to parse and to validate.
BOTH_RFCS = ("--spec", "1808", "--spec", "3986", "--section", "2.4")
BOTH = Options(BOTH_RFCS, ["rfc1808", "rfc3986"])
BOTH_STRICTLY = Options((*BOTH_RFCS, "--strict"), ["rfc1808", "rfc3986"], Policy(strict=True))
NO_RFC_NAMED = Options(("--section", "2.4"))
ONE_RFC_SELECTED_BY_ID = Options(("-k", "rfc1808-2.4-"))
ANOTHER_LEVEL = Options(
    ("--spec", "1808", "--section", "2.4", "--fail-on", "may"),
    ["rfc1808"],
    Policy(levels=frozenset(["may"])),
)


@pytest.fixture
def write_adapter(tmp_path):
    """Return a function that writes an adapter that answers two RFCs in these ways, claiming some of them."""

    def write(old: str, new: str, claimed: tuple[str, ...] = ()) -> None:
        about = {"rfc1808": old, "rfc3986": new}
        (tmp_path / "mine.py").write_text(f"ABOUT = {about!r}\nCLAIMED = {claimed!r}\n{ADAPTER}", "utf-8")

    return write


@pytest.fixture
def empty_list(tmp_path):
    """A list of that adapter without entries, over both RFCs."""
    head = {"schema": "urlbaseline-1", "corpus": load().digest, "implementation": "mine"}
    text = json.dumps({**head, "spec": ["rfc1808", "rfc3986"], "entries": []})
    (tmp_path / "empty.json").write_text(text, "ascii")
    return text


NO_ANSWER = "it answered no vector that was selected"


NOTHING = "it answered no vector of rfc1808"


#: How the RFCs are answered and which are claimed; and the options of a run that can be listed.
LISTED_ENDS = [
    pytest.param("right right", "", BOTH, id="all"),
    pytest.param("parts right", "", BOTH, id="parts-of-one"),
    pytest.param("wrong wrong", "", BOTH, id="wrong-is-answered"),
    pytest.param("silent right", "1808 3986", NO_RFC_NAMED, id="claimed-and-not-named"),
]

#: The same of a run that cannot be listed, and why.
REFUSED_ENDS = [
    pytest.param("silent right", "", BOTH, f"{NOTHING} that was selected", id="silent-on-one"),
    pytest.param("blank right", "", BOTH, f"{NOTHING} that was selected", id="blank-of-one"),
    pytest.param("blank blank", "", BOTH_STRICTLY, "answered no vector", id="blank-strictly"),
    pytest.param("silent wrong", "", BOTH, NOTHING, id="silent-on-one-and-wrong-on-another"),
    pytest.param("silent right", "", ONE_RFC_SELECTED_BY_ID, NO_ANSWER, id="none-is-named"),
    pytest.param("silent right", "3986", BOTH, NOTHING, id="named-and-not-claimed"),
    pytest.param(
        "right right",
        "1808",
        ANOTHER_LEVEL,
        "no vector of level may was selected",
        id="no-such-level",
    ),
]


@pytest.fixture
def finished_run(urlconform, write_adapter):
    """Return a function that writes the adapter, and runs it with a report into r.jsonl."""

    def start(ways, claimed, options):
        write_adapter(*ways.split(), tuple(f"rfc{name}" for name in claimed.split()))
        return urlconform("run", MINE, *options.words, "--report", "json=r.jsonl")

    return start


LISTED = pytest.mark.parametrize(("ways", "claimed", "options"), LISTED_ENDS)
REFUSED = pytest.mark.parametrize(("ways", "claimed", "options", "why"), REFUSED_ENDS)


@pytest.fixture
def code_with_new_baseline(finished_run, tmp_path):
    """Return a function that returns the code of the gate by a baseline that was made of the run itself."""

    def code(ways, claimed, options):
        finished_run(ways, claimed, options)
        results = read_results(tmp_path / "r.jsonl")
        (participant,) = results.participants
        judged = judged_specs(options.specs, participant.specs)
        baseline = create(results, participant, judged, options.policy.claiming(participant))
        baselines = {MINE: baseline}
        return decide(results, [MINE], options.specs, policy=options.policy, baselines=baselines).code

    return code


@LISTED
@pytest.mark.sampled(2)
def test_a_run_that_can_be_listed_passes_with_its_own_baseline(
    code_with_new_baseline, ways, claimed, options
):
    assert code_with_new_baseline(ways, claimed, options) == Exit.PASSED


@pytest.mark.sampled(2)
@REFUSED
def test_no_baseline_makes_a_run_pass_that_cannot_be_listed(
    code_with_new_baseline, ways, claimed, options, why
):
    assert code_with_new_baseline(ways, claimed, options) == Exit.NOTHING_RAN


@LISTED
@pytest.mark.sampled(2)
def test_create_writes_the_list_of_a_run_that_can_be_listed(
    urlconform, finished_run, tmp_path, ways, claimed, options
):
    finished_run(ways, claimed, options)
    created = urlconform("baseline", "create", "r.jsonl", *options.words, "-o", "b.json")
    assert created.returncode == Exit.PASSED, created.stderr
    assert (tmp_path / "b.json").exists()


@pytest.mark.sampled(2)
@REFUSED
def test_create_says_in_one_line_why_it_writes_no_list(
    urlconform, finished_run, tmp_path, ways, claimed, options, why
):
    finished_run(ways, claimed, options)
    created = urlconform("baseline", "create", "r.jsonl", *options.words, "-o", "b.json")
    assert why in created.stderr
    assert "nothing is written" in created.stderr
    assert created.stderr.count("\n") == 1
    assert created.returncode == Exit.NOTHING_RAN
    assert not (tmp_path / "b.json").exists()


@LISTED
@pytest.mark.usefixtures("empty_list")
@pytest.mark.sampled(2)
def test_update_passes_by_a_run_that_can_be_listed(urlconform, finished_run, ways, claimed, options):
    finished_run(ways, claimed, options)
    updated = urlconform("baseline", "update", "empty.json", "r.jsonl", *options.words)
    assert updated.returncode == Exit.PASSED, updated.stderr


@pytest.mark.sampled(2)
@REFUSED
def test_update_says_why_it_leaves_the_list(
    urlconform, finished_run, empty_list, tmp_path, ways, claimed, options, why
):
    finished_run(ways, claimed, options)
    updated = urlconform("baseline", "update", "empty.json", "r.jsonl", *options.words)
    assert why in updated.stderr
    assert updated.returncode == Exit.NOTHING_RAN
    assert (tmp_path / "empty.json").read_text("ascii") == empty_list


@REFUSED
@pytest.mark.sampled(2)
def test_a_run_does_not_offer_to_accept_what_create_refuses(finished_run, ways, claimed, options, why):
    done = finished_run(ways, claimed, options)
    assert why in done.stderr
    assert "accept: " not in done.stderr


def test_a_stopped_adapter_is_not_reported_as_silent(urlconform, write_adapter):
    """The questions that were not asked could have been answered."""
    write_adapter("silent", "wrong")
    done = urlconform("run", MINE, *BOTH_RFCS, "--maxfail", "1")
    assert "stopped at 1 failure" in done.stderr
    assert NOTHING not in done.stderr
    assert done.returncode == Exit.FAILED
    assert NOTHING in urlconform("run", MINE, *BOTH_RFCS).stderr
