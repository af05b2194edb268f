"""Record what a fixed table of command lines gives with one install of urlconform, and compare two recordings.

`python tests/bench/outcomes.py record --program PATH --python PATH -o FOLDER` runs every case of `CASES` in a
fresh folder with the files of `FILES`, and keeps exit codes, output and written files, normalised, as one JSON
file for each case.  `python tests/bench/outcomes.py compare BEFORE AFTER` tells exit codes, structured data and
wording apart; it ends with 1 where anything but wording differs.  Needs the extra `batch`, pytest, node and java.
"""

from __future__ import annotations

import json

#: Shell words that many lines share.
WORDS = {
    "ONE": "--spec 1808 --section 5.1",
    "TWO": "--spec 1808 --section 5",
    "PY": "python -m pytest -p no:cacheprovider -q",
    "UC": "-o addopts= --urlconform",
}

_MINE = r"""
import os, sys, time
from urllib.parse import urljoin, urlsplit

def adapter(name, odd=lambda q: None, ops=("resolve",)):
    def answer(q):
        if "reference" not in q:
            return odd(q) or {"status": "unsupported"}
        return odd(q) or {"status": "ok", "url": urljoin(q["base"], q["reference"])}
    answer.hello = {"implementation": {"name": name, "version": "1"}, "ops": [*ops], "specs": ["rfc1808"]}
    return answer

def on(reference, does):
    return lambda q: does(q) if q.get("reference") == reference else None

def wrong(text):
    return lambda q: {"status": "ok", "url": text}

def raises(q):
    raise LookupError("not today")

def prints(q):
    print("hello", q["reference"])
    print("hello", file=sys.stderr)

fixed = adapter("mine")
first = adapter("mine", lambda q: (on("g?y", wrong("x:1"))(q) or on("./g", wrong("x:2"))(q)))
second = adapter("mine", lambda q: (on("g?y", wrong("x:3"))(q) or on("../g", wrong("x:4"))(q)))
fewer = adapter("mine", lambda q: None if q["reference"] == "g" else {"status": "unsupported"})
other = adapter("other")
part = adapter("part", lambda q: {"status": "ok", "components": {"path": urlsplit(q["url"]).path}}
               if q["op"] == "parse" else None, ("parse", "resolve"))
nothing = adapter("nothing", lambda q: {"status": "unsupported"})
error = adapter("error", on("./g", raises))
exits = adapter("exits", on("./g", lambda q: sys.exit(3)))
dies = adapter("dies", on("./g", lambda q: os._exit(3)))
hangs = adapter("hangs", on("./g", lambda q: time.sleep(60)))
stuck = adapter("stuck", lambda q: time.sleep(60))
rubbish = adapter("rubbish", on("./g", lambda q: 5))
loud = adapter("loud", prints)
"""

_PROGRAM = r"""
import json, os, sys, time
import mine
mode = sys.argv[1]
say = lambda message: print(json.dumps(message), flush=True)
if mode == "dead":
    sys.exit("no licence")
if mode == "mute":
    time.sleep(60)
for line in sys.stdin:
    q = json.loads(line)
    if q["type"] == "bye":
        break
    if q["type"] == "hello":
        say({"type": "hello", "protocol": 7 if mode == "old" else 1, "window": 8, **mine.fixed.hello})
        continue
    reply = {"id": q["id"], **mine.first(q)}
    if q.get("reference") == "./g":
        if mode == "crash":
            os._exit(9)
        if mode == "hang":
            time.sleep(60)
        if mode == "rubbish":
            print("what?", flush=True)
        if mode == "status":
            reply["status"] = "OK"
        if mode == "silent":
            os.close(1)
            break
        if mode == "long":
            reply["url"] = "x" * 2000000
        if mode == "other":
            reply["id"] += 1
    say(reply)
"""

_EACH = """
import json, sys
import mine
q = json.load(sys.stdin)
if q["op"] != "resolve":
    sys.exit(3)
if q["reference"] in ("./g", "g?y"):
    sys.exit("wrong" if q["reference"] == "./g" else 7)
print(json.dumps(mine.fixed(q)))
"""

_PLAIN = """
from urllib.parse import urljoin, urlsplit
from urlharness import functions
plain = functions("plain", "2", specs=["rfc3986"], parse=lambda url: urlsplit(url)._asdict() | {"query": None},
                  resolve=urljoin, validate={"URI-reference": lambda url: " " not in url}, normalize=str.lower,
                  recompose=lambda parts: parts["path"], rejects=(KeyError,), absent_vs_empty=True)
"""

#: The public names with their shapes, the commands with their options, the metadata, the schemas.
_SHAPES = r"""
import functools, importlib, importlib.metadata as metadata, inspect, json, re, sys
import click
MODULES = ["urlharness", "urloracle", "urloracle.answers", "urlharness.corpus", "urlharness.adapters.registry"]
DOCUMENTED = '''urlharness.batch Engine,urlharness.corpus corpus_dir load,urlharness.generate.suites suite,
urlharness.generate.tiers cases parts,urloracle.automaton determinize minimize difference,urloracle.expression
Reference,urloracle.grammar load source,urloracle.positions position_automaton,urlharness.cli main'''
CORPUS = "Case Corpus CorpusError Expected Requirement Vector corpus_dir load".split()
REGISTRY = "InProcess NotInstalled Program ProgramPerCase UnknownAdapter find".split()
def plain(value):
    return re.sub(r"\burl(?:harness|oracle)\.(?:\w+\.)*", "", str(value))
def signature(value):
    try:
        return plain(inspect.signature(value))
    except (TypeError, ValueError):
        return None
def shape(value):
    found = {"signature": signature(value), "doc": inspect.getdoc(value), "module": getattr(value, "__module__", "")}
    if not inspect.isclass(value):
        return found if callable(value) else {"value": plain(sorted(value) if isinstance(value, dict) else value)}
    found["bases"] = [base.__name__ for base in value.__mro__[1:] if not base.__name__.startswith("_")]
    found["fields"] = {k: plain(v) for k, v in inspect.get_annotations(value).items() if not k.startswith("_")}
    members = {k: inspect.unwrap(getattr(v, "__func__", v)) for k, v in vars(value).items() if not k.startswith("_")}
    kinds = (property, functools.cached_property)
    found["members"] = {k: signature(v) for k, v in members.items() if callable(v) or isinstance(v, kinds)}
    return found
def command(one):
    parts = ["name", "opts", "secondary_opts", "required", "multiple", "nargs", "default", "is_flag", "metavar", "help"]
    options = []
    for option in one.params:
        limits = [getattr(option.type, part, None) for part in ("name", "choices", "min", "max", "exists", "dir_okay")]
        options.append({**{part: plain(getattr(option, part, None)) for part in parts}, "type": plain(limits)})
    context = click.Context(one)
    inner = one.list_commands(context) if isinstance(one, click.Group) else []
    return {"help": one.help, "options": sorted(options, key=lambda option: option["opts"] + option["name"]),
            "commands": {name: command(one.get_command(context, name)) for name in inner}}
class Found(BaseException): pass
def caught(self, *arguments, **options):
    raise Found(self)
click.Command.main = caught
names = {}
for module in MODULES:
    loaded = importlib.import_module(module)
    public = {"urlharness.corpus": CORPUS, "urlharness.adapters.registry": REGISTRY}.get(module) or loaded.__all__
    names[module] = {name: shape(getattr(loaded, name)) for name in public}
imports = {}
for module, *public in map(str.split, DOCUMENTED.split(",")):
    for name in public:
        try:
            imports[f"{module}.{name}"] = signature(getattr(importlib.import_module(module), name))
        except Exception as error:
            imports[f"{module}.{name}"] = {"type": type(error).__name__, "message": str(error)}
points = [point for point in metadata.entry_points() if point.dist.name == "urlconform"]
try:
    next(point for point in points if point.group == "console_scripts").load()()
except Found as found:
    commands = command(found.args[0])
about = metadata.metadata("urlconform")
keys = ("Name", "Version", "Requires-Python", "Requires-Dist", "Provides-Extra", "License-Expression", "Classifier")
from urlharness.corpus import corpus_dir
json.dump({
    "names": names, "imports": imports, "commands": commands,
    "typed": {name: bool(metadata.files("urlconform")) and importlib.util.find_spec(name) is not None and
              (importlib.resources.files(name) / "py.typed").is_file() for name in ("urlharness", "urloracle")},
    "entry points": sorted([point.group, point.name] for point in points),
    "metadata": {key: about.get_all(key) for key in keys},
    "schemas": {path.name: json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir()},
}, sys.stdout)
"""

#: The Python interface at work: what every function answers and raises, as JSON.
_USES = r"""
import dataclasses, enum, json, sys
import msgspec, urlharness, urloracle
from urlharness import Report, functions, run, stream
from urlharness.corpus import load
import mine, plain
SPECS = [*urloracle.SPECIFICATIONS]
def data(value, deep=0):
    if isinstance(value, BaseException):
        kept = ("text", "spec", "rule", "position", "expected", "rules", "section")
        fields = {name: data(getattr(value, name), deep + 1) for name in kept if hasattr(value, name)}
        caret = value.caret().splitlines() if hasattr(value, "caret") else None
        return {"type": type(value).__name__, "message": str(value), "fields": fields, "caret": caret}
    if isinstance(value, enum.Enum) or value is None or isinstance(value, (bool, int, str, float)):
        return value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {"kind": type(value).__name__, **{k: data(v, deep + 1) for k, v in value._asdict().items()}}
    if isinstance(value, msgspec.Struct):
        return msgspec.to_builtins(value)
    if dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        return {"kind": type(value).__name__, **{name: data(getattr(value, name), deep + 1) for name in names}}
    if isinstance(value, dict):
        return {str(k): data(v, deep + 1) for k, v in value.items()}
    return [data(one, deep + 1) for one in value] if isinstance(value, (list, tuple)) else repr(value)
def ask(function, *arguments, **options):
    try:
        return data(function(*arguments, **options))
    except Exception as error:
        return data(error)
TEXTS = ["http://u:p@EXAMPLE.com:80/%7ea/./b;c?d#e", "http://a b/", "//a/b", "ftp://a/%2Fb;type=a", "", "mailto:a@b",
         "http://[::1]/", "news:*", "x", "gopher://h/1s%09q", "a\u00e9"]
o = urloracle
oracle = {}
for spec in [*SPECS, "3986", "rfc1"]:
    oracle[spec] = {text: {
        "validate": ask(o.validate, text, spec), "host": ask(o.validate, text, spec, "host"),
        "generic": ask(o.validate, text, spec, profile="generic"), "parse": ask(o.parse, text, spec),
        "explain": ask(o.explain, text, spec), "steps": ask(o.explain, text, spec, base="http://a/b/c"),
        "resolve": ask(o.resolve, "http://a/b/c/d;p?q", text, spec), "forms": ask(o.normal_forms, text, spec),
        "normalize": ask(o.normalize, text, spec, "scheme"), "base": ask(o.base_url, spec, embedded=text),
        "equivalent": ask(o.equivalent, text, "http://u:p@example.com/~a/b;c?d#e", spec, "scheme"),
        "extract": ask(o.extract, f"see <URL:{text}> and '{text}'", spec), "decode": ask(o.decode, text),
        "again": ask(lambda: o.recompose(o.parse(text, spec)._asdict(), spec)),
        "header": ask(o.base_header, f"Base: <URL:{text}>"),
    } for text in TEXTS}
    oracle[spec]["specification"] = ask(lambda: (o.specification(spec).id, o.specification(spec).title))
def judged(report, *baseline, **options):
    gate = report.gate(*baseline, **options)
    sections = {" ".join(key): data(score) for key, score in report.sections.items()}
    return {"gate": [int(gate.code), gate.passed, len(gate.reasons)], "reasons": gate.reasons, "adapter": report.adapter,
            "findings": [[finding.kind, finding.id] for finding in gate.findings], "specs": report.specs,
            "sections": sections, "totals": data(dict(report.totals)), "digest": report.corpus.digest,
            "outcomes": {key: data(result) for key, result in report.outcomes.items()}}
one = {"spec": "rfc1808", "section": "5.1"}
runs = {
    "name": lambda: judged(run("python:mine:first", **one, results="api.jsonl")),
    "baseline": lambda: judged(run("python:mine:second", spec="rfc1808", section="5"), "known.json"),
    "fail on": lambda: judged(run("urllib", spec="rfc1808"), fail_on="must", strict=True),
    "policy": lambda: judged(run("urllib", spec="rfc2396", words="5.2-6g"), policy={"R-2396-18": "error"}),
    "function": lambda: judged(run(mine.fixed, **one)), "functions": lambda: judged(run(plain.plain, section="5.4.2")),
    "jobs": lambda: judged(run("jsonl:python3 prog.py crash", **one, jobs=2)), "flag": lambda: judged(run(
        "reference", flag="security", rule="host")), "maxfail": lambda: judged(run("urllib", maxfail=2)),
    "unknown": lambda: run("nope"), "number": lambda: run("urllib", jobs=0), "nothing": lambda: run("urllib", words="zz"),
    "spec": lambda: run("urllib", spec="9"), "dead": lambda: run("jsonl:python3 prog.py dead", **one),
    "list": lambda: judged(run("urllib", **one), "no.json"), "total": lambda: judged(run(
        "python:mine:stuck", **one, timeout=30, start_timeout=20, total_timeout=1)),
    "stream": lambda: [[case.vector.id, case.spec, data(result)] for case, result in stream("urllib", **one)],
    "hello": lambda: [plain.plain.name, plain.plain.hello, plain.plain({"op": "resolve", "base": "a:b", "reference": ""})],
    "corpus": lambda: [load().version, load().digest, len(load().cases), data(load().cases[7]), dict(load().sizes)],
    "version": lambda: [urlharness.__version__, Report.__name__, functions.__name__],
}
json.dump({"oracle": oracle, "runs": {name: ask(call) for name, call in runs.items()}}, sys.stdout)
"""

_BATCH = """
import json, pyarrow as pa, pyarrow.parquet as pq, sys
from urlharness.batch import Engine
engine = Engine("rfc3986", threads=1)
column = pa.array(["http://u@example.com/a?b", "http://a b", None, ""])
asked = {name: getattr(engine, name)(column).to_pylist() for name in ("accepts", "offsets", "spans", "split")}
table = pq.read_table(sys.argv[1])
json.dump({**asked, "judged": engine.judge(column).reason.to_pylist(), "rows": table.to_pylist(),
           "columns": table.schema.names, "types": list(map(str, table.schema.types))}, sys.stdout)
"""

_ENTRIES = [
    ("rfc1808-5.1-params-only", "http://a/b/c/;x", "41cc69f3d3fb"),
    ("rfc1808-5.1-query", "x:1", "000000000000"),
    ("rfc1808-5.1-nobody", "x:2", "000000000001"),
]
_KNOWN = {
    "schema": "urlbaseline-1", "corpus": "3a3bedc76d13", "implementation": "mine", "spec": ["rfc1808"],
    "entries": [{"id": one, "outcome": "fail", "got": {"status": "ok", "url": url}, "digest": digest}
                for one, url, digest in _ENTRIES],
}  # fmt: skip
_PARTS = {
    "href": "http://h/p",
    "protocol": "http:",
    "hostname": "h",
    "pathname": "/p",
    "search": "",
    "port": "",
}
_TABLE = '[tool.urlconform]\nspec = ["rfc1808"]\nsection = ["5"]\n'
_QUESTIONS = [
    {"type": "hello", "protocol": [1], "harness": "test"},
    {
        "type": "run",
        "id": 1,
        "op": "validate",
        "spec": "rfc1738",
        "rule": "httpurl",
        "url": "http://user@host/",
    },
    {"type": "run", "id": 2, "op": "parse", "spec": "rfc1808", "url": "http://a/b;c?q#f", "more": 1},
    {
        "type": "run",
        "id": 3,
        "op": "resolve",
        "spec": "rfc2396",
        "base": "http://a/b",
        "reference": "../../g",
    },
    {"type": "run", "id": 4, "op": "extract", "spec": "rfc3986", "text": "see <http://c/-\n d>"},
    {"type": "run", "id": 5, "op": "equivalent", "spec": "rfc3986", "url": "HTTP://h/", "other": "http://H/"},
    {"type": "run", "id": 6, "op": "decode", "spec": "rfc1738", "url": "ftp://h/%2Fetc/a%FF"},
    {
        "type": "run",
        "id": 7,
        "op": "base",
        "spec": "rfc3986",
        "embedded": "../x",
        "retrieval": "http://a/b/c/d",
    },
    {
        "type": "run",
        "id": 8,
        "op": "normalize",
        "spec": "rfc3986",
        "mode": "scheme",
        "url": "HTTP://h:80/%7e",
    },
    {
        "type": "run",
        "id": 9,
        "op": "recompose",
        "spec": "rfc3986",
        "components": {"scheme": "a", "path": "b"},
    },
    {"type": "run", "id": 10, "op": "nope", "spec": "rfc3986"},
    {"type": "run", "id": 11, "op": "validate", "spec": "rfc3986", "rule": "nope", "url": {"hex": "ff"}},
    {"type": "bye"},
]
#: The files of every folder, by name.
FILES: dict[str, str] = {
    "mine.py": _MINE, "prog.py": _PROGRAM, "each.py": _EACH, "plain.py": _PLAIN,
    "shapes.py": _SHAPES, "uses.py": _USES, "batch.py": _BATCH,
    "urls.txt": "http://a/b\nhttp://a b/\n\nhttp://h:8x/\nftp://x/%zz\n//h:8x\n",
    "good.txt": "http://a/b\nx:y\n", "empty.txt": "",
    "urls.csv": 'n,url,more\n1,http://a/b,"x"\n2,http://a b/,y\n3,,z\n4,"",z\n', "two.csv": "a,b\nx:y,z\nx,y z\n",
    "prose.txt": 'See <URL:http://a/b> and "ftp://c/d", or http://e/-\nf and <http://g/\n h>, mail x@y.z.\n',
    "questions.jsonl": "".join(json.dumps(one) + "\n" for one in _QUESTIONS),
    "asks.txt": '{"type":"hello","protocol":[9]}\nwhat?\n{"type":"run","id":1}\n',
    "known.json": json.dumps(_KNOWN), "other.json": json.dumps({**_KNOWN, "implementation": "other"}),
    "counts.json": json.dumps({**_KNOWN, "answered": {"rfc1808": {"resolve": 999}}, "entries": []}),
    "broken.json": '{"schema": "urlbaseline-1",', "twice.json": '{"schema": "urlbaseline-1", "schema": 1}',
    "parts.json": json.dumps(["heading", {"input": "http://h/p", "base": None, **_PARTS}, {"input": "x y", "failure":
        True}, "more", {"input": "p", "base": "http://h/", **_PARTS}, {"input": ":", "base": "a:b", "failure": True}]),
    "format.json": json.dumps([{"description": d, "schema": {"format": d}, "tests": [
        {"description": "t", "data": "a b", "valid": False}, {"description": "u", "data": "x:y", "valid": True}]}
        for d in ("uri", "uri-reference", "email")]),
    "entry.json": json.dumps([{"input": "x"}]),
    "suite/pytest.ini": "[pytest]\nurlconform = reference\nurlconform_spec = rfc1808\nurlconform_section = 5.1\n",
    "suite/test_own.py": "def test_own():\n    pass\n",
    "hook/conftest.py": "import sys\nsys.path.append('..')\nimport plain\n\ndef pytest_urlconform_adapter(name):\n"
    "    return plain.plain if name == 'hooked' else None\n",
    "project/mine.py": _MINE, "project/deep/er/none.txt": "",
    "project/known.json": json.dumps(_KNOWN),
    "project/pyproject.toml": _TABLE + 'adapters = ["python:mine:first"]\nbaseline = "known.json"\n'
    'fail-on = ["compliance"]\ntimeout = 4\njobs = 1\nreport = { junit = "j.xml", markdown = "m.md" }\n',
    "many/pyproject.toml": _TABLE + 'adapters = ["urllib", "reference"]\nbaseline = { urllib = "u.json" }\nmaxfail = 3\n'
    'strict = true\ntier = ["core"]\nflag = ["security"]\npolicy = { permitted-set = "listed" }\nstart-timeout = 9\n'
    "total-timeout = 99\n",
    "bare/pyproject.toml": _TABLE + 'rule = ["URL"]\n',
    "wrong/pyproject.toml": "[tool.urlconform]\nadaptors = []\n",
    "number/pyproject.toml": '[tool.urlconform]\ntimeout = "x"\n',
    "away/pyproject.toml": '[tool.urlconform]\nvectors = "../parts.json"\nadapters = ["urllib"]\n',
}  # fmt: skip
