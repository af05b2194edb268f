"""The examples in docs/protocol.md that use the published schemas run as they are printed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.corpus.model import corpus_dir

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"
LIST = {"schema": "urlbaseline-2", "corpus": "0" * 12, "implementation": "lib", "spec": [], "entries": []}


@pytest.mark.parametrize(("document", "code"), [(LIST, 0), ({**LIST, "spec": ["9"]}, 1)])
def test_the_script_of_the_page_validates_a_document(document, code):
    (script,) = re.findall(r"(?sm)^```py schemas\.py\n(.*?)^```", PAGE.read_text("utf-8"))
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, input=json.dumps(document), capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stderr
    assert ("'9' does not match" in done.stderr) is bool(code)


def test_every_schema_has_a_name():
    names = [json.loads(path.read_bytes()).get("$id", "") for path in (corpus_dir() / "schemas").iterdir()]
    assert all(name.startswith("urn:urlconform:schema:") for name in names)
