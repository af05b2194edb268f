"""The export: the corpus as plain files, whole or in part, and never over what is not an export."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from urlauthor.lint.differences import lint_differences
from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import lint_vectors
from urlauthor.lock import relock
from urlharness.corpus.export import ExportError, write_export
from urlharness.corpus.loader import corpus_digest, covered_files, load
from urlharness.corpus.lock import LockError, read_lock, render_lock
from urlharness.corpus.model import FLAGS, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.generate.digests import tier_streams
from urlharness.system.files import OutsideError


@pytest.fixture(scope="module")
def source(part_of_the_corpus, tmp_path_factory):
    """A small corpus with all differences, locked; not to be changed."""
    root = shutil.copytree(part_of_the_corpus, tmp_path_factory.mktemp("source") / "urlvectors")
    shutil.copytree(corpus_dir() / "differences", root / "differences")
    (root / "vectors.lock").write_text(render_lock(relock(load(root), None)), "ascii")
    return root


@pytest.fixture(scope="module")
def whole(source, tmp_path_factory):
    """The whole corpus, exported."""
    target = tmp_path_factory.mktemp("export") / "urls"
    corpus = load(source)
    assert write_export(source, corpus, target, Selection(), force=False) == len(corpus.cases)
    return target


@pytest.fixture
def export(source, tmp_path):
    """Exports a part of the corpus."""

    def make(force=False, target=tmp_path / "out", **conditions):
        return target, write_export(source, load(source), target, Selection(**conditions), force=force)

    return make


def test_an_export_without_selection_is_the_whole_corpus(source, whole):
    for path in covered_files(source):
        assert (whole / path.relative_to(source)).read_bytes() == path.read_bytes()
    assert load(whole) == load(source)
    assert read_lock(whole / "vectors.lock") == read_lock(source / "vectors.lock")
    assert [*lint_vectors(whole, {}), *lint_differences(whole), *lint_lock(whole)] == []


def test_the_version_names_corpus_and_folder(source, whole):
    corpus = load(source)
    text = (whole / "VERSION").read_text("ascii")
    assert text == f"corpus {corpus.version}\ndigest {corpus.digest}\nexport {corpus_digest(whole)}\n"
    assert corpus_digest(whole) == corpus.digest


def test_sums_check_every_file(whole):
    done = subprocess.run(
        ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=whole, capture_output=True, check=True
    )
    files = {path.relative_to(whole).as_posix() for path in whole.rglob("*") if path.is_file()}
    checked = {line.removesuffix(": OK") for line in done.stdout.decode().splitlines()}
    assert checked == files - {"SHA256SUMS"}
    assert {"README.md", "VERSION", "vectors.lock", "schemas/flags.schema.json"} <= checked


def test_an_export_has_the_schemas(whole):
    for path in (corpus_dir() / "schemas").iterdir():
        assert (whole / "schemas" / path.name).read_bytes() == path.read_bytes()


def test_the_readme_explains_flags_and_fields(source, whole):
    text = (whole / "README.md").read_text("utf-8")
    corpus = load(source)
    assert text.startswith(f"# URL vectors, version {corpus.version}\n")
    assert f"{len(corpus.cases)} vectors" in text
    assert all(f"| `{flag}` |" in text for flag in FLAGS)
    assert text.count("{") == text.count("}")
    assert len(text.splitlines()) < 120


def test_the_readme_shows_a_vector_of_the_corpus(whole):
    text = (whole / "README.md").read_text("utf-8")
    example = text[text.index("    {\n") : text.index("\n    }\n") + 7]
    vectors = {
        vector["id"]: vector
        for path in (whole / "rfc1808").iterdir()
        for vector in json.loads(path.read_bytes())["vectors"]
    }
    document = json.loads(example)
    assert document == vectors[document["id"]]


def test_an_export_has_the_generated_tiers(source, tmp_path):
    """With the core or alone; each line is a vector, and the file has as many as are pinned."""
    parts = tier_streams(["complete"], Selection(("rfc1808",), rules=("absoluteURL",)))
    for name, core in (("both", True), ("alone", False)):
        selection = Selection(specs=("rfc1808",))
        target = tmp_path / name
        streams = {part.part: part.cases() for part in parts}
        count = write_export(source, load(source), target, selection, force=False, core=core, streams=streams)
        lines = (target / "tiers" / f"{parts[0].part}.jsonl").read_text("ascii").splitlines()
        stored = len(list(target.glob("rfc1808/*.json")))
        assert len(lines) == parts[0].total
        assert (stored > 0) == core
        assert count >= sum(part.total for part in parts)
        assert json.loads(lines[0])["spec"] == "rfc1808"
        assert f"`tiers/{parts[0].part}.jsonl` | {len(lines)} |" in (target / "README.md").read_text("utf-8")
        subprocess.run(["sha256sum", "--strict", "--quiet", "-c", "SHA256SUMS"], cwd=target, check=True)


PARTS = [
    pytest.param({"specs": ("rfc1808",)}, id="specification"),
    pytest.param({"specs": ("rfc1808",), "sections": ("5",)}, id="section-and-below"),
    pytest.param({"sections": ("C", "3.2.2")}, id="sections-of-several"),
]


@pytest.mark.parametrize("conditions", PARTS)
def test_a_selected_part_has_its_vectors_and_requirements(source, export, conditions):
    selected = Selection(**conditions).pick(load(source).cases)
    target, count = export(**conditions)
    part = load(target)
    assert list(part.cases) == selected
    assert count == len(selected)
    assert {case.vector.requirement for case in selected} <= set(part.requirements)
    assert set(read_lock(target / "vectors.lock").entries) == {case.vector.id for case in selected}
    assert lint_lock(target) == []
    assert lint_differences(target) == []
    missing = [
        finding for finding in lint_vectors(target, {}) if "catalogue is missing" not in finding.message
    ]
    assert missing == []
    assert len(list((target / "differences").iterdir())) == len(list((source / "differences").iterdir()))


def test_a_selection_of_nothing_is_an_error(export):
    with pytest.raises(ExportError, match="no vector"):
        export(sections=("99",))


def test_a_folder_in_use_is_left_alone(export, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match="is not empty"):
        export()
    with pytest.raises(ExportError, match="is not an earlier export"):
        export(force=True)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine.txt"]


def test_an_empty_folder_is_used(export, tmp_path):
    (tmp_path / "out").mkdir()
    assert export(specs=("rfc2396",))[1] > 10


def test_force_replaces_an_export_and_nothing_else(export):
    target, _ = export(specs=("rfc1808",))
    (target / "mine.txt").write_text("mine")
    with pytest.raises(ExportError, match="is not empty"):
        export(specs=("rfc2396",))
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


#: A link below an export that leads outside, and the name that SHA256SUMS lists because of it, if any.
LINKED = [
    pytest.param("sub", "../victim", "sub/f", id="listed-folder"),
    pytest.param("sub", "../victim/f", "sub", id="listed-file"),
    pytest.param("tiers", "../victim", None, id="folder-to-write"),
    pytest.param("README.md", "../victim/f", None, id="file-to-write"),
]


@pytest.mark.parametrize(("link", "target", "listed"), LINKED)
def test_force_follows_no_link(export, source, tmp_path, link, target, listed):
    folder, _ = export(specs=("rfc2396",))
    (tmp_path / "victim").mkdir()
    (tmp_path / "victim" / "f").write_text("theirs")
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(target)
    sums = (folder / "SHA256SUMS").read_text()
    listed_line = f"{'0' * 64}  {listed}\n" if listed else ""
    (folder / "SHA256SUMS").write_text(sums.replace(f"  {link}\n", f"  {link}.old\n") + listed_line)
    parts = tier_streams(["complete"], Selection(("rfc1808",), rules=("absoluteURL",)))
    streams = {part.part: part.cases() for part in parts[:1]}
    with pytest.raises((ExportError, OutsideError), match="a symbolic link, which is not followed"):
        write_export(source, load(source), folder, Selection(("rfc2396",)), force=True, streams=streams)
    assert [path.name for path in (tmp_path / "victim").iterdir()] == ["f"]
    assert (tmp_path / "victim" / "f").read_text() == "theirs"


#: The content of a corpus file that `vectors fmt` cannot rewrite.
CUT = [
    pytest.param(b'{"schema": "urlvectors-1", "vectors": [', "", id="cut"),
    pytest.param(b"[" * 100_000, "nested too deeply", id="deep"),
    pytest.param(b'{"vectors": ["\xff"]}', "utf-8", id="no-utf-8"),
    pytest.param(b'{"vectors": [1]}', "not the content of a corpus file", id="number"),
    pytest.param(b'{"vectors": 1}', "not the content of a corpus file", id="no-list"),
    pytest.param(b'{"vectors": [{"new": 1}]}', "'new'", id="field"),
    pytest.param(b"1", "not the content of a corpus file", id="no-object"),
]


@pytest.mark.parametrize(("content", "message"), CUT)
def test_fmt_names_a_file_that_it_cannot_rewrite(part, urlconform, content, message):
    path = part / "rfc1808" / "5.1-normal.json"
    path.write_bytes(content)
    done = urlconform("vectors", "fmt", "--vectors", str(part))
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"urlconform: {path}: ")
    assert message in done.stderr
    assert done.returncode == 6
    assert path.read_bytes() == content


#: Commands of authors that write a file of the corpus, and the file.
AUTHORS = [
    pytest.param(("fmt",), "rfc1808/5.1-normal.json", id="fmt"),
    pytest.param(("lock", "--release", "9.0.0"), "vectors.lock", id="lock"),
]


@pytest.mark.parametrize(("command", "name"), AUTHORS)
def test_authors_write_through_no_link(part, urlconform, tmp_path, command, name):
    (tmp_path / "victim").write_text((part / name).read_text().replace(": ", ":  "))
    (part / name).unlink()
    (part / name).symlink_to(tmp_path / "victim")
    before = (tmp_path / "victim").read_text()
    done = urlconform("vectors", *command, "--vectors", str(part))
    assert done.stderr.count("\n") == 1
    assert "a symbolic link, which is not followed" in done.stderr
    assert done.returncode == 2
    assert (tmp_path / "victim").read_text() == before


@pytest.mark.parametrize("inside", [".", "rfc1808", "new/deep"])
def test_the_corpus_is_never_written_into(part, inside):
    with pytest.raises(ExportError, match="is the corpus itself"):
        write_export(part, load(part), part / inside, Selection(), force=True)


def test_a_file_is_no_folder(export, tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(ExportError, match="is not a folder"):
        export(force=True)


def test_a_corpus_without_lock_and_tables(part, tmp_path):
    for name in ("vectors.lock", "flags.json"):
        (part / name).unlink()
    target = tmp_path / "out"
    write_export(part, load(part), target, Selection(), force=False)
    assert load(target) == load(part)
    assert (target / "VERSION").read_text().startswith("corpus unlocked\n")
    assert not (target / "vectors.lock").exists()


def test_a_corpus_that_is_not_as_locked_is_not_exported(part, change, tmp_path):
    """A version is published only with the content that was locked."""
    change(part / "rfc1808/5.1-normal.json", comment="Changed.")
    with pytest.raises(LockError, match="differs from its lock"):
        write_export(part, load(part), tmp_path / "out", Selection(), force=False)
    assert not (tmp_path / "out").exists()


def test_the_command_exports_and_counts(part, urlconform, tmp_path):
    target = tmp_path / "out"
    command = ("vectors", "export", str(target), "--vectors", str(part))
    done = urlconform(*command, "--spec", "RFC 1808")
    assert done.stdout == f"{target}: {len(load(target).cases)} vectors\n"
    assert done.returncode == 0
    assert urlconform(*command).returncode == 2
    assert urlconform(*command, "--force").returncode == 0
