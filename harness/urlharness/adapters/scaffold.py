"""Create new adapters: the languages and templates of `adapters new LANGUAGE`."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from importlib import resources
from pathlib import Path
from typing import NamedTuple

#: Names of libraries. They are safe in string literals of every language.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._+:/@-]{0,79}")


class Language(NamedTuple):
    """A language and its template.

    `files` are in `templates/NAME`. The user edits the first one. `build` and `run` are commands, in which
    `{}` is the folder of the adapter. `needs` are the programs that must be on the PATH. `built` are the
    files and folders that `build` makes; git ignores them.

    For `--library`, three changes are made to the first file. The name of the library in the text `wraps`, a
    part of the hello, is replaced. The code `stub`, which answers `unsupported`, is inserted after the text
    `opens`. The first text of each pair in `claims` is replaced by the second.
    """

    name: str
    files: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]
    needs: tuple[str, ...]
    built: tuple[str, ...]
    wraps: str
    opens: str
    stub: str
    claims: tuple[tuple[str, str], ...]


#: Names under which people look for a language, such as those of `adapters list`. They are in lower case.
OTHER_NAMES: Mapping[str, str] = {
    "javascript": "node",
    "js": "node",
    "typescript": "node",
    "golang": "go",
    "bash": "shell",
    "sh": "shell",
}

LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            name="python",
            files=("adapter.py",),
            build=(),
            run=("python3", "{}/adapter.py"),
            needs=("python3",),
            built=(),
            wraps='"urllib.parse"',
            opens='leave out what it does not have.\n    """\n',
            stub="""\
    called = False  # True as soon as the code below calls the library
    if not called:
        return {"status": "unsupported", "message": "MESSAGE"}
""",
            claims=(
                ('"specs": ["rfc3986"],', '"specs": [],'),
                ("platform.python_version()", '"fill in"'),
                ("import platform\n", ""),
            ),
        ),
        Language(
            name="node",
            files=("adapter.mjs",),
            build=(),
            run=("node", "{}/adapter.mjs"),
            needs=("node",),
            built=(),
            wraps='name: "URL"',
            opens="base, reference }) {\n",
            stub="""\
  const called = false; // true as soon as the code below calls the library
  if (!called) {
    return {
      status: "unsupported",
      message: "MESSAGE",
    };
  }
""",
            claims=(("process.versions.node", '"fill in"'), (": URL follows another standard", "")),
        ),
        Language(
            name="go",
            files=("adapter.go",),
            build=("go", "build", "-o", "{}/adapter", "{}/adapter.go"),
            run=("{}/adapter",),
            needs=("go",),
            built=("adapter",),
            wraps='"name":     "net/url"',
            opens="answer(q question) object {\n",
            stub="""\
	called := false // true as soon as the code below calls the library
	if !called {
		return unsupported("MESSAGE")
	}
""",
            claims=(
                ('[]string{"rfc3986"}', "[]string{}"),
                ("runtime.Version()", '"fill in"'),
                ('\t"runtime"\n', ""),
            ),
        ),
        Language(
            name="rust",
            files=("src/main.rs", "Cargo.toml"),
            build=("cargo", "build", "--manifest-path", "{}/Cargo.toml"),
            run=("{}/target/debug/urlconform-adapter",),
            needs=("cargo",),
            built=("target",),
            wraps='"name": "url"',
            opens="Result<Value, ParseError> {\n",
            stub="""\
    let called = false; // true as soon as the code below calls the library
    if !called {
        return Ok(unsupported("MESSAGE"));
    }
""",
            claims=(
                ("version.and_then(|rest| rest.split('\"').next())", '"fill in"'),
                ('    let locked = include_str!("../Cargo.lock");\n', ""),
                ('    let version = locked.split("name = \\"url\\"\\nversion = \\"").nth(1);\n', ""),
            ),
        ),
        Language(
            name="java",
            files=("Adapter.java", "Json.java"),
            build=("javac", "-d", "{}/classes", "{}/Adapter.java", "{}/Json.java"),
            run=("java", "-cp", "{}/classes", "Adapter"),
            needs=("javac", "java"),
            built=("classes",),
            wraps='"name", "java.net.URI"',
            opens="throws URISyntaxException {\n",
            stub="""\
    boolean called = false; // true as soon as the code below calls the library
    if (!called) {
      return unsupported("MESSAGE");
    }
""",
            claims=(
                ('"specs", List.of("rfc2396", "rfc2732")', '"specs", List.of()'),
                ("Runtime.version().toString()", '"fill in"'),
            ),
        ),
        Language(
            name="ruby",
            files=("adapter.rb",),
            build=(),
            run=("ruby", "{}/adapter.rb"),
            needs=("ruby",),
            built=(),
            wraps="name: 'URI'",
            opens="def answer(question)\n",
            stub="""\
  called = false # true as soon as the code below calls the library
  return unsupported('MESSAGE') unless called

""",
            claims=(("specs: %w[rfc3986]", "specs: []"), ("RUBY_VERSION", "'fill in'")),
        ),
        Language(
            name="php",
            files=("adapter.php",),
            build=(),
            run=("php", "{}/adapter.php"),
            needs=("php",),
            built=(),
            wraps="'name' => 'parse_url'",
            opens="use ($hello): array {\n",
            stub="""\
    $called = false; // true as soon as the code below calls the library
    if (!$called) {
        return ['status' => 'unsupported', 'message' => 'MESSAGE'];
    }
""",
            claims=(("PHP_VERSION", "'fill in'"), (": parse_url documents that it follows none", "")),
        ),
        Language(
            name="perl",
            files=("adapter.pl",),
            build=(),
            run=("perl", "{}/adapter.pl"),
            needs=("perl",),
            built=(),
            wraps="=> 'URI',",
            opens="my ($q) = @_;\n    my $op = $q->{op};\n",
            stub="""
    my $called = 0;    # 1 as soon as the code below calls the library
    return unsupported('MESSAGE') if !$called;
""",
            claims=(("['rfc3986']", "[]"), ("URI->VERSION . q{}", "'fill in'")),
        ),
        Language(
            name="c",
            files=("adapter.c",),
            build=("cc", "-O2", "-o", "{}/adapter", "{}/adapter.c", "-ljansson"),
            run=("{}/adapter",),
            needs=("cc",),
            built=("adapter",),
            wraps='\\"splitter of the template\\"',
            opens="const char *spec) {\n",
            stub="""\
  bool called = false; /* true as soon as the code below calls the library */
  if (!called) {
    return unsupported("MESSAGE");
  }
""",
            claims=(('[\\"rfc3986\\"]', "[]"), ('\\"version\\": \\"1\\"', '\\"version\\": \\"fill in\\"')),
        ),
        Language(
            name="shell",
            files=("adapter.sh",),
            build=(),
            run=("bash", "{}/adapter.sh"),
            needs=("bash", "jq"),
            built=(),
            wraps="splitter of the template",
            opens="answer() {\n",
            stub="""\
	local called='' # yes as soon as the code below calls the library
	if [ -z "$called" ]; then
		printf unsupported # MESSAGE
		return
	fi
""",
            claims=(('["rfc3986"]', "[]"), ('"version": "1"', '"version": "fill in"')),
        ),
    )
}


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

    Git ignores what the build makes, unless the folder has its own .gitignore.
    If a library is named, the adapter claims no RFC, and answers `unsupported` until the user lets it call
    the library. Raise ScaffoldError if the name is invalid or a file exists already, and OSError if a file
    cannot be written.
    """
    if library and not _NAME.fullmatch(library):
        raise ScaffoldError(f"{library!r} is not a library name: use letters, digits and ._+:/@-")
    texts = _texts_of_files(language, folder, library)
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    build = _filled(language.build, folder)
    if language.name == "go" and _is_in_go_module(folder):
        # the package instead of its first file, so that the user can add files and import the library
        build[-1] = str(folder) if folder.is_absolute() else f"./{folder.as_posix()}"
    run = _filled(language.run, folder)
    return NewAdapter(tuple(texts), tuple(build), f"jsonl:{shlex.join(run)}")


def _texts_of_files(language: Language, folder: Path, library: str) -> dict[Path, str]:
    """Return the text of each file to write.  Raise ScaffoldError if a file exists already.

    A .gitignore is only written if there is none and the build makes files.
    """
    texts = {folder / name: _template(language, name) for name in language.files}
    for path in texts:
        if path.exists() or path.is_symlink():
            raise ScaffoldError(f"{path} exists already and is not overwritten")
    if library:
        first = folder / language.files[0]
        texts[first] = _for_library(texts[first], language, library)
    ignored = folder / ".gitignore"
    if language.built and not (ignored.exists() or ignored.is_symlink()):
        texts[ignored] = "".join(f"/{name}\n" for name in language.built)
    return texts


def _template(language: Language, name: str) -> str:
    folder = resources.files("urlharness.adapters") / "templates" / language.name
    return folder.joinpath(*name.split("/")).read_text("utf-8")


def _is_in_go_module(folder: Path) -> bool:
    """Return True if a folder or one above it contains go.mod, so that Go can build the folder by path."""
    absolute = folder.absolute()
    return any((parent / "go.mod").is_file() for parent in (absolute, *absolute.parents))


def _filled(words: Iterable[str], folder: Path) -> list[str]:
    """Return a command with the folder of the adapter filled in."""
    return [word.replace("{}", str(folder)) for word in words]


def _for_library(text: str, language: Language, library: str) -> str:
    """Return the template changed for another library, which the code does not call yet."""
    # the last words of `wraps`, before which may be the name of a field
    library_of_template = re.findall(r"[A-Za-z]\w*(?:[ ./]\w+)*", language.wraps)[-1]
    wraps = language.wraps.replace(library_of_template, f"{library} (not called yet)")
    stub = language.stub.replace("MESSAGE", f"{library} is not called yet")
    replacements = {
        language.wraps: wraps,
        language.opens: language.opens + stub,
        **dict(language.claims),
    }
    changed = text
    for old, new in replacements.items():
        assert text.count(old) == 1, (language.name, old)
        changed = changed.replace(old, new)
    return changed
