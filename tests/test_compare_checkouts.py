"""The comparison of two checkouts: it names what changed, and leaves out what varies by nature."""

from __future__ import annotations

import base64
import gzip
import importlib
import json
from pathlib import Path
from typing import NamedTuple

import pytest


@pytest.fixture
def module(monkeypatch):
    """Return a function that imports a module of the comparison, which is not an installed package."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    return importlib.import_module


@pytest.fixture
def read(module):
    """Return a function that reads an output as data, without what varies by nature."""
    facts = {"scene": "/tmp/old/a-scene", "version": "0.1.0", "corpus": "7ba8dece1118"}
    return lambda name, text: module("checkouts.reading").read(name, text.encode(), facts)


def page(data: object) -> str:
    """Return an HTML page with a data block."""
    block = base64.b64encode(gzip.compress(json.dumps(data).encode())).decode()
    script = f'<script type="application/octet-stream" id="listed">{block}</script>'
    return f"<p>a &amp; b</p>{script}<script>code()</script>"


class Change(NamedTuple):
    """An output before and after a change, the place that is named, and the two texts there."""

    output: str
    before: str
    after: str
    place: str
    old: str
    new: str


CHANGES = [
    pytest.param(Change("exit code", "0", "1", place="exit code", old="0", new="1"), id="exit code"),
    pytest.param(
        Change("stderr", "a: b\nc", "a: d\nc", place="stderr[0]", old="a: b", new="a: d"), id="message"
    ),
    pytest.param(Change("stdout", "a\nb", "a", place="stdout[1]", old="b", new="absent"), id="line less"),
    pytest.param(Change("stdout", "a", "a\nb", place="stdout[1]", old="absent", new="b"), id="line more"),
    pytest.param(
        Change("r.json", '{"a": {"b": 1}}', '{"a": {"b": 2}}', place="r.json.a.b", old="1", new="2"),
        id="field of JSON",
    ),
    pytest.param(
        Change("r.json", '{"a": 1}', '{"a": 1, "c": 3}', place="r.json.c", old="absent", new="3"),
        id="new field",
    ),
    pytest.param(
        Change("r.jsonl", '{"a": 1}\n{}', '{"a": 1}\n{"b": 2}', place="r.jsonl[1].b", old="absent", new="2"),
        id="JSON Lines",
    ),
    pytest.param(
        Change(
            "r.xml", '<a><b c="1"/></a>', '<a><b c="2"/></a>', place="r.xml.children[0].c", old="1", new="2"
        ),
        id="XML",
    ),
    pytest.param(
        Change("r.html", page({"a": 1}), page({"a": 2}), place="r.html.blocks.listed.a", old="1", new="2"),
        id="data of a page",
    ),
    pytest.param(
        Change("r.html", "<b>x</b>", "<i>y</i>", place="r.html.text[0]", old="x", new="y"),
        id="text of a page",
    ),
]


@pytest.mark.parametrize("row", CHANGES)
def test_a_changed_output_is_named_with_its_place(module, read, row):
    compare = module("checkouts.differences").compare
    changed = list(
        compare(
            "a call", {row.output: read(row.output, row.before)}, {row.output: read(row.output, row.after)}
        )
    )
    assert changed == [("a call", row.place, row.old, row.new)]


def test_a_file_that_is_not_what_its_name_says_is_read_as_lines(read):
    assert read("r.xml", "<a>\n<b>") == ["<a>", "<b>"]


def test_a_file_that_is_not_written_any_more_is_named(module):
    compare = module("checkouts.differences").compare
    assert list(compare("a call", {"a.txt": ["x"]}, {})) == [("a call", "a.txt", '["x"]', "absent")]


#: Two texts that say the same.
ALIKE = [
    pytest.param("at 2026-11-29T01:03:34+00:00", "at 2027-01-01T00:00:00Z", id="time"),
    pytest.param("it took 0.12 s", "it took 11.5 s", id="duration"),
    pytest.param('{"seconds": 0.236}', '{"seconds": 1.5}', id="duration in JSON"),
    pytest.param('{"a":1,"seconds":0.012}', '{"a":1}', id="time of an answer in results"),
    pytest.param('<t name="a" time="0"/>', '<t name="a" time="0.012"/>', id="time of an answer in JUnit"),
    pytest.param("see /tmp/old/a-scene/a.txt", "see [scene]/a.txt", id="folder"),
    pytest.param("urlconform 0.1.0", "urlconform [version]", id="version"),
    pytest.param("corpus 7ba8dece1118", "corpus [corpus]", id="corpus"),
    pytest.param('-> {"id":17,"op":"parse"}', '-> {"id":3,"op":"parse"}', id="id of a question"),
]


@pytest.mark.parametrize(("text", "same"), ALIKE)
def test_what_varies_by_nature_is_no_difference(read, text, same):
    assert read("stdout", text) == read("stdout", same)


def test_an_expected_difference_is_counted_under_its_reason(module):
    differences = module("checkouts.differences")
    changed = differences.Difference("a call", "stderr[0]", "no such file", "there is no such file")
    expected = differences.Expected("a better sentence", call="a *", after="^there is")
    unexplained, occurrences = differences.unexpected([changed], [expected], [])
    assert unexplained == []
    assert occurrences == {"a better sentence": 1}


def test_an_expectation_for_another_call_explains_nothing(module):
    differences = module("checkouts.differences")
    changed = differences.Difference("a call", "exit code", "0", "1")
    expected = differences.Expected("another code", call="another call")
    unexplained, _ = differences.unexpected([changed], [expected], [])
    assert unexplained == [changed]


@pytest.fixture
def unexplained_of(module):
    """Return a function that returns the changes after `found 3` that a rewording does not explain."""

    def compare(after):
        differences = module("checkouts.differences")
        changed = differences.Difference("a call", "stdout[0]", "adapters: found 3", after)
        rewording = differences.Rewording("a better order", r"found (\d+)", r"\1 found")
        unexplained, _ = differences.unexpected([changed], [], [rewording])
        return [difference.after for difference in unexplained]

    return compare


def test_a_rewording_explains_its_own_words(unexplained_of):
    assert unexplained_of("adapters: 3 found") == []


def test_a_rewording_explains_no_other_number(unexplained_of):
    assert unexplained_of("adapters: 4 found") == ["adapters: 4 found"]


def test_an_expected_difference_that_does_not_occur_is_reported(module, monkeypatch, capsys):
    program = module("compare_checkouts")
    expected = module("checkouts.differences").Expected("a better sentence")
    monkeypatch.setattr(program, "EXPECTED", (expected,))
    program.print_occurrences({}, with_missing=True)
    assert "expected, but does not occur: a better sentence\n" in capsys.readouterr().out


HELP = """Usage: urlconform fly [OPTIONS] COMMAND [ARGS]...

  Fly.

Options:
  -o, --output FILE   Write to this file, or
                      --print it.
  --fold / --no-fold  Fold.
  -h, --help          Show this message and exit.

Commands:
  high  Fly high.
"""


def test_the_options_of_a_command_are_read_in_its_help(module):
    command = module("compare_checkouts").parse_help(("fly",), HELP)
    assert command.options == ("-o, --output", "--fold", "--no-fold", "-h, --help")


def test_the_subcommands_of_a_command_are_read_in_its_help(module):
    assert module("compare_checkouts").parse_help(("fly",), HELP).subcommands == ("high",)


UNUSED = [
    pytest.param("fly -o x --fold --no-fold", [], id="all are used"),
    pytest.param("fly --output=x --fold", ["fly --no-fold"], id="option"),
    pytest.param("walk", ["fly"], id="command"),
]


@pytest.mark.parametrize(("calls", "unused"), UNUSED)
def test_an_option_that_no_call_uses_is_named(module, monkeypatch, calls, unused):
    program = module("compare_checkouts")
    monkeypatch.setattr(program, "SCENES", {"a scene": f"\n  {calls}\n", program.REFUSED: "fly --no-fold"})
    assert program.unused_options([program.parse_help(("fly",), HELP)]) == unused
