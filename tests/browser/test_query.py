"""The query: the page finds the cases that a function finds in the results, for each kind of word."""

# ruff: noqa: ARG005 - every query gets a case and its outcomes
import re

import msgspec
import pytest
import query_samples
import report_samples

from urlharness.compare.matrix import make_matrix
from urlharness.compare.query import select
from urlharness.corpus import loader
from urlharness.gate.gate import decide
from urlharness.gate.update import create
from urlharness.report.html.page import render
from urlharness.report.summary import KIND_OF
from urlharness.results.model import read_results
from urlharness.results.verdict import Outcome

#: The cases and the implementations of the page `many`.
CASES = 600
IMPLEMENTATIONS = 40


@pytest.fixture(scope="module")
def results():
    """The results of the page `many`."""
    return report_samples.many_results(loader.load(), CASES, IMPLEMENTATIONS)


@pytest.fixture(scope="module")
def many_page(browser, sample):
    """The page `many`, opened once for all queries."""
    page = browser.new_page()
    page.goto(sample("many").as_uri())
    page.wait_for_selector("html[data-ready]", timeout=120_000)
    yield page
    page.close()


def outcomes(results, case):
    """Return the outcome of a case for each implementation."""
    return {
        name: library_results[case.vector.id].outcome for name, library_results in results.results.items()
    }


def fails(*names):
    """Return a predicate: one of these implementations, or any at all, fails a case."""
    return lambda _, outcome_of: any(Outcome(outcome_of[name]).failing for name in names or outcome_of)


def alone(outcome_of):
    """Return the only implementation that differs among those that answer, or None."""
    kinds = {name: KIND_OF[outcome] for name, outcome in outcome_of.items() if outcome != "unsupported"}
    groups = {kind: [name for name in kinds if kinds[name] == kind] for kind in kinds.values()}
    lone = [names[0] for names in groups.values() if len(names) == 1]
    return lone[0] if len(kinds) > 2 and len(groups) == 2 and lone else None


def passed(outcome_of):
    """Return how many implementations pass a case."""
    return sum(KIND_OF[outcome] == "passed" for outcome in outcome_of.values())


#: For each query whether it finds a case with these outcomes.
QUERIES = {
    "": lambda case, outcome_of: True,
    "outcome:failing": fails(),
    "-outcome:failing": lambda case, outcome_of: not fails()(case, outcome_of),
    "outcome:not-exposed": lambda case, outcome_of: "partial" in outcome_of.values(),
    "outcome:crash": lambda case, outcome_of: "crash" in outcome_of.values(),
    "outcome:crash,variant": lambda case, outcome_of: bool({"crash", "variant"} & set(outcome_of.values())),
    "outcome:passed impl:rfc-fast": lambda case, outcome_of: KIND_OF[outcome_of["rfc-fast"]] == "passed",
    "outcome:failing impl:rfc-fast,split-old": fails("rfc-fast", "split-old"),
    "rfc-fast:fail split-old:pass": lambda case, outcome_of: (
        outcome_of["rfc-fast"] == "fail" and outcome_of["split-old"] == "pass"
    ),
    "-rfc-fast:failing outcome:failing": lambda case, outcome_of: (
        fails()(case, outcome_of) and not Outcome(outcome_of["rfc-fast"]).failing
    ),
    "rfc-fast:fail,pass split-old:pass": lambda case, outcome_of: (
        outcome_of["rfc-fast"] in ("fail", "pass") and outcome_of["split-old"] == "pass"
    ),
    "-RFC-fast:Fail,crash": lambda case, outcome_of: outcome_of["rfc-fast"] not in ("fail", "crash"),
    '"rfc-fast":"crash",abnormal,passed': lambda case, outcome_of: (
        KIND_OF[outcome_of["rfc-fast"]] in ("abnormal", "passed")
    ),
    "outcome:differing": lambda case, outcome_of: (
        len({KIND_OF[outcome] for outcome in outcome_of.values()} - {"unsupported"}) > 1
    ),
    "odd:any": lambda case, outcome_of: alone(outcome_of) is not None,
    "odd:reference": lambda case, outcome_of: alone(outcome_of) == "reference",
    "passes:all": lambda case, outcome_of: passed(outcome_of) == IMPLEMENTATIONS,
    "passes:32": lambda case, outcome_of: passed(outcome_of) == 32,
    "spec:rfc1738": lambda case, outcome_of: case.spec == "rfc1738",
    "spec:1738 -section:3": lambda case, outcome_of: (
        case.spec == "rfc1738" and case.section.split(".")[0] != "3"
    ),
    "section:3.2": lambda case, outcome_of: f"{case.section}.".startswith("3.2."),
    "flag:security": lambda case, outcome_of: "security" in case.flags,
    "flag:security flag:legacy": lambda case, outcome_of: {"security", "legacy"} <= set(case.flags),
    "level:must,example op:validate": lambda case, outcome_of: (
        case.vector.level in ("must", "example") and case.vector.op == "validate"
    ),
    "binding:required rule:httpurl": lambda case, outcome_of: (
        (case.vector.binding, case.vector.rule) == ("required", "httpurl")
    ),
    "origin:mutant": lambda case, outcome_of: case.vector.origin == "mutant",
    "origin:human": lambda case, outcome_of: case.vector.origin in (None, "twin"),
    "origin:derived": lambda case, outcome_of: case.vector.origin == "derived",
    "origin:twin": lambda case, outcome_of: case.vector.origin == "twin",
    "outcome:wrong impl:rfc-fast": fails("rfc-fast"),
    "outcome:right impl:rfc-fast": lambda case, outcome_of: outcome_of["rfc-fast"] in ("pass", "variant"),
    "outcome:not-offered -origin:mutant": lambda case, outcome_of: (
        "unsupported" in outcome_of.values() and case.vector.origin != "mutant"
    ),
    "id:rfc1738-2.1": lambda case, outcome_of: case.vector.id.startswith("rfc1738-2.1"),
    "segfault segmentation": lambda case, outcome_of: False,
    '"segmentation fault"': lambda case, outcome_of: "crash" in outcome_of.values(),
    "OUTCOME:Failing Spec:RFC1738": lambda case, outcome_of: (
        fails()(case, outcome_of) and case.spec == "rfc1738"
    ),
    "RFC-Fast:FAIL Impl:Split-Old": lambda case, outcome_of: outcome_of["rfc-fast"] == "fail",
    "Binding:Required rule:HTTPURL": lambda case, outcome_of: (
        (case.vector.binding, case.vector.rule) == ("required", "httpurl")
    ),
    "ID:RFC1738-2.1": lambda case, outcome_of: case.vector.id.startswith("rfc1738-2.1"),
    "-rfc-fust:pass": lambda case, outcome_of: True,
}


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.sampled(2)
def test_a_query_finds_the_cases_that_it_describes(many_page, ask, results, query):
    cases = [vector.case for vector in results.vectors.values()]
    expected_count = sum(QUERIES[query](case, outcomes(results, case)) for case in cases)
    assert ask(many_page, query) == expected_count


@pytest.mark.parametrize(
    ("query", "unknown"),
    [
        pytest.param("flag:nothing", "flag:nothing", id="flag"),
        pytest.param("spec:rfc3987 outcome:odd", "spec:rfc3987, outcome:odd", id="rfc-and-outcome"),
        pytest.param("odd:nobody impl:nobody", "odd:nobody, impl:nobody", id="two-names"),
        pytest.param("is:odd only:nobody", "is:odd, only:nobody", id="is-and-only"),
        # an equals sign asks for a judgement, such as wrong
        pytest.param("rfc-fast=odd", "rfc-fast=odd", id="judgement"),
        pytest.param("cause:bad class:no-such", "cause:bad, class:no-such", id="cause-and-class"),
        pytest.param("passes:few", "passes:few", id="no-number"),
        pytest.param("passes:99", "passes:99", id="too-many"),
        pytest.param("impl:split-old passes:2", "passes:2", id="too-many-of-the-chosen"),
        pytest.param("split-odl:pass", "split-odl:pass", id="misspelled-name"),
        pytest.param("split-old:pass,odd", "split-old:pass,odd", id="one-of-two-outcomes"),
        # a known word may have upper-case letters
        pytest.param("bogus:x SPEC:rfc1738", "bogus:x", id="beside-a-known-word"),
        pytest.param("OUTCOME:odd", "outcome:odd", id="upper-case"),
        # a property of every JavaScript object, which is no outcome
        pytest.param("outcome:constructor", "outcome:constructor", id="property-of-objects"),
    ],
)
def test_unknown_words_of_a_query_are_reported(many_page, ask, query, unknown):
    assert ask(many_page, query) == 0
    assert many_page.inner_text("#count").endswith(f"This report does not know {unknown}.")


#: Words of `compare --where`.
DIFFERENCES = [
    "is:different",
    "-is:different",
    "only:rfc-fast",
    '-only:"split-old" host:',
    *(f"{name}:" for name in ("scheme", "userinfo", "host", "port", "path", "query", "fragment", "verdict")),
    "-host: path:",
    "class:none",
    "class:unsafe-character",
    "-class:unsafe-character",
    "cause:defect",
    'cause:"Right under"',
    "op:parse verdict:",
    "rfc-fast=right split-old=wrong",
    "RFC-Fast=Right",
    "rfc-fast=accept split-old=reject",
    "rfc-fast=wrong",
    "-rfc-fast=wrong",
    "host:a",
    "-host:a",
    "host:[::1]",
]


@pytest.fixture(scope="module")
def matrix(results):
    """The comparison of the implementations of the page `many`."""
    return make_matrix(results)


@pytest.mark.parametrize("query", DIFFERENCES)
@pytest.mark.sampled(2)
def test_a_word_selects_what_it_selects_in_the_terminal(many_page, ask, matrix, query):
    expected_disagreements = select(
        matrix.disagreements, query.replace("RFC-Fast=Right", "rfc-fast=right"), matrix.names
    )
    assert ask(many_page, query) == len(expected_disagreements)
    assert "does not know" not in many_page.inner_text("#count")


@pytest.fixture
def results_of_queries(site, make_case, record):
    """The results of the page `query`, which shows all cases at first."""
    results = query_samples.query_results(make_case, record)
    (site / "query.html").write_text(render(results, start=""), encoding="utf-8")
    return results


def test_the_page_selects_what_the_terminal_selects(visit, ask, results_of_queries):
    """The queries and their cases are those that tests/harness/compare/test_query.py puts to the terminal."""
    page = visit("query")
    names = dict(zip(results_of_queries.vectors, query_samples.ROWS, strict=True))
    selected = {}
    for query, _ in query_samples.QUERIES:
        ask(page, query)
        texts = page.locator(".row:visible .where").all_inner_texts()
        words = " ".join(texts).split()
        selected[query] = {name for identifier, name in names.items() if identifier in words}
    assert selected == dict(query_samples.QUERIES)


@pytest.mark.parametrize(
    "query",
    [
        "host:a",
        pytest.param("op:resolve path:/b/c/g", marks=pytest.mark.long),
        pytest.param("only:urllib op:normalize", marks=pytest.mark.long),
    ],
)
def test_a_component_selects_cases_of_the_corpus_as_in_the_terminal(visit, ask, sample, query):
    """A component is one of a parsed URL, or of the URL that is a result."""
    matrix = make_matrix(read_results(sample("corpus").with_suffix(".jsonl")))
    selected = select(matrix.disagreements, query, matrix.names)
    assert selected
    assert ask(visit("corpus"), query) == len(selected)


@pytest.mark.parametrize("state", ["right", "wrong", "accept", "reject"])
def test_a_state_of_an_answer_needs_an_answer(many_page, ask, results, matrix, state):
    fits = {
        "right": lambda answer: answer.outcome in ("pass", "variant", "partial"),
        "wrong": lambda answer: answer.outcome == "fail",
        "accept": lambda answer: not answer.outcome.abnormal and answer.got.get("status") == "ok",
        "reject": lambda answer: not answer.outcome.abnormal and answer.got.get("status") == "reject",
    }[state]
    answers = results.of("rfc-fast")
    asked_ids = {disagreement.case.vector.id for disagreement in matrix.disagreements} & answers.keys()
    assert ask(many_page, f"rfc-fast={state}") == sum(fits(answers[name]) for name in asked_ids)


@pytest.mark.parametrize("query", ["http://a.b.example.invalid", '"bogus:x"', "bogus", "a:"])
def test_a_plain_word_is_not_reported_as_unknown(many_page, ask, query):
    ask(many_page, query)
    assert "does not know" not in many_page.inner_text("#count")


def test_a_text_may_look_like_an_atom(many_page, ask, results):
    texts = (
        vector.case.vector.url
        for vector in results.vectors.values()
        if isinstance(vector.case.vector.url, str)
    )
    word = next(text for text in texts if re.fullmatch(r"[a-z]{4,}:\w[\w@.]+", text))
    assert ask(many_page, word) > 0
    assert "does not know" not in many_page.inner_text("#count")


@pytest.mark.parametrize(
    ("query", "pressed"),
    [("rfc-fast:failing", ["rfc-fast"]), ("rfc-fast:failing,pass", [])],
    ids=["atom-of-the-head", "another-atom"],
)
def test_a_head_is_pressed_only_by_the_atom_that_it_toggles(many_page, ask, query, pressed):
    ask(many_page, query)
    assert many_page.locator("#columns [aria-pressed=true]").all_text_contents() == pressed


def test_a_negated_unknown_word_is_reported(many_page, ask):
    ask(many_page, "-rfc-fust:pass")
    assert many_page.inner_text("#count").endswith("This report does not know -rfc-fust:pass.")


def test_menus_ignore_the_case_of_the_query(many_page, ask):
    ask(many_page, "Spec:RFC1738 OUTCOME:CRASH")
    assert many_page.input_value("#f-spec") == "rfc1738"
    assert many_page.input_value("#f-outcome") == "outcome:crash"


@pytest.mark.parametrize("name", ["many", "generated"])
def test_the_menu_of_outcomes_counts_the_cases_that_it_leads_to(visit, ask, name):
    page = visit(name)
    labels = page.locator("#f-outcome optgroup[label=Outcome] option").all_text_contents()
    assert len(labels) > 1
    for label in labels:
        outcome, count = re.fullmatch(r"(\S+) somewhere \(([\d,]+)\)", label).groups()
        expected_count = int(count.replace(",", ""))
        assert ask(page, f"outcome:{outcome}") == expected_count, label


def test_the_back_button_takes_back_each_choice_in_a_menu(visit, until):
    page = visit("many")
    page.select_option("#f-spec", "rfc1738")
    page.select_option("#f-flag", "security")
    until(page, "location.hash.includes('security')")
    queries = []
    for _ in range(2):
        page.go_back()
        page.wait_for_timeout(50)
        queries.append(page.input_value("#f-q"))
    assert queries == ["outcome:failing spec:rfc1738", "outcome:failing"]


def test_the_back_button_opens_a_closed_case_and_closes_an_opened_one(visit, until):
    """The query stays as it is."""
    page = visit("many", "#q=flag:security")
    page.locator(".row").first.click()
    until(page, "location.hash.includes('case=')")
    page.keyboard.press("Escape")
    until(page, "!document.getElementById('detail').checkVisibility()")
    page.go_back()
    until(page, "document.getElementById('detail').checkVisibility()")
    assert page.input_value("#f-q") == "flag:security"
    page.go_back()
    until(page, "!document.getElementById('detail').checkVisibility()")
    assert page.input_value("#f-q") == "flag:security"


def test_the_back_button_takes_back_all_that_was_typed(visit, until):
    page = visit("many", "#q=flag:security")
    page.focus("#f-q")
    page.keyboard.type(" op:parse")
    until(page, "document.getElementById('f-q').value === 'flag:security op:parse'")
    page.go_back()
    until(page, "document.getElementById('f-q').value === 'flag:security'")


def test_a_flag_of_a_case_leads_to_the_cases_with_this_flag(visit, until):
    page = visit("many", "#q=flag:security+spec:rfc1738")
    page.locator(".row").first.click()
    page.locator("#detail .pairs a", has_text="security").click()
    until(page, "document.getElementById('f-q').value === 'flag:security'")


def test_the_statement_of_a_case_leads_to_the_cases_of_this_statement(visit, until, ask, results):
    page = visit("many", "#q=flag:security")
    page.locator(".row").first.click()
    page.locator("#detail .pairs code a").click()
    until(page, "document.getElementById('f-q').value.startsWith('statement:')")
    query = page.input_value("#f-q")
    statements = [f"statement:{vector.case.vector.requirement}" for vector in results.vectors.values()]
    assert query in statements
    assert ask(page, query) == statements.count(query)


@pytest.fixture(scope="module")
def regressions(rendered, corpus, tmp_path_factory):
    """Write the page `gate`, of a run with known and new failures, and return the ids of the new ones."""
    path = tmp_path_factory.mktemp("gate") / "r.jsonl"
    vectors = report_samples.asked_of(corpus, 60)
    gated_results = report_samples.write(path, vectors, report_samples.PARTICIPANTS[1:2])
    baseline = create(gated_results, gated_results.participants[0])
    new_entries = [entry for entry in baseline.entries if entry.outcome != Outcome.ABORTED][::2]
    known_entries = tuple(entry for entry in baseline.entries if entry not in new_entries)
    shorter_baseline = msgspec.structs.replace(baseline, entries=known_entries)
    judgements = decide(gated_results, ["urllib"], baselines={"urllib": shorter_baseline}).judgements
    rendered("gate", lambda _: render(gated_results, judgements))
    return [entry.id for entry in new_entries]


def test_the_page_of_a_gate_begins_with_its_regressions(visit, regressions, ask):
    page = visit("gate")
    assert page.input_value("#f-q") == "finding:regression"
    assert page.input_value("#f-outcome") == "finding:regression"
    assert ask(page, "finding:regression") == len(regressions)


def test_the_page_of_a_gate_has_all_failures_on_request(visit, regressions, ask):
    assert ask(visit("gate"), "outcome:failing") > len(regressions)
