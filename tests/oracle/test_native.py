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
from types import SimpleNamespace

import pytest

import urloracle
from urloracle import native, operations
from urloracle.grammar.grammar import load
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


@pytest.mark.parametrize(
    ("value", "engines"), [("1", {"pure"}), ("0", {"pure", "native"}), ("", {"pure", "native"})]
)
def test_the_environment_switches_the_engine(value, engines):
    code = "import urloracle; print(urloracle.engine())"
    environment = {**os.environ, "URLCONFORM_PURE": value}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in engines


def test_the_import_reads_no_table():
    """It loads the engine, whose functions users call; the tables wait for the first text."""
    code = (
        "import urloracle; from urloracle import native\n"
        "before = native._engine.cache_info().misses, native.makers.cache_info().misses > 1\n"
        "urloracle.parse('x:', 'rfc3986'); print(*before, native._engine.cache_info().misses)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["0", "False", "1"]


FUNCTIONS = {
    "validate": "(text, spec, rule=None, profile=None)",
    "parse": "(text, spec, rule=None, profile=None)",
    "view": "(text, spec)",
    "resolve": "(base, reference, spec)",
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_entered_in_c_looks_like_the_one_in_python(name):
    function = getattr(urloracle, name)
    signature = inspect.signature(function)
    bare = [
        parameter.replace(annotation=inspect.Parameter.empty) for parameter in signature.parameters.values()
    ]
    assert str(inspect.Signature(bare)) == FUNCTIONS[name]
    assert {parameter.kind for parameter in bare} == {inspect.Parameter.POSITIONAL_OR_KEYWORD}
    assert function.__module__ == "urloracle.operations"
    assert function.__name__ == name
    assert function.__qualname__ == name
    assert function is getattr(operations, name)
    assert copy.deepcopy(function) is function
    documented = pydoc.render_doc(function, renderer=pydoc.plaintext)
    assert f"{name}({', '.join(signature.parameters)[:4]}" in "".join(documented.split())  # 3.13 wraps it
    assert "    >>> " in documented


def test_a_function_entered_in_c_is_pickled_by_its_name():
    """So a process with the engine and one without can exchange them."""
    code = "import pickle, sys, urloracle; sys.stdout.write(repr([pickle.dumps(f, n) for n in (0, 2, 5)]))"
    for name in FUNCTIONS:
        names_pickled = set()
        for value in ("0", "1"):
            done = subprocess.run(
                [sys.executable, "-c", code.replace("(f,", f"(urloracle.{name},")],
                env={**os.environ, "URLCONFORM_PURE": value},
                capture_output=True,
                text=True,
                check=True,
            )
            names_pickled.add(done.stdout)
        assert len(names_pickled) == 1
        for pickled in ast.literal_eval(names_pickled.pop()):
            assert pickle.loads(pickled) is getattr(urloracle, name)


@pytest.mark.parametrize(("spec", "text"), CASES)
def test_a_view_has_the_components(spec, text):
    """Views of the engine and of Python are equal if their components are, and hash alike."""
    components_view = view(text, spec)
    parts = parse(text, spec)
    pure = native.pure_view(parts)
    for look in (components_view, pure):
        assert look.astuple() == parts
        assert type(look.astuple()) is type(parts)
        assert [getattr(look, name) for name in parts._fields] == list(parts)
        assert repr(look) == f"<view of {parts!r}>"
        assert hash(look) == hash(parts)
        assert look != parts
        with pytest.raises(AttributeError):
            look.nosuch = 1
    assert components_view == pure
    assert components_view != view("x://other", spec)
    for copied in (
        copy.copy(components_view),
        copy.deepcopy(components_view),
        pickle.loads(pickle.dumps(components_view)),
    ):
        assert copied == components_view == pure
        assert repr(copied) == repr(components_view)


def test_an_invalid_text_has_no_view():
    with pytest.raises(urloracle.InvalidURL, match="blank at offset 1"):
        view("a b", "rfc3986")
    assert SPECIFICATIONS["rfc3986"].view("a b") is None


def test_tables_are_found_by_their_grammar():
    """The tables of other grammars are not found."""
    grammar = load("rfc1808.bnf")
    content = native.tables_file({(native.digest(grammar.text), "URL"): b"12", ("x", "URL"): b"345"})
    engine = native._engine_of("module", content)
    assert [engine.tables[span] for span in engine.places.values()] == [b"12", b"345"]
    assert (native.digest(grammar.text), "URL") in engine.places
    assert replace(grammar).text == grammar.overlay(native_free()).text == ""


@pytest.mark.parametrize("cut", [0, 5, 30, 60, 100, -1])
def test_a_damaged_file_is_refused(cut):
    content = native.tables_file({("x", "URL"): b"0" * 50, ("y", "URL"): b"1" * 10})
    with pytest.raises(ValueError, match=r"tables\.bin is damaged, or other code made it"):
        native._engine_of("module", content[:cut])


@pytest.mark.parametrize("offset", [0, 10, 20, 40, 60, -1])
def test_a_changed_file_is_refused(offset):
    content = native.tables_file({("x", "URL"): b"0" * 50})
    changed = content[:offset] + bytes((content[offset] ^ 1,)) + content[offset:][1:]
    with pytest.raises(ValueError, match="other code made it"):
        native._engine_of("module", changed)


def test_an_engine_of_another_source_is_not_used(monkeypatch):
    """Its functions are not entered, whatever they do."""
    for source, used in ((native.source_digest(), True), ("1-0", False), (None, False)):
        module = SimpleNamespace(source=source, new_function=lambda *text: text)
        monkeypatch.setattr(native, "_installed", lambda module=module: module)
        native._module.cache_clear()
        assert (native._module() is not None) == used
        entered = native.Entrance().enters("read")(native_free)
        assert (entered is native_free) is not used
    native._module.cache_clear()


def native_free():
    """Rules to lay over a grammar."""
    from urloracle.grammar.notation import RFC822, read

    return read('URL = "a"', RFC822)


def test_the_digest_of_the_makers_covers_their_files():
    assert (
        len({native.makers(), native.makers(("splitting.py",)), native.makers(("splitting.py", "automata"))})
        == 3
    )
