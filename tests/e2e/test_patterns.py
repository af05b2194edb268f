"""Patterns in the real engine of each flavour: the texts of the complete tier, hostile texts, groups.

A program of `patterns/` reads the pattern in the first line, and in each other line a text as hexadecimal
digits of UTF-8 after a hyphen. It prints a line for each text: a JSON array of the groups, or null.
"""

from __future__ import annotations

import ctypes
import json
import re
import shutil
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from urlharness.corpus.specifications import SPECS
from urlharness.generate.tiers import Part, suite_texts
from urlharness.patterns.export import export_pattern
from urlharness.patterns.flavours import CannotSay
from urloracle.rfcs import SPECIFICATIONS

PROGRAMS = Path(__file__).parent / "patterns"
#: The flavours with the commands of their programs. RE2 is asked by the module `re2` of Python.
COMMANDS = {
    "ecmascript": ["node", str(PROGRAMS / "match.js")],
    "json-schema": ["node", str(PROGRAMS / "match.js"), "u"],
    "java": ["java", str(PROGRAMS / "Match.java")],
    "go": ["go", "run", str(PROGRAMS / "match.go")],
    "pcre2": ["php", str(PROGRAMS / "match.php")],
}
ENGINES = [*COMMANDS, "rust", "re2"]
#: The length of hostile texts in characters.
HOSTILE_LENGTH = 1_000_000
#: A quadratic match of a hostile text takes hours.
SECONDS = 300

SUITES = [(facts.id, rule) for facts in SPECS.values() for rule in facts.suites]
ROWS = [(*suite, engine) for suite in SUITES for engine in ENGINES]


def marks_of(engine):
    """Return the marks of a test of an engine: cargo compiles the crate regex in more than a minute."""
    return [pytest.mark.long] if engine == "rust" else []


@pytest.fixture(scope="session")
def rust_program(tmp_path_factory):
    """The program in Rust, or a skip if it cannot be built here."""
    if shutil.which("cargo") is None:
        pytest.skip("cargo is not installed")
    project = tmp_path_factory.mktemp("rust")
    shutil.copytree(PROGRAMS / "rust", project, dirs_exist_ok=True)
    fetched = subprocess.run(
        ["cargo", "fetch", "--quiet"], cwd=project, capture_output=True, text=True, check=False
    )
    if fetched.returncode:
        pytest.skip(f"the crate regex cannot be had: {fetched.stderr}")
    built = subprocess.run(
        ["cargo", "build", "--release", "--quiet"], cwd=project, capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    return [str(project / "target" / "release" / "match")]


@pytest.fixture
def ask(request):
    """Return a function that asks an engine about texts: for each a list of groups, or None if it fails."""

    def ask_program(engine, pattern, texts):
        if engine == "re2":
            re2 = pytest.importorskip("re2", reason="the module re2 is not installed")
            matches = [re2.search(pattern, text) for text in texts]
            return [None if match is None else list(match.groups()) for match in matches]
        if engine == "rust":
            command = request.getfixturevalue("rust_program")
        else:
            command = COMMANDS[engine]
            if shutil.which(command[0]) is None:
                pytest.skip(f"{command[0]} is not installed")
        lines = [pattern, *(f"-{text.encode().hex()}" for text in texts)]
        questions = "".join(f"{line}\n" for line in lines)
        done = subprocess.run(
            command, input=questions.encode(), capture_output=True, timeout=SECONDS, check=False
        )
        assert done.stderr == b""
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask_program


def is_text(text):
    """Return whether a text is valid UTF-8; bytes that are none are half of a character."""
    return not any("\ud800" <= char <= "\udfff" for char in text)


def tier_texts(spec_id, rule):
    """Return the texts of the complete tier, and some of them with a line feed before or after them."""
    texts = list(filter(is_text, suite_texts(Part("complete", spec_id, rule))))
    some = list(islice(texts, 0, None, 40))
    return list(dict.fromkeys([*texts, *(f"{text}\n" for text in some), *(f"\n{text}" for text in some)]))


@pytest.mark.sampled(keep="rfc3986-URI-reference")
@pytest.mark.parametrize(
    ("spec_id", "rule", "engine"),
    [pytest.param(*row, id="-".join(row), marks=marks_of(row[-1])) for row in ROWS],
)
def test_an_engine_matches_the_texts_of_the_complete_tier(ask, spec_id, rule, engine):
    spec = SPECIFICATIONS[spec_id]
    accepts = spec.languages[rule].accepts
    texts = tier_texts(spec_id, rule)
    answers = ask(engine, export_pattern(spec, rule, engine).pattern, texts)
    wrong = [
        text for text, groups in zip(texts, answers, strict=True) if (groups is not None) != accepts(text)
    ]
    assert wrong == []


def numbers_of_groups(pattern):
    """Return the numbers of named groups by their names."""
    names = re.findall(r"\(\?P?<([a-zA-Z]\w*)>", pattern)
    return {name: number for number, name in enumerate(names)}


@pytest.mark.parametrize(
    "engine", [pytest.param(engine, marks=marks_of(engine)) for engine in ENGINES if engine != "json-schema"]
)
def test_the_groups_of_an_engine_are_the_components(ask, engine):
    spec = SPECIFICATIONS["rfc3986"]
    exported = export_pattern(spec, "URI-reference", engine, with_groups=True)
    numbers = numbers_of_groups(exported.pattern)
    texts = [text for text in tier_texts("rfc3986", "URI-reference") if spec.accepts(text)]
    for text, groups in zip(texts, ask(engine, exported.pattern, texts), strict=True):
        parsed = spec.asdict(spec.parse(text))
        for component, names in exported.groups.items():
            matched = [groups[numbers[name]] for name in names if groups[numbers[name]] is not None]
            assert matched == ([] if parsed[component] is None else [parsed[component]]), text


#: The flag by which `regcomp` reads extended expressions. Without REG_NEWLINE, `$` is the end of the text.
REG_EXTENDED = 1
#: Every C library has a smaller `regex_t`.
SIZE_OF_REGEX = 1024


def posix_groups(pattern, texts, count):
    """Return the first groups that `regexec` of the C library finds in each text, or None."""
    if sys.platform != "linux":
        pytest.skip("regmatch_t is another type here")
    library = ctypes.CDLL(None)
    regex = ctypes.create_string_buffer(SIZE_OF_REGEX)
    assert library.regcomp(regex, pattern.encode(), REG_EXTENDED) == 0
    answers = []
    for text in texts:
        offsets = (ctypes.c_int * 2 * (count + 1))()
        is_match = library.regexec(regex, text.encode(), count + 1, offsets, 0) == 0
        groups = [text[begin:end] if begin >= 0 else None for begin, end in offsets[1:]]
        answers.append(groups if is_match else None)
    library.regfree(regex)
    return answers


def test_the_groups_of_posix_are_the_components():
    spec = SPECIFICATIONS["rfc3986"]
    exported = export_pattern(spec, "URI", "posix", with_groups=True)
    count = max(int(number) for names in exported.groups.values() for number in names)
    texts = [text for text in tier_texts("rfc3986", "URI") if text.isascii() and "\0" not in text][::10]
    assert texts
    for text, groups in zip(texts, posix_groups(exported.pattern, texts, count), strict=True):
        assert (groups is not None) == spec.languages["URI"].accepts(text), text
        if groups is None:
            continue
        parsed = spec.asdict(spec.parse(text, "URI"))
        for component, names in exported.groups.items():
            matched = [groups[int(name) - 1] for name in names if groups[int(name) - 1] is not None]
            assert matched == ([] if parsed[component] is None else [parsed[component]]), text


def grep(option, pattern, texts):
    """Return the texts that grep finds; they have no NUL, which separates them."""
    done = subprocess.run(
        ["grep", "-zn", option, "-e", pattern],
        input="".join(f"{text}\0" for text in texts).encode(),
        env={"LC_ALL": "C.UTF-8" if option == "-P" else "C", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    if b"compiled without support" in done.stderr or b"not supported" in done.stderr:
        pytest.skip(done.stderr.decode())
    assert done.stderr == b""
    numbers = [int(record.partition(b":")[0]) for record in done.stdout.split(b"\0") if record]
    return [texts[number - 1] for number in numbers]


@pytest.mark.parametrize(("option", "flavour"), [("-P", "pcre2"), ("-E", "posix")])
@pytest.mark.sampled(keep="rfc3986-URI-reference")
@pytest.mark.parametrize(("spec_id", "rule"), [pytest.param(*row, id="-".join(row)) for row in SUITES])
def test_grep_finds_the_texts_of_the_complete_tier(option, flavour, spec_id, rule):
    if shutil.which("grep") is None:
        pytest.skip("grep is not installed")
    spec = SPECIFICATIONS[spec_id]
    try:
        pattern = export_pattern(spec, rule, flavour).pattern
    except CannotSay as limit:
        pytest.skip(str(limit))
    texts = [text for text in tier_texts(spec_id, rule) if "\0" not in text]
    accepts = spec.languages[rule].accepts
    assert grep(option, pattern, texts) == [text for text in texts if accepts(text)]


def test_the_command_can_stand_in_a_command_line(urlconform_process):
    """`grep -P "$(urlconform export regex)"` finds the lines that are references."""
    pattern = urlconform_process("export", "regex").stdout.removesuffix("\n")
    done = subprocess.run(
        ["grep", "-P", pattern],
        input="http://a/\na b\n//[::1]\n",
        capture_output=True,
        text=True,
        check=False,
    )
    if "compiled without support" in done.stderr:
        pytest.skip(done.stderr)
    assert done.stdout == "http://a/\n//[::1]\n"


#: Families of texts that make a matcher try many ways: almost all fail at their last character.
HOSTILE = {
    "one-letter": "a" * HOSTILE_LENGTH,
    "path-that-fails": "a:" + "a" * HOSTILE_LENGTH + " ",
    "host-that-fails": "http://" + "a" * HOSTILE_LENGTH + "^",
    "slashes": "a:" + "/" * HOSTILE_LENGTH + "^",
    "triplets": "a:" + "%41" * (HOSTILE_LENGTH // 3) + "%",
    "at-signs": "a://" + "a@" * (HOSTILE_LENGTH // 2),
    "colons": "a://[" + ":" * HOSTILE_LENGTH,
    "dots": "a://" + "1." * (HOSTILE_LENGTH // 2) + "^",
    "segments": "a:" + "/a%41b" * (HOSTILE_LENGTH // 6) + "##",
    "query": "a:?" + "/?" * (HOSTILE_LENGTH // 2) + "##",
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec_id", "rule", "engine"), [pytest.param(*row, id="-".join(row)) for row in ROWS]
)
def test_an_engine_answers_hostile_texts(ask, spec_id, rule, engine):
    spec = SPECIFICATIONS[spec_id]
    accepts = spec.languages[rule].accepts
    exported = export_pattern(spec, rule, engine)
    if exported.complexity.endswith("for each repetition of a group"):
        pytest.skip(exported.complexity)
    answers = ask(engine, exported.pattern, HOSTILE.values())
    wrong = [
        name
        for (name, text), groups in zip(HOSTILE.items(), answers, strict=True)
        if (groups is not None) != accepts(text)
    ]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize(("spec_id", "rule"), SUITES)
def test_python_answers_hostile_texts(spec_id, rule):
    spec = SPECIFICATIONS[spec_id]
    regex = re.compile(export_pattern(spec, rule, "python").pattern)
    accepts = spec.languages[rule].accepts
    wrong = [name for name, text in HOSTILE.items() if (regex.search(text) is not None) != accepts(text)]
    assert wrong == []
