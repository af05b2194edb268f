"""Every question about any text is answered or raises InvalidURL, and no other exception.

100,000 strings of random octets and 100,000 of random code points are put to `parse` and to `validate` under
every RFC in the environment `long` of tox, and a tenth of them in `proofs`.  The other questions get a part
of the texts (see `_questions`): slow questions get fewer.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import cycle

import pytest

from urloracle.errors import InvalidURL
from urloracle.explanation import derive, explain, nearest_valid, resolution_steps
from urloracle.operations import (
    base_header,
    base_url,
    decode,
    equivalent,
    extract,
    normalize,
    parse,
    recompose,
    resolve,
    validate,
)
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import PROFILES, Unsupported

from . import hostile_texts

#: The number of texts of each kind, and how many of them `parse` and `validate` get in the environment
#: `proofs` of tox.
COUNT = 100_000
FIRST = 10_000
KINDS = {
    "octets": partial(hostile_texts.byte_texts, seed=1738),
    "code-points": partial(hostile_texts.code_point_texts, seed=3986),
}


@cache
def texts_of(kind):
    """Return the pairs of texts of a kind."""
    return list(KINDS[kind](COUNT))


def _steps(spec, text):
    """Return the steps of the resolution of a text."""
    return resolution_steps("http://a/b/c?d", text, spec)


def _recomposed(spec, text):
    """Return what is recomposed of the components of a text."""
    specification = SPECIFICATIONS[spec]
    return recompose(specification.asdict(parse(text, spec)), spec)


def _rules(spec):
    """Return a question that asks about each rule under each profile in turn."""
    rules = cycle((rule, profile) for rule in SPECIFICATIONS[spec].grammar for profile in PROFILES)
    return lambda text: validate(text, spec, *next(rules))


def _questions(spec):
    """Yield every question that the RFC answers, besides `parse` and `validate` of its default rule.

    It is the name of the question, the step (the question gets one of so many texts), and what asks it.
    """
    step = 5000 if spec == "rfc1738" else 500  # there the automaton of all schemes is slow
    yield "validate, each rule", 10, _rules(spec)
    yield "recompose", 20, partial(_recomposed, spec)
    yield "nearest", step, lambda text: nearest_valid(text, spec)
    yield "derive", step, lambda text: derive(text, spec)
    yield "explain", 2 * step, lambda text: explain(text, spec)
    if spec != "rfc1738":
        yield "resolve, reference", 20, lambda text: resolve("http://a/b/c?d", text, spec)
        yield "resolve, base", 20, lambda text: resolve(text, "../g?h#", spec)
        yield "resolution_steps", 100, partial(_steps, spec)
        yield "base_url", 100, lambda text: base_url(spec, embedded=text, retrieval="http://a/b")
    if spec not in ("rfc1738", "rfc1808"):
        yield "normalize", 20, lambda text: normalize(text, spec)
        yield "normalize, scheme", 20, lambda text: normalize(text, spec, "scheme")
    if spec != "rfc1808":
        yield "equivalent", 50, lambda text: equivalent(text, f"{text}%7E", spec)
        yield "equivalent, scheme", 50, lambda text: equivalent("http://a:80", text, spec, "scheme")
    if SPECIFICATIONS[spec].defines("extract"):
        yield "extract", 20, lambda text: extract(text, spec)
    if spec == "rfc1738":
        yield "decode", 10, decode
    if spec == "rfc1808":
        yield "base_header", 10, base_header


def _refused(call, text):
    """Return the refusal of a text, or None for an answer; anything else that is raised fails the test."""
    refusal = None
    try:
        call(text)
    except InvalidURL as problem:
        refusal = problem
    except Unsupported:
        assert call is decode, text  # a scheme that RFC 1738 does not know
    if refusal is not None:
        assert 0 <= refusal.position <= len(refusal.text)
    return refusal


@pytest.mark.sampled(4, keep="rfc3986")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("spec", SPECIFICATIONS)
@pytest.mark.parametrize("count", [FIRST, pytest.param(COUNT, marks=pytest.mark.long)])
def test_parse_and_validate_raise_nothing_but_invalid_url(spec, kind, count):
    texts = texts_of(kind)[:count]
    assert len(texts) == count
    refused = 0
    for number, (text, second) in enumerate(texts):
        problem = _refused(partial(parse, spec=spec), text)
        problem_of_second = _refused(partial(validate, spec=spec), second)
        if text == second:
            assert (problem_of_second is None) is (problem is None), text
        if problem is not None:
            refused += 1
            if number % 16 == 0:  # a message takes longer than the refusal
                str(problem).encode()  # fails if the message has a lone surrogate
    assert 0.5 < refused / count < 0.95  # there are many answers and many refusals


def _part_of_texts(kind, offset, step):
    """Return one of `step` texts; questions with other offsets get other texts.

    The second of a pair has the octets of the first as UTF-8; questions with an odd offset get the second.
    """
    return [pair[offset % 2] for pair in texts_of(kind)[offset::step]]


@pytest.mark.sampled(24, keep="rfc3986")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("spec", "offset"),
    [
        pytest.param(spec, offset, id=f"{spec}-{name}")
        for spec in SPECIFICATIONS
        for offset, (name, _, _) in enumerate(_questions(spec))
    ],
)
def test_a_question_about_hostile_text_raises_only_invalid_url(spec, offset, kind):
    name, step, call = list(_questions(spec))[offset]
    texts = _part_of_texts(kind, offset, step)
    assert len(texts) >= COUNT // step
    for text in texts:
        try:
            _refused(call, text)
        except Exception as error:
            raise AssertionError(f"{name}: {text!r}") from error


@pytest.mark.parametrize("kind", KINDS)
def test_the_texts_are_the_same_in_every_run(kind):
    assert list(KINDS[kind](500)) == texts_of(kind)[:500]


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_texts_are_equal(kind):
    assert len({text for text, _ in texts_of(kind)}) == COUNT


def test_the_texts_of_octets_have_every_octet_as_a_character_of_latin_1():
    characters = set("".join(text for text, _ in texts_of("octets")))
    assert characters == set(map(chr, range(256)))


def test_the_texts_of_octets_have_every_octet_that_is_not_utf_8_as_a_lone_surrogate():
    """Python reads the octets 80 to FF as U+DC80 to U+DCFF (PEP 383)."""
    characters = set("".join(text for _, text in texts_of("octets")))
    assert set(map(chr, range(0xDC80, 0xDD00))) <= characters


@pytest.fixture(scope="module")
def code_points():
    """The characters of the texts of code points."""
    return set("".join(text for text, _ in texts_of("code-points")))


#: The number below which the texts cannot be drawn from all of Unicode.
LEAST_CODE_POINTS = 50_000


def test_the_texts_of_code_points_have_many_of_them(code_points):
    assert len(code_points) > LEAST_CODE_POINTS


def test_the_texts_of_code_points_have_surrogates_and_the_first_and_the_last_code_point(code_points):
    for code in (0, 0xD800, 0xDFFF, 0xFFFF, 0x10FFFF):
        assert chr(code) in code_points, hex(code)


#: A location in the oracle, the text there and what replaces it, an RFC, a question, and what it raises then.
FAULTS = {
    "foreign-character": (
        "automata.dfa.LazyAutomaton.longest_viable_prefix",
        "except KeyError",
        "except IndexError",
        "rfc3986",
        validate,
        KeyError,
    ),
    "position-after-the-end": (
        "errors.InvalidURL.fault",
        "self.position >= len(self.text)",
        "self.position > len(self.text)",
        "rfc3986",
        lambda text, spec: str(_refused(lambda _: parse(text, spec), text)),
        IndexError,
    ),
    "header-that-ends-too-early": (
        "rfc.base.base_header",
        "offsets[refused.position] if refused.position < len(offsets) else len(field)",
        "offsets[refused.position]",
        "rfc1808",
        lambda text, _: base_header(text),
        IndexError,
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_one_of_the_first_thousand_texts_raises_what_a_fault_of_the_oracle_raises(name, anew, plant):
    location, before, after, spec, call, raised = FAULTS[name]
    anew(spec)
    plant(location, before, after)
    ask = partial(_refused, lambda text: call(text, spec))
    with pytest.raises(raised):
        _ask_each(ask, texts_of("octets")[:1000])


def _ask_each(ask, pairs):
    for text, _ in pairs:
        ask(text)


UNDEFINED = {
    "resolve, rfc1738": lambda text: resolve("http://a/", text, "rfc1738"),
    "base_url, rfc1738": lambda text: base_url("rfc1738", embedded=text),
    "normalize, rfc1738": lambda text: normalize(text, "rfc1738"),
    "normalize, rfc1808": lambda text: normalize(text, "rfc1808"),
    "equivalent, rfc1808": lambda text: equivalent(text, text, "rfc1808"),
    "extract, rfc1808": lambda text: extract(text, "rfc1808"),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_the_rfc_does_not_define_is_unsupported(name):
    """The question raises Unsupported for every text, because the RFC answers it for none."""
    for text, _ in texts_of("code-points")[:200]:
        with pytest.raises(Unsupported):
            UNDEFINED[name](text)


NO_TEXTS = (None, 7, b"http://h/", bytearray(b"http://h/"), object())


@pytest.mark.parametrize("spec", SPECIFICATIONS)
@pytest.mark.parametrize("no_text", NO_TEXTS, ids=lambda no_text: type(no_text).__name__)
@pytest.mark.parametrize("call", [validate, parse])
def test_what_is_no_text_is_never_valid(spec, no_text, call):
    with pytest.raises(TypeError, match="the text must be a str"):
        call(no_text, spec)
