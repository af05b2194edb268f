"""The HTML report as text: self-contained, safe against hostile results, and right in its static tables."""

import base64
import gzip
import hashlib
import json
import re
import runpy
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import pytest

from urlharness import corpus
from urlharness.corpus import Case, Expected, Requirement, Vector
from urlharness.report import casedata, figures, html
from urlharness.results import AskedVector, Participant, Result
from urlharness.scores import by_section, by_spec

SAMPLES = SimpleNamespace(**runpy.run_path(str(Path(__file__).parent / "browser" / "samples.py")))


class Page(HTMLParser):
    """Elements and text of a page, as a browser sees them."""

    VOID = frozenset(("meta", "link", "input", "br", "rect", "img"))

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts, self._open = [], [], []
        self.scripts, self.styles, self.tables = [], [], {}
        self._row = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in self.VOID:
            self._open.append(tag)
        if tag == "script":
            self.scripts.append([attributes, ""])
        if tag == "style":
            self.styles.append("")
        if tag == "table":
            self._table = self.tables.setdefault(attributes.get("class", "") + f"-{len(self.tables)}", [])
        if tag == "tr":
            self._table.append([])
        if tag in ("td", "th"):
            self._table[-1].append("")

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._open and self._open[-1] == "script":
            self.scripts[-1][1] += data
        elif self._open and self._open[-1] == "style":
            self.styles[-1] += data
        else:
            self.texts.append(data)
            if {"td", "th"} & set(self._open):
                self._table[-1][-1] += data

    @property
    def text(self):
        return "".join(self.texts)

    def policy(self):
        (found,) = (a["content"] for t, a in self.elements if t == "meta" and "http-equiv" in a)
        return found

    def data(self):
        (coded,) = (text for attributes, text in self.scripts if attributes.get("id") == "data")
        return json.loads(gzip.decompress(base64.b64decode(coded)))

    def table(self, kind, number=0):
        rows = [rows for name, rows in self.tables.items() if name.rsplit("-", 1)[0] == kind][number]
        return [[" ".join(cell.split()) for cell in row] for row in rows]


@pytest.fixture(scope="module")
def everything():
    return corpus.load()


@pytest.fixture(scope="module")
def results(everything, tmp_path_factory):
    return SAMPLES.write(tmp_path_factory.mktemp("html") / "r.jsonl", SAMPLES.asked_of(everything))


@pytest.fixture(scope="module")
def page(results):
    return Page(html.render(results))


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    return SAMPLES.write(
        tmp_path_factory.mktemp("html") / "h.jsonl",
        SAMPLES.hostile_cases(),
        SAMPLES.hostile_participants(),
        SAMPLES.hostile_answer,
    )


def small(path, outcomes, *, state="ran", **options):
    """Results of one implementation with one validate vector for each outcome, valid and invalid in turn."""
    requirement = Requirement("r", "3.1", 1, "0" * 12, "must", "States it.")
    cases = [
        AskedVector(
            Case(
                "rfc3986",
                "3.1",
                Vector(
                    id=f"v{n}",
                    requirement="r",
                    level="must",
                    op="validate",
                    rule="URI",
                    url="a",
                    binding="required",
                    expect=Expected(valid=n % 2 == 0),
                ),
                "f.json",
            ),
            requirement,
            "Scheme",
        )
        for n in range(len(outcomes))
    ]
    answers = {f"v{n}": outcome for n, outcome in enumerate(outcomes)}

    def answer(case, participant):
        outcome = answers[case.vector.id]
        return (
            Result(case.vector.id, participant.name, outcome)
            if outcome and state != "not installed"
            else None
        )

    return SAMPLES.write(path, cases, (Participant("one", state),), answer, **options)


def test_nothing_is_loaded_from_elsewhere(page):
    loading = {"src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href"}
    for tag, attributes in page.elements:
        assert not loading & set(attributes), (tag, attributes)
        if tag == "link":
            assert attributes["href"].startswith("data:")
        assert "style" not in attributes  # the policy would refuse it
        assert not any(name.startswith("on") for name in attributes)
        assert tag not in ("iframe", "object", "embed", "base", "img")
    (style,) = page.styles
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_names_the_hashes_of_the_one_script_and_style(page):
    policy = page.policy()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    (script,) = (text for attributes, text in page.scripts if "type" not in attributes)
    (style,) = page.styles
    for kind, text in (("script-src", script), ("style-src", style)):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{kind} 'sha256-{digest}'" in policy


def test_the_script_has_no_way_to_write_markup(page):
    (script,) = (text for attributes, text in page.scripts if "type" not in attributes)
    for name in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
    ):
        assert name not in script
    assert "</script" not in script.lower()
    assert "<!--" not in script


def test_the_page_is_the_same_for_the_same_results(results):
    assert html.render(results) == html.render(results)


def test_hostile_texts_change_no_element(hostile, results):
    page = Page(html.render(hostile))
    tame = Page(html.render(results))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in tame.elements}
    assert len(page.scripts) == 2
    assert "</script><script>" in page.text  # shown as text


def test_hostile_texts_leave_no_shapeless_character(hostile):
    text = html.render(hostile)
    for char in ("\x1b", "\x00", "\x7f", "\u2028", "\u202e", "\u200b", "\ufeff"):
        assert char not in text
    assert "⟨U+001B⟩" in text


def test_the_data_give_back_every_text(hostile):
    data = Page(html.render(hostile)).data()
    assert [case[2]["id"] for case in data["cases"]] == [
        asked.case.vector.id for asked in SAMPLES.hostile_cases()
    ]
    assert {case[2]["url"] for case in data["cases"] if isinstance(case[2].get("url"), str)} == set(
        SAMPLES.HOSTILE
    )
    assert data["cases"][-1][2]["url"] == {"hex": "ff00"}


def test_the_data_give_back_every_outcome(page, results):
    data = page.data()
    assert data["implementations"] == ["reference", "urllib", "node-url", "java-net-uri"]
    for name, column in zip(data["implementations"], data["columns"], strict=True):
        assert len(column) == len(data["cases"]) == len(results.vectors)
        for case, number in zip(data["cases"], column, strict=True):
            outcome, variant, detail, got, stderr, _ = data["answers"][number]
            result = results.of(name)[case[2]["id"]]
            assert (outcome, variant, detail, stderr) == (
                result.outcome,
                result.variant,
                result.detail,
                result.stderr,
            )
            assert got == {key: value for key, value in result.got.items() if key != "id"}


def test_equal_answers_are_stored_once(page):
    answers = [json.dumps(answer) for answer in page.data()["answers"]]
    assert len(answers) == len(set(answers))


def test_sections_come_in_the_order_of_the_rfc(page):
    places = [(spec, corpus.section_key(section)) for spec, section, _ in page.data()["sections"]]
    assert places == sorted(places)


def test_the_summary_has_the_figures_of_the_scores(page, results):
    head, *rows = page.table("summary")
    assert head == [
        "Specification",
        "referenceurlconform oracle 0.1.0",
        "urlliburllib.parse 3.13.1",
        "node-urlWHATWG URL 18.19.0",
        "java-net-urijava.net.URI 17.0.13",
    ]
    for (spec, scores), row in zip(by_spec(results).items(), rows, strict=True):
        assert row[0].startswith(casedata.spec_name(spec))
        for score, cell in zip(scores.values(), row[1:], strict=True):
            assert cell.startswith("complies" if score.complies else "does not comply")
            assert f"{score.compliance.passed:,} / {score.compliance.total:,}" in cell
            for name in ("accepted", "rejected", "components", "results", "coverage"):
                assert f"{name}{figures.percent(getattr(score, name))}" in cell


def test_every_section_has_a_row_and_leads_to_its_cases(page, results):
    rows = [row for number in range(len(by_spec(results))) for row in page.table("sections", number)[1:]]
    places = list(by_section(results))
    assert [row[0].split()[0] for row in rows] == [section for _, section in places]
    links = {attributes.get("href") for tag, attributes in page.elements if tag == "a"}
    assert {f"#spec={spec}&section={section}&outcome=all" for spec, section in places} <= links


def test_the_head_says_how_and_where(page):
    for text in ("0123456789ab", "2025-11-20 13:00:00", "complete", "Linux-6.1-x86_64", "0.1.0"):
        assert text in page.text
    table = {row[0]: row for row in page.table("plain")}
    assert table["ada"][1] == "not installed"
    assert table["jsonl:./my adapter"][1] == "dead"
    assert "no hello within 30 s" in table["jsonl:./my adapter"][-1]
    assert table["urllib"][2] == "urllib.parse 3.13.1"


@pytest.mark.parametrize(
    ("outcomes", "options", "verdict"),
    [
        (("pass", "pass"), {}, "complies"),
        (("pass", "variant"), {}, "complies"),
        (("pass", "fail"), {}, "does not comply"),
        (("pass", "partial"), {}, "does not comply"),
        (("pass", "unsupported"), {}, "does not comply"),
        (("pass", None), {}, "passes so far"),
        (("pass", "pass"), {"complete": False}, "passes so far"),
        (("pass", "pass"), {"interrupted": True}, "passes so far"),
        (("pass", "pass"), {"state": "dead"}, "passes so far"),
        (("pass", "fail"), {"complete": False}, "does not comply"),
    ],
)
def test_only_a_whole_run_gives_a_verdict_in_favour(tmp_path, outcomes, options, verdict):
    page = Page(html.render(small(tmp_path / "r.jsonl", outcomes, **options)))
    assert page.table("summary")[1][1].startswith(f"{verdict} ")
    cut = not options.get("complete", True) or options.get("interrupted", False)
    assert ("This run was cut short." in page.text) == cut


def test_an_implementation_without_results_has_no_column(tmp_path):
    page = Page(html.render(small(tmp_path / "r.jsonl", ("pass",), state="not installed")))
    assert page.data()["implementations"] == []
    assert "Without results: one (not installed)." in " ".join(page.text.split())


def test_the_page_is_well_formed_for_readers_of_the_structure(page):
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for tag, attributes in page.elements:
        assert attributes.get("aria-labelledby", ids[0]) in ids
        if tag == "a" and re.fullmatch(r"#[\w.-]+", attributes["href"]):
            assert attributes["href"][1:] in ids
        if tag == "th":
            assert attributes["scope"] in ("row", "col")
