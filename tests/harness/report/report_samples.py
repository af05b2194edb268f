"""Made-up results for tests of reports: invented outcomes, hostile texts, many implementations, bypasses."""

import random
from collections import Counter

import msgspec

from urlharness.compare.bypass import Bypass, Remedy
from urlharness.corpus.model import Case, Expected, Hex, Requirement, Vector, case_kind
from urlharness.corpus.specifications import DEFAULT_SPECS, url_specs
from urlharness.panel.panel import AdapterAnswers
from urlharness.protocol.messages import Implementation
from urlharness.results.model import (
    AskedVector,
    Example,
    Header,
    Participant,
    Result,
    Results,
    ResultsWriter,
    Tally,
    read_results,
)
from urlharness.results.verdict import Outcome

HEADER = {
    "schema": "urlresults-1",
    "urlconform": "0.1.0",
    "argv": ("run", "--report", "html=report.html"),
    "started": "2025-11-20T13:00:00+00:00",
    "platform": "Linux-6.1-x86_64",
    "python": "3.13.1",
}

PARTICIPANTS = (
    Participant(
        "reference",
        "ran",
        Implementation("urlconform oracle", "0.1.0", "python", "CPython 3.13.1"),
        specs=("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"),
        features=("absent-vs-empty",),
    ),
    Participant(
        "urllib",
        "ran",
        Implementation("urllib.parse", "3.13.1", "python", "CPython 3.13.1"),
        specs=("rfc1808", "rfc3986"),
        features=("validate-by-parse",),
    ),
    Participant(
        "node-url",
        "ran",
        Implementation("WHATWG URL", "18.19.0", "javascript", "Node.js 18.19.0"),
        features=("validate-by-parse",),
    ),
    Participant(
        "java-net-uri",
        "ran",
        Implementation("java.net.URI", "17.0.13", "java", "OpenJDK 17.0.13"),
        specs=("rfc2396", "rfc2732"),
        features=("absent-vs-empty", "validate-by-parse"),
    ),
    Participant("ada", "not installed", message="the module ada_url is not installed"),
    Participant(
        "jsonl:./my adapter",
        "dead",
        message="no hello within 30 s\nTraceback (most recent call last):\n  boom",
    ),
)

HOSTILE = (
    "</script><script>globalThis.pwned=1</script>",
    "<img src=x onerror=globalThis.pwned=1>",
    "\x1b[31mred\x1b]0;title\x07",
    "a\u2028b\u2029c",
    "\\",
    "\\u0022\\",
    "'\"`${globalThis.pwned=1}",
    "<!--<script>",
    "]]>",
    "\u202egnp.exe\u200b\ufeff",
    "nul\x00del\x7f",
    "{{ 7*7 }}{% raw %}",
    "&lt;script&gt;",
    "javascript:globalThis.pwned=1",
    "  two  blanks ",
    "e\u0301 \u0301 \U0001f600 \ue000",
    "x" * 20_000,
)


def write(path, cases, participants=PARTICIPANTS, answer=None, *, complete=True, interrupted=False, **header):
    """Write and read a results file; `answer` returns a result or None for a case and a participant."""
    answer = answer or Outcomes(7).answer
    stream = path.open("wb")
    writer = ResultsWriter(stream, Header(**{"corpus": "0123456789ab", **HEADER, **header}))
    for asked_vector in cases:
        writer.write(asked_vector)
    for participant in participants:
        writer.write(participant)
        for asked_vector in cases:
            library_answer = answer(asked_vector.case, participant)
            if library_answer is not None:
                writer.write(library_answer)
    if complete:
        writer.close(interrupted=interrupted)
    else:
        writer.flush()
        stream.close()
    return read_results(path)


def asked_of(corpus, count=None):
    """Return the cases that every adapter is asked as lines of a results file.

    If `count` is larger, cases repeat under new ids.
    """
    lines = []
    cases = [case for case in corpus.cases if case.spec in DEFAULT_SPECS]
    for number in range(count or len(cases)):
        case = cases[number % len(cases)]
        round_ = number // len(cases)
        requirement = corpus.requirements[case.vector.requirement]
        title = corpus.titles[case.spec, case.section]
        lines.append(AskedVector(_renamed(case, round_), requirement, title))
    return lines


def _renamed(case, round_):
    """Return the case, with another id and another URL if it is not of the first round."""
    if not round_:
        return case
    vector = msgspec.structs.replace(case.vector, id=f"{case.vector.id}-again-{round_}")
    if isinstance(vector.url, str):
        vector = msgspec.structs.replace(vector, url=f"{vector.url}{round_}")
    return msgspec.structs.replace(case, vector=vector)


class Outcomes:
    """Invented outcomes, reproducible by seed: the reference is right, the others sometimes fail."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def answer(self, case, participant):
        if participant.state != "ran":
            return None
        vector = case.vector
        dice = self.random.random()
        if participant.name == "reference":
            return Result(vector.id, participant.name, "pass", got=self.right(vector))
        if participant.specs and case.spec not in participant.specs and case.section.startswith("3"):
            return Result(
                vector.id,
                participant.name,
                "unsupported",
                got={"id": 1, "status": "unsupported"},
                detail="no such rule",
            )
        if dice < 0.76:
            return Result(vector.id, participant.name, "pass", got=self.right(vector))
        if dice < 0.80:
            return Result(vector.id, participant.name, "variant", "literal", got=self.right(vector))
        got = self.right(vector)
        if dice < 0.83 and "components" in got:
            got["components"].popitem()
            return Result(vector.id, participant.name, "partial", detail="not exposed: fragment", got=got)
        if dice > 0.985:
            outcome = self.random.choice(("error", "timeout", "crash", "garbage", "no-answer", "aborted"))
            stderr = (
                'Traceback (most recent call last):\n  File "adapter.py", line 12\n\x1b[31mIndexError\x1b[0m'
            )
            return Result(vector.id, participant.name, outcome, detail=f"{outcome}: signal 11", stderr=stderr)
        return self.wrong(vector, participant.name)

    def right(self, vector):
        expected = vector.expect.alternatives[0]
        if expected.valid is False:
            return {
                "id": self.random.randrange(10**6),
                "status": "reject",
                "at": expected.at or 0,
                "message": "no",
            }
        got = {"id": self.random.randrange(10**6), "status": "ok"}
        if isinstance(expected.components, dict):
            got["components"] = dict(expected.components)
        elif isinstance(expected.result, str):
            got["url"] = expected.result
        elif expected.kind in ("urls", "equal", "decoded", "base"):
            got[expected.kind] = msgspec.to_builtins(getattr(expected, expected.kind))
        return got

    def wrong(self, vector, name):
        got = self.right(vector)
        if got["status"] == "reject":
            got = {"id": 1, "status": "ok"}
            return Result(vector.id, name, "fail", detail="accepted, although it is not valid", got=got)
        if "components" in got:
            for key in list(got["components"])[2:4]:
                got["components"][key] = None if got["components"][key] == "" else ""
            return Result(vector.id, name, "fail", detail="host is empty, not absent", got=got)
        if "url" in got:
            got["url"] = got["url"].replace("/b", "/../b") + "?"
            return Result(vector.id, name, "fail", detail=f"got {got['url']!r}", got=got)
        return Result(
            vector.id,
            name,
            "fail",
            detail="rejected: bad character",
            got={"id": 1, "status": "reject", "at": 3, "message": "bad character"},
        )


def hostile_cases():
    """Return vectors in which every text is hostile."""
    lines = []
    for number, text in enumerate(HOSTILE):
        short = text[:300]
        requirement = Requirement(f"req-{short}", "3.1", 2, "0" * 12, "must", f"States {text}", ruling=short)
        for op, fields in _hostile_questions(text, short).items():
            vector = Vector(
                id=f"../{number}-{op}-{short}",
                requirement=requirement.id,
                level="must",
                op=op,
                binding="permitted-set",
                class_=short,
                ruling=short,
                comment=short,
                **fields,
            )
            lines.append(AskedVector(Case("rfc3986", "3.1", vector, "x.json"), requirement, short))
    octets = Vector(
        id="octets",
        requirement="r",
        level="must",
        op="validate",
        binding="required",
        url=Hex("ff00"),
        rule="URI",
        expect=Expected(valid=False, at=0),
    )
    lines.append(AskedVector(Case("rfc3986", "4", octets, "x.json"), lines[0].requirement, "Octets"))
    return lines


def _hostile_questions(text, short):
    """Return the fields of a vector of each operation, made from a text and its beginning."""
    return {
        "validate": {"url": text, "rule": short, "expect": Expected(valid=False, at=1, rules=(short,))},
        "parse": {
            "url": text,
            "expect": Expected(components={"scheme": None, "host": text, "path": "", short: "x"}),
        },
        "resolve": {
            "base": text,
            "reference": "",
            "expect": Expected(any=(Expected(result=text), Expected(result="b", variant=short))),
        },
        "extract": {"text": f"{text}\n", "expect": Expected(urls=((text, short),))},
        "equivalent": {"url": text, "other": short, "expect": Expected(equal=True)},
        "decode": {"url": text, "expect": Expected(decoded={short: [text], "x": [(text, short)]})},
        "base": {"embedded": text, "default": short, "expect": Expected(base=text)},
    }


def hostile_participants():
    """Return three implementations of which every text is hostile."""
    return tuple(
        Participant(
            f"{text[:60]}{n}",
            "ran",
            Implementation(text[:90] or "x", text[:90], text[:90], text[:90]),
            message=text[:90],
        )
        for n, text in enumerate(HOSTILE[:3])
    )


def hostile_answer(case, participant):
    """Return a wrong answer of which every text is hostile, and no field has the right type."""
    text = HOSTILE[len(case.vector.id) % len(HOSTILE)]
    got = {
        "id": text,
        "status": "ok",
        "message": text,
        "url": text,
        "extra": {"__proto__": text, "a": [1, None, text]},
    }
    if case.vector.op == "parse":
        got["components"] = {"scheme": text, "host": {"deep": [text]}, "__proto__": "p", text[:50]: None}
    if case.vector.op == "resolve":
        got = {"status": text, "components": {text[:50]: text}, "at": text}
    if case.vector.op in ("extract", "equivalent", "decode", "base"):
        del got["url"]
        got |= {
            "urls": [[text], [text, text], []],
            "equal": text,
            "decoded": {text[:50]: [{"deep": text}]},
            "base": [text],
        }
        for name in ("urls", "equal", "decoded", "base")[: len(text) % 4]:
            del got[name]
    return Result(case.vector.id, participant.name, "fail", variant="", detail=text, got=got, stderr=text)


FAMILIES = ("rfc", "browser", "legacy", "regex", "split")
WORDS = (
    *("fast", "tiny", "safe", "old", "async", "strict", "plain", "next", "lib"),
    *("mini", "pure", "deep", "lazy"),
)


def many_participants(count):
    """Return the reference, and implementations named after families: `browser-tiny`, `rfc-fast`, …"""
    names = [f"{family}-{word}" for word in WORDS for family in FAMILIES]
    participants = [
        Participant("reference", "ran", Implementation("oracle", "1"), features=("absent-vs-empty",))
    ]
    for number, name in enumerate(names[: count - 1]):
        specs = (("rfc3986",), ("rfc2396", "rfc2732"), ())[number % 3]
        participants.append(Participant(name, "ran", Implementation(name, f"1.{number}", "c"), specs=specs))
    return tuple(participants)


def many_results(corpus, cases, implementations, seed=7):
    """Return a complete run of many cases and implementations, reproducible by seed."""
    asked_vectors = asked_of(corpus, cases)
    participants = many_participants(implementations)
    dice = random.Random(seed)
    invented = Outcomes(seed)
    results = {participant.name: {} for participant in participants}
    for line in asked_vectors:
        vector = line.case.vector
        right = {**invented.right(vector), "id": 1}
        wrong = {family: _answer(dice, invented, vector, right) for family in FAMILIES}
        for participant in participants:
            name = participant.name
            answer = wrong.get(name.partition("-")[0])
            if answer is None or dice.random() < 0.03:  # a library that differs from its family
                answer = {"outcome": Outcome.PASS, "got": right}
            results[name][vector.id] = Result(vector.id, name, **answer)
    header = Header(corpus="0123456789ab", **HEADER)
    kinds = {line.case.vector.id: case_kind(line.case) for line in asked_vectors}
    return Results(
        header,
        {line.case.vector.id: line for line in asked_vectors},
        participants,
        results,
        complete=True,
        asked=Counter(kinds.values()),
        counted={
            name: Counter((kinds[case_id], record.outcome) for case_id, record in library_results.items())
            for name, library_results in results.items()
        },
        titles=corpus.titles,
    )


def _answer(dice, invented, vector, right):
    """Return the fields of the result of a family, or None if it is right, as most are."""
    throw = dice.random()
    if throw < 0.7:
        return None
    if throw < 0.8:
        unsupported = {"status": "unsupported"}
        return {"outcome": Outcome.UNSUPPORTED, "detail": "no such rule", "got": unsupported}
    if throw > 0.995:
        return {"outcome": Outcome.CRASH, "detail": "signal 11", "stderr": "Segmentation fault"}
    if throw > 0.97:
        return {"outcome": Outcome.VARIANT, "variant": "other", "got": right}
    answer = invented.wrong(vector, "one")
    return {"outcome": Outcome.FAIL, "detail": answer.detail, "got": answer.got}


#: The number of failing generated cases of `generated_results`: one for each hostile text.
GENERATED = len(HOSTILE)


def generated_results(path, cases):
    """Return a run of two implementations with a generated part in which hostile texts fail."""
    participants = PARTICIPANTS[:2]
    stored = write(path, cases, participants)
    statement = Requirement(
        "rfc3986-3-URI", "3", 0, "", "grammar", "The rule URI derives the text or does not."
    )
    examples = []
    for number, text in enumerate(HOSTILE):
        vector = Vector(
            id=f"complete-rfc3986-URI-{number:06}",
            requirement=statement.id,
            level="grammar",
            op="validate",
            binding="required",
            rule="URI",
            url=text,
            expect=Expected(valid=False, at=0),
        )
        asked_vector = AskedVector(
            Case("rfc3986", "3", vector, "complete-rfc3986-URI"), statement, "complete-rfc3986-URI"
        )
        examples.append(
            Example(
                asked_vector,
                Result(vector.id, "urllib", Outcome.FAIL, detail=text[:300], got={"status": "ok"}),
            )
        )
    counts = {"reference": {Outcome.PASS: 900}, "urllib": {Outcome.PASS: 700, Outcome.FAIL: 200}}
    tallies = tuple(
        Tally(name, "complete-rfc3986-URI", "complete", "rfc3986", count, count, {}, "URI", "ab" * 32)
        for name, count in counts.items()
    )
    return msgspec.structs.replace(stored, tallies=tallies, examples=tuple(examples))


#: The statements of `survey`: RFC, section, title, name, and the fields of its vectors.
SURVEYED = (
    ("rfc3986", "3.2.2", "Host", "invalid", (
        {"rule": "URI", "url": "http://a@b@c/", "expect": {"valid": False, "at": 10}, "flags": ("security",)},
        {"rule": "URI", "url": "http://a b/", "expect": {"valid": False, "at": 8}},
        *({"rule": "URI", "url": f"http://[{n}/", "expect": {"valid": False, "at": 8}, "origin": "mutant"}
          for n in range(6)),
    )),
    ("rfc3986", "3.2.2", "Host", "valid", ({"rule": "URI", "url": "http://h/", "expect": {"valid": True}},)),
    ("rfc3986", "3.2.2", "Host", "empty", (
        {"op": "parse", "url": "http://h:80/?q",
         "expect": {"components": {"scheme": "http", "userinfo": None, "host": "h", "port": "80", "path": "/",
                                   "query": "q"}}},
        {"op": "parse", "url": "http://u@h/",
         "expect": {"components": {"scheme": "http", "userinfo": "u", "host": "h", "port": None, "path": "/",
                                   "query": None}}},
    )),
    ("rfc3986", "5.2.4", "Remove Dot Segments", "dots", (
        {"op": "resolve", "base": "http://a/b/c", "reference": "../../../g", "expect": {"result": "http://a/g"}},
        {"op": "resolve", "base": "http://a/b/c", "reference": "./g", "expect": {"result": "http://a/b/g"}},
    )),
    ("rfc3986", "5.2.4", "Remove Dot Segments", "open", (
        {"op": "resolve", "base": "http://a", "reference": "", "binding": "unspecified",
         "expect": {"any": [{"result": "http://a"}, {"result": "http://a/"}]}},
    )),
    ("rfc3986", "references", "References", "cited", (
        {"rule": "URI", "url": "see:x", "expect": {"valid": True}},
    )),
    ("rfc2396", "3", "URI Syntactic Components", "scheme", (
        {"rule": "URI-reference", "url": "1a:b", "expect": {"valid": False, "at": 2}},
        {"rule": "URI-reference", "url": "a:b", "expect": {"valid": True}},
    )),
    ("rfc1738", "3.1", "Common Internet Scheme Syntax", "host", (
        {"rule": "httpurl", "url": "http://\u4f8b\u3048/", "expect": {"valid": False, "at": 7}},
    )),
)  # fmt: skip


def survey(path, names=("urllib", "node-url", "java-net-uri"), **options):
    """Return a small run that is always the same; every implementation but the reference is wrong."""
    asked_vectors = []
    for spec, section, title, name, vectors in SURVEYED:
        statement = Requirement(f"{spec}-{section}-{name}", section, 1, "0" * 12, "must", "It is so.")
        for number, fields in enumerate(vectors):
            vector_fields = {"op": "validate", "level": "must", "binding": "required", **fields}
            identifier = f"{statement.id}-{number}"
            vector = msgspec.convert({"id": identifier, "requirement": statement.id, **vector_fields}, Vector)
            asked_vectors.append(
                AskedVector(Case(spec, section, vector, "x.json", vector.flags), statement, title)
            )
    participants_by_name = {participant.name: participant for participant in PARTICIPANTS}
    ran = []
    for name in names:
        participant = participants_by_name.get(name) or Participant(name, "ran", Implementation(name, "1.0"))
        ran.append(msgspec.structs.replace(participant, features=("absent-vs-empty",)))
    return write(path, asked_vectors, (PARTICIPANTS[0], *ran), _surveyed, **options)


def _surveyed(case, participant):
    """Return the result of a case in `survey`; only the reference is right everywhere."""
    vector = case.vector
    name = participant.name
    right = Outcomes(1).right(case.vector)
    right.pop("id", None)
    wrong = {"status": "ok"} if right["status"] == "reject" else {"status": "reject"}
    outcome = "pass"
    detail = ""
    got = right
    if vector.binding == "unspecified":
        outcome = "variant"
    elif name == "urllib" and right["status"] == "reject":
        outcome = "fail"
        detail = "accepted, although it is not valid"
        got = wrong
    elif name == "urllib" and vector.op == "resolve":
        outcome = "unsupported"
        detail = ""
        got = {"status": "unsupported"}
    elif name == "node-url" and vector.op == "resolve":
        got = {"status": "ok", "url": f"{vector.base}/{vector.reference}"}
        outcome = "fail"
        detail = f"got {got['url']!r}"
    elif name == "node-url" and vector.op == "parse":
        del got["components"]["query"]
        outcome = "partial"
        detail = "not exposed: query"
    elif (
        name not in ("reference", "urllib", "node-url")
        and "]" not in str(vector.url)
        and "b" in str(vector.url)
    ):
        outcome = "crash"
        detail = "signal 11"
        got = {}
    return Result(vector.id, name, outcome, detail=detail, got=got)


def sample_bypass(*classes, check="check", remaining=(0, 0, 0, 0, 0)):
    """Return bypasses of these classes, and how many remain if the rules of each RFC are checked, too."""
    remedies = tuple(Remedy(spec, number) for spec, number in zip(url_specs(), remaining, strict=True))
    return Bypass(AdapterAnswers(check, []), AdapterAnswers("fetch", []), 10, 5, 1, 2, classes, remedies)
