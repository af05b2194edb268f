"""Badges: figures of a whole run, grey otherwise, and files that stay in their folder."""

from __future__ import annotations

import itertools
import json
from typing import NamedTuple

import msgspec
import pytest

from urlharness.report import badge
from urlharness.report.badge import badges, render, write
from urlharness.results.model import Participant, Result

LIB = Participant("lib", "ran")


@pytest.fixture
def run(corpus, record):
    """Return a function that makes a run over RFC 2732; `outcome` returns the outcome of a case or None."""

    def make(
        outcome=lambda _: "pass", *, participant=LIB, is_asked=lambda _: True, digest=corpus.digest, **options
    ):
        cases = [case for case in corpus.cases if case.spec == "rfc2732" and is_asked(case)]
        outcomes = {case.vector.id: outcome(case) for case in cases}
        answers = [Result(name, participant.name, outcome) for name, outcome in outcomes.items() if outcome]
        results = record(cases, participant, *answers, **options)
        header = msgspec.structs.replace(results.header, corpus=digest)
        return msgspec.structs.replace(results, header=header)

    return make


def test_a_run_that_passes_everything_complies(run):
    library_badges = badges(run())["lib"]
    assert library_badges["rfc2732"] == ("RFC 2732", "complies", "brightgreen")
    assert library_badges["rfc2732-3"] == ("RFC 2732 section 3", "complies", "brightgreen")


@pytest.fixture
def badges_with_a_failure(run, cases_of_section):
    """The badges of a run with one wrong answer, to a required vector of section 3."""
    cases = cases_of_section("rfc2732", "3")
    wrong, *_ = [case.vector.id for case in cases if case.vector.binding == "required"]
    return badges(run(lambda case: "fail" if case.vector.id == wrong else "pass"))["lib"]


def test_a_failure_changes_only_its_section_and_its_rfc(run, badges_with_a_failure):
    passing = badges(run())["lib"]
    changed = {
        name: badge.message.partition(" of ")[0]
        for name, badge in badges_with_a_failure.items()
        if badge != passing[name]
    }
    assert changed == {"rfc2732-3": "1 wrong", "rfc2732": "1 wrong"}


def test_a_badge_with_one_failure_is_yellow(badges_with_a_failure):
    assert badges_with_a_failure["rfc2732"].color == "yellow"


def test_a_section_counts_all_below_it(make_case, record, monkeypatch):
    outcomes = {"5": "pass", "5.2.1": "fail", "6.1": "pass", "50": "pass"}
    cases = {section: make_case(f"rfc3986-{section}-x") for section in outcomes}
    answers = [Result(f"rfc3986-{section}-x", "lib", outcome) for section, outcome in outcomes.items()]
    results = record(list(cases.values()), LIB, *answers)
    sizes = {("rfc3986", section): 1 for section in (*outcomes, "6.2")}
    monkeypatch.setattr(badge, "corpus_sizes", lambda _: sizes)
    messages = {key: library_badge.message for key, library_badge in badges(results)["lib"].items()}
    assert messages == {
        "rfc3986": "some vectors only",
        "rfc3986-5": "1 wrong of 2 answered",
        "rfc3986-5.2": "1 wrong of 1 answered",
        "rfc3986-5.2.1": "1 wrong of 1 answered",
        "rfc3986-6": "some vectors only",
        "rfc3986-6.1": "complies",
        "rfc3986-50": "complies",
    }


def every(count, outcome, otherwise="pass"):
    """Return an outcome for the first of every `count` required vectors, and another for the rest."""
    order = itertools.count()

    def choose(case):
        required = case.vector.binding == "required"
        return outcome if required and next(order) % count == 0 else otherwise

    return choose


class Coloured(NamedTuple):
    """A run of required vectors, of which every `count`-th has an outcome, and its badge."""

    count: int
    outcome: str
    colour: str
    message: str
    otherwise: str = "pass"


#: In a message, `total` is the number of required vectors, `some` have the first outcome, `rest` the other.
COLOURS = [
    pytest.param(
        Coloured(
            count=1,
            outcome="unsupported",
            colour="lightgrey",
            message="0 wrong of 0 answered; {total} not offered",
        ),
        id="nothing",
    ),
    pytest.param(
        Coloured(
            count=1,
            outcome="partial",
            colour="lightgrey",
            message="0 wrong of 0 answered; {total} not exposed",
        ),
        id="in-part",
    ),
    pytest.param(
        Coloured(
            count=11,
            outcome="pass",
            otherwise="unsupported",
            colour="lightgrey",
            message="0 wrong of {some} answered; {rest} not offered",
        ),
        id="less-than-a-tenth",
    ),
    pytest.param(
        Coloured(
            count=11,
            outcome="fail",
            otherwise="unsupported",
            colour="lightgrey",
            message="{some} wrong of {some} answered; {rest} not offered",
        ),
        id="less-than-a-tenth-wrong",
    ),
    pytest.param(
        Coloured(
            count=9,
            outcome="pass",
            otherwise="unsupported",
            colour="brightgreen",
            message="0 wrong of {some} answered; {rest} not offered",
        ),
        id="nothing-wrong",
    ),
    pytest.param(
        Coloured(
            count=2,
            outcome="partial",
            colour="brightgreen",
            message="0 wrong of {rest} answered; {some} not exposed",
        ),
        id="nothing-wrong-in-part",
    ),
    pytest.param(
        Coloured(
            count=30,
            outcome="fail",
            colour="orange",
            message="{some} wrong of {total} answered",
        ),
        id="few",
    ),
    pytest.param(
        Coloured(count=1, outcome="crash", colour="red", message="{total} wrong of {total} answered"),
        id="crashes",
    ),
]


@pytest.mark.parametrize("row", COLOURS)
def test_a_badge_counts_wrong_answers_and_has_the_colour_of_their_share(run, corpus, row):
    required = [case for case in corpus.cases if case.spec == "rfc2732" and case.vector.binding == "required"]
    total = len(required)
    some = len(required[:: row.count])  # as `every` gives the outcome
    expected = row.message.format(total=f"{total:,}", some=f"{some:,}", rest=f"{total - some:,}")
    results = run(every(row.count, row.outcome, row.otherwise))
    assert badges(results)["lib"]["rfc2732"] == ("RFC 2732", expected, row.colour)


def test_accepting_everything_is_red(run):
    """It is right in every other case."""
    library_badges = badges(run(lambda case: "fail" if case.vector.expect.valid is False else "pass"))["lib"]
    assert library_badges["rfc2732"].color == "red"


#: Every way in which a run is incomplete, and the message of all badges.
INCOMPLETE = [
    pytest.param({"end": False}, "run cut short", id="cut"),
    pytest.param({"interrupted": True}, "run cut short", id="interrupted"),
    pytest.param({"participant": Participant("lib", "dead", message="x")}, "did not start", id="dead"),
    pytest.param(
        {"participant": Participant("lib", "not installed", message="x")}, "not installed", id="not-installed"
    ),
    pytest.param({"outcome": lambda _: "aborted"}, "adapter given up", id="gave-up"),
    pytest.param({"outcome": lambda _: None}, "some vectors only", id="no-answers"),
    pytest.param({"digest": "0" * 12}, "another corpus", id="corpus"),
]


@pytest.mark.parametrize(("options", "message"), INCOMPLETE)
def test_an_incomplete_run_has_no_figure(run, options, message):
    library_badges = badges(run(**options))["lib"].values()
    assert {badge.message for badge in library_badges} == {message}
    assert {badge.color for badge in library_badges} == {"lightgrey"}


def test_a_filtered_run_has_figures_of_complete_sections_only(run):
    library_badges = badges(run(is_asked=lambda case: case.section != "2"))["lib"]
    assert library_badges["rfc2732"].message == "some vectors only"
    assert library_badges["rfc2732-3"].message == "complies"
    assert "rfc2732-2" not in library_badges


@pytest.fixture(params=["not-asked", "not-answered"])
def badges_without_a_vector(request, run, cases_of_section):
    """The badges of a run without an answer to one vector of RFC 2732, section 3."""
    gone = cases_of_section("rfc2732", "3")[0].vector.id
    if request.param == "not-asked":
        return badges(run(is_asked=lambda case: case.vector.id != gone))["lib"]
    return badges(run(lambda case: None if case.vector.id == gone else "pass"))["lib"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rfc2732", "some vectors only"),
        ("rfc2732-3", "some vectors only"),
        ("rfc2732-2", "complies"),
    ],
)
def test_one_missing_vector_makes_its_section_incomplete(badges_without_a_vector, name, message):
    assert badges_without_a_vector[name].message == message


def test_one_file_has_the_badges_of_all_adapters(make_case, record, tmp_path):
    answers = [Result("rfc3986-3-x", name, "pass") for name in ("lib", "other")]
    results = record([make_case("rfc3986-3-x")], LIB, Participant("other", "ran"), *answers)
    write(results, tmp_path / "badges.json")
    document = json.loads((tmp_path / "badges.json").read_text("ascii"))
    assert list(document) == ["lib", "other"]


def test_a_badge_in_a_file_is_one_of_the_format_of_shields(run, tmp_path):
    write(run(), tmp_path / "badges.json")
    document = json.loads((tmp_path / "badges.json").read_text("ascii"))
    assert document["lib"]["rfc2732"] == {
        "schemaVersion": 1,
        "label": "RFC 2732",
        "message": "complies",
        "color": "brightgreen",
    }


def test_a_folder_has_a_file_for_each_badge(run, tmp_path):
    results = run()
    write(results, tmp_path / "new" / "badges")
    files = {path.relative_to(tmp_path / "new" / "badges").as_posix() for path in tmp_path.rglob("*.json")}
    assert files == {f"lib/{name}.json" for name in badges(results)["lib"]}


def test_a_file_in_a_folder_has_the_badge_of_the_file_of_all(run, tmp_path):
    results = run()
    write(results, tmp_path / "badges")
    text = (tmp_path / "badges" / "lib" / "rfc2732.json").read_text("ascii")
    assert json.loads(text) == json.loads(render(results))["lib"]["rfc2732"]


def test_a_file_in_the_place_of_a_folder_is_refused_and_kept(run, tmp_path):
    (tmp_path / "badges.txt").write_text("mine", "utf-8")
    with pytest.raises(OSError, match=r"badges\.txt"):
        write(run(), tmp_path / "badges.txt")
    assert (tmp_path / "badges.txt").read_text("utf-8") == "mine"


def test_a_part_without_a_number_is_called_by_its_heading(make_case, record):
    results = record([make_case("rfc3986-front-x")], LIB, title="Abstract")
    assert badges(results)["lib"]["rfc3986-front"].label == "RFC 3986 Abstract"


def test_references_have_no_badge(make_case, record):
    results = record([make_case("rfc3986-references-x")], LIB, title="References")
    assert list(badges(results)["lib"]) == ["rfc3986"]


NAMES = ("../../x", "/x", "..", "a/b", "a-b", "A-B", "\x00\n", "con|<>", "é" * 300, "x" * 300, "x" * 299)


@pytest.fixture
def badges_of_names(run, tmp_path):
    """The folder of the badges of implementations with odd names."""
    ran = tuple(Participant(name, "ran") for name in NAMES)
    write(msgspec.structs.replace(run(), participants=ran), tmp_path / "all" / "badges")
    return tmp_path / "all" / "badges"


def test_names_of_implementations_have_different_folders(badges_of_names):
    assert len({path.name.lower() for path in badges_of_names.iterdir()}) == len(NAMES)


def test_nothing_is_written_outside_of_the_folder_of_badges(badges_of_names, tmp_path):
    assert list(badges_of_names.rglob("*.json")) != []
    outside = {path for path in tmp_path.rglob("*.json") if badges_of_names not in path.parents}
    assert outside == set()


def test_names_of_folders_are_short_and_visible(badges_of_names):
    names = [path.name for path in badges_of_names.iterdir()]
    assert len(names) == len(NAMES)
    assert [name for name in names if len(name) >= 100 or name.startswith(".")] == []


def folders(run, path, *names) -> dict[str, str]:
    """Return the folder of each name, in a run of all of them."""
    participants = tuple(Participant(name, "ran") for name in names)
    results = msgspec.structs.replace(run(lambda _: None), participants=participants)
    by_name = {}
    for name in names:
        earlier = set(path.iterdir()) if path.exists() else set()
        write(msgspec.structs.replace(results, participants=(Participant(name, "ran"),)), path)
        (new,) = set(path.iterdir()) - earlier
        by_name[name] = new.name
    write(results, path)
    assert {written.name for written in path.iterdir()} == set(by_name.values())
    return by_name


ADAPTERS = ("urllib", "node-url", "exec:true x/y", "exec:true x-y", "x" * 70)


def test_a_folder_does_not_depend_on_other_adapters(run, tmp_path):
    folder_of = folders(run, tmp_path / "all", *ADAPTERS)
    for number, name in enumerate(ADAPTERS):
        assert folders(run, tmp_path / str(number), name) == {name: folder_of[name]}, name


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        pytest.param("node-url", "node-url", id="plain"),
        pytest.param("exec:true x/y", "exec-true-x-y-2cdcfc0f", id="with-other-characters"),
        pytest.param("x" * 70, f"{'x' * 60}-c71bd109", id="long"),
    ],
)
def test_only_the_folder_of_a_name_that_has_to_be_changed_has_a_digest(run, tmp_path, name, folder):
    assert folders(run, tmp_path / "one", name) == {name: folder}


def test_names_that_are_changed_to_the_same_have_different_folders(run, tmp_path):
    folder_of = folders(run, tmp_path / "all", *ADAPTERS)
    assert len(set(folder_of.values())) == len(ADAPTERS)


def test_badges_are_written_through_no_link(run, tmp_path):
    (tmp_path / "victim").mkdir()
    (tmp_path / "badges").mkdir()
    (tmp_path / "badges" / "lib").symlink_to("../victim")
    with pytest.raises(OSError, match="a symbolic link"):
        write(run(), tmp_path / "badges")
    assert [*(tmp_path / "victim").iterdir()] == []
