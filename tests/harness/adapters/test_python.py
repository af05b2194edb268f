"""Adapters of Python functions: what is loaded, and the one line that says why it cannot be."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from urlharness import functions
from urlharness.adapters.python import function_hello, function_problem, load
from urlharness.protocol.failures import AdapterDead

MODULES = {
    "boom.py": "import os\nraise ValueError('no good')\n",
    "lines.py": "raise ValueError('one\\n\\ttwo')\n",
    "lacks.py": "x = 1\nimport no_such_module\n",
    "syntax.py": "def answer(question):\n    return (\n",
    "exits.py": "import sys\n\nsys.exit(4)\n",
    "panics.py": "class Panic(BaseException): ...\nraise Panic('all')\n",
    "deep.py": "import helper\n\nhelper.help()\n",
    "helper.py": "import json\n\ndef help():\n    json.loads('x')\n",
    "package/__init__.py": "from . import part\n",
    "package/part.py": "\n1 / 0\n",
    ".venv/site-packages/lib.py": "raise OSError('of a library')\n",
    "installed.py": "import sys\nsys.path.append('.venv/site-packages')\nimport lib\n",
    "good.py": "notfunc = 5\n__version__ = '7'\n\ndef answer(question):\n    return {'status': 'ok'}\n",
    "hello.py": "\ndef answer(question): ...\nanswer.hello = 5\n",
    "asked.py": "def __getattr__(name): raise OSError('no names')\n",
}

#: The module and the function, and the message.
ERRORS = [
    pytest.param("boom:f", "boom.py:2: ValueError: no good", id="exception"),
    pytest.param("lines:f", "lines.py:1: ValueError: one two", id="several-lines"),
    pytest.param("lacks:f", "lacks.py:2: ModuleNotFoundError: No module named 'no_such_module'", id="lacks"),
    pytest.param("gone:f", "ModuleNotFoundError: No module named 'gone'", id="gone"),
    pytest.param("syntax:f", "SyntaxError: '(' was never closed (syntax.py, line 2)", id="syntax"),
    pytest.param("exits:f", "exits.py:3: SystemExit: 4", id="exits"),
    pytest.param("panics:f", "panics.py:2: Panic: all", id="base-exception"),
    pytest.param("package.part:f", "package/part.py:2: ZeroDivisionError: division by zero", id="package"),
    pytest.param("installed:f", "installed.py:3: OSError: of a library", id="library"),
    pytest.param("good:gone", "AttributeError: module 'good' has no attribute 'gone'", id="no-such-name"),
    pytest.param("good:notfunc", "good:notfunc is not a function (its type is int)", id="a-number"),
    pytest.param(
        "hello:answer", "hello:answer has a hello that is not a mapping (its type is int)", id="hello"
    ),
    pytest.param("asked:f", "OSError: no names", id="no-names"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder with the modules, which is the current one; they are forgotten afterwards."""
    for name, text in MODULES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = {*sys.modules}
    yield tmp_path
    for name in {*sys.modules} - before:
        if not name.startswith("urlharness"):
            del sys.modules[name]


@pytest.mark.parametrize(("name", "message"), ERRORS)
def test_a_function_that_cannot_be_loaded_is_an_error_with_its_reason(folder, name, message):
    module, function = name.split(":")
    with pytest.raises(AdapterDead) as dead:
        load(module, function, None)
    assert str(dead.value) == message


def test_an_error_in_a_library_names_the_line_of_the_author_that_called_it(folder):
    with pytest.raises(AdapterDead, match=r"^helper\.py:4: JSONDecodeError: Expecting"):
        load("deep", "f", None)


def test_the_traceback_begins_in_the_module_of_the_author(folder):
    with pytest.raises(AdapterDead) as dead:
        load("deep", "f", None)
    cause = dead.value.__cause__
    assert isinstance(cause, json.JSONDecodeError)
    assert cause.__traceback__.tb_frame.f_code.co_filename == str(folder / "deep.py")


def test_the_folder_of_the_configuration_is_searched_first(folder, monkeypatch):
    """It is not below the current folder, so the message has its whole path."""
    (folder / "below").mkdir()
    (folder / "below" / "boom.py").touch()
    monkeypatch.chdir(folder / "below")
    monkeypatch.setattr(sys, "path", [str(folder / "below"), *sys.path])
    with pytest.raises(AdapterDead, match=rf"^{re.escape(str(folder))}/boom\.py:2: ValueError"):
        load("boom", "f", folder)


def test_a_function_without_a_hello_gets_one(folder):
    hello, _ = load("good", "answer", None)
    assert hello["implementation"] == {"name": "good:answer", "version": "7", "language": "python"}
    assert hello["specs"] == []


def test_a_loaded_function_answers(folder):
    _, function = load("good", "answer", None)
    assert function({}) == {"status": "ok"}


def answer_everything(question):
    return {"status": "ok"}


answer_everything.hello = {"ops": ["parse"], "specs": ["rfc1808"]}


def test_a_function_may_have_its_own_hello():
    hello = function_hello(answer_everything, "mine")
    assert hello["ops"] == ["parse"]
    assert hello["specs"] == ["rfc1808"]


def test_the_hello_of_an_author_gets_the_version_of_the_protocol():
    assert function_hello(answer_everything, "mine")["protocol"] == 1


def test_a_function_with_its_own_hello_has_no_problem():
    assert function_problem(answer_everything) == ""


def test_a_number_is_not_a_function():
    assert function_problem(3) == "is not a function (its type is int)"


def ask(adapter, op, **fields):
    return adapter({"op": op, "spec": "rfc3986", **fields})


@pytest.fixture
def adapter_of_functions():
    """An adapter of plain functions for five operations."""

    def split(url):
        if " " in url:
            raise ValueError("a blank")
        return {"scheme": url.partition(":")[0]}

    return functions(
        "mine",
        "2",
        specs=["rfc3986"],
        validate=lambda url: " " not in url,
        parse=split,
        resolve=lambda base, reference: base + reference,
        recompose=lambda components: ":".join(components.values()),
        normalize=str.lower,
        absent_vs_empty=True,
    )


def test_an_adapter_of_plain_functions_has_the_name_that_the_author_gives(adapter_of_functions):
    assert adapter_of_functions.name == "mine"


def test_the_hello_offers_the_operations_that_have_a_plain_function(adapter_of_functions):
    assert adapter_of_functions.hello["ops"] == ["validate", "parse", "resolve", "recompose", "normalize"]


def test_the_hello_has_the_features_that_the_author_claims(adapter_of_functions):
    assert adapter_of_functions.hello["features"] == ["absent-vs-empty"]


@pytest.mark.parametrize(
    ("op", "inputs", "answer"),
    [
        pytest.param("validate", {"url": "a:b"}, {"status": "ok"}, id="valid"),
        pytest.param("validate", {"url": "a b", "rule": "URI-reference"}, {"status": "reject"}, id="invalid"),
        pytest.param("parse", {"url": "a:b"}, {"status": "ok", "components": {"scheme": "a"}}, id="parsed"),
        pytest.param("parse", {"url": "a b"}, {"status": "reject", "message": "a blank"}, id="not-parsed"),
        pytest.param(
            "resolve", {"base": "a:", "reference": "b"}, {"status": "ok", "url": "a:b"}, id="resolved"
        ),
        pytest.param(
            "recompose", {"components": {"x": "a", "y": "b"}}, {"status": "ok", "url": "a:b"}, id="joined"
        ),
        pytest.param("normalize", {"url": "A:B"}, {"status": "ok", "url": "a:b"}, id="normalized"),
    ],
)
def test_a_plain_function_answers_its_operation(adapter_of_functions, op, inputs, answer):
    assert ask(adapter_of_functions, op, **inputs) == answer


@pytest.mark.parametrize(
    ("op", "inputs"),
    [
        pytest.param("validate", {"url": "a", "rule": "host"}, id="rule"),
        pytest.param("normalize", {"url": "A:B", "mode": "scheme"}, id="mode"),
        pytest.param("decode", {"url": "a:b"}, id="operation"),
        pytest.param("parse", {"url": {"hex": "ff"}}, id="bytes"),
    ],
)
def test_what_no_plain_function_answers_is_unsupported(adapter_of_functions, op, inputs):
    assert ask(adapter_of_functions, op, **inputs)["status"] == "unsupported"


@pytest.fixture
def adapter_of_two_modes():
    """An adapter of functions that know both modes."""
    return functions("mine", normalize=str.lower, equivalent=str.__eq__, modes=["syntax", "scheme"])


def test_the_hello_has_every_mode_that_the_author_names(adapter_of_two_modes):
    assert adapter_of_two_modes.hello["modes"] == ["syntax", "scheme"]


@pytest.mark.parametrize("mode", ["syntax", "scheme"])
def test_a_function_answers_in_each_mode_that_the_author_names(adapter_of_two_modes, mode):
    answer = ask(adapter_of_two_modes, "normalize", url="A:B", mode=mode)
    assert answer == {"status": "ok", "url": "a:b"}


@pytest.fixture
def adapter_of_scheme_mode():
    """An adapter of functions that know only the mode `scheme`."""
    return functions("mine", normalize=str.lower, equivalent=str.__eq__, modes=["scheme"])


@pytest.mark.parametrize(
    ("operation", "inputs"),
    [("normalize", {"url": "A:B"}), ("equivalent", {"url": "a", "other": "a"})],
    ids=["normalize", "equivalent"],
)
def test_a_mode_that_the_author_does_not_name_is_unsupported(adapter_of_scheme_mode, operation, inputs):
    assert ask(adapter_of_scheme_mode, operation, **inputs)["status"] == "unsupported"


def test_the_hello_has_no_mode_that_the_author_does_not_name(adapter_of_scheme_mode):
    assert adapter_of_scheme_mode.hello["modes"] == ["scheme"]


@pytest.mark.parametrize(("second", "equal"), [("A", True), ("b", False)], ids=["equivalent", "different"])
def test_the_function_of_the_author_compares_two_urls_in_the_mode_that_the_author_names(second, equal):
    def are_equivalent(url, other):
        return url.lower() == other.lower()

    adapter = functions("mine", equivalent=are_equivalent, modes=["scheme"])
    answer = ask(adapter, "equivalent", url="a", other=second, mode="scheme")
    assert answer == {"status": "ok", "equal": equal}


def test_an_unknown_mode_is_refused():
    with pytest.raises(ValueError, match="no mode named 'sintax'; choose from syntax, scheme"):
        functions("mine", normalize=str.lower, modes=["sintax"])


def test_a_mode_that_is_not_in_a_list_is_refused():
    with pytest.raises(TypeError, match=r"modes is a list of modes, such as \['syntax'\]"):
        functions("mine", normalize=str.lower, modes="syntax")


def test_a_list_of_no_modes_is_refused_for_an_operation_with_modes():
    with pytest.raises(ValueError, match="modes is empty, so no equivalent or normalize would be asked"):
        functions("mine", normalize=str.lower, modes=[])


def test_a_list_of_no_modes_is_accepted_for_an_operation_without_modes():
    assert functions("mine", parse=dict, modes=[]).hello["ops"] == ["parse"]


#: An operation, its function, the fields of the question, and the fields of the answer.
MORE_OPERATIONS = [
    pytest.param("extract", str.split, {"text": "a:b c:d"}, {"urls": [["a:b"], ["c:d"]]}, id="extract"),
    pytest.param(
        "extract", lambda text: [(text, "r")], {"text": "a"}, {"urls": [["a", "r"]]}, id="extract-readings"
    ),
    pytest.param("equivalent", str.__eq__, {"url": "a", "other": "b"}, {"equal": False}, id="equivalent"),
    pytest.param(
        "decode",
        lambda url: {"host": url, "name": b"a\xff", "cwd": [b"\xc3\xa9"], "port": None},
        {"url": "h"},
        {"decoded": {"host": "h", "name": {"hex": "61ff"}, "cwd": ["\u00e9"], "port": None}},
        id="decode",
    ),
    pytest.param("base", dict.popitem, {"retrieval": "a:b"}, {"base": ("retrieval", "a:b")}, id="base-layer"),
    pytest.param("base", lambda layers: layers["header"], {"header": "h"}, {"base": "h"}, id="base-header"),
    pytest.param("base", dict.clear, {"embedded": "a"}, {"base": None}, id="no-base"),
    pytest.param("to_uri", str.upper, {"url": "/a"}, {"url": "/A"}, id="to-uri"),
    pytest.param("to_iri", str.lower, {"url": "/A", "rule": "IRI-reference"}, {"url": "/a"}, id="to-iri"),
]


@pytest.mark.parametrize(("operation", "function", "question", "answer"), MORE_OPERATIONS)
def test_a_function_answers_an_operation(operation, function, question, answer):
    adapter = functions("mine", **{operation: function})
    assert ask(adapter, operation, **question) == {"status": "ok", **answer}


@pytest.mark.parametrize("operation", ["extract", "equivalent", "decode", "base", "to_uri", "to_iri"])
def test_the_hello_offers_the_operation_of_a_function(operation):
    assert functions("mine", **{operation: str.lower}).hello["ops"] == [operation]


@pytest.mark.parametrize(
    "name", ["text", "other", "header", "embedded", "encapsulating", "retrieval", "default"]
)
def test_bytes_in_any_field_are_unsupported(name):
    adapter = functions("mine", base=dict.popitem)
    assert ask(adapter, "base", **{name: {"hex": "ff"}})["status"] == "unsupported"


@pytest.mark.parametrize(
    ("operation", "returned"),
    [("equivalent", None), ("decode", "a"), ("parse", "a")],
    ids=["equivalent", "decode", "parse"],
)
def test_an_answer_of_the_wrong_type_is_an_error(operation, returned):
    adapter = functions("mine", **{operation: lambda *_: returned})
    with pytest.raises(TypeError, match=f"{operation} returned a "):
        ask(adapter, operation, url="a", other="b")


@pytest.mark.parametrize(("host", "status"), [("h", "ok"), ("H", "reject")], ids=["valid", "invalid"])
def test_a_rule_is_validated_by_its_function(host, status):
    adapter = functions("mine", validate={"host": str.islower})
    assert ask(adapter, "validate", url=host, rule="host") == {"status": status}


@pytest.mark.parametrize(("spec", "status"), [("rfc1808", "reject"), ("rfc3986", "ok")])
def test_a_question_without_a_rule_is_about_the_references_of_its_rfc(spec, status):
    adapter = functions("mine", validate={"URL": lambda _: False, "URI-reference": lambda _: True})
    assert ask(adapter, "validate", spec=spec, url="h") == {"status": status}


def test_a_rule_without_a_function_is_unsupported():
    adapter = functions("mine", validate={"host": str.islower})
    assert ask(adapter, "validate", url="h")["status"] == "unsupported"


@pytest.mark.parametrize("operation", ["to_uri", "to_iri"])
def test_a_mapping_of_components_is_unsupported(operation):
    adapter = functions("mine", **{operation: str.lower})
    assert ask(adapter, operation, url="A", rule="isegment")["status"] == "unsupported"


def test_validation_by_the_parser_is_a_feature_of_the_hello():
    def parse(url):
        return {}

    adapter = functions("mine", validate=parse, parse=parse)
    assert adapter.hello["features"] == ["validate-by-parse"]


def test_an_exception_that_is_not_a_rejection_is_raised():
    adapter = functions("mine", normalize=lambda url: url[99], rejects=(ValueError,))
    with pytest.raises(IndexError, match="string index out of range"):
        ask(adapter, "normalize", url="a:b")
