"""Disagreements, pairs of libraries, traits, and what stands out."""

from __future__ import annotations

import pytest
from answer_samples import ACCEPT, BASE, CRASH, REJECT, parts, shows, url
from msgspec import structs

from urlharness.compare import matrix as matrix_module
from urlharness.compare.causes import Cause
from urlharness.compare.matrix import (
    PROBES,
    PairCount,
    Trait,
    by_class,
    count_causes,
    disagreements_in,
    make_matrix,
    probe_texts,
    traits,
    wrongly_answered_ids,
)
from urlharness.panel.answer import recorded_answer
from urlharness.panel.severity import BY_HARM, VERDICT
from urlharness.results.scores import scores_by_spec

RIGHT = parts("http", "h", "/p", port="80")
NO_PORT = parts("http", "h", "/p")
OTHER_HOST = parts("http", "g", "/p", port="80")
PARTLY = shows(scheme="http", path="/p")

UPPER_PATH = parts("http", "h", "/P", port="80")
UNSUPPORTED = {"status": "unsupported"}


def contrast_of(disagreement, first_name, second_name):
    """Return how the answers of two libraries differ, or None."""
    places = {}
    for number, side in enumerate(disagreement.sides):
        places |= dict.fromkeys(side.names, number)
    pair = {places.get(first_name), places.get(second_name)}
    for contrast in disagreement.contrasts:
        if {contrast.first, contrast.second} == pair:
            return contrast
    return None


@pytest.fixture
def disagreement_of(question, run):
    """Return a function that returns the only disagreement about http://h:80/p; `right` answers it right."""

    def make(**replies):
        matrix = make_matrix(run((question("http://h:80/p", RIGHT), {"right": RIGHT, **replies})))
        (disagreement,) = matrix.disagreements
        return disagreement

    return make


#: What a library answers to http://h:80/p where another one answers rightly, and the counts of the two.
PAIR_COUNTS = [
    pytest.param(RIGHT, PairCount(shared=1, different=0, alarms=0, hosts=0), id="equal"),
    pytest.param(PARTLY, PairCount(shared=1, different=0, alarms=0, hosts=0), id="equal-in-what-it-shows"),
    pytest.param(ACCEPT, PairCount(shared=1, different=0, alarms=0, hosts=0), id="shows-nothing"),
    pytest.param(NO_PORT, PairCount(shared=1, different=1, alarms=0, hosts=0), id="spelling"),
    pytest.param(UPPER_PATH, PairCount(shared=1, different=1, alarms=1, hosts=0), id="another-path"),
    pytest.param(REJECT, PairCount(shared=1, different=1, alarms=1, hosts=0), id="refused"),
    pytest.param(OTHER_HOST, PairCount(shared=1, different=1, alarms=1, hosts=1), id="another-host"),
    pytest.param(CRASH, PairCount(shared=0, different=0, alarms=0, hosts=0), id="crash"),
    pytest.param(UNSUPPORTED, PairCount(shared=0, different=0, alarms=0, hosts=0), id="not-offered"),
]


@pytest.mark.parametrize(("reply", "counts"), PAIR_COUNTS)
def test_a_pair_is_counted_where_both_answer(question, run, reply, counts):
    matrix = make_matrix(run((question("http://h:80/p", RIGHT), {"right": RIGHT, "lib": reply})))
    assert matrix.pairs == {("right", "lib"): counts}


def test_the_counts_of_a_pair_are_sums_over_the_questions(question, run):
    rows = [
        (question("http://h:80/p", RIGHT, number=number), {"a": RIGHT, "b": reply, "c": OTHER_HOST})
        for number, reply in enumerate((RIGHT, NO_PORT, OTHER_HOST, CRASH))
    ]
    assert make_matrix(run(*rows)).pairs == {
        ("a", "b"): PairCount(shared=3, different=2, alarms=1, hosts=1),
        ("a", "c"): PairCount(shared=4, different=4, alarms=4, hosts=4),
        ("b", "c"): PairCount(shared=3, different=2, alarms=2, hosts=2),
    }


@pytest.fixture
def matrix_without_contradiction(question, run):
    """One library is right, and the others show a part, crash, and do not offer the operation."""
    replies = {"right": RIGHT, "partly": PARTLY, "crash": CRASH, "unsupported": UNSUPPORTED}
    return make_matrix(run((question("http://h:80/p", RIGHT), replies)))


def test_what_a_library_does_not_show_or_answer_is_no_disagreement(matrix_without_contradiction):
    assert matrix_without_contradiction.disagreements == ()


def test_two_libraries_share_a_question_only_if_both_answer_it(matrix_without_contradiction):
    counts_of_pairs = matrix_without_contradiction.pairs.items()
    assert [pair for pair, counts in counts_of_pairs if counts.shared > 0] == [("right", "partly")]


@pytest.fixture
def three_libraries(question, run):
    """The results of three libraries that disagree."""
    return run((question("http://h:80/p", RIGHT), {"a": RIGHT, "b": OTHER_HOST, "c": REJECT}))


def test_only_named_libraries_are_compared(three_libraries):
    assert make_matrix(three_libraries, ["b", "a"]).names == ("a", "b")


def test_a_library_alone_has_no_disagreement(three_libraries):
    assert make_matrix(three_libraries, ["a"]).disagreements == ()


PAIRS = [
    pytest.param("right", "port", Cause.SPELLING, id="right-spelling"),
    pytest.param("right", "wrong", Cause.DEFECT, id="right-defect"),
    pytest.param("port", "wrong", Cause.DEFECT, id="the-worse"),
    pytest.param("refuses", "right", Cause.OTHER_RFC, id="right-other"),
    pytest.param("refuses", "port", Cause.SPELLING, id="spelling-is-worse"),
    pytest.param("wrong", "odd", Cause.SPELLING, id="two-spellings-of-a-defect"),
]


@pytest.mark.parametrize(("first", "second", "cause"), PAIRS)
def test_a_pair_gets_the_worse_of_two_causes(question, run, first, second, cause):
    """RFC 1738, section 3.3, has no user name, and refuses the text; RFC 3986 admits it."""
    right = parts("http", "h", "/p", port="80", userinfo="u")
    replies = {
        "right": right,
        "port": parts("http", "h", "/p", userinfo="u"),
        "wrong": parts("http", "g", "/p", port="80", userinfo="u"),
        "odd": parts("http", "G", "/p", userinfo="u"),
        "refuses": REJECT,
    }
    (disagreement,) = make_matrix(run((question("http://u@h:80/p", right), replies))).disagreements
    contrast = contrast_of(disagreement, first, second)
    assert disagreement.cause_of_contrast(contrast) is cause


def test_two_admissible_answers_differ_although_both_are_right(question, run):
    case = question("http:g", url("http:g"), url("http://a/b/c/g"), base=BASE)
    rows = (case, {"a": url("http:g"), "b": url("http://a/b/c/g")})
    (disagreement,) = make_matrix(run(rows)).disagreements
    assert disagreement.cause is Cause.ALLOWED


@pytest.fixture
def disagreement(disagreement_of):
    """The disagreement of a right library, a wrong one, one without the port, and one that shows a part."""
    return disagreement_of(port=NO_PORT, wrong=OTHER_HOST, partly=PARTLY)


def test_a_disagreement_has_the_text_of_its_question(disagreement):
    assert disagreement.text == "http://h:80/p"


def test_a_disagreement_has_the_worst_component_and_cause(disagreement):
    """One library has another host, which is a defect, and another one leaves out a default port."""
    assert disagreement.component == "host"
    assert disagreement.cause == Cause.DEFECT


def test_a_disagreement_about_a_host_is_alarming(disagreement):
    assert disagreement.alarming


def test_a_library_that_shows_a_part_is_grouped_with_one_that_it_does_not_contradict(disagreement):
    groups = [tuple(group.names) for group in disagreement.groups]
    assert groups == [("right", "partly"), ("port",), ("wrong",)]


def test_two_groups_have_a_contrast(disagreement):
    assert contrast_of(disagreement, "right", "wrong") is not None


@pytest.mark.parametrize("name", ["partly", "nobody"], ids=["of-its-group", "without-an-answer"])
def test_there_is_no_contrast_to_a_library_of_no_other_group(disagreement, name):
    assert contrast_of(disagreement, "right", name) is None


@pytest.fixture
def disagreement_in_spelling(disagreement_of):
    """RFC 3986, section 6.2.3: a default port may be left out."""
    return disagreement_of(port=NO_PORT)


def test_a_lost_default_port_is_a_spelling_of_the_port(disagreement_in_spelling):
    assert disagreement_in_spelling.component == "port"
    assert disagreement_in_spelling.cause == Cause.SPELLING


def test_spelling_is_no_alarm(disagreement_in_spelling):
    assert not disagreement_in_spelling.alarming


def test_a_library_is_alone_with_an_answer_that_no_other_gives(question, run):
    """Partial answers join those that they agree with."""
    rows = [
        (question("http://h:80/p", RIGHT, number=1), {"a": RIGHT, "b": RIGHT, "c": OTHER_HOST}),
        (question("http://h:80/p", RIGHT, number=2), {"a": RIGHT, "b": PARTLY, "c": OTHER_HOST}),
        (question("http://h:80/p", RIGHT, number=3), {"a": RIGHT, "b": OTHER_HOST, "c": OTHER_HOST}),
    ]
    matrix = make_matrix(run(*rows))
    counts = {name: len(matrix.lone_disagreements(name)) for name in matrix.names}
    assert counts == {"a": 1, "b": 0, "c": 2}


WRONG = [
    pytest.param({"a": RIGHT, "lib": OTHER_HOST}, "host", Cause.DEFECT, id="disagreement"),
    pytest.param({"a": PARTLY, "b": OTHER_HOST, "lib": REJECT}, VERDICT, Cause.DEFECT, id="right-in-part"),
    pytest.param({"a": OTHER_HOST, "lib": NO_PORT}, "port", Cause.SPELLING, id="nobody-right"),
    pytest.param({"a": OTHER_HOST, "lib": OTHER_HOST}, "host", Cause.DEFECT, id="all-wrong"),
    pytest.param({"lib": NO_PORT}, "port", Cause.SPELLING, id="nobody-else"),
    pytest.param({"a": RIGHT, "lib": CRASH}, VERDICT, Cause.DEFECT, id="crash"),
    pytest.param(
        {"a": RIGHT, "b": OTHER_HOST, "lib": CRASH}, VERDICT, Cause.DEFECT, id="crash-beside-others"
    ),
]


@pytest.fixture
def wrong_answer(question, run, replies):
    """The only difference of `lib` from the RFC if libraries give these replies."""
    matrix = make_matrix(run((question("http://h:80/p", RIGHT), replies)))
    (difference,) = matrix.differences_from_rfc("lib")
    return difference


@pytest.mark.parametrize(("replies", "component", "cause"), WRONG)
def test_a_wrong_answer_has_its_component_and_cause(wrong_answer, component, cause):
    assert wrong_answer.component == component
    assert wrong_answer.cause is cause
    assert wrong_answer.side_of["lib"].cause is cause


@pytest.mark.parametrize(
    "replies", [pytest.param(parameters.values[0], id=parameters.id) for parameters in WRONG]
)
def test_a_library_with_a_wrong_answer_is_in_a_group(wrong_answer):
    grouped_names = [name for group in wrong_answer.groups for name in group.names]
    assert "lib" in grouped_names


@pytest.fixture
def two_questions(question, run):
    """The results of two libraries, of which one answers the second of two questions wrongly."""
    first = question("http://h:80/p", RIGHT, number=1), {"lib": RIGHT, "other": NO_PORT}
    second = question("http://h:80/p", RIGHT, number=2), {"lib": OTHER_HOST, "other": RIGHT}
    return run(first, second)


def test_the_wrong_answers_of_a_library_need_no_other_questions(two_questions):
    matrix = make_matrix(two_questions, (), wrongly_answered_ids(two_questions, "lib"))
    assert len(matrix.answers) == 1
    assert len(matrix.disagreements) == 1
    assert matrix.differences_from_rfc("lib") == make_matrix(two_questions).differences_from_rfc("lib")


@pytest.fixture
def judged_names(monkeypatch):
    """The libraries whose cause was looked for so far, in order. Each takes long to find."""
    names = []
    find_cause = matrix_module.cause_of

    def remember(case, judgement, *rest, **options):
        names.append(judgement.implementation)
        return find_cause(case, judgement, *rest, **options)

    monkeypatch.setattr(matrix_module, "cause_of", remember)
    return names


def test_no_cause_is_looked_for_once_there_is_a_defect(question, run, judged_names):
    """None is worse, and the rarest answers are the first to be looked at."""
    replies = {"a": RIGHT, "b": RIGHT, "c": NO_PORT, "d": NO_PORT, "lib": OTHER_HOST}
    (disagreement,) = make_matrix(run((question("http://h:80/p", RIGHT), replies))).disagreements
    assert disagreement.cause is Cause.DEFECT
    assert judged_names == ["lib"]


def test_a_class_needs_no_cause(question, run, judged_names):
    replies = {"a": RIGHT, "b": NO_PORT, "lib": OTHER_HOST}
    (disagreement,) = make_matrix(run((question("http://h:80/p", RIGHT), replies))).disagreements
    assert disagreement.component == "host"
    assert disagreement.entry is None
    assert judged_names == []


def test_only_the_causes_that_are_read_are_looked_for(question, run, judged_names):
    """The page of a library shows its own."""
    results = run((question("http://h:80/p", RIGHT), {"a": NO_PORT, "b": RIGHT, "lib": OTHER_HOST}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert len(disagreement.sides) == 4  # three libraries and the RFC
    assert judged_names == []
    assert disagreement.cause is Cause.DEFECT
    assert judged_names == ["lib"]


#: A text, the right answer, an answer that is wrong in one component only, and the component.
WRONG_IN_ONE = [
    pytest.param(
        "HTTP:/?#",
        parts("HTTP", None, "/", query="", fragment=""),
        parts("http", None, "/", query=""),
        "fragment",
        id="case-of-the-scheme-is-not-wrong",
    ),
    pytest.param(
        "HTTP://H:/p",
        parts("HTTP", "H", "/p", port=""),
        parts("http", "h", "/p"),
        "port",
        id="case-of-the-host-is-not-wrong",
    ),
]


@pytest.mark.parametrize(("text", "right", "answer", "component"), WRONG_IN_ONE)
def test_a_wrong_answer_differs_in_what_is_wrong(question, run, text, right, answer, component):
    """G-11: the case of scheme and host is spelling, and is not judged."""
    results = run((question(text, right), {"right": right, "lib": answer}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == component


def test_what_others_get_wrong_does_not_matter(question, run):
    """The library loses an empty query, and another one has another path."""
    right = parts("foo", "h", "", query="")
    replies = {"lib": parts("foo", "h", ""), "other": parts("foo", "h", "/", query="")}
    results = run((question("foo://h?", right), replies))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == "query"


def test_the_cause_of_a_wrong_answer_is_looked_for_once(question, run):
    """The difference from the RFC and the disagreement of the libraries share the side of the library."""
    replies = {"lib": parts("foo", "h", "/wrong"), "other": parts("foo", "h", "/")}
    matrix = make_matrix(run((question("foo://h/", parts("foo", "h", "/")), replies)))
    (wrong,) = matrix.differences_from_rfc("lib")
    (disagreement,) = matrix.disagreements
    assert wrong.side_of["lib"] is disagreement.side_of["lib"]


def test_an_answer_that_is_wrong_in_its_authority_alone_differs_in_the_authority(question, run):
    """The library drops a port from the authority that it shows, and shows no port."""
    right = parts("ssh", "h", port="22", authority="h:22")
    lib = shows(scheme="ssh", host="h", path="", authority="h")
    results = run((question("ssh://h:22", right), {"lib": lib}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == "authority"


@pytest.mark.parametrize(
    ("blurring", "cause"), [(("lib",), Cause.SPELLING), ((), Cause.DEFECT)], ids=["cannot-tell", "can-tell"]
)
def test_a_lost_empty_component_is_forgiven_a_lone_library_that_cannot_tell(question, run, blurring, cause):
    """No other library answers, so that the answer of the RFC is the only other side.

    RFC 1808, which takes an empty query for an absent one, has no IPv6 addresses.
    """
    right = parts("http", "[::1]", "/%7E", query="")
    answer = parts("http", "[::1]", "/~")
    results = run((question("http://[::1]/%7E?", right), {"lib": answer}), blurring=blurring)
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert disagreement.cause is cause


def test_an_absent_host_beside_an_empty_one_is_no_spelling(question, run):
    """RFC 3986, section 6.2.3: the delimiter stays. Only one library can tell empty from absent."""
    right = parts("file", "", "/x")
    replies = {"right": right, "lib": parts("file", None, "/x")}
    results = run((question("file:///x", right), replies), blurring=("lib",))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.cause is Cause.ALLOWED


def test_a_crash_is_wrong_where_a_refusal_is_right(question, run):
    """Neither accepts the text."""
    matrix = make_matrix(run((question("http://h/|", REJECT), {"a": REJECT, "lib": CRASH})))
    assert [disagreement.component for disagreement in matrix.differences_from_rfc("lib")] == [VERDICT]
    assert matrix.differences_from_rfc("a") == []


#: The answers of Node.js, which contains Ada, and of another parser of browsers to http://h:80/p.
ANSWERS_OF_BROWSERS = [
    (NO_PORT, NO_PORT),
    (OTHER_HOST, RIGHT),  # what Node.js answers does not count
    (RIGHT, OTHER_HOST),  # split: the other parser sees another host than Ada
    (RIGHT, CRASH),  # the other parser has no answer
    (RIGHT, REJECT),  # split: the other parser refuses what Ada accepts
]


@pytest.fixture
def matrix_of_browsers(question, run):
    """The comparison of these answers, and of those of a library that is always right."""
    rows = []
    for number, (of_node, of_whatwg_url) in enumerate(ANSWERS_OF_BROWSERS):
        replies = {"a": RIGHT, "node-url": of_node, "whatwg-url": of_whatwg_url}
        rows.append((question("http://h:80/p", RIGHT, number=number), replies))
    return make_matrix(run(*rows))


def test_the_browsers_among_the_libraries_are_known(matrix_of_browsers):
    assert matrix_of_browsers.browsers == ("node-url", "whatwg-url")


def test_browsers_are_split_if_they_differ_by_more_than_spelling(matrix_of_browsers):
    """Each parser is compared with Ada."""
    assert matrix_of_browsers.split_browsers == 2


def test_libraries_that_differ_in_spelling_are_alike(question, run):
    """Equal but for spelling is equal."""
    replies = {"a": RIGHT, "b": OTHER_HOST, "c": NO_PORT}
    rows = [(question("http://h:80/p", RIGHT, number=number), replies) for number in range(2)]
    (nearest, _) = make_matrix(run(*rows)).likeness().joins
    assert nearest.share == 1
    assert {nearest.left, nearest.right} == {0, 2}


# ---- traits


def test_each_trait_has_one_probe():
    names = [name for name, *_ in PROBES]
    assert len(set(names)) == len(names)


def test_the_texts_of_the_probes_are_asked_in_their_order():
    assert list(probe_texts()) == [text for _, text, *_ in PROBES]


def test_each_probe_looks_at_a_component_that_is_compared():
    assert [name for name, _, component, _ in PROBES if component not in BY_HARM] == []


def answers_to_probes(number, reply):
    """Return the answers of a library that gives this reply to one probe, and refuses the others."""
    replies = [REJECT] * len(PROBES)
    replies[number] = reply
    return [recorded_answer(reply, tells_empty=True) for reply in replies]


@pytest.mark.parametrize("number", range(len(PROBES)), ids=[words for words, *_ in PROBES])
def test_a_trait_has_the_libraries_that_show_it_and_those_that_show_another_text(number):
    """A library that hides the component or refuses the text is in neither list."""
    words_of_trait, _text, component, texts_of_trait = PROBES[number]
    text_of_trait, *_ = texts_of_trait
    library_answers = {
        "shows-it": answers_to_probes(number, shows(**{component: text_of_trait})),
        "shows-another": answers_to_probes(number, shows(**{component: "another"})),
        "hides": answers_to_probes(number, shows(fragment="x")),
        "refuses": answers_to_probes(number, REJECT),
    }
    expected = [Trait(words, (), ()) for words, *_ in PROBES]
    expected[number] = Trait(words_of_trait, ("shows-it",), ("shows-another",))
    assert list(traits(library_answers)) == expected


# ---- what stands out


@pytest.fixture
def disagreements_of(question, run):
    """Return a function that returns disagreements from rows of a text, the right answer and another one."""

    def make(*rows):
        pairs = [
            (question(text, right, number=number), {"right": right, "lib": answer})
            for number, (text, right, answer) in enumerate(rows)
        ]
        return make_matrix(run(*pairs)).disagreements

    return make


SPELLED = ("http://h:80/p", RIGHT, NO_PORT)
BLANK = ("http://h/a b", REJECT, ACCEPT)
BACKSLASH = ("http://h\\p", REJECT, ACCEPT)
HOST = ("http://0x7f.1/p", parts("http", "0x7f.1", "/p"), parts("http", "127.0.0.1", "/p"))


def test_harmful_classes_come_first_then_large_ones(disagreements_of):
    """Those that differ only in spelling are last."""
    classes = by_class(disagreements_of(SPELLED, BACKSLASH, BLANK, BLANK, HOST, SPELLED, SPELLED))
    rows = [
        (class_count.component, len(class_count.disagreements), class_count.entry) for class_count in classes
    ]
    assert rows == [
        ("host", 1, "ipv4-forms"),
        (VERDICT, 2, "white-space"),
        (VERDICT, 1, "backslash"),
        ("port", 3, "default-port"),
    ]


def test_disagreements_without_a_class_are_grouped_by_component(disagreements_of):
    other_host = ("http://h/p", parts("http", "h", "/p"), parts("http", "g", "/p"))
    other_path = ("http://h/p", parts("http", "h", "/p"), parts("http", "h", "/q"))
    classes = by_class(disagreements_of(other_path, other_host, other_path))
    assert [(class_count.entry, class_count.component) for class_count in classes] == [
        (None, "host"),
        (None, "path"),
    ]


def test_the_shortest_text_stands_for_a_class(disagreements_of):
    longer = ("http://h/a b c", REJECT, ACCEPT)
    (class_count,) = by_class(disagreements_of(longer, BLANK))
    assert class_count.witness.text == "http://h/a b"


def test_alarms_and_shorter_spellings_are_classes_of_their_own(disagreements_of):
    refused = ("http://h:80/pp", parts("http", "h", "/pp", port="80"), REJECT)
    spelling, alarm = disagreements_of(SPELLED, refused)
    first, second = by_class([spelling, alarm])
    assert first.witness is alarm
    assert second.witness is spelling


def test_disagreements_are_counted_by_cause(disagreements_of):
    assert count_causes(disagreements_of(SPELLED, HOST, SPELLED)) == {Cause.SPELLING: 2, Cause.BROWSER: 1}


@pytest.mark.parametrize(
    ("components", "texts"),
    [
        pytest.param({"host"}, ["http://0x7f.1/p"], id="one"),
        pytest.param({VERDICT, "host"}, ["http://0x7f.1/p", "http://h/a b"], id="two"),
        pytest.param({"port"}, [], id="only-spelled-differently"),
        pytest.param({"query"}, [], id="not-different"),
    ],
)
def test_differences_are_selected_by_component(disagreements_of, components, texts):
    selected = disagreements_in(disagreements_of(SPELLED, HOST, BLANK), components)
    assert [disagreement.text for disagreement in selected] == texts


def test_named_differences_count_in_no_score(question, run):
    """They are questions beside the corpus, so scores are those of `run`."""
    of_corpus = question("http://h|/", REJECT)
    named_difference = structs.replace(question("http://h^/", REJECT, number=1), file="differences/x.json")
    results = run((of_corpus, {"a": ACCEPT}), (named_difference, {"a": ACCEPT}))
    assert len(results.vectors) == 2
    assert sum(results.asked.values()) == 1
    assert scores_by_spec(results)["rfc3986"]["a"].statements == 1


def test_an_answer_is_wrong_where_it_is_least_harmful_beside_equally_close_admissible_ones(question, run):
    """RFC 3986, section 5.2.2: a parser that is not strict ignores the scheme of the base (R-3986-06)."""
    case = question("http:#s", url("http:#s"), url("http://a/b/c/d;p?q#s"), base=BASE)
    results = run((case, {"lib": url("http://a/b/c/#s")}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == "path"


def test_an_accepted_target_is_compared_with_an_admissible_target_before_a_refusal(question, run):
    """RFC 3986, section 5.1: a base has no fragment (R-3986-12)."""
    case = question("", url("http://a/b"), REJECT, base="http://a/b#f")
    results = run((case, {"lib": url("http://a/b#f")}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == "fragment"


def test_an_accepted_target_with_several_wrong_components_is_no_wrong_verdict(question, run):
    """RFC 3986, section 5.1: the vector admits a refusal besides a target (R-3986-12)."""
    case = question("#s", url("urn:a:b#s"), REJECT, base="urn:a:b#/c?d")
    results = run((case, {"lib": url("urn:///a:b#s")}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.component == "path"
