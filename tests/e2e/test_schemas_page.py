"""The examples in docs/protocol.md that use the published schemas run as they are printed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from urlharness.corpus.model import corpus_dir

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
BASELINE = {"schema": "urlbaseline-2", "corpus": "0" * 12, "implementation": "lib", "spec": [], "entries": []}


def run_script_of_the_page(document):
    """Run the script that the page prints with a document on its standard input."""
    (script,) = re.findall(r"(?sm)^```py schemas\.py\n(.*?)^```", PAGE.read_text("utf-8"))
    command = [sys.executable, "-c", script]
    return subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, check=False)


def test_the_script_of_the_page_accepts_a_valid_document():
    process = run_script_of_the_page(BASELINE)
    assert process.returncode == 0, process.stderr


def test_the_script_of_the_page_refuses_an_invalid_document_with_its_fault():
    process = run_script_of_the_page({**BASELINE, "spec": ["9"]})
    assert process.returncode == 1
    assert "'9' does not match" in process.stderr


def test_the_name_of_every_schema_begins_with_the_prefix_of_this_project():
    names = [json.loads(path.read_bytes()).get("$id", "") for path in (corpus_dir() / "schemas").iterdir()]
    assert names
    assert [name for name in names if not name.startswith("urn:urlconform:schema:")] == []
