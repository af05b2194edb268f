"""The export: the corpus as plain files, whole or in part, and never over what is not an export."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from urlauthor.lint.differences import lint_differences
from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import lint_vectors
from urlauthor.lock import relock
from urlharness.corpus.export import ExportError, write_export
from urlharness.corpus.loader import corpus_digest, covered_files, load
from urlharness.corpus.lock import LockError, read_lock, render_lock
from urlharness.corpus.model import FLAGS, Case, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.generate.tiers.digests import tier_streams
from urlharness.system.files import OutsideError


@pytest.fixture(scope="module")
def source(part_of_the_corpus, tmp_path_factory):
    """A small corpus with all differences, locked; not to be changed."""
    root = shutil.copytree(part_of_the_corpus, tmp_path_factory.mktemp("source") / "urlvectors")
    shutil.copytree(corpus_dir() / "differences", root / "differences")
    (root / "vectors.lock").write_text(render_lock(relock(load(root), None)), "ascii")
    return root


@pytest.fixture(scope="module")
def export_folder(source, tmp_path_factory):
    """The folder of an export of the whole corpus."""
    target = tmp_path_factory.mktemp("export") / "urls"
    corpus = load(source)
    assert write_export(source, corpus, target, Selection(), force=False) == len(corpus.cases)
    return target


@pytest.fixture
def export(source, tmp_path):
    """Return a function that exports a part of the corpus; it returns the folder and the count of vectors."""

    def make(force=False, target=tmp_path / "out", **conditions):
        return target, write_export(source, load(source), target, Selection(**conditions), force=force)

    return make


def contents_of_corpus(root):
    """Return the content of each file that belongs to a corpus, by its name below the folder."""
    return {path.relative_to(root): path.read_bytes() for path in covered_files(root)}


def test_an_export_without_selection_has_the_files_of_the_corpus(source, export_folder):
    assert contents_of_corpus(export_folder) == contents_of_corpus(source)


def test_an_export_without_selection_is_the_whole_corpus(source, export_folder):
    assert load(export_folder) == load(source)


def test_an_export_without_selection_has_the_lock_of_the_corpus(source, export_folder):
    assert read_lock(export_folder / "vectors.lock") == read_lock(source / "vectors.lock")


def test_an_exported_corpus_passes_the_lint(export_folder):
    assert list(lint_vectors(export_folder, {})) == []
    assert list(lint_differences(export_folder)) == []
    assert list(lint_lock(export_folder)) == []


def test_the_version_names_corpus_and_folder(source, export_folder):
    corpus = load(source)
    text = (export_folder / "VERSION").read_text("ascii")
    assert text == f"corpus {corpus.version}\ndigest {corpus.digest}\nexport {corpus_digest(export_folder)}\n"


def test_a_whole_export_has_the_digest_of_the_corpus(source, export_folder):
    assert corpus_digest(export_folder) == load(source).digest


def test_sums_check_every_file(export_folder):
    done = subprocess.run(
        ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=export_folder, capture_output=True, check=True
    )
    files = {
        path.relative_to(export_folder).as_posix() for path in export_folder.rglob("*") if path.is_file()
    }
    checked = {line.removesuffix(": OK") for line in done.stdout.decode().splitlines()}
    assert checked == files - {"SHA256SUMS"}
    assert {"README.md", "VERSION", "vectors.lock", "schemas/flags.schema.json"} <= checked


def test_an_export_has_the_schemas(export_folder):
    schemas = {path.name: path.read_bytes() for path in (corpus_dir() / "schemas").iterdir()}
    assert schemas != {}
    assert {path.name: path.read_bytes() for path in (export_folder / "schemas").iterdir()} == schemas


def test_the_readme_names_version_size_and_flags(source, export_folder):
    text = (export_folder / "README.md").read_text("utf-8")
    corpus = load(source)
    assert text.startswith(f"# URL vectors, version {corpus.version}\n")
    assert f"{len(corpus.cases)} vectors" in text
    assert [flag for flag in FLAGS if f"| `{flag}` |" not in text] == []


def test_the_readme_has_no_field_to_fill_in(export_folder):
    text = (export_folder / "README.md").read_text("utf-8")
    assert re.findall(r"\{\w*\}", text) == []


#: Two pages in print.
LONGEST_README = 120


def test_the_readme_is_short(export_folder):
    assert len((export_folder / "README.md").read_text("utf-8").splitlines()) < LONGEST_README


def test_the_readme_shows_a_vector_of_the_corpus(export_folder):
    text = (export_folder / "README.md").read_text("utf-8")
    # the first object of JSON that is indented as code
    example = json.loads(re.search(r"^    \{\n.*?\n    \}$", text, re.MULTILINE | re.DOTALL)[0])
    vectors = []
    for path in (export_folder / "rfc1808").iterdir():
        vectors += json.loads(path.read_bytes())["vectors"]
    assert example in vectors


#: A small part of a generated tier.
(PART,) = tier_streams(["complete"], Selection(("rfc1808",), rules=("absoluteURL",)))


@pytest.fixture
def export_with_tier(source, tmp_path):
    """Return a function that exports the part of the tier, with the core or alone, and returns the folder."""

    def make(*, core):
        target = tmp_path / "with-tier"
        selection = Selection(specs=("rfc1808",))
        streams = {PART.part: PART.cases()}
        corpus = load(source)
        count = write_export(source, corpus, target, selection, force=False, core=core, streams=streams)
        vectors_of_core = selection.pick(corpus.cases) if core else []
        assert count == len(vectors_of_core) + PART.total
        return target

    return make


BOTH_OR_ALONE = pytest.mark.parametrize("core", [True, False], ids=["with-the-core", "alone"])


@BOTH_OR_ALONE
def test_an_export_has_the_pinned_cases_of_a_tier(export_with_tier, core):
    lines = (export_with_tier(core=core) / "tiers" / f"{PART.part}.jsonl").read_text("ascii").splitlines()
    assert len(lines) == PART.total
    assert {json.loads(line)["spec"] for line in lines} == {"rfc1808"}


@BOTH_OR_ALONE
def test_the_readme_counts_the_cases_of_a_tier(export_with_tier, core):
    text = (export_with_tier(core=core) / "README.md").read_text("utf-8")
    assert f"`tiers/{PART.part}.jsonl` | {PART.total} |" in text


@BOTH_OR_ALONE
def test_the_sums_of_an_export_with_a_tier_are_right(export_with_tier, core):
    command = ["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"]
    done = subprocess.run(command, cwd=export_with_tier(core=core), check=False)
    assert done.returncode == 0


def test_an_export_of_a_tier_with_the_core_has_its_vectors(export_with_tier):
    assert list(export_with_tier(core=True).glob("rfc1808/*.json")) != []


def test_an_export_of_a_tier_alone_has_no_vectors_of_the_core(export_with_tier):
    assert list(export_with_tier(core=False).glob("rfc1808/*.json")) == []


PARTS = [
    pytest.param({"specs": ("rfc1808",)}, id="specification"),
    pytest.param({"specs": ("rfc1808",), "sections": ("5",)}, id="section-and-below"),
    pytest.param({"sections": ("C", "3.2.2")}, id="sections-of-several"),
]


class ExportedPart(NamedTuple):
    """The folder of an exported part, the count the export returns, and the cases selected."""

    folder: Path
    count: int
    selected: list[Case]


@pytest.fixture(scope="module", params=PARTS)
def exported_part(request, source, tmp_path_factory):
    """A selected part of the corpus, exported."""
    folder = tmp_path_factory.mktemp("part") / "out"
    corpus = load(source)
    selection = Selection(**request.param)
    count = write_export(source, corpus, folder, selection, force=False)
    return ExportedPart(folder, count, list(selection.pick(corpus.cases)))


def test_a_selected_part_has_its_vectors(exported_part):
    assert list(load(exported_part.folder).cases) == exported_part.selected


def test_the_export_of_a_selected_part_counts_its_vectors(exported_part):
    assert exported_part.count == len(exported_part.selected)


def test_a_selected_part_has_the_requirements_of_its_vectors(exported_part):
    cited = {case.vector.requirement for case in exported_part.selected}
    assert cited <= load(exported_part.folder).requirements.keys()


def test_the_lock_of_a_selected_part_has_its_vectors(exported_part):
    lock = read_lock(exported_part.folder / "vectors.lock")
    assert lock.entries.keys() == {case.vector.id for case in exported_part.selected}


def test_a_selected_part_has_all_differences(source, exported_part):
    exported_names = {path.name for path in (exported_part.folder / "differences").iterdir()}
    assert exported_names == {path.name for path in (source / "differences").iterdir()}


def test_a_selected_part_passes_the_lint(exported_part):
    """Catalogues of RFCs that are not selected may be missing."""
    assert lint_lock(exported_part.folder) == []
    assert lint_differences(exported_part.folder) == []
    messages = [finding.message for finding in lint_vectors(exported_part.folder, {})]
    assert [message for message in messages if "catalogue is missing" not in message] == []


def test_a_selection_of_nothing_is_an_error(export):
    with pytest.raises(ExportError, match="no vector"):
        export(sections=("99",))


@pytest.mark.parametrize(
    ("force", "message"),
    [
        pytest.param(False, "is not empty", id="plain"),
        pytest.param(True, "is not an earlier export", id="force"),
    ],
)
def test_a_folder_in_use_is_left_alone(export, tmp_path, force, message):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match=message):
        export(force=force)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_an_empty_folder_is_used(export, tmp_path):
    (tmp_path / "out").mkdir()
    target, count = export(specs=("rfc2396",))
    assert count > 0
    assert len(load(target).cases) == count


def test_an_earlier_export_is_not_replaced_without_force(export):
    target, _ = export(specs=("rfc1808",))
    with pytest.raises(ExportError, match="is not empty"):
        export(specs=("rfc2396",))
    assert {case.spec for case in load(target).cases} == {"rfc1808"}


def test_force_replaces_an_export_and_nothing_else(export):
    target, _ = export(specs=("rfc1808",))
    (target / "mine.txt").write_text("mine")
    export(force=True, specs=("rfc2396",))
    assert not (target / "rfc1808").exists()
    assert {case.spec for case in load(target).cases} == {"rfc2396"}
    assert (target / "mine.txt").read_text() == "mine"


@pytest.mark.parametrize("name", ["../kept", "/etc/kept", "a/../../kept"])
def test_force_removes_nothing_outside(export, tmp_path, name):
    target, _ = export(specs=("rfc2396",))
    (tmp_path / "kept").write_text("kept")
    with (target / "SHA256SUMS").open("a") as stream:
        stream.write(f"{'0' * 64}  {name}\n")
    with pytest.raises(ExportError, match="outside the folder"):
        export(force=True, specs=("rfc2396",))
    assert (tmp_path / "kept").exists()
    assert load(target).cases


#: A link below an export that leads outside, and the name that SHA256SUMS lists because of it, if any,
#: and the error.
LINKED = [
    pytest.param("sub", "../victim", "sub/f", ExportError, id="listed-folder"),
    pytest.param("sub", "../victim/f", "sub", ExportError, id="listed-file"),
    pytest.param("tiers", "../victim", None, OutsideError, id="folder-to-write"),
    pytest.param("README.md", "../victim/f", None, OutsideError, id="file-to-write"),
]


@pytest.mark.parametrize(("link", "target", "listed", "error"), LINKED)
def test_force_follows_no_link(export, source, tmp_path, link, target, listed, error):
    folder, _ = export(specs=("rfc2396",))
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "f").write_text("theirs")
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(target)
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    lines = [line for line in sums if not line.endswith(f"  {link}")]
    if listed is not None:
        lines.append(f"{'0' * 64}  {listed}")
    (folder / "SHA256SUMS").write_text("".join(f"{line}\n" for line in lines))
    streams = {PART.part: PART.cases()}
    with pytest.raises(error, match="a symbolic link, which is not followed"):
        write_export(source, load(source), folder, Selection(("rfc2396",)), force=True, streams=streams)
    assert [path.name for path in (tmp_path / "victim").iterdir()] == ["f"]
    assert (tmp_path / "victim" / "f").read_text() == "theirs"


#: The content of a corpus file that `vectors fmt` cannot rewrite.
BROKEN_CONTENT = [
    pytest.param(b'{"schema": "urlvectors-1", "vectors": [', "Expecting value", id="cut"),
    pytest.param(b"[" * 100_000, "nested too deeply", id="deep"),
    pytest.param(b'{"vectors": ["\xff"]}', "utf-8", id="no-utf-8"),
    pytest.param(b'{"vectors": [1]}', "not the content of a corpus file", id="number"),
    pytest.param(b'{"vectors": 1}', "not the content of a corpus file", id="no-list"),
    pytest.param(b'{"vectors": [{"new": 1}]}', "'new'", id="field"),
    pytest.param(b"1", "not the content of a corpus file", id="no-object"),
]


@pytest.mark.parametrize(("content", "message"), BROKEN_CONTENT)
def test_fmt_names_a_file_that_it_cannot_rewrite(part, urlconform, content, message):
    path = part / "rfc1808" / "5.1-normal.json"
    path.write_bytes(content)
    done = urlconform("vectors", "fmt", "--vectors", str(part))
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"urlconform: {path}: ")
    assert message in line
    assert done.returncode == Exit.INVALID_FILE


def test_fmt_leaves_a_file_that_it_cannot_rewrite(part, urlconform):
    path = part / "rfc1808" / "5.1-normal.json"
    path.write_bytes(b"1")
    urlconform("vectors", "fmt", "--vectors", str(part))
    assert path.read_bytes() == b"1"


#: Commands of authors that write a file of the corpus, the file, and an end that makes them write it.
COMMANDS_OF_AUTHORS = [
    pytest.param(("fmt",), "rfc1808/5.1-normal.json", "\n", id="fmt"),  # a blank line is not canonical
    pytest.param(("lock", "--release", "9.0.0"), "vectors.lock", "", id="lock"),
]


@pytest.mark.parametrize(("command", "name", "end"), COMMANDS_OF_AUTHORS)
def test_authors_write_through_no_link(part, urlconform, tmp_path, command, name, end):
    content = (part / name).read_text() + end
    (tmp_path / "victim").write_text(content)
    (part / name).unlink()
    (part / name).symlink_to(tmp_path / "victim")
    done = urlconform("vectors", *command, "--vectors", str(part))
    assert done.stderr.count("\n") == 1
    assert "a symbolic link, which is not followed" in done.stderr
    assert done.returncode == Exit.USAGE
    assert (tmp_path / "victim").read_text() == content


@pytest.mark.parametrize("inside", [".", "rfc1808", "new/deep"])
def test_the_corpus_is_never_written_into(part, inside):
    with pytest.raises(ExportError, match="is the corpus itself"):
        write_export(part, load(part), part / inside, Selection(), force=True)


def test_a_file_in_place_of_the_folder_is_refused(export, tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(ExportError, match="is not a folder"):
        export(force=True)


@pytest.fixture
def unlocked_export(part, tmp_path):
    """The export of a corpus without a lock and without the table of flags."""
    for name in ("vectors.lock", "flags.json"):
        (part / name).unlink()
    write_export(part, load(part), tmp_path / "out", Selection(), force=False)
    return tmp_path / "out"


def test_a_corpus_without_lock_and_tables_is_exported(part, unlocked_export):
    assert load(unlocked_export) == load(part)
    assert not (unlocked_export / "vectors.lock").exists()


def test_the_version_of_a_corpus_without_a_lock_is_unlocked(unlocked_export):
    assert (unlocked_export / "VERSION").read_text().startswith("corpus unlocked\n")


def test_a_corpus_that_is_not_as_locked_is_not_exported(part, change, tmp_path):
    """A version is published only with the content that was locked."""
    change(part / "rfc1808/5.1-normal.json", comment="Changed.")
    with pytest.raises(LockError, match="differs from its lock"):
        write_export(part, load(part), tmp_path / "out", Selection(), force=False)
    assert not (tmp_path / "out").exists()
