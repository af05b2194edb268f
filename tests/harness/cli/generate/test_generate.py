"""`urlconform generate`: lines, vector files, digests, and usage errors."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from pyarrow import parquet

from urlharness.cli.generate import generate
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import url_specs
from urlharness.exitcodes import Exit
from urlharness.generate.requests import COUNT
from urlharness.generate.tiers import Part
from urlharness.generate.tiers.digests import pinned_digests
from urlharness.results.generated import Counted

SMALL = ("--tier", "complete", "--spec", "2396", "--rule", "relativeuri")
PART = Part("complete", "rfc2396", "relativeURI")
PINNED = pinned_digests()[PART]


def test_lines_have_the_pinned_digest(urlconform):
    done = urlconform("generate", *SMALL)
    assert hashlib.sha256(done.stdout.encode()).hexdigest() == PINNED.digest
    assert done.stdout.count("\n") == PINNED.cases
    assert done.stderr == f"complete-rfc2396-relativeURI  {PINNED.cases} cases  sha256 {PINNED.digest}\n"
    assert done.returncode == Exit.PASSED


def test_output_goes_to_a_file(urlconform, tmp_path):
    done = urlconform("generate", *SMALL, "-o", "out.jsonl", "--limit", "5")
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED
    ids = [json.loads(line)["id"] for line in (tmp_path / "out.jsonl").read_text("ascii").splitlines()]
    assert ids == [f"complete-rfc2396-relativeURI-{number:06}" for number in range(1, 6)]


def test_the_digest_is_printed_alone(urlconform):
    done = urlconform("generate", *SMALL, "--digest")
    assert done.stdout == f"complete-rfc2396-relativeURI  {PINNED.cases} cases  sha256 {PINNED.digest}\n"
    assert done.stderr == ""


def test_a_vector_file_meets_the_schema(urlconform):
    done = urlconform("generate", *SMALL, "--format", "vectors", "--limit", "40")
    document = json.loads(done.stdout)
    schema = json.loads((corpus_dir() / "schemas" / "vectors.schema.json").read_bytes())
    assert list(Draft202012Validator(schema).iter_errors(document)) == []


def test_a_vector_file_has_the_section_of_its_rule_and_as_many_vectors_as_its_limit(urlconform):
    done = urlconform("generate", *SMALL, "--format", "vectors", "--limit", "40")
    document = json.loads(done.stdout)
    assert document["spec"] == "rfc2396"
    assert document["section"] == "5"
    assert len(document["vectors"]) == 40


@pytest.fixture
def texts_of_bytes(urlconform_once):
    """The texts of a part of the tier `bytes`, as JSON."""
    done = urlconform_once("generate", "--tier", "bytes", "--spec", "1808", "--rule", "relativeURL")
    assert done.stdout.isascii()
    return [json.loads(line)["url"] for line in done.stdout.splitlines()]


def test_bytes_that_are_not_utf_8_are_written_in_hex(texts_of_bytes):
    assert {"hex": "80"} in texts_of_bytes


@pytest.mark.parametrize("text", ["\xe9", "\U0010ffff"], ids=["letter", "last-code-point"])
def test_bytes_that_are_utf_8_are_written_as_text(texts_of_bytes, text):
    assert text in texts_of_bytes


def test_check_passes_on_what_is_pinned(urlconform):
    done = urlconform("generate", *SMALL, "--tier", "k1", "--check")
    assert done.stdout == ""
    assert done.stderr == "2 of 2 parts have their pinned digest\n"
    assert done.returncode == Exit.PASSED


def test_check_names_tier_and_rule_of_a_planted_difference(urlconform, monkeypatch):
    monkeypatch.setattr(generate, "pinned_digests", lambda: {PART: Counted(1, "0" * 64)})
    done = urlconform("generate", *SMALL, "--check")
    assert done.stdout.startswith(f"{PART.name}: generated {PINNED.cases} cases, {PINNED.digest}; pinned 1 ")
    assert done.stderr == "0 of 1 parts have their pinned digest\n"
    assert done.returncode == Exit.FAILED


REFUSED = {
    "no-tier": ((), "give a --tier or a kind of text"),
    "kind-and-tier": ((*SMALL, "--valid"), "cannot be combined with --tier"),
    "limit-of-a-kind": (("--valid", "--limit", "3"), "need a --tier"),
    "seed-without-limit": ((*SMALL, "--seed", "3"), "--seed needs --limit"),
    "lines-of-a-tier": ((*SMALL, "--format", "lines"), "formats jsonl and vectors"),
    "no-such-rule": (("--valid", "--rule", "x"), "no rule named 'x'"),
    "no-such-length": (("--valid", "--rule", "IPv4address", "--length", "2"), "no valid text has a length"),
    "no-range": (("--valid", "--length", "a:b"), "is not MIN:MAX"),
    "empty-range": (("--valid", "--length", "4:3"), "not a range of lengths"),
    "corpus-without-folder": (("--valid", "--format", "corpus"), "give -o DIR"),
    "corpus-of-pairs": (("--resolution", "--format", "corpus", "-o", "x"), "a file of a corpus has one text"),
    "vectors-of-pairs-and-texts": (
        ("--resolution", "--valid", "--format", "vectors"),
        "a vectors file has either",
    ),
    "vectors-by-scheme": (("--valid", "--spec", "1738", "--format", "vectors"), "the rule of one scheme"),
    "parquet-of-pairs-and-texts": (
        ("--resolution", "--valid", "--format", "parquet"),
        "a parquet file has either texts",
    ),
    "answers-as-lines": (("--valid", "--all-specs", "--format", "lines"), "jsonl or parquet"),
    "uniform-weights": (("--valid", "--uniform", "--weights", __file__), "no room for --weights"),
    "uniform-cover": (("--cover", "--uniform"), "--uniform and --weights need --valid"),
    "weights-of-pairs": (("--resolution", "--weights", __file__), "--uniform and --weights need --valid"),
    "explore-near-misses": (("--near-miss", "--explore"), "--explore needs --valid or --invalid"),
    "scheme-of-a-class": (("--class", "backslash", "--scheme", "http"), "--scheme needs another kind"),
    "rule-of-pairs": (("--resolution", "--rule", "URI"), "pairs to resolve have no --rule"),
    "base-alone": (("--valid", "--base", "http://a/"), "--base needs --all-specs"),
    "no-base": (("--valid", "--all-specs", "--base", "x y"), "is not a URI of RFC 3986"),
    "no-class": (("--class", "nothing"), "no class of difference named 'nothing'"),
    "class-of-pairs": (("--class", "same-scheme", "--format", "corpus", "-o", "x"), "pairs to resolve, not"),
    "jobs-of-a-tier": ((*SMALL, "--jobs", "2"), "cannot be combined with --tier"),
    "full-disk": (("--valid", "-o", "/dev/full"), "/dev/full: no space left on device"),
    "no-scheme": (("--valid", "--scheme", "nöpe"), "'nöpe' is not a scheme"),
    "no-folder": (
        ("--valid", "--format", "corpus", "-o", "/dev/null/x"),
        "/dev/null/x: not a directory",
    ),
    "no-file-to-mutate": (("--mutate", "no/such"), "no/such: no such file"),
    "no-weights": (("--valid", "--weights", "no/such"), "no/such: no such file"),
    "core": (("--tier", "core"), "'core' is not one of 'complete', "),
    "unknown-rule": (("--tier", "k1", "--spec", "3986", "--rule", "x"), "no cases for rfc3986 x"),
    "rule-of-resolution": (("--tier", "resolution", "--rule", "URI"), "no cases for URI"),
    "digest-and-file": ((*SMALL, "--digest", "-o", "x"), "no case is written"),
    "check-and-limit": ((*SMALL, "--check", "--limit", "1"), "omit --limit"),
    "vectors-of-many": (
        ("--tier", "complete", "--spec", "1808", "--format", "vectors"),
        "choose one of URL, abs",
    ),
    "no-directory": ((*SMALL, "-o", "no/such/file"), "no/such/file: no such file"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED)
def test_a_usage_error_is_one_line_on_stderr(urlconform, arguments, message):
    done = urlconform("generate", *arguments)
    assert done.stdout == ""
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.USAGE


#: The number of texts that the commands below ask for.
FEW = 30
URI = ("--rule", "URI", "--count", str(FEW))


def generated(done):
    """Return the lines that a command has printed, as JSON, after checking that it passed."""
    assert done.returncode == Exit.PASSED, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


KINDS = ("valid", "invalid", "near-miss", "boundary", "cover", "resolution", "mutate")


@pytest.fixture(params=[URI, ("--spec", "3987", "--count", str(FEW))], ids=["rfc3986", "rfc3987"])
def run_of_every_kind(urlconform_once, tmp_path, request):
    """The run of a command that asks for texts of every kind."""
    (tmp_path / "seeds").write_bytes(b"a:b\n")
    options = [f"--{kind}" for kind in KINDS]
    # --mutate, the last option, takes a file
    return urlconform_once("generate", *request.param, *options, "seeds")


def test_as_many_texts_of_every_kind_are_generated_as_wanted(run_of_every_kind):
    counts = Counter(line["kind"] for line in generated(run_of_every_kind))
    assert counts == dict.fromkeys(KINDS, FEW)


def test_texts_come_in_the_order_of_the_kinds(run_of_every_kind):
    assert list(dict.fromkeys(line["kind"] for line in generated(run_of_every_kind))) == list(KINDS)


def test_stderr_has_a_line_about_each_kind(run_of_every_kind):
    lines = run_of_every_kind.stderr.splitlines()
    assert [line.partition(":")[0] for line in lines] == list(KINDS)


def test_mutation_begins_with_the_lines_of_its_file(urlconform, tmp_path):
    (tmp_path / "seeds").write_bytes(b"a:b\n[\n\xff")
    first, second, third, *_ = generated(urlconform("generate", *URI, "--mutate", "seeds"))
    assert first["text"] == "a:b"
    assert second["text"] == "["
    assert third["text"] == {"hex": "ff"}


def valid_uris(urlconform, *options) -> str:
    return urlconform("generate", *URI, "--valid", *options).stdout


def test_a_seed_gives_the_same_texts(urlconform):
    assert valid_uris(urlconform, "--seed", "1") == valid_uris(urlconform, "--seed", "1")


def test_another_seed_gives_other_texts(urlconform):
    assert valid_uris(urlconform, "--seed", "1") != valid_uris(urlconform, "--seed", "2")


def test_the_seed_is_0_if_the_user_gives_none(urlconform):
    assert valid_uris(urlconform) == valid_uris(urlconform, "--seed", "0")


def test_one_text_is_counted_in_the_singular(urlconform):
    done = urlconform("generate", "--valid", "--rule", "path-empty", "--count", "2")
    assert done.stderr == "valid: 1 text of rfc3986 path-empty; there are no more\n"


def test_a_rule_with_fewer_texts_than_asked_gives_them_all_with_a_note(urlconform):
    done = urlconform("generate", "--valid", "--rule", "dec-octet", "--count", "999", "--format", "lines")
    assert sorted(map(int, done.stdout.split())) == list(range(256))
    assert done.stderr == "valid: 256 texts of rfc3986 dec-octet; there are no more\n"
    assert done.returncode == Exit.PASSED


@pytest.fixture
def shaped_texts(urlconform, tmp_path):
    """Texts of a range of lengths, with a scheme, and with a weight of 0 for a character."""
    (tmp_path / "w.toml").write_text("[characters]\n'?' = 0\n", "utf-8")
    shape = ("--length", "20:30", "--scheme", "http", "--weights", "w.toml")
    texts = [line["text"] for line in generated(urlconform("generate", *URI, "--valid", *shape))]
    assert texts != []
    return texts


def test_texts_have_the_lengths_asked_for(shaped_texts):
    assert {len(text) for text in shaped_texts} <= set(range(20, 31))


def test_texts_have_the_scheme_asked_for(shaped_texts):
    assert {text.partition(":")[0].lower() for text in shaped_texts} == {"http"}


def test_texts_have_no_character_of_weight_0(shaped_texts):
    assert [text for text in shaped_texts if "?" in text] == []


def test_cover_says_its_bound(urlconform):
    done = urlconform("generate", "--cover", "--rule", "URI", "--format", "lines")
    assert re.search(r"; [\d,]+ take every transition, fewer than [\d,]+ cannot$", done.stderr, re.MULTILINE)


def test_cover_says_how_many_texts_it_writes(urlconform):
    done = urlconform("generate", "--cover", "--rule", "URI", "--format", "lines")
    assert done.stderr.startswith(f"cover: {len(done.stdout.splitlines())} texts of rfc3986 URI; ")


def has_line_end(text):
    """Return True if a text has a character that ends a line."""
    return "".join(text.splitlines()) != text


def test_texts_with_line_ends_are_left_out_and_counted(urlconform, tmp_path):
    done = urlconform("generate", "--invalid", "--rule", "URI", "--format", "lines", "-o", "out")
    *lines, _ = (tmp_path / "out").read_text("utf-8", "surrogateescape").split("\n")
    drawn = generated(urlconform("generate", "--invalid", "--rule", "URI"))
    texts = [line["text"] for line in drawn if isinstance(line["text"], str)]
    with_line_ends = [text for text in texts if has_line_end(text)]
    assert with_line_ends != []
    assert len(lines) == COUNT - len(with_line_ends)
    assert f"left out: {len(with_line_ends)} texts with line ends (--format jsonl" in done.stderr


@pytest.mark.parametrize("form", ["jsonl", "lines", "vectors", "dict", "pytest"])
def test_a_file_has_the_text_that_is_printed_without_it(urlconform, tmp_path, form):
    command = ("generate", *URI, "--valid", "--format", form)
    text = urlconform(*command).stdout
    assert text != ""
    done = urlconform(*command, "-o", "out")
    assert (tmp_path / "out").read_text("ascii") == text
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED


def test_a_corpus_has_a_file_for_each_text(urlconform, tmp_path):
    done = urlconform("generate", *URI, "--invalid", "--format", "corpus", "-o", "out")
    assert done.returncode == Exit.PASSED
    files = list((tmp_path / "out").iterdir())
    assert len(files) == FEW
    assert [path for path in files if hashlib.sha1(path.read_bytes()).hexdigest() != path.name] == []


def test_a_refused_request_leaves_a_file_alone(urlconform, tmp_path):
    (tmp_path / "out").write_text("precious", "utf-8")
    done = urlconform("generate", "--valid", "--rule", "IPv4address", "--length", "2", "-o", "out")
    assert "no valid text has a length from 2 to 2" in done.stderr
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "out").read_text("utf-8") == "precious"


def test_texts_of_a_class_show_it(urlconform):
    done = urlconform("generate", "--class", "several-ats", "--count", "9")
    assert {line["difference"] for line in generated(done)} == {"several-ats"}
    assert done.stderr == "class: 9 texts of rfc3986 URI-reference that show several-ats\n"


@pytest.fixture
def answers_of_rfcs(urlconform):
    """The answers of all RFCs to each of nine texts, which are also resolved against a base."""
    options = ("--class", "several-ats", "--count", "9", "--all-specs", "--base", "http://a/b")
    answers = [line["specs"] for line in generated(urlconform("generate", *options))]
    assert len(answers) == 9
    return answers


def test_texts_have_the_answers_of_all_rfcs_if_they_are_asked_for(answers_of_rfcs):
    for answers in answers_of_rfcs:
        assert answers.keys() == {*url_specs()}


def test_the_answer_to_a_valid_text_has_its_components_and_its_target(answers_of_rfcs):
    valid_answers = [answers["rfc2396"] for answers in answers_of_rfcs if answers["rfc2396"]["valid"]]
    assert valid_answers != []
    for answer in valid_answers:
        assert answer.keys() == {"valid", "components", "result"}


EXPLORED = ("generate", "--valid", "--rule", "IPv4address", "--count", "60", "--format", "lines")


def test_exploring_draws_no_text_twice(urlconform):
    texts = urlconform(*EXPLORED, "--explore").stdout.split()
    assert len(texts) == 60
    assert len(set(texts)) == 60


def test_exploring_draws_other_texts(urlconform):
    """Few texts with the rule of an address take all transitions."""
    assert urlconform(*EXPLORED, "--explore").stdout != urlconform(*EXPLORED).stdout


def as_bytes(text):
    """Return the bytes of a text of JSON, which may be given by hex digits."""
    return text.encode() if isinstance(text, str) else bytes.fromhex(text["hex"])


def test_parquet_has_the_rows_of_json_lines(urlconform, tmp_path):
    done = urlconform("generate", *URI, "--invalid", "--format", "parquet", "-o", "out")
    assert done.stdout == ""
    assert done.returncode == Exit.PASSED
    rows = parquet.read_table(tmp_path / "out").to_pylist()
    lines = generated(urlconform("generate", *URI, "--invalid"))
    octets = [row["text"].encode() if row["bytes"] is None else row["bytes"] for row in rows]
    assert octets == [as_bytes(line["text"]) for line in lines]
    for name in ("kind", "valid", "offset", "broken", "class"):
        assert [row[name] for row in rows] == [line.get(name) for line in lines]


@pytest.fixture
def without_the_extra(monkeypatch):
    """The libraries of the extra are not installed."""
    monkeypatch.setitem(sys.modules, "urlharness.generate.compiled", None)


@pytest.mark.usefixtures("without_the_extra")
def test_parquet_without_the_extra_is_one_line(urlconform):
    done = urlconform("generate", *URI, "--valid", "--format", "parquet", "-o", "out")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("urlconform: --format parquet: ")
    assert done.returncode == Exit.USAGE


@pytest.mark.usefixtures("without_the_extra")
def test_many_texts_need_no_extra(urlconform, monkeypatch):
    # from this many texts on, which are fewer than those that are drawn, the extra would be used
    monkeypatch.setattr(generate, "_WORTH_COMPILED_SAMPLING", 10)
    assert len(generated(urlconform("generate", *URI, "--valid"))) == FEW


def test_the_compiled_sampler_gives_the_same_texts(urlconform, monkeypatch):
    texts = urlconform("generate", *URI, "--valid", "--invalid").stdout
    # it is used for this many texts, which are fewer than those that are drawn
    monkeypatch.setattr(generate, "_WORTH_COMPILED_SAMPLING", 10)
    assert urlconform("generate", *URI, "--valid", "--invalid").stdout == texts


@pytest.fixture
def generate_on_full_disk(urlconform, monkeypatch):
    """Return a function that writes a corpus to the folder c of a disk that is full at the fourth file."""
    replace = Path.replace
    file_numbers = count(1)

    def replace_unless_full(path, target):
        if next(file_numbers) == 4:
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(path, target)

    def write():
        monkeypatch.setattr(Path, "replace", replace_unless_full)
        return urlconform("generate", *URI, "--valid", "--format", "corpus", "-o", "c")

    return write


def test_a_full_disk_is_named_in_one_line(generate_on_full_disk):
    done = generate_on_full_disk()
    assert re.fullmatch(r"urlconform: c/[0-9a-f]{40}: no space left on device\n", done.stderr)
    assert done.returncode == Exit.USAGE


def test_a_full_disk_leaves_no_new_folder(generate_on_full_disk, tmp_path):
    generate_on_full_disk()
    assert not (tmp_path / "c").exists()


def test_a_full_disk_leaves_only_the_files_that_a_folder_had(generate_on_full_disk, tmp_path):
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / "mine").touch()
    generate_on_full_disk()
    assert [path.name for path in (tmp_path / "c").rglob("*")] == ["mine"]


def test_a_wrong_label_ends_the_run(urlconform, monkeypatch):
    """A planted fault: the sampler gives a word that the rule does not derive."""
    monkeypatch.setattr("urlharness.words.sampling.Sampler.make_words", lambda *_: iter(["no URI"]))
    done = urlconform("generate", *URI, "--valid")
    assert done.stdout == ""
    assert done.stderr.startswith("urlconform: rfc3986 URI: wrong label of 'no URI': the automaton accepts, ")
    assert done.stderr.count("\n") == 1
    assert done.returncode == Exit.FAILED


def small_tier_ids(urlconform, *options) -> list[str]:
    return [line["id"] for line in generated(urlconform("generate", *SMALL, *options))]


def test_the_limit_draws_the_same_cases_for_a_seed(urlconform):
    limit = ("--limit", "9", "--seed", "1")
    assert small_tier_ids(urlconform, *limit) == small_tier_ids(urlconform, *limit)


def test_the_limit_draws_other_cases_for_another_seed(urlconform):
    drawn = small_tier_ids(urlconform, "--limit", "9", "--seed", "1")
    assert drawn != small_tier_ids(urlconform, "--limit", "9", "--seed", "2")


@pytest.fixture
def drawn_positions(urlconform_once):
    """The positions in the tier of the cases that a limit with a seed draws, in their order."""
    tier = small_tier_ids(urlconform_once)
    drawn = small_tier_ids(urlconform_once, "--limit", "9", "--seed", "1")
    return [tier.index(identifier) for identifier in drawn]


def test_the_limit_with_a_seed_draws_cases_in_the_order_of_the_tier(drawn_positions):
    assert len(drawn_positions) == 9
    assert drawn_positions == sorted(drawn_positions)


def test_the_limit_with_a_seed_draws_cases_of_both_halves_of_the_tier(urlconform_once, drawn_positions):
    middle = len(small_tier_ids(urlconform_once)) // 2
    assert min(drawn_positions) < middle
    assert max(drawn_positions) >= middle
