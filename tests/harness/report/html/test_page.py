"""The HTML file: self-contained, safe against hostile results, and complete in its head."""

import base64
import hashlib
import re
import shlex
from pathlib import Path

import pytest
import report_samples
from html_text import Page
from report_checks import check_log

from urlharness.protocol.messages import Implementation
from urlharness.report.html import page as html_page
from urlharness.report.html.page import SCRIPTS, STYLES, link, render, script_source
from urlharness.results.model import Participant, Result

#: Attributes and elements that make a browser load something.
LOADING_ATTRIBUTES = frozenset(
    ("src", "srcset", "data", "poster", "action", "formaction", "background", "xlink:href")
)
LOADING_ELEMENTS = frozenset(("iframe", "object", "embed", "base", "img"))


@pytest.fixture(scope="module")
def attribute_names(page):
    """The names of all attributes of the page."""
    return set().union(*(attributes for _, attributes in page.elements))


def test_no_element_loads_anything(page):
    assert {tag for tag, _ in page.elements} & LOADING_ELEMENTS == set()


def test_no_attribute_loads_anything(attribute_names):
    assert attribute_names & LOADING_ATTRIBUTES == set()


def test_the_icon_is_part_of_the_page(page):
    (icon,) = (attributes for tag, attributes in page.elements if tag == "link")
    assert icon["href"].startswith("data:")


def test_no_element_has_its_own_style_or_script(attribute_names):
    """The policy would refuse it."""
    assert "style" not in attribute_names
    assert [name for name in attribute_names if name.startswith("on")] == []


@pytest.mark.parametrize("loading", ["url(", "@import"])
def test_the_style_loads_nothing(page, loading):
    (style,) = page.styles
    assert loading not in style


def test_the_policy_forbids_what_it_does_not_name(page):
    policy = page.policy()
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy


def digest_of(text):
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def test_the_policy_names_the_hashes_of_the_one_script_and_style(page, script):
    policy = page.policy()
    (style,) = page.styles
    assert f"script-src 'sha256-{digest_of(script)}'" in policy
    assert f"style-src 'sha256-{digest_of(style)}'" in policy


@pytest.fixture
def script(page):
    """The script of the page; the others are blocks of data."""
    (text,) = (text for attributes, text in page.scripts if "type" not in attributes)
    return text


@pytest.mark.parametrize(
    "name",
    [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
    ],
)
def test_the_script_cannot_write_markup(script, name):
    assert name not in script


def test_the_script_does_not_end_early(script):
    assert "</script" not in script.lower()
    assert "<!--" not in script


def test_the_page_is_the_same_for_the_same_results(results, page_source):
    assert render(results) == page_source


def test_hostile_texts_add_no_element(hostile_source, page):
    hostile_page = Page(hostile_source)
    assert {tag for tag, _ in hostile_page.elements} - {tag for tag, _ in page.elements} == set()
    assert len(hostile_page.scripts) == len(page.scripts)


def test_hostile_texts_are_shown_as_text(hostile_source):
    assert "</script><script>" in Page(hostile_source).text


@pytest.mark.parametrize("char", ["\x1b", "\x00", "\x7f", "\u2028", "\u202e", "\u200b", "\ufeff"])
def test_hostile_texts_leave_no_invisible_character(hostile_source, char):
    assert char not in hostile_source


def test_an_invisible_character_is_shown_as_its_code_point(hostile_source):
    assert "⟨U+001B⟩" in hostile_source


#: Texts that build servers read as commands: GitHub at the beginning of a line, others anywhere.
COMMANDS = "::error::x ##vso[task.complete] ##[error]y"


@pytest.fixture
def source_with_commands(corpus, tmp_path):
    """The source of a page on two implementations, of which one has commands in every text."""
    library = Implementation(COMMANDS, COMMANDS, COMMANDS, COMMANDS)
    participants = (
        Participant(COMMANDS, "ran", library),
        Participant(f"{COMMANDS} too", "dead", message=COMMANDS),
    )
    cases = report_samples.asked_of(corpus, 3)

    def answer(case, participant):
        return Result(case.vector.id, participant.name, "fail", detail=COMMANDS, got={"message": COMMANDS})

    return render(report_samples.write(tmp_path / "commands.jsonl", cases, participants, answer))


def test_nothing_in_the_source_is_a_command_to_a_build_server(source_with_commands):
    """If a job prints the page in its log."""
    check_log(source_with_commands)


def test_texts_with_commands_are_shown_unchanged(source_with_commands):
    assert COMMANDS in Page(source_with_commands).text


@pytest.fixture
def ids(page):
    """The ids of all elements of the page."""
    return [attributes["id"] for _, attributes in page.elements if "id" in attributes]


def test_ids_are_unique(ids):
    assert ids != []
    assert len(ids) == len(set(ids))


def test_links_lead_to_ids(page, ids):
    # a link with a query such as `#q=spec:rfc1808` is for the script
    fragments = {target.removeprefix("#") for target in page.targets() if re.fullmatch(r"#[\w.-]+", target)}
    assert fragments != set()
    assert fragments - set(ids) == set()


def test_labels_of_elements_are_elements(page, ids):
    labels = {
        attributes["aria-labelledby"] for _, attributes in page.elements if "aria-labelledby" in attributes
    }
    assert labels != set()
    assert labels - set(ids) == set()


def test_each_head_of_a_table_says_what_it_is_the_head_of(page):
    scopes = {attributes.get("scope") for tag, attributes in page.elements if tag == "th"}
    assert scopes == {"row", "col"}


EACH_FOLDER = pytest.mark.parametrize(
    ("folder", "suffix", "names"),
    [pytest.param("script", "js", SCRIPTS, id="script"), pytest.param("style", "css", STYLES, id="style")],
)
ASSETS = Path(html_page.__file__).parent / "assets"


@EACH_FOLDER
def test_every_file_is_a_part_of_script_or_style(folder, suffix, names):
    assert {file.name for file in (ASSETS / folder).iterdir()} == {f"{name}.{suffix}" for name in names}


#: The number of lines with which a part is too long to be read in one go.
TOO_MANY_LINES = 300


@EACH_FOLDER
def test_each_part_of_script_or_style_is_short(folder, suffix, names):
    texts = {name: (ASSETS / folder / f"{name}.{suffix}").read_text(encoding="utf-8") for name in names}
    assert [name for name, text in texts.items() if len(text.splitlines()) >= TOO_MANY_LINES] == []


def test_all_parts_of_the_script_are_in_the_page(script):
    assert script_source() in script


@pytest.mark.parametrize(
    ("atoms", "address"),
    [
        ({"spec": "rfc1808", "section": "5.2"}, "#q=spec:rfc1808%20section:5.2"),
        ({"impl": "a b", "outcome": "failing"}, "#q=impl:%22a%20b%22%20outcome:failing"),
        ({"impl": 'jsonl:"x, y"'}, "#q=impl:%22jsonl:%20x%2C%20y%20%22"),
        ({"rule": "", "tier": "complete"}, "#q=tier:complete"),
    ],
    ids=["two-words", "blank", "quotes", "empty-word"],
)
def test_a_link_holds_its_query(atoms, address):
    assert link(**atoms) == address


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("corpus 0123456789ab", id="corpus"),
        pytest.param("2025-11-20 13:00:00 UTC, not complete", id="start"),
        pytest.param("Linux-6.1-x86_64", id="platform"),
        pytest.param("urlconform 0.1.0", id="version"),
    ],
)
def test_the_page_has_the_facts_of_the_run(page, text):
    assert text in page.text


@pytest.mark.parametrize(
    ("name", "column", "text"),
    [
        ("urllib", "State", "ran"),
        ("urllib", "Name", "urllib.parse 3.13.1 urllib"),
        ("urllib", "Runs on", "python · CPython 3.13.1"),
        ("urllib", "Claims", "RFC 1808, RFC 3986"),
        ("ada", "State", "not installed"),
        ("jsonl:./my adapter", "State", "could not start"),
    ],
)
def test_the_page_has_the_facts_of_each_implementation(page, name, column, text):
    head, *rows = page.table("plain")
    (row,) = (row for row in rows if row[0] == name or row[0].endswith(f" {name}"))
    assert row[head.index(column)] == text


def test_the_page_says_why_an_adapter_did_not_start(page):
    head, *rows = page.table("plain")
    (row,) = (row for row in rows if row[0] == "jsonl:./my adapter")
    assert "no hello within 30 s" in row[head.index("Outcomes")]


def test_the_start_of_a_run_is_shown_in_utc(corpus, tmp_path):
    asked_vectors = report_samples.asked_of(corpus, 1)
    results = report_samples.write(tmp_path / "r.jsonl", asked_vectors, started="2026-01-01T01:30:00+02:00")
    page = Page(render(results))
    assert "2025-12-31 23:30:00 UTC, not complete" in page.text
    assert "URL conformance report, 2025-12-31" in page.text


@pytest.mark.parametrize(
    "argv",
    [
        ("run", "urllib", "--report", "html=u.html"),
        ("run", "exec:./my adapter --fast", "--section", "5.4", "--vectors", "it's $HOME; <b>.json", ""),
    ],
    ids=["plain", "quoted"],
)
def test_the_command_of_the_run_can_be_pasted(corpus, tmp_path, argv):
    results = report_samples.write(tmp_path / "r.jsonl", report_samples.asked_of(corpus, 1), argv=argv)
    page = Page(render(results))
    title = page.texts.index("Command")
    line, _, _ = "".join(page.texts[title + 1 :]).partition("\n")
    assert shlex.split(line) == ["urlconform", *argv]


@pytest.fixture
def page_of_a_dead_adapter(make_case, record):
    """Return the page of a run whose only adapter did not start."""
    dead = Participant("lib", "dead", message="no hello")
    return render(record([make_case("rfc3986-3.3-x")], dead))


def test_the_page_of_a_dead_adapter_says_that_nothing_was_asked(page_of_a_dead_adapter):
    assert 'UTC</time><span class="corpus">, nothing was asked' in page_of_a_dead_adapter
    assert "No case was asked" in page_of_a_dead_adapter


@pytest.mark.parametrize(
    "words", ['UTC</time><span class="corpus">, complete', "vector asked", "No case fails"]
)
def test_the_page_of_a_dead_adapter_shows_no_cases(page_of_a_dead_adapter, words):
    assert words not in page_of_a_dead_adapter


def test_the_page_of_an_adapter_that_was_given_up_does_not_say_complete(make_case, record):
    cases = [make_case(f"rfc3986-3.3-{number}") for number in range(2)]
    answers = [Result(cases[0].vector.id, "lib", "pass"), Result(cases[1].vector.id, "lib", "aborted")]
    text = render(record(cases, Participant("lib", "ran", specs=("rfc3986",)), *answers))
    assert '</time><span class="corpus">, not complete' in text
    assert "2 vectors selected</span>" in text
