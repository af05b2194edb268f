"""A terminal of few columns, or of ASCII alone, shows every figure all the same."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from urlharness.report import terminal
from urlharness.results.model import Participant, Result

pytestmark = pytest.mark.once

NAMES = ("reference", "exec:/a/rather/long/command --with --lib=alpha")


def render(results, width: int, encoding: str = "utf-8") -> str:
    octets = io.BytesIO()
    stream = io.TextIOWrapper(octets, encoding, errors="backslashreplace")
    console = Console(
        file=stream, width=width, force_terminal=True, color_system=None, highlight=False, markup=False
    )
    terminal.render(console, results)
    stream.flush()
    return octets.getvalue().decode(encoding)


@pytest.fixture(params=[True, False], ids=["whole", "cut"])
def results(request, make_case, record):
    """1053 vectors in one section, and another with nothing to rate in most columns."""
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(1053)]
    cases.append(make_case("rfc3986-6.2-x", op="parse", expect={"components": {"path": "b"}}))
    cases.append(make_case("rfc3986-6.3-x", expect={"valid": False, "at": 0}))
    cases.append(make_case("rfc3986-3.3-y", expect={"valid": False, "at": 0}))
    found = [Result(case.vector.id, name, "pass") for name in NAMES for case in cases]
    ran = (Participant(name, "ran") for name in NAMES)
    return record(cases, *ran, *found, title="A heading longer than its column", end=request.param)


@pytest.mark.parametrize("width", [20, 22, 25, 30, 35, 39, 40, 41, 47, 60, 80])
def test_no_figure_is_cut(results, width):
    lines = render(results, width).splitlines()
    assert max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert len(re.findall(r"1056 of 1056", text)) == len(NAMES)
    assert not re.search(r"\d…|\.…", text)
    assert len(re.findall(r"\b1\.00", text)) == 2 * len(NAMES)  # of section 3.3, and of all
    figures = "".join(re.findall(r"^[ \d.·-]+$", text, re.MULTILINE)) if width < 40 else text
    assert len(re.findall(r"(?<=\s)100(?=\s|$)", figures + "\n")) >= len(NAMES) * 9 - 1


@pytest.mark.parametrize("width", [20, 30, 39])
def test_figures_stand_below_their_heads(results, width):
    """Of a narrow terminal: the names of the figures are broken where the figures are."""
    lines = [line.rstrip() for line in render(results, width).splitlines()]
    start = next(number for number, line in enumerate(lines) if line.split()[:2] == ["acc", "rej"])
    heads = lines[start : lines.index("─" * width, start)]
    where = next(number for number, line in enumerate(lines) if line.startswith("3.3 "))
    figures = lines[where + 1 : where + 1 + len(heads)]
    assert " ".join(heads).split() == ["acc", "rej", "J", "cmp", "res", "cov"]
    assert " ".join(figures).split() == ["100", "100", "1.00", "·", "·", "100"]
    for head, line in zip(heads, figures, strict=True):
        assert [one.end() for one in re.finditer(r"\S+", head)] == [
            one.end() for one in re.finditer(r"\S+", line)
        ]


@pytest.mark.parametrize("width", [20, 39, 40, 80, 200])
def test_ascii_shifts_no_column(results, width):
    """What stands for nothing, for a rule and for what was cut is one character in ASCII as well."""
    text = render(results, width, "ascii")
    assert "\\" not in text
    assert max(map(len, text.splitlines())) <= width
    rows = [line for line in text.splitlines() if line.startswith("6.2 ")]
    assert rows
    if width >= 40:
        assert re.search(r" \. +\. +\. +100 +\. +100", rows[0])


def test_the_legend_says_what_a_row_counts(results):
    text = render(results, 400)
    assert "a section: its own vectors, not those of the sections below it" in text
