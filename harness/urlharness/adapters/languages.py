"""The languages that an adapter can be begun in: the files of each, how to build and how to run it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """One language; `{}` in a command is the folder of the adapter.

    `files` are those below `templates/NAME`, the one to edit first.  `wraps` is the name of the library that
    the template calls, as it stands in the hello; `opens` is the text behind which its answers begin, and
    `stub` the statement that answers nothing yet.  `claims` are the texts that claim RFCs and tell a version,
    each with what stands there for a library that is not called yet.
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


def _stub(text: str) -> str:
    return f"{text}\n"


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
            'what it does not have is left out."""\n',
            _stub('    return {"status": "unsupported", "message": "MESSAGE"}'),
            (('["rfc3986"]', "[]"), ("platform.python_version()", '"fill in"'), ("import platform\n", "")),
        ),
        Language(
            "node", ("adapter.mjs",), (), ("node", "{}/adapter.mjs"), ("node",), '"URL"',
            "base, reference }) {\n",
            _stub('  return { status: "unsupported", message: "MESSAGE" };'),
            (("process.versions.node", '"fill in"'), (": URL follows another standard", "")),
        ),
        Language(
            "go", ("adapter.go",), ("go", "build", "-o", "{}/adapter", "{}/adapter.go"), ("{}/adapter",),
            ("go",), '"name": "net/url"', "(reply object) {\n",
            _stub('\treturn object{"status": "unsupported", "message": "MESSAGE"}'),
            (('{"rfc3986"}', "{}"), ("runtime.Version()", '"fill in"'), ('"runtime"; ', "")),
        ),
        Language(
            "rust", ("src/main.rs", "Cargo.toml"),
            ("cargo", "build", "--manifest-path", "{}/Cargo.toml"),
            ("{}/target/debug/urlconform-adapter",), ("cargo",), '"name": "url"',
            "Result<Value, ParseError> {\n",
            _stub('    return Ok(json!({"status": "unsupported", "message": "MESSAGE"}));'),
            (("locked.split('\"').next()", '"fill in"'), (_LOCKED, "")),
        ),
        Language(
            "java", ("Adapter.java", "Json.java"),
            ("javac", "-d", "{}/classes", "{}/Adapter.java", "{}/Json.java"),
            ("java", "-cp", "{}/classes", "Adapter"), ("javac", "java"), "java.net.URI",
            "throws URISyntaxException {\n",
            _stub('        if (true) return Json.of("status", "unsupported", "message", "MESSAGE");'),
            (('"specs", List.of("rfc2396", "rfc2732")', '"specs", List.of()'),
             ('"" + Runtime.version()', '"fill in"')),
        ),
        Language(
            "ruby", ("adapter.rb",), (), ("ruby", "{}/adapter.rb"), ("ruby",), 'name: "URI"',
            "reference: nil, **)\n",
            _stub('  return { status: "unsupported", message: "MESSAGE" }'),
            (("specs: %w[rfc3986]", "specs: []"), ("RUBY_VERSION", '"fill in"')),
        ),
        Language(
            "php", ("adapter.php",), (), ("php", "{}/adapter.php"), ("php",), "'name' => 'parse_url'",
            "$q): array\n{\n",
            _stub("    return ['status' => 'unsupported', 'message' => 'MESSAGE'];"),
            (("PHP_VERSION", "'fill in'"), (": parse_url says of itself that it follows none", "")),
        ),
        Language(
            "perl", ("adapter.pl",), (), ("perl", "{}/adapter.pl"), ("perl",), 'name => "URI"',
            "my ($q) = @_;\n",
            _stub('    return { status => "unsupported", message => "MESSAGE" };'),
            (('["rfc3986"], ', "[],          "), ('URI->VERSION . ""', '"fill in"')),
        ),
        Language(
            "c", ("adapter.c",), ("cc", "-O2", "-o", "{}/adapter", "{}/adapter.c", "-ljansson"),
            ("{}/adapter",), ("cc",), "splitter of the template", "const json_t *url) {\n",
            _stub('    return json_pack("{s:s, s:s}", "status", "unsupported", "message", "MESSAGE");'),
            (('[\\"rfc3986\\"]', "[]"), ('\\"version\\":\\"1\\"', '\\"version\\":\\"fill in\\"')),
        ),
        Language(
            "shell", ("adapter.sh",), (), ("bash", "{}/adapter.sh"), ("bash", "jq"),
            "splitter of the template", "answer() { # op spec rule url\n",
            _stub("  printf unsupported; return # MESSAGE"),
            (('["rfc3986"]', "[]"), ('"version": "1"', '"version": "fill in"')),
        ),
    )
}  # fmt: skip
