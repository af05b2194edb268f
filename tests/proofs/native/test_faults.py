"""Faults planted in the engine and in the packing are seen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from urloracle import splitting
from urloracle.automata import packed as packing
from urloracle.rfcs import SPECIFICATIONS

from ...oracle.automata.test_packed import assert_same  # noqa: TID252 - tests are not an installed package
from .conftest import SOURCE, answers, compiled, loaded, pairs, resolutions, running
from .test_tables import DAMAGES, RULES, damaged, packed

#: What is changed in `_native.c`.
ENGINE = {
    "run-that-ends-too-late": (
        "    }\n    return next ==",
        "        next += state == 5;\n    }\n    return next ==",
    ),
    "verdict-of-a-prefix": (" == text.length && table->accepting[last]", " >= 0 && table->accepting[last]"),
    "every-state-accepts": ("&& table->accepting[last];", "&& (last || table->accepting[last]);"),
    "offset-of-the-next": (": next - 1 - text.bytes;\n}", ": next - text.bytes;\n}"),
    "store-too-late": ("(int32_t)(next - text.bytes) - 1;", "(int32_t)(next - text.bytes);"),
    "no-end": ("slots[END] = (int32_t)text.length;", "slots[END] = (int32_t)text.length - 1;"),
    "slots-not-cleared": ("memset(slots, -1, sizeof slots);", "memset(slots, 0, sizeof slots);"),
    "split-of-a-prefix": ("if (next - 1 - text.bytes != text.length || !*final++)", "if (!*final++)"),
    "offsets-forgotten": (" + table->offsets[index]), slots", "), slots"),
    "empty-is-absent": ("span.begin > span.end; }", "span.begin >= span.end; }"),
    "schemes-not-folded": ("beginning(text) | 0x2020202020202020;", "beginning(text);"),
    "scheme-by-its-beginning": (
        " && text.bytes[choice->length] == ':')",
        ")",
    ),
    "first-component-of-another": ("((name ^ recent->name) & recent->mask) != 0", "0"),
    "same-end-is-the-same": (
        "span.begin != last.begin || span.end != last.end",
        "span.end != last.end",
    ),
    "view-of-another-text": ("return is_absent(span) ?", "return span.begin >= span.end ?"),
    "2a-not-applied": ('if (starts_with(in, end, "../")) /* 2A */', "if (0)"),
    "2c-keeps-the-segment": ("while (dots && out > path) dots", "while (0 && out > path) dots"),
    "2d-not-applied": (
        'is_equal(in, end, ".") || is_equal(in, end, "..")) /* 2D */',
        'is_equal(in, end, ".")) /* 2D */',
    ),
    "dots-after-dots": ("out > first && !after_dots", "out > first"),
    "no-slash-after-an-authority": ("authority.bytes != NULL && base[PATH].length == 0", "0"),
    "two-slashes-unguarded": (
        'if (authority.bytes == NULL && starts_with(begin, end, "//")) return false;',
        "",
    ),
    "query-of-the-base": ("query = query.bytes == NULL ? base[QUERY] : query;", "query = base[QUERY];"),
    "same-scheme-is-absolute": ("return !same_scheme(reference[SCHEME], base[SCHEME]);", "return true;"),
    "not-the-same-document": ("target->same_document ? Py_True : Py_False", "Py_False"),
    "no-choice-of-step-6g": ("target->after_excess > target->excess", "0"),
    "empty-net-loc-inherits": (
        "bool inherited = net_loc.bytes == NULL, relative",
        "bool inherited = net_loc.length == 0, relative",
    ),
    "empty-parts-kept": ("if (parts[index].bytes != NULL && parts[index].length == 0) return false;", ";"),
    "params-not-inherited": ("params = params.length > 0 ? params : base[PARAMS];", ""),
    "subclass-of-str": ("if (!PyUnicode_CheckExact(object)) return 0;", ""),
}

#: What is changed in `packed.py`.
PACKING = {
    "verdicts-shifted": ("bytes(state in automaton.accepting", "bytes(state + 1 in automaton.accepting"),
    "sink-loops": ("if state and cell == (state, DISCARD)", "if cell == (state, DISCARD)"),
    "other-start": ("automaton.start, *counts", "automaton.start + 1, *counts"),
    "finals-shifted": ("bytes((bool(final), *final))", "bytes((bool(final), *final[1:]))"),
    "offsets-lost": ("bytes(split.offsets)", "bytes(len(split.offsets))"),
    "classes-not-merged": ("merged[kind] for kind in by_byte", "min(kind, 31) for kind in by_byte"),
    "every-loop-forgotten": ("loops.append(sum(1 << kind", "loops.append(0 * sum(1 << kind"),
}


class Suite:
    """The answers of Python to fixed questions."""

    def __init__(self, tables: bytes, questions: Any) -> None:
        self.tables = tables
        self.texts = {name: questions(name, 25) for name in SPECIFICATIONS}
        self.expected = self.ask(None)

    def ask(self, module: ModuleType | None) -> list[Any]:
        with running(module, self.tables) as specs:
            return [
                (answers(spec, self.texts[name]), resolutions(spec, pairs(1500)) if spec.resolver else [])
                for name, spec in specs.items()
            ]


@pytest.fixture(scope="module")
def suite(tables, questions):
    return Suite(tables, questions)


def test_without_a_fault_nothing_is_seen(suite, engine):
    assert suite.ask(engine) == suite.expected


def changed(source: str, before: str, after: str) -> str:
    assert source.count(before) == 1, f"{before!r} occurs {source.count(before)} times"
    return source.replace(before, after)


@pytest.mark.parametrize("name", ENGINE)
def test_planted_fault_in_the_engine(tmp_path, suite, tables, name):
    source = changed(SOURCE.read_text(encoding="utf-8"), *ENGINE[name])
    module = loaded(compiled(tmp_path, source, "-O0", "-Wno-error"))
    if name == "subclass-of-str":
        from .test_differential import Text, asked

        reader = module.Reader(packed(tables, "rfc3986", "URI-reference"), asked())
        assert reader.accepts(Text("http://h/")) is True
        return
    try:
        seen = suite.ask(module) != suite.expected
    except Exception:  # noqa: BLE001 - an answer that is no answer
        seen = True
    assert seen


#: A check of tables that is left out, and the damage that it finds.
CHECKS = {
    "class-out-of-range": ("classes[byte] >= CLASSES ||", ""),
    "class-of-zero": ("(byte == 0 || byte >= 128)", "byte >= 128"),
    "state-out-of-range": ("cell >> 8 >= count || (cell", "(cell"),
    "slot-out-of-range": ("(cell & 0xFF) >= slots ||", ""),
    "final-out-of-range": ("if (table->finals[place] >= (place", "if (0 && (place"),
    "other-size": ("header[SIZE] != (uint64_t)size ||", ""),
    "start-out-of-range": ("return start < count;", "return true;"),
    "no-components": ("!header[WIDTH] != !split_states ||", ""),
    "many-slots": ("header[USED_SLOTS] > SLOTS ||", ""),
}


@pytest.mark.parametrize("name", CHECKS)
def test_planted_fault_in_the_checks(tmp_path, tables, name):
    """A check that is left out lets a damaged table in."""
    source = changed(SOURCE.read_text(encoding="utf-8"), *CHECKS[name])
    module = loaded(compiled(tmp_path, source, "-O0", "-Wno-error"))
    table = damaged(packed(tables, "rfc1738", "mailtourl"), *DAMAGES[name])
    assert isinstance(module.Reader(table, None), module.Reader)


@pytest.mark.parametrize("name", PACKING)
def test_planted_fault_in_the_packing(monkeypatch, engine, name):
    """The comparison state by state sees it, or the checks, or for a forgotten loop that the bytes differ."""
    source = changed(Path(packing.__file__).read_text(encoding="utf-8"), *PACKING[name])
    names: dict[str, Any] = {"__name__": "faulty"}
    exec(compile(source, "<planted fault>", "exec"), names)
    seen = 0
    for spec, rule in RULES:
        automaton, split = SPECIFICATIONS[spec].languages[rule].automaton, splitting.split_table(spec, rule)
        try:
            table = names["pack"](automaton, split)
            assert_same(table, automaton, split)
            engine.Reader(table, None)
            assert table == packing.pack(automaton, split)
        except (AssertionError, ValueError, IndexError):
            seen += 1
    assert seen


_SANITIZED = """
import importlib.util, sys
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from urloracle import native
loader = ExtensionFileLoader("urloracle._native", sys.argv[1])
spec = importlib.util.spec_from_file_location("urloracle._native", sys.argv[1], loader=loader)
module = importlib.util.module_from_spec(spec)
loader.exec_module(module)
engine = native._engine_of(module, Path(sys.argv[2]).read_bytes())
native._engine = lambda: engine
from urloracle.rfcs import SPECIFICATIONS
for name, rfc in SPECIFICATIONS.items():
    reader = rfc._reader
    for text in Path(sys.argv[3], name).read_text("utf-8", "surrogatepass").split("\\x1e"):
        reader.accepts(text), reader.offset(text), reader.read(text), repr(reader.view(text))
        if rfc.resolver:
            for given in (("http://h/a/b?q", text), (text, "../../g"), (text, text)):
                try:
                    reader.resolve(*given)
                except ValueError:
                    pass
print("done")
"""


@pytest.mark.long
def test_sanitizers_find_nothing(tmp_path, tables, questions):
    """Members, near misses, odd texts and resolutions, under ASan and UBSan."""
    flags = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    path = compiled(tmp_path, SOURCE.read_text(encoding="utf-8"), *flags)
    found = subprocess.run(["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    (tmp_path / "tables").write_bytes(tables)
    for name in SPECIFICATIONS:
        texts = questions(name, 1500)
        (tmp_path / name).write_bytes("\x1e".join(texts).encode("utf-8", "surrogatepass"))
    environment = {
        **os.environ,
        "LD_PRELOAD": found.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
    command = [sys.executable, "-c", _SANITIZED, str(path), str(tmp_path / "tables"), str(tmp_path)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr[-3000:]
