"""Every ruling is in force: the code or a grammar cites it, or vectors carry it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

RULINGS = Path(__file__).parents[2] / "docs" / "rulings.md"
CITATION = re.compile(r"\b(?:G|R-\d{4})-\d{2}\b")

# errata that change no answer, as the ruling itself says
WITHOUT_CONSEQUENCE = {"R-3986-36"}


def texts():
    for package in ("urloracle", "urlharness", "urlvectors"):
        yield from _below(resources.files(package))


def _below(folder):
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry)
        elif entry.name.endswith((".py", ".bnf", ".abnf", ".json")):
            yield entry.read_text(encoding="utf-8")


CITED = {ruling for text in texts() for ruling in CITATION.findall(text)}
RULED = re.findall(r"^### ((?:G|R-\d{4})-\d{2})\b", RULINGS.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_rulings_are_all_there():
    assert len(RULED) == len(set(RULED)) == 167


@pytest.mark.parametrize("ruling", RULED)
def test_a_ruling_is_in_force(ruling):
    assert (ruling in CITED) is (ruling not in WITHOUT_CONSEQUENCE)


def test_no_ruling_is_made_up():
    assert set(RULED) >= CITED
