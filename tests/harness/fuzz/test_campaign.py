"""Campaigns: one finding for a bug, for any number of processes; resuming; the end by a dead adapter."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from urlharness.adapters.python import functions
from urlharness.adapters.registry import find
from urlharness.fuzz import examination
from urlharness.fuzz.campaign import SHARD, PlanError
from urlharness.fuzz.minimise import minimise
from urlharness.fuzz.register import Register
from urlharness.fuzz.store import Store, read_findings, read_known
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import USUAL
from urlharness.runner import function_adapter
from urloracle.operations import normalize


def with_slashes(text):
    """Return the text with slashes for backslashes."""
    return text.replace("\\", "/")


def test_one_bug_is_one_finding(campaign, parser):
    outcome = campaign(parser(), parser(change=with_slashes), seed=1)
    assert [finding.text for finding in outcome.new] == ["\\"]


def test_a_campaign_asks_as_many_cases_as_it_is_told_to(campaign, parser):
    outcome = campaign(parser(), parser(change=with_slashes), cases=500, seed=1)
    assert outcome.cases == 500
    assert outcome.dead == ""


def test_equal_adapters_have_no_finding(campaign, parser):
    assert campaign(parser(), parser(), cases=800).new == []


def files_in(folder):
    """Return the content of each file below a folder, by path."""
    return {
        path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_the_number_of_processes_changes_nothing(campaign, parser, tmp_path):
    """The journal is one of the files that are equal."""
    campaign(parser(), parser(change=with_slashes), cases=1100, jobs=1, folder="1")
    campaign(parser(), parser(change=with_slashes), cases=1100, jobs=3, folder="3")
    files = files_in(tmp_path / "1")
    assert Path("journal.jsonl") in files
    assert files_in(tmp_path / "3") == files


def with_default_port(text, normal):
    """Return the normal form with the default port that the text has."""
    if re.match("http://[^/?#:]*:80(?:[/?#]|$)", text):
        return re.sub("^(http://[^/?#:]*)", r"\1:80", normal)
    return normal


#: What a normalizer does with a text and its normal form, and the texts of the findings.
NORMALIZERS = [
    pytest.param(lambda _, normal: normal, set(), id="right"),
    # RFC 3986, section 6.2.2.2; a finding for each component: path and host
    pytest.param(
        lambda text, normal: normal.replace("~", "%7e") if "%7e" in text and "~" not in text else normal,
        {"%7e", "//%7e"},
        id="%7e-kept",
    ),
    # section 6.2.2.1; a finding for each component and class: host, path, fragment and two of userinfo
    pytest.param(
        lambda _, normal: normal.replace("%3A", "%3a"),
        {"//%3a", "%3a", "a#%3a", "//%3a@", "a://%3a@"},
        id="%3a-lower-case",
    ),
    pytest.param(
        lambda text, normal: f"HTTP{normal[4:]}" if text.startswith("HTTP:") else normal,
        {"HTTP:"},
        id="HTTP-kept",
    ),
    # section 6.2.2.3
    pytest.param(
        lambda text, normal: text if text == normal.replace(":/", ":/./", 1) else normal,
        {"a:/./"},
        id="dots-kept",
    ),
    # section 6.2.3
    pytest.param(with_default_port, {"http://:80"}, id="default-port-kept"),
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("change", "texts"), NORMALIZERS)
def test_a_fault_of_a_normalizer_is_found_by_its_shortest_texts(campaign, change, texts):
    """A difference of spelling, which a comparison of parsers folds, is a finding of normalization."""

    def normalized(text):
        return change(text, normalize(text, "rfc3986", "scheme"))

    adapter = function_adapter(functions("lib", normalize=normalized, modes=("syntax", "scheme")))
    outcome = campaign(adapter, find("reference"), operations=("normalize",), spec="rfc3986", cases=6000)
    assert {finding.text for finding in outcome.new} == texts


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_kept_dot_segment_is_found_with_every_seed(campaign, seed):
    """A text with dots is among the first 500 cases."""

    def normalized(text):
        normal = normalize(text, "rfc3986", "scheme")
        return text if text == normal.replace(":/", ":/./", 1) else normal

    adapter = function_adapter(functions("lib", normalize=normalized, modes=("syntax", "scheme")))
    outcome = campaign(
        adapter, find("reference"), operations=("normalize",), spec="rfc3986", cases=500, seed=seed
    )
    assert {finding.text for finding in outcome.new} == {"a:/./"}


@pytest.mark.parametrize(
    ("modes", "mode"),
    [
        pytest.param(("syntax",), "syntax", id="only-syntax"),
        pytest.param(("syntax", "scheme"), "scheme", id="both"),
    ],
)
def test_normal_forms_are_asked_in_a_mode_that_all_offer(open_panel, modes, mode):
    adapter = function_adapter(functions("lib", normalize=str, modes=modes))
    assert open_panel(adapter, find("reference")).mode == mode


@pytest.fixture
def ended_campaign(campaign, parser):
    """Run a campaign of 2000 cases, and return a function that runs it again with another number."""
    adapters = parser(), parser(change=with_slashes)
    assert len(campaign(*adapters, cases=2000).new) == 1
    return partial(campaign, *adapters)


def test_a_campaign_that_is_repeated_finds_nothing_new(ended_campaign):
    repeated = ended_campaign(cases=2000)
    assert repeated.new == []
    assert repeated.cases == 2000


def test_a_campaign_goes_on_where_it_has_ended(ended_campaign):
    reports = []
    continued = ended_campaign(cases=2000 + SHARD, progress=reports.append)
    assert continued.cases == 2000 + SHARD
    assert reports[-1].cases_of_run == SHARD
    assert continued.new == []


class KilledError(BaseException):
    """Stands for the end of the process: nothing handles it."""


def test_what_a_repeated_round_no_longer_shows_is_kept(campaign, parser, tmp_path, monkeypatch):
    """A campaign is killed after a finding; the bug is gone when it is repeated, and back later."""

    def killed(*_):
        raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write_round", killed)
        with pytest.raises(KilledError):
            campaign(parser(), parser(change=with_slashes))
    assert campaign(parser(), parser()).new == []
    assert [finding.text for finding in read_findings(tmp_path / "out")] == ["\\"]
    assert campaign(parser(), parser(change=with_slashes), cases=1000).new == []


#: Methods in which a campaign is killed, and at which of their calls.
CALLS = [("save", 1), ("save", 3), ("write_round", 1), ("write_round", 3), ("write_lists", 2)]
KILLED = []
for _method, _call in CALLS:
    KILLED.append(pytest.param(_method, _call, False, id=f"before-{_method}-{_call}"))
    KILLED.append(pytest.param(_method, _call, True, id=f"after-{_method}-{_call}"))


@pytest.fixture
def in_short_rounds(monkeypatch, campaign, parser):
    """Return a function that runs a campaign of four rounds; one finding grows in the second round."""
    monkeypatch.setattr("urlharness.fuzz.campaign.SHARD", 5)
    monkeypatch.setattr("urlharness.fuzz.campaign.ROUND", 2)
    second = parser("two", host=lambda host: host.replace("_", "--"))
    third = parser(
        "three",
        change=lambda text: text.replace("_", "--") if "@" in text else text,
        query=lambda query: query.replace("+", " "),
    )
    texts = ("//_", *(f"/{number}" for number in range(10)), "//a@_", "?+", "#a", "/c", "/d")

    def run_in(folder):
        campaign(parser(), second, third, cases=40, folder=folder, fold=True, texts=texts)

    return run_in


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("method", "call", "after"), KILLED)
def test_a_killed_campaign_ends_with_the_same_files(
    in_short_rounds, tmp_path, monkeypatch, method, call, after
):
    in_short_rounds("whole")
    calls = []
    original = getattr(Store, method)

    def killed(*arguments):
        calls.append(arguments)
        if len(calls) == call and not after:
            raise KilledError
        original(*arguments)
        if len(calls) == call:
            raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Store, method, killed)
        with pytest.raises(KilledError):
            in_short_rounds("out")
    in_short_rounds("out")
    assert files_in(tmp_path / "out") == files_in(tmp_path / "whole")


def test_an_effect_of_an_interrupted_round_is_added_again(in_short_rounds, tmp_path, monkeypatch):
    """The round is repeated from the state before it, although the file of the finding has grown already."""
    in_short_rounds("whole")
    original = Store.save

    def killed(store, finding):
        original(store, finding)
        if finding.effects:
            raise KilledError

    with monkeypatch.context() as patch:
        patch.setattr(Store, "save", killed)
        with pytest.raises(KilledError):
            in_short_rounds("out")
    in_short_rounds("out")
    assert files_in(tmp_path / "out") == files_in(tmp_path / "whole")


def test_the_lists_are_written_after_each_round(in_short_rounds, tmp_path, monkeypatch):
    rounds = []
    original = Store.write_lists

    def written(store):
        original(store)
        rounds.append(read_known(tmp_path / "out" / "findings.jsonl") == read_findings(tmp_path / "out"))

    monkeypatch.setattr(Store, "write_lists", written)
    in_short_rounds("out")
    assert rounds == [True] * 4


def test_known_findings_are_not_new(campaign, parser, tmp_path):
    adapters = parser(), parser(change=with_slashes)
    earlier = campaign(*adapters).new
    assert campaign(*adapters, folder="other", known=earlier, seed=5).new == []
    assert read_findings(tmp_path / "other") == []


class Clock:
    """Stands for the module `time`, and stands still until it ticks."""

    def __init__(self):
        self.seconds = 100.0

    def monotonic(self):
        return self.seconds

    def tick(self, _progress):
        """Let a second pass. A campaign reports its progress after it has asked the cases of a shard."""
        self.seconds += 1


@pytest.fixture
def clock(monkeypatch):
    """The clock of campaigns."""
    clock = Clock()
    monkeypatch.setattr("urlharness.fuzz.campaign.time", clock)
    return clock


def test_a_shard_that_is_cut_by_the_time_leaves_no_cases_and_no_findings(campaign, parser, clock, tmp_path):
    """The next run repeats the shard."""
    outcome = campaign(parser(), parser(change=with_slashes), cases=2 * SHARD, seconds=1, progress=clock.tick)
    assert outcome.cases == 0
    assert outcome.new == []
    assert read_findings(tmp_path / "out") == []


@pytest.mark.usefixtures("clock")
def test_a_shard_within_the_time_leaves_cases_and_findings(campaign, parser, tmp_path):
    """The same campaign as above, but the clock stands still."""
    outcome = campaign(parser(), parser(change=with_slashes), cases=2 * SHARD, seconds=1)
    assert outcome.cases == 2 * SHARD
    assert [finding.text for finding in outcome.new] == ["\\"]
    assert [finding.text for finding in read_findings(tmp_path / "out")] == ["\\"]


def test_the_progress_has_cases_and_transitions_of_a_shard_that_is_cut(campaign, parser, clock):
    reports = []

    def record_and_tick(progress):
        reports.append(progress)
        clock.tick(progress)

    campaign(parser(), parser(change=with_slashes), cases=2000, seconds=1, progress=record_and_tick)
    assert reports[-1].cases == SHARD
    assert reports[-1].taken > 0


def test_a_run_that_ends_after_a_shard_is_continued_by_the_next_one(campaign, parser, clock):
    """A run ends after a shard, not only after a round, and the next run goes on."""
    cases = [campaign(parser(), parser(), cases=2000, seconds=1, progress=clock.tick).cases for _ in range(3)]
    assert cases == [SHARD, 2 * SHARD, 3 * SHARD]


@pytest.fixture
def campaign_cut_by_death(campaign, parser, monkeypatch):
    """The outcome of a campaign whose adapter cannot be started again at the second examination."""
    examine = Register.examine
    examinations = []

    def examine_once(register, *arguments):
        if examinations:
            raise AdapterDead("gone")
        examinations.append(arguments)
        examine(register, *arguments)

    monkeypatch.setattr(Register, "examine", examine_once)
    return campaign(parser(), parser(change=with_slashes))


def test_an_adapter_that_cannot_restart_ends_the_campaign_with_its_reason(campaign_cut_by_death):
    assert campaign_cut_by_death.dead == "gone"


def test_an_adapter_that_cannot_restart_loses_no_earlier_finding(campaign_cut_by_death, tmp_path):
    assert [finding.text for finding in campaign_cut_by_death.new] == ["\\"]
    assert [finding.text for finding in read_findings(tmp_path / "out")] == ["\\"]


@pytest.fixture
def few_restarts(monkeypatch):
    """An adapter that crashes is asked few texts, before the campaign and to minimise: each restarts it."""
    monkeypatch.setattr("urlharness.fuzz.campaign._COMPARED_SEEDS", 6)
    monkeypatch.setitem(examination._DEADLY_TRIES, "crash", 6)


@pytest.mark.usefixtures("few_restarts")
def test_equal_crashes_are_minimised_once(campaign, good_adapter, monkeypatch):
    """A crash is minimised with a limit of tries, which no other difference has."""
    limits = []

    def recording_minimise(text, test, *limit):
        limits.extend(limit)
        return minimise(text, test, *limit)

    monkeypatch.setattr("urlharness.fuzz.examination.minimise", recording_minimise)
    program = good_adapter("""
        def components(url):
            if "@" in url and len(url) > 4:
                os._exit(3)
            return {"scheme": None}
    """)
    texts = ("abcd@", "@wxyz", "a@a@a")
    campaign(find("urllib"), program, cases=3, texts=texts)
    assert len(limits) == 1, "three texts crash"


def test_a_campaign_without_feedback_has_findings(campaign, parser):
    outcome = campaign(parser(), parser(change=with_slashes), feedback=False)
    assert [finding.text for finding in outcome.new] == ["\\"]


@pytest.mark.usefixtures("few_restarts")
def test_a_dead_adapter_ends_the_campaign(campaign, good_adapter, tmp_path):
    """What was found before is kept."""
    program = good_adapter("""
        def components(url, urls=[]):
            urls.append(url)
            if len(urls) > 1 and len(url) > 20:
                os._exit(3)
            return {"fragment": "x"}
    """)
    outcome = campaign(find("urllib"), program, cases=100, limits=USUAL._replace(restarts=1))
    assert "started again more than 1 times" in outcome.dead
    saved_ids = {finding.id for finding in read_findings(tmp_path / "out")}
    assert saved_ids != set()
    assert saved_ids == {finding.id for finding in outcome.new}


#: The components of an adapter that ends under a condition; `file` has as many bytes as it was asked texts.
ENDING = """
    def components(url):
        file = {file!r}
        with open(file, "a") as stream:
            stream.write("x")
        if {condition}:
            os._exit(9)
        return dict.fromkeys(("scheme", "host"))
"""


@pytest.fixture
def ending_adapter(good_adapter, tmp_path):
    """Return a function that makes an adapter that ends under a condition."""
    return lambda condition: good_adapter(ENDING.format(file=str(tmp_path / "asked"), condition=condition))


def test_an_adapter_that_ends_on_every_text_is_dead(campaign, ending_adapter):
    with pytest.raises(AdapterDead, match="crash even on http://a/"):
        campaign(find("urllib"), ending_adapter("True"))


def test_an_adapter_that_ends_on_every_text_later_is_dead(campaign, ending_adapter):
    """No text is blamed for it."""
    outcome = campaign(find("reference"), ending_adapter("os.path.getsize(file) > 9"), cases=12)
    assert "crash even on http://a/" in outcome.dead
    assert "crash" not in {finding.component for finding in outcome.new}


def test_a_restart_without_a_text_to_blame_is_counted_and_no_finding(campaign, ending_adapter):
    outcome = campaign(find("reference"), ending_adapter("os.path.getsize(file) == 9"), cases=12)
    assert list(outcome.restarts.values()) == [1]
    assert "crash" not in {finding.component for finding in outcome.new}


def test_a_crash_is_a_finding(campaign, good_adapter):
    program = good_adapter("""
        def components(url):
            if "\\\\" in url:
                os.kill(os.getpid(), 9)
            return {"scheme": None}
    """)
    findings = campaign(find("urllib"), program, cases=5, texts=("c\\d",)).new
    crashes = [finding.text for finding in findings if finding.component == "crash"]
    assert crashes == ["\\"]


def test_a_campaign_with_one_adapter_is_refused(campaign, parser):
    with pytest.raises(PlanError, match="at least two"):
        campaign(parser())


def test_a_campaign_with_an_operation_that_an_adapter_lacks_is_refused(campaign):
    with pytest.raises(PlanError, match="urllib cannot normalize"):
        campaign(find("reference"), find("urllib"), operations=("normalize",))


def test_adapters_without_a_common_operation_are_refused(campaign):
    parsing = function_adapter(functions("p", parse=lambda _: None))
    normalizing = function_adapter(functions("n", normalize=lambda _: None))
    with pytest.raises(PlanError, match="no operation in common") as caught:
        campaign(parsing, *[normalizing] * 7)
    assert "(parse: not n, n (2), n (3), n (4), n (5) and 2 more; " in str(caught.value)
    assert "normalize: not p)" in str(caught.value)


def test_findings_of_resolve_have_base_and_reference(campaign):
    outcome = campaign(find("reference"), find("urllib"), cases=8, operations=("resolve",))
    assert {finding.operation for finding in outcome.new} == {"resolve"}
    assert {frozenset(finding.input) for finding in outcome.new} == {frozenset(["base", "reference"])}
