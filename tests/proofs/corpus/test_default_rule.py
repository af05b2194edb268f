"""A text is asked under the default rule of its RFC, too, if the answer is the same there.

An adapter with one function is asked about the default rule alone. RFC 3986, section 4.1, for example:
a URI is a URI reference, and a text that begins with a scheme and a colon is no other reference.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
import pytest

from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.specifications import SPECS, Spec, facts
from urloracle.rfcs import SPECIFICATIONS


def is_asked_by_default(case: Case) -> bool:
    """Return True if an adapter with one function for `validate` is asked the question."""
    has_default_rule = case.vector.rule == SPECIFICATIONS[case.spec].default_rule
    return has_default_rule and case.vector.profile in (None, "scheme-specific")


def verdicts_of_other_rules(corpus: Corpus, spec: Spec) -> dict[str, set[bool]]:
    """Return the recommended verdicts of the texts that no question of the default rule asks, by text."""
    asked_by_default = set()
    verdicts = defaultdict(set)
    for case in corpus.cases:
        vector = case.vector
        is_whole = vector.op == "validate" and vector.rule in facts(spec).whole_rules
        if case.spec != spec or not is_whole or not isinstance(vector.url, str):
            continue
        if is_asked_by_default(case):
            asked_by_default.add(vector.url)
        elif vector.profile != "prose":  # the prose leaves open what the grammar decides (R-1738-10)
            verdicts[vector.url].add(vector.expect.alternatives[0].valid)
    return {
        text: verdicts_of_text for text, verdicts_of_text in verdicts.items() if text not in asked_by_default
    }


def texts_not_asked_by_default(corpus: Corpus, spec: Spec) -> Iterator[str]:
    """Yield the texts that are not asked under the default rule although another rule has its answer."""
    default = SPECIFICATIONS[spec].automaton(SPECIFICATIONS[spec].default_rule)
    for text, verdicts in verdicts_of_other_rules(corpus, spec).items():
        if default.accepts(text) in verdicts:
            yield text


@pytest.mark.parametrize("spec", SPECS)
def test_every_text_is_asked_under_the_default_rule_if_its_answer_is_the_same(corpus, spec):
    assert list(texts_not_asked_by_default(corpus, spec)) == []


def test_a_text_that_only_another_rule_asks_for_is_reported(corpus):
    asked_again_by_default = {
        case.vector.url
        for case in corpus.cases
        if case.vector.id.endswith("-default") and case.spec == "rfc3986"
    }
    text = min(url for url in asked_again_by_default if isinstance(url, str))
    cases = [case for case in corpus.cases if case.vector.url != text or not is_asked_by_default(case)]
    corpus_without_question = msgspec.structs.replace(corpus, cases=cases)
    assert list(texts_not_asked_by_default(corpus_without_question, "rfc3986")) == [text]
