"""Run a property test with a clock that advances only when something is compiled or imported.

usage: deadline_check.py KIND SPEC, where KIND is a key of STRATEGIES

With this clock, an example exceeds the default deadline of Hypothesis exactly if a pattern or an automaton is
compiled, or a module imported, while the example runs. How busy the machine is does not matter.
"""

import re
import sys
import time
import types
from contextlib import suppress

import hypothesis.core
import hypothesis.internal.conjecture.data
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import Subsets

#: The seconds that slow work takes: far more than the deadline of 0.2 seconds.
SLOW = 10
#: Longer patterns are those of an RFC.
SHORT = 300

clock = types.ModuleType("time")
vars(clock).update(vars(time))
clock.now = 0.0
clock.perf_counter = lambda: clock.now
hypothesis.core.time = clock
hypothesis.internal.conjecture.data.time = clock

make_subsets = Subsets.__init__
compile_pattern = re.compile


def make_subsets_slowly(*arguments, **options):
    clock.now += SLOW
    make_subsets(*arguments, **options)


def compile_pattern_slowly(pattern, flags=0):
    if len(getattr(pattern, "pattern", pattern)) > SHORT:
        clock.now += SLOW
    return compile_pattern(pattern, flags)


class SlowFinder:
    """Finds no module, but lets the clock advance."""

    @staticmethod
    def find_spec(name, _path=None, _target=None):
        if name.startswith(("urlharness.", "urloracle.")) and name != "urlharness.deadline":
            clock.now += SLOW


Subsets.__init__ = make_subsets_slowly
re.compile = compile_pattern_slowly
sys.meta_path.insert(0, SlowFinder)

import urlharness  # noqa: E402
from urloracle import InvalidURL, Unsupported  # noqa: E402
from urloracle.rfcs import specification  # noqa: E402
from urloracle.specification import PROFILES  # noqa: E402

kind, spec = sys.argv[1:]
BASE = "http://a/b"
HARD_TEXTS = (
    "http://[::1]/", "HTTP://h", "//u@h", "gopher://h/", "nntp://h/g/1", "prospero://h/p;a=b", "a b", "",
    "\u00e9", "\ud800", f"a:{'b' * 100_000}",
)  # fmt: skip
TEXTS = st.text(alphabet="ahtp:/[]@1. ") | st.sampled_from(HARD_TEXTS)


def strategy(name):
    """Return a strategy of `urlharness.strategies`. Without this call, the module is not imported."""
    from urlharness import strategies

    return getattr(strategies, name)(spec)


STRATEGIES = {
    "any_text": lambda: TEXTS,
    "oracle": lambda: TEXTS,
    "urls": lambda: strategy("urls"),
    "invalid_urls": lambda: strategy("invalid_urls").map(lambda broken: broken.text),
    "near_misses": lambda: strategy("near_misses").map(lambda broken: broken.text),
}


def make_oracle():
    """Return the value of the fixture `oracle`. If the kind is another one, nothing is compiled for it."""
    from urlharness.pytest_plugin.fixtures import Oracle, bound_oracle

    if kind == "oracle":
        return bound_oracle(types.SimpleNamespace(getoption=lambda _: [spec]))
    return Oracle(spec)


def ask_oracle(oracle, text):
    """Call the functions of the oracle. The answers do not matter."""
    calls = (
        oracle.validate, oracle.parse, oracle.normalize, oracle.normal_forms, oracle.extract, oracle.explain,
        lambda text: oracle.resolve(BASE, text), lambda text: oracle.equivalent(BASE, text),
    )  # fmt: skip
    for call in calls:
        with suppress(InvalidURL, Unsupported):
            call(text)
    if kind != "oracle":  # only the fixture compiles every rule
        return
    for rule in specification(spec).grammar:
        for profile in PROFILES:
            with suppress(InvalidURL, Unsupported):
                oracle.parse(text, rule, profile)


def assert_conforms(text):
    """Assert that wrong answers conform."""
    questions = (
        {"validate": lambda _: False},
        {"parse": lambda _: {"path": "wrong"}},
        {"normalize": lambda _: "wrong"},
        {"resolve": lambda *_: "wrong", "base": BASE},
    )
    for question in questions:
        with suppress(AssertionError, Unsupported):
            urlharness.assert_conforms(text, spec=spec, **question)


unasked = None if kind == "any_text" else make_oracle()


@settings(max_examples=50, database=None, derandomize=True)
@given(STRATEGIES[kind]())
def check(text):
    if unasked is not None:
        ask_oracle(unasked, text)
    if kind != "oracle":
        assert_conforms(text)


check()
