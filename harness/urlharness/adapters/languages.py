"""The languages that an adapter can be begun in: the files of each, how to build and how to run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """One language; `{}` in a command is the folder of the adapter.

    `files` are those below `templates/NAME`, the one to edit first.  `wraps` is the name of the library that
    the template calls, as it stands in the hello; `opens` is the text behind which its answers begin, and
    `stub` the statement that answers nothing yet, with `{}` for a message.
    """

    name: str
    files: tuple[str, ...]
    build: tuple[str, ...]
    run: tuple[str, ...]
    needs: tuple[str, ...]
    wraps: str
    opens: str
    stub: str


def _stub(text: str) -> str:
    return f"{text}\n"


LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (
        Language(
            "python", ("adapter.py",), (), ("python3", "{}/adapter.py"), ("python3",), '"urllib.parse"',
            'what it does not have is left out."""\n',
            _stub('    return {"status": "unsupported", "message": "MESSAGE"}'),
        ),
        Language(
            "node", ("adapter.mjs",), (), ("node", "{}/adapter.mjs"), ("node",), '"URL"',
            "base, reference }) {\n",
            _stub('  return { status: "unsupported", message: "MESSAGE" };'),
        ),
        Language(
            "go", ("adapter.go",), ("go", "build", "-o", "{}/adapter", "{}/adapter.go"), ("{}/adapter",),
            ("go",), '"name": "net/url"', "(reply object) {\n",
            _stub('\treturn object{"status": "unsupported", "message": "MESSAGE"}'),
        ),
        Language(
            "rust", ("src/main.rs", "Cargo.toml"),
            ("cargo", "build", "--manifest-path", "{}/Cargo.toml"),
            ("{}/target/debug/urlconform-adapter",), ("cargo",), '"name": "url"',
            "Result<Value, ParseError> {\n",
            _stub('    return Ok(json!({"status": "unsupported", "message": "MESSAGE"}));'),
        ),
        Language(
            "java", ("Adapter.java", "Json.java"),
            ("javac", "-d", "{}/classes", "{}/Adapter.java", "{}/Json.java"),
            ("java", "-cp", "{}/classes", "Adapter"), ("javac", "java"), "java.net.URI",
            "throws URISyntaxException {\n",
            _stub('        if (true) return Json.of("status", "unsupported", "message", "MESSAGE");'),
        ),
        Language(
            "ruby", ("adapter.rb",), (), ("ruby", "{}/adapter.rb"), ("ruby",), 'name: "URI"',
            "reference: nil, **)\n",
            _stub('  return { status: "unsupported", message: "MESSAGE" }'),
        ),
        Language(
            "php", ("adapter.php",), (), ("php", "{}/adapter.php"), ("php",), "'name' => 'parse_url'",
            "$q): array\n{\n",
            _stub("    return ['status' => 'unsupported', 'message' => 'MESSAGE'];"),
        ),
        Language(
            "perl", ("adapter.pl",), (), ("perl", "{}/adapter.pl"), ("perl",), 'name => "URI"',
            "my ($q) = @_;\n",
            _stub('    return { status => "unsupported", message => "MESSAGE" };'),
        ),
        Language(
            "c", ("adapter.c",), ("cc", "-O2", "-o", "{}/adapter", "{}/adapter.c", "-ljansson"),
            ("{}/adapter",), ("cc",), "splitter of the template", "const json_t *url) {\n",
            _stub('    return json_pack("{s:s, s:s}", "status", "unsupported", "message", "MESSAGE");'),
        ),
        Language(
            "shell", ("adapter.sh",), (), ("bash", "{}/adapter.sh"), ("bash", "jq"),
            "splitter of the template", "answer() { # op spec rule url\n",
            _stub("  printf unsupported; return # MESSAGE"),
        ),
    )
}  # fmt: skip
