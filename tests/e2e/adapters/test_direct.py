"""Adapters answer as their library does: answers are compared with a program written without the adapter.

direct/README.md describes the programs. A library that is not installed is skipped, unless
URLCONFORM_LIBRARIES names its set (`default` or `full`).
"""

from __future__ import annotations

import sys

import msgspec
import pytest

from urlharness.adapters.catalogue import catalogue
from urlharness.corpus.model import offers
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Reply

from .direct.comparison import (
    Difference,
    DirectQuestion,
    Listed,
    component,
    components,
    differences,
    exceptions,
    questions,
)
from .direct.frame import BUNDLED, HERE, DirectLibrary, DirectProgram, ask, build, libraries, missing
from .test_libraries import REQUIRED, client, is_required

EXCEPTIONS = dict(exceptions())
NOT_OFFERED = Reply(id=0, status="unsupported")


@pytest.fixture(scope="session")
def builds(request):
    """The folder of the builds, which all test processes share and the next session finds again."""
    return request.config.cache.mkdir("direct-programs")


def required(name):
    """Return True if a library must be installed here."""
    return bool(REQUIRED) if name in BUNDLED else is_required(catalogue()[name])


def replies_of(adapter, questions_asked):
    """Return the replies in order. As in a run, a question that the hello does not offer is unsupported."""
    offered = [offers(adapter.hello, question.op, question.mode) for question in questions_asked]
    put = [question for question, accepted in zip(questions_asked, offered, strict=True) if accepted]
    answered = iter(adapter.ask(put))
    return [next(answered)[1] if accepted else NOT_OFFERED for accepted in offered]


#: Languages whose compilers take half a minute and more, if only to be fetched, for the direct programs of
#: their libraries. Those of
#: the default set are tested with every change all the same.
SLOWLY_COMPILED = ("cpp", "go", "kotlin", "rust", "scala")


def is_slow(name):
    """Return whether a library outside the default set has a direct program that takes long to compile."""
    row = catalogue().get(name)
    is_default = row is None or row.default
    return libraries()[name].program.folder.name in SLOWLY_COMPILED and not is_default


@pytest.fixture(
    params=[pytest.param(name, marks=[pytest.mark.long] if is_slow(name) else []) for name in libraries()]
)
def listed_differences(request, builds):
    """The differences between a library and its adapter, by what exceptions.toml would list.

    The test is skipped if the library is not installed and need not be.
    """
    name = request.param
    library = libraries()[name]
    reason = missing(library)
    if reason:
        assert not required(name), reason
        pytest.skip(reason)
    asked_questions = questions(library)
    printed = ask(library, [question.fields for question in asked_questions], builds)
    adapter = client(name)
    replies = replies_of(adapter, [question.for_adapter for question in asked_questions])
    tells_empty = "absent-vs-empty" in adapter.hello.features
    by_listing = {}
    for question, answer, reply in zip(asked_questions, printed, replies, strict=True):
        for difference in differences(library, question, answer, reply, tells_empty=tells_empty):
            by_listing[Listed(name, difference.question, difference.subject)] = difference
    return name, by_listing


def test_an_adapter_differs_from_the_direct_program_exactly_where_exceptions_are_listed(listed_differences):
    name, by_listing = listed_differences
    unlisted = [difference for listed, difference in by_listing.items() if listed not in EXCEPTIONS]
    assert unlisted == [], "\n".join(map(str, unlisted))
    assert [listed for listed in EXCEPTIONS if listed.library == name and listed not in by_listing] == []


# ---- the tables


def test_each_question_has_a_name_of_its_own():
    names = [question.name for question in questions()]
    assert names != []
    assert len(set(names)) == len(names)


def test_a_library_that_reads_no_iris_is_asked_no_question_about_them():
    names_of_questions = [question.name for question in questions(library_with(iris=True))]
    names_without_iris = [name for name in names_of_questions if "iri-" not in name]
    assert [question.name for question in questions(library_with(iris=False))] == names_without_iris


def test_the_page_on_direct_programs_counts_the_questions():
    page = " ".join((HERE / "README.md").read_text("utf-8").split())
    number = len(questions(library_with(iris=False)))
    number_about_iris = len(questions(library_with(iris=True))) - number
    assert f"puts {number} questions to each library" in page
    assert f"gets {number_about_iris} questions more" in page


def test_a_question_about_iris_names_the_rfc_for_the_adapter():
    about_iris = [question for question in questions(library_with(iris=True)) if "iri-" in question.name]
    assert {question.for_adapter.spec for question in about_iris} == {"rfc3987"}


def test_every_library_of_a_language_with_a_direct_program_has_a_row():
    languages = {path.parent.name for path in HERE.glob("*/direct*.toml")}
    rows = {row.name for row in catalogue().values() if row.language.folder.name in languages}
    assert libraries().keys() == rows | BUNDLED.keys()


#: The folders of languages whose names are not those of their folders.
FOLDERS = {"c++": "cpp"}

LANGUAGES_OF_LIBRARIES = sorted({row.spoken for row in catalogue().values()})


def test_libraries_are_written_in_several_languages():
    assert len(LANGUAGES_OF_LIBRARIES) > 1


@pytest.mark.parametrize("language", LANGUAGES_OF_LIBRARIES)
def test_each_language_of_a_library_has_a_direct_program_of_its_own(language):
    folder = FOLDERS.get(language, language)
    programs = {library.program.folder.name for library in libraries().values()}
    assert folder in programs


@pytest.mark.parametrize("name", libraries())
def test_a_row_names_the_page_of_its_accessors(name):
    assert libraries()[name].documentation.startswith("https://")


@pytest.mark.parametrize("name", sorted(libraries().keys() - BUNDLED.keys()))
def test_the_modes_of_a_row_are_those_of_the_catalogue(name):
    assert set(libraries()[name].modes) == set(catalogue()[name].modes)


@pytest.mark.parametrize("name", sorted(libraries().keys() - BUNDLED.keys()))
def test_a_row_reads_iris_if_the_catalogue_cites_a_source_of_that(name):
    assert libraries()[name].iris == (catalogue()[name].iris != "")


@pytest.mark.parametrize("listed", EXCEPTIONS, ids="/".join)
def test_an_exception_is_about_a_known_question(listed):
    assert listed.question in {question.name for question in questions(libraries()[listed.library])}


def test_every_exception_has_a_reason():
    assert [listed for listed, reason in EXCEPTIONS.items() if not reason] == []


# ---- the frame


#: What a made-up library shows.
ACCESSORS = {
    "name": "h",
    "empty": "",
    "none": None,
    "number": 80,
    "same": 80,
    "yes": True,
    "no": False,
    "delimited": "?q",
    "address": "::1",
    "future": "v1.a",
    "authority": "[h]@[v1.a]:8",
    "target": "/p?q",
    "segments": ["a", "b"],
    "nothing": [],
    "pairs": [["a", "1"], ["b", None]],
}

#: A rule of a table, and the component that it reads from these accessors.
RULES = [
    pytest.param("name", "h", id="text"),
    pytest.param("none", None, id="null"),
    pytest.param("number", "80", id="number"),
    pytest.param({"accessor": "empty", "absent": [""]}, None, id="absent"),
    pytest.param({"accessor": "empty", "absent": [""], "forced": "yes"}, "", id="forced"),
    pytest.param({"accessor": "empty", "absent": [""], "forced": "no"}, None, id="not-forced"),
    pytest.param({"accessor": "empty", "absent": [""], "otherwise": "name"}, "h", id="otherwise"),
    pytest.param({"accessor": "name", "within": "none"}, None, id="within-null"),
    pytest.param({"accessor": "name", "within": "no"}, None, id="within-false"),
    pytest.param({"accessor": "name", "within": "empty"}, "h", id="within-empty"),
    pytest.param({"accessor": "delimited", "prefix": "?"}, "q", id="prefix"),
    pytest.param({"accessor": "delimited", "suffix": "q"}, "?", id="suffix"),
    pytest.param({"accessor": "target", "before": "?"}, "/p", id="before"),
    pytest.param({"accessor": "address", "brackets": True}, "[::1]", id="brackets-of-ipv6"),
    pytest.param({"accessor": "future", "brackets": True}, "[v1.a]", id="brackets-of-a-later-version"),
    pytest.param({"accessor": "name", "brackets": True}, "h", id="no-brackets-of-a-name"),
    pytest.param({"accessor": "future", "brackets": "authority"}, "[v1.a]", id="brackets-in-the-authority"),
    pytest.param({"accessor": "address", "brackets": "authority"}, "::1", id="no-brackets-in-the-authority"),
    pytest.param(
        {"accessor": "name", "brackets": "authority"}, "h", id="name-without-brackets-in-the-authority"
    ),
    pytest.param(
        {"accessor": "address", "brackets": "none"}, "[::1]", id="brackets-if-the-authority-is-null"
    ),
    pytest.param({"join": ["name", "number"], "by": ":"}, "h:80", id="join"),
    pytest.param({"join": ["name", "none"], "by": ":"}, "h", id="join-without-second"),
    pytest.param({"join": ["none", "name"], "by": ":"}, ":h", id="join-without-first"),
    pytest.param({"join": ["none", "none"], "by": ":"}, None, id="join-of-nothing"),
    pytest.param({"accessor": "segments", "separator": "/", "rooted": "yes"}, "/a/b", id="rooted-segments"),
    pytest.param({"accessor": "segments", "separator": "/", "rooted": "no"}, "a/b", id="rootless-segments"),
    pytest.param({"accessor": "nothing", "separator": "/", "rooted": "yes"}, "", id="no-segments"),
    pytest.param({"accessor": "pairs", "separator": "&"}, "a=1&b", id="pairs"),
]


@pytest.mark.parametrize(("rule", "text"), RULES)
def test_a_rule_reads_a_component(rule, text):
    assert component(rule, ACCESSORS) == text


def library_with(**fields):
    """Return a made-up library whose row has these fields."""
    return DirectLibrary("made up", DirectProgram("python", HERE, ()), "made up", (), **fields)


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param("gone", id="no-accessor"),
        pytest.param({"accessor": "name", "needs": "none"}, id="needs"),
        pytest.param({"accessor": "number", "unless": "same"}, id="unless"),
    ],
)
def test_a_component_that_is_not_shown_is_left_out(rule):
    assert components(library_with(components={"host": rule}), ACCESSORS) == {}


def test_an_absent_component_is_shown_as_absent():
    assert components(library_with(components={"host": "none"}), ACCESSORS) == {"host": None}


def test_a_path_is_never_absent():
    assert components(library_with(components={"path": "none"}), ACCESSORS) == {"path": ""}


PARSE = DirectQuestion("parse-x", {"op": "parse", "url": "http://h/"})
RELATIVE = DirectQuestion("parse-y", {"op": "parse", "url": "//h/"})
RESOLVE = DirectQuestion("resolve-x", {"op": "resolve", "base": "http://h/", "reference": "g"})
NORMALIZE = DirectQuestion("normalize-x", {"op": "normalize", "url": "http://h/", "mode": "scheme"})
OK = {"id": 1, "status": "ok"}
REJECT = {"id": 1, "status": "reject"}
UNSUPPORTED = {"id": 1, "status": "unsupported"}
CRASH = Abnormal("crash", "")

#: What a direct program prints, and replies with and without a difference.
PAIRS = [
    pytest.param(
        PARSE, {"accessors": {"host": "h"}}, {**OK, "components": {"host": "h"}}, [], id="parse-equal-host"
    ),
    pytest.param(
        PARSE,
        {"accessors": {"host": "H"}},
        {**OK, "components": {"host": "h"}},
        ["host"],
        id="parse-other-host",
    ),
    pytest.param(
        PARSE,
        {"accessors": {"host": ""}},
        {**OK, "components": {"host": None}},
        ["host"],
        id="parse-empty-for-absent",
    ),
    pytest.param(
        PARSE, {"accessors": {"host": "h"}}, {**OK, "components": {}}, ["host"], id="parse-host-left-out"
    ),
    pytest.param(
        PARSE,
        {"accessors": {"host": "h\udcff"}},
        {**OK, "components": {"host": {"hex": "68ff"}}},
        [],
        id="parse-octets",
    ),
    pytest.param(
        PARSE,
        {"accessors": {"host": "h\udcff"}},
        {**OK, "components": {"host": {"hex": "68fe"}}},
        ["host"],
        id="parse-other-octets",
    ),
    pytest.param(
        PARSE,
        {"accessors": {"host": "h"}},
        {**OK, "components": {"host": "h", "port": None}},
        ["port"],
        id="parse-port-added",
    ),
    pytest.param(PARSE, {"accessors": {"host": "h"}}, REJECT, ["outcome"], id="parse-rejected"),
    pytest.param(PARSE, {"accessors": {"host": "h"}}, CRASH, ["outcome"], id="parse-crashed"),
    pytest.param(
        PARSE, {"refused": "bad port"}, {**OK, "components": {"host": "h"}}, ["outcome"], id="parse-accepted"
    ),
    pytest.param(
        PARSE, {"refused": "bad port"}, {**REJECT, "message": "bad port"}, [], id="parse-same-message"
    ),
    pytest.param(
        PARSE,
        {"refused": "bad port at 3"},
        {**REJECT, "message": "bad port"},
        [],
        id="parse-beginning-of-the-message",
    ),
    pytest.param(PARSE, {"refused": "bad port"}, REJECT, [], id="parse-no-message"),
    pytest.param(
        PARSE,
        {"refused": "bad port"},
        {**REJECT, "message": "bad host"},
        ["message"],
        id="parse-other-message",
    ),
    pytest.param(PARSE, {"refused": "bad port"}, UNSUPPORTED, ["outcome"], id="parse-unsupported"),
    pytest.param(
        PARSE,
        {"failed": "IndexError"},
        {**REJECT, "message": "IndexError"},
        ["outcome"],
        id="parse-exception-as-rejection",
    ),
    pytest.param(
        PARSE,
        {"failed": "IndexError"},
        {"id": 1, "status": "error", "message": "IndexError: 3"},
        [],
        id="parse-exception-as-error",
    ),
    pytest.param(PARSE, {"failed": "IndexError"}, CRASH, [], id="parse-exception-as-crash"),
    pytest.param(PARSE, {"crashed": ""}, CRASH, [], id="parse-both-crashed"),
    pytest.param(PARSE, {"offered": False}, UNSUPPORTED, [], id="parse-not-offered"),
    pytest.param(PARSE, {"offered": False}, {**OK, "components": {}}, ["outcome"], id="parse-offered"),
    pytest.param(RESOLVE, {"url": "http://h/g"}, {**OK, "url": "http://h/g"}, [], id="resolve-equal-url"),
    pytest.param(
        RESOLVE, {"url": "http://h/g"}, {**OK, "url": "http://h//g"}, ["url"], id="resolve-other-url"
    ),
    pytest.param(RESOLVE, {"url": "\udcff"}, {**OK, "url": {"hex": "ff"}}, [], id="resolve-url-of-octets"),
    pytest.param(NORMALIZE, {"url": "http://h/"}, UNSUPPORTED, [], id="normalize-mode-not-offered"),
    pytest.param(
        NORMALIZE, {"url": "http://h/"}, {**OK, "url": "http://h/"}, ["outcome"], id="normalize-mode-offered"
    ),
]


@pytest.mark.parametrize(("question", "printed", "reply", "subjects"), PAIRS)
def test_each_difference_between_program_and_adapter_has_its_subject(question, printed, reply, subjects):
    """A library that normalizes by syntax need not offer normalization by scheme."""
    library = library_with(components={"host": "host"}, modes=("syntax",))
    replied = reply if isinstance(reply, Abnormal) else msgspec.convert(reply, Reply)
    listed = differences(library, question, printed, replied, tells_empty=True)
    assert [difference.subject for difference in listed] == subjects


def test_absent_and_empty_are_equal_if_the_adapter_does_not_tell_them_apart():
    reply = msgspec.convert({**OK, "components": {"host": None}}, Reply)
    library = library_with(components={"host": "host"})
    assert differences(library, PARSE, {"accessors": {"host": ""}}, reply, tells_empty=False) == []


def test_an_unchecked_component_is_not_compared():
    reply = msgspec.convert({**OK, "components": {"port": "1"}}, Reply)
    library = library_with(unchecked={"port": "a reason"})
    assert differences(library, PARSE, {"accessors": {}}, reply, tells_empty=True) == []


@pytest.mark.parametrize(("question", "count"), [(PARSE, 1), (RELATIVE, 0)], ids=["absolute", "relative"])
def test_a_library_without_references_may_refuse_one_or_not_offer_it(question, count):
    reply = msgspec.convert(UNSUPPORTED, Reply)
    library = library_with(references=False)
    assert len(differences(library, question, {"refused": ""}, reply, tells_empty=True)) == count


def test_a_difference_shows_both_answers():
    reply = msgspec.convert({**OK, "url": "http://h//g"}, Reply)
    listed = differences(library_with(), RESOLVE, {"url": "http://h/g"}, reply, tells_empty=True)
    expected = Difference("resolve-x", "url", "'http://h/g'", "'http://h//g'")
    assert listed == [expected]
    assert str(expected) == "resolve-x, url: the library 'http://h/g', the adapter 'http://h//g'"


#: A direct program that ends at one question.
CRASHING = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["url"] == "b":
        sys.exit("it ended")
    print(json.dumps({"url": question["url"]}))
"""


def ask_program(source, texts, folder):
    """Return the answers of a direct program with this source to texts."""
    (folder / "direct.py").write_text(source)
    program = DirectProgram("python", folder, (sys.executable, "{source}/direct.py"))
    library = DirectLibrary("made up", program, "made up", program.run)
    return ask(library, [{"url": text} for text in texts], folder)


def test_a_program_that_ends_is_started_again(tmp_path):
    answers = ask_program(CRASHING, ["a", "b", "c"], tmp_path)
    assert answers == [{"url": "a"}, {"crashed": "it ended\n"}, {"url": "c"}]


def test_an_answer_may_contain_line_separators(tmp_path):
    source = "import json; print(json.dumps({'url': json.loads(input())['url']}, ensure_ascii=False))"
    assert ask_program(source, ["\u2028"], tmp_path) == [{"url": "\u2028"}]


def test_an_answer_may_contain_bytes_that_are_not_utf8(tmp_path):
    source = r"""import sys; input(); sys.stdout.buffer.write(b'{"url": "\xff"}')"""
    assert ask_program(source, ["a"], tmp_path) == [{"url": "\udcff"}]


@pytest.fixture
def program_to_build(tmp_path):
    """A direct program whose build copies its only file."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "direct.c").write_text("int main(void) { return 0; }")
    return DirectProgram("made up", source, (), build=(("cp", "direct.c", "{out}/direct"),))


def test_a_program_is_built_once(program_to_build, tmp_path):
    first_build = build(program_to_build, tmp_path)
    (first_build / "direct").unlink()
    assert build(program_to_build, tmp_path) == first_build
    assert not (first_build / "direct").exists()


def test_a_program_that_changed_is_built_again(program_to_build, tmp_path):
    first_build = build(program_to_build, tmp_path)
    (program_to_build.folder / "direct.c").write_text("int main(void) { return 1; }")
    assert build(program_to_build, tmp_path) != first_build


def test_a_build_that_fails_shows_its_command(tmp_path):
    program = DirectProgram("made up", HERE / "python", (), build=(("cp", "gone", "{out}"),))
    with pytest.raises(AssertionError, match="cp gone"):
        build(program, tmp_path)


OMITS_BRACKETS = [name for name, row in catalogue().items() if row.omits_brackets]


@pytest.mark.parametrize("name", OMITS_BRACKETS)
def test_the_accessor_of_a_library_that_omits_brackets_has_none(name):
    assert libraries()[name].components["host"]["brackets"]
