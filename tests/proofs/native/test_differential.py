"""The C engine and Python give the same answers, and no call that Python can make harms the engine."""

from __future__ import annotations

import gc
import pickle
import subprocess
import sys
import weakref
from copy import copy
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.rfcs import SPECIFICATIONS

from ...oracle.test_readers import pure_reader  # noqa: TID252 - tests are not an installed package
from .conftest import FLAGS, ODD, SOURCE, answers, compiled, entered, pairs_for, resolutions, running
from .entering import loaded
from .odd_calls import CALLS, Text, outcomes, with_other_methods
from .test_tables import packed

by_spec = pytest.mark.parametrize("spec", SPECIFICATIONS)
by_resolver = pytest.mark.parametrize("spec", [name for name in SPECIFICATIONS if name != "rfc1738"])
_CHARACTERS = st.sampled_from("aA0/:?#[]@;=%.&~-+ \n\x00\x7f\u00e9\ud800\U0001f600") | st.characters()


@by_spec
def test_the_engine_and_python_give_the_same_answers_near_members(ask_both, questions, spec):
    """Members, near misses and odd texts have the same verdict, components, view and offset."""
    texts = questions(spec, 150)
    native, python = ask_both(answers, spec, texts)
    for text, native_answer, python_answer in zip(texts, native, python, strict=True):
        assert native_answer == python_answer, text


def test_odd_calls_have_the_same_outcomes_with_the_engine_and_in_python(engine, tables):
    """The arguments are given by name, are too many or missing, have other types, or raise errors.

    Results, errors and messages are compared.
    """
    with entered(None, tables) as operations:
        expected = outcomes(operations)
    with entered(engine, tables) as operations:
        native_outcomes = outcomes(operations)
    for call, native_outcome, python_outcome in zip(CALLS * 2, native_outcomes, expected, strict=True):
        assert native_outcome == python_outcome, call


#: If the outcomes were of fewer types of answers and errors, they would hardly tell an engine from Python.
LEAST_TYPES = 13


def test_odd_calls_have_outcomes_of_many_types(tables):
    with entered(None, tables) as operations:
        types = {kind for kind, *_ in outcomes(operations)}
    assert len(types) >= LEAST_TYPES


@by_spec
def test_the_engine_and_python_give_the_same_answers_in_the_corpus(ask_both, corpus, spec):
    corpus_texts = set()
    for case in corpus.cases:
        corpus_texts.update((case.vector.url, case.vector.base, case.vector.reference))
    texts = sorted(text for text in corpus_texts if isinstance(text, str))
    native, python = ask_both(answers, spec, texts)
    assert native == python


@by_resolver
def test_the_engine_and_python_resolve_a_reference_to_the_same_target(ask_both, spec):
    chosen_pairs = pairs_for(spec, 6000)
    native, python = ask_both(resolutions, spec, chosen_pairs)
    for pair, native_target, python_target in zip(chosen_pairs, native, python, strict=True):
        assert native_target == python_target, pair


@pytest.fixture(scope="module")
def readers(engine, tables):
    """For each specification the reader of the engine and the functions in Python."""
    with running(None, tables) as specs:
        pure = {name: pure_reader(spec) for name, spec in specs.items()}
        for name, reader in pure.items():  # compiled now, while there is no engine
            for text in ODD:
                reader.accepts(text)
            reader.read("x:")
            if name != "rfc1738":
                reader.resolve("http://h/", "g")
    with running(engine, tables) as specs:
        return {name: (spec.reader, pure[name]) for name, spec in specs.items()}


@settings(derandomize=True, deadline=None, max_examples=1500, database=None)
@given(st.sampled_from(list(SPECIFICATIONS)), st.text(_CHARACTERS, max_size=12), st.integers(0, 10**6))
def test_the_engine_and_python_give_the_same_answers_for_any_text(readers, questions, spec, intruder, seed):
    """The text is asked alone, put into a member of the language, and after a scheme."""
    engine, pure = readers[spec]
    members = questions(spec, 150)
    member = members[seed % len(members)]
    offset = seed % (len(member) + 1)
    for text in (intruder, member[:offset] + intruder + member[offset:], f"http://{intruder}"):
        assert engine.read(text) == pure.read(text), text
        assert engine.view(text) == pure.view(text), text
        assert engine.accepts(text) == pure.accepts(text), text
        assert engine.offset(text) == pure.offset(text), text


@settings(derandomize=True, deadline=None, max_examples=1500, database=None)
@given(st.sampled_from(list(SPECIFICATIONS)), st.text(_CHARACTERS, max_size=12))
def test_the_engine_accepts_exactly_the_texts_that_it_reads(readers, spec, text):
    engine, _ = readers[spec]
    is_read = engine.read(text) is not None
    assert engine.accepts(text) == is_read


def target_or_error(reader, base, reference):
    """Return the target of a reference, or the type and the message of the error."""
    try:
        return reader.resolve(base, reference)
    except ValueError as error:
        return type(error), str(error)


@by_resolver
@settings(derandomize=True, deadline=None, max_examples=750, database=None)
@given(
    start=st.sampled_from(["x://h/", "x:"]),
    path=st.text("ab./?#;:", max_size=14),
    reference=st.text("ab./?#;:", max_size=14),
)
def test_the_engine_and_python_resolve_any_reference_to_the_same_target_or_error(
    readers, spec, start, path, reference
):
    engine, pure = readers[spec]
    base = start + path
    assert target_or_error(engine, base, reference) == target_or_error(pure, base, reference)


class StandIn:
    """Stands for Python: each method returns its own name and what it was asked."""

    def accepts(self, *arguments):
        return "accepts", *arguments

    def offset(self, *arguments):
        return "offset", *arguments

    def read(self, *arguments):
        return "read", *arguments

    def view(self, *arguments):
        return "view", *arguments

    def resolve(self, *arguments):
        return "resolve", *arguments


#: Texts and other objects that the engine leaves to Python.
NOT_ANSWERED = {
    "subclass": Text("http://h/"),
    "lone-surrogate": "http://h/\ud800",
    "long-and-not-ascii": "http://h/" + "\u00e9" * 5000,
    "bytes": b"http://h/",
    "none": None,
}


@pytest.fixture
def asking_reader(engine, tables):
    """A reader of RFC 3986 that asks a stand-in for Python what it does not answer itself."""
    # the places of scheme, authority, path, params (RFC 3986 has none: 8), query and fragment
    places_of_components = bytes((0, 1, 5, 8, 6, 7))
    return engine.Reader(
        packed(tables, "rfc3986", "URI-reference"),
        StandIn(),
        tuple,
        resolution=tuple,
        steps="rfc3986",
        order=places_of_components,
    )


by_unanswered_text = pytest.mark.parametrize("text", NOT_ANSWERED.values(), ids=NOT_ANSWERED)


@by_unanswered_text
@pytest.mark.parametrize("question", ["accepts", "offset", "read", "view"])
def test_python_is_asked_about_a_text_that_the_engine_does_not_read(asking_reader, question, text):
    assert getattr(asking_reader, question)(text) == (question, text)


@by_unanswered_text
def test_python_resolves_a_reference_that_the_engine_does_not_read(asking_reader, text):
    assert asking_reader.resolve("http://h/", text) == ("resolve", "http://h/", text, None)


@by_unanswered_text
def test_python_resolves_against_a_base_that_the_engine_does_not_read(asking_reader, text):
    assert asking_reader.resolve(text, "g") == ("resolve", text, "g", None)


def test_python_resolves_where_the_steps_are_asked_for(asking_reader):
    """The third argument is called with each step."""
    assert asking_reader.resolve("http://h/", "g", print) == ("resolve", "http://h/", "g", print)


@pytest.mark.parametrize("arguments", [(), ("a",), ("a", "b", None, None)], ids=len)
def test_a_resolution_with_too_few_or_too_many_arguments_is_an_error(asking_reader, arguments):
    with pytest.raises(TypeError, match="2 or 3 arguments"):
        asking_reader.resolve(*arguments)


def test_no_copy_of_a_long_text_is_kept(engine, tables):
    """CPython keeps the UTF-8 form of a text that is not ASCII as soon as it is asked for it."""
    reader = engine.Reader(packed(tables, "rfc3986", "URI-reference"), StandIn(), tuple)
    text = "http://h/" + "\u00e9" * 100_000
    before = sys.getsizeof(text)
    reader.accepts(text)
    reader.read(text)
    assert sys.getsizeof(text) == before


def test_longer_texts_than_the_limit_are_left_to_python(tmp_path, tables):
    """The limit is 20 characters here, since one of 2^31 takes too much memory for a quick test."""
    source = SOURCE.read_text(encoding="utf-8")
    assert source.count("LONGEST = INT32_MAX") == 1
    module = loaded(compiled(tmp_path, source.replace("LONGEST = INT32_MAX", "LONGEST = 20")))
    reader = module.Reader(packed(tables, "rfc3986", "URI-reference"), StandIn(), tuple)
    longest_text = "http://h/" + "a" * 11
    longer_text = longest_text + "a"
    assert reader.accepts(longest_text) is True
    assert reader.accepts(longer_text) == ("accepts", longer_text)
    assert reader.read(longer_text) == ("read", longer_text)


@pytest.mark.long
def test_a_text_of_two_to_the_31_characters_is_left_to_python(engine, tables):
    reader = engine.Reader(packed(tables, "rfc3986", "URI-reference"), StandIn(), tuple)
    try:
        text = "a" * (1 << 31)
    except MemoryError:
        pytest.skip("not enough memory")
    assert reader.accepts(text)[0] == "accepts"
    assert reader.accepts(text[1:]) is True


@pytest.fixture
def native_view(engine, tables):
    """A view of a URL by the engine."""
    with running(engine, tables) as specs:
        yield specs["rfc3986"].view("http://u@h:1/p?q#f")


def test_a_view_of_the_engine_is_small(native_view):
    assert sys.getsizeof(native_view) == 88  # a head of 16 bytes, the text, and the places of 8 components


def test_a_view_of_the_engine_is_no_work_for_the_collector(native_view):
    assert not gc.is_tracked(native_view)


@pytest.mark.parametrize("make", [lambda kind: kind(), object.__new__], ids=["call", "new"])
def test_only_a_reader_makes_a_view_of_the_engine(native_view, make):
    with pytest.raises(TypeError):
        make(type(native_view))


@pytest.mark.parametrize(
    "duplicate", [copy, lambda view: pickle.loads(pickle.dumps(view))], ids=["copy", "pickle"]
)
def test_a_copy_of_a_view_of_the_engine_equals_it(native_view, duplicate):
    assert duplicate(native_view) == native_view


def test_equal_components_of_the_engine_are_one_text(engine, tables):
    with running(engine, tables) as specs:
        components = specs["rfc3986"].read("http://h/")
    assert components.authority is components.host


def test_components_of_the_engine_hash_like_a_tuple(engine, tables):
    with running(engine, tables) as specs:
        components = specs["rfc3986"].read("http://h/")
    assert hash(components) == hash(tuple(components))


def test_a_component_beyond_those_of_the_rfc_is_none(engine, tables):
    """RFC 1808 has seven, 0 to 6."""
    with running(engine, tables) as specs:
        assert specs["rfc1808"].view("x:").component_7 is None


def test_a_reader_of_the_engine_is_collected_with_what_it_belongs_to(engine, tables):
    pure = Owner()
    pure.reader = engine.Reader(packed(tables, "rfc1738", "mailtourl"), pure)
    owner = weakref.ref(pure)
    del pure
    gc.collect()
    assert owner() is None


def test_a_function_is_collected_with_what_it_was_made_of(engine):
    methods = {}

    def function(*text):
        return text, methods

    methods["f"] = engine.new_function(function, methods, 2, "f", "f()\n--\n\n", "m")
    assert methods["f"](1) == ((1,), methods)
    entered = weakref.ref(methods["f"])
    methods = function = None
    gc.collect()
    assert entered() is None


@pytest.fixture
def forgetful_function(engine, tables):
    """A function that calls a reader; the answer of Python drops every other reference to the reader."""
    methods = {}

    def read(text):
        methods.clear()
        gc.collect()
        return text

    pure = SimpleNamespace(read=read)
    methods["s"] = engine.Reader(packed(tables, "rfc3986", "URI-reference"), pure, tuple).read
    return engine.new_function(lambda *_: None, methods, 2, "f", "f(text, spec)\n--\n\n", "m")


def test_a_function_keeps_the_reader_that_it_calls(forgetful_function):
    assert forgetful_function(Text("a"), "s") == "a"
    assert forgetful_function(Text("a"), "s") is None  # there is no reader any more


def test_a_function_has_the_name_and_the_module_that_it_was_made_with(forgetful_function):
    assert forgetful_function.__name__ == "f"
    assert forgetful_function.__module__ == "m"


def test_a_function_calls_only_methods_that_take_the_arguments_of_a_reader(engine):
    assert with_other_methods(engine)


def test_a_function_counts_its_references(engine, tables):
    with entered(engine, tables) as operations:
        text = "http://u@h/p"
        wrong = "a b"
        spec = "rfc3986"

        def ask():
            for _ in range(50):
                operations.parse(text, spec)
                operations.parse(text, spec=spec)
                operations.view(text, spec)
                operations.validate(text, spec)
                operations.resolve(text, "g", spec)
                with pytest.raises(ValueError, match="blank"):
                    operations.validate(wrong, spec)

        ask()
        objects = (
            text,
            wrong,
            spec,
            None,
            True,
            False,
            operations._READERS[spec],
        )
        counts = [sys.getrefcount(counted_object) for counted_object in objects]
        ask()
        # a reference too many or too few shows 50 times; others come and go with the caches of Python
        miscounted = [
            counted_object
            for counted_object, count in zip(objects, counts, strict=True)
            if abs(sys.getrefcount(counted_object) - count) >= 40
        ]
        assert miscounted == []


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param((), id="none"),
        pytest.param((print, {}, 2, "f", "f()"), id="too-few"),
        pytest.param((print, [], 2, "f", "f()", "m"), id="methods-in-a-list"),
        pytest.param((print, {}, "2", "f", "f()", "m"), id="count-is-a-text"),
        pytest.param((print, {}, 2, None, "f()", "m"), id="no-name"),
        pytest.param((print, {}, 2, "f", "f()", b"m"), id="module-is-bytes"),
    ],
)
def test_wrong_arguments_of_new_function_are_an_error(engine, arguments):
    with pytest.raises(TypeError):
        engine.new_function(*arguments)


@pytest.mark.parametrize("count", [-1, 0, 1])
def test_a_function_needs_two_arguments_for_a_text_and_a_specification(engine, count):
    with pytest.raises(ValueError, match=f"{count} arguments are too few"):
        engine.new_function(print, {}, count, "f", "f()", "m")


class Owner:
    """Stands for Python: it has the reader that asks it."""

    reader: object


def test_memory_that_runs_out_is_an_exception(tmp_path):
    """Each allocation of each call fails once; `exhausted_memory.py` says how."""
    engine_file = compiled(tmp_path, SOURCE.read_text(encoding="utf-8"))
    program = Path(__file__).with_name("exhausted_memory.py")
    done = subprocess.run([sys.executable, program, engine_file], capture_output=True, text=True, check=False)
    if done.returncode == 77:  # by convention the exit code of a test that is skipped
        pytest.skip("this Python has no _testcapi")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("optimized", ["-O3", "-Os"])
def test_the_compiler_gives_no_warning(tmp_path, optimized):
    """Warnings are errors in `compiled`; here the compiler is asked for more of them."""
    compiled(
        tmp_path,
        SOURCE.read_text(encoding="utf-8"),
        optimized,
        "-Wshadow",
        "-Wconversion",
        "-Wno-sign-conversion",
    )
    assert "-Werror" in FLAGS


@by_spec
def test_a_specification_asks_the_reader_of_the_engine_if_there_is_one(readers, engine, spec):
    reader, _ = readers[spec]
    assert isinstance(reader, engine.Reader)
