"""The check that names say what they are bound to."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

SPEC = spec_from_file_location("lint_names", Path(__file__).parent / "lint_names.py")
lint_names = module_from_spec(SPEC)
SPEC.loader.exec_module(lint_names)

#: Source code that binds a filler name.
BINDINGS = {
    "assignment": ("def names():\n    found = 1", "found"),
    "loop": ("def names(rows):\n    for one in rows:\n        pass", "one"),
    "comprehension": ("def names(rows):\n    return [item for item in rows]", "item"),
    "walrus": ("def names():\n    return (result := 1)", "result"),
    "match": ("def names(rows):\n    match rows:\n        case [given, *_]:\n            pass", "given"),
    "with": ("def names():\n    with open('f') as data:\n        pass", "data"),
    "exception": ("def names():\n    try:\n        pass\n    except OSError as what:\n        pass", "what"),
    "import": ("def names():\n    import json as result", "result"),
    "parameter-of-a-private-function": ("def _names(value):\n    pass", "value"),
    "parameter-of-a-lambda": ("def names():\n    return lambda x: x", "x"),
    "method": ("class Table:\n    def names(self):\n        kept = 1", "kept"),
    "local-function": ("def names():\n    def inner():\n        told = 1", "told"),
    "module": ("chosen = 1", "chosen"),
    "left-without-right": ("def names():\n    left = 1", "left"),
    "other-in-an-ordinary-function": ("def names():\n    other = 1", "other"),
}
EXEMPT = {
    "parameter-of-a-public-function": "def names(value):\n    pass",
    "operator": "class Table:\n    def __eq__(self, other):\n        pass",
    "two-sides": "def names():\n    left = 1\n    right = 2",
    "coordinates": "def names():\n    x = 1\n    y = 2",
    "field": "class Table:\n    value: int",
    "telling-name": "def names():\n    finding = 1",
    "part-of-a-name": "def names():\n    found_rows = 1",
}


@pytest.mark.parametrize(("source", "name"), BINDINGS.values(), ids=BINDINGS)
def test_a_filler_name_is_refused(source, name):
    assert [filler.name for filler in lint_names.fillers(source, Path("module.py"))] == [name]


@pytest.mark.parametrize("source", EXEMPT.values(), ids=EXEMPT)
def test_a_name_that_says_something_is_accepted(source):
    assert lint_names.fillers(source, Path("module.py")) == []


def test_a_filler_name_is_printed_with_its_line(tmp_path, capsys):
    module = tmp_path / "module.py"
    module.write_text("def names():\n    pass\n    found = 1\n")
    lint_names.main([str(module)])
    assert f"{module}:3: 'found' in names" in capsys.readouterr().out


def test_the_check_fails_if_there_is_a_filler_name(tmp_path):
    (tmp_path / "module.py").write_text("found = 1\n")
    assert lint_names.main([str(tmp_path)]) == 1


def test_the_check_passes_if_there_is_no_filler_name(tmp_path):
    (tmp_path / "module.py").write_text("findings = 1\n")
    assert lint_names.main([str(tmp_path)]) == 0
