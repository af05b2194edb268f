"""The switch, the tables' file and the views of the C engine; these tests pass with and without it."""

from __future__ import annotations

import ast
import copy
import inspect
import os
import pickle
import pydoc
import subprocess
import sys
from dataclasses import replace
from textwrap import dedent
from types import SimpleNamespace

import pytest

import urloracle
from urloracle import native, operations
from urloracle.grammar.grammar import load
from urloracle.grammar.notation import RFC822, read
from urloracle.operations import parse, view
from urloracle.rfcs import SPECIFICATIONS

TEXTS = {
    "rfc1738": ["http://h:1/p?q", "prospero://h/a;b=c", "x:y", "file:///a", "news:*"],
    "rfc1808": ["http://h/a;b?c#d", "", "?", "//h"],
    "rfc2396": ["http://u@h:1/p?q#f", "mailto:a?b", ""],
    "rfc2732": ["http://[::1]/", "#"],
    "rfc3986": ["http://u@h:1/p?q#f", "//h", ""],
}
CASES = [pytest.param(spec, text, id=f"{spec}-{text}") for spec, texts in TEXTS.items() for text in texts]


PRINT_ENGINE = "import urloracle; print(urloracle.engine())"


def test_the_environment_switches_the_engine_off():
    assert output_of(PRINT_ENGINE, pure="1") == "pure\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("pure", ["0", ""], ids=["zero", "empty"])
def test_the_environment_does_not_switch_the_engine_off(pure, monkeypatch):
    """The engine is that of an environment without the variable, which depends on what is installed."""
    monkeypatch.delenv("URLCONFORM_PURE", raising=False)
    assert output_of(PRINT_ENGINE, pure) == output_of(PRINT_ENGINE)


def output_of(program: str, pure: str | None = None) -> str:
    """Return the output of a program in another process, URLCONFORM_PURE set unless it is None."""
    environment = dict(os.environ)
    if pure is not None:
        environment["URLCONFORM_PURE"] = pure
    process = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    return process.stdout


def test_the_import_of_the_oracle_reads_no_table():
    """The tables wait for the first text."""
    program = dedent("""\
        import urloracle
        from urloracle import native

        print(native._engine.cache_info().misses)
        """)
    assert output_of(program).split() == ["0"]


#: The beginning of a program that prints the name of each function of `native` that is called from there on.
PRINT_CALLS = dedent("""\
    import sys

    def print_call(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.endswith("native.py"):
            print(code.co_name)

    sys.setprofile(print_call)
    import urloracle
    """)


def count_with_engine() -> int:
    """Return how often something is done that is done once if the engine is in use, else never."""
    return 1 if urloracle.engine() == "native" else 0


def test_the_import_of_the_oracle_does_not_digest_the_makers_of_its_tables():
    assert "digest_of_makers" not in output_of(PRINT_CALLS).split()


def test_the_import_of_the_oracle_digests_the_source_of_the_engine_once():
    """The digest shows whether the engine was compiled from this source."""
    assert output_of(PRINT_CALLS).split().count("source_digest") == count_with_engine()


def test_the_first_text_reads_the_tables_once():
    program = PRINT_CALLS + dedent("""\
        urloracle.parse("x:", "rfc3986")
        urloracle.parse("y:", "rfc3986")
        """)
    assert output_of(program).split().count("_read_tables") == count_with_engine()


FUNCTIONS = {
    "validate": "(text, spec, rule=None, profile=None)",
    "parse": "(text, spec, rule=None, profile=None)",
    "view": "(text, spec)",
    "resolve": "(base, reference, spec)",
}


by_function = pytest.mark.parametrize("name", FUNCTIONS)


@by_function
def test_a_function_entered_in_c_has_the_signature_of_the_one_in_python(name):
    """Every parameter may be given by position or by name."""
    parameters = inspect.signature(getattr(urloracle, name)).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    assert str(inspect.Signature(bare)) == FUNCTIONS[name]


@by_function
def test_a_function_entered_in_c_has_the_names_of_the_one_in_python(name):
    function = getattr(urloracle, name)
    assert function.__module__ == "urloracle.operations"
    assert function.__name__ == name
    assert function.__qualname__ == name


@by_function
def test_a_function_entered_in_c_is_that_of_its_module(name):
    assert getattr(urloracle, name) is getattr(operations, name)


@by_function
def test_a_copy_of_a_function_entered_in_c_is_the_function(name):
    function = getattr(urloracle, name)
    assert copy.deepcopy(function) is function


@by_function
def test_the_help_of_a_function_entered_in_c_has_its_signature_and_examples(name):
    help_text = pydoc.render_doc(getattr(urloracle, name), renderer=pydoc.plaintext)
    first_parameter = FUNCTIONS[name].partition(",")[0]
    assert name + first_parameter in "".join(help_text.split())  # Python 3.13 wraps the signature
    assert "    >>> " in help_text


def pickled_function(name: str, pure: str) -> list[bytes]:
    """Return a function of the oracle as another process pickles it, by three versions of the protocol."""
    program = dedent(f"""\
        import pickle
        import urloracle

        print([pickle.dumps(urloracle.{name}, protocol) for protocol in (0, 2, 5)])
        """)
    return ast.literal_eval(output_of(program, pure))


@pytest.mark.sampled(2)
@by_function
def test_a_function_is_pickled_alike_with_and_without_the_engine(name):
    """A process with the engine and one without can therefore exchange functions."""
    assert pickled_function(name, pure="0") == pickled_function(name, pure="1")


@pytest.mark.sampled(2)
@by_function
def test_a_pickled_function_is_read_as_the_function(name):
    functions = [pickle.loads(pickled) for pickled in pickled_function(name, pure="0")]
    assert functions == [getattr(urloracle, name)] * len(functions)


VIEWS = {"engine": view, "python": lambda text, spec: native.pure_view(parse(text, spec))}


@pytest.mark.parametrize("make_view", VIEWS.values(), ids=VIEWS)
@pytest.mark.parametrize(("spec", "text"), CASES)
class TestViews:
    """The views of the engine, where there is one, and of Python."""

    def test_a_view_has_the_components_of_the_text(self, spec, text, make_view):
        components = parse(text, spec)
        view_of_text = make_view(text, spec)
        assert [getattr(view_of_text, name) for name in components._fields] == list(components)

    def test_the_tuple_of_a_view_is_what_parse_returns(self, spec, text, make_view):
        components = parse(text, spec)
        as_tuple = make_view(text, spec).astuple()
        assert as_tuple == components
        assert type(as_tuple) is type(components)

    def test_the_repr_of_a_view_shows_its_components(self, spec, text, make_view):
        assert repr(make_view(text, spec)) == f"<view of {parse(text, spec)!r}>"

    def test_a_view_hashes_like_its_components(self, spec, text, make_view):
        assert hash(make_view(text, spec)) == hash(parse(text, spec))

    def test_a_view_is_unequal_to_its_components(self, spec, text, make_view):
        assert make_view(text, spec) != parse(text, spec)

    def test_a_view_takes_no_attributes(self, spec, text, make_view):
        with pytest.raises(AttributeError):
            make_view(text, spec).nosuch = 1


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_the_view_of_the_engine_equals_that_of_python(spec, text):
    assert view(text, spec) == native.pure_view(parse(text, spec))


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_the_views_of_different_texts_are_unequal(spec, text):
    assert view(text, spec) != view("x://other", spec)


COPIES = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda original: pickle.loads(pickle.dumps(original)),
}


@pytest.mark.parametrize("duplicate", COPIES.values(), ids=COPIES)
@pytest.mark.parametrize(("spec", "text"), CASES)
def test_a_copy_of_a_view_equals_the_view(spec, text, duplicate):
    original = view(text, spec)
    copied = duplicate(original)
    assert copied == original
    assert repr(copied) == repr(original)


def test_viewing_an_invalid_text_is_an_error():
    with pytest.raises(urloracle.InvalidURL, match="blank at offset 1"):
        view("a b", "rfc3986")


def test_a_specification_has_no_view_of_an_invalid_text():
    assert SPECIFICATIONS["rfc3986"].view("a b") is None


def test_a_file_of_tables_gives_each_table_by_grammar_and_rule():
    digest = native.digest(load("rfc1808.bnf").text)
    content = native.tables_content({(digest, "URL"): b"12", ("x", "URL"): b"345"})
    engine = native._engine_of("module", content)
    tables = {key: engine.tables[span] for key, span in engine.spans.items()}
    assert tables == {(digest, "URL"): b"12", ("x", "URL"): b"345"}


def test_a_changed_grammar_has_no_text_by_which_a_table_is_found():
    """Its rules may differ from those of the file."""
    grammar = load("rfc1808.bnf")
    assert replace(grammar).text == ""
    assert grammar.overlay(other_rules()).text == ""


#: In the digests of the first line, in the list of tables, in the first table, and in the last byte.
PLACES_IN_A_FILE = [0, 5, 10, 20, 30, 40, 60, -1]


@pytest.mark.parametrize("cut", [*PLACES_IN_A_FILE, 100])
def test_a_file_that_is_cut_off_is_refused(cut):
    content = native.tables_content({("x", "URL"): b"0" * 50, ("y", "URL"): b"1" * 10})
    with pytest.raises(ValueError, match=r"tables\.bin is damaged, or other code made it"):
        native._engine_of("module", content[:cut])


@pytest.mark.parametrize("offset", PLACES_IN_A_FILE)
def test_a_file_with_a_changed_byte_is_refused(offset):
    content = native.tables_content({("x", "URL"): b"0" * 50})
    changed = bytearray(content)
    changed[offset] ^= 1
    with pytest.raises(ValueError, match="other code made it"):
        native._engine_of("module", bytes(changed))


@pytest.fixture
def install_engine(monkeypatch):
    """A function that puts a made-up engine of a source in the place of the installed one."""

    def install(source):
        module = SimpleNamespace(source=source, new_function=lambda *arguments: arguments)
        monkeypatch.setattr(native, "_installed", lambda: module)
        native._module.cache_clear()
        return module

    yield install
    native._module.cache_clear()


def test_an_engine_of_this_source_is_used(install_engine):
    module = install_engine(native.source_digest())
    assert native._module() is module


def test_the_functions_of_an_engine_of_this_source_are_entered(install_engine):
    install_engine(native.source_digest())
    assert native.Entrance().enters("read")(other_rules) is not other_rules


@pytest.mark.parametrize("source", ["1-0", None])
def test_an_engine_of_another_source_is_not_used(install_engine, source):
    install_engine(source)
    assert native._module() is None


@pytest.mark.parametrize("source", ["1-0", None])
def test_the_functions_of_an_engine_of_another_source_are_not_entered(install_engine, source):
    install_engine(source)
    assert native.Entrance().enters("read")(other_rules) is other_rules


def other_rules():
    """Return rules to lay over a grammar."""
    return read('URL = "a"', RFC822)


def test_different_files_have_different_digests():
    digests = {
        native.digest_of_makers(),
        native.digest_of_files(("splitting.py",)),
        native.digest_of_files(("splitting.py", "automata")),
    }
    assert len(digests) == 3
