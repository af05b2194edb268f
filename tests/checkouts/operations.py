"""Every public operation of Python on every RFC, in the interpreter of one checkout.

usage: PYTHON operations.py

It prints a line of JSON for each call: the call, and its answer or its error. It imports only names that
docs/api.md documents.
"""

import copy
import json
import pickle
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from hypothesis import given, settings
from hypothesis.strategies import SearchStrategy

import urloracle
from urlharness import assert_conforms, functions, run, strategies, stream
from urlharness.corpus import load

SPECS = ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986")
PROFILES = ("scheme-specific", "generic", "prose")

#: The arguments of the calls. Texts of parts of a URL are for the rules of these parts.
INPUTS = json.loads(Path(__file__).with_name("inputs.json").read_text("utf-8"))
TEXTS = (
    *INPUTS["texts"],
    "a" * 300 + "://" + "b" * 300,
    "http://a/" + "../" * 50 + "b",
    "http://" + "a." * 200,
)
BASES = INPUTS["bases"]
REFERENCES = INPUTS["references"]
COMPONENTS = INPUTS["components"]


def plain(answer: Any) -> Any:
    """Return an answer as JSON: the fields of tuples and data classes under their names."""
    if isinstance(answer, bytes):
        return {"bytes": answer.hex()}
    if isinstance(answer, str | int | float | None):
        return answer
    if isinstance(answer, urloracle.InvalidURL):
        return error_fields(answer)
    if isinstance(answer, dict):
        return {str(name): plain(part) for name, part in answer.items()}
    if isinstance(answer, frozenset | set):
        return sorted(plain(part) for part in answer)
    names = getattr(answer, "_fields", None)
    if names is None and is_dataclass(answer):
        names = [field.name for field in fields(answer)]
    if names is not None:
        if hasattr(answer, "what"):  # a step of a resolution, in words
            names = [*dict.fromkeys([*names, "what", "value"])]
        return {name: plain(getattr(answer, name)) for name in names}
    if isinstance(answer, list | tuple):
        return [plain(part) for part in answer]
    return repr(answer)


def error_fields(error: Exception) -> dict[str, Any]:
    """Return an error as JSON: its type, its message and, if a text is invalid, everything known about it."""
    answer: dict[str, Any] = {"error": type(error).__name__, "message": str(error)}
    if isinstance(error, urloracle.InvalidURL):
        for name in (
            "text",
            "spec",
            "rule",
            "position",
            "rules",
            "section",
            "reason",
            "problem",
            "fault",
            "args",
        ):
            answer[name] = plain(getattr(error, name))
        answer["expected"] = sorted(error.expected)
        answer["caret"] = error.caret()
        answer["asdict"] = plain(error.asdict())
        answer["equal to its copies"] = [
            str(copied) == str(error) for copied in (copy.copy(error), pickle.loads(pickle.dumps(error)))
        ]
    return answer


Call = tuple[str, Callable[[], Any]]


def oracle_calls() -> Iterator[Call]:
    """Return each call of `urloracle` with its name."""
    yield from text_calls()
    yield from rule_calls()
    for spec in SPECS:
        for base, reference in product(BASES, REFERENCES):
            yield (
                f"resolve {spec} {base!r} {reference!r}",
                lambda base=base, reference=reference, spec=spec: urloracle.resolve(base, reference, spec),
            )
        for mode, (left, right) in product(("syntax", "scheme"), INPUTS["pairs"]):
            yield (
                f"equivalent {spec} {mode} {left!r} {right!r}",
                lambda left=left, right=right, spec=spec, mode=mode: urloracle.equivalent(
                    left, right, spec, mode
                ),
            )
        for components in COMPONENTS:
            yield (
                f"recompose {spec} {components}",
                lambda components=components, spec=spec: urloracle.recompose(components, spec),
            )
        for text in INPUTS["prose"]:
            yield f"extract {spec} {text!r}", lambda text=text, spec=spec: urloracle.extract(text, spec)
        for layers in INPUTS["layers"]:
            yield (
                f"base_url {spec} {layers}",
                lambda layers=layers, spec=spec: urloracle.base_url(spec, **layers),
            )
        for base in BASES:
            yield (
                f"explain {spec} '../g' base={base!r}",
                lambda base=base, spec=spec: urloracle.explain("../g", spec, base=base),
            )
        yield f"specification {spec}", lambda spec=spec: urloracle.specification(spec).title
    for header in INPUTS["headers"]:
        yield f"base_header {header!r}", lambda header=header: urloracle.base_header(header)
    yield "specification rfc9", lambda: urloracle.specification("rfc9")
    yield "parse rfc3986 without such a rule", lambda: urloracle.parse("a", "rfc3986", "nothing")


def text_calls() -> Iterator[Call]:
    """Return the calls whose argument is one text, for each RFC."""
    for spec, text in product(SPECS, TEXTS):
        arguments = f"{spec} {text!r}"
        yield f"parse {arguments}", lambda text=text, spec=spec: urloracle.parse(text, spec)
        yield f"view {arguments}", lambda text=text, spec=spec: urloracle.view(text, spec).astuple()
        yield f"explain {arguments}", lambda text=text, spec=spec: urloracle.explain(text, spec)
        yield f"normalize {arguments}", lambda text=text, spec=spec: urloracle.normalize(text, spec)
        for mode in ("syntax", "scheme"):
            yield (
                f"normal_forms {arguments} {mode}",
                lambda text=text, spec=spec, mode=mode: urloracle.normal_forms(text, spec, mode),
            )
    for text in TEXTS:
        yield f"decode {text!r}", lambda text=text: urloracle.decode(text)
        for spec, profile in product(("rfc1738", "rfc3986"), PROFILES):
            yield (
                f"validate {spec} {text!r} {profile}",
                lambda text=text, spec=spec, profile=profile: urloracle.validate(text, spec, profile=profile),
            )


def rule_calls() -> Iterator[Call]:
    """Return a call for each rule that the corpus asks about, with texts of parts of a URL."""
    corpus = load()
    rules = sorted({(case.spec, case.vector.rule) for case in corpus.cases if case.vector.rule})
    for (spec, rule), text in product(rules, INPUTS["parts"]):
        yield (
            f"validate {spec} {rule} {text!r}",
            lambda text=text, spec=spec, rule=rule: urloracle.validate(text, spec, rule),
        )


def split(text: str) -> dict[str, str | None]:
    """Split a URL with the standard library."""
    parts = urlsplit(text)
    return {
        "scheme": parts.scheme or None,
        "host": parts.hostname,
        "path": parts.path,
        "fragment": parts.fragment,
    }


ADAPTER = functions(
    "standard library",
    "1",
    specs=["rfc3986"],
    validate={"URI-reference": urlsplit},
    parse=split,
    resolve=urljoin,
    normalize=str.lower,
    recompose=lambda components: "".join(str(part) for part in components.values() if part),
    extract=str.split,
    equivalent=str.__eq__,
    decode=lambda text: {"scheme": text.partition(":")[0]},
    base=lambda layers: next(iter(layers.values()), None),
)


def harness_calls() -> Iterator[Call]:
    """Return each call of `urlharness` with its name."""
    corpus = load()
    yield (
        "the corpus",
        lambda: {"digest": corpus.digest, "version": corpus.version, "sizes": dict(corpus.sizes)},
    )
    yield "hello of functions", lambda: dict(ADAPTER.hello)
    yield "run", run_summary
    yield (
        "stream",
        lambda: [(case.vector.id, plain_result(outcome)) for case, outcome in stream(ADAPTER, section="5.4")],
    )
    yield "run without a vector", lambda: run(ADAPTER, words="no such word")
    yield "run with a timeout of 0", lambda: run(ADAPTER, timeout=0)
    yield "run of an unknown adapter", lambda: run("nothing")
    yield "functions with an unknown mode", lambda: functions("a", modes=["nothing"])
    for text in TEXTS:
        yield f"assert_conforms parse {text!r}", lambda text=text: assert_conforms(text, parse=split)
        yield f"assert_conforms validate {text!r}", lambda text=text: assert_conforms(text, validate=urlsplit)
        yield (
            f"assert_conforms normalize {text!r}",
            lambda text=text: assert_conforms(text, normalize=str.lower),
        )
    for reference in REFERENCES:
        yield (
            f"assert_conforms resolve {reference!r}",
            lambda reference=reference: assert_conforms(reference, base=BASES[0], resolve=urljoin),
        )
    yield "assert_conforms without a function", lambda: assert_conforms("a")
    for spec in SPECS:
        for name in ("urls", "references", "bases", "url_pairs", "invalid_urls", "near_misses"):
            yield (
                f"strategies.{name} {spec}",
                lambda name=name, spec=spec: examples(getattr(strategies, name)(spec)),
            )
    yield (
        "strategies.urls with a scheme",
        lambda: examples(strategies.urls(scheme="HTTP", min_size=20, max_size=30)),
    )
    yield "strategies.urls of no length", lambda: examples(strategies.urls(min_size=9, max_size=3))


def examples(strategy: SearchStrategy[Any]) -> list[Any]:
    """Draw ten examples, the same ones each time."""
    drawn: list[Any] = []

    @settings(max_examples=10, derandomize=True, database=None, deadline=None)
    @given(strategy)
    def keep(example: Any) -> None:
        drawn.append(plain(example))

    keep()
    return drawn


def plain_result(outcome: Any) -> dict[str, Any]:
    """Return the result of one vector as JSON."""
    names = ("id", "implementation", "outcome", "variant", "detail", "got", "answer")
    return {name: plain(getattr(outcome, name)) for name in names}


def run_summary() -> dict[str, Any]:
    """Run all operations of an adapter, and return the results, the scores and the decision of the gate."""
    report = run(ADAPTER, flag="basic")
    gate = report.gate(fail_on="must", policy={"excess-dotdot": "error"})
    decision = {"code": int(gate.code), "passed": gate.passed, "reasons": list(gate.reasons)}
    return {
        "outcomes": [plain_result(outcome) for outcome in report.outcomes.values()],
        "sections": {
            " ".join(section): repr(score.results.value) for section, score in report.sections.items()
        },
        "totals": {spec: repr(score.results.value) for spec, score in report.totals.items()},
        "gate": decision | {"findings": len(gate.findings)},
    }


def main() -> None:
    """Print the answer of each call."""
    for calls in (oracle_calls, harness_calls):
        for name, call in calls():
            try:
                answer = plain(call())
            except Exception as error:  # noqa: BLE001 (every error is an answer)
                answer = error_fields(error)
            sys.stdout.write(json.dumps({"call": name, "answer": answer}) + "\n")


if __name__ == "__main__":
    main()
