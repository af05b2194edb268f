"""The documentation is current: generated pages, links, examples, figures and limits."""

from __future__ import annotations

import contextlib
import doctest
import functools
import importlib
import io
import json
import operator
import pkgutil
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import click
import pytest

from urlharness.corpus.loader import load
from urlharness.fuzz import campaign
from urlharness.generate import requests
from urloracle import SPECIFICATIONS
from urloracle.grammar import notation
from urloracle.grammar.grammar import source

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE_SCRIPT = (ROOT / "harness/urlharness/report/html/assets/script/page.js").read_text("utf-8")
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md"), ROOT / "llms.txt"])
sys.path.insert(0, str(DOCS))
make = importlib.import_module("make")
api = importlib.import_module("generator.api")
drawing = importlib.import_module("generator.drawing")
figures = importlib.import_module("generator.figures")
installs = importlib.import_module("generator.installs")
packages = importlib.import_module("generator.packages")
markdown = importlib.import_module("generator.markdown")
productions = importlib.import_module("generator.productions")
rules = importlib.import_module("generator.rules")
sizes = importlib.import_module("generator.sizes")
sys.path.remove(str(DOCS))


def test_generated_pages_are_current(monkeypatch):
    """The pages of the rules have a test of their own."""
    monkeypatch.setattr(rules, "pages", dict)
    assert make.stale(make.pages(), DOCS) == {}, "run: python docs/make.py"


@pytest.mark.parametrize("page", sorted((DOCS / "results").rglob("*.md")), ids=lambda page: page.stem)
def test_a_page_of_results_says_if_the_corpus_is_newer(page):
    assert page.read_text("utf-8").count("<!--=results.note-->") == 1


@pytest.mark.parametrize(
    ("changed", "note"),
    [
        ((), "The vectors that were asked are the same in the corpus of this version, {}."),
        (("rfc3986",), "**The corpus is {} by now, and vectors of RFC 3986 have changed since.**"),
    ],
    ids=["other-rfcs-alone", "rfc-that-was-asked"],
)
def test_a_page_of_results_names_the_rfcs_whose_vectors_have_changed(monkeypatch, tmp_path, changed, note):
    digests = {spec: figures.digest_of_vectors(spec) for spec in ("rfc3986", "rfc3987")}
    digests.update(dict.fromkeys(changed, "0123456789ab"))
    tmp_path.joinpath(figures.ASKED_FILE).write_text(json.dumps(digests))
    monkeypatch.setattr(figures, "_RESULTS", tmp_path)
    monkeypatch.setattr(figures, "_published", lambda: [{"corpus": "abcdef012345"}])
    assert figures._results_note() == note.format(load().digest)


def test_pages_of_the_rules_are_current():
    assert make.stale(rules.pages(), DOCS) == {}, "run: python docs/make.py"


@pytest.fixture
def compiled_engine(monkeypatch, tmp_path):
    """The C engine: a module of the oracle whose file is no text, with a function that is no Python one."""
    module = ModuleType("urloracle._compiled")
    module.__file__ = str(tmp_path / "_compiled.abi3.so")
    Path(module.__file__).write_bytes(b"\x80")
    monkeypatch.setitem(sys.modules, "urloracle._compiled", module)
    monkeypatch.setattr("urloracle.validate", len)


@pytest.mark.usefixtures("compiled_engine")
def test_the_page_of_the_api_says_where_a_type_is_although_a_module_has_no_text():
    """The module of each type is found by reading the text of all modules."""
    module_by_name = api._groups_of_oracle()["Specifications"]
    assert module_by_name["Profile"] == "urloracle.specification"


@pytest.mark.usefixtures("compiled_engine")
def test_a_function_of_the_compiled_engine_is_among_the_questions_of_the_api():
    assert "validate" in api._groups_of_oracle()["Questions"]


GENERATED = {"api.md": "validate\n", "rules/rfc1808.md": "rule\n", "page.svg": "<svg/>\n"}


@pytest.fixture
def current_pages(tmp_path, monkeypatch):
    """A folder with three pages, as `make` generates them."""
    folder = tmp_path / "docs"
    (folder / "rules").mkdir(parents=True)
    for name, text in GENERATED.items():
        (folder / name).write_text(text, encoding="utf-8")
    monkeypatch.setattr(make, "DOCS", folder)
    monkeypatch.setattr(make, "pages", lambda: GENERATED)
    return folder


@pytest.fixture
def stale_pages(current_pages):
    """That folder with a page changed by hand, a missing one, and a current one."""
    (current_pages / "api.md").write_text("judge\n", encoding="utf-8")
    (current_pages / "rules/rfc1808.md").unlink()
    return current_pages


@pytest.mark.usefixtures("current_pages")
def test_the_check_passes_if_all_pages_are_current():
    assert make.main(["--check"]) == 0


def test_pages_that_were_changed_or_removed_are_stale(stale_pages):
    assert make.stale(GENERATED, stale_pages).keys() == {"api.md", "rules/rfc1808.md"}


@pytest.mark.usefixtures("stale_pages")
def test_the_check_fails_and_prints_what_was_changed(capsys):
    assert make.main(["--check"]) == 1
    assert "\n-judge\n+validate\n" in capsys.readouterr().out


def test_the_check_writes_no_page(stale_pages):
    make.main(["--check"])
    assert (stale_pages / "api.md").read_text("utf-8") == "judge\n"
    assert not (stale_pages / "rules/rfc1808.md").exists()


def test_stale_pages_are_written_anew(stale_pages):
    assert make.main([]) == 0
    assert {name: (stale_pages / name).read_text("utf-8") for name in GENERATED} == GENERATED


def page(name: str) -> str:
    """Return a page; the tests above hold the generated ones current."""
    return (DOCS / name).read_text(encoding="utf-8")


def dead_links(page: Path, text: str) -> list[str]:
    """Return the internal links of a page that lead nowhere."""
    dead = []
    own_anchors = markdown.anchors(text)
    for target in markdown.targets(text):
        file, mark, anchor = target.partition("#")
        if ":" in file:
            continue
        target_page = (page.parent / file).resolve()
        anchors_there = anchors(target_page) if file and mark and target_page.exists() else own_anchors
        if not (target_page.exists() or not file) or (mark and anchor not in anchors_there):
            dead.append(target)
    return dead


@functools.cache
def anchors(page: Path) -> list[str]:
    """Return the anchors of a page."""
    return markdown.anchors(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_no_dead_links(page):
    assert dead_links(page, page.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "dead"),
    [
        pytest.param("[a](api.md)", [], id="page"),
        pytest.param("[a](api.md#validate)", [], id="anchor-of-a-page"),
        pytest.param("# A b\n[a](#a-b)", [], id="anchor-of-this-page"),
        pytest.param("![a](pipeline.svg)", [], id="image"),
        pytest.param("[a](gone.md)", ["gone.md"], id="missing-page"),
        pytest.param("[a](api.md#gone)", ["api.md#gone"], id="missing-anchor-of-a-page"),
        pytest.param("# A b\n[a](#a)", ["#a"], id="missing-anchor-of-this-page"),
        pytest.param("| [a](../oracle/gone.py) |", ["../oracle/gone.py"], id="in-a-table"),
        pytest.param("`[a](gone.md)`", [], id="in-code"),
        pytest.param("```text\n[a](gone.md)\n# A\n```\n[a](#a)", ["#a"], id="heading-in-a-block-of-code"),
    ],
)
def test_the_dead_links_of_a_text_are_listed(text, dead):
    assert dead_links(DOCS / "page.md", text) == dead


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ('G-04 `<">` and `"\\"`', "g-04--and-"),
        ("R-1738-12 `?` in ftp and file segments", "r-1738-12--in-ftp-and-file-segments"),
        ("gopher+_string", "gopher_string"),
        ("3.1 Common [Internet](x.md) Scheme", "31-common-internet-scheme"),
    ],
)
def test_anchors_are_those_of_github(heading, slug):
    assert markdown.slug(heading) == slug


def test_an_anchor_that_comes_again_has_a_number():
    assert markdown.anchors("# a\n## A\n```\n# a\n```\n# b\n# a") == ["a", "a-1", "b", "a-2"]


EXAMPLES = [
    pytest.param(page, "\n".join(markdown.blocks(text, "pycon")), id=str(page.relative_to(ROOT)))
    for page in PAGES
    if "```pycon" in (text := page.read_text(encoding="utf-8"))
]
SCRIPTS = [
    pytest.param(block, id=f"{page.relative_to(ROOT)}-{number}")
    for page in PAGES
    for number, block in enumerate(markdown.blocks(page.read_text(encoding="utf-8"), "python"))
]


def failures(name: str, text: str, names: dict) -> str:
    """Return what doctest says about wrong examples."""
    test = doctest.DocTestParser().get_doctest(text, names, name, name, 0)
    assert test.examples
    messages: list[str] = []
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    doctest.DocTestRunner(optionflags=flags).run(test, out=messages.append)
    return "".join(messages)


@pytest.mark.parametrize(("page", "text"), EXAMPLES)
def test_the_examples_of_a_page_print_what_they_show(page, text):
    names = vars(importlib.import_module("urloracle")).copy() if page.name == "api.md" else {}
    assert failures(page.name, text, names) == ""


def test_an_example_that_prints_something_else_is_a_failure():
    assert "Expected" in failures("page", ">>> 1 + 1\n3\n", {})


@pytest.mark.parametrize("block", SCRIPTS)
def test_a_script_of_a_page_runs_without_an_error(block):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(block, "page", "exec"), {})


def entries_of_api() -> list[str]:
    """Return the names that have an entry on the page of the API."""
    return re.findall(r"^### (\w+)$", page("api.md"), re.MULTILINE)


@pytest.mark.parametrize("module", ["urloracle", "urloracle.types"])
def test_every_public_name_has_an_entry_on_the_page_of_the_api(module):
    assert set(importlib.import_module(module).__all__) - set(entries_of_api()) == set()


def test_no_public_name_has_two_entries_on_the_page_of_the_api():
    counts = Counter(entries_of_api())
    assert counts != {}
    assert [name for name, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("name", ["rfc1738", "rfc1808", "rfc2396", "rfc3986"])
def test_every_rule_has_an_entry(name):
    text = page(f"rules/{name}.md")
    assert [rule for rule in SPECIFICATIONS[name].grammar if f"\n### {rule}\n" not in text] == []


def test_every_rule_of_rfc2732_has_an_entry_or_a_link_to_that_of_rfc2396():
    text = page("rules/rfc2732.md")
    rules = SPECIFICATIONS["rfc2732"].grammar
    without_entry = [rule for rule in rules if f"\n### {rule}\n" not in text]
    assert without_entry
    links = [f"[`{rule}`](rfc2396.md#{markdown.slug(rule)})" for rule in without_entry]
    assert [link for link in links if link not in text] == []


GRAMMAR_FILES = sorted(
    {file for spec in SPECIFICATIONS.values() for file in (*spec.files, *spec.prose_files)}
)


@pytest.mark.parametrize("file", GRAMMAR_FILES)
def test_a_production_on_a_page_is_a_text_of_its_file(file):
    text = source(file)
    assert [rule.name for rule in productions.productions(file) if rule.text not in text] == []


@pytest.mark.parametrize("file", GRAMMAR_FILES)
def test_the_productions_on_a_page_are_those_that_the_oracle_reads(file):
    """The productions are compared in their order, with their sections."""
    dialect = notation.ABNF if file.endswith(".abnf") else notation.RFC822
    rules_of_file = notation.read(source(file), dialect).productions
    assert rules_of_file
    assert [(rule.name, rule.section) for rule in productions.productions(file)] == [
        (rule.name, rule.section) for rule in rules_of_file
    ]


@pytest.mark.parametrize("file", GRAMMAR_FILES)
def test_every_corrected_production_on_a_page_names_its_ruling(file):
    published = set(re.findall(r"^;!published (\S+)", source(file), re.MULTILINE))
    assert {production.ruling for production in productions.productions(file)} - {""} == published


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        pytest.param("dec-octet", "256 words in all", id="finite"),
        pytest.param("port", "words by length: 1 of 0, 10 of 1, 100 of 2", id="infinite"),
    ],
)
def test_the_words_of_a_rule_are_counted(rule, words):
    """RFC 3986: `dec-octet` has 0 to 255."""
    assert sizes.words(SPECIFICATIONS["rfc3986"].automaton(rule)) == words


def test_the_sink_and_the_transitions_to_it_do_not_count_for_the_size_of_a_rule():
    """The states of `dec-octet`: nothing read; 1; 2; 3 to 9 or a second digit after 1; 25; all read."""
    size = sizes.size(SPECIFICATIONS["rfc3986"].automaton("dec-octet"))
    assert str(size) == "6 states, 6 classes, 29 transitions"


@pytest.mark.parametrize(
    ("words", "fact"),
    [
        pytest.param("{} positions", lambda facts: len(facts.positions), id="positions"),
        pytest.param("merged: {} remain", lambda facts: facts.size.states, id="states"),
        pytest.param("offset {} · section 3.3", lambda facts: facts.problem.position, id="offset"),
    ],
)
def test_the_drawing_of_the_pipeline_shows_a_figure_of_the_oracle(words, fact):
    drawn = list(ET.fromstring(drawing.drawing()).itertext())
    assert words.format(fact(drawing.computed_facts())) in drawn


def test_a_stale_figure_of_a_page_is_replaced():
    text = "a <!--=corpus.vectors-->1<!--/--> b"
    assert (
        figures.with_figures(text) == f"a <!--=corpus.vectors-->{figures.figure('corpus.vectors')}<!--/--> b"
    )


def test_a_figure_that_is_not_known_is_an_error():
    with pytest.raises(figures.UnknownFigure, match=r"no figure is called 'corpus\.vector'"):
        figures.with_figures("<!--=corpus.vector-->1<!--/-->")


TAGS = {
    "pip": 'pip install "urlconform @ git+https://github.com/{account}/urlconform@v{version}"',
    "action": "      - uses: {account}/urlconform/.github/actions/gate@v{version}",
    "go-get": "go get github.com/{account}/urlconform/packages/go@v{version}",
    "go.mod": "require github.com/{account}/urlconform/packages/go v{version}",
    "import": 'urlconform "github.com/{account}/urlconform/packages/go"',
}


@pytest.mark.parametrize("line", TAGS.values(), ids=TAGS)
def test_a_line_that_installs_a_tag_gets_the_account_and_version_of_the_project(line):
    account, version = installs.account_and_version()
    stale_line = line.format(account="someone", version="0.0.9")
    assert installs.with_tag(stale_line) == line.format(account=account, version=version)


def test_the_npm_package_has_the_scope_and_version_of_the_project():
    account, version = installs.account_and_version()
    stale = (
        '"name": "@someone/urlconform", "version": "0.0.9",'
        ' "repository": "https://github.com/someone/urlconform"'
    )
    assert installs.with_tag(stale) == (
        f'"name": "@{account.lower()}/urlconform", "version": "{version}",'
        f' "repository": "https://github.com/{account}/urlconform"'
    )


#: The files whose message says how to install what an extra of the package has.
EXTRAS = {"batch": "harness/urlharness/batch/__init__.py", "hypothesis": "harness/urlharness/strategies.py"}


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_message_names_the_packages_of_an_extra(extra):
    """No package index has urlconform, so that its extra could be installed only from a clone or a tag."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    command = " ".join(["pip install", *(f"'{package}'" for package in extras[extra])])
    assert command in (ROOT / EXTRAS[extra]).read_text("utf-8")


def test_an_action_of_another_repository_keeps_its_tag():
    line = "- uses: actions/checkout@v4\n- uses: someone/other@v1.0\n"
    assert installs.with_tag(line) == line


def test_the_drawing_of_the_packages_has_every_package():
    drawn = set(ET.fromstring(page("packages.svg")).itertext())
    graph = packages.packages()
    assert {name.removeprefix("urlharness.") for name in graph} <= drawn
    assert {"urlharness.gate", "urloracle", "urlauthor"} <= graph.keys()


#: The imports of three packages; that of c by a follows from the others.
IMPORTS = {"a": frozenset("bc"), "b": frozenset("c"), "c": frozenset()}


def test_an_import_that_others_imply_is_left_out():
    assert packages.reduced(IMPORTS) == {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset()}


def test_a_package_is_in_a_layer_above_all_that_it_imports():
    assert packages.layers(IMPORTS) == [["a"], ["b"], ["c"]]


# what the hand-written pages state


VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
#: The files that name the version of urlconform, and where.
VERSIONED = [
    ("docs/gating.md", r"/gate@v([\d.]+)$"),
    ("docs/gating.md", r"/urlconform@v([\d.]+)\""),
    ("docs/protocol.md", r"\"harness\":\"urlconform/([\d.]+)\""),
    ("examples/tinyurl/.github/workflows/ci.yml", r"/gate@v([\d.]+)$"),
    ("examples/tinyurl/.gitlab-ci.yml", r"/urlconform@v([\d.]+)\""),
    ("examples/tinyurl/pyproject.toml", r"/urlconform@v([\d.]+)\""),
]


@pytest.mark.parametrize(("file", "pattern"), VERSIONED)
def test_the_version_is_that_of_the_package(file, pattern):
    matches = re.findall(pattern, (ROOT / file).read_text("utf-8"), re.MULTILINE)
    assert set(matches) == {VERSION}


def option(command: str, name: str) -> click.Option:
    """Return an option of a command: MODULE:FUNCTION, relative to the command line."""
    parameters = pkgutil.resolve_name(f"urlharness.cli.{command}").params
    return next(parameter for parameter in parameters if parameter.name == name)


def asked_of_two_parsers() -> int:
    """Return the number of the standard texts of a bypass."""
    planted = pkgutil.resolve_name("urlharness.compare.bypass:Planted")()
    return len(pkgutil.resolve_name("urlharness.compare.bypass:standard_texts")(planted))


def without_a_twin() -> float:
    """Return the share of the vectors of lesser rules without a twin, in percent."""
    twins = importlib.import_module("urlauthor.twins")
    return 100 * len(twins.read_places().reason_by_missing_id()) / len(twins.originals(load()))


#: Limits that pages state: the page, the words before and after the number, the value in the code (a dotted
#: name or a function), its unit. `{1}` is the number without commas.
LIMITS = [
    ("protocol.md", "in UTF-8, at most {} MiB per line", "urlharness.protocol.messages.LINE_LIMIT", 1 << 20),
    ("protocol.md", "comes with the last {} lines of stderr", "urlharness.sessions.process._TAIL_LINES", 1),
    ("protocol.md", "keeps {} KiB of stderr", "urlharness.sessions.process.STDERR_KEPT", 1 << 10),
    ("protocol.md", "and {} KiB of questions", "urlharness.sessions.session._UNSENT_LIMIT", 1 << 10),
    ("protocol.md", "questions while {} replies", "urlharness.sessions.scheduler.LOOKAHEAD", 1),
    ("protocol.md", "replies, or {} MiB of them", "urlharness.sessions.scheduler.BUFFER_LIMIT", 1 << 20),
    ("protocol.md", "Results keep {} characters of a `message`", "urlharness.runner._MAX_RECORDED_LENGTH", 1),
    ("protocol.md", "`--jobs N`, at most {},", "urlharness.protocol.limits.MOST_JOBS", 1),
    ("protocol.md", "takes 0.001 to {} seconds", "urlharness.protocol.limits.MOST_SECONDS", 1),
    ("protocol.md", "sending pauses after {} questions", "urlharness.sessions.session._PAUSE_AFTER", 1),
    ("protocol.md", "kills the process after {} s", "urlharness.sessions.process._GRACE", 1),
    ("protocol.md", "After more than {} cases that ended", "urlharness.protocol.limits.Limits().restarts", 1),
    ("protocol.md", "| `--timeout` | {} |", "urlharness.protocol.limits.Limits().case", 1),
    ("protocol.md", "| `--start-timeout` | {} |", "urlharness.protocol.limits.Limits().start", 1),
    ("baselines.md", "seconds, 0.001 to {} |", "urlharness.protocol.limits.MOST_SECONDS", 1),
    ("explain.md", "steps are given up to {} characters", "urloracle.explanation.MAX_EXPLAINED_LENGTH", 1),
    ("explain.md", "nearest valid text up to {}; longer", "urloracle.nearest._LONGEST_TEXT", 1),
    ("reports.md", "comments: at most {} bytes", "urlharness.report.markdown.LIMIT", 1),
    ("batch.md", "are read in blocks of {} MiB", "urlharness.batch.sources.BLOCK", 1 << 20),
    ("batch.md", "A CSV record may have {} MiB", "urlharness.batch.sources.BLOCK", 1 << 20),
    ("batch.md", "parquet in batches of {} rows", "urlharness.batch.sources._ROWS", 1),
    ("batch.md", "A line of text may have {} MiB", "urlharness.system.textlines.LONGEST_LINE", 1 << 20),
    ("vectors.md", "A generated text has at most {} characters", "urlharness.corpus.longtext._MOST", 1),
    (
        "vectors.md",
        "abbreviate a text of more than {} characters",
        "urlharness.corpus.longtext.MAX_WHOLE_LENGTH",
        1,
    ),
    ("vectors.md", "its first {} characters", "urlharness.corpus.longtext._KEPT", 1),
    ("tiers.md", "with the first {} failing", "urlharness.results.generated.EXAMPLES", 1),
    ("protocol.md", "at most {}) is how many questions", "urlharness.protocol.messages.LARGEST_WINDOW", 1),
    ("protocol.md", "give {} characters of readings", "urloracle.rfc.extraction._CHARACTERS", 1),
    ("fuzzing.md", "how many of each kind; default {}, but", "urlharness.generate.requests.COUNT", 1),
    ("fuzzing.md", "lengths; default 0:{}, b", lambda: requests._LENGTHS[-1], 1),
    ("fuzzing.md", "boundaries 0:{1} |", lambda: requests._BOUNDARY_LENGTHS[-1], 1),
    ("fuzzing.md", "(default {}), the seconds of this run", "urlharness.cli.generate.fuzz._CASES", 1),
    ("fuzzing.md", "After {} of them in a run", "urlharness.protocol.limits.Limits().restarts", 1),
    ("fuzzing.md", "for each round of {} cases", lambda: campaign.SHARD * campaign.ROUND, 1),
    ("glossary.md", "(fuzz): {} cases with", "urlharness.fuzz.campaign.SHARD", 1),
    ("glossary.md", "; {} shards are a round", "urlharness.fuzz.campaign.ROUND", 1),
    ("glossary.md", "a text above {} characters", "urlharness.corpus.longtext.MAX_WHOLE_LENGTH", 1),
    ("oracle.md", "compiled after texts of {} characters", "urloracle.language._MANY_CHARACTERS", 1),
    ("oracle.md", "counted (default {}, at", lambda: option("understand.explain:diff", "length").default, 1),
    ("oracle.md", ", at most {}). The", lambda: option("understand.explain:diff", "length").type.max, 1),
    (
        "adapters.md",
        "start-timeout` ({} s)",
        lambda: option("author.adapters:doctor", "start_timeout").default,
        1,
    ),
    (
        "adequacy.md",
        "texts of more than {} characters take",
        "urlharness.corpus.longtext.MAX_WHOLE_LENGTH",
        1,
    ),
    ("baselines.md", '{{"validate": {1}}}', lambda: figures._part_cases("rfc1808", "URL", "complete"), 1),
    ("batch.md", "A rule may have {} states", "urlharness.batch.tables._MOST", 1),
    ("reports.md", "no room for {} columns", lambda: re.search(r"LEAST = (\d+);", PAGE_SCRIPT)[1], 1),
    ("reports.md", "longer than {} characters, gets", "urlharness.text.LONGEST_FILE_NAME", 1),
]
#: Bounds that pages state: the page, the words, and a function that computes the number between them.
BOUNDS = [
    ("comparing.md", "get more than {} texts", asked_of_two_parsers, operator.lt),
    ("authoring.md", "by reason, at most {} % of all", without_a_twin, operator.ge),
]


@pytest.mark.parametrize(
    ("page", "words", "name", "unit"), LIMITS, ids=[f"{page}-{words}" for page, words, *_ in LIMITS]
)
def test_a_limit_that_a_page_states_is_that_of_the_code(page, words, name, unit):
    number = (float(name()) if callable(name) else limit(name)) / unit
    assert words.format(f"{number:,.0f}", f"{number:.0f}") in unwrapped(page)


@pytest.mark.parametrize(("name", "words", "number", "holds"), BOUNDS, ids=[words for _, words, *_ in BOUNDS])
def test_a_bound_that_a_page_states_holds(name, words, number, holds):
    before, after = map(re.escape, words.split("{}"))
    (stated,) = re.findall(rf"{before}([\d,]+){after}", unwrapped(name))
    assert holds(int(stated.replace(",", "")), number())


def unwrapped(name: str) -> str:
    """Return a page as one line."""
    return " ".join(page(name).split())


#: A row such as "| `second_order` | … | 99 % in core and in whole |": figure, rate and tiers.
ROW_OF_GOALS = re.compile(r"^\| `(\w+)` \| .* \| (\d+) % in (.*) \|$", re.MULTILINE)


def test_the_goals_of_adequacy_are_those_of_the_code():
    """The page calls the tiers of `faults` "the domain", because they are those with a fault domain."""
    plan = importlib.import_module("urlauthor.adequacy.plan")
    goals = set()
    for (tier, figure), rate in plan.GOALS.items():
        goals.add((figure, "the domain" if figure == "faults" else tier, f"{rate:.0%}"))
    stated_goals = set()
    for figure, rate, tiers in ROW_OF_GOALS.findall(page("adequacy.md")):
        stated_goals.update((figure, tier, f"{rate}%") for tier in tiers.split(" and in "))
    assert stated_goals == goals


def limit(name: str) -> float:
    """Return the number that a dotted name leads to; `()` calls."""
    owner, _, last = name.rpartition(".")
    if owner.endswith("()"):
        module, _, called = owner.removesuffix("()").rpartition(".")
        return float(getattr(getattr(importlib.import_module(module), called)(), last))
    return float(getattr(importlib.import_module(owner), last))


def test_the_page_on_authoring_shows_lines_of_the_lock():
    """Its tombstone, which follows the ellipsis, is the only invented line."""
    (lock_text,) = re.findall(
        r"```text\n(urllock-1\n.*?)```", (DOCS / "authoring.md").read_text("utf-8"), re.DOTALL
    )
    lock = (ROOT / "vectors/urlvectors/vectors.lock").read_text("utf-8").splitlines()
    head, _, rest = lock_text.partition("…\n")
    assert [line for line in head.splitlines() if line not in lock] == []
    assert rest.startswith("removed ")


def test_every_exit_code_has_its_row():
    text = (DOCS / "baselines.md").read_text("utf-8")
    codes = importlib.import_module("urlharness.exitcodes").Exit
    table = text.partition("## Exit codes")[2].partition("## Policy")[0]
    assert sorted(map(int, re.findall(r"^\| (\d+) \|", table, re.MULTILINE))) == sorted(codes)


@pytest.mark.parametrize("root", ["harness/urlharness", "vectors/urlauthor"])
def test_contributing_lists_every_package(root):
    (row,) = re.findall(rf"^\| `{root}` \|.*$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.MULTILINE)
    names = sorted(path.parent.name for path in ROOT.glob(f"{root}/*/__init__.py"))
    assert names
    assert [name for name in names if f"`{name}`" not in row] == []


def test_a_new_pip_is_installed_before_its_option_is_used():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    assert 0 < text.find("pip install -U pip") < text.find("--group")
