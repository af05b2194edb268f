"""The compiled form of the installed corpus: what it contains, when it is read, and when it is ignored."""

from __future__ import annotations

import json
import os
import pickle
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest

from urlharness.corpus import compiled as compiled_module
from urlharness.corpus import loader
from urlharness.corpus.compiled import compiled_file, read_compiled, write_compiled
from urlharness.corpus.loader import load, load_json
from urlharness.corpus.lock import known_ids
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.selection import Selection


@pytest.fixture(scope="module")
def json_corpus():
    """The whole corpus, read from JSON."""
    return load_json(corpus_dir())


@pytest.fixture(scope="module")
def compiled_path(json_corpus, tmp_path_factory):
    """The file with the compiled form of the whole corpus."""
    path = tmp_path_factory.mktemp("compiled") / "corpus"
    write_compiled(path, json_corpus)
    return path


@pytest.fixture(scope="module")
def compiled_corpus(compiled_path):
    """The whole corpus, read from its compiled form."""
    return read_compiled(compiled_path)


@pytest.fixture
def compiled_folder(tmp_path, monkeypatch):
    """The folder of compiled forms in a cache of the test."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "urlconform" / "corpus"


@pytest.fixture
def installed_corpus(part, tmp_path, monkeypatch, compiled_folder):
    """A small installed corpus, and an empty cache."""
    root = tmp_path / "site-packages" / "urlvectors"
    root.parent.mkdir()
    shutil.copytree(part, root)
    monkeypatch.setattr(loader, "corpus_dir", lambda: root)
    yield root
    forget_loaded_corpus()


@pytest.fixture
def without_json(monkeypatch):
    """Return a function that forgets the corpus; to read one from JSON after that fails the test."""

    def fail(root):
        raise AssertionError(f"{root} was read from JSON")

    def forget():
        forget_loaded_corpus()
        monkeypatch.setattr(loader, "load_json", fail)

    return forget


def forget_loaded_corpus():
    """Forget what this process has loaded, so that the next call reads the corpus as a new process would."""
    loader._load_compiled.cache_clear()


def test_the_compiled_form_has_the_cases_of_the_json_files(compiled_corpus, json_corpus):
    assert list(compiled_corpus.cases) == list(json_corpus.cases)


@pytest.mark.parametrize("field", ["requirements", "titles", "digest", "version", "sizes"])
def test_the_compiled_form_has_the_facts_of_the_json_files(compiled_corpus, json_corpus, field):
    assert getattr(compiled_corpus, field) == getattr(json_corpus, field)


@pytest.mark.parametrize(
    "selection",
    [
        Selection(),
        Selection(words=("excess-dotdot",)),
        Selection(words=("rfc2396", "dot")),
        Selection(words=("no such id",)),
        Selection(specs=("rfc2732", "rfc3986"), words=("port",)),
        Selection(specs=("rfc1808",), sections=("5.2",)),
        Selection(rules=("HOST",), flags=("security",)),
        Selection(origins=("twin",)),
    ],
    ids=str,
)
def test_a_selection_picks_the_same_cases_of_the_compiled_form(compiled_corpus, json_corpus, selection):
    assert list(selection.pick(compiled_corpus.cases)) == list(selection.pick(json_corpus.cases))


#: Places and slices of the cases, of which there are more than 14,000.
PLACES = [0, 1, 14_000, -1, slice(3, 9), slice(None, None, 5_000)]


@pytest.mark.parametrize("index", PLACES, ids=str)
def test_a_case_is_read_by_its_place(json_corpus, compiled_path, index):
    """No other case has been read before."""
    assert read_compiled(compiled_path).cases[index] == json_corpus.cases[index]


def test_no_case_is_decoded_for_the_ids_of_the_compiled_form(json_corpus, compiled_path, monkeypatch):
    def fail(content):
        raise AssertionError("a case was decoded")

    compiled_corpus = read_compiled(compiled_path)
    monkeypatch.setattr(compiled_module, "_decode_case", fail)
    assert known_ids(compiled_corpus).ids == known_ids(json_corpus).ids


def test_the_compiled_form_has_no_case_after_the_last(compiled_corpus):
    with pytest.raises(IndexError, match="out of range"):
        compiled_corpus.cases[len(compiled_corpus.cases)]


def test_a_pickled_copy_of_the_compiled_form_has_all_cases(compiled_corpus, json_corpus):
    assert pickle.loads(pickle.dumps(compiled_corpus.cases)) == tuple(json_corpus.cases)


@pytest.mark.usefixtures("installed_corpus")
def test_the_first_command_writes_the_compiled_form_under_the_digest_of_the_corpus(compiled_folder):
    corpus = load()
    (path,) = compiled_folder.iterdir()
    assert path.name.startswith(f"{corpus.digest}-")


@pytest.mark.usefixtures("installed_corpus")
def test_later_commands_read_the_compiled_form(without_json):
    cases = list(load().cases)
    without_json()
    assert list(load().cases) == cases


@pytest.mark.usefixtures("installed_corpus")
def test_a_process_reads_the_compiled_form_once():
    assert load() is load()


def test_a_checkout_is_read_from_json(installed_corpus, compiled_folder, monkeypatch):
    checkout = (
        installed_corpus.parent.rename(installed_corpus.parent.with_name("vectors")) / installed_corpus.name
    )
    monkeypatch.setattr(loader, "corpus_dir", lambda: checkout)
    load()
    assert not compiled_folder.exists()


def test_a_given_folder_is_read_from_json(installed_corpus, compiled_folder):
    load(installed_corpus)
    assert not compiled_folder.exists()


def test_a_changed_vector_of_the_installed_corpus_is_read(installed_corpus, change):
    load()  # writes the compiled form, which is old after the change
    path = installed_corpus / "rfc1808" / "5.1-normal.json"
    identifier = change(path, comment="changed")
    changed_ids = [case.vector.id for case in load().cases if case.vector.comment == "changed"]
    assert changed_ids == [identifier]


def test_the_version_of_a_changed_installed_corpus_says_so(installed_corpus, change):
    load()  # writes the compiled form, which is old after the change
    change(installed_corpus / "rfc1808" / "5.1-normal.json", comment="changed")
    assert load().version.endswith("+changed")


def test_a_changed_vector_of_a_given_folder_gets_the_new_verdict(urlconform, part):
    path = part / "rfc1808" / "5.1-normal.json"
    document = json.loads(path.read_bytes())
    vector = next(vector for vector in document["vectors"] if vector["expect"].get("result"))
    command = ("run", "urllib", "--vectors", str(part), "-k", vector["id"])
    assert urlconform(*command).stdout.startswith("urllib: passed\n")
    vector["expect"]["result"] = "http://other/"
    path.write_text(json.dumps(document), "ascii")
    assert urlconform(*command).stdout.startswith("urllib: gate failed on required vectors of rfc1738, ")


#: Functions that spoil the content of the compiled form.
SPOILT = pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda _content: b"", id="empty"),
        pytest.param(lambda content: content[:30], id="cut-in-the-head"),
        pytest.param(lambda content: content[:-1], id="cut-at-the-end"),
        pytest.param(lambda content: content + b"\n", id="too-long"),
        pytest.param(lambda content: b"{}\n" + content, id="foreign"),
        pytest.param(lambda content: content.replace(b"rfc1808-", b"rfc1809-"), id="another-index"),
        pytest.param(lambda _content: b"urlcorpus-1 x y z\n", id="no-numbers"),
        pytest.param(lambda _content: b"\xff" * 100, id="no-text"),
    ],
)


@pytest.fixture
def loaded_corpus(installed_corpus):
    """The installed corpus, which has been loaded and so has its compiled form."""
    return load()


@pytest.fixture
def compiled_content(loaded_corpus, compiled_folder):
    """The content of the compiled form before it is spoilt."""
    (path,) = compiled_folder.iterdir()
    return path.read_bytes()


@pytest.fixture
def spoilt_path(compiled_folder, compiled_content, spoil):
    """The file with the compiled form, whose content is spoilt."""
    (path,) = compiled_folder.iterdir()
    spoilt_content = spoil(compiled_content)
    assert spoilt_content != compiled_content
    path.write_bytes(spoilt_content)
    forget_loaded_corpus()
    return path


@SPOILT
@pytest.mark.usefixtures("spoilt_path")
def test_a_spoilt_file_is_ignored(loaded_corpus):
    assert list(load().cases) == list(loaded_corpus.cases)


@SPOILT
def test_a_spoilt_file_is_written_again(spoilt_path, compiled_content):
    load()
    assert spoilt_path.read_bytes() == compiled_content


@SPOILT
@pytest.mark.usefixtures("spoilt_path")
def test_a_file_that_is_written_again_is_read(loaded_corpus, without_json):
    load()
    without_json()
    assert list(load().cases) == list(loaded_corpus.cases)


def test_a_cache_that_cannot_be_written_is_no_fault(installed_corpus, tmp_path):
    (tmp_path / "cache").write_bytes(b"")  # a file, which not even root can make folders in
    assert list(load().cases) == list(load_json(installed_corpus).cases)


@pytest.mark.usefixtures("installed_corpus")
def test_a_cache_that_cannot_be_read_is_no_fault(compiled_folder):
    corpus = load()
    (path,) = compiled_folder.iterdir()
    path.unlink()
    path.mkdir()
    forget_loaded_corpus()
    assert list(load().cases) == list(corpus.cases)


def test_several_threads_can_write_the_compiled_form_at_the_same_time(json_corpus, tmp_path):
    path = tmp_path / "corpus"
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: write_compiled(path, json_corpus), range(4)))
    assert list(read_compiled(path).cases) == list(json_corpus.cases)
    assert [file.name for file in tmp_path.iterdir()] == ["corpus"]


def test_the_oldest_compiled_forms_are_removed(json_corpus, tmp_path):
    """Four remain."""
    for number in range(6):
        (tmp_path / f"{number}").write_bytes(b"")
        os.utime(tmp_path / f"{number}", (number, number))
    write_compiled(tmp_path / "corpus", json_corpus)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["3", "4", "5", "corpus"]


@pytest.mark.parametrize("name", ["vectors.lock", "rfc1808/5.1-normal.json", "classes.json"])
def test_the_name_of_the_compiled_form_changes_with_a_file_of_any_kind(installed_corpus, name):
    before = compiled_file(installed_corpus, "")
    os.utime(installed_corpus / name, (1, 1))
    assert compiled_file(installed_corpus, "") != before
