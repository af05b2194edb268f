"""Every command that reads a results file, with a file that is cut or damaged: no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from urlharness.exitcodes import Exit
from urlharness.protocol.messages import Implementation
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome

#: The commands that read results; c.jsonl is the cut or damaged file, and whole.jsonl the file before that.
READERS = {
    "report": ("report", "c.jsonl", "--report", "html=o.html", "--report", "junit=o.xml",
               "--report", "markdown=o.md", "--report", "github=o.txt", "--report", "badge=o.json"),
    "report-tables": ("report", "c.jsonl", "--sections", "--components"),
    "compare": ("compare", "--results", "c.jsonl", "--report", "html=o.html", "--report", "csv=o.csv"),
    "compare-one": ("compare", "first", "--results", "c.jsonl"),
    "compare-two": ("compare", "first", "second", "--results", "c.jsonl"),
    "history-old": ("compare", "--history", "c.jsonl", "whole.jsonl"),
    "history-new": ("compare", "--history", "whole.jsonl", "c.jsonl"),
    "baseline-create": ("baseline", "create", "c.jsonl", "-a", "first", "-o", "new.json"),
    "baseline-update": ("baseline", "update", "b.json", "c.jsonl", "-a", "first"),
}  # fmt: skip

#: The lines of the file.
LINES = ("header", "vector", "first library", "its case", "second library", "its case", "footer")

#: The number of whole lines that each command needs: the header, a case of one library or of both, or all.
NEEDED = {
    "report": 1,
    "report-tables": 1,
    "compare": 4,
    "compare-one": 4,
    "compare-two": 6,
    "history-old": 4,
    "history-new": 4,
    "baseline-create": 7,
    "baseline-update": 7,
}


def cuts(numbers_of):
    """Return rows with a command, a number of whole lines, and whether a part of the next line follows them.

    `numbers_of` gives the numbers for the number of lines that the command needs.
    """
    rows = []
    for reader, needed in NEEDED.items():
        for number in numbers_of(needed):
            rows.append(pytest.param(reader, number, False, id=f"{reader}-{number}"))
            rows.append(pytest.param(reader, number, True, id=f"{reader}-{number}-and-a-part"))
    return rows


TOO_EARLY = cuts(range)
LATE_ENOUGH = cuts(lambda needed: range(needed, len(LINES)))

#: The number of a line, a text in it, and what replaces it.
DAMAGES = [
    pytest.param(1, '"urlresults-1"', '"urlresults-9"', id="schema"),
    pytest.param(1, '"argv":["run"]', '"argv":5', id="argv"),
    pytest.param(2, '"type":"vector"', '"type":"vectpr"', id="type-of-vector"),
    pytest.param(2, '"op":"parse"', '"op":"pbrse"', id="operation"),
    pytest.param(4, '"first"', '"hirst"', id="library-of-case"),
    pytest.param(4, '"rfc3986-3.3-x"', '"rfc3986-3.3-y"', id="id-of-case"),
    pytest.param(4, '"outcome":"pass"', '"outcome":"past"', id="outcome"),
    pytest.param(4, '"status":"ok"', '"status":7', id="status"),
    pytest.param(4, '"components":{"scheme":"a"}', '"components":["a"]', id="components"),
    pytest.param(4, '"components":{"scheme":"a"}', '"decoded":[]', id="decoded"),
    pytest.param(4, '"components":{"scheme":"a"}', '"urls":["a"]', id="urls"),
    pytest.param(4, '"components":{"scheme":"a"}', '"rules":5', id="rules"),
    pytest.param(4, '"components":{"scheme":"a"}', '"message":[]', id="message"),
    pytest.param(5, '"name":"second"', '"name":"first"', id="library-twice"),
]

#: The same for the footer, whose own bytes have no digest.
FOOTERS = [
    pytest.param('"digest":"', '"digest":"x', id="digest"),
    pytest.param('"counts":{"first"', '"counts":{"hirst"', id="counts"),
    pytest.param('"digest":', '"restarts":{"hirst":1},"digest":', id="restarts"),
    pytest.param('"digest":', '"stopped":{"hirst":1},"digest":', id="stopped"),
]


@pytest.fixture
def whole_file(make_case, record, urlconform_once, tmp_path) -> bytes:
    """Write the results of two libraries to whole.jsonl, and a baseline of the first. Return the results."""
    case = make_case("rfc3986-3.3-x", op="parse", expect={"components": {"scheme": "a"}})
    got = {"status": "ok", "components": {"scheme": "a"}}
    lines = []
    for name in ("first", "second"):
        lines.append(Participant(name, "ran", Implementation(name, "1"), ("parse",), ("rfc3986",)))
        lines.append(Result(case.vector.id, name, Outcome.PASS, got=got))
    record([case], *lines, path=tmp_path / "whole.jsonl")
    content = (tmp_path / "whole.jsonl").read_bytes()
    assert content.count(b"\n") == len(LINES)
    done = urlconform_once("baseline", "create", "whole.jsonl", "-a", "first", "-o", "b.json")
    assert done.returncode == Exit.PASSED
    return content


@pytest.fixture
def assert_refused(urlconform, tmp_path) -> Callable[[str, bytes, int], None]:
    """Return a function that asserts that a command refuses a file and names it with a line."""

    def check(reader: str, content: bytes, number: int) -> None:
        Path(tmp_path, "c.jsonl").write_bytes(content)
        done = urlconform(*READERS[reader])
        assert done.stderr.startswith(f"urlconform: c.jsonl: line {number}: ")
        assert done.stderr.count("\n") == 1
        assert done.returncode == Exit.INVALID_FILE

    return check


@pytest.mark.parametrize("reader", READERS)
def test_a_whole_file_is_accepted_by_every_command(urlconform, whole_file, tmp_path, reader):
    (tmp_path / "c.jsonl").write_bytes(whole_file)
    assert urlconform(*READERS[reader]).returncode == Exit.PASSED


@pytest.fixture
def cut_after(whole_file, tmp_path):
    """Return a function that writes the file with some of its lines, and perhaps a part of the next."""

    def cut(number, inside):
        lines = whole_file.splitlines(keepends=True)
        part = lines[number][: len(lines[number]) // 2] if inside else b""
        (tmp_path / "c.jsonl").write_bytes(b"".join(lines[:number]) + part)

    return cut


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("reader", "number", "inside"), TOO_EARLY)
def test_a_file_that_is_cut_too_early_is_refused_in_one_line(urlconform, cut_after, reader, number, inside):
    cut_after(number, inside)
    done = urlconform(*READERS[reader])
    assert done.stderr.startswith("urlconform: c.jsonl: ")
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("reader", "number", "inside"), LATE_ENOUGH)
def test_a_file_with_the_lines_that_a_command_needs_is_read(urlconform, cut_after, reader, number, inside):
    cut_after(number, inside)
    assert urlconform(*READERS[reader]).returncode == Exit.PASSED


def test_compare_names_the_libraries_without_an_answer(urlconform, cut_after):
    cut_after(LINES.index("second library") + 1, inside=False)
    done = urlconform(*READERS["compare"])
    assert "c.jsonl: The file has no footer" in done.stderr
    assert "There is no answer of second" in done.stderr
    assert done.returncode == Exit.PASSED


@pytest.mark.sampled(8)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("number", "text", "replacement"), DAMAGES)
def test_a_damaged_field_is_named_with_its_line(
    whole_file, assert_refused, reader, number, text, replacement
):
    """The file has no footer, whose digest would show the damage."""
    *lines, _footer = whole_file.decode().splitlines(keepends=True)
    assert text in lines[number - 1]
    lines[number - 1] = lines[number - 1].replace(text, replacement, 1)
    assert_refused(reader, "".join(lines).encode(), number)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(("text", "replacement"), FOOTERS)
def test_a_damaged_footer_is_named_with_its_line(whole_file, assert_refused, reader, text, replacement):
    *lines, footer = whole_file.decode().splitlines(keepends=True)
    assert text in footer
    damaged_footer = footer.replace(text, replacement, 1)
    assert_refused(reader, "".join([*lines, damaged_footer]).encode(), len(LINES))


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_name_of_a_library_is_found_at_its_first_case(whole_file, assert_refused, reader):
    lines = whole_file.decode().splitlines(keepends=True)
    place_of_name = LINES.index("first library")
    assert '"name":"first"' in lines[place_of_name]
    lines[place_of_name] = lines[place_of_name].replace('"name":"first"', '"name":"hirst"', 1)
    assert_refused(reader, "".join(lines).encode(), LINES.index("its case") + 1)
