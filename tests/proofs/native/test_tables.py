"""Every packed table has the states of its source, and the engine refuses damaged tables."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from urloracle import native, parse
from urloracle.automata.dfa import SINK, determinize, minimize
from urloracle.automata.packed import MAGIC, pack, unpack
from urloracle.automata.positions import position_automaton
from urloracle.automata.split_table import DISCARD, build_split_table
from urloracle.grammar.alphabet import PRIVATE, UCS
from urloracle.grammar.expression import Capture, Characters, Repetition
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import SPECIFICATIONS, specification
from urloracle.splitting import SPLITTINGS, ready_split_table, split_table

from ...oracle.automata.test_packed import assert_same_splits, assert_same_states  # noqa: TID252 - tests are not an installed package
from .conftest import SOURCE

RULES = [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components]


def packed(tables: bytes, spec: str, rule: str) -> bytes:
    """Return the packed table of a rule out of the file of all tables."""
    engine = native._engine_of(None, tables)
    assert engine is not None
    return engine.tables[engine.spans[native.digest(specification(spec).grammar.text), rule]]


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_packed_table_has_the_same_states(tables, spec, rule):
    unpacked, _ = unpack(packed(tables, spec, rule), split_table(spec, rule).components)
    assert_same_states(unpacked, specification(spec).languages[rule].automaton)


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_packed_table_has_the_same_split_table(tables, spec, rule):
    split = split_table(spec, rule)
    _, unpacked_split = unpack(packed(tables, spec, rule), split.components)
    assert_same_splits(unpacked_split, split)


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_table_of_the_engine_splits_as_a_new_one(monkeypatch, tables, spec, rule):
    """If there is an engine, no table is built; packed, its table and a new one are the same bytes."""
    new_table = split_table(spec, rule)
    automaton = specification(spec).languages[rule].automaton
    monkeypatch.setattr(native, "_engine", lambda: native._engine_of(None, tables))
    monkeypatch.delattr("urloracle.splitting.build_split_table")
    ready_table = ready_split_table(spec, rule)
    assert ready_table.components == new_table.components
    assert pack(automaton, ready_table) == pack(automaton, new_table)


def test_there_is_a_table_for_each_rule_and_no_other(tables):
    engine = native._engine_of(None, tables)
    grammars = {name: native.digest(spec.grammar.text) for name, spec in SPECIFICATIONS.items()}
    assert set(engine.spans) == {(grammars[spec], rule) for spec, rule in RULES}


def test_the_tables_follow_each_other_without_a_gap(tables):
    engine = native._engine_of(None, tables)
    end = 0
    for span in engine.spans.values():
        assert span.start == end
        end = span.stop
    assert end == len(engine.tables)


HEADER = struct.Struct("=8I")
_STATES = HEADER.size + 512  # the states begin after the two lists of character classes


def damaged(table: bytes, offset: int, value: int, size: int = 4) -> bytes:
    """Return a table with a number of so many bytes written at an offset."""
    written = value.to_bytes(size, sys.byteorder)
    return table[:offset] + written + table[offset + size :]


#: Offsets in the table of mailtourl, which has 12 states, 12 split states and 4 slots; for each the number
#: that is written there, and how many bytes that has.
DAMAGES = {
    "other-layout": (0, MAGIC + 1, 4),
    "more-states": (4, 13, 4),
    "fewer-states": (4, 11, 4),
    "many-states": (4, 1 << 31, 4),
    "start-out-of-range": (8, 12, 4),
    "more-split-states": (12, 13, 4),
    "split-start-out-of-range": (16, 12, 4),
    "nine-components": (20, 9, 4),
    "no-components": (20, 0, 4),
    "fewer-slots": (24, 3, 4),
    "many-slots": (24, 21, 4),
    "no-slots": (24, 0, 4),
    "other-size": (28, 1, 4),
    "class-out-of-range": (HEADER.size + 65, 32, 1),
    "class-of-zero": (HEADER.size, 1, 1),
    "class-above-ascii": (HEADER.size + 200, 1, 1),
    "split-class-of-zero": (HEADER.size + 256, 1, 1),
    "sink-loops": (_STATES + 4, 2, 4),
    "sink-left": (_STATES + 8, 1 << 8, 4),
    "state-out-of-range": (_STATES + 256 + 8, 12 << 8, 4),
    "slot-in-automaton": (_STATES + 256 + 8, 1, 4),
    "class-0-left": (_STATES + 256, 1 << 8, 4),
    "class-0-loops": (_STATES + 256 + 4, 1, 4),
    "loop-that-moves": (_STATES + 256 + 12, 2, 4),
    "slot-out-of-range": (_STATES + 13 * 256 + 8, 4, 4),
    "split-state-out-of-range": (_STATES + 13 * 256 + 8, 12 << 8, 4),
    "verdict-of-three": (_STATES + 24 * 256 + 12, 2, 1),
    "final-out-of-range": (_STATES + 24 * 256 + 12 + 1, 4, 1),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_table_is_refused(engine, tables, name):
    table = packed(tables, "rfc1738", "mailtourl")
    # the damages are to a table with these numbers of states, split states, components and slots
    assert HEADER.unpack_from(table)[1:7] == (12, 1, 12, 1, 2, 4)
    engine.Reader(table, None)  # is not refused
    faulty = damaged(table, *DAMAGES[name])
    assert faulty != table
    with pytest.raises(ValueError, match="not a packed table"):
        engine.Reader(faulty, None)


#: Offsets in the table of IRI-reference, most of them in its ranges; for each the number that is written
#: there, and how many bytes that has.
DAMAGES_OF_RANGES = {
    "layout-without-ranges": (0, MAGIC, 4),
    "many-ranges": (HEADER.size, 65, 4),
    "more-ranges": (HEADER.size, 21, 4),
    "fewer-ranges": (HEADER.size, 19, 4),
    "no-ranges": (HEADER.size, 0, 4),
    "range-of-ascii": (HEADER.size + 4, 0x7F, 4),
    "range-before-the-former": (HEADER.size + 4 + 12, 0xD7FF, 4),
    "range-that-ends-before-it-begins": (HEADER.size + 4 + 4, 0x9F, 4),
    "class-of-range-out-of-bounds": (HEADER.size + 4 + 8, 32 << 8, 4),
    "split-class-of-range-out-of-bounds": (HEADER.size + 4 + 8, 32, 4),
    "third-class-of-range": (HEADER.size + 4 + 8, 1 << 16, 4),
}


@pytest.mark.parametrize("name", DAMAGES_OF_RANGES)
def test_damaged_ranges_are_refused(engine, tables, name):
    table = packed(tables, "rfc3987", "IRI-reference")
    assert struct.unpack_from("=I", table, HEADER.size) == (20,)  # the number of ranges, which is damaged
    engine.Reader(table, None)  # is not refused
    faulty = damaged(table, *DAMAGES_OF_RANGES[name])
    assert faulty != table
    with pytest.raises(ValueError, match="not a packed table"):
        engine.Reader(faulty, None)


def test_each_automaton_of_a_table_reads_ranges_by_its_own_classes(engine):
    """Here the automaton accepts `ucschar`, and the split table splits `iprivate`."""
    positions = position_automaton(Grammar({}, {}, {}), Repetition(Characters(UCS), 0, None))
    automaton, _ = determinize(positions)
    split = build_split_table(("x",), Capture("x", Repetition(Characters(PRIVATE | {"a"}), 0, None)))
    reader = engine.Reader(pack(minimize(automaton), split), None, tuple)
    assert reader.accepts("\u00e9\U0001f600") is True
    assert reader.read("\u00e9\U0001f600") is None
    assert reader.accepts("\ue123") is False
    assert reader.read("\ue123a\U0010fffd") == ("\ue123a\U0010fffd",)


# inside and after the header of 32 bytes, the number of ranges, and 20 ranges of 12 bytes; in the states;
# one byte before the end
@pytest.mark.parametrize("cut", [0, 31, 32, 35, 36, 275, 276, 600, -1])
def test_a_cut_table_with_ranges_is_refused(engine, tables, cut):
    with pytest.raises(ValueError, match="not a packed table"):
        engine.Reader(packed(tables, "rfc3987", "IRI-reference")[:cut], None)


# inside and after the header of 32 bytes, in the states, and one byte before the end
@pytest.mark.parametrize("cut", [0, 1, 31, 32, 600, -1])
def test_a_cut_table_is_refused(engine, tables, cut):
    with pytest.raises(ValueError, match="not a packed table"):
        engine.Reader(packed(tables, "rfc1738", "mailtourl")[:cut], None)


def test_random_damage_is_refused_or_harmless(engine, tables):
    """A table that passes the checks may give wrong answers, but no answer reads beyond the table."""
    table = packed(tables, "rfc1738", "newsurl")
    draw = Random(1)
    accepted = 0
    for _ in range(3000):
        offset = draw.randrange(len(table))
        faulty = damaged(table, offset, draw.randrange(256), 1)
        try:
            reader = engine.Reader(faulty, None, tuple)
        except ValueError:
            continue
        accepted += 1
        for text in ("news:a@b", "news:*", "news:" + "a.b-c" * 20, "", "n"):
            reader.accepts(text)
            reader.read(text)
            reader.offset(text)
    assert accepted > 30


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        pytest.param({"kind": str}, TypeError, id="kind-is-no-tuple"),
        pytest.param({"kind": ("a",)}, TypeError, id="kind-is-no-class"),
        pytest.param({"kind": type("Wider", (tuple,), {})}, TypeError, id="kind-has-a-dict"),
        pytest.param({"kind": time.struct_time}, TypeError, id="kind-is-made-in-c"),
        pytest.param({"view": tuple}, TypeError, id="view-is-no-view"),
        pytest.param({"resolution": dict}, TypeError, id="resolution-is-no-tuple"),
        pytest.param(
            {"steps": "rfc1738", "resolution": tuple, "order": bytes(6)}, ValueError, id="unknown-steps"
        ),
        pytest.param(
            {"steps": "rfc3986", "resolution": tuple, "order": bytes(5)}, ValueError, id="five-parts"
        ),
        pytest.param({"steps": "rfc3986", "order": bytes(6)}, ValueError, id="no-resolution"),
        pytest.param({"choices": {"x:": None}}, ValueError, id="no-reader"),
        pytest.param({"choices": {1: None}}, (ValueError, TypeError), id="no-scheme"),
    ],
)
def test_wrong_options_are_refused(engine, tables, options, problem):
    with pytest.raises(problem):
        engine.Reader(packed(tables, "rfc1738", "mailtourl"), None, **options)


@pytest.mark.parametrize("scheme", ["", ":", "x", "X:", "x1:", "x:y", "abcdefghi:"])
def test_wrong_schemes_are_refused(engine, tables, scheme):
    table = packed(tables, "rfc1738", "mailtourl")
    with pytest.raises(ValueError, match="no place for"):
        engine.Reader(table, None, choices={scheme: engine.Reader(table, None)})


def test_a_scheme_of_small_letters_with_its_colon_chooses_a_reader(engine, tables):
    table = packed(tables, "rfc1738", "mailtourl")
    reader = engine.Reader(table, None, choices={"mailto:": engine.Reader(table, None)})
    assert reader.accepts("mailto:a@b")


def test_a_reader_has_one_scheme(engine, tables):
    """The scheme is skipped: with another one the reader would begin at a wrong place."""
    table = packed(tables, "rfc1738", "mailtourl")
    reader = engine.Reader(table, None)
    engine.Reader(table, None, choices={"mailto:": reader})
    with pytest.raises(ValueError, match="no place for 'x:'"):
        engine.Reader(table, None, choices={"x:": reader})
    assert reader.accepts("mailto:a@b") is True
    assert reader.accepts("x:") is False


@pytest.mark.parametrize("scheme", specification("rfc1738").schemes)
def test_a_scheme_writes_slots_at_its_first_character_and_at_its_colon(scheme):
    """The engine therefore skips the characters between them (`skip` in `_native.c`)."""
    table = split_table("rfc1738", specification("rfc1738").schemes[scheme])
    state = table.start
    stores = []
    for char in f"{scheme}:":
        kind = table.classes[ord(char)]
        stores.append(table.stores[state][kind])
        state = table.table[state][kind]
    assert state != SINK
    assert set(stores[1:-1]) == {DISCARD}


#: A function that damages the installation in a folder, and how `unused_reason` says what is wrong then.
INSTALLATIONS = {
    "whole": (lambda _: None, ""),
    "no-tables": (lambda folder: (folder / native.TABLES).unlink(), "tables.bin'"),
    "tables-are-a-folder": (lambda folder: replace_by_folder(folder / native.TABLES), "tables.bin'"),
    "no-content": (lambda folder: edit(folder / native.TABLES, lambda octets: octets[:0]), "is damaged"),
    "cut-in-the-head": (
        lambda folder: edit(folder / native.TABLES, lambda octets: octets[:200]),
        "is damaged",
    ),
    "cut-in-a-table": (
        lambda folder: edit(folder / native.TABLES, lambda octets: octets[:-1]),
        "is damaged",
    ),
    "older-tables": (
        lambda folder: edit(folder / native.TABLES, lambda octets: b"1-0" + octets[3:]),
        "other code",
    ),
    "newer-code": (
        lambda folder: edit(folder / "splitting.py", lambda octets: octets + b"#"),
        "other code made it",
    ),
    "newer-source": (
        lambda folder: edit(folder / "_native.c", lambda octets: octets + b"/**/"),
        "other code made it",
    ),
    "older-engine": (
        lambda folder: edit(
            folder / "_native.abi3.so", lambda octets: octets.replace(DIGEST, b"1" * len(DIGEST))
        ),
        "it was compiled from another _native.c",
    ),
    "no-source": (lambda folder: (folder / "_native.c").unlink(), "other code made it"),
    "no-engine": (lambda folder: (folder / "_native.abi3.so").unlink(), ""),
    "empty-engine": (
        lambda folder: edit(folder / "_native.abi3.so", lambda octets: octets[:0]),
        "_native.abi3.so: ",
    ),
}
DIGEST = native.source_digest().encode()
_ASKED = """
import urloracle
from urloracle import native
print(urloracle.engine(), type(urloracle.parse).__name__, native.unused_reason(), sep="|")
print(urloracle.parse("http://u@h:1/p?q", "rfc3986"))
try:
    urloracle.validate("http://h/ ", "rfc1808")
except urloracle.InvalidURL as problem:
    print(problem.position, urloracle.resolve("http://a/b", "../c", "rfc2396").text)
"""


def edit(file: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the content of a file, which must then be another."""
    before = file.read_bytes()
    file.write_bytes(change(before))
    assert file.read_bytes() != before


def replace_by_folder(file: Path) -> None:
    """Put an empty folder in the place of a file."""
    file.unlink()
    file.mkdir()


class Installation(NamedTuple):
    """The lines that a process of an installation prints: engine, type of `parse`, reason, and answers."""

    name: str
    engine: str
    type_of_parse: str
    reason: str
    answers: list[str]


@pytest.fixture(scope="module", params=INSTALLATIONS)
def installation(request, tmp_path_factory, engine, tables):
    """A process of an installation, as after a change in an editable installation."""
    folder = tmp_path_factory.mktemp("installation")
    package = folder / "urloracle"
    shutil.copytree(
        SOURCE.parent, package, ignore=shutil.ignore_patterns("__pycache__", "*.so", native.TABLES)
    )
    shutil.copy(engine.__file__, package / "_native.abi3.so")
    (package / native.TABLES).write_bytes(tables)
    change, _ = INSTALLATIONS[request.param]
    change(package)
    environment = {**os.environ, "PYTHONPATH": str(folder), "URLCONFORM_PURE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", _ASKED], env=environment, capture_output=True, text=True, check=True
    )
    first, *answers = done.stdout.splitlines()
    return Installation(request.param, *first.split("|"), answers)


def test_only_a_whole_installation_uses_the_engine(installation):
    assert (installation.engine == "native") == (installation.name == "whole")


def test_an_installation_says_why_it_does_not_use_the_engine(installation):
    _, words = INSTALLATIONS[installation.name]
    assert words in installation.reason
    assert bool(installation.reason) == bool(words)


#: Installations that do not even enter the engine: it is missing, damaged, or of another source.
NOT_ENTERED = {"newer-source", "older-engine", "no-source", "no-engine", "empty-engine"}


def test_an_engine_that_is_not_of_its_source_is_not_entered(installation):
    """Then `parse` is a function of Python; otherwise it is of a type of the engine."""
    assert (installation.type_of_parse == "function") == (installation.name in NOT_ENTERED)


def test_every_installation_gives_the_right_answers(installation):
    assert installation.answers == [str(parse("http://u@h:1/p?q", "rfc3986")), "9 http://a/../c"]
