"""Each fault in the answers of an adapter is found by its check, and what a library may do is no fault."""

from __future__ import annotations

import sys

import pytest

from urlharness.adapters.registry import find
from urlharness.doctor.checks import CHECKS
from urlharness.doctor.examination import examine

_OLD_PARTS = "old = components\ndef components(url): return "
_OLD_ANSWER = "old = answer\ndef answer(q): return "
_RESOLVE_RAISES = (
    "old = answer\ndef answer(q):\n    if q['op'] == 'resolve' and {}: return 1 / 0\n    return old(q)"
)
_ENDS = "def reply(q):\n    write({'id': q['id'], **guarded(q)})\n    if WHEN: sys.exit(1)"


def parts(changed: str) -> str:
    """Change the value `v` of every component `n`."""
    return f"{_OLD_PARTS}{{n: {changed} for n, v in old(url).items()}}"


def changed_parts(fields: str) -> str:
    """Change some components."""
    return f"{_OLD_PARTS}{{**old(url), {fields}}}"


def renamed(names: str) -> str:
    """Rename components."""
    return f"{_OLD_PARTS}{{{{{names}}}.get(n, n): v for n, v in old(url).items()}}"


def kept_by(key: str) -> str:
    """Keep the first answer to each key of a question."""
    return f"kept = {{}}\n{_OLD_ANSWER}kept.setdefault({key}, old(q))"


#: What is planted, the check that finds it, its state, and words of its message.
FAULTS = [
    # operations
    pytest.param("def write(m): print(json.dumps(m), flush=m is HELLO)", "operations", "broken",
                 "it came when stdin was closed", id="buffered"),
    pytest.param("def reply(q): write({**guarded(q), 'id': q['id'] + 1})", "operations", "broken",
                 "a reply to 2, which is not in flight", id="wrong-id"),
    pytest.param("once = reply\ndef reply(q): once(q); once(q)", "operations", "broken",
                 "a reply to 1, which is not in flight", id="twice"),
    pytest.param("def answer(q): print('debug', q, flush=True)", "operations", "broken", "not a reply",
                 id="debug"),
    pytest.param("def answer(q): return {'status': 'reject'}", "operations", "broken",
                 "validate rejects http://example.com:8042/over/there?name=ferret: without a message",
                 id="reject-all"),
    pytest.param("def answer(q): return {'status': 'ok'}", "operations", "broken", "`ok` without",
                 id="bare-ok"),
    pytest.param("def answer(q): return 1 / 0", "operations", "broken",
                 "ZeroDivisionError('division by zero'); "
                 "so is every other operation", id="error-always"),
    pytest.param("old = answer\ndef answer(q): return old(q) if q['op'] != 'resolve' else 1 / 0",
                 "operations", "broken", "resolve of http", id="error-of-one"),
    pytest.param("HELLO['ops'] += ['normalize']", "operations", "warning", "it offers normalize",
                 id="over-claims"),
    pytest.param("def answer(q): return {'status': 'unsupported'}", "operations", "warning",
                 "it offers validate, parse, resolve", id="unsupported-all"),
    pytest.param("HELLO['specs'] += ['rfc3987']\nold = answer\ndef answer(q):\n"
                 "    return {'status': 'unsupported'} if q['spec'] == 'rfc3987' else old(q)",
                 "operations", "warning", "it claims RFC 3987, but answers `unsupported` to every plain",
                 id="claim-that-is-not-answered"),
    pytest.param(changed_parts("'port': 8042"), "operations", "broken", "components.port is 8042",
                 id="port-is-a-number"),
    # components
    pytest.param(changed_parts("'scheme': 'http:'"), "components", "broken",
                 "scheme is 'http:', not 'http'", id="delimiter"),
    pytest.param(changed_parts("'scheme': 'http:', 'fragment': '#nose'"), "components", "broken",
                 "scheme is 'http:', not 'http'; fragment is '#nose', not 'nose'", id="two-delimiters"),
    pytest.param(changed_parts("'port': '80', 'host': 'H'"), "components", "warning",
                 "host is 'H', not 'example.com'; port is '80', not '8042'", id="other-values"),
    pytest.param(renamed("'host': 'hostname', 'query': 'q'"), "components", "broken",
                 "unknown component 'q', 'hostname'; expected scheme, authority,", id="other-names"),
    pytest.param(changed_parts("**{f'x{n}': '' for n in range(7)}"), "components", "broken",
                 "'x3', 'x4', and 2 more", id="many-names"),
    pytest.param(parts("v and v * 100"), "components", "warning", "characters more), not 'http'",
                 id="long-values"),
    pytest.param(parts("'2001:db8::1' if n == 'host' and '[' in url else v"), "components", "warning",
                 "the host of http://[2001:db8::1]/ lacks its brackets", id="no-brackets"),
    pytest.param(f"{_OLD_ANSWER}old(q) if '@' not in str(q) else {{'status': 'reject', 'message': 'a user'}}",
                 "components", "warning", "parse refuses http://user@", id="no-user-in-http"),
    pytest.param(parts("urllib.parse.unquote(v) if v else v"), "components", "warning",
                 "decodes userinfo, path, query, fragment", id="decoded"),
    pytest.param("def components(url): return {}", "components", "warning", "can be judged",
                 id="no-components"),
    # absent or empty
    pytest.param(parts("v or ''"), "absent or empty", "broken",
                 "but the query of http://h/p is ''; the fragment of http://h/p is '', not null",
                 id="absent-is-empty"),
    pytest.param(parts("v or None"), "absent or empty", "warning", "query of http://h:/p?# is null",
                 id="empty-is-absent"),
    pytest.param("HELLO['features'] = []", "absent or empty", "warning", "does not claim absent-vs-empty",
                 id="under-claims"),
    *(pytest.param(parts(f"v or {word!r}"), "absent or empty", "broken", f"query of http://h/p is {word!r}",
                   id=word)
      for word in ("None", "null", "undefined", "nil", "-1")),
    pytest.param(parts("str(v)"), "absent or empty", "broken", "and 11 more; an absent component is null",
                 id="all-are-words"),
    pytest.param(parts("str(v) if n == 'port' else v"), "absent or empty", "broken",
                 "port of http://h/p is 'None'", id="port-is-a-word"),
    pytest.param(parts("'null' if v == '' and n != 'path' else v"), "absent or empty", "broken",
                 "of http://h:/p?# is 'null'", id="empty-is-a-word"),
    pytest.param(parts("'null' if v == '' and n == 'path' else v"), "absent or empty", "broken",
                 "path of http://h is 'null'", id="no-path-is-a-word"),
    pytest.param(parts("'None' if n == 'scheme' and not v else v"), "absent or empty", "broken",
                 "scheme of p is 'None'", id="no-scheme-is-a-word"),
    pytest.param(parts("v or '80' if n == 'port' else v"), "absent or empty", "warning",
                 "port of http://h/p is '80'", id="default-port"),
    # refusals
    pytest.param("def accepts(q): return {'status': 'ok'}", "refusals", "warning", "texts: 4 ok",
                 id="accept-all"),
    pytest.param("def accepts(q): return {'status': 'unsupported'}", "refusals", "warning",
                 "none of 4 invalid texts: 4 unsupported", id="unsupported-always"),
    pytest.param("def accepts(q): return {'status': 'error' if q['url'] != PLAIN else 'ok'}",
                 "refusals", "warning", "none of 4 invalid texts: 4 error", id="errors-for-refusals"),
    # both inputs
    pytest.param("old = resolved\ndef resolved(base, reference): return old(reference, base)",
                 "both inputs", "warning", "'http://x/y/z' resolved against http://a/b/c/d;p?q is",
                 id="swapped"),
    pytest.param(
        "old = resolved\ndef resolved(base, reference):\n"
        "    assert SPLIT.match(reference)[1], 'a base is absolute'\n    return old(reference, base)",
        "both inputs", "warning", "'g' resolved against http://x/y/z is {\"status\":\"error\"",
        id="swapped-and-refused",
    ),
    pytest.param("def resolved(base, reference): return reference", "both inputs", "warning",
                 "'g' resolved against http://a/b/c/d;p?q is", id="base-ignored"),
    pytest.param("old = resolved\ndef resolved(base, reference): return old(PLAIN, reference)",
                 "both inputs", "warning", 'over/g"}, not http://a/b/c/g', id="base-of-its-own"),
    pytest.param("def resolved(base, reference): return base", "both inputs", "warning", "not http://x/y/z",
                 id="reference-ignored"),
    pytest.param("def resolved(base, reference): return base + reference", "both inputs", "warning",
                 'd;p?qg"}, not http://a/b/c/g', id="appended"),
    pytest.param("HELLO['ops'] += ['equivalent']\nold = answer\n"
                 "equal = {'status': 'ok', 'equal': True}\n"
                 "def answer(q): return equal if q['op'] == 'equivalent' else old(q)",
                 "both inputs", "warning", "is equivalent to itself, and to http://x/y/z",
                 id="other-ignored"),
    # what is unknown
    pytest.param("def accepts(q): return {'status': 'ok'}", "unknown rule", "warning", "answered with `ok`",
                 id="any-rule"),
    pytest.param(_ENDS.replace("WHEN", "'such' in q.get('rule', '')"), "unknown rule", "broken",
                 "exit code 1", id="answers-a-rule-and-ends"),
    pytest.param("def answer(q): return {'status': 'ok', 'components': {}}", "unknown operation", "broken",
                 "answered with `ok`", id="any-operation"),
    pytest.param(_ENDS.replace("WHEN", "q['op'] not in HELLO['ops']"), "unknown operation", "broken",
                 "exit code 1", id="answers-and-ends"),
    pytest.param("def reply(q): write(typed(**q))\ndef typed(type, id, op, spec, url=None, **rule):\n"
                 "    assert set(rule) <= {'rule'}\n    return {'id': id, 'status': 'unsupported'}",
                 "unknown fields", "broken", "exit code 1; stderr: ", id="unknown-fields"),
    pytest.param(f"{_OLD_ANSWER}old(q) if 'unknown' not in q else {{'status': 'reject'}}",
                 "unknown fields", "broken", "unknown fields change the answer", id="fields-that-matter"),
    # odd texts
    pytest.param("def guarded(q):\n    assert q['url'] != '//'\n    return answer(q)",
                 "odd texts", "broken", "exit code 1; stderr: ", id="uncaught"),
    pytest.param(_RESOLVE_RAISES.format("q['reference'] == ''"), "odd texts", "warning",
                 "'' against 'http://a/b/c/d;p?q'", id="empty-reference"),
    pytest.param(_RESOLVE_RAISES.format("q['base'] == 'a/b'"), "odd texts", "warning", "'g' against 'a/b'",
                 id="relative-base"),
    pytest.param("old = answer\ndef answer(q):\n"
                 "    found = old(q) if q.get('url') != 'http://[::1' else None\n"
                 "    return found or {'status': 'ok', 'valid': False}",
                 "odd texts", "broken", "parse of 'http://[::1' answers `ok` without `components`",
                 id="valid-false"),
    pytest.param("n = []\ndef components(url): n.append(url); return {'path': '' if '%' in n else 'x'}",
                 "odd texts", "broken", "changes after odd texts, from {", id="spoiled"),
    pytest.param("def guarded(q):\n    q['url']\n    return answer(q)", "missing input", "warning",
                 "the harness never writes this", id="no-input"),
    # determinism
    pytest.param("n = []\ndef accepts(q): n.append(q); return {'status': 'ok' if len(n) % 2 else 'reject'}",
                 "same twice", "broken", "validate first answers", id="flaky"),
    pytest.param("def accepts(q): return {'status': 'ok', 'at': os.getpid()}", "same twice", "broken",
                 "validate first answers", id="by-process"),
    pytest.param(kept_by("(q['op'], q.get('url'))"), "any order", "broken", "`rule`",
                 id="kept-by-op-and-url"),
    pytest.param(kept_by("(q['op'], q.get('url'), q.get('rule'))"), "any order", "broken", "`reference`",
                 id="kept-without-reference"),
    pytest.param("kept = {}\nold = resolved\n"
                 "def resolved(base, reference): return kept.setdefault(reference, old(base, reference))",
                 "any order", "broken", "`base`", id="kept-without-base"),
    pytest.param("kept = {}\nold = answer\ndef answer(q):\n"
                 "    found = old(q) if q['spec'] != 'rfc1738' else {'status': 'unsupported'}\n"
                 "    key = tuple((n, v) for n, v in q.items() if n not in ('id', 'spec'))\n"
                 "    return kept.setdefault(key, found)",
                 "any order", "broken", "`spec`", id="kept-without-spec"),
    pytest.param(kept_by("(known(**q), q.get('rule') == 'URI')")
                 + "\ndef known(spec, url='', base='', reference='', **_): return spec, url, base, reference",
                 "any order", "broken", "`op`", id="kept-without-op"),
    # texts
    pytest.param("def encode(m):\n"
                 "    return json.dumps(m, ensure_ascii=False).encode().decode('latin-1').encode()",
                 "non-ASCII", "broken", "garbled", id="mojibake"),
    pytest.param("def encode(m): return json.dumps(m, ensure_ascii=False).encode('latin-1', 'replace')",
                 "non-ASCII", "broken", "not a reply", id="latin-1"),
    pytest.param(f"{_OLD_ANSWER}old({{n: asked(v) for n, v in q.items()}})\n"
                 "def asked(v): return v.encode('ascii', 'replace').decode() if isinstance(v, str) else v",
                 "non-ASCII", "broken", "arrived as `?`", id="question-marks"),
    pytest.param(f"{_OLD_PARTS}old(url.replace('\\u00e9', '?'))", "non-ASCII", "broken",
                 "without \u00e9, which arrived as `?`", id="question-mark-of-a-letter"),
    pytest.param(f"{_OLD_PARTS}old(url.encode('ascii', 'ignore').decode())", "non-ASCII", "warning",
                 "without \u00e9 and U+1F600", id="letters-lost"),
    pytest.param(f"{_OLD_PARTS}old(re.sub('[\\U00010000-\\U0010ffff]', '', url))", "non-ASCII", "warning",
                 "without U+1F600", id="astral-lost"),
    pytest.param(changed_parts("'path': old(url)['path'].encode().decode('latin-1')"), "non-ASCII", "warning",
                 "garbled, by the library, because http://example.com/#caf", id="garbled-path"),
    pytest.param("HELLO['ops'] = ['validate']\nold = accepts\n"
                 "def accepts(q): return old({**q, 'url': q['url'].encode('ascii', 'replace').decode()})",
                 "non-ASCII", "warning", "may have arrived as `?`", id="validated-with-question-marks"),
    pytest.param("old = resolved\ndef resolved(base, reference):\n"
                 "    return old(base, reference.encode('ascii', 'replace').decode())",
                 "non-ASCII", "broken", "which arrived as `?`", id="resolved-with-question-marks"),
    pytest.param(f"{_OLD_PARTS}old(url.split('\\0')[0])", "NUL", "warning", "parse cuts the text at NUL",
                 id="nul"),
    pytest.param(f"{_OLD_PARTS}old(url.replace('\\0', ''))", "NUL", "warning", "parse drops the NUL",
                 id="nul-dropped"),
    pytest.param("old = resolved\ndef resolved(base, reference): return old(base, reference.split('\\0')[0])",
                 "NUL", "warning", "resolve cuts the text at NUL", id="nul-of-a-reference"),
    pytest.param("def guarded(q):\n    assert not isinstance(q['url'], dict)\n    return answer(q)",
                 "octets", "broken", "exit code 1; stderr: ", id="octets"),
    pytest.param(_RESOLVE_RAISES.format("isinstance(q['base'], dict)"), "octets", "warning",
                 "bytes in `base` of resolve are answered with `error`", id="octets-in-base"),
    pytest.param(_RESOLVE_RAISES.format("isinstance(q['reference'], dict)"), "octets", "warning",
                 "bytes in `reference` of resolve are answered with `error`", id="octets-in-reference"),
    pytest.param("def lines(): return iter(lambda: sys.stdin.buffer.readline(65536), b'')",
                 "long line", "broken", "exit code 1; stderr: ", id="short-lines"),
    pytest.param(f"{_OLD_PARTS}old(url[:1000])", "long line", "broken", "parse returns 991", id="cut"),
    pytest.param("old = resolved\ndef resolved(base, reference): return old(base, reference[:65535])",
                 "long line", "broken", "resolve returns 65,526", id="resolved-cut"),
    pytest.param("HELLO['ops'] = ['validate']\nold = accepts\n"
                 "def accepts(q): return old({**q, 'url': q['url'][:1000]})",
                 "long line", "broken", "long text is cut", id="validated-cut"),
    pytest.param("old = components\n"
                 "def components(url):\n"
                 "    if len(url) > 65536: hang()\n"
                 "    return time.sleep((len(url) / 7000) ** 2 / 2) or old(url)",
                 "long line", "warning", "the time of the library is about quadratic", id="quadratic"),
    pytest.param("HELLO['ops'] = ['base']\n"
                 "def answer(q):\n"
                 "    if len(q['retrieval']) > 65536: hang()\n"
                 "    time.sleep((len(q['retrieval']) / 7000) ** 2 / 2)\n"
                 "    return {'status': 'ok', 'base': q['retrieval']}",
                 "long line", "warning", "the time of the library is about quadratic", id="quadratic-base"),
    pytest.param("HELLO['ops'] = ['recompose']\n"
                 "def answer(q):\n"
                 "    hanged = __file__ + '.hanged'\n"
                 "    if not os.path.exists(hanged):\n"
                 "        open(hanged, 'w').close()\n"
                 "        hang()\n"
                 "    return {'status': 'ok', 'url': 'http://h/p'}",
                 "long line", "warning", "a retry was answered in time", id="hangs-once-without-a-text"),
    pytest.param("old = components\n"
                 "def components(url): return hang() if len(url) > 65536 else old(url)",
                 "long line", "broken", "no answer within", id="hangs-on-a-long-line"),
    # stderr
    pytest.param("sys.stderr.write('x' * 100000 + chr(27))", "stderr", "warning", "65,536 bytes", id="noise"),
]  # fmt: skip


#: A message of more characters takes more than half of a terminal of 80 columns and 24 lines.
LONGEST_MESSAGE = 1000

#: The patience with an answer that comes only when the doctor waits no longer.
_HASTE = {"buffered": {"answer": 0.1}}


@pytest.mark.parametrize(("special", "name", "state", "words"), FAULTS)
@pytest.mark.sampled(2)
def test_a_planted_fault_is_found_by_its_check(check, request, special, name, state, words):
    patience = _HASTE.get(request.node.callspec.id, {})
    check_result = check(special, name, **patience)
    assert check_result.state == state, check_result.message
    assert words in check_result.message, check_result.message
    assert len(check_result.message) < LONGEST_MESSAGE
    assert check_result.protocol.startswith("docs/protocol.md, “")
    assert check_result.exchange


CHECKS_OF_LINES = ("split lines", "several at once", "CRLF", "empty lines", "raw UTF-8")


def test_every_check_of_answers_finds_a_fault():
    """Those of lines, ids and the end are tested in test_framing.py."""
    framing = {"hello", "ids", "bye", "end of input", "speed", *CHECKS_OF_LINES}
    answers = {check.name for check in CHECKS} - framing
    names = set()
    for fault in FAULTS:
        _special, name, _state, _words = fault.values
        names.add(name)
    assert names == answers


#: What libraries do to texts, which is no fault of the adapter.
LIBRARIES = [
    pytest.param("def components(url): return {'scheme': SPLIT.match(url)[2], 'port': None}",
                 id="few-components"),
    pytest.param(changed_parts("'path': urllib.parse.quote(old(url)['path'])"), id="percent-encoded"),
    pytest.param("from unicodedata import normalize\n"
                 + changed_parts("'path': normalize('NFD', old(url)['path'])"), id="decomposed"),
    pytest.param("old = components\ndef components(url):\n    found = old(url)\n"
                 "    if not url.isascii(): found['path'] = {'hex': found['path'].encode().hex()}\n"
                 "    return found", id="bytes"),
    pytest.param("old = answer\ndef answer(q):\n    text = str(q.get('url', q.get('reference')))\n"
                 "    return old(q) if text.isascii() and len(text) < 500 else {'status': 'reject'}",
                 id="refused"),
    pytest.param("def accepts(q): return {'status': 'ok'}", id="lenient"),
    pytest.param(f"{_OLD_PARTS}old(url.lower().strip())", id="lower-case-and-stripped"),
    pytest.param(changed_parts("'path': old(url)['path'] or '/'"), id="path-of-nothing"),
]  # fmt: skip


@pytest.mark.parametrize("special", LIBRARIES)
@pytest.mark.sampled(2)
def test_permitted_behaviour_of_a_library_is_no_fault(good_adapter, patient, special):
    names = ("non-ASCII", "long line", "both inputs", "any order", "absent or empty", "NUL")
    report = examine(good_adapter(special), patient, only=names)
    states = {check_result.name: check_result.state for check_result in report.checks}
    assert states == dict.fromkeys(["hello", *names], "ok")


def test_swapped_inputs_are_reported_once(good_adapter, patient):
    """The base in place of a long reference is not a text that was cut, nor one that lost its letters."""
    swapped = good_adapter("old = resolved\ndef resolved(base, reference): return old(reference, base)")
    report = examine(swapped, patient, only=("non-ASCII", "long line", "both inputs"))
    faults = [check_result.name for check_result in report.checks if check_result.state != "ok"]
    assert faults == ["both inputs"]


#: A program for each case that raises an exception, the checks that run, and those that show it.
UNCAUGHT = [
    pytest.param(
        "if '[' in q['url']: raise KeyError('bug')",
        ["components", "stderr"],
        ["components", "stderr"],
        id="some",
    ),
    pytest.param("raise KeyError('bug')", ["operations", "stderr"], ["operations"], id="all"),
]


PROGRAM_FOR_A_CASE = """
import json, sys
q = json.load(sys.stdin)
if q['op'] != 'parse':
    sys.exit(3)
SPECIAL
print(json.dumps({'components': {'path': '/'}}))
"""


@pytest.fixture
def examine_program(tmp_path, patient):
    """Return a function that runs some checks on a program for each case, and returns their results."""

    def run_checks(special, checks):
        program = tmp_path / "program.py"
        program.write_text(PROGRAM_FOR_A_CASE.replace("SPECIAL", special), "utf-8")
        adapter = find(f"exec:{sys.executable} -I -S {program}")
        return examine(adapter, patient, only=checks).checks

    return run_checks


@pytest.mark.parametrize(("special", "checks", "names"), UNCAUGHT)
def test_exit_code_1_with_a_stack_trace_is_shown(examine_program, special, checks, names):
    check_results = examine_program(special, checks)
    showing = [
        check_result.name for check_result in check_results if "KeyError: 'bug'" in check_result.message
    ]
    assert showing == names


@pytest.mark.parametrize("name", [check.name for check in CHECKS if check.scope != "any"])
def test_a_check_of_another_scope_is_left_out_for_a_program_per_case(examine_program, name):
    check_results = examine_program("pass", [name, "operations"])
    assert [check_result.name for check_result in check_results] == ["operations"]


def test_exit_code_1_with_a_stack_trace_breaks_the_rule_of_exit_codes(examine_program):
    (check_result,) = examine_program("if '[' in q['url']: raise KeyError('bug')", ["components"])
    assert check_result.state == "broken"
    assert "3 is unsupported" in check_result.protocol


@pytest.fixture
def checks_of_a_rejection(examine_program):
    """The results of two checks on a program that rejects addresses in brackets, with a message on stderr."""
    return examine_program("if '[' in q['url']: sys.exit('no host')", ["components", "stderr"])


def test_exit_code_1_with_a_message_is_a_rejection(checks_of_a_rejection):
    """The warning is about the path, which the program gets wrong in other URLs."""
    states = {check_result.name: check_result.state for check_result in checks_of_a_rejection}
    assert states == {"components": "warning", "stderr": "ok"}


def test_a_rejection_with_a_message_has_no_stack_trace(checks_of_a_rejection):
    assert [
        check_result for check_result in checks_of_a_rejection if "stack trace" in check_result.message
    ] == []
