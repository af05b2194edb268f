"""Columns of every layout have the answers of their texts: slices, chunks, nulls, dictionaries, views."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from urlharness.batch import Engine, engine
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import SPECIFICATIONS, UnknownSpecification

from .conftest import expected

#: Texts, and the offset of the error of each, which is -1 for a valid text.
TEXTS_AND_OFFSETS = [
    ("http://a/b", -1),
    (None, None),
    ("", -1),
    ("http://a b", 8),
    ("%", 1),
    ("\u00e9", 0),
    (None, None),
    ("x" * 40, -1),
    ("http://[::1]:80/?q#f", -1),
    (":", 0),
]
TEXTS = [text for text, _ in TEXTS_AND_OFFSETS]
OFFSETS = [offset for _, offset in TEXTS_AND_OFFSETS]

ENGINE = Engine("rfc3986")


def _octets(texts):
    """Return texts in UTF-8, and nulls."""
    return [None if text is None else text.encode() for text in texts]


def _with_text_under_nulls():
    """Return the texts in an array whose buffer of characters has two for each null, which are no text."""
    octets = [b"ab" if text is None else text.encode() for text in TEXTS]
    bounds = np.cumsum([0, *map(len, octets)], dtype=np.int32)
    # of an array without nulls, the second buffer has a bit for each row
    _, validity = pa.array([text is not None for text in TEXTS]).buffers()
    return pa.StringArray.from_buffers(
        len(TEXTS), pa.py_buffer(bounds), pa.py_buffer(b"".join(octets)), validity
    )


LAYOUTS = {
    "string": lambda: pa.array(TEXTS),
    "large-string": lambda: pa.array(TEXTS, pa.large_string()),
    "string-view": lambda: pa.array(TEXTS, pa.string_view()),
    "binary": lambda: pa.array(_octets(TEXTS), pa.binary()),
    "large-binary": lambda: pa.array(_octets(TEXTS), pa.large_binary()),
    "binary-view": lambda: pa.array(_octets(TEXTS), pa.binary_view()),
    "dictionary": lambda: pa.array(TEXTS).dictionary_encode(),
    "dictionary-with-null": lambda: pa.DictionaryArray.from_arrays(list(range(len(TEXTS))), pa.array(TEXTS)),
    "slice": lambda: pa.array(["junk", None, *TEXTS, "%%%"]).slice(2, len(TEXTS)),
    "slice-of-dictionary": lambda: pa.array(["%", *TEXTS]).dictionary_encode().slice(1),
    "chunks": lambda: pa.chunked_array([TEXTS[:3], [], TEXTS[3:4], TEXTS[4:]], pa.string()),
    "chunks-of-dictionary": lambda: pa.chunked_array(
        [pa.array(TEXTS[:5]).dictionary_encode(), pa.array(TEXTS[5:]).dictionary_encode()]
    ),
    "text-under-null": _with_text_under_nulls,
}


EACH_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS)


@EACH_LAYOUT
def test_the_layout_does_not_change_offsets(layout):
    assert ENGINE.offsets(LAYOUTS[layout]()).to_pylist() == OFFSETS


@EACH_LAYOUT
def test_the_layout_does_not_change_verdicts(layout):
    """The verdict on a null is null."""
    verdicts = [None if offset is None else offset < 0 for offset in OFFSETS]
    assert ENGINE.accepts(LAYOUTS[layout]()).to_pylist() == verdicts


@EACH_LAYOUT
def test_an_answer_has_chunks_if_its_column_has(layout):
    column = LAYOUTS[layout]()
    offsets = ENGINE.offsets(column)
    assert isinstance(offsets, pa.ChunkedArray) == isinstance(column, pa.ChunkedArray)


@pytest.mark.sampled(3)
@EACH_LAYOUT
def test_the_layout_does_not_change_components(layout):
    components = ENGINE.split(LAYOUTS[layout]()).to_pylist()
    assert [parts is not None for parts in components] == [offset == -1 for offset in OFFSETS]
    components_of_first_text, *_ = components
    assert components_of_first_text == {
        "scheme": "http",
        "authority": "a",
        "userinfo": None,
        "host": "a",
        "port": None,
        "path": "/b",
        "query": None,
        "fragment": None,
    }


def test_bytes_of_one_length_are_judged():
    assert ENGINE.offsets(pa.array([b"a:b", b"a b", None], pa.binary(3))).to_pylist() == [-1, 1, None]


@pytest.mark.parametrize(
    "column",
    [pa.array([], pa.string()), pa.array(["x"]).slice(1), pa.chunked_array([], pa.string()), pa.nulls(0)],
    ids=["none", "empty-slice", "no-chunk", "null-type"],
)
def test_an_empty_column_has_an_empty_answer(column):
    assert len(ENGINE.accepts(column)) == 0
    assert len(ENGINE.offsets(column)) == 0
    assert len(ENGINE.split(column)) == 0


def test_a_column_of_nulls_has_null_answers():
    assert ENGINE.offsets(pa.nulls(2)).to_pylist() == [None, None]
    assert ENGINE.accepts(pa.nulls(2)).to_pylist() == [None, None]


def test_an_object_with_the_arrow_interface_is_judged():
    class Frame:
        def __arrow_c_stream__(self, requested_schema=None):
            return pa.chunked_array([TEXTS]).__arrow_c_stream__(requested_schema)

    assert ENGINE.offsets(Frame()).to_pylist() == OFFSETS


@pytest.mark.parametrize(
    ("column", "kind"),
    [(["http://a"], "list"), ("http://a", "str"), (None, "NoneType")],
    ids=["list", "text", "nothing"],
)
def test_what_is_no_arrow_array_is_refused(column, kind):
    with pytest.raises(TypeError, match=f"^expected an Arrow array of texts, not {kind}; see pyarrow.array$"):
        ENGINE.offsets(column)


def test_a_column_of_another_type_is_refused():
    with pytest.raises(TypeError, match=r"^a column of type int64 holds no texts$"):
        ENGINE.offsets(pa.array([1, 2]))


def test_bytes_that_are_not_utf8_are_judged():
    """Bytes above 127 are never part of a URL, whether or not they are UTF-8."""
    column = pa.array([b"http://a/\xff", b"\xc3", b"a\x80b", b"http://a/\xc3\xa9"], pa.binary())
    assert ENGINE.offsets(column).to_pylist() == [9, 0, 1, 9]


def test_long_texts_are_judged_up_to_the_last_byte():
    """A megabyte, right up to its last byte and wrong at it, between short ones."""
    long = "http://a/" + "x" * (1 << 20)
    column = pa.array(["a", long, "", long + " ", "b%", long + "%"])
    assert ENGINE.offsets(column).to_pylist() == [-1, -1, -1, len(long), 2, len(long) + 1]
    _, path_of_long, *_ = ENGINE.spans(column).field("path").to_pylist()
    assert path_of_long == {"begin": len("http://a"), "end": len(long)}


def random_texts(random):
    """Return up to 60 texts of characters that matter in a URL: none, one, a few or many of them."""
    texts = []
    for _ in range(random.randrange(60)):
        length = random.choice((0, 0, 1, 5, 90))
        texts.append("".join(random.choices("a:/?#[]% ", k=length)))
    return texts


@pytest.mark.sampled(2)
@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_threads_do_not_change_answers(monkeypatch, threads):
    """The answers do not depend on how the texts are divided among threads."""
    monkeypatch.setattr(engine, "_WORTH_A_THREAD", 4)
    random = Random(threads)
    spec = SPECIFICATIONS["rfc3986"]
    automaton = spec.automaton("URI-reference")
    judging = Engine(spec, threads=threads)
    for _ in range(8):
        texts = random_texts(random)
        column = pa.array(texts, pa.string())
        assert judging.offsets(column).to_pylist() == [expected(automaton, text) for text in texts], texts
        assert judging.split(column).equals(ENGINE.split(column)), texts


def test_an_unknown_specification_is_refused():
    with pytest.raises(UnknownSpecification, match="no specification named 'rfc1'"):
        Engine("rfc1")


def test_an_unknown_rule_is_refused():
    with pytest.raises(UnknownRule, match="no rule named 'url'"):
        Engine("rfc3986", "url")


def test_an_engine_needs_a_thread():
    with pytest.raises(ValueError, match=r"^threads must be at least 1, not 0$"):
        Engine("rfc3986", threads=0)


def test_a_rule_is_found_in_either_case():
    assert Engine("rfc3986", "uri-REFERENCE").rule == "URI-reference"


@pytest.mark.parametrize("library", ["numba", "numpy", "pyarrow"])
def test_without_a_library_the_error_says_what_to_install(library):
    code = f"import sys; sys.modules[{library!r}] = None; import urlharness.batch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingExtra" in done.stderr
    assert done.stderr.splitlines()[-1].endswith("pip install 'numba>=0.61' 'numpy>=2' 'pyarrow>=18'")
