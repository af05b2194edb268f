"""The table of specifications, and a specification that only this module knows: docs/adding-an-rfc.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from urlauthor.lint.citations import paragraph_index
from urlharness.corpus import specifications
from urlharness.corpus.model import Requirement, load_flags
from urlharness.corpus.rfctext import Citations, paragraph_digest, read_texts
from urlharness.corpus.specifications import (
    SPECS,
    SpecificationFacts,
    answering_specs,
    check_specs,
    facts,
    in_reading_order,
    is_asked,
    reported_specs,
    specs_for,
)
from urlharness.exitcodes import Exit
from urloracle.algorithms import Algorithms
from urloracle.grammar import grammar
from urloracle.grammar.notation import RFC822, read
from urloracle.rfc import captures
from urloracle.rfc.captures import Splitting, split_pattern
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Specification

# The table, and what the oracle and the corpus say.


def test_the_oracle_knows_the_same_specifications():
    assert list(SPECS) == list(SPECIFICATIONS)


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param(["\u00e9"], id="beyond-ascii"),
        pytest.param(["a", "\u00e9"], id="one-of-two"),
        pytest.param(["\udcff"], id="surrogate"),
    ],
)
def test_rfc_3987_is_shown_for_texts_beyond_ascii(texts):
    assert "rfc3987" in specs_for(*texts)


@pytest.mark.parametrize(
    "texts", [pytest.param(["http://a/", "%C3%A9"], id="ascii"), pytest.param([], id="no-text")]
)
def test_rfc_3987_is_not_shown_for_texts_in_ascii(texts):
    """It has nothing new to say about them."""
    assert "rfc3987" not in specs_for(*texts)


def test_every_other_rfc_is_shown_for_each_text():
    assert specs_for("a") == ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")


def test_rfc_3986_is_read_first_and_the_rfcs_that_it_replaces_last():
    order = in_reading_order(specs_for("\u00e9"))
    assert order == ["rfc3986", "rfc3987", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]


#: The facts that the oracle has too.
SHARED = ("title", "default_rule", "obsoletes", "updates", "by_scheme", "unknown_scheme", "sections")


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("spec", SPECS)
def test_a_fact_is_the_same_in_the_oracle(spec, name):
    assert getattr(SPECS[spec], name) == getattr(SPECIFICATIONS[spec], name)


@pytest.mark.parametrize("spec", SPECS)
def test_the_rules_are_rules_of_the_grammar(spec):
    entry = SPECS[spec]
    rules = {entry.default_rule, entry.absolute_rule, *entry.whole_rules, *entry.suites}
    assert {rule for rule in rules if rule not in SPECIFICATIONS[spec].grammar} == set()


@pytest.mark.parametrize("spec", SPECS)
def test_the_absolute_rule_derives_texts_with_a_scheme(spec):
    rule = SPECS[spec].absolute_rule
    assert SPECIFICATIONS[spec].problem("x:/y", rule) is None


@pytest.mark.parametrize("spec", SPECS)
def test_the_absolute_rule_derives_no_relative_reference(spec):
    rule = SPECS[spec].absolute_rule
    assert SPECIFICATIONS[spec].problem("a/b", rule) is not None


@pytest.mark.parametrize("spec", [spec for spec, entry in SPECS.items() if entry.relative_rule])
def test_the_relative_rule_derives_a_relative_reference(spec):
    rule = SPECS[spec].relative_rule
    assert SPECIFICATIONS[spec].problem("a/b", rule) is None


@pytest.mark.parametrize("spec", SPECS)
def test_added_rules_have_names_of_their_own(spec):
    assert SPECS[spec].added_rules.keys().isdisjoint(set(SPECS[spec].added_rules.values()))


@pytest.mark.parametrize("spec", SPECS)
def test_added_rules_belong_to_rules_of_the_rfc(spec):
    grammar = SPECIFICATIONS[spec].grammar
    rules = [rule for rule in SPECS[spec].added_rules.values() if rule in grammar]
    assert [grammar.canonical_name(rule) for rule in rules] == list(SPECS[spec].added_rules.values())


@pytest.mark.parametrize("spec", SPECS)
def test_every_rule_of_an_overlay_is_of_the_rfc_or_added(spec):
    productions = read(captures.SPLITTINGS[spec].overlay, RFC822).productions
    known_rules = {*SPECIFICATIONS[spec].grammar, *SPECS[spec].added_rules}
    assert [production.name for production in productions if production.name not in known_rules] == []


#: By RFC and rule of a grammar or overlay, the rule of the RFC that stands for it.
STANDS_FOR = [
    pytest.param("rfc1738", "xchar", "xchar", id="of-the-rfc"),
    pytest.param("rfc1738", "no-tab", "selector", id="added"),
    pytest.param("rfc3986", "tail", "tail", id="added-to-another"),
]


@pytest.mark.parametrize(("spec", "rule", "name"), STANDS_FOR)
def test_a_rule_of_the_rfc_stands_for_an_added_one(spec, rule, name):
    assert facts(spec).rfc_rule(rule) == name


@pytest.mark.parametrize("spec", SPECS)
def test_components_are_those_of_the_corpus(spec, corpus):
    vectors = [case.vector for case in corpus.cases if case.spec == spec]
    answers = []
    for vector in vectors:
        answers += vector.expect.alternatives
    components = [answer.components for answer in answers if answer.components is not msgspec.UNSET]
    named = set().union(*components)
    assert named == set(SPECS[spec].components)


def test_reports_begin_with_the_rfc_in_force():
    assert reported_specs() == ["rfc3986", "rfc3987", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]


#: Texts, and the RFCs whose answers to them are shown.
ANSWERING = {
    "none": ([], ["rfc3986", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]),
    "ascii": (["http://a/%C3%A9", "b"], ["rfc3986", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]),
    "beyond-ascii": (["b", "\u00e9"], ["rfc3986", "rfc3987", "rfc2396", "rfc2732", "rfc1808", "rfc1738"]),
}


@pytest.mark.parametrize(("texts", "specs"), ANSWERING.values(), ids=ANSWERING)
def test_answers_begin_with_the_rfc_in_force_and_end_with_older_ones(texts, specs):
    assert answering_specs(*texts) == specs


def test_every_adapter_is_asked_about_five_rfcs():
    assert [spec for spec in SPECS if is_asked(spec, [])] == [
        "rfc1738",
        "rfc1808",
        "rfc2396",
        "rfc2732",
        "rfc3986",
    ]


@pytest.mark.usefixtures("registered")
def test_an_own_specification_answers_after_the_rfc_in_force_and_before_older_ones():
    assert answering_specs() == ["rfc3986", OWN, "rfc2396", "rfc2732", "rfc1808", "rfc1738"]


#: The clause about each RFC.
PRECEDENCE = {
    "rfc1738": "",
    "rfc1808": "RFC 1808 updates RFC 1738",
    "rfc2396": "RFC 2396 updates RFC 1738 and 1808",
    "rfc2732": "RFC 2732 updates RFC 2396",
    "rfc3986": "RFC 3986 obsoletes RFC 1808, 2396 and 2732, and updates RFC 1738",
}


@pytest.mark.parametrize(("spec", "clause"), PRECEDENCE.items(), ids=PRECEDENCE)
def test_a_clause_names_the_rfcs_that_an_rfc_obsoletes_and_updates(spec, clause):
    assert facts(spec).precedence == clause


@pytest.mark.parametrize("spec", ["rfc2396", "rfc3986"])
def test_an_rfc_obsoletes_and_updates_what_its_header_says(spec, rfc_dir):
    """RFC 2732 says in its text only that it updates RFC 2396."""
    header, *_ = (rfc_dir / f"{spec}.txt").read_text(encoding="latin-1").split("Status of ", 1)
    listed = {"Obsoletes": set(), "Updates": set()}
    # such as "Obsoletes: 2732, 2396, 1808     ..."
    for name, numbers in re.findall(r"^(Obsoletes|Updates): (\d{4}(?:, \d{4})*) ", header, re.MULTILINE):
        listed[name] = {f"rfc{number}" for number in numbers.split(", ")}
    assert {*facts(spec).obsoletes} == listed["Obsoletes"]
    assert {*facts(spec).updates} == listed["Updates"]


def test_an_unknown_specification_is_named():
    with pytest.raises(ValueError, match="no specification named 'rfc9'; choose from rfc1738, rfc1808"):
        check_specs(["rfc3986", "rfc9"])


# A specification that no other module knows: links such as `note:page.2!7`, whose component after the
# exclamation mark RFC 3986 does not have. There are no relative references.

OWN = "rfc9999"

GRAMMAR = """\
;!section 2
link   = scheme ":" target [ "!" mark ]

;!section 2.1
scheme = ALPHA *( ALPHA / DIGIT )

;!section 2.2
target = 1*( ALPHA / DIGIT / "." )

;!section 2.3
mark   = 1*DIGIT

;!section 1
;!core ALPHA DIGIT
ALPHA  = %x41-5A / %x61-7A
DIGIT  = %x30-39
"""

TEXT = """\
1.  Introduction

   A link names a target, and a mark in it.

2.  Links

   A link is a scheme, a colon, a target and, after an exclamation mark,
   a mark.

2.1.  Schemes

   A scheme begins with a letter.

2.2.  Targets

   A target has letters, digits and periods.

2.3.  Marks

   A mark is a number.
"""


class Link(NamedTuple):
    """The components of a link."""

    scheme: str
    target: str
    mark: str | None


def _recompose(components: Mapping[str, Any], _: object) -> list[str]:
    mark = "" if components.get("mark") is None else f"!{components['mark']}"
    return [f"{components['scheme']}:{components['target']}{mark}"]


#: Step 2 of the page: the RFC as the oracle knows it.
LINKS = Specification(
    id=OWN,
    title="RFC 9999",
    default_rule="link",
    files=("rfc9999.abnf",),
    whole=frozenset(("link",)),
    absolute="link",
    sections={"recompose": "2"},
    algorithms=Algorithms(
        reader=lambda rules: split_pattern(OWN, "link", rules.languages).splitter(Link),
        asdict=Link._asdict,
        recompose=_recompose,
    ),
)

#: Step 3: the RFC as the harness knows it.
FACTS = SpecificationFacts(
    id=OWN,
    default_rule="link",
    absolute_rule="link",
    whole_rules=("link",),
    suites=("link",),
    sections={"recompose": "2"},
    parse_section="2",
    components={"scheme": "scheme", "target": "path", "mark": None},
    letter_begins_scheme=True,
    grammar_ids="2-bnf-",
)

REQUIREMENTS = {
    "2-bnf-link": ("2", "The production `link` gives the order of the components."),
    "2-bnf-mark": ("2", "The production `mark` allows digits only."),
}


def _vector(name: str, requirement: str, fields: dict[str, Any]) -> dict[str, Any]:
    stated = {"id": f"{OWN}-2-{name}", "requirement": f"{OWN}-{requirement}", "level": "grammar"}
    return {**stated, **fields, "binding": "required"}


VECTORS = [
    _vector(
        "whole",
        "2-bnf-link",
        {
            "op": "validate",
            "rule": "link",
            "url": "note:page.2!7",
            "expect": {"valid": True},
        },
    ),
    _vector(
        "no-target",
        "2-bnf-link",
        {
            "op": "validate",
            "rule": "link",
            "url": "note:!7",
            "expect": {"valid": False, "at": 5, "rules": ["link", "target"]},
        },
    ),
    _vector(
        "letter-in-mark",
        "2-bnf-mark",
        {
            "op": "validate",
            "rule": "mark",
            "url": "7a",
            "expect": {"valid": False, "at": 1, "rules": ["mark"]},
        },
    ),
    _vector(
        "digits",
        "2-bnf-mark",
        {
            "op": "validate",
            "rule": "mark",
            "url": "77",
            "expect": {"valid": True},
        },
    ),
    _vector(
        "parts",
        "2-bnf-link",
        {
            "op": "parse",
            "url": "note:page.2!7",
            "expect": {"components": {"scheme": "note", "target": "page.2", "mark": "7"}},
        },
    ),
]


CLASS = {
    "id": "mark-zeros",
    "number": 1,
    "title": "Zeros before a mark",
    "statement": "A mark begins with zeros.",
    "effect": "Two links with one mark are taken for two.",
    "flags": ["interop"],
    "sections": {OWN: ["2.3"]},
    "varies": False,
}

DIFFERENCE = {
    "id": "mark-zeros-two",
    "op": "validate",
    "url": "note:page!007",
    "answers": {OWN: {"section": "2.3", "expect": {"valid": True}}},
}


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the specification to the tables, as steps 1 to 3 of the page do."""
    source = grammar.source
    monkeypatch.setattr(grammar, "source", lambda name: GRAMMAR if name == "rfc9999.abnf" else source(name))
    splitting = Splitting("", {"link": ("scheme", "target", "mark")})
    monkeypatch.setitem(captures.SPLITTINGS, OWN, splitting)
    monkeypatch.setitem(SPECIFICATIONS, OWN, LINKS)
    monkeypatch.setitem(specifications.SPECS, OWN, FACTS)


def _requirement(name: str, section: str, statement: str, text: Citations) -> Requirement:
    digest = paragraph_digest(text.paragraphs(section, 1)[0])
    return Requirement(f"{OWN}-{name}", section, 1, digest, "grammar", statement)


@pytest.fixture
def own_corpus(registered: None, tmp_path: Path, urlconform: Callable[..., Any]) -> Path:
    """Write a corpus of the specification alone, as step 4 of the page does."""
    root = tmp_path / "corpus"
    for folder in (OWN, "requirements", "differences"):
        (root / folder).mkdir(parents=True)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / f"{OWN}.txt").write_text(TEXT, encoding="ascii")
    texts = read_texts(tmp_path / "texts", [OWN])
    requirements = [_requirement(name, *stated, texts[OWN]) for name, stated in REQUIREMENTS.items()]
    documents = {
        "paragraphs.json": paragraph_index(texts),
        "rulings.json": {"R-9999-01": "A mark may begin with zeros."},
        "classes.json": {"schema": "urlclasses-1", "classes": [CLASS]},
        "differences/mark-zeros.json": {
            "schema": "urldifferences-1",
            "class": "mark-zeros",
            "differences": [DIFFERENCE],
        },
        "flags.json": {"schema": "urlflags-1", "flags": [*load_flags().values()]},
        f"requirements/{OWN}.json": {
            "schema": "urlrequirements-1",
            "spec": OWN,
            "requirements": requirements,
        },
        f"{OWN}/2-links.json": {
            "schema": "urlvectors-1",
            "spec": OWN,
            "section": "2",
            "title": "Links",
            "vectors": VECTORS,
        },
    }
    for name, document in documents.items():
        (root / name).write_text(json.dumps(msgspec.to_builtins(document), indent=1) + "\n", encoding="ascii")
    (tmp_path / "texts.txt").write_text("note:a!7\nhttp://h/\n", encoding="ascii")
    for command in ("fmt", "lock"):
        done = urlconform("vectors", command, "--vectors", str(root))
        assert done.returncode == Exit.PASSED, done.stderr
    return root


#: A command, its exit code, and what it prints.
COMMANDS = {
    "validate": ("validate note:a!7 --spec rfc9999", Exit.PASSED, "valid link of RFC 9999"),
    "validate-invalid": ("validate note:a!x --spec 9999", Exit.FAILED, "'x' at offset 7"),
    "validate-lesser-rule": ("validate 7x --spec 9999 --rule mark", Exit.FAILED, "'x' at offset 1"),
    "validate-under-each": ("validate note:a!7", Exit.PASSED, "RFC 9999  valid"),
    "parse": ("parse note:a!7 --spec rfc9999", Exit.PASSED, "mark    7\n"),
    "parse-under-each": ("parse note:a!7", Exit.PASSED, "   RFC 3986   RFC 9999   "),
    "recompose": ("recompose --spec rfc9999 scheme=note target=a mark=7", Exit.PASSED, "note:a!7\n"),
    "explain": ("explain note:a!7 --spec rfc9999", Exit.PASSED, "RFC 9999: the derivation\n"),
    "explain-under-each": ("explain note:a!7", Exit.PASSED, "   RFC 3986   RFC 9999   "),
    "explain-refusals": ("explain //h/p#f", Exit.PASSED, "9999 (2.1), 1738 (2.1): refuses '/' at 0"),
    "explain-with-base": ("explain note:b --base note:a", Exit.PASSED, "RFC 9999 does not define relative"),
    "diff": ("diff rfc9999:target rfc9999:mark", Exit.FAILED, "target is a proper superset of"),
    "diff-with-another": (
        "diff rfc9999:link rfc3986:URI",
        Exit.FAILED,
        "link is a proper subset of rfc3986:URI",
    ),
    "generate-valid": (
        "generate --valid --count 5 --spec rfc9999",
        Exit.PASSED,
        '"rule":"link","kind":"valid"',
    ),
    "generate-invalid": ("generate --invalid --count 5 --spec rfc9999", Exit.PASSED, '"kind":"invalid"'),
    "generate-both": ("generate --valid --invalid --count 5 --spec rfc9999", Exit.PASSED, '"kind":"invalid"'),
    "generate-lesser": (
        "generate --valid --count 5 --spec rfc9999 --rule mark",
        Exit.PASSED,
        '"rule":"mark"',
    ),
    "generate-tier": ("generate --tier complete --spec rfc9999", Exit.PASSED, "complete-rfc9999-link"),
    "run": ("run reference --vectors corpus", Exit.PASSED, "5 vectors of 2 statements, RFC 9999"),
    "run-one": (
        "run reference --vectors corpus --spec 9999 -k parts",
        Exit.PASSED,
        "Only 1 of the 5 vectors",
    ),
    "check": ("check texts.txt --spec rfc9999", Exit.FAILED, "invalid         1"),
    "compare": (
        "compare --texts texts.txt reference urllib --spec rfc9999",
        Exit.PASSED,
        "RFC 9999: 2 libraries, ",
    ),
    "export": ("vectors export out --vectors corpus", Exit.PASSED, "5 vectors"),
    "stats": ("vectors stats --vectors corpus --spec rfc9999", Exit.PASSED, "RFC 9999: requirements by"),
}


@pytest.mark.parametrize(("command", "code", "output"), COMMANDS.values(), ids=COMMANDS)
@pytest.mark.usefixtures("own_corpus")
def test_a_command_works_with_an_own_specification(command, code, output, urlconform):
    done = urlconform(*command.split())
    assert output in done.stdout
    assert done.returncode == code, done.stderr


@pytest.mark.usefixtures("own_corpus")
def test_a_vector_of_a_lesser_rule_has_neither_twin_nor_reason(urlconform):
    done = urlconform("vectors", "twins", "--vectors", "corpus")
    assert done.stdout == f"{OWN}-2-letter-in-mark: no reason\n{OWN}-2-digits: no reason\n"
    assert done.returncode == Exit.INVALID_FILE


@pytest.mark.usefixtures("own_corpus")
def test_cover_changes_no_file_of_an_own_specification(urlconform):
    done = urlconform("vectors", "cover", "--vectors", "corpus")
    assert done.stderr == "0 files differ\n"
    assert done.returncode == Exit.PASSED


#: A command that asks for what the specification does not offer, and the message.
NOT_OFFERED = {
    "resolve": ("resolve note:a b --spec rfc9999", "RFC 9999 does not define relative references"),
    "normalize": ("normalize note:a --spec rfc9999", "RFC 9999 does not define normalization"),
    "equivalent": ("equivalent note:a note:b --spec rfc9999", "RFC 9999 does not define equivalence"),
    "explain": ("explain b --base note:a --spec rfc9999", "RFC 9999 does not define relative references"),
    "base": ("base --retrieval note:a --spec rfc9999", "RFC 9999 does not define relative references"),
    "extract": ("extract texts.txt --spec rfc9999", "RFC 9999 does not define URLs in text"),
    "rule": ("validate a --spec rfc9999 --rule host", "no rule named 'host'"),
    "tier": ("generate --tier resolution --spec rfc9999", "no cases for rfc9999"),
    "pairs": ("generate --resolution --spec rfc9999", "RFC 9999 does not define relative references"),
}


@pytest.mark.parametrize(("command", "message"), NOT_OFFERED.values(), ids=NOT_OFFERED)
@pytest.mark.usefixtures("own_corpus")
def test_a_command_says_what_an_own_specification_does_not_offer(command, message, urlconform):
    done = urlconform(*command.split())
    assert message in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("own_corpus")
def test_the_page_shows_an_own_specification(urlconform, tmp_path):
    done = urlconform("run", "reference", "--vectors", "corpus", "--report", "html=page.html")
    assert done.returncode == Exit.PASSED, done.stderr
    assert "RFC 9999" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("own_corpus")
def test_lint_checks_the_corpus_of_an_own_specification(urlconform):
    done = urlconform("vectors", "lint", "--vectors", "corpus", "--rfc-dir", "texts")
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED


@pytest.mark.usefixtures("own_corpus")
def test_lint_names_the_case_of_an_own_specification(urlconform, own_corpus, change):
    wrong_answer = {"valid": False, "at": 1, "rules": ["host"]}
    path = own_corpus / OWN / "2-links.json"
    name = change(path, lambda vector: vector["id"].endswith("letter-in-mark"), expect=wrong_answer)
    done = urlconform("vectors", "lint", "--vectors", "corpus", "--rfc-dir", "texts")
    assert name in done.stdout
    assert done.returncode == Exit.INVALID_FILE


PAGE = Path(__file__).parents[3] / "docs" / "adding-an-rfc.md"
#: What the page has between fences with the name of one of the two languages.
BLOCKS = re.findall(r"(?ms)^```(?:abnf|py)\n(.*?)^```", PAGE.read_text("utf-8"))


def test_the_page_on_adding_an_rfc_has_blocks_of_code():
    assert BLOCKS != []


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.splitlines()[0])
def test_the_code_on_the_page_is_the_code_above(block):
    assert block.strip() in Path(__file__).read_text("utf-8")


# Files that name a specification which is not in the table.


#: A command that reads a file of the specification, and the file that its message names.
FILES = {
    "vectors": ("vectors lint --vectors corpus", "corpus/rfc9999/2-links.json: "),
    "classes": ("run reference --vectors corpus", "corpus/classes.json: "),
    "lines": ("run reference --vectors lines.jsonl", "lines.jsonl: line 1: "),
    "results": ("report results.jsonl", "results.jsonl: line 1: not a results file: "),
    "baseline": ("run reference -k rfc3986-3.1-case-file --baseline baseline.json", "baseline.json: "),
}
#: The commands that write these files.
WRITING = (
    "generate --tier complete --spec rfc9999 --limit 3 -o lines.jsonl",
    "run reference --vectors corpus --report json=results.jsonl",
    "baseline create reference --vectors corpus -o baseline.json",
)


@pytest.mark.parametrize(("command", "place"), FILES.values(), ids=FILES)
@pytest.mark.usefixtures("own_corpus")
def test_a_file_of_an_unknown_specification_is_refused(command, place, urlconform, monkeypatch):
    codes = [urlconform(*line.split()).returncode for line in WRITING]
    assert codes == [Exit.PASSED] * len(WRITING)
    monkeypatch.delitem(SPECS, OWN)
    done = urlconform(*command.split())
    assert done.returncode == Exit.INVALID_FILE
    assert f"{place}no specification named 'rfc9999'; choose from rfc1738, " in done.stdout + done.stderr


@pytest.mark.usefixtures("own_corpus")
def test_the_entry_that_names_an_unknown_specification_is_named(urlconform, monkeypatch):
    monkeypatch.delitem(SPECS, OWN)
    done = urlconform("run", "reference", "--vectors", "corpus")
    assert "at `$.classes[0]` ('mark-zeros')" in done.stderr
