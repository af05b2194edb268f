"""Adapters say what their library says: 60 answers each, compared with a program written without the adapter.

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
    return bool(REQUIRED) if name in BUNDLED else is_required(catalogue()[name])


def replies_of(adapter, questions_asked):
    """Return the replies in order. As in a run, a question that the hello does not offer is unsupported."""
    offered = [offers(adapter.hello, question.op, question.mode) for question in questions_asked]
    put = [question for question, accepted in zip(questions_asked, offered, strict=True) if accepted]
    answered = iter(adapter.ask(put))
    return [next(answered)[1] if accepted else NOT_OFFERED for accepted in offered]


@pytest.mark.parametrize("name", libraries())
def test_adapter_says_what_the_direct_program_prints(name, builds):
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
    differing = {
        Listed(name, difference.question, difference.subject): difference
        for question, answer, reply in zip(asked_questions, printed, replies, strict=True)
        for difference in differences(library, question, answer, reply, tells_empty=tells_empty)
    }
    unlisted = [difference for listed, difference in differing.items() if listed not in EXCEPTIONS]
    assert unlisted == [], "\n".join(map(str, unlisted))
    assert [listed for listed in EXCEPTIONS if listed.library == name and listed not in differing] == []


# ---- the tables


def test_there_are_sixty_questions():
    assert len({question.name for question in questions()}) == 60


def test_every_library_of_a_language_with_a_direct_program_has_a_row():
    languages = {path.parent.name for path in HERE.glob("*/direct*.toml")}
    rows = {row.name for row in catalogue().values() if row.language.folder.name in languages}
    assert libraries().keys() == rows | BUNDLED.keys()


@pytest.mark.parametrize("name", libraries())
def test_a_row_names_the_page_of_its_accessors(name):
    assert libraries()[name].documentation.startswith("https://")


@pytest.mark.parametrize("name", sorted(libraries().keys() - BUNDLED.keys()))
def test_the_modes_of_a_row_are_those_of_the_catalogue(name):
    assert set(libraries()[name].modes) == set(catalogue()[name].modes)


@pytest.mark.parametrize("listed", EXCEPTIONS, ids="/".join)
def test_an_exception_is_about_a_known_question_and_has_a_reason(listed):
    assert listed.question in {question.name for question in questions(libraries()[listed.library])}
    assert EXCEPTIONS[listed]


# ---- the frame


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

RULES = [
    ("name", "h"),
    ("none", None),
    ("number", "80"),
    ({"accessor": "empty", "absent": [""]}, None),
    ({"accessor": "empty", "absent": [""], "forced": "yes"}, ""),
    ({"accessor": "empty", "absent": [""], "forced": "no"}, None),
    ({"accessor": "empty", "absent": [""], "otherwise": "name"}, "h"),
    ({"accessor": "name", "within": "none"}, None),
    ({"accessor": "name", "within": "no"}, None),
    ({"accessor": "name", "within": "empty"}, "h"),
    ({"accessor": "delimited", "prefix": "?"}, "q"),
    ({"accessor": "delimited", "suffix": "q"}, "?"),
    ({"accessor": "target", "before": "?"}, "/p"),
    ({"accessor": "address", "brackets": True}, "[::1]"),
    ({"accessor": "future", "brackets": True}, "[v1.a]"),
    ({"accessor": "name", "brackets": True}, "h"),
    ({"accessor": "future", "brackets": "authority"}, "[v1.a]"),
    ({"accessor": "address", "brackets": "authority"}, "::1"),
    ({"accessor": "name", "brackets": "authority"}, "h"),
    ({"accessor": "address", "brackets": "none"}, "[::1]"),
    ({"join": ["name", "number"], "by": ":"}, "h:80"),
    ({"join": ["name", "none"], "by": ":"}, "h"),
    ({"join": ["none", "name"], "by": ":"}, ":h"),
    ({"join": ["none", "none"], "by": ":"}, None),
    ({"accessor": "segments", "separator": "/", "rooted": "yes"}, "/a/b"),
    ({"accessor": "segments", "separator": "/", "rooted": "no"}, "a/b"),
    ({"accessor": "nothing", "separator": "/", "rooted": "yes"}, ""),
    ({"accessor": "pairs", "separator": "&"}, "a=1&b"),
]


@pytest.mark.parametrize(("rule", "text"), RULES, ids=[str(rule) for rule, _ in RULES])
def test_a_rule_reads_a_component(rule, text):
    assert component(rule, ACCESSORS) == text


def library_with(**fields):
    return DirectLibrary("made up", DirectProgram("python", HERE, ()), "made up", (), **fields)


@pytest.mark.parametrize(
    "rule",
    [
        pytest.param("gone", id="the accessor is not there"),
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
    (PARSE, {"accessors": {"host": "h"}}, {**OK, "components": {"host": "h"}}, []),
    (PARSE, {"accessors": {"host": "H"}}, {**OK, "components": {"host": "h"}}, ["host"]),
    (PARSE, {"accessors": {"host": ""}}, {**OK, "components": {"host": None}}, ["host"]),
    (PARSE, {"accessors": {"host": "h"}}, {**OK, "components": {}}, ["host"]),
    (PARSE, {"accessors": {"host": "h\udcff"}}, {**OK, "components": {"host": {"hex": "68ff"}}}, []),
    (PARSE, {"accessors": {"host": "h\udcff"}}, {**OK, "components": {"host": {"hex": "68fe"}}}, ["host"]),
    (PARSE, {"accessors": {"host": "h"}}, {**OK, "components": {"host": "h", "port": None}}, ["port"]),
    (PARSE, {"accessors": {"host": "h"}}, REJECT, ["outcome"]),
    (PARSE, {"accessors": {"host": "h"}}, CRASH, ["outcome"]),
    (PARSE, {"refused": "bad port"}, {**OK, "components": {"host": "h"}}, ["outcome"]),
    (PARSE, {"refused": "bad port"}, {**REJECT, "message": "bad port"}, []),
    (PARSE, {"refused": "bad port at 3"}, {**REJECT, "message": "bad port"}, []),
    (PARSE, {"refused": "bad port"}, REJECT, []),
    (PARSE, {"refused": "bad port"}, {**REJECT, "message": "bad host"}, ["message"]),
    (PARSE, {"refused": "bad port"}, UNSUPPORTED, ["outcome"]),
    (PARSE, {"failed": "IndexError"}, {**REJECT, "message": "IndexError"}, ["outcome"]),
    (PARSE, {"failed": "IndexError"}, {"id": 1, "status": "error", "message": "IndexError: 3"}, []),
    (PARSE, {"failed": "IndexError"}, CRASH, []),
    (PARSE, {"crashed": ""}, CRASH, []),
    (PARSE, {"offered": False}, UNSUPPORTED, []),
    (PARSE, {"offered": False}, {**OK, "components": {}}, ["outcome"]),
    (RESOLVE, {"url": "http://h/g"}, {**OK, "url": "http://h/g"}, []),
    (RESOLVE, {"url": "http://h/g"}, {**OK, "url": "http://h//g"}, ["url"]),
    (RESOLVE, {"url": "\udcff"}, {**OK, "url": {"hex": "ff"}}, []),
    (NORMALIZE, {"url": "http://h/"}, UNSUPPORTED, []),
    (NORMALIZE, {"url": "http://h/"}, {**OK, "url": "http://h/"}, ["outcome"]),
]


def pair_id(question, printed, reply, subjects):
    return f"{question.fields['op']} {printed} {reply}"


@pytest.mark.parametrize(
    ("question", "printed", "reply", "subjects"), PAIRS, ids=[pair_id(*pair) for pair in PAIRS]
)
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


CRASHING = """
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if question["url"] == "b":
        sys.exit("it ended")
    print(json.dumps({"url": question["url"]}))
"""


def ask_program(source, texts, folder):
    (folder / "direct.py").write_text(source)
    program = DirectProgram("python", folder, (sys.executable, "{source}/direct.py"))
    library = DirectLibrary("made up", program, "made up", program.run)
    return ask(library, [{"url": text} for text in texts], folder)


def test_a_program_that_ends_is_started_again(tmp_path):
    answers = ask_program(CRASHING, "abc", tmp_path)
    assert answers == [{"url": "a"}, {"crashed": "it ended\n"}, {"url": "c"}]


def test_an_answer_may_contain_line_separators(tmp_path):
    source = "import json; print(json.dumps({'url': json.loads(input())['url']}, ensure_ascii=False))"
    assert ask_program(source, ["\u2028"], tmp_path) == [{"url": "\u2028"}]


def test_an_answer_may_contain_bytes_that_are_not_utf8(tmp_path):
    source = r"""import sys; input(); sys.stdout.buffer.write(b'{"url": "\xff"}')"""
    assert ask_program(source, ["a"], tmp_path) == [{"url": "\udcff"}]


def test_a_program_is_built_once(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "direct.c").write_text("int main(void) { return 0; }")
    program = DirectProgram("made up", source, (), build=(("cp", "direct.c", "{out}/direct"),))
    first = build(program, tmp_path)
    (first / "direct").unlink()
    assert build(program, tmp_path) == first
    assert not (first / "direct").exists()


def test_a_program_that_changed_is_built_again(tmp_path):
    source = tmp_path / "source"
    source.mkdir()
    (source / "direct.c").write_text("int main(void) { return 0; }")
    program = DirectProgram("made up", source, (), build=(("cp", "direct.c", "{out}/direct"),))
    first = build(program, tmp_path)
    (source / "direct.c").write_text("int main(void) { return 1; }")
    assert build(program, tmp_path) != first


def test_a_build_that_fails_shows_its_command(tmp_path):
    program = DirectProgram("made up", HERE / "python", (), build=(("cp", "gone", "{out}"),))
    with pytest.raises(AssertionError, match="cp gone"):
        build(program, tmp_path)
