"""Create new adapters: the languages and templates of `adapters new LANGUAGE`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import NamedTuple

#: Names of libraries. They are safe in string literals of every language.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+:/@-]{0,79}")


class Language(NamedTuple):
    """A language and its template.

    `files` are in `templates/NAME`. The user edits the first one. `build` and `run` are commands, in which
    `{}` is the folder of the adapter. `needs` are the programs that must be on the PATH.

    For `--library`, three changes are made to the first file. The name of the library in the text `wraps`, a
    part of the hello, is replaced. The code `stub`, which answers `unsupported`, is inserted after the text
    `opens`. The first text of each pair in `claims` is replaced by the second.
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


LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            "python", ("adapter.py",), (), ("python3", "{}/adapter.py"), ("python3",), '"urllib.parse"',
            'leave out what it does not have.\n    """\n',
            """\
    called = False  # True as soon as the code below calls the library
    if not called:
        return {"status": "unsupported", "message": "MESSAGE"}
""",
            (('"specs": ["rfc3986"],', '"specs": [],'), ("platform.python_version()", '"fill in"'),
             ("import platform\n", "")),
        ),
        Language(
            "node", ("adapter.mjs",), (), ("node", "{}/adapter.mjs"), ("node",), 'name: "URL"',
            "base, reference }) {\n",
            """\
  const called = false; // true as soon as the code below calls the library
  if (!called) {
    return {
      status: "unsupported",
      message: "MESSAGE",
    };
  }
""",
            (("process.versions.node", '"fill in"'), (": URL follows another standard", "")),
        ),
        Language(
            "go", ("adapter.go",), ("go", "build", "-o", "{}/adapter", "{}/adapter.go"), ("{}/adapter",),
            ("go",), '"name":     "net/url"', "answer(q question) object {\n",
            """\
	called := false // true as soon as the code below calls the library
	if !called {
		return unsupported("MESSAGE")
	}
""",
            (('[]string{"rfc3986"}', "[]string{}"), ("runtime.Version()", '"fill in"'),
             ('\t"runtime"\n', "")),
        ),
        Language(
            "rust", ("src/main.rs", "Cargo.toml"),
            ("cargo", "build", "--manifest-path", "{}/Cargo.toml"),
            ("{}/target/debug/urlconform-adapter",), ("cargo",), '"name": "url"',
            "Result<Value, ParseError> {\n",
            """\
    let called = false; // true as soon as the code below calls the library
    if !called {
        return Ok(unsupported("MESSAGE"));
    }
""",
            (("version.and_then(|rest| rest.split('\"').next())", '"fill in"'),
             ('    let locked = include_str!("../Cargo.lock");\n', ""),
             ('    let version = locked.split("name = \\"url\\"\\nversion = \\"").nth(1);\n', "")),
        ),
        Language(
            "java", ("Adapter.java", "Json.java"),
            ("javac", "-d", "{}/classes", "{}/Adapter.java", "{}/Json.java"),
            ("java", "-cp", "{}/classes", "Adapter"), ("javac", "java"), '"name", "java.net.URI"',
            "throws URISyntaxException {\n",
            """\
    boolean called = false; // true as soon as the code below calls the library
    if (!called) {
      return unsupported("MESSAGE");
    }
""",
            (('"specs", List.of("rfc2396", "rfc2732")', '"specs", List.of()'),
             ("Runtime.version().toString()", '"fill in"')),
        ),
        Language(
            "ruby", ("adapter.rb",), (), ("ruby", "{}/adapter.rb"), ("ruby",), "name: 'URI'",
            "def answer(question)\n",
            """\
  called = false # true as soon as the code below calls the library
  return unsupported('MESSAGE') unless called

""",
            (("specs: %w[rfc3986]", "specs: []"), ("RUBY_VERSION", "'fill in'")),
        ),
        Language(
            "php", ("adapter.php",), (), ("php", "{}/adapter.php"), ("php",), "'name' => 'parse_url'",
            "use ($hello): array {\n",
            """\
    $called = false; // true as soon as the code below calls the library
    if (!$called) {
        return ['status' => 'unsupported', 'message' => 'MESSAGE'];
    }
""",
            (("PHP_VERSION", "'fill in'"), (": parse_url documents that it follows none", "")),
        ),
        Language(
            "perl", ("adapter.pl",), (), ("perl", "{}/adapter.pl"), ("perl",), "=> 'URI',",
            "my ($q) = @_;\n    my $op = $q->{op};\n",
            """
    my $called = 0;    # 1 as soon as the code below calls the library
    return unsupported('MESSAGE') if !$called;
""",
            (("['rfc3986']", "[]"), ("URI->VERSION . q{}", "'fill in'")),
        ),
        Language(
            "c", ("adapter.c",), ("cc", "-O2", "-o", "{}/adapter", "{}/adapter.c", "-ljansson"),
            ("{}/adapter",), ("cc",), '\\"splitter of the template\\"', "const char *spec) {\n",
            """\
  bool called = false; /* true as soon as the code below calls the library */
  if (!called) {
    return unsupported("MESSAGE");
  }
""",
            (('[\\"rfc3986\\"]', "[]"), ('\\"version\\": \\"1\\"', '\\"version\\": \\"fill in\\"')),
        ),
        Language(
            "shell", ("adapter.sh",), (), ("bash", "{}/adapter.sh"), ("bash", "jq"),
            "splitter of the template", "answer() {\n",
            """\
	local called='' # yes as soon as the code below calls the library
	if [ -z "$called" ]; then
		printf unsupported # MESSAGE
		return
	fi
""",
            (('["rfc3986"]', "[]"), ('"version": "1"', '"version": "fill in"')),
        ),
    )
}  # fmt: skip


class ScaffoldError(Exception):
    """The new adapter was not written. The message says why."""


class NewAdapter(NamedTuple):
    """A new adapter: its files, the command that builds it, and its name for `run`.

    The command is empty if the adapter needs no build.
    """

    files: tuple[Path, ...]
    build: tuple[str, ...]
    adapter: str


def create_adapter(language: Language, folder: Path, library: str = "") -> NewAdapter:
    """Write the template of a language into a folder, without overwriting any file.

    If a library is named, the adapter claims no RFC, and answers `unsupported` until the user lets it call
    the library. Raise ScaffoldError if the name is invalid or a file exists already, and OSError if a file
    cannot be written.
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
    """Return the template changed for another library, which the code does not call yet."""
    old = re.findall(r"[A-Za-z]\w*(?:[ ./]\w+)*", language.wraps)[-1]
    assert text.count(language.wraps) == 1, language.name
    assert text.count(language.opens) == 1, language.name
    text = text.replace(language.wraps, language.wraps.replace(old, f"{library} (not called yet)"))
    stub = language.stub.replace("MESSAGE", f"{library} is not called yet")
    for claim, replacement in language.claims:
        assert text.count(claim) == 1, (language.name, claim)
        text = text.replace(claim, replacement)
    return text.replace(language.opens, language.opens + stub)
