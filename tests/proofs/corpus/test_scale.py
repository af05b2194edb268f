"""Long texts in the corpus: each component of each RFC is long in some vector whose answers are listed."""

from __future__ import annotations

import pytest

from urlharness.corpus.model import Corpus

#: The components that have at least 256 characters in some parsed or recomposed URL.
COMPONENTS = {
    "rfc1738": "scheme schemepart user password hpath search fpath selector encoded822addr group digits "
    "database wtype wpath ppath article gopher+_string",
    "rfc1808": "scheme net_loc path params query fragment",
    "rfc2396": "scheme authority userinfo path query fragment",
    "rfc2732": "scheme authority userinfo path query fragment",
    "rfc3986": "scheme authority userinfo host path query fragment",
    "rfc3987": "scheme authority userinfo host path query fragment",
}
ROWS = [(spec, name, 256) for spec, names in COMPONENTS.items() for name in names.split()]
ROWS += [(spec, "port", 20) for spec in COMPONENTS if spec != "rfc1808"]
ROWS += [(spec, "host", 240) for spec in ("rfc1738", "rfc2396")]  # RFC 1034 has room for 253

#: The length of the longest text that an operation is asked about.
OPERATIONS = [
    *(("validate", spec, 70_000) for spec in COMPONENTS),
    *(("parse", spec, 70_000 if spec != "rfc2732" else 8_192) for spec in COMPONENTS),
    *(("resolve", spec, 70_000 if spec != "rfc2732" else 8_192) for spec in COMPONENTS if spec != "rfc1738"),
    *(("recompose", spec, 1_500) for spec in COMPONENTS),
    ("normalize", "rfc3986", 70_000),
    ("normalize", "rfc2396", 16_384),
    ("normalize", "rfc3987", 70_000),
    ("equivalent", "rfc3987", 70_000),
    ("to_uri", "rfc3987", 70_000),
    ("to_iri", "rfc3987", 70_000),
    ("equivalent", "rfc3986", 70_000),
    *(("equivalent", spec, 3_000) for spec in ("rfc1738", "rfc2732")),
    ("normalize", "rfc2732", 3_000),
    ("decode", "rfc1738", 30_000),
    *(("extract", spec, 3_000) for spec in COMPONENTS if spec not in ("rfc1808", "rfc3987")),
    *(("base", spec, 4_000) for spec in COMPONENTS if spec != "rfc1738"),
]


@pytest.fixture(scope="module")
def long_vectors(corpus: Corpus):
    """The RFC and the vector of each case of long texts in which only the listed answers are right."""
    cases = [case for case in corpus.cases if case.file.endswith("-scale.json")]
    assert len(cases) >= 60
    bindings = ("required", "permitted-set")
    return [(case.spec, case.vector) for case in cases if case.vector.binding in bindings]


@pytest.mark.parametrize(("spec", "name", "length"), ROWS, ids=[f"{spec}-{name}" for spec, name, _ in ROWS])
def test_a_component_is_long_in_some_vector(long_vectors, spec, name, length):
    lengths = []
    for spec_of_vector, vector in long_vectors:
        if spec_of_vector == spec and vector.op in ("parse", "recompose"):
            components = vector.components if vector.op == "recompose" else vector.expect.components
            text = components.get(name)
            lengths.append(len(text) if isinstance(text, str) else 0)
    assert max(lengths) >= length


@pytest.mark.parametrize(
    ("op", "spec", "length"), OPERATIONS, ids=[f"{op}-{spec}" for op, spec, _ in OPERATIONS]
)
def test_an_operation_is_asked_about_long_texts(long_vectors, op, spec, length):
    lengths = []
    for spec_of_vector, vector in long_vectors:
        if (spec_of_vector, vector.op) == (spec, op):
            results = [answer.result for answer in vector.expect.alternatives]
            texts = [*vector.inputs.values(), *results]
            lengths += [len(text) for text in texts if isinstance(text, str)]
    assert max(lengths) >= length
