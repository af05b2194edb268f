"""Faults planted in the engine and in the packing of its tables change an answer, or make a call fail."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from urloracle import splitting
from urloracle.automata import packed as packing
from urloracle.rfcs import SPECIFICATIONS, specification

from ...oracle.automata.test_packed import assert_same_splits, assert_same_states  # noqa: TID252 - tests are not an installed package
from .conftest import SOURCE, answers, compiled, entered, pairs_for, resolutions, running
from .entering import loaded
from .odd_calls import Text, outcomes, with_changed_methods, with_other_methods
from .test_differential import StandIn
from .test_tables import DAMAGES, DAMAGES_OF_RANGES, RULES, damaged, packed

#: Faults of `_native.c`: a piece of its text, and the text in its place.
ENGINE = {
    "run-that-ends-too-early": (
        ": next - 1 - text.bytes;",
        ": next - 1 - text.bytes - (*state == 5);",
    ),
    "run-beyond-ascii-that-ends-too-late": (
        "    return next - text.bytes;",
        "    return next - text.bytes + (*state == 5);",
    ),
    "run-that-ends-beyond-ascii": ("while (*next >= ASCII) {", "while (0) {"),
    "store-beyond-ascii-too-late": (
        "(int32_t)(next - text.bytes);\n            *state",
        "(int32_t)(next - text.bytes) + 1;\n            *state",
    ),
    "verdict-of-a-prefix": ("length == text.length && table", "length >= 0 && table"),
    "every-state-accepts": ("Ref(table->accepting[state] ?", "Ref((state || table->accepting[state]) ?"),
    "offset-of-the-next": ("(Text){text.bytes, length}", "(Text){text.bytes, length + 1}"),
    "store-too-late": ("(int32_t)(next - text.bytes) - 1;", "(int32_t)(next - text.bytes);"),
    "store-of-the-second-byte": ("(next - text.bytes); /* of its", "(next - text.bytes) + 1; /* of its"),
    "offset-in-bytes": ("count_characters((Text){text.bytes, length})", "length"),
    "character-that-stays": ("next += bytes;", "next += bytes - 1;"),
    "two-bytes-for-three": ("*bytes < 0xE0 ? 2", "*bytes < 0xE1 ? 2"),
    "three-bytes-for-four": ("*bytes < 0xF0 ? 3", "*bytes < 0xF1 ? 3"),
    "range-without-its-last": ("if (code <= automaton->ranges", "if (code < automaton->ranges"),
    "range-without-its-first": ("[index].first <= code;", "[index].first < code;"),
    "places-of-bytes": ("if (text.length == PyUnicode_GetLength(object)) return;", "return;"),
    "places-that-only-grow": ("count -= begins_character(text.bytes[place - 1])", "count -= 0"),
    "no-end": ("slots[END] = (int32_t)text.length;", "slots[END] = (int32_t)text.length - 1;"),
    "slots-not-cleared": ("memset(slots, -1, sizeof slots);", "memset(slots, 0, sizeof slots);"),
    "split-of-a-prefix": ("if (length != text.length || !*final++)", "if (!*final++)"),
    "offsets-forgotten": (" + table->offsets[index]), slots", "), slots"),
    "empty-is-absent": ("span.begin > span.end; }", "span.begin >= span.end; }"),
    "schemes-not-folded": ("beginning(text) | 0x2020202020202020;", "beginning(text);"),
    "scheme-by-its-beginning": (" && text.bytes[choice->length] == ':')", ")"),
    "scheme-read-again": ("text.bytes + automaton->skipped;", "text.bytes;"),
    "skipped-scheme-is-absent": ("    slots[automaton->first] = 0;\n", ""),
    "scheme-that-begins-too-late": ("automaton->skipped++ == 0", "automaton->skipped++ == 1"),
    "first-component-of-another": ("((name ^ recent->name) & recent->mask) == 0", "1"),
    "same-end-is-the-same": ("span.begin != last.begin || span.end != last.end", "span.end != last.end"),
    # the spans are cleared, because those of an invalid text were never written
    "view-of-an-invalid-text": (
        "if (!split(table, text, view->spans)) {",
        "if (!split(table, text, view->spans) && !memset(view->spans, 0, sizeof view->spans)) {",
    ),
    "view-of-another-text": (
        "return is_absent(span) ? Py_NewRef",
        "return span.begin >= span.end ? Py_NewRef",
    ),
    "2a-not-applied": ('begins(in, end, ".") || begins(in, end, "..")', 'begins(in, end, ".")'),
    "2b-not-applied": ('dots || begins(in, end, "/.")', "dots"),
    "2c-keeps-the-segment": ("while (dots && out > path) dots", "while (0 && out > path) dots"),
    "2c-keeps-no-slash": ("            if (in == end) *--in = '/';\n", ""),
    "2d-keeps-the-rest": ("while (in < end && *in++ != '/') continue;", "in = end;"),
    "segment-by-its-beginning": ("(end - path == size || path[size] == '/')", "true"),
    "dots-after-dots": ("out > first && !after_dots", "out > first"),
    "no-slash-after-an-authority": ('target->literal ? (Text){(const uint8_t *)"/", 1} : path', "path"),
    "two-slashes-unguarded": ('!memcmp(target->path, "//", 2))', "0)"),
    "not-normalized-base": ("if (target->unchanged && target->end_of_path != target->end) return false;", ""),
    "query-of-the-base": ("parts[QUERY].bytes == NULL ? base[QUERY] : parts[QUERY];", "base[QUERY];"),
    "same-scheme-is-absolute": (
        "    if (parts[SCHEME].bytes != NULL) return !same_scheme(parts[SCHEME], base[SCHEME]);",
        "    if (parts[SCHEME].bytes != NULL) return true;",
    ),
    "loophole-forgotten": (
        "        return !same_scheme(parts[SCHEME], base[SCHEME]);\n    }",
        "        return true;\n    }",
    ),
    "case-of-schemes": (
        "!PyOS_mystrnicmp((char *)one.bytes, (char *)other.bytes,",
        "!memcmp(one.bytes, other.bytes,",
    ),
    "not-the-same-document": ("target->same_document ? Py_True : Py_False", "Py_False"),
    "opaque-base-has-a-path": (
        "if (base[AUTHORITY].bytes == NULL && !is_rooted(base[PATH])) return false;",
        "",
    ),
    "no-choice-of-step-6g": ("    target->excess = true;\n", ""),
    "excess-without-a-slash": ("        if (begin == end) *--begin = '/';\n", ""),
    "no-literal-alternative": (
        "target->literal = base[AUTHORITY].bytes != NULL && base",
        "target->literal = 0 && base",
    ),
    "literal-under-rfc3986": ("    target->literal = false; /*", "    /*"),
    "literal-with-a-slash": ("    other.before.length = 0;\n", ""),
    "empty-net-loc-inherits": (
        "bool inherited = parts[AUTHORITY].bytes == NULL, other",
        "bool inherited = parts[AUTHORITY].length == 0, other",
    ),
    "empty-parts-kept": (
        "if (part != PATH && parts[part].bytes != NULL && parts[part].length == 0) return false;",
        ";",
    ),
    "params-not-inherited": ("parts[PARAMS].length > 0 ? parts[PARAMS] : base[PARAMS];", "parts[PARAMS];"),
    "path-of-params": ("        if (other && base[PATH].length == 0) merge(target, base);\n", ""),
    "names-ignored": ("bool usual = names == NULL && count", "bool usual = count"),
    "count-ignored": ("count == self->count;", "count >= self->count && (count = self->count);"),
    "other-methods-called": ("PyCFunction_GetFlags(found) != flags", "0"),
    "method-of-another-specification": ("if (specification == kept[RECENT] &&", "if (kept[RECENT] &&"),
    "method-that-was-removed": ("PyDict_Size(self->methods) == self->size", "1"),
    "method-before-python-was-asked": ("self->size = -1;", ""),
    "names-lost": (
        "PyObject_Call(self->function, values, named)",
        "PyObject_Call(self->function, values, NULL)",
    ),
    "refusal-is-none": (
        "if (answer != NULL && answer != Py_None && !PyBool_Check(answer))",
        "if (answer != NULL)",
    ),
    "verdict-is-returned": (
        "if (answer == Py_True) return Py_NewRef(Py_None);",
        "if (answer == Py_True) return answer;",
    ),
}

#: Faults of `packed.py`, in the same way.
PACKING = {
    "verdicts-shifted": ("bytes(state in automaton.accepting", "bytes(state + 1 in automaton.accepting"),
    "sink-loops": ("if state == SINK:", "if state < SINK:"),
    "other-start": ("automaton.start,\n", "automaton.start + 1,\n"),
    "finals-shifted": ("bytes((can_end, *final))", "bytes((can_end, *final[1:]))"),
    "offsets-lost": ("bytes(split.offsets)", "bytes(len(split.offsets))"),
    "classes-not-merged": (
        "merged[kind] for kind in class_of_byte",
        "min(kind, 31) for kind in class_of_byte",
    ),
    "every-loop-forgotten": ("return sum(1 << kind", "return 0 * sum(1 << kind"),
}


#: The lengths, arguments and code points that a function returns before and after its method is changed.
CHANGED_RESULTS = [1, ("a", "s"), 97, 98]


class Suite:
    """Fixed questions to an engine, and the answers of Python."""

    def __init__(self, tables: bytes, questions: Any) -> None:
        self.tables = tables
        self.texts = {name: questions(name, 25) for name in SPECIFICATIONS}
        self.expected = list(self.ask(None))

    def ask(self, module: ModuleType | None) -> Generator[Any, None, None]:
        """Yield the answers of an engine, or of Python if the module is None."""
        with running(module, self.tables) as specs:
            for name, spec in specs.items():
                yield answers(spec, self.texts[name])
                if spec.defines("resolve"):
                    yield resolutions(spec, pairs_for(name, 1500))
        with entered(module, self.tables) as operations:
            yield outcomes(operations)
        yield module is None or with_other_methods(module)
        # Python makes no functions: these are the results that `with_changed_methods` has to have
        yield CHANGED_RESULTS if module is None else with_changed_methods(module)

    def notices(self, module: ModuleType) -> bool:
        """Return True if an engine answers a question differently, or fails to answer it.

        It is asked no more after the first difference.
        """
        with closing(self.ask(module)) as answers_given:
            try:
                return any(map(operator.ne, answers_given, self.expected))
            except Exception:  # noqa: BLE001 - an answer that is no answer
                return True


@pytest.fixture(scope="module")
def suite(tables, questions):
    """The questions, which are asked of many engines."""
    return Suite(tables, questions)


def test_without_a_fault_the_engine_has_the_answers_of_python(suite, engine):
    assert list(suite.ask(engine)) == suite.expected


def changed(source: str, before: str, after: str) -> str:
    """Return a source with a piece of it replaced, which must occur once."""
    assert source.count(before) == 1, f"{before!r} occurs {source.count(before)} times"
    return source.replace(before, after)


def faulty_engine(folder: Path, before: str, after: str) -> ModuleType:
    """Return the engine with a fault, compiled into a folder."""
    source = changed(SOURCE.read_text(encoding="utf-8"), before, after)
    return loaded(compiled(folder, source, "-O0", "-Wno-error"))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", ENGINE)
def test_a_fault_planted_in_the_engine_is_noticed(tmp_path, suite, name):
    assert suite.notices(faulty_engine(tmp_path, *ENGINE[name]))


def test_an_engine_that_reads_subclasses_of_str_itself_is_noticed(tmp_path, tables):
    """Python gives the same answers, so the questions of the suite do not notice it."""
    module = faulty_engine(tmp_path, "if (!PyUnicode_CheckExact(object)) return 0;", "")
    reader = module.Reader(packed(tables, "rfc3986", "URI-reference"), StandIn())
    assert reader.accepts(Text("http://h/")) is True  # not the answer of the stand-in


#: For damages of `DAMAGES` the check that finds each: a piece of `_native.c`, and what replaces it.
CHECKS = {
    "class-out-of-range": ("classes[byte] >= CLASSES ||", ""),
    "class-of-zero": ("(byte == 0 || byte >= ASCII)", "byte >= ASCII"),
    "state-out-of-range": ("cell.next >> 8 >= count || (cell", "(cell"),
    "slot-out-of-range": ("(cell.next & 0xFF) >= slots ||", ""),
    "final-out-of-range": ("if (table->finals[place] >= (place", "if (0 && (place"),
    "other-size": ("header[SIZE] != (uint64_t)size ||", ""),
    "start-out-of-range": ("return start < count;", "return true;"),
    "no-components": ("!header[WIDTH] != !splits ||", ""),
    "many-slots": ("header[USED_SLOTS] > SLOTS ||", ""),
}


#: The same for damages of `DAMAGES_OF_RANGES`.
CHECKS_OF_RANGES = {
    "range-of-ascii": ("range.first <= before ||", ""),
    "range-before-the-former": ("range.first <= before ||", ""),
    "range-that-ends-before-it-begins": ("range.last < range.first ||", ""),
    "class-of-range-out-of-bounds": ("kind >= CLASSES ||", ""),
    "split-class-of-range-out-of-bounds": ("kind >= CLASSES ||", ""),
    "third-class-of-range": ("|| range.classes >> 16)", ")"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CHECKS_OF_RANGES)
def test_an_engine_without_a_check_of_ranges_accepts_a_damaged_table(tmp_path, tables, name):
    source = changed(SOURCE.read_text(encoding="utf-8"), *CHECKS_OF_RANGES[name])
    module = loaded(compiled(tmp_path, source, "-O0", "-Wno-error"))
    table = damaged(packed(tables, "rfc3987", "IRI-reference"), *DAMAGES_OF_RANGES[name])
    assert isinstance(module.Reader(table, None), module.Reader)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CHECKS)
def test_an_engine_without_a_check_accepts_a_damaged_table(tmp_path, tables, name):
    module = faulty_engine(tmp_path, *CHECKS[name])
    table = damaged(packed(tables, "rfc1738", "mailtourl"), *DAMAGES[name])
    assert isinstance(module.Reader(table, None), module.Reader)


@pytest.mark.parametrize("name", PACKING)
def test_a_fault_planted_in_the_packing_is_noticed_in_the_table_of_some_rule(engine, name):
    source = changed(Path(packing.__file__).read_text(encoding="utf-8"), *PACKING[name])
    names: dict[str, Any] = {"__name__": "faulty"}
    exec(compile(source, "<planted fault>", "exec"), names)
    assert any(is_wrong_table(names["pack"], engine, spec, rule) for spec, rule in RULES)


def is_wrong_table(pack: Callable[..., bytes], engine: ModuleType, spec: str, rule: str) -> bool:
    """Return True if a table cannot be packed, has other states or other bytes, or is refused by the engine.

    A forgotten loop, which only costs time, shows in the bytes alone.
    """
    automaton = specification(spec).languages[rule].automaton
    split = splitting.split_table(spec, rule)
    try:
        table = pack(automaton, split)
        unpacked, unpacked_split = packing.unpack(table, split.components)
        assert_same_states(unpacked, automaton)
        assert_same_splits(unpacked_split, split)
        engine.Reader(table, None)
    except (AssertionError, ValueError, IndexError):
        return True
    return table != packing.pack(automaton, split)


#: A program that asks a compiled engine all operations, and prints `done` if it gets to its end.
_SANITIZED = """
import sys
from pathlib import Path
library, tables, texts, folder = sys.argv[1:]
sys.path.insert(0, folder)
import odd_calls
from entering import enter_engine, loaded, operations_anew
module = loaded(library)
enter_engine(module, Path(tables).read_bytes())
operations = operations_anew()
from urloracle.rfcs import SPECIFICATIONS
def tried(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except ValueError:
        pass
for name, rfc in SPECIFICATIONS.items():
    reader = rfc.reader
    for text in Path(texts, name).read_text("utf-8", "surrogatepass").split("\\x1e"):
        reader.accepts(text), reader.offset(text), reader.read(text), repr(reader.view(text))
        if rfc.defines("resolve"):
            for pair in (("http://h/a/b?q", text), (text, "../../g"), (text, text), ("http://h", text)):
                tried(reader.resolve, *pair)
                tried(operations.resolve, *pair, name)
        for call in (operations.validate, operations.parse, operations.view):
            tried(call, text, name), tried(call, text, spec=name)
odd_calls.outcomes(operations), odd_calls.with_other_methods(module), odd_calls.with_changed_methods(module)
print("done")
"""


@pytest.mark.long
def test_sanitizers_find_nothing(tmp_path, tables, questions):
    """AddressSanitizer and UndefinedBehaviorSanitizer watch members, near misses, odd texts and odd calls."""
    flags = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    path = compiled(tmp_path, SOURCE.read_text(encoding="utf-8"), *flags)
    process = subprocess.run(
        ["cc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    )
    (tmp_path / "tables").write_bytes(tables)
    for name in SPECIFICATIONS:
        texts = questions(name, 1500)
        (tmp_path / name).write_bytes("\x1e".join(texts).encode("utf-8", "surrogatepass"))
    environment = {
        **os.environ,
        "LD_PRELOAD": process.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
    }
    arguments = (path, tmp_path / "tables", tmp_path, Path(__file__).parent)
    command = [sys.executable, "-c", _SANITIZED, *map(str, arguments)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", done.stderr[-3000:]
    assert done.returncode == 0, done.stderr[-3000:]
