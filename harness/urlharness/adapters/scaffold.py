"""New adapters: the languages and templates of `adapters new LANGUAGE`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import NamedTuple

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+:/@-]{0,79}")  # safe in string literals of every language


class Language(NamedTuple):
    """A language and its template; `{}` in a command is the folder of the adapter.

    `files` are in `templates/NAME`; the first is the one to edit. `--library` changes the template: the name
    in `wraps`, a text of its hello, is replaced; `stub`, which answers `unsupported`, is inserted after
    `opens`; in each pair of `claims`, about RFCs and versions, the second text replaces the first.
    """

    name: str
    files: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]
    needs: tuple[str, ...]
    wraps: str
    opens: str
    stub: str
    claims: tuple[tuple[str, str], ...]


#: The code with which the Rust template reads the version of its library.
_LOCKED = (
    '    let locked = include_str!("../Cargo.lock")'
    r'.split("name = \"url\"\nversion = \"").nth(1).unwrap_or_default();'
    "\n"
)

LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            "python", ("adapter.py",), (), ("python3", "{}/adapter.py"), ("python3",), '"urllib.parse"',
            'leave out what it does not have."""\n',
            '    return {"status": "unsupported", "message": "MESSAGE"}',
            (('["rfc3986"]', "[]"), ("platform.python_version()", '"fill in"'), ("import platform\n", "")),
        ),
        Language(
            "node", ("adapter.mjs",), (), ("node", "{}/adapter.mjs"), ("node",), '"URL"',
            "base, reference }) {\n",
            '  return { status: "unsupported", message: "MESSAGE" };',
            (("process.versions.node", '"fill in"'), (": URL follows another standard", "")),
        ),
        Language(
            "go", ("adapter.go",), ("go", "build", "-o", "{}/adapter", "{}/adapter.go"), ("{}/adapter",),
            ("go",), '"name": "net/url"', "(reply object) {\n",
            '\treturn object{"status": "unsupported", "message": "MESSAGE"}',
            (('{"rfc3986"}', "{}"), ("runtime.Version()", '"fill in"'), ('"runtime"; ', "")),
        ),
        Language(
            "rust", ("src/main.rs", "Cargo.toml"),
            ("cargo", "build", "--manifest-path", "{}/Cargo.toml"),
            ("{}/target/debug/urlconform-adapter",), ("cargo",), '"name": "url"',
            "Result<Value, ParseError> {\n",
            '    return Ok(json!({"status": "unsupported", "message": "MESSAGE"}));',
            (("locked.split('\"').next()", '"fill in"'), (_LOCKED, "")),
        ),
        Language(
            "java", ("Adapter.java", "Json.java"),
            ("javac", "-d", "{}/classes", "{}/Adapter.java", "{}/Json.java"),
            ("java", "-cp", "{}/classes", "Adapter"), ("javac", "java"), "java.net.URI",
            "throws URISyntaxException {\n",
            '        if (true) return Json.of("status", "unsupported", "message", "MESSAGE");',
            (('"specs", List.of("rfc2396", "rfc2732")', '"specs", List.of()'),
             ('"" + Runtime.version()', '"fill in"')),
        ),
        Language(
            "ruby", ("adapter.rb",), (), ("ruby", "{}/adapter.rb"), ("ruby",), 'name: "URI"',
            "reference: nil, **)\n",
            '  return { status: "unsupported", message: "MESSAGE" }',
            (("specs: %w[rfc3986]", "specs: []"), ("RUBY_VERSION", '"fill in"')),
        ),
        Language(
            "php", ("adapter.php",), (), ("php", "{}/adapter.php"), ("php",), "'name' => 'parse_url'",
            "$q): array\n{\n",
            "    return ['status' => 'unsupported', 'message' => 'MESSAGE'];",
            (("PHP_VERSION", "'fill in'"), (": parse_url documents that it follows none", "")),
        ),
        Language(
            "perl", ("adapter.pl",), (), ("perl", "{}/adapter.pl"), ("perl",), 'name => "URI"',
            "my ($q) = @_;\n",
            '    return { status => "unsupported", message => "MESSAGE" };',
            (('["rfc3986"], ', "[],          "), ('URI->VERSION . ""', '"fill in"')),
        ),
        Language(
            "c", ("adapter.c",), ("cc", "-O2", "-o", "{}/adapter", "{}/adapter.c", "-ljansson"),
            ("{}/adapter",), ("cc",), "splitter of the template", "const json_t *url) {\n",
            '    return json_pack("{s:s, s:s}", "status", "unsupported", "message", "MESSAGE");',
            (('[\\"rfc3986\\"]', "[]"), ('\\"version\\":\\"1\\"', '\\"version\\":\\"fill in\\"')),
        ),
        Language(
            "shell", ("adapter.sh",), (), ("bash", "{}/adapter.sh"), ("bash", "jq"),
            "splitter of the template", "answer() { # op spec rule url\n",
            "  printf unsupported; return # MESSAGE",
            (('["rfc3986"]', "[]"), ('"version": "1"', '"version": "fill in"')),
        ),
    )
}  # fmt: skip


class ScaffoldError(Exception):
    """The new adapter was not written; the message says why."""


class NewAdapter(NamedTuple):
    """A new adapter: its files, the command that builds it, if any, and its name for `urlconform run`."""

    files: tuple[Path, ...]
    build: tuple[str, ...]
    adapter: str


def create_adapter(language: Language, folder: Path, library: str = "") -> NewAdapter:
    """Write the template of a language into a folder; raise ScaffoldError or OSError. Nothing is overwritten.

    For a named library the adapter answers `unsupported` until it calls the library, and claims no RFC.
    """
    if library and not _NAME.fullmatch(library):
        raise ScaffoldError(f"{library!r} is not a library name: use letters, digits and ._+:/@-")
    templates = resources.files("urlharness.adapters") / "templates" / language.name
    texts = {
        folder / name: templates.joinpath(*name.split("/")).read_text("utf-8") for name in language.files
    }
    for path in texts:
        if path.exists() or path.is_symlink():
            raise ScaffoldError(f"{path} exists already and is not overwritten")
    if library:
        first = folder / language.files[0]
        texts[first] = _for_library(texts[first], language, library)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    where = str(folder) if folder.is_absolute() or folder.parts else "."
    build, run = (
        tuple(word.replace("{}", where) for word in words) for words in (language.build, language.run)
    )
    return NewAdapter(tuple(texts), build, f"jsonl:{shlex.join(run)}")


def _for_library(text: str, language: Language, library: str) -> str:
    """Return the template for another library, which it does not call yet."""
    old = language.wraps.strip("\"'").rpartition('"')[2].rpartition("'")[2]
    assert text.count(language.wraps) == 1, language.name
    assert text.count(language.opens) == 1, language.name
    text = text.replace(language.wraps, language.wraps.replace(old, f"{library} (not called yet)"))
    stub = language.stub.replace("MESSAGE", f"{library} is not called yet")
    for claim, replacement in language.claims:
        assert text.count(claim) == 1, (language.name, claim)
        text = text.replace(claim, replacement)
    return text.replace(language.opens, language.opens + stub + "\n")
