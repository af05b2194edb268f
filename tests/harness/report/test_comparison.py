"""Comparisons in words: what is said, that no line is too long, and that hostile texts do no harm."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import msgspec
import pytest
import report_samples
from report_samples import sample_bypass
from rich.cells import cell_len
from rich.console import Console

from urlharness.compare.bypass import BypassClass, BypassRow, Measure, Witness
from urlharness.compare.causes import Cause
from urlharness.compare.history import make_history
from urlharness.compare.matrix import Trait, make_matrix
from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import Expected, Requirement
from urlharness.protocol.messages import Implementation
from urlharness.report import sarif
from urlharness.report.comparison import (
    as_csv,
    bypass_blocks,
    bypasses_as_csv,
    change_blocks,
    comparison_blocks,
    maintainer_blocks,
    remedy_lines,
)
from urlharness.report.document import (
    WIDTH,
    AnswerLine,
    Heading,
    Hint,
    Listing,
    as_markdown,
    print_blocks,
)
from urlharness.results.model import AskedVector, Participant, Result

TRAITS = (Trait("decodes %7E", ("a-library",), ("b", "c")), Trait("nobody shows it", (), ()))


def printed(blocks, width=WIDTH):
    """Return what a terminal of this width shows."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, color_system=None, legacy_windows=False, force_terminal=True)
    print_blocks(console, blocks)
    return stream.getvalue()


def piped(blocks):
    """Return what a pipe gets."""
    stream = io.StringIO()
    print_blocks(Console(file=stream, width=WIDTH, color_system=None), blocks)
    return stream.getvalue()


def blocks_of(matrix, traits=(), *, everything=True, disagreements=None):
    """Return the blocks of a comparison of several libraries."""
    listed = matrix.disagreements if disagreements is None else disagreements
    return list(comparison_blocks(matrix, listed, load_classes(), traits, everything=everything))


@pytest.fixture(scope="module")
def matrix_of_many(corpus):
    """Eight libraries and 400 questions."""
    return make_matrix(report_samples.many_results(corpus, 400, 8))


def hostile_answer(case, participant):
    """One of the libraries refuses everything."""
    answer = report_samples.hostile_answer(case, participant)
    refusal = {"status": "reject", "message": report_samples.HOSTILE[2]}
    return msgspec.structs.replace(answer, got=refusal) if participant.name.endswith("1") else answer


@pytest.fixture
def hostile_matrix(tmp_path):
    """Every text is hostile, those of the questions as well."""
    return make_matrix(
        report_samples.write(
            tmp_path / "results.jsonl",
            report_samples.hostile_cases(),
            report_samples.hostile_participants(),
            hostile_answer,
        )
    )


@pytest.fixture
def matrix_of_hosts(make_case, record):
    """Return a function that makes a matrix of libraries that see these hosts in http://h:80/.

    `right` is the host of another URL in its place.
    """

    def make(*hosts, names=("left", "right", "third", "fourth", "fifth"), right="h"):
        case = make_case(
            "rfc3986-3.2-x",
            op="parse",
            rule=None,
            url=f"http://{right}:80/",
            expect={"components": {"host": right}},
        )
        parser_names = names[: len(hosts)]
        results = [
            Result(
                case.vector.id, name, "pass" if host == right else "fail",
                got={"status": "ok", "components": {"host": host}},
            )
            for name, host in zip(parser_names, hosts, strict=True)
        ]  # fmt: skip
        about = [Participant(name, "ran", Implementation(name, "1.2", "c")) for name in parser_names]
        return make_matrix(record([case], *about, *results))

    return make


def block(blocks, kind):
    """Return the first block of a kind."""
    return next(block for block in blocks if isinstance(block, kind))


# ---- what is said


#: Everything that a terminal shows of two libraries, of which the second sees a wrong host.
COMPARISON_OF_TWO = """\
RFC 3986: 2 libraries, 1 question, 1 with different answers
left 1.2 and right 1.2 both answer 1 question. They differ in 1, by more than spelling in 1, and
  see different hosts in 1.
library  version  language  held  failed  right  wrong  not exposed  not offered
left     1.2      c            1       0      1      0            0            0
right    1.2      c            0       1      0      1            0            0

Why they differ (the worst cause of each question)
cause   questions
defect          1

What they differ in, by class; the most harmful first

host: no named class, 1 question
  parse url <http://h:80/>
    RFC 3986  host h
    left      host h
    right     host g  [defect]
    urlconform repro rfc3986-3.2-x -a right
"""


def test_the_comparison_of_two_libraries_is_shown_from_counts_to_question(matrix_of_hosts):
    assert printed(blocks_of(matrix_of_hosts("h", "g"))) == COMPARISON_OF_TWO


@pytest.mark.parametrize(
    ("hosts", "wrong_library"), [(("h", "g"), "right"), (("g", "h"), "left")], ids=["second", "first"]
)
def test_repro_is_proposed_for_the_library_that_is_wrong(matrix_of_hosts, hosts, wrong_library):
    text = printed(blocks_of(matrix_of_hosts(*hosts)))
    assert re.findall("urlconform repro .*", text) == [f"urlconform repro rfc3986-3.2-x -a {wrong_library}"]


def test_many_libraries_are_grouped_by_answer(matrix_of_hosts):
    listing = block(blocks_of(matrix_of_hosts("h", "h", "g", "h", "g")), Listing)
    assert [answer.label for answer in listing.answers] == ["RFC 3986", "fourth, left, right", "fifth, third"]


def test_a_question_about_many_libraries_has_no_command(matrix_of_hosts):
    assert block(blocks_of(matrix_of_hosts("h", "h", "g", "h", "g")), Listing).again == ""


def test_each_answer_of_many_libraries_is_listed_once(matrix_of_hosts):
    listing = block(blocks_of(matrix_of_hosts("g", "h", "h", "h", "h")), Listing)
    _of_the_rfc, *lines = listing.answers
    assert [line.words for line in lines] == ["host h", "host g"]


def test_a_large_group_is_a_number(matrix_of_hosts):
    names = [f"a-library-{number}" for number in range(5)]
    listing = block(blocks_of(matrix_of_hosts("h", "h", "h", "h", "g", names=names)), Listing)
    assert [answer.label for answer in listing.answers] == [
        "RFC 3986",
        "4 (a-library-0 …)",
        "a-library-4",
    ]


def test_versions_are_cut_before_names(make_case, record):
    """Versions of Debian are long."""
    case = make_case("rfc3986-3.2-x")
    names = [f"a-library-with-a-name-{number}" for number in range(2)]
    about = [Participant(name, "ran", Implementation(name, f"1.2.3+dfsg{'-1' * 9}", "c")) for name in names]
    results = [Result(case.vector.id, name, "pass", got={"status": "ok"}) for name in names]
    matrix = make_matrix(record([case], *about, *results))
    text = printed(blocks_of(matrix))
    assert re.search(rf"\n{names[0]}  1\.2\.3\+.*…  c  ", text)


def test_differences_in_spelling_only_are_counted_and_not_listed(matrix_of_hosts):
    text = printed(blocks_of(matrix_of_hosts("h", "H")))
    assert "What they differ in" not in text
    assert re.search(r"decoding or case only +1\n", text)


def test_a_disagreement_of_browsers_is_shown(matrix_of_hosts):
    """Ada reads the host h in the text of the pairs. node-url contains Ada, and whatwg-url does not."""
    matrix = matrix_of_hosts("h", "g", "h", names=("node-url", "whatwg-url", "lib"))
    text = printed(blocks_of(matrix))
    assert matrix.split_browsers == 1
    assert '"browsers disagree": on 1 question' in text
    assert "\nwhatwg-url on 1.\n" in text


def test_an_answer_of_ada_that_another_parser_of_browsers_does_not_have_names_that_parser(matrix_of_hosts):
    """Ada reads the host 1 as a number."""
    matrix = matrix_of_hosts("0.0.0.1", "1", "1", names=("lib", "whatwg-url", "right"), right="1")
    text = " ".join(printed(blocks_of(matrix)).split())  # the line is longer than the screen
    assert "browsers disagree: not so whatwg-url]" in text


def test_another_version_of_ada_is_no_disagreement_of_browsers(matrix_of_hosts):
    """node-url contains Ada. If it does not read the host h as Ada does here, its version differs."""
    matrix = matrix_of_hosts("g", "h", "g", names=("node-url", "whatwg-url", "lib"))
    assert len(matrix.disagreements) == 1
    assert matrix.split_browsers == 0


def test_browsers_that_agree_are_not_said_to_disagree(matrix_of_hosts):
    matrix = matrix_of_hosts("h", "h", "g", names=("node-url", "whatwg-url", "lib"))
    text = printed(blocks_of(matrix))
    assert "Why they differ" in text
    assert "browsers disagree" not in text


def test_libraries_that_agree_have_no_list(matrix_of_hosts):
    text = printed(blocks_of(matrix_of_hosts("h", "h")))
    assert text.startswith("RFC 3986: 2 libraries, 1 question, 0 with different answers\n")
    assert "Why they differ" not in text


def test_a_class_is_listed_for_each_component_in_which_answers_differ(make_case, record):
    cases = [
        make_case(f"rfc3986-3.2-{path}", op="parse", rule=None, url=f"file://h/{path}",
                  expect={"components": {"host": "h", "path": f"/{path}"}})
        for path in "ab"
    ]  # fmt: skip
    right = [{"host": "h", "path": "/a"}, {"host": "h", "path": "/b"}]
    wrong = [{"host": None, "path": "//h/a"}, {"host": "h", "path": "//b"}]
    results = []
    for case, right_components, wrong_components in zip(cases, right, wrong, strict=True):
        results += [
            Result(case.vector.id, "a", "pass", got={"status": "ok", "components": right_components}),
            Result(case.vector.id, "b", "fail", got={"status": "ok", "components": wrong_components}),
        ]
    matrix = make_matrix(record(cases, Participant("a", "ran"), Participant("b", "ran"), *results))
    listings = [part for part in blocks_of(matrix) if isinstance(part, Listing)]
    assert [listing.heading for listing in listings] == [
        "host: Slashes and host of file URLs (file-host), 1 question",
        "path: Slashes and host of file URLs (file-host), 1 question",
    ]


def test_the_causes_of_a_class_are_counted(make_case, record):
    """A library accepts two blanks, of which it writes one as browsers do."""
    cases = []
    results = []
    for path in ("/a%20b", "/ab"):
        identifier = f"rfc3986-3.3-{path[1:]}"
        case = make_case(identifier, op="parse", rule=None, url="http://h/a b", expect={"valid": False})
        cases.append(case)
        components = {"scheme": "http", "host": "h", "path": path}
        results.append(Result(identifier, "right", "pass", got={"status": "reject"}))
        results.append(Result(identifier, "lib", "fail", got={"status": "ok", "components": components}))
    matrix = make_matrix(record(cases, Participant("right", "ran"), Participant("lib", "ran"), *results))
    *_, last_line = block(blocks_of(matrix), Listing).answers
    words = "browser behaviour 1, defect 1"
    assert last_line == AnswerLine("causes in this class", words, names=True)


def test_libraries_with_the_same_answer_but_different_causes_have_a_line_each(make_case, record):
    """RFC 2396, section 3.2.1, excuses only a library that shows no authorities."""
    right = {"scheme": "http", "host": "h;p", "path": "/a"}
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="http://h;p/a", expect={"components": right})
    no_host = {**right, "host": None}
    answers = {"right": right, "blind": no_host, "lib": {**no_host, "authority": None}}
    participants = [Participant(name, "ran") for name in answers]
    results = []
    for name, components in answers.items():
        outcome = "pass" if name == "right" else "fail"
        got = {"status": "ok", "components": components}
        results.append(Result(case.vector.id, name, outcome, got=got))
    matrix = make_matrix(record([case], *participants, *results))
    answer_lines = block(blocks_of(matrix), Listing).answers
    notes = {line.label: line.note for line in answer_lines if line.label in answers}
    assert notes == {"right": "", "blind": Cause.OTHER_RFC, "lib": Cause.DEFECT}


def test_adapters_that_did_not_run_are_named(make_case, record):
    case = make_case("rfc3986-3.2-x")
    dead = Participant("gone", "dead", message="no\x1bhello")
    results = record(
        [case], Participant("a", "ran"), dead, Result(case.vector.id, "a", "pass", got={"status": "ok"})
    )
    assert "gone: could not start: no\\u{1b}hello" in printed(blocks_of(make_matrix(results)))


#: The RFCs that two libraries claim, and the lines on those of them that are not asked about an IRI.
NOT_ASKED = [
    pytest.param(
        [(), ("rfc3987",)],
        ["a was not asked: only a library that claims RFC 3987 is asked about it."],
        id="one",
    ),
    pytest.param(
        [("rfc3986",), ()],
        ["a and b were not asked: only a library that claims RFC 3987 is asked about it."],
        id="both",
    ),
    pytest.param([("rfc3987",), ("rfc3987",)], [], id="none"),
]


@pytest.mark.parametrize(("claims", "lines"), NOT_ASKED)
def test_libraries_that_claim_none_of_the_rfcs_are_named(make_case, record, claims, lines):
    case = make_case("rfc3987-2.2-x", rule="IRI")
    participants = [Participant(name, "ran", specs=specs) for name, specs in zip("ab", claims, strict=True)]
    answers = [
        Result(case.vector.id, participant.name, "pass", got={"status": "ok"})
        for participant in participants
        if "rfc3987" in participant.specs
    ]
    results = record([case], *participants, *answers)
    header = msgspec.structs.replace(results.header, sizes={"rfc3987": 1})
    matrix = make_matrix(msgspec.structs.replace(results, header=header))
    text = printed(blocks_of(matrix))
    assert [line for line in text.splitlines() if "not asked" in line] == lines


def test_a_page_says_that_its_library_claims_none_of_the_rfcs(make_case, record):
    case = make_case("rfc3987-2.2-x", rule="IRI")
    answer = Result(case.vector.id, "b", "pass", got={"status": "ok"})
    results = record([case], Participant("a", "ran"), Participant("b", "ran", specs=("rfc3987",)), answer)
    assert "a was not asked: only" in printed(for_maintainer(make_matrix(results), "a"))


def test_libraries_that_claim_nothing_are_asked_about_urls(matrix_of_hosts):
    assert "not asked" not in printed(blocks_of(matrix_of_hosts("h", "x")))


#: The number of classes that a first look lists.
FIRST_CLASSES = 12


def test_classes_that_do_not_fit_are_counted(matrix_of_many):
    first_look = blocks_of(matrix_of_many, everything=False)
    listings = [part for part in first_look if isinstance(part, Listing)]
    all_listings = [part for part in blocks_of(matrix_of_many) if isinstance(part, Listing)]
    assert len(listings) == FIRST_CLASSES
    assert f"{len(all_listings) - FIRST_CLASSES} more class" in block(first_look, Hint).text


def test_markdown_counts_the_classes_that_do_not_fit(matrix_of_many):
    first_look = blocks_of(matrix_of_many, everything=False)
    assert f"\n- {block(first_look, Hint).text}" in as_markdown(first_look)


def test_traits_are_listed_with_their_libraries(matrix_of_hosts):
    text = printed(blocks_of(matrix_of_hosts("h", "g"), TRAITS))
    assert re.search(r"decodes %7E +1 of 3 +a-library\n", text)


def test_a_trait_that_no_library_shows_is_not_listed(matrix_of_hosts):
    assert "nobody shows it" not in printed(blocks_of(matrix_of_hosts("h", "g"), TRAITS))


# ---- for a maintainer


def for_maintainer(matrix, name, traits=()):
    """Return the blocks of the page on a library."""
    wrong = matrix.differences_from_rfc(name)
    return list(maintainer_blocks(matrix, name, wrong, load_classes(), traits, everything=True))


@pytest.mark.parametrize(
    ("hosts", "heading"),
    [
        pytest.param(("g", "1", "1", "1"), "Only lib: 1 class, 1 question", id="alone"),
        # browsers read the host as a number
        pytest.param(
            ("0.0.0.1", "0.0.0.1", "1", "1"), "lib and the browsers: 1 class, 1 question", id="browsers"
        ),
        pytest.param(("g", "g", "1", "1"), "lib and others: 1 class, 1 question", id="as-no-browser-does"),
        pytest.param(("g", "g", "g", "1"), "lib and others: 1 class, 1 question", id="others"),
    ],
)
def test_a_maintainer_sees_which_others_are_wrong(matrix_of_hosts, hosts, heading):
    blocks = for_maintainer(
        matrix_of_hosts(*hosts, names=("lib", "node-url", "third", "fourth"), right="1"), "lib"
    )
    _title, *headings = [page_block.text for page_block in blocks if isinstance(page_block, Heading)]
    assert headings == [heading]


@pytest.fixture
def page_for_an_issue(matrix_of_hosts):
    """The blocks of the page on a library that sees a wrong host, as another library does."""
    return for_maintainer(matrix_of_hosts("g", "h", "h", "g"), "left", TRAITS)


def test_a_page_for_an_issue_has_the_right_answer_the_wrong_one_and_who_shares_it(page_for_an_issue):
    assert block(page_for_an_issue, Listing).answers == [
        AnswerLine("RFC 3986, 3.2", "host h"),
        AnswerLine("left", "host g", "defect"),
        AnswerLine("same host", "fourth", names=True),
    ]


def test_a_page_for_an_issue_has_the_question_and_the_command_that_asks_it(page_for_an_issue):
    listing = block(page_for_an_issue, Listing)
    assert listing.question == "parse url <http://h:80/>"
    assert listing.again == "urlconform repro rfc3986-3.2-x -a left"


def test_a_page_for_an_issue_counts_right_and_wrong_answers(page_for_an_issue):
    assert "0 right, 1 wrong" in printed(page_for_an_issue)


SEVEN_OTHERS = [f"library-{number}-{'x' * 40}" for number in range(7)]


def names_like_left(matrix_of_hosts, *, everything):
    """Return how a page lists seven libraries with long names that give the wrong answer of `left`."""
    matrix = matrix_of_hosts("g", "h", *"g" * 7, names=("left", "right", *SEVEN_OTHERS))
    blocks = maintainer_blocks(
        matrix, "left", matrix.differences_from_rfc("left"), load_classes(), (), everything=everything
    )
    (line,) = (answer for answer in block(blocks, Listing).answers if answer.label == "same host")
    return line.words


def test_a_page_names_all_libraries_with_the_same_wrong_answer(matrix_of_hosts):
    assert names_like_left(matrix_of_hosts, everything=True) == ", ".join(SEVEN_OTHERS)


def test_a_first_look_names_four_libraries_with_the_same_wrong_answer(matrix_of_hosts):
    assert names_like_left(matrix_of_hosts, everything=False) == f"{', '.join(SEVEN_OTHERS[:4])}, and 3 more"


def test_markdown_does_not_shorten_a_list_of_names():
    listing = Listing("t", "q", [AnswerLine("so do", "a-library, " * 40 + "z", names=True)])
    text = as_markdown([listing])
    assert "a-library, z\n" in text
    assert "shortened" not in text


@pytest.fixture
def matrix_beside_the_corpus(make_case, record):
    """A matrix with a wrong answer to a required vector, and one to a named difference."""
    fields = {"op": "validate", "rule": "URI", "url": "xy", "expect": {"valid": False}}
    required = make_case("rfc3986-1.1-x", **fields)
    difference = msgspec.structs.replace(
        make_case("rfc3986-1.1-difference", **fields), file="differences/x.json"
    )
    answers = [Result(case.vector.id, "lib", "fail", got={"status": "ok"}) for case in (required, difference)]
    return make_matrix(record([required, difference], Participant("lib", "ran"), *answers))


def test_the_page_counts_all_wrong_answers_whether_or_not_they_count_in_scores(matrix_beside_the_corpus):
    text = printed(for_maintainer(matrix_beside_the_corpus, "lib"))
    assert "0 right, 2 wrong, 0 not exposed, 0 not offered.\n" in text


def test_the_page_lists_all_wrong_answers_whether_or_not_they_count_in_scores(matrix_beside_the_corpus):
    text = printed(for_maintainer(matrix_beside_the_corpus, "lib"))
    assert "Only lib: 1 class, 2 questions" in text


def test_the_page_says_how_many_answers_count_in_scores(matrix_beside_the_corpus):
    text = " ".join(printed(for_maintainer(matrix_beside_the_corpus, "lib")).split())
    assert "Scores count the required vectors of the corpus only: 0 right, 1 wrong." in text


def test_the_page_says_how_many_wrong_answers_were_selected(matrix_beside_the_corpus):
    wrong = matrix_beside_the_corpus.differences_from_rfc("lib")[:1]
    blocks = maintainer_blocks(matrix_beside_the_corpus, "lib", wrong, load_classes(), (), everything=True)
    assert "Selected: 1 of the 2 wrong answers.\n" in printed(blocks)


#: The section of a question, the component in which an answer is wrong, and the section that the page cites.
SECTIONS = [
    pytest.param("3.2.2", {"fragment": "f"}, "3.5", id="another-component"),
    pytest.param("3.2.2", {"host": "g"}, "3.2.2, by R-3986-19", id="the-same-component"),
    pytest.param("3.2", {"host": "g"}, "3.2, by R-3986-19", id="a-part-of-it"),
    pytest.param("4.1", {"fragment": "f"}, "4.1, by R-3986-19", id="no-component"),
]


@pytest.mark.parametrize(("section", "wrong", "place"), SECTIONS)
def test_the_page_cites_the_section_on_what_is_wrong(make_case, record, section, wrong, place):
    right = {
        "scheme": "a",
        "userinfo": None,
        "host": "h",
        "port": None,
        "path": "",
        "query": None,
        "fragment": "",
    }
    case = make_case(
        f"rfc3986-{section}-x", op="parse", rule=None, url="a://h#",
        expect={"components": right}, ruling="R-3986-19",
    )  # fmt: skip
    got = {"status": "ok", "components": right | wrong}
    participants = [Participant("lib", "ran", features=("absent-vs-empty",))]
    results = record([case], *participants, Result(case.vector.id, "lib", "fail", got=got))
    listing = block(for_maintainer(make_matrix(results), "lib"), Listing)
    specification, *_ = listing.answers
    assert specification.label == f"RFC 3986, {place}"


@pytest.fixture
def line_of_wrong_answer(record):
    """Return a function that returns the line with the answer on the page for the maintainer of its library.

    `participant_fields` are those of the library, such as the RFCs that it claims.
    """

    def make(case, reply, **participant_fields):
        library = Participant("lib", "ran", **participant_fields)
        results = record([case], library, Result(case.vector.id, "lib", "fail", got=reply))
        listing = block(for_maintainer(make_matrix(results), "lib"), Listing)
        (line,) = (line for line in listing.answers if line.label == "lib")
        return line

    return make


#: A text that an answer accepts, and the RFCs that the page names for it.
OTHER_RFCS = [
    pytest.param("a:[", "RFC 2732 by R-2732-03", id="by-a-ruling"),
    pytest.param("a:x[", "RFC 2732", id="by-its-text"),
    pytest.param("-:x", "RFC 1738, RFC 1808", id="several"),
]


@pytest.mark.parametrize(("text", "rfcs"), OTHER_RFCS)
def test_the_page_names_the_rfcs_under_which_an_answer_is_right(make_case, line_of_wrong_answer, text, rfcs):
    case = make_case("rfc3986-4.1-x", rule="URI-reference", url=text, expect={"valid": False})
    assert line_of_wrong_answer(case, {"status": "ok"}).note == f"right under another RFC: {rfcs}"


@pytest.fixture
def case_of_base(make_case):
    """Return a function that makes a case that resolves the reference `b` against a base, to `foo:b`."""

    def make(base):
        return make_case(
            "rfc3986-5.2.2-x",
            op="resolve",
            rule=None,
            base=base,
            reference="b",
            expect={"result": "foo:b"},
        )

    return make


UNCHANGED_REFERENCE = {"status": "ok", "url": "b"}


def test_the_page_says_that_another_rfc_leaves_an_answer_open(case_of_base, line_of_wrong_answer):
    """R-2396-21 leaves open what a relative path is if the base is opaque, as `foo:a` is."""
    line = line_of_wrong_answer(case_of_base("foo:a"), UNCHANGED_REFERENCE)
    rfcs = "RFC 2396 leaves it open by R-2396-21, RFC 2732 leaves it open by R-2396-21"
    assert line.note == f"right under another RFC: {rfcs}"


def test_an_answer_that_only_rfcs_leave_open_that_are_not_claimed_is_a_defect(
    case_of_base, line_of_wrong_answer
):
    """R-2396-21 leaves open what a relative path is if the base is opaque, as `foo:a` is."""
    line = line_of_wrong_answer(case_of_base("foo:a"), UNCHANGED_REFERENCE, specs=("rfc3986",))
    assert line.note == "defect, left open by RFCs that the library does not claim: RFC 2396, RFC 2732"


def test_an_answer_that_no_rfc_leaves_open_is_a_defect(case_of_base, line_of_wrong_answer):
    """RFC 2396, section 3: an opaque part has a character, so `foo:` is no base there."""
    line = line_of_wrong_answer(case_of_base("foo:"), UNCHANGED_REFERENCE, specs=("rfc3986",))
    assert line.note == "defect"


def test_the_page_says_how_a_library_accepts_a_text(make_case, line_of_wrong_answer):
    """Some parsers accept a relative reference only with a base."""
    case = make_case("rfc3986-4.1-x", rule="URI-reference", url=":", expect={"valid": False})
    line = line_of_wrong_answer(case, {"status": "ok", "message": "only with a base"})
    assert line.words == "accept (only with a base)"


def test_libraries_that_accept_only_with_a_base_are_listed_separately(make_case, record):
    case = make_case("rfc3986-4.1-x", rule="URI-reference", url=":", expect={"valid": False})
    with_base = {"status": "ok", "message": "only with a base"}
    replies = {"lib": {"status": "ok"}, "alike": {"status": "ok"}, "based": with_base}
    participants = [Participant(name, "ran") for name in replies]
    answers = [Result(case.vector.id, name, "fail", got=reply) for name, reply in replies.items()]
    results = record([case], *participants, *answers)
    listing = block(for_maintainer(make_matrix(results), "lib"), Listing)
    _specification, _library, *companions = listing.answers
    assert [(line.label, line.words) for line in companions] == [
        ("also accept", "alike"),
        ("also accept, with a base", "based"),
    ]


def test_a_maintainer_sees_which_parser_of_browsers_disagrees(matrix_of_hosts):
    matrix = matrix_of_hosts("0.0.0.1", "1", "1", names=("lib", "whatwg-url", "right"), right="1")
    listing = block(for_maintainer(matrix, "lib"), Listing)
    (note,) = (line.note for line in listing.answers if line.label == "lib")
    assert note == "browsers disagree: not so whatwg-url"


def test_a_maintainer_sees_what_most_libraries_say(matrix_of_hosts):
    listing = block(for_maintainer(matrix_of_hosts("g", "h", "h", "h"), "left"), Listing)
    *_, last_line = listing.answers
    assert last_line == AnswerLine("3 of 3 others", "host h")


def test_the_page_names_the_functions_that_normalize(make_case, record):
    case = make_case(
        "rfc3986-6.2.2-x", op="normalize", rule=None, mode="syntax", url="A:b", expect={"result": "a:b"}
    )
    wrong = Result(case.vector.id, "network-uri", "fail", got={"status": "ok", "url": "A:b"})
    matrix = make_matrix(record([case], Participant("network-uri", "ran"), wrong))
    text = printed(for_maintainer(matrix, "network-uri"))
    assert "Normal forms are those of network-uri" in text
    assert "normalizePathSegments" in text


#: A question that the library `rfc3986` answers wrongly, and how the page names the function that it calls.
FUNCTIONS = [
    pytest.param(
        {"op": "parse", "url": "//h", "expect": {"components": {"host": "h"}}},
        "uri_reference (parse)",
        id="parse",
    ),
    pytest.param(
        {"op": "resolve", "base": "a:/b", "reference": "c", "expect": {"result": "a:/c"}},
        "URIReference.resolve_with (resolve)",
        id="resolve",
    ),
]


@pytest.mark.parametrize(("fields", "function"), FUNCTIONS)
def test_the_page_names_the_functions_that_gave_the_wrong_answers(make_case, record, fields, function):
    case = make_case("rfc3986-3-x", **{"rule": None, **fields})
    wrong = Result(case.vector.id, "rfc3986", "fail", got={"status": "reject"})
    matrix = make_matrix(record([case], Participant("rfc3986", "ran"), wrong))
    text = printed(for_maintainer(matrix, "rfc3986"))
    assert f"Functions that gave the answers: {function}.\n" in text


#: A library, the RFCs that its adapter claims, and the line on them.
CLAIMED = [
    pytest.param(
        "ruby-uri",
        ("rfc3986", "rfc2396"),
        "ruby-uri claims RFC 2396 and 3986 (uri 0.11.0, uri.rb: ",
        id="cited",
    ),
    pytest.param(
        "urllib", ("rfc1808",), "urllib claims RFC 1808 (urllib/parse.py, ", id="outside-the-catalogue"
    ),
    pytest.param("lib", ("rfc3986",), "lib claims RFC 3986, as its adapter says.", id="not-cited"),
    pytest.param("lib", (), "lib claims no RFC.", id="none"),
]


@pytest.mark.parametrize(("name", "specs", "line"), CLAIMED)
def test_the_page_says_which_rfcs_a_library_claims_and_where_that_is_from(
    make_case, record, name, specs, line
):
    case = make_case("rfc3986-3-x")
    wrong = Result(case.vector.id, name, "fail", got={"status": "reject"})
    matrix = make_matrix(record([case], Participant(name, "ran", specs=specs), wrong))
    assert line in printed(for_maintainer(matrix, name))


@pytest.fixture
def page_on_iris(make_case, record):
    """The page of a library that has functions for URIs and for IRIs, and was asked about an IRI."""
    case = make_case("rfc3987-2.2-x", op="normalize", rule=None, url="x:b", expect={"result": "x:b"})
    wrong = Result(case.vector.id, "iri-string", "fail", got={"status": "reject"})
    matrix = make_matrix(record([case], Participant("iri-string", "ran"), wrong))
    return printed(for_maintainer(matrix, "iri-string"))


def test_the_page_on_iris_cites_what_the_library_says_of_them(page_on_iris):
    assert "The functions for IRIs were asked: iri-string 0.7.14, README" in page_on_iris


@pytest.mark.parametrize("words", ["UriStr::normalize", "Normal forms"], ids=["function", "sentence"])
def test_the_page_on_iris_names_no_function_that_normalizes_uris(page_on_iris, words):
    assert words not in page_on_iris


def test_the_page_names_the_functions_of_an_adapter_outside_the_catalogue(make_case, record):
    case = make_case("rfc3986-3-x", op="parse", rule=None, url="//h", expect={"components": {"host": "h"}})
    wrong = Result(case.vector.id, "urllib", "fail", got={"status": "reject"})
    matrix = make_matrix(record([case], Participant("urllib", "ran"), wrong))
    functions = (
        "Functions that gave the answers: urllib.parse.urlsplit, or urlparse under RFC 1808 (parse).\n"
    )
    assert functions in printed(for_maintainer(matrix, "urllib"))


@pytest.fixture
def page_of_endings(make_case, record):
    """Return a function that makes a page on a library that ends with these outcomes and messages."""

    def make_page(*endings):
        cases = []
        answers = []
        for number, (outcome, detail) in enumerate(endings):
            case = make_case(f"rfc3986-4.1-{number}", rule="URI-reference", url="a", expect={"valid": True})
            cases.append(case)
            answers.append(Result(case.vector.id, "lib", outcome, detail=detail))
        return for_maintainer(make_matrix(record(cases, Participant("lib", "ran"), *answers)), "lib")

    return make_page


#: How a library ends, and what the page calls that.
ENDINGS = [
    pytest.param("error", "NoMethodError: undefined method `x'", "NoMethodError", id="exception"),
    pytest.param("error", "URI::Fault: no: colon", "URI::Fault", id="exception-of-a-module"),
    pytest.param("error", "it does not know", "error", id="words"),
    pytest.param("crash", "signal 11", "crash", id="crash"),
    pytest.param("timeout", "no answer in 5 s", "timeout", id="timeout"),
]


@pytest.mark.parametrize(("outcome", "detail", "ending"), ENDINGS)
def test_the_page_lists_how_a_library_ends_without_an_answer(page_of_endings, outcome, detail, ending):
    listing = block(page_of_endings((outcome, detail)), Listing)
    assert listing.title == f"{ending}, 1 question"


def test_an_ending_has_a_command_that_asks_its_question_again(page_of_endings):
    listing = block(page_of_endings(("error", "IndexError: x")), Listing)
    assert listing.again == "urlconform repro rfc3986-4.1-0 -a lib"


def test_endings_are_counted_the_most_common_first(page_of_endings):
    endings = [("error", "IndexError: x"), ("error", "KeyError: x"), ("error", "KeyError: y")]
    text = printed(page_of_endings(*endings))
    assert "lib crashes, or ends in another unexpected way: 3 questions\n" in text
    assert text.index("KeyError, 2 questions\n") < text.index("IndexError, 1 question\n")


def test_a_library_that_always_answers_has_no_list_of_endings(matrix_of_hosts):
    assert "crashes" not in printed(for_maintainer(matrix_of_hosts("g", "h"), "left"))


#: A text, its normal form, the one that a library gives, and how the title of the class ends.
MARKS = [
    pytest.param("HTTP://EXAMPLE.com/", "http://example.com/", "http://EXAMPLE.com/", "in spelling only"),
    pytest.param("http://%41/", "http://a/", "http://%41/", "decoding or case only"),
    pytest.param("foo:///a", "foo:///a", "foo:/a", "in spelling or empty parts only"),
    pytest.param("http://h/", "http://h/", "http://g/", "1 question"),
]


@pytest.mark.parametrize(
    ("text", "right", "wrong", "mark"), MARKS, ids=["case", "decoding", "empty-host", "another-host"]
)
def test_a_class_is_marked_if_its_hosts_differ_in_spelling_only(make_case, record, text, right, wrong, mark):
    fields = {"op": "normalize", "rule": None, "mode": "syntax", "url": text, "expect": {"result": right}}
    case = make_case("rfc3986-6.2.2-x", **fields)
    answer = Result(case.vector.id, "lib", "fail", got={"status": "ok", "url": wrong})
    matrix = make_matrix(record([case], Participant("lib", "ran"), answer))
    listing = block(for_maintainer(matrix, "lib"), Listing)
    assert listing.heading.startswith("host: ")
    assert listing.title.endswith(mark)


def test_a_maintainer_of_a_right_library_sees_no_list(matrix_of_hosts):
    blocks = for_maintainer(matrix_of_hosts("h", "g"), "left")
    assert [page_block for page_block in blocks if isinstance(page_block, Listing)] == []


#: Questions that a library rejects.
PARSE = {"op": "parse", "rule": None, "url": "http://h/", "expect": {"components": {"host": "h"}}}
NORMALIZE = {"op": "normalize", "rule": None, "mode": "syntax", "url": "a:", "expect": {"result": "a:"}}
RESOLVE = {"op": "resolve", "rule": None, "base": "http://b/", "reference": "g", "expect": {"result": "x:y"}}

#: The file of a question, the question, and the command that asks it again.
AGAIN = [
    pytest.param("rfc3986/3.2-x.json", PARSE, "urlconform repro rfc3986-3.2-x -a b", id="core"),
    pytest.param("texts", PARSE, "urlconform ask -a b http://h/", id="text"),
    pytest.param("texts", PARSE | {"url": "--x"}, "urlconform ask -a b -- --x", id="like-an-option"),
    pytest.param("texts", PARSE | {"url": "a b\n"}, "urlconform ask -a b $'a b\\x0a'", id="quoted"),
    pytest.param("texts", NORMALIZE, "", id="no-command"),
    pytest.param(
        "differences/x.json",
        NORMALIZE,
        "urlconform repro rfc3986-3.2-x -a b --spec rfc3986",
        id="named-difference",
    ),
    pytest.param("texts", RESOLVE, "urlconform ask -a b --base http://b/ g", id="reference"),
]


@pytest.mark.parametrize(("file", "question", "command"), AGAIN)
def test_a_listing_proposes_a_command_that_asks_its_question_again(
    make_case, record, file, question, command
):
    """`repro` knows the core and the named differences."""
    case = msgspec.structs.replace(make_case("rfc3986-3.2-x", **question), file=file)
    wrong = Result(case.vector.id, "b", "fail", got={"status": "reject"})
    matrix = make_matrix(record([case], Participant("b", "ran"), wrong))
    assert block(for_maintainer(matrix, "b"), Listing).again == command


def test_a_command_has_the_corpus_and_the_limits_of_the_run(make_case, record):
    case = make_case("rfc3986-3.2-x", url="http://h/", expect={"valid": True})
    wrong = Result(case.vector.id, "b", "fail", got={"status": "reject"})
    results = record([case], Participant("b", "ran"), wrong)
    header = msgspec.structs.replace(results.header, vectors="own.json", timeout=60)
    matrix = make_matrix(msgspec.structs.replace(results, header=header))
    command = "urlconform repro rfc3986-3.2-x -a b --vectors own.json --timeout 60"
    assert block(for_maintainer(matrix, "b"), Listing).again == command


def test_repro_is_proposed_with_whole_for_a_shortened_answer(make_case, record):
    case = make_case(
        "rfc3986-3.2-x", op="parse", rule=None, url="http://h/", expect={"components": {"host": "h"}}
    )
    answer = {"status": "ok", "components": {"host": "g" * 300}}
    wrong = Result(case.vector.id, "b", "fail", got=answer)
    matrix = make_matrix(record([case], Participant("b", "ran"), wrong))
    command = block(for_maintainer(matrix, "b"), Listing).again
    assert command == "urlconform repro rfc3986-3.2-x -a b --whole"


def test_a_differing_authority_is_shown_on_both_sides(make_case, record):
    expected = {"authority": "@h", "userinfo": "", "host": "h", "port": None}
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="//@h", expect={"components": expected})
    answer = {"status": "ok", "components": {"authority": "h", "userinfo": "", "host": "h", "port": None}}
    wrong = Result(case.vector.id, "b", "fail", got=answer)
    matrix = make_matrix(record([case], Participant("b", "ran"), wrong))
    listing = block(for_maintainer(matrix, "b"), Listing)
    specification, library, *_ = listing.answers
    assert specification.words.startswith("authority @h  ")
    assert library.words.startswith("authority h  ")


def test_errors_of_two_libraries_are_neither_one_answer_nor_spelling(make_case, record):
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="http://[::1]@/", expect={"valid": False})
    errors = [
        Result(case.vector.id, name, "error", got={"status": "error", "message": message})
        for name, message in (("lib", "IndexError"), ("other", "UnboundLocalError"))
    ]
    participants = [Participant("lib", "ran"), Participant("other", "ran")]
    matrix = make_matrix(record([case], *participants, *errors))
    blocks = for_maintainer(matrix, "lib")
    _ending, listing = (page_block for page_block in blocks if isinstance(page_block, Listing))
    assert listing.title == "no named class, 1 question"
    assert [line.label for line in listing.answers] == ["RFC 3986, 3.2", "lib"]


def test_the_answer_of_the_rfc_has_its_empty_components(make_case, record):
    """The library cannot tell them from absent ones, and is wrong in the host alone."""
    expected = {"userinfo": "", "host": "h", "port": ""}
    case = make_case("rfc3986-3.2-x", op="parse", rule=None, url="//@h:", expect={"components": expected})
    answer = {"status": "ok", "components": {"userinfo": None, "host": "g", "port": None}}
    wrong = Result(case.vector.id, "b", "fail", got=answer)
    matrix = make_matrix(record([case], Participant("b", "ran"), wrong))
    listing = block(for_maintainer(matrix, "b"), Listing)
    assert listing.answers[0].words == "host h  userinfo (empty)  port (empty)"


def test_a_class_counts_the_causes_of_its_answers(matrix_of_hosts):
    matrix = matrix_of_hosts("g", "h", "h", "g")
    (defect,) = matrix.differences_from_rfc("left")
    sides = tuple(replace(side, find_cause=lambda: Cause.BROWSER) for side in defect.sides)
    browser = replace(defect, sides=sides)
    wrong = [defect, defect, browser]
    blocks = maintainer_blocks(matrix, "left", wrong, load_classes(), (), everything=True)
    causes = AnswerLine("causes in this class", "defect 2, browser behaviour 1", names=True)
    assert causes in block(blocks, Listing).answers


# ---- who checks, who fetches


BACKSLASH = BypassClass(
    BypassRow.OTHER_TARGET,
    "backslash",
    (Witness("//a\\@b/", "b", "a"),) * 3,
    Witness("http://evil.example\\@good.example/", "good.example", "evil.example"),
)


def test_the_verdict_on_a_bypass_comes_first():
    text = printed(bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=False))
    assert text.startswith("check check, fetch fetch: BYPASSABLE in 1 way\n")


def test_a_bypass_is_printed_with_the_number_of_texts():
    text = printed(bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=False))
    assert "10 texts; both accept 5." in text


def test_a_bypass_is_printed_with_how_to_close_it():
    text = printed(bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=False))
    assert "Refusing what RFC 1738, 1808, 2396, 2732 or 3986 refuses leaves 0 of 3." in text


def rows_of_bypass(text):
    """Return the rows of the table: kind of bypass, number of texts, and meaning."""
    return re.findall("^(.+?)  +([0-9]+)  +(.+)$", text, re.MULTILINE)


def test_each_row_has_its_count_and_its_meaning():
    text = printed(bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=False))
    assert rows_of_bypass(text) == [
        ("other target", "3", "passes as one host, is fetched from another"),
        ("same target by another text", "0", "a deny list that compares text is deceived"),
        ("only the fetcher sees a host", "0", "the check sees no host, the fetch goes to one"),
        ("spelling only", "1", "case, or the zeros, brackets, colons of IPv6"),
        ("trailing dot only", "2", "only one of the two hosts ends with a dot"),
    ]


def test_only_other_targets_are_shown_if_the_user_wants_no_other_row():
    other_targets = sample_bypass(BACKSLASH).only(BypassRow.OTHER_TARGET)
    text = printed(bypass_blocks(other_targets, load_classes(), everything=False, only="--only other-target"))
    assert rows_of_bypass(text) == [("other target", "3", "passes as one host, is fetched from another")]


def test_a_bypass_counts_texts_separately_that_may_be_fetched_or_not():
    with_unfetched = sample_bypass(BACKSLASH)._replace(not_fetched=7)
    text = printed(bypass_blocks(with_unfetched, load_classes(), everything=False))
    assert "Not counted: 7 texts with different hosts, without http, https, ws, wss or ftp:\n" in text
    assert "fetch only parses, so it does not show whether they are fetched." in text


def test_all_texts_that_get_past_a_check_are_in_the_csv_file():
    witnesses = (Witness("http://b/", None, "b"), Witness("http://c/", None, "c"))
    group = BypassClass(BypassRow.FETCHER_ONLY, None, witnesses)
    lines = bypasses_as_csv(sample_bypass(group)).splitlines()
    assert lines[0] == "row,class,text,checked,fetched"
    assert lines[1:] == [
        "only the fetcher sees a host,,http://b/,,b",
        "only the fetcher sees a host,,http://c/,,c",
    ]


#: U+212A looks like the letter K, and a blank at the end like nothing.
KELVIN = BypassClass(BypassRow.OTHER_TARGET, None, (Witness(" http://\u212a/\U0001f600 ", "\u212a", "k "),))

#: A report on a bypass, and how it is made.
REPORTS = [
    pytest.param(lambda report: printed(bypass_blocks(report, {}, everything=True)), id="terminal"),
    pytest.param(lambda report: piped(bypass_blocks(report, {}, everything=True)), id="pipe"),
    pytest.param(lambda report: as_markdown(bypass_blocks(report, {}, everything=True)), id="markdown"),
    pytest.param(
        lambda report: json.loads(sarif.render(report, {}))["runs"][0]["results"][0]["message"]["text"],
        id="sarif",
    ),
]


@pytest.mark.parametrize("render", REPORTS)
@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(r"\u{20}http://\u{212a}/\u{1f600}\u{20}", id="text"),
        pytest.param(r"k\u{20}", id="host"),
    ],
)
def test_characters_that_a_reader_does_not_recognize_are_escaped(render, shown):
    assert shown in render(sample_bypass(KELVIN))


def test_a_pipe_gets_whole_lines():
    """Titles, texts and answers, however long they are."""
    host = "a" * 300
    group = BypassClass(BypassRow.OTHER_TARGET, "backslash", (Witness(f"http://{host}\\@b/", "b", host),))
    title = "t" * 200
    classes = {"backslash": msgspec.structs.replace(load_classes()["backslash"], title=title)}
    text = piped(bypass_blocks(sample_bypass(group), classes, everything=True))
    lines = [line.strip() for line in text.splitlines()]
    assert f"other target, 1 text: {title} (backslash)" in lines
    assert f"http://{host}\\@b/" in lines
    assert "…" not in text


def test_a_terminal_says_how_to_see_what_it_cuts():
    group = BypassClass(BypassRow.OTHER_TARGET, None, (Witness(f"http://{'a' * 300}\\@b/", "b", "a"),))
    text = printed(bypass_blocks(sample_bypass(group), {}, everything=True))
    assert text.endswith("Lines that end with … are cut here; a pipe (| cat) shows them whole.\n")


def test_a_terminal_that_cuts_nothing_does_not_say_so():
    assert "are cut here" not in printed(
        bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=True)
    )


def test_markdown_says_where_the_texts_of_a_bypass_are_whole():
    group = BypassClass(BypassRow.OTHER_TARGET, None, (Witness(f"http://{'a' * 300}\\@b/", "b", "a"),))
    text = as_markdown(bypass_blocks(sample_bypass(group), {}, everything=True))
    assert "Texts of more than 200 characters are shortened; --report sarif=FILE has them whole." in text


def test_the_exploit_comes_before_the_shortest_text():
    text = printed(bypass_blocks(sample_bypass(BACKSLASH), load_classes(), everything=False))
    assert (
        "other target, 3 texts: Backslashes (backslash)\n"
        "  http://evil.example\\@good.example/\n"
        "    check sees         good.example\n"
        "    fetch goes to      evil.example\n"
        "    every RFC on URLs  invalid\n"
        "    shortest text      //a\\@b/\n"
        "    check sees         b\n"
        "    fetch goes to      a\n"
    ) in text


def test_a_class_without_an_exploit_shows_the_shortest_text():
    without_exploit = BACKSLASH._replace(exploit=None)
    text = printed(bypass_blocks(sample_bypass(without_exploit), load_classes(), everything=False))
    assert "(backslash)\n  //a\\@b/\n    check sees         b\n" in text
    assert "    exploit            none among the texts that were tried\n" in text
    assert "shortest text" not in text


def test_a_host_of_bytes_is_readable():
    bypass_class = BypassClass(BypassRow.OTHER_TARGET, None, (Witness("http://%FF/", "%FF", "\udcff"),))
    text = printed(bypass_blocks(sample_bypass(bypass_class), load_classes(), everything=False))
    assert re.search(r"^    fetch goes to +\\xff$", text, re.MULTILINE)


def test_the_verdict_on_one_kind_of_bypass_names_its_option():
    bypass = sample_bypass(BACKSLASH).only(BypassRow.OTHER_TARGET)
    text = printed(bypass_blocks(bypass, load_classes(), everything=False, only="--only other-target"))
    assert text.startswith("check check, fetch fetch: BYPASSABLE in 1 way (--only other-target)\n")


@pytest.fixture
def lines_of_remedies():
    """The lines on remedies if RFC 1738 leaves no bypass, RFC 2396 one, and each other RFC two."""
    bypass = sample_bypass(BACKSLASH, remaining=(0, 2, 1, 2, 2))
    text = printed(bypass_blocks(bypass, load_classes(), everything=False))
    return re.findall("^Refusing .*$", text, re.MULTILINE)


def test_remedies_that_leave_as_much_share_a_line(lines_of_remedies):
    assert "Refusing what RFC 1808, 2732 or 3986 refuses leaves 2 of 3." in lines_of_remedies


def test_the_remedy_of_rfc3986_comes_before_those_that_leave_less(lines_of_remedies):
    """The others begin with the one that leaves least."""
    remaining = [re.search("leaves ([0-9]) of", line)[1] for line in lines_of_remedies]
    assert remaining == ["2", "0", "1"]


MEASURES = (Measure("texts without a scheme", "//a/", 1), Measure("hosts with a triplet", "//%61", 0))

CLOSED = [
    pytest.param(MEASURES, ["a/, leaves 1.", "%61, leaves 0.", "Together, these close every"], id="all"),
    pytest.param(MEASURES[:1], ["a/, leaves 1.", "No rule here closes those"], id="not-all"),
]


@pytest.mark.parametrize(("measures", "expected"), CLOSED)
def test_what_rfc_3986_leaves_is_closed_by_measures(measures, expected):
    bypass = sample_bypass(BACKSLASH, remaining=(2, 2, 2, 2, 2))._replace(measures=measures)
    _refusing, *lines = remedy_lines(bypass)
    assert len(lines) == len(expected)
    for line, words in zip(lines, expected, strict=True):
        assert words in line


def test_if_rfc_3986_closes_every_text_no_further_line_is_needed():
    (line,) = remedy_lines(sample_bypass(BACKSLASH)._replace(measures=MEASURES))
    assert "leaves 0 of 3" in line


def test_a_pair_without_bypass_begins_with_that():
    text = printed(bypass_blocks(sample_bypass(), load_classes(), everything=False))
    assert text.startswith("check check, fetch fetch: no bypass in 10 texts\nBoth accept 5.\n")


def test_a_pair_names_the_function_that_gives_the_checked_host():
    """The library has another one, gethost, which decodes the host."""
    blocks = bypass_blocks(sample_bypass(check="uritools"), load_classes(), everything=False)
    assert "Hosts that uritools sees are from urisplit, " in printed(blocks)


def test_a_pair_names_no_function_of_a_library_outside_the_catalogue():
    assert "sees are from" not in printed(bypass_blocks(sample_bypass(), load_classes(), everything=False))


def test_a_pair_without_bypass_has_nothing_to_close():
    assert "How to close it" not in printed(bypass_blocks(sample_bypass(), load_classes(), everything=False))


def test_a_pair_that_accepts_no_text_together_was_not_compared():
    nothing = sample_bypass()._replace(both=0)
    text = printed(bypass_blocks(nothing, load_classes(), everything=False))
    assert text.startswith("check check, fetch fetch: nothing compared\n")


def test_texts_that_were_not_asked_are_counted():
    incomplete = sample_bypass()._replace(both=0, left_out=1_000)
    text = printed(bypass_blocks(incomplete, load_classes(), everything=False))
    assert "Not asked: 1,000 of 1,010 texts; " in text


# ---- old and new


REPLIES = {"pass": {"status": "ok"}, "fail": {"status": "reject"}}


@pytest.fixture
def results_of_version(make_case, record, tmp_path):
    """Makes the results of a version of a library with these outcomes of three cases."""
    cases = [make_case(f"rfc3986-3.2-{number}") for number in range(3)]

    def make(version, *outcomes):
        answers = [
            Result(case.vector.id, "lib", outcome, got=REPLIES[outcome])
            for case, outcome in zip(cases, outcomes, strict=True)
        ]
        about = Participant("lib", "ran", Implementation("lib", version))
        return record(cases, about, *answers, path=tmp_path / version)

    return make


#: What was broken and fixed from version 1.0 to 2.0 of a library.
CHANGES = """\
broken 1, fixed 1, changed 0 (the same corpus)
lib: 1.0 to 2.0

broken: 1
library  because of the  vector         before  now
lib      library         rfc3986-3.2-0  pass    fail

fixed: 1
library  because of the  vector         before  now
lib      library         rfc3986-3.2-1  fail    pass
"""


def test_changes_between_two_versions_are_listed(results_of_version):
    old = results_of_version("1.0", "pass", "fail", "pass")
    new = results_of_version("2.0", "fail", "pass", "pass")
    assert printed(change_blocks(make_history(old, new), everything=False)) == CHANGES


def test_two_equal_versions_have_no_changes(results_of_version):
    same = results_of_version("3.0", "pass", "pass", "pass")
    text = printed(change_blocks(make_history(same, same), everything=False))
    assert text.startswith("broken 0, fixed 0, changed 0")


@pytest.fixture
def text_of_changes(make_case, record, tmp_path):
    """The report of the changes of a library that sees the wrong host f in version 1.0, and g in 2.0.

    The second version was asked a question more.
    """

    def results(version, host, count):
        cases = [
            make_case(f"rfc3986-3.2-{number}", op="parse", rule=None, url="http://h/",
                      expect={"components": {"host": "h"}})
            for number in range(count)
        ]  # fmt: skip
        got = {"status": "ok", "components": {"host": host}}
        library_results = [Result(case.vector.id, "lib", "fail", got=got) for case in cases]
        about = Participant("lib", "ran", Implementation("lib", version))
        return record(cases, about, *library_results, path=tmp_path / version)

    return printed(
        change_blocks(make_history(results("1.0", "f", 1), results("2.0", "g", 2)), everything=False)
    )


def test_a_change_shows_old_and_new_answer(text_of_changes):
    assert (
        "lib: rfc3986-3.2-0, because of the library\n"
        "  parse url <http://h/>\n"
        "    before  host f  [fail]\n"
        "    now     host g  [fail]\n"
    ) in text_of_changes


def test_a_question_that_is_new_breaks_nothing(text_of_changes):
    counts = "broken 0, fixed 0, changed 1, wrong in new questions 1 (the same corpus)\n"
    assert text_of_changes.startswith(counts)


def test_a_wrong_answer_to_a_question_that_is_new_is_listed(text_of_changes):
    row = r"\nwrong in new questions: 1\n.*\nlib +corpus +rfc3986-3.2-1 +not asked +fail\n"
    assert re.search(row, text_of_changes)


# ---- renderers


@pytest.mark.parametrize("everything", [False, True])
def test_no_line_of_a_comparison_is_too_long(matrix_of_many, everything):
    text = printed(blocks_of(matrix_of_many, TRAITS, everything=everything))
    assert max(map(cell_len, text.splitlines())) <= WIDTH


def test_no_line_of_a_comparison_ends_with_a_blank(matrix_of_many):
    lines = printed(blocks_of(matrix_of_many, TRAITS)).split("\n")
    assert [line for line in lines if line != line.rstrip()] == []


def pages_of(matrix):
    """Yield every page of a matrix."""
    yield blocks_of(matrix, TRAITS)
    for name in matrix.names:
        yield for_maintainer(matrix, name, TRAITS)


CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e\u200b\ufeff]")


def test_hostile_texts_are_escaped_in_a_terminal(hostile_matrix):
    texts = [printed(blocks) for blocks in pages_of(hostile_matrix)]
    assert [text for text in texts if CONTROL.search(text)] == []


def test_hostile_texts_make_no_line_too_long(hostile_matrix):
    lines = [line for blocks in pages_of(hostile_matrix) for line in printed(blocks).splitlines()]
    assert max(map(cell_len, lines)) <= WIDTH


def test_hostile_texts_are_escaped_in_markdown(hostile_matrix):
    """No control character and no mark-up."""
    for blocks in pages_of(hostile_matrix):
        text = as_markdown(blocks)
        assert not CONTROL.search(text)
        without_fences = re.sub(r"(?ms)^(`{3,})sh$.*?^\1$", "", text)
        # the first alternative is there because an escaped backtick begins no span of code
        without_code = re.sub(r"\\[\\`]|(`+)[^`].*?(?<!`)\1(?!`)", "", without_fences)
        assert "<script" not in without_code
        assert "<img" not in without_code


QUESTION_COLUMNS = ("id", "operation", "text", "base", "class", "component", "cause", "expected")


def csv_rows(matrix):
    """Return the rows of the disagreements as CSV, of which the first is the head."""
    return list(csv.reader(io.StringIO(as_csv(matrix, matrix.disagreements))))


def test_csv_has_columns_for_the_question_and_for_each_library(matrix_of_many):
    head, *_ = csv_rows(matrix_of_many)
    assert head == [*QUESTION_COLUMNS, *matrix_of_many.names]


def test_csv_has_a_row_for_each_disagreement(matrix_of_many):
    _, *rows = csv_rows(matrix_of_many)
    assert [identifier for identifier, *_ in rows] == [
        disagreement.case.vector.id for disagreement in matrix_of_many.disagreements
    ]


@pytest.mark.parametrize("matrix", ["matrix_of_many", "hostile_matrix"], ids=["many", "hostile"])
def test_each_row_of_csv_has_every_column(request, matrix):
    head, *rows = csv_rows(request.getfixturevalue(matrix))
    assert rows != []
    assert [row for row in rows if len(row) != len(head)] == []


def test_hostile_texts_are_escaped_in_csv(hostile_matrix):
    """A cell is one line without control characters."""
    rows = csv_rows(hostile_matrix)
    assert len(rows) == 1 + len(hostile_matrix.disagreements)
    for row in rows:
        assert [cell for cell in row if CONTROL.search(cell)] == []


FORMULAS = {
    "equals": "=cmd|x:y",
    "plus": "+1-1",
    "minus": "-2+3",
    "at": "@SUM(1)|:z",
    "after-space": " =1",
    "full-width": "\uff1d1",
}


@pytest.fixture
def csv_texts(make_case, tmp_path):
    """A function that returns the cells of a text in CSV: as a question, and as the name of a library."""

    def cells_of(text):
        components = {"scheme": None, "authority": None, "path": text, "query": None, "fragment": None}
        case = make_case("rfc3986-3-text", url=text, expect=Expected(components=components))
        requirement = Requirement(case.vector.requirement, "3", 1, "0" * 12, "must", "A statement.")
        participants = [Participant(name, "ran", Implementation(name, "1")) for name in (text, "another")]

        def answer(case, participant):
            answers = {text: {"status": "reject"}, "another": {"status": "ok", "components": components}}
            return Result(case.vector.id, participant.name, "fail", got=answers[participant.name])

        path = tmp_path / "results.jsonl"
        asked_vectors = [AskedVector(case, requirement, "Syntax")]
        matrix = make_matrix(report_samples.write(path, asked_vectors, participants, answer))
        head, row = csv_rows(matrix)
        return row[QUESTION_COLUMNS.index("text")], head[len(QUESTION_COLUMNS)]

    return cells_of


@pytest.mark.parametrize("text", FORMULAS.values(), ids=FORMULAS)
def test_csv_marks_cells_that_a_spreadsheet_would_run_as_text(csv_texts, text):
    assert csv_texts(text) == (f"'{text}", f"'{text}")


@pytest.mark.parametrize("text", FORMULAS.values(), ids=FORMULAS)
def test_csv_of_bypasses_marks_cells_that_a_spreadsheet_would_run_as_text(text):
    group = BypassClass(BypassRow.OTHER_TARGET, None, (Witness(text, text, text),))
    _head, row = csv.reader(io.StringIO(bypasses_as_csv(sample_bypass(group))))
    assert row[2:] == [f"'{text}"] * 3


@pytest.mark.parametrize("text", ["'", "'=1", "''a"])
def test_csv_marks_cells_that_look_as_if_they_were_marked(csv_texts, text):
    """A program can remove one apostrophe from every cell that begins with one."""
    assert csv_texts(text) == (f"'{text}", f"'{text}")


@pytest.mark.parametrize("text", ["http://a/=1", "1+1", "a'", "//a@b"])
def test_csv_marks_no_other_cells(csv_texts, text):
    assert csv_texts(text) == (text, text)


def test_a_terminal_that_is_wider_than_a_page_shows_lines_of_a_page(matrix_of_many):
    blocks = blocks_of(matrix_of_many)
    assert printed(blocks, width=4 * WIDTH) == printed(blocks, width=WIDTH)
