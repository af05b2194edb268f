"""Record what a fixed table of command lines gives with one install of urlconform; compare two recordings.

    python tests/bench/outcomes.py record --program PATH/urlconform --python PATH/python -o FOLDER
    python tests/bench/outcomes.py compare BEFORE AFTER [--text]

`record` runs each case of `CASES` in a fresh folder that has the files of `FILES`, and keeps exit codes,
output and written files, normalised, in one JSON file a case.  `compare` tells exit codes, structured data
and wording apart, and ends with 1 where more than wording differs.  The install needs pytest and `batch`.
"""

from __future__ import annotations

import argparse
import base64
import difflib
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

#: Adapters with deliberate faults, as functions: what `odd` answers goes before the right answer.
_MINE = r"""
import os, sys, time
from urllib.parse import urljoin, urlsplit
def adapter(name, odd=lambda q: None, ops=("resolve",)):
    def answer(q):
        right = {"status": "ok", "url": urljoin(q["base"], q["reference"])} if "reference" in q else None
        return odd(q) or right or {"status": "unsupported"}
    answer.hello = {"implementation": {"name": name, "version": "1"}, "ops": [*ops], "specs": ["rfc1808"]}
    return answer
def on(**does):  # the references ./g, g?y and ../g as names
    names = {"./g": "here", "g?y": "query", "../g": "up"}
    return lambda q: does.get(names.get(q.get("reference")), lambda q: None)(q)
def wrong(text):
    return lambda q: {"status": "ok", "url": text}
def path(q):
    return {"status": "ok", "components": {"path": urlsplit(q["url"]).path}} if q["op"] == "parse" else None
fixed = adapter("mine")
first = adapter("mine", on(query=wrong("x:1"), here=wrong("x:2")))
second = adapter("mine", on(query=wrong("x:3"), up=wrong("x:4")))
fewer = adapter("mine", lambda q: None if q["reference"] == "g" else {"status": "unsupported"})
other = adapter("other")
part = adapter("part", path, ("parse", "resolve"))
nothing = adapter("nothing", lambda q: {"status": "unsupported"})
error = adapter("error", on(here=lambda q: 1 / 0))
exits = adapter("exits", on(here=lambda q: sys.exit(3)))
dies = adapter("dies", on(here=lambda q: os._exit(3)))
hangs = adapter("hangs", on(here=lambda q: time.sleep(60)))
stuck = adapter("stuck", lambda q: time.sleep(60))
rubbish = adapter("rubbish", on(here=lambda q: 5))
loud = adapter("loud", lambda q: print("hello", q["reference"]))
"""

#: The same as a program: its argument says what is wrong with it.
_PROGRAM = r"""
import json, os, sys, time
import mine
mode = sys.argv[1]
def say(message):
    print(json.dumps(message), flush=True)
def misbehave(reply):
    {"crash": lambda: os._exit(9), "hang": lambda: time.sleep(60), "rubbish": lambda: print("?", flush=True),
     "status": lambda: reply.update(status="OK"), "long": lambda: reply.update(url="x" * 2000000),
     "other": lambda: reply.update(id=reply["id"] + 1), "twice": lambda: say(reply)}.get(mode, int)()
if mode == "dead":
    sys.exit("no licence")
for line in filter(str.strip, sys.stdin if mode != "mute" else iter(lambda: time.sleep(60), 1)):
    q = json.loads(line)
    if q["type"] == "bye":
        break
    if q["type"] == "hello":
        say({"type": "hello", "protocol": 7 if mode == "old" else 1, "window": 8, **mine.fixed.hello})
        continue
    try:
        reply = {"id": q["id"], **(mine.fixed if mode == "good" else mine.first)(q)}
    except Exception as error:
        reply = {"id": q["id"], "status": "error", "message": repr(error)}
    if q.get("reference") == "./g":
        misbehave(reply)
    say(reply)
"""

#: The same as a program for each question.
_EACH = """
import json, sys
import mine
q = json.load(sys.stdin)
if q["op"] != "resolve" or q["reference"] in ("./g", "g?y"):
    sys.exit(3 if q["op"] != "resolve" else "wrong" if q["reference"] == "./g" else 7)
print(json.dumps(mine.fixed(q)))
"""

_PLAIN = """
from urllib.parse import urljoin, urlsplit
from urlharness import functions
plain = functions("plain", "2", specs=["rfc3986"], resolve=urljoin, normalize=str.lower, rejects=(KeyError,),
                  parse=lambda url: {"path": urlsplit(url).path, "query": None}, absent_vs_empty=True,
                  validate={"URI-reference": lambda url: " " not in url}, recompose=lambda one: one["path"])
"""

#: Public names and their shapes, the options of the commands, the metadata, the schemas: as JSON.
_SHAPES = r"""
import contextlib, functools, importlib.metadata, importlib.resources, inspect, json, re, sys
import click, urlharness, urlharness.adapters.registry, urlharness.corpus, urloracle.answers
PUBLIC = {**{module: module.__all__ for module in (urlharness, urloracle, urloracle.answers)},
          urlharness.corpus: "Case Corpus CorpusError Expected Requirement Vector corpus_dir load".split(),
          urlharness.adapters.registry: "InProcess NotInstalled Program ProgramPerCase find".split()}
def plain(value):
    return re.sub(r"\burl(?:harness|oracle)\.(?:\w+\.)*", "", str(value))
def signature(value):
    try:
        return plain(inspect.signature(value))
    except (TypeError, ValueError):
        return plain(sorted(value) if hasattr(value, "keys") else type(value).__name__)
def shape(value):
    found = {"signature": signature(value), "doc": inspect.getdoc(value)}
    if not inspect.isclass(value):
        return found
    public = {name: getattr(one, "__func__", one) for name, one in vars(value).items() if name[0] != "_"}
    kinds = (property, functools.cached_property)
    bases = [base.__name__ for base in value.__mro__[1:] if base.__name__[0] != "_"]
    fields = {name: plain(kind) for name, kind in inspect.get_annotations(value).items() if name[0] != "_"}
    called = {name: signature(one) for name, one in public.items() if callable(one) or isinstance(one, kinds)}
    return found | {"bases": bases, "fields": fields, "members": called}
def command(one):
    options = {}
    for option in one.params:
        parts = "secondary_opts required multiple nargs default is_flag metavar help".split()
        limits = [getattr(option.type, name, None) for name in "name choices min max exists dir_okay".split()]
        name = " ".join(option.opts) if isinstance(option, click.Option) else option.metavar
        options[name] = {part: plain(getattr(option, part, None)) for part in parts} | {"type": plain(limits)}
    here = click.Context(one)
    names = one.list_commands(here) if isinstance(one, click.Group) else []
    inner = {name: command(one.get_command(here, name)) for name in names}
    return {"help": one.help, "options": options, "commands": inner}
tree = []
click.Command.main = lambda self, *arguments, **options: sys.exit(tree.append(command(self)))
about = importlib.metadata.distribution("urlconform")
with contextlib.suppress(SystemExit):
    about.entry_points.select(group="console_scripts")["urlconform"].load()()
keys = "Name Version Requires-Python Requires-Dist Provides-Extra License-Expression Classifier".split()
schemas = (urlharness.corpus.corpus_dir() / "schemas").iterdir()
json.dump({
    "names": {one.__name__: {name: shape(getattr(one, name)) for name in PUBLIC[one]} for one in PUBLIC},
    "commands": tree, "entry points": sorted([point.group, point.name] for point in about.entry_points),
    "typed": [(importlib.resources.files(one) / "py.typed").is_file() for one in (urlharness, urloracle)],
    "metadata": {key: about.metadata.get_all(key) for key in keys},
    "schemas": {path.name: json.loads(path.read_bytes()) for path in schemas},
}, sys.stdout)
"""

#: The Python interface at work: what every function answers and raises, as JSON.
_USES = r"""
import json, msgspec, sys
import mine, plain, urlharness
import urloracle as o
from urlharness import run, stream
from urlharness.corpus import load
def hook(value):
    if not isinstance(value, BaseException):
        return dict(value) if hasattr(value, "keys") else repr(value)
    fields = [getattr(value, name, None) for name in "text spec rule position rules section".split()]
    fields.append(sorted(getattr(value, "expected", ())))
    return {"type": type(value).__name__, "message": str(value), "fields": json.dumps(fields)}
def ask(function, *arguments, **options):
    try:
        return msgspec.to_builtins(function(*arguments, **options), str_keys=True, enc_hook=hook)
    except Exception as error:
        return hook(error)
def oracle(text, spec):
    return {
        "validate": ask(o.validate, text, spec), "host": ask(o.validate, text, spec, "host"),
        "generic": ask(o.validate, text, spec, profile="generic"), "parse": ask(o.parse, text, spec),
        "explain": ask(o.explain, text, spec), "steps": ask(o.explain, text, spec, base="http://a/b/c"),
        "resolve": ask(o.resolve, "http://a/b/c/d;p?q", text, spec), "forms": ask(o.normal_forms, text, spec),
        "normalize": ask(o.normalize, text, spec, "scheme"), "base": ask(o.base_url, spec, embedded=text),
        "equivalent": ask(o.equivalent, text, "http://u:p@example.com/~a/b;c?d#e", spec, "scheme"),
        "extract": ask(o.extract, f"see <URL:{text}> and '{text}'", spec), "decode": ask(o.decode, text),
        "again": ask(lambda: o.recompose(o.parse(text, spec)._asdict(), spec)),
        "header": ask(o.base_header, f"Base: <URL:{text}>"), "name": ask(lambda: o.specification(spec).title),
    }
TEXTS = ["http://u:p@EXAMPLE.com:80/%7ea/./b;c?d#e", "http://a b/", "//a/b", "ftp://a/%2Fb;type=a", "", "x",
         "mailto:a@b", "http://[::1]/", "news:*", "gopher://h/1s%09q", "a\u00e9"]
def judged(report, baseline=None, **options):
    gate, sections, totals = report.gate(baseline, **options), report.sections.items(), report.totals.items()
    return {"code": int(gate.code), "passed": gate.passed, "reasons": gate.reasons, "specs": report.specs,
            "findings": [[one.kind, one.id] for one in gate.findings], "outcomes": dict(report.outcomes),
            "sections": {" ".join(key): [score.coverage.value, score.failing] for key, score in sections},
            "totals": {key: [score.j, score.partial, score.complies] for key, score in totals}}
one = {"spec": "rfc1808", "section": "5.1"}
RUNS = {
    "name": lambda: judged(run("python:mine:first", **one, results="api.jsonl")),
    "baseline": lambda: judged(run("python:mine:second", **one), "known.json"),
    "fail on": lambda: judged(run("urllib", spec="rfc1808"), fail_on="must", strict=True),
    "policy": lambda: judged(run("urllib", spec="rfc2396", words="5.2-6g"), policy={"R-2396-18": "error"}),
    "object": lambda: judged(run(mine.fixed, **one)),
    "functions": lambda: judged(run(plain.plain, section="5.4.2")),
    "jobs": lambda: judged(run("jsonl:python3 prog.py crash", **one, jobs=2)),
    "flag": lambda: judged(run("reference", flag="security", rule="host")),
    "maxfail": lambda: judged(run("urllib", maxfail=2)), "unknown": lambda: run("nope"),
    "number": lambda: run("urllib", jobs=0), "nothing": lambda: run("urllib", words="zz"),
    "spec": lambda: run("urllib", spec="9"), "dead": lambda: run("jsonl:python3 prog.py dead", **one),
    "list": lambda: judged(run("urllib", **one), "no.json"),
    "total": lambda: judged(run("python:mine:stuck", **one, timeout=30, start_timeout=20, total_timeout=1)),
    "stream": lambda: [[case.vector.id, result] for case, result in stream("urllib", **one)],
    "plain": lambda: [plain.plain.name, plain.plain.hello, plain.plain({"op": "parse", "url": ""})],
    "corpus": lambda: [load().version, load().digest, len(load().cases), load().cases[7]],
    "version": lambda: urlharness.__version__,
}
answers = {spec: {text: oracle(text, spec) for text in TEXTS} for spec in [*o.SPECIFICATIONS, "3986", "rfc1"]}
json.dump({"oracle": answers, "runs": {name: ask(call) for name, call in RUNS.items()}}, sys.stdout)
"""

_BATCH = """
import json, pyarrow as pa, pyarrow.parquet as pq, sys
from urlharness.batch import Engine
engine, table = Engine("rfc3986", threads=1), pq.read_table(sys.argv[1])
column = pa.array(["http://u@example.com/a?b", "http://a b", None, ""])
asked = {name: getattr(engine, name)(column).to_pylist() for name in ("accepts", "offsets", "spans", "split")}
json.dump({**asked, "reasons": engine.judge(column).reason.to_pylist(), "rows": table.to_pylist(),
           "columns": table.schema.names, "types": list(map(str, table.schema.types))}, sys.stdout)
"""

_LISTED = [
    ("params-only", "http://a/b/c/;x", "41cc69f3d3fb"),
    ("segment-query", "x:1", "5ae46f190771"),
    ("dotdot-segment", "x:4", "000000000000"),  # the digest is of no vector
    ("segment", "x:5", "000000000000"),  # passes
    ("nobody", "x:6", "000000000000"),
]
_ENTRIES = [
    {"id": f"rfc1808-5.1-{one}", "outcome": "fail", "got": {"status": "ok", "url": url}, "digest": digest}
    for one, url, digest in _LISTED
]
_KNOWN = {"schema": "urlbaseline-1", "corpus": "2d30838f1c5a", "implementation": "mine", "spec": ["rfc1808"]}
_LIBRARY = _KNOWN | {"implementation": "urllib.parse"}
_PARTS = {"href": "http://h/p", "protocol": "http:", "hostname": "h", "pathname": "/p", "search": ""}
_TESTS = [{"description": text, "data": text, "valid": ":" in text} for text in ("a b", "x:y")]
_QUESTIONS = """{"type": "hello", "protocol": [1], "harness": "test"}
{"type": "run", "id": 1, "op": "validate", "spec": "rfc1738", "rule": "httpurl", "url": "http://user@host/"}
{"type": "run", "id": 2, "op": "parse", "spec": "rfc1808", "url": "http://a/b;c?q#f", "more": 1}
{"type": "run", "id": 3, "op": "resolve", "spec": "rfc2396", "base": "http://a/b", "reference": "../../g"}
{"type": "run", "id": 4, "op": "extract", "spec": "rfc3986", "text": "see <http://c/-\\n d>"}
{"type": "run", "id": 5, "op": "equivalent", "spec": "rfc3986", "url": "HTTP://h/", "other": "http://H/"}
{"type": "run", "id": 6, "op": "decode", "spec": "rfc1738", "url": "ftp://h/%2Fetc/a%FF"}
{"type": "run", "id": 7, "op": "base", "spec": "rfc3986", "embedded": "../x", "retrieval": "http://a/b/c/d"}
{"type": "run", "id": 8, "op": "normalize", "spec": "rfc3986", "mode": "scheme", "url": "HTTP://h:80/%7e"}
{"type": "run", "id": 9, "op": "recompose", "spec": "rfc3986", "components": {"scheme": "a", "path": "b"}}
{"type": "run", "id": 10, "op": "nope", "spec": "rfc3986"}
{"type": "run", "id": 11, "op": "validate", "spec": "rfc3986", "rule": "nope", "url": {"hex": "ff"}}
{"type": "bye"}
"""
_TABLE = '[tool.urlconform]\nspec = ["rfc1808"]\nsection = ["5.1"]\n'
_PROJECT = f"""{_TABLE}adapters = ["python:mine:first"]\nbaseline = "known.json"\ntimeout = 4\njobs = 1
fail-on = ["compliance"]\nreport = {{ junit = "j.xml", markdown = "m.md" }}
"""
_MANY_KEYS = f"""{_TABLE}adapters = ["urllib", "reference"]\nbaseline = {{ urllib = "u.json" }}\nstrict = true
policy = {{ permitted-set = "listed" }}\ntier = ["core"]\nflag = ["basic"]\nmaxfail = 3
start-timeout = 9\ntotal-timeout = 99
"""
_INI = """[pytest]\nurlconform = urllib\nurlconform_spec = rfc1808\nurlconform_section = 5.1
urlconform_timeout = 9\nurlconform_start_timeout = 9\nurlconform_flag = security\nurlconform_strict = true
urlconform_fail_on = example\nurlconform_policy = permitted-set=listed\nurlconform_baseline = u.json
"""
_HOOK = """
import sys
sys.path.append("..")
import plain
def pytest_urlconform_adapter(name):
    return plain.plain if name == "hooked" else None
"""
#: The files of every folder, by name; what is no text is written as JSON.
FILES: dict[str, Any] = {
    "mine.py": _MINE, "prog.py": _PROGRAM, "each.py": _EACH, "plain.py": _PLAIN, "shapes.py": _SHAPES,
    "uses.py": _USES, "batch.py": _BATCH, "questions.jsonl": _QUESTIONS, "empty.txt": "",
    "asks.txt": '{"type":"hello","protocol":[9]}\n', "lines.txt": '{"type":"hello","protocol":[1]}\nwhat?\n',
    "urls.txt": "http://a/b\nhttp://a b/\n\nhttp://h:8x/\nftp://x/%zz\n//h:8x\n",
    "urls.csv": 'n,url,more\n1,http://a/b,"x"\n2,http://a b/,y\n3,,z\n4,"",z\n',
    "two.csv": "a,b\nx:y,z\nx,y z\n", "good.txt": "http://a/b\nx:y\n",
    "prose.txt": 'See <URL:http://a/b> and "ftp://c/d", or http://e/-\nf and <http://g/\n h>, mail x@y.z.\n',
    "known.json": _KNOWN | {"entries": _ENTRIES}, "empty.json": _KNOWN | {"entries": []},
    "other.json": _KNOWN | {"entries": _ENTRIES[:1], "implementation": "other"},
    "counts.json": _KNOWN | {"entries": _ENTRIES[:2], "answered": {"rfc1808": {"resolve": 216}}},
    "broken.json": '{"schema": "urlbaseline-1",', "twice.json": '{"schema": "urlbaseline-1", "schema": 1}',
    "parts.json": ["head", {"input": "http://h/p", "base": None, **_PARTS}, {"input": "x y", "failure": True},
                   "more", {"input": "p", "base": "http://h/", **_PARTS},
                   {"input": ":", "base": "a:b", "failure": True}],
    "format.json": [{"description": name, "schema": {"format": name}, "tests": _TESTS}
                    for name in ("uri", "uri-reference", "email")],
    "entry.json": [{"input": "x"}],
    "suite/pytest.ini": _INI, "suite/test_own.py": "def test_own():\n    pass\n", "hook/conftest.py": _HOOK,
    "project/mine.py": _MINE, "project/deep/er/none.txt": "", "project/pyproject.toml": _PROJECT,
    "project/known.json": _KNOWN | {"entries": _ENTRIES[:2]},
    "survivors.json": {"rfc1808": [{"mutants": [["URL", "drop"]], "rule": "URL", "op": "validate",
                                    "url": "a:zz", "expect": {"valid": True}, "binding": "required"}]},
    "many/u.json": _LIBRARY | {"entries": []}, "suite/u.json": _LIBRARY | {"entries": _ENTRIES[:1]},
    "many/pyproject.toml": _MANY_KEYS, "bare/pyproject.toml": _TABLE + 'rule = ["URL"]\n',
    "wrong/pyproject.toml": "[tool.urlconform]\nadaptors = []\n",
    "number/pyproject.toml": '[tool.urlconform]\ntimeout = "x"\n',
    "away/pyproject.toml": '[tool.urlconform]\nvectors = "../parts.json"\nadapters = ["urllib"]\n',
}  # fmt: skip

#: `id: line`, and indented the further lines of a chain.  A line is the arguments of urlconform, or after `$`
#: of the shell; `{a|b}` makes a case of each alternative.
CASES = r"""
version: --version
survey: $ urlconform
help: {|-h|run|baseline create|adapters doctor|vectors add} --help
usage: {nope|--nope|run --nope|run nope|run jsonl:|run --spec 9999|run --report pdf=x|run --report html|
  run --report html=no/such/x|run --report json=/|run --vectors no/such|run --timeout 0|run --maxfail 0|
  run --jobs 257|run --fail-on nope|run --policy x|run --policy no=x $ONE|run --gate|run --tier nope|repro x|
  run urllib --baseline nope=x|repro nope -a reference|validate a:b|validate a:b --spec 9|
  normalize a:b --spec 1738|validate a:b --spec 3986 --rule nope|baseline create -o x.json|
  generate --tier k1 --pin --limit 2|check urls.txt|adapters new cobol|vectors add|diff rfc3986 rfc9|
  recompose path --spec 3986|report good.txt --report json=x|serve nope}
shapes: $ python shapes.py
uses: $ python uses.py
imports: $ python -c "from {urlharness.generate.tiers import cases, parts|urlharness.cli import main}"
ask: {validate|parse} {'http://u@h:80/a;b?c#d'|'a b'|ftp://h/%zz} --spec {1738|3986 --json}
ask-rule: {validate 192.0.2.256 --rule IPv4address|validate x:y --profile generic|
  parse //h:1 --rule relative-ref|parse http://h/ --profile prose} --spec 3986
explain: explain {'http://u@h:80/a;b?c#d'|'a b' --json|'a b' --spec 1808|http://h/ --tree|:: --json|
  --base 'http://a/b/c/d;p?q' '../../../g'|--base http://a/b '../g' --json}
resolve: resolve {'http://a/b/c/d;p?q' '../../../g'|http://a/b '../../g' --json|
  http://a/b '' --spec 2396 --json|'a b' c|a:b c --spec 1738|a:b c --spec 1808 --json}
normalize: normalize {'HTTP://A.b:80/%7e/../c'|'HTTP://A.b:80/%7e' --mode scheme --json|'a b'|
  HTTP://H/ --spec 2396|ftp://h:21/ --mode scheme}
equivalent: equivalent HTTP://h/%7e {http://H/~|http://h/x --json|http://h:80/~ --mode scheme|'a b'|
  x:y --spec 1808}
extract: extract {prose.txt|prose.txt --json|< prose.txt --spec 1738|empty.txt|no.txt}
decode: decode {'ftp://a/%2Fb;type=a'|gopher://h/1s%09q --json|'a b'|x:y}
base: base {|--embedded ../x --retrieval http://a/b/c|--encapsulating http://a/ --json|
  --default x --spec 1808|--header 'Base: <URL:http://a/>'|--embedded 'a b' --json|--default a:b --spec 1738}
recompose: recompose {scheme=http authority=a path= query= --spec 3986|path=//a --spec 1808|
  nope=x --spec 1738}
recompose-json: $ urlconform parse 'http://u@h/p?q' --spec 3986 --json | urlconform recompose - --spec 3986
diff: diff {rfc2396 rfc3986|rfc3986:scheme rfc2396:scheme|rfc2732:host rfc3986:host --json --length 3}
check: check {good.txt|urls.txt|urls.csv|two.csv --column a|two.csv|empty.txt|no.txt|
  - --format csv < urls.csv|urls.txt --json --threads 1|urls.txt --rule URI --profile prose|
  mine.py --format parquet|urls.csv --column zz} --spec 3986
check-parquet: check urls.csv --spec 3986 -o judged.parquet --components
  check judged.parquet --spec 3986 --column url --format parquet --json
  $ python batch.py judged.parquet
  $ gzip urls.txt; urlconform check urls.txt.gz good.txt --spec 1738 --json --rule url --profile generic
serve: $ urlconform serve {reference|urllib|node-url|java-net-uri|python:mine:loud} < questions.jsonl
serve-wrong: $ urlconform serve reference < {asks.txt|lines.txt}
adapters: adapters list {|--json}
doctor: adapters doctor {python:plain:plain|'jsonl:python3 prog.py good' --json|exec:'python3 each.py'|
  'jsonl:python3 prog.py old' --start-timeout 1|'jsonl:python3 prog.py dead' --json|
  python:mine:rubbish --json|'jsonl:python3 prog.py rubbish' --check 'long line' --timeout 1|
  python:mine:part --check components|urllib --check zz}
new: adapters new {python|node --library mine|shell -o there|java|go|rust|ruby|php|perl|c}
new-run: adapters new python -o there
  run 'jsonl:python3 there/adapter.py' $ONE --report json=r.jsonl
  adapters new python -o there
run: run {reference|urllib --timeout 9 --start-timeout 20|reference urllib python:mine:first|
  node-url java-net-uri|python:plain:plain|python:mine:part|python:mine:part --strict|python:mine:nothing|
  python:mine:error|python:mine:exits|python:mine:dies|python:mine:hangs --timeout 0.3|python:mine:rubbish|
  python:mine:loud|python:no_such:f|exec:./no-such|python:mine:no_such|
  python:mine:stuck --timeout 30 --total-timeout 1|jsonl:./no-such|exec:'python3 each.py' --jobs 2|
  python:mine:first --jobs 2|urllib --maxfail 1|python:mine:first --maxfail 9 --baseline known.json|
  reference --gate --list|jsonl:'urlconform serve urllib' --jobs 2} $ONE --report json=r.jsonl
program: run jsonl:'python3 prog.py {crash|rubbish|status|long|other|twice|old|dead|
  hang}' $ONE --timeout 0.5 --report json=r.jsonl
mute: run jsonl:'python3 prog.py mute' reference $ONE --start-timeout 0.3
all: run reference urllib --report json=r.jsonl --report badge=badges.json --report markdown=r.md
select: run reference {--spec 3986 --section 5.2|--rule host|--flag security|-k dotdot|--section 99|
  --rule nope} --list
reports: run urllib python:mine:first node-url $ONE --report json=r.jsonl --report html=r.html --report \
  junit=r.xml --report markdown=r.md --report badge=badges --report github=r.txt
  report r.jsonl --report html=s.html --report junit=s.xml --report markdown=s.md --report badge=s.json \
  --report github=t
  $ head -n 40 r.jsonl > cut.jsonl; urlconform report cut.jsonl --report badge=cut.json --report junit=cut.xml
  $ sed 's/"pass"/"fail"/' r.jsonl > forged.jsonl; urlconform report forged.jsonl
  baseline create r.jsonl -a urllib -o b.json
  baseline create r.jsonl -o c.json
  baseline update b.json r.jsonl -a python:mine:first
  report r.jsonl --report junit=/dev/full
to-stdout: run python:mine:first $ONE --report {json|html|junit|markdown|github}=/dev/stdout
not-results: report {no.jsonl|mine.py|empty.txt|known.json}
narrow: $ COLUMNS={36|60} urlconform run reference urllib $ONE
missing: $ env PATH=/nowhere "$(command -v urlconform)" run {node-url|reference java-net-uri} $ONE
interrupted: $ timeout --preserve-status -s TERM 3 urlconform run python:mine:stuck $ONE --timeout 50 \
  --report json=r.jsonl
policy: run urllib --spec 2396 -k 5.2-6g {--policy R-2396-18=error|--policy permitted-set=recommended|
  --policy permitted-set=listed --policy excess-dotdot=excess-dropped|--fail-on must|
  --fail-on compliance --strict}
tier: run urllib {--tier complete --rule absoluteURL|--tier core --tier resolution --spec 2732 -k zz|
  --tier k1 --spec 1808 --rule relativeURL|--tier bytes --rule mailtourl} --report junit=r.xml --report \
  html=r.html
foreign: run {urllib --vectors parts.json|reference --vectors format.json|--vectors parts.json|
  urllib --vectors entry.json|urllib --vectors known.json|urllib --vectors broken.json|
  urllib --vectors parts.json --section parts.2} --report json=r.jsonl
foreign-cases: $ urlconform generate --tier complete --spec 1808 --rule URL > cases.jsonl
  run urllib --vectors cases.jsonl --report html=r.html
  generate --tier k1 --spec 1738 --rule mailtourl --format vectors -o one.json
  run urllib --vectors one.json --section 3.5 --report markdown=r.md
  repro parts-4-resolve -a urllib --vectors parts.json
repro: repro rfc1808-5.1-dot-segment -a {reference|urllib|node-url|python:mine:first|python:mine:error|
  python:mine:exits|python:mine:hangs --timeout 0.3|python:mine:rubbish|python:no_such:f|
  jsonl:'python3 prog.py crash'|exec:'python3 each.py'|jsonl:'python3 prog.py dead' --start-timeout 3|
  jsonl:'python3 prog.py other'}
repro-tier: repro complete-rfc1808-URL-{000007|zz} -a urllib
findings: run {python:mine:first $ONE --baseline known.json|python:mine:second $ONE --baseline known.json|
  python:mine:second --spec 1808 --baseline counts.json|python:mine:fewer $ONE --baseline counts.json|
  python:mine:fewer --spec 1808 --baseline python:mine:fewer=counts.json|
  python:mine:other $ONE --baseline known.json|python:mine:fixed $ONE --baseline empty.json --strict|
  python:mine:first $ONE --baseline broken.json|python:mine:first $ONE --baseline twice.json|
  python:mine:first $ONE --baseline no.json} --report junit=r.xml --report github=g.txt --report markdown=r.md
stale: baseline create python:mine:first $ONE -o b.json
  run python:mine:first $ONE --baseline b.json --report junit=r.xml
  run python:mine:fixed $ONE --baseline b.json --report junit=s.xml --report github=s.txt
list: baseline {create python:mine:first $ONE -o known.json|
  create python:mine:first $ONE -o known.json --force|create python:mine:nothing $ONE -o b.json|
  create python:mine:first --spec 1808 -o b.json --fail-on example|
  create python:mine:part --spec 1808 -o b.json --strict --jobs 2 --timeout 3|
  create jsonl:./no -o b.json --start-timeout 3|
  create urllib --tier complete --rule URL --spec 1808 -o b.json|
  create urllib --vectors parts.json -o b.json|
  create urllib --policy R-2396-18=error --spec 2396 -o b --flag edge --no-config -k 5 --total-timeout 9|
  update known.json python:mine:second $ONE|update known.json python:mine:second $ONE --only-shrink|
  update empty.json python:mine:fixed $ONE --only-shrink|update counts.json python:mine:fixed --spec 1808|
  update known.json python:mine:second -k 5.1 --flag basic --strict --fail-on example --jobs 2 --timeout 3|
  update known.json python:mine:second --rule URL --tier core --policy permitted-set=listed --no-config|
  update known.json urllib --vectors parts.json --total-timeout 9 --start-timeout 9|
  update other.json python:mine:first|update no.json urllib|check known.json|check known.json --fix|
  check empty.json|check counts.json other.json twice.json broken.json no.json|
  check known.json --vectors parts.json}
project: $ cd project && urlconform {run|run --no-config --gate|run urllib|run --timeout 3 --maxfail 1|
  baseline update known.json|baseline create -o b.json}
project-below: $ cd project/deep/er && urlconform run --gate
table: $ cd {many|bare|wrong|number|away} && urlconform run --gate
pytest: $ $PY {reference --urlconform-section 5.1|
  urllib --urlconform-section 5.1 --urlconform-spec 1808 urlconform|
  python:mine:first --urlconform-section 5.1 --urlconform-baseline known.json|python:mine:no_such|
  python:mine:part --urlconform-flag security --urlconform-strict|urllib urlconform/nope|
  python:mine:hangs urlconform/rfc1808/5.1 --urlconform-timeout 0.3|
  urllib urlconform/rfc1808/5.1::rfc1808-5.1-params-only --urlconform-start-timeout 9|
  urllib --urlconform-spec 2396 -k 5.2-6g --urlconform-policy R-2396-18=error --urlconform-fail-on algorithm|
  urllib -m "urlconform(section='5.1')" --collect-only --urlconform-spec 1808}
pytest-in: $ cd {suite && $PY reference|suite && $PT|suite && $PT test_own.py|
  project/deep && $PY project -rA|hook && $PY hooked --urlconform-section 5.4.2 ../hook|
  project && $PY project --runxfail}
digest: generate --tier {complete --digest|resolution --digest|k1 --spec 1808 --digest|
  bytes --rule mailtourl --check|complete --spec 1808 --check|bytes --rule zz}
generate: generate --tier {complete --spec 1808 --limit 5|resolution --limit 3|
  k1 --rule httpurl --limit 9 -o k1.jsonl|complete --rule mailtourl --format vectors}
corpus: vectors {lint|lint --vectors project|lint --rfc-dir suite|fmt --check|fmt|lock|lock --check|
  lock --vectors suite|stats|stats --spec 2732|stats --json|stats --uncovered|changelog no.lock|
  adopt known.json}
edited: vectors export c
  vectors add --vectors c --write --requirement rfc3986-3.1-bnf-scheme --op validate --rule scheme --url \
  'a*b' --slug star --expect '{"valid": false, "at": 1, "rules": ["scheme"]}' --comment 'A star.'
  vectors lock --vectors c --check
  $ cp c/vectors.lock old.lock; urlconform vectors lock --vectors c --release 2.0.0
  vectors lint --vectors c
  vectors stats --vectors c --spec 3986
  vectors changelog old.lock --vectors c --json
  vectors changelog old.lock c/vectors.lock --check
  run reference --vectors c --spec 3986 --section 3.1 --report json=r.jsonl
  $ rm c/rfc1808/5.1-normal.json; urlconform vectors lock --vectors c --reason 'gone for a test'
  $ sed -i 's/"level"/ "level"/' c/rfc1808/5.2-abnormal.json; urlconform vectors fmt --vectors c --check
  vectors fmt --vectors c
  $ sed -i 's/"valid"/"walid"/' c/rfc1808/2.1-*.json; urlconform run reference --vectors c $TWO
  vectors lint --vectors c
export: vectors export there {--spec 1808 --section 5|--spec 2732 --tier resolution|--spec 9}
  vectors export there --spec 1808 --section 5.1
  vectors export there --spec 1808 --section 5.1 --force
add-base: vectors add --requirement rfc3986-5.1.1-embedded --op base --embedded ../x --encapsulating \
  http://a/ --retrieval http://b/ --default http://c/ --expect '{"base":"http://a/x"}'
add-header: vectors add --requirement rfc1808-3.1-bnf-base-header --op base --header 'Base: \
  <URL:http://a/>' --expect '{"base":"http://a/"}'
add-new: vectors add --requirement rfc3986-5.3-recompose --op recompose --components '{"path":"x"}' --flag \
  edge --expect '{"result":"x"}' --file 5.3-new.json --title New --level algorithm --spec 3986 --section \
  5.3 --binding required
add-wrong: vectors add --requirement rfc3986-5.3-path --op resolve --base http://a/b --reference c --expect \
  '{"result":"x"}' --class empty-component --ruling R-3986-09
add-equal: vectors add --requirement rfc3986-3.1-case --op equivalent --url a:b --other A:b --mode scheme \
  --expect '{"equal":true}'
add-none: vectors add --requirement nope --op parse --url a:b --expect '{}'
add-field: vectors add --requirement rfc3986-5.3-path --op extract --text '<a:b>' --profile generic \
  --fields '{"x":1}' --expect '{"urls":[["a:b"]]}'
adequacy: vectors adequacy --spec rfc2732 --sample 1 --seed 2 --processes 1 --json --survivors s.json -o \
  m.json
adopt: vectors adopt survivors.json
  vectors export c
  vectors adopt survivors.json --vectors c --write
  vectors export d --vectors c --spec 1808 --section 2.2
  $ rm -r c/rfc[23]* c/rfc17*
"""

#: What the shell of every line knows.
_VARIABLES = {
    "ONE": "--spec 1808 --section 5.1",
    "TWO": "--spec 1808 --section 5",
    "PT": "python -m pytest -p no:cacheprovider -q",
    "PY": "python -m pytest -p no:cacheprovider -q --junit-xml=p.xml --urlconform",
    "LC_ALL": "C.UTF-8",
    "COLUMNS": "100",
    "TZ": "UTC",
}
_SECONDS = 120  # for one command line
_MANY = 60  # of so many files those of a corpus are kept as digests
_SHOWN = 8  # differences of one case
_STREAMS = ("stdout", "stderr")

#: Fields that differ in each run, fields that are words for people, and what is replaced in texts.
_MASKED = {"started", "ended", "seconds", "platform", "timestamp", "time", "hostname"}
_WORDING = {"message", "reason", "reasons", "detail", "summary", "title", "description", "comment",
            "$comment", "statement", "note", "help", "doc", "stderr", "what", "words", "effect"}  # fmt: skip
_REPLACED = [
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[+-]\d\d:?\d\d|Z)?"), "@time"),
    (re.compile(r"\bLinux-\S+?-with-[\w.-]+"), "@platform"),
    (re.compile(r"\b\d+\.\d+ ?s\b|\b\d+ ms\b"), "@seconds"),
    (re.compile(r"[\d,.]+ (questions|answers) a second[^\n\"]*"), r"@rate \1 a second"),
    (re.compile(r"(\\?\"id\\?\": ?|\bid )\d+"), r"\1@id"),
    (re.compile(r"0x[0-9a-f]{6,}"), "@address"),
    (re.compile(re.escape(tempfile.gettempdir()) + r"/[\w./-]+"), "@temporary"),
]
_FIGURES = re.compile(r"rfc\d{4}-[\w.-]+|\d+(?:[.,]\d+)*")
_COUNTS = re.compile(r"\d+ (?:passed|failed|skipped|xfailed|xpassed|errors?|deselected)\b")


class Case(NamedTuple):
    """A chain of command lines that share a folder."""

    id: str
    lines: list[str]


def cases() -> Iterator[Case]:
    """The cases of the table, each alternative in braces by itself."""
    seen: Counter[str] = Counter()
    for row in re.split(r"\n(?=\S)", re.sub(r"\\\n\s*|(?<=[|{])\n\s*", "", CASES.strip())):
        name, _, text = row.partition(": ")
        for chosen, lines in _expanded(text):
            slug = re.sub(r"\W+", "-", " ".join([name, *chosen])).strip("-")[:80]
            seen[slug] += 1
            stripped = [line.strip() for line in lines.split("\n")]
            whole = [line[2:] if line.startswith("$ ") else f"urlconform {line}" for line in stripped]
            yield Case(f"{slug}-{seen[slug]}" if seen[slug] > 1 else slug, whole)


def _expanded(text: str, chosen: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    found = re.search(r"\{([^{}]*\|[^{}]*)\}", text)
    if found is None:
        yield chosen, text
    else:
        for one in found[1].split("|"):
            yield from _expanded(text[: found.start()] + one + text[found.end() :], (*chosen, one))


class Recorder:
    """Runs cases with one install, in a folder whose path always has the same length."""

    def __init__(self, program: Path, python: Path, folder: Path) -> None:
        self.work = folder / "work"
        self.environment = {
            **_VARIABLES,
            "PATH": f"{program.parent}:{python.parent}:/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder / "home"),
            "NUMBA_CACHE_DIR": str(folder / "home" / "numba"),
        }
        places = {"@folder": folder, "@bin": program.parent, "@install": python.parent.parent}
        self.places = {str(place): name for name, place in places.items()}

    def record(self, case: Case) -> dict[str, Any]:
        """Run the lines of a case; return their output, and the files that they wrote or removed."""
        given = {}
        for name, content in FILES.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            given[path] = (content if isinstance(content, str) else json.dumps(content)).encode()
            path.write_bytes(given[path])
        steps = [self._step(line) for line in case.lines]
        found = [path for path in sorted(self.work.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
        new = [path for path in found if path.read_bytes() != given.get(path)]
        files = {str(path.relative_to(self.work)): self._file(path, many=len(new) > _MANY) for path in new}
        gone = [str(path.relative_to(self.work)) for path in given if not path.exists()]
        shutil.rmtree(self.work)
        return {"steps": steps, "files": files, "gone": gone}

    def _step(self, line: str) -> dict[str, Any]:
        with subprocess.Popen(
            ["/bin/sh", "-c", line], cwd=self.work, env=self.environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        ) as shell:  # fmt: skip
            try:
                streams = shell.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(shell.pid, signal.SIGKILL)
                return {"line": line, "code": f"none after {_SECONDS} s"}
        values = (self.value(octets.decode("utf-8", "surrogateescape")) for octets in streams)
        return {"line": line, "code": shell.returncode, **dict(zip(_STREAMS, values, strict=True))}

    def _file(self, path: Path, *, many: bool) -> dict[str, Any]:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        if path.name == "SHA256SUMS":  # words may change: the files that have them are compared
            return {"data": [line for line in text.splitlines() if not re.search(r"README|schemas/", line)]}
        if "\0" in text:
            return {"data": "binary"}
        if many and path.suffix in (".json", ".lock") and "schemas" not in path.parts:
            return {"data": hashlib.sha256(path.read_bytes()).hexdigest()}
        return self.value(text)

    def value(self, text: str) -> dict[str, Any]:
        """A text as `data`, as far as programs read it, and as `text` for people."""
        for name, placeholder in self.places.items():
            text = text.replace(name, placeholder)
        if not text:
            return {}
        with suppress(ValueError):
            return {"data": _masked(json.loads(text))}
        if text.startswith("<?xml"):
            return {"data": _element(ET.fromstring(text))}
        if text.startswith("<!doctype html>"):
            return _page(text)
        data: list[Any] = []
        words = re.sub(r"(?m)^(.*?)(\{.*\})$", lambda line: line[1] + _collected(line[2], data), text)
        data += re.findall(r"^::(\w+) (?:(file=[^,]*,line=\d+))?", text, re.MULTILINE)
        data += [sorted(_COUNTS.findall(line)) for line in text.splitlines()[-1:] if " in " in line]
        return {"data": data, "text": _replaced(words)} if words.strip() else {"data": data}


def _collected(text: str, data: list[Any]) -> str:
    """Move a JSON object to `data` and return an empty string; return any other text unchanged."""
    with suppress(ValueError):
        data.append(_masked(json.loads(text)))
        return ""
    return text


def _replaced(text: str) -> str:
    for pattern, placeholder in _REPLACED:
        text = pattern.sub(placeholder, text)
    return text


def _masked(value: Any) -> Any:
    """JSON without what differs in each run."""
    if isinstance(value, dict):
        masked = _MASKED | {"digest"} if value.get("type") == "footer" else _MASKED
        return {name: "@" if name in masked else _masked(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_masked(one) for one in value]
    return _replaced(value) if isinstance(value, str) else value


def _element(element: ET.Element) -> Any:
    named = {**element.attrib, "tag": element.tag, "words": (element.text or "").strip()}
    if named.get("name") in _MASKED:
        named["value"] = "@"
    return _masked({**named, "inner": [_element(child) for child in element]})


def _page(text: str) -> dict[str, Any]:
    """A page: how many there are of each tag and the data that it carries, and its words."""
    packed = re.findall(r'<script type="application/octet-stream" id="(\w+)">([^<]*)', text)
    embedded = {name: json.loads(gzip.decompress(base64.b64decode(octets))) for name, octets in packed}
    bare = re.sub(r"(?s)<(script|style)\b.*?</\1>", "", text)
    words = re.sub(r"\s*\n\s*", "\n", re.sub(r"<[^>]*>", "\n", bare))
    tags = Counter(re.findall(r"<(\w+)", bare))
    return {"data": _masked({"tags": tags, "embedded": embedded}), "text": _replaced(words)}


_TITLES = {
    "code": "differences of exit codes",
    "data": "differences of structured data",
    "words": "differences of words in structured data",
    "text": "differences of texts",
}


class Difference(NamedTuple):
    """A difference between two recordings of a case; `kind` is code, data, words or text."""

    kind: str
    case: str
    place: str
    before: Any
    after: Any

    @property
    def figures(self) -> bool:
        """True if numbers or ids differ, and not only the words around them."""
        if self.kind in ("code", "data"):
            return False
        texts = (one if isinstance(one, str) else json.dumps(one) for one in (self.before, self.after))
        return len({tuple(_FIGURES.findall(text)) for text in texts}) > 1

    def shown(self, *, whole: bool) -> str:
        """The difference as lines; a text is shown as a diff, or only named."""
        place = f"  {self.case}: {self.place}{' (figures differ)' if self.figures else ''}"
        if self.kind != "text":
            return f"{place}: {json.dumps(self.before)[:160]} -> {json.dumps(self.after)[:160]}"
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=0)
        return "\n    ".join([place, *([*lines][2:] if whole else [])])


#: What `Difference` has, but for the case.
Found = tuple[str, str, Any, Any]


def differences(before: Any, after: Any, place: str = "", kind: str = "data") -> Iterator[Found]:
    """Kind, place and values of the differences; fields with words for people are of the kind words."""
    if isinstance(before, list) and isinstance(after, list) and len(before) != len(after):
        before, after = _by_name(before), _by_name(after)
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys([*before, *after]):
            badge = "schemaVersion" in before  # whose message has its figures
            inner = "words" if name in _WORDING and not badge else kind
            yield from differences(before.get(name), after.get(name), f"{place}.{name}", inner)
    elif isinstance(before, list) and isinstance(after, list):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{place}[{number}]", kind)
    elif before != after or type(before) is not type(after):
        prose = "embedded" in place and isinstance(before, str) and " " in before
        yield "words" if prose else kind, place, before, after


def _by_name(items: list[Any]) -> dict[str, Any]:
    """A list as a mapping, by the names that its items have, so that one more is one difference."""
    names = [str(one.get("id", one.get("name", ""))) if isinstance(one, dict) else str(one) for one in items]
    times: Counter[str] = Counter()
    named = {}
    for name, one in zip(names, items, strict=True):
        times[name] += 1
        named[f"{name}#{times[name]}" if times[name] > 1 else name] = one
    return named


def compared(before: dict[str, Any], after: dict[str, Any]) -> Iterator[Found]:
    """The differences of a case: of each line, then of each file."""
    parts = [("gone", {"data": before["gone"]}, {"data": after["gone"]})]
    for number, (one, other) in enumerate(zip(before["steps"], after["steps"], strict=True), 1):
        if one["code"] != other["code"]:
            yield "code", one["line"], one["code"], other["code"]
        parts += [(f"{number} {name}", one.get(name, {}), other.get(name, {})) for name in _STREAMS]
    none: dict[str, Any] = {}
    files = sorted({*before["files"], *after["files"]})
    parts += [(name, before["files"].get(name, none), after["files"].get(name, none)) for name in files]
    for name, one, other in parts:
        if one.keys() != other.keys():
            yield "data", name, "/".join(one) or "nothing", "/".join(other) or "nothing"
        else:
            yield from differences(one.get("data"), other.get("data"), name)
            if one.get("text") != other.get("text"):
                yield "text", name, one["text"], other["text"]


def record(program: Path, python: Path, output: Path, only: str) -> int:
    """Write a recording into a folder."""
    output.mkdir(parents=True, exist_ok=True)
    lines, began = 0, time.monotonic()
    with tempfile.TemporaryDirectory(prefix="outcomes-", dir="/tmp") as folder:
        recorder = Recorder(program.absolute(), python.absolute(), Path(folder))
        for case in cases():
            if only in case.id:
                (output / f"{case.id}.json").write_text(json.dumps(recorder.record(case), indent=1), "ascii")
                lines += len(case.lines)
    sys.stdout.write(f"{lines} command lines in {time.monotonic() - began:.0f} s\n")
    return 0


def compare(before: Path, after: Path, *, text: bool) -> int:
    """Print the differences of two recordings; 1 where more than wording differs."""
    paths = [{path.stem: path for path in folder.glob("*.json")} for folder in (before, after)]
    lacking = sorted(paths[0].keys() ^ paths[1].keys())
    found = [Difference("data", name, "recorded", name in paths[0], name in paths[1]) for name in lacking]
    for name in sorted(paths[0].keys() & paths[1].keys()):
        one, other = (json.loads(folder[name].read_bytes()) for folder in paths)
        found += [Difference(kind, name, *rest) for kind, *rest in compared(one, other)]
    for kind, title in _TITLES.items():
        those = [one for one in found if one.kind == kind]
        figures = sum(one.figures for one in those)
        where = f"{len({one.case for one in those})} cases" + (f", {figures} in figures" if figures else "")
        lines = [f"{title}: {len(those)} in {where}"]
        told: Counter[str] = Counter()
        for one in those:
            if text or kind in ("code", "data") or one.figures:
                told[one.case] += 1
                lines += [one.shown(whole=text)] if text or told[one.case] <= _SHOWN else []
        more = {case: number - _SHOWN for case, number in told.items() if number > _SHOWN and not text}
        lines += [f"  {case}: and {number} more" for case, number in more.items()]
        sys.stdout.write("\n".join([*lines, ""]))
    return int(any(one.kind in ("code", "data") for one in found))


def main() -> int:
    """Run the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(required=True, dest="command")
    one = commands.add_parser("record", help="run the command lines with an install")
    one.add_argument("--program", type=Path, required=True, help="the program urlconform")
    one.add_argument("--python", type=Path, required=True, help="the Python that has it")
    one.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER")
    one.add_argument("--only", default="", metavar="WORD", help="only cases whose id contains this")
    other = commands.add_parser("compare", help="compare two recordings")
    other.add_argument("before", type=Path)
    other.add_argument("after", type=Path)
    other.add_argument("--text", action="store_true", help="show all differences of wording")
    given = parser.parse_args()
    if given.command == "record":
        return record(given.program, given.python, given.output, given.only)
    return compare(given.before, given.after, text=given.text)


if __name__ == "__main__":
    sys.exit(main())
