"""The company of a wrong answer: which other libraries give the same one, and what most of them answer.

Libraries show different things, so whole answers cannot be counted: one shows no port, another no query. What
is compared is the component in which the answer is wrong, among the libraries that were asked and show it. A
refusal is an answer about every component. The spelling of a host does not count, and an absent host equals
an empty one, as where hosts are counted, unless this is what is wrong: a library that keeps the capital
letters of a host is not beside one that writes them small, and `file:/c` is not beside `file:///c`. Of a URL
that a library returns, a reader sees the whole text, so the most common answer is counted by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from urlharness.compare.matrix import Disagreement, Matrix
from urlharness.panel.answer import Answer, parts_of
from urlharness.panel.hosts import host_spelling
from urlharness.panel.severity import OTHER, VERDICT
from urlharness.protocol.messages import ComponentTexts

#: By how many libraries the most common answer must lead.
_LEAD = 2


class CommonAnswer(NamedTuple):
    """The most common answer of the other libraries, in words.

    It is that of `agreeing` of the `total` other libraries that show the component, or refuse.
    """

    words: str
    agreeing: int
    total: int


class Company(NamedTuple):
    """The other libraries beside a wrong answer.

    `alike`, sorted by name, show the same in the component in which the answer is wrong. If the answer is
    wrong because it accepts or refuses, they do so, too. `common` is None if no answer is the most common one
    by at least two libraries, or if it is that of the library itself.
    """

    alike: tuple[str, ...]
    common: CommonAnswer | None


#: What two answers are compared by: a kind of answer or the name of a component, and a text.
_Key = tuple[str, str | None]


class _View(NamedTuple):
    """A component as an answer shows it, and the same in words for a reader.

    `part` is equal for answers that show the same there. By `whole`, the most common answer is counted: it is
    the whole URL if the library returns one.
    """

    part: _Key
    whole: _Key
    words: str


def company_of(matrix: Matrix, name: str, disagreement: Disagreement) -> Company:
    """Return the company of the wrong answer of a library, in the component in which it is wrong."""
    views = _views_by_library(matrix, disagreement)
    wrong = views.pop(name, None)
    answers = matrix.answers[disagreement.case.vector.id]
    views_of_answers = [view for library, view in views.items() if answers[library].answered]
    common = _most_common(views_of_answers, wrong)
    if wrong is None:
        return Company((), common)
    alike = sorted(library for library, view in views.items() if view.part == wrong.part)
    return Company(tuple(alike), common)


def _views_by_library(matrix: Matrix, disagreement: Disagreement) -> dict[str, _View]:
    """Return what each library shows of the component of a disagreement, if it shows it."""
    identifier = disagreement.case.vector.id
    views: dict[str, _View] = {}
    # libraries that share an answer share the reply, too: see `make_matrix`
    view_by_answer: dict[int, _View | None] = {}
    for library, answer in matrix.answers[identifier].items():
        if id(answer) not in view_by_answer:
            recorded = matrix.results.of(library)[identifier].got.get("components", {})
            view_by_answer[id(answer)] = _view_of_answer(answer, recorded, disagreement)
        view = view_by_answer[id(answer)]
        if view is not None:
            views[library] = view
    return views


def _view_of_answer(answer: Answer, recorded: ComponentTexts, disagreement: Disagreement) -> _View | None:
    """Return what an answer shows of the component of a disagreement, or None if it does not show it.

    An answer has no authority that only repeats its parts, so `recorded` has the components of the reply. A
    library that ended without an answer shows how it ended, if its message says that.
    """
    if answer.kind == "none" and answer.message:
        ending = (answer.text, answer.message)
        return _View(ending, ending, answer.text)
    if not answer.answered:
        return None
    component = disagreement.component
    if answer.kind == "rejected":
        refusal = ("reject", None)
        return _View(refusal, refusal, "reject")
    if component == VERDICT:
        words = answer.in_words() if answer.kind == "url" else "accept"
        return _View(("accept", None), ("accept", words), words)
    if component == OTHER:
        whole = (OTHER, answer.text)
        return _View(whole, whole, answer.in_words())
    parts = recorded if component == "authority" else parts_of(answer)
    if component not in parts:
        return None
    text = parts[component]
    text_to_compare = _host_to_compare(text, disagreement) if component == "host" else text
    part = (component, text_to_compare)
    if answer.kind == "url":
        return _View(part, ("url", answer.text), answer.in_words())
    words = Answer("parsed", {component: text}).part_in_words(component)
    return _View(part, part, words)


def _host_to_compare(host: str | None, disagreement: Disagreement) -> str | None:
    """Return a host as it is compared: without its spelling, and an empty host is none.

    If the answer is wrong in spelling or in an empty part only, this is what is compared, so the host stays
    as it is.
    """
    if not disagreement.alarming:
        return host
    return host_spelling(host) if host else None


def _most_common(views: Iterable[_View], wrong: _View | None) -> CommonAnswer | None:
    """Return the most common answer, or None if it is the `wrong` one, or leads by less than `_LEAD`."""
    words_by_answer: dict[_Key, str] = {}
    counts: Counter[_Key] = Counter()
    for view in views:
        words_by_answer.setdefault(view.whole, view.words)
        counts[view.whole] += 1
    if not counts:
        return None
    (leader, agreeing), *others = counts.most_common()
    next_count = others[0][1] if others else 0
    if agreeing - next_count < _LEAD or (wrong is not None and leader == wrong.whole):
        return None
    return CommonAnswer(words_by_answer[leader], agreeing, counts.total())
