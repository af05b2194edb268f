"""The line that tells why a program ended: each language writes something else behind it."""

from __future__ import annotations

import json
import shlex
import shutil
import sys

import pytest
from urlharness.engine.diagnosis import kept, telling_line

from urlharness.adapters.registry import find
from urlharness.engine.client import open_client
from urlharness.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.results.model import read_results

pytestmark = pytest.mark.once

#: What is on stderr, and the line of it that tells.
WRITTEN = [
    pytest.param(
        "node:internal/modules/esm/resolve:873\n"
        "  throw new ERR_MODULE_NOT_FOUND(packageName, fileURLToPath(base), null);\n        ^\n\n"
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'my-url' imported from /a/adapter.mjs\n"
        "    at packageResolve (node:internal/modules/esm/resolve:873:9)\n"
        "    at ModuleJob._link (node:internal/modules/esm/module_job:168:49) {\n"
        "  code: 'ERR_MODULE_NOT_FOUND'\n}\n\nNode.js v20.20.2\n",
        "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'my-url' imported from /a/adapter.mjs",
        id="node-import",
    ),
    pytest.param(
        "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module 'my-url'\n"
        "Require stack:\n- /a/m.cjs\n    at Module._load (node:internal/modules/cjs/loader:1038:27) {\n"
        "  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/a/m.cjs' ]\n}\n\nNode.js v20.20.2\n",
        "Error: Cannot find module 'my-url'",
        id="node-require",
    ),
    pytest.param(
        "panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n"
        "\t/a/a.go:2 +0x28\n\ngoroutine 2 [select]:\nmain.other(0x1)\n\t/a/a.go:3\nexit status 2\n",
        "panic: assignment to entry in nil map",
        id="go",
    ),
    pytest.param(
        'Exception in thread "main" java.lang.IllegalStateException: no library\n\tat A.f(A.java:1)\n'
        "\tat A.main(A.java:1)\nCaused by: java.lang.ClassNotFoundException: my.Url\n\tat B.g(B.java:2)\n"
        "\t... 3 more\n",
        "Caused by: java.lang.ClassNotFoundException: my.Url",
        id="java",
    ),
    pytest.param(
        "a.rb:1:in `f': no library (RuntimeError)\n\tfrom a.rb:1:in `f'\n\tfrom a.rb:1:in `<main>'\n",
        "a.rb:1:in `f': no library (RuntimeError)",
        id="ruby",
    ),
    pytest.param(
        "PHP Fatal error:  Uncaught Exception: no library in /a/a.php:1\nStack trace:\n#0 /a/a.php(1): f()\n"
        "#1 {main}\n  thrown in /a/a.php on line 1\n",
        "PHP Fatal error:  Uncaught Exception: no library in /a/a.php:1",
        id="php",
    ),
    pytest.param(
        "Can't locate My/Url.pm in @INC (@INC contains: /etc/perl) at a.pl line 1.\n"
        "BEGIN failed--compilation aborted at a.pl line 1.\n",
        "Can't locate My/Url.pm in @INC (@INC contains: /etc/perl) at a.pl line 1.",
        id="perl",
    ),
    pytest.param(
        "\nthread 'main' panicked at src/main.rs:1:85:\nindex out of bounds\n"
        "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
        "index out of bounds",
        id="rust",
    ),
    pytest.param(
        "thread 'main' panicked at src/main.rs:1:85:\nno library\nstack backtrace:\n"
        "   0: __rustc::rust_begin_unwind\n             at /rustc/library/std/src/panicking.rs:689:5\n"
        "note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.\n",
        "no library",
        id="rust-backtrace",
    ),
    pytest.param(
        'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    import my_url\n'
        "ModuleNotFoundError: No module named 'my_url'\n",
        "ModuleNotFoundError: No module named 'my_url'",
        id="python",
    ),
    pytest.param("terminate called\n  what():  no library\nAborted (core dumped)\n", "what():  no library",
                 id="c++"),
    pytest.param("Stack trace:\n#0 a\n\nno library\nnote: x\n", "no library", id="after-a-stack"),
    pytest.param("one\n\ttwo\r\n", "two", id="plain"),
    pytest.param("    at a\n    at b\n", "at b", id="nothing-tells"),
    pytest.param(" \n", "", id="nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("stderr", "line"), WRITTEN)
def test_the_line_that_tells(stderr, line):
    assert telling_line(stderr) == line


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
def test_a_missing_npm_module_is_named(urlconform, tmp_path):
    """By the doctor and by a run, which end with what Node says of it."""
    (tmp_path / "a.mjs").write_text('import url from "no-such-url";\n', "utf-8")
    said = "it wrote: Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'no-such-url' imported from"
    done = urlconform("adapters", "doctor", "jsonl:node a.mjs", "--json")
    assert said in json.loads(done.stdout)["checks"][0]["message"]
    assert said in urlconform("run", "jsonl:node a.mjs", "--spec", "rfc1808").stderr


STACK = "    at f (a:1)\n" * 2000

#: What is on stderr, what is kept of it above its end, and what its end is cut from.
KEEPING = [
    pytest.param("one\ntwo\n", "", "one\ntwo\n", id="short"),
    pytest.param("é" * 2048, "", "é" * 2048, id="just-short"),
    pytest.param(f"Error: no library\n{STACK}", "Error: no library\n…\n", STACK, id="above"),
    pytest.param(f"Error: no library\n{STACK}sorry\n", "", f"{STACK}sorry\n", id="below"),
    pytest.param(f"{'é' * 9999}\n{STACK}", "é" * 500 + "\n…\n", STACK, id="long-line"),
    pytest.param("é" * 9999, "é" * 500 + "\n…\n", "é" * 9999, id="nothing-but-a-line"),
    pytest.param(f"{'é' * 2048}é\n", "é" * 500 + "\n…\n", "é" * 2048 + "\n", id="a-letter-too-long"),
    pytest.param(STACK, "", STACK, id="nothing-tells"),
]


@pytest.mark.parametrize(("stderr", "above", "cut"), KEEPING)
def test_what_is_kept(stderr, above, cut):
    """The end, and the line that tells above it: of 4,096 octets as many as there are whole letters."""
    found = kept(stderr)
    assert found.startswith(above)
    assert cut.endswith(found.removeprefix(above))
    assert min(len(stderr.encode()), 4095) <= len(found.encode()) <= 4096


@pytest.mark.parametrize(
    "tail", [STACK, f"{STACK}\n\nNode.js v20.20.2\n", "goroutine 1 [running]:\n" + "main.main()\n" * 2000]
)
def test_the_line_of_what_is_kept_is_the_same(tail):
    """Although its end begins within a line, or behind the words that begin a stack."""
    assert telling_line(kept(f"Error: no library\n{tail}")) == "Error: no library"


@pytest.mark.parametrize("kind", ["jsonl", "exec"])
def test_a_run_keeps_the_error_above_a_deep_stack(urlconform, adapter, tmp_path, kind):
    """As the doctor does: what its results keep of stderr does not end with places of a stack alone."""
    text = f"os.write(2, b'Error: no library\\n' + {STACK.encode()!r}); os._exit(9)"
    command = adapter(f"def right(message):\n    {text}\n")
    if kind == "exec":
        command[-1] = str(tmp_path / "one.py")
        (tmp_path / "one.py").write_text(f"import os\n{text}\n", "utf-8")
    done = urlconform("run", f"{kind}:{shlex.join(command)}", "-k", "5.1-segment", "--report", "json=r.jsonl")
    assert done.returncode == 1, done.stderr
    results = read_results(tmp_path / "r.jsonl").of(f"{kind}:{shlex.join(command)}")
    assert {one.outcome for one in results.values()} == {"crash"}
    for one in results.values():
        assert one.stderr.startswith("Error: no library\n…\n")
        assert len(one.stderr.encode()) <= 4096


#: What a program per case writes on stderr when it refuses a text, and what is told of it.
REFUSALS = [
    pytest.param("no scheme\n", "no scheme", id="plain"),
    pytest.param(f"TypeError: Invalid\n{STACK}\n\nNode.js v20.20.2\n", "TypeError: Invalid", id="node"),
    pytest.param("x" * 9999, "x" * 4096, id="long"),
    pytest.param("", "", id="silent"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "wanted"), [(1, "reject"), (3, "unsupported")])
@pytest.mark.parametrize(("stderr", "message"), REFUSALS)
def test_a_program_per_case_tells_why_it_refuses(tmp_path, status, wanted, stderr, message):
    """An exception that nobody caught ends most languages with 1, which is a rejection."""
    path = tmp_path / "one.py"
    path.write_text(f"import os\nos.write(2, {stderr.encode()!r})\nos._exit({status})\n", "utf-8")
    asker = open_client(find(f"exec:{sys.executable} {path}"), Limits(), "tests")
    question = Question(1, "validate", "rfc3986", url="a:b")
    assert list(asker.ask([question])) == [(0, Reply(0, wanted, message))]


def test_an_error_above_a_deep_stack(urlconform, tmp_path):
    """By the doctor, and where a run says that the adapter is dead."""
    text = "import sys\nsys.stderr.write('Error: no library\\n' + '    at f (a:1)\\n' * 2000)\nsys.exit(9)\n"
    (tmp_path / "a.py").write_text(text, "utf-8")
    for kind in ("jsonl", "exec"):
        done = urlconform("adapters", "doctor", f"{kind}:{sys.executable} a.py", "--json")
        assert "it wrote: Error: no library" in json.loads(done.stdout)["checks"][0]["message"]
    done = urlconform("run", f"jsonl:{sys.executable} a.py")
    assert (done.returncode, "it wrote: Error: no library" in done.stderr) == (3, True)
