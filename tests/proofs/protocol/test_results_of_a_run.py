"""The results file of a real run meets the published schema."""

from __future__ import annotations

import io
import json

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness.adapters.registry import find
from urlharness.corpus.model import corpus_dir
from urlharness.protocol.limits import Limits
from urlharness.runner import open_results, run


class _Kept(io.BytesIO):
    """A stream whose content is available after it was closed."""

    content = b""

    def close(self) -> None:
        self.content = self.content or self.getvalue()
        super().close()


def test_a_real_results_file_meets_the_schema(corpus):
    schemas = [json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir()]
    resources = [(schema["$id"], Resource.from_contents(schema)) for schema in schemas]
    registry = Registry().with_resources(resources)
    validator = Draft202012Validator({"$ref": "urn:urlconform:schema:urlresults-1"}, registry=registry)
    cases = [case for case in corpus.cases if case.section == "C.2"]
    stream = _Kept()
    writer = open_results(stream, corpus, cases)
    for name in ("reference", "urllib", "jsonl:/no/such/program"):
        run(find(name), cases, writer, Limits())
    writer.close()
    lines = [json.loads(line) for line in stream.content.splitlines()]
    assert {line["type"] for line in lines} == {"header", "vector", "implementation", "case", "footer"}
    for line in lines:
        assert [error.message for error in validator.iter_errors(line)] == [], line
