"""A judge of answers that follows RUNNER.md and reads only the JSON of a bundle.

It shares no code with the harness, so that the two show whether RUNNER.md says everything. The numbers in
comments are those of the rules there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Document = Mapping[str, Any]

NO_ANSWERS = ("unsupported", "error", "timeout", "crash", "garbage", "no-answer")

#: Comparisons from the best to the worst.
COMPARISONS = ("right", "partial", "unsupported", "wrong")


class SecondJudge:
    """Judges the answers of one library, which tells empty from absent or does not."""

    def __init__(self, *, tells_empty: bool) -> None:
        self.tells_empty = tells_empty

    def outcome(self, case: Document, answer: Document) -> tuple[str, str]:
        """Return the outcome of a case and the name of its variant, which may be empty."""
        if self.is_no_answer(answer):
            return answer["status"], ""
        comparison, variant = self.best(case, answer)
        if comparison == "wrong" and "urls" in answer:
            comparison, variant = self.best(case, self.with_first_readings(case, answer))
        if comparison == "wrong":
            return self.unlisted(case)
        return self.listed(comparison, variant)

    def is_no_answer(self, answer: Document) -> bool:
        return answer["status"] in NO_ANSWERS  # 1

    def listed(self, comparison: str, variant: str) -> tuple[str, str]:
        if comparison != "right":
            return comparison, ""
        return ("variant", variant) if variant else ("pass", "")  # 19

    def unlisted(self, case: Document) -> tuple[str, str]:
        return ("variant", "other") if case["unlisted"] == "variant" else ("fail", "")  # 20

    def best(self, case: Document, answer: Document) -> tuple[str, str]:
        """Return the best comparison, and the variant of the admitted answer."""
        comparisons = []
        for admitted in case["answers"]:
            comparison = self.compare(case, admitted, answer)
            comparisons.append((comparison, admitted["variant"]))
        return min(comparisons, key=lambda pair: (COMPARISONS.index(pair[0]), pair[1] != ""))

    def compare(self, case: Document, admitted: Document, answer: Document) -> str:
        """Compare an answer with one admitted answer."""
        kind = admitted["kind"]
        if kind == "reject":
            return self.compare_reject(answer)
        if answer["status"] == "reject":
            return self.compare_rejected()
        if kind == "accept":
            return "right"
        if kind not in answer:
            return self.without_field()
        return self.compare_kind(kind, case, admitted, answer[kind])

    def compare_reject(self, answer: Document) -> str:
        return "right" if answer["status"] == "reject" else "wrong"  # 2

    def compare_rejected(self) -> str:
        return "wrong"  # 3

    def without_field(self) -> str:
        return "wrong"  # 4

    def compare_kind(self, kind: str, case: Document, admitted: Document, got: Any) -> str:
        match kind:
            case "url":
                return right_if(self.equal_urls(case, admitted["url"], got))
            case "equal":
                return right_if(self.equal_truth(admitted["equal"], got))
            case "same_document":
                return right_if(self.equal_truth(True, got))
            case "urls":
                return right_if(self.equal_readings(admitted["urls"], got))
            case "components":
                return self.compare_components(admitted, got)
            case "decoded":
                return self.compare_decoded(admitted, got)
            case "base":
                return self.compare_base(case, admitted, got)
        raise AssertionError(kind)

    def equal_truth(self, expected: bool, got: Any) -> bool:
        return expected is got  # 6

    def equal_urls(self, case: Document, expected: str, got: Any) -> bool:  # 5
        if expected == got:
            return True
        if not case["ignore_case"] or not isinstance(got, str):
            return False
        return folded(expected) == folded(got)

    def equal_readings(self, expected: Sequence[Sequence[str]], got: Sequence[Sequence[str]]) -> bool:  # 7
        if len(expected) != len(got):
            return False
        for admissible, readings in zip(expected, got, strict=True):
            if not readings or not set(readings) <= set(admissible):
                return False
        return True

    def with_first_readings(self, case: Document, answer: Document) -> Document:  # 8
        got = answer["urls"]
        all_urls = [admitted["urls"] for admitted in case["answers"] if admitted["kind"] == "urls"]
        lists = [urls for urls in all_urls if len(urls) == len(got)]
        if not lists:
            return answer
        for number, readings in enumerate(got):
            admissible: set[str] = set()
            for urls in lists:
                admissible.update(urls[number])
            if not readings or not set(readings) <= admissible:
                return answer
        return {**answer, "urls": [[readings[0]] for readings in got]}

    def compare_components(self, admitted: Document, got: Document) -> str:
        expected = admitted["components"]
        if self.has_none_of(expected, got):
            return "unsupported"
        parts = []
        for name, component in expected.items():
            if name == "authority" and name not in got:
                parts.append(self.derived_authority(component, got))
            elif name not in got:
                parts.append(self.hidden())
            elif not self.equal_components(name, component, got[name], admitted):
                parts.append("wrong")
            else:
                parts.append(self.blurred_or_right(name, admitted))
        return self.sum_up(parts)

    def has_none_of(self, expected: Document, got: Document) -> bool:
        return not set(expected) & set(got)  # 9

    def compare_decoded(self, admitted: Document, got: Document) -> str:  # 10
        expected = admitted["decoded"]
        if self.has_none_of(expected, got):
            return "unsupported"
        parts = []
        for name, part in expected.items():
            if name not in got:
                parts.append(self.hidden())
            elif not self.equal_decoded(name, part, got[name]):
                parts.append("wrong")
            else:
                parts.append(self.blurred_or_right(name, admitted))
        return self.sum_up(parts)

    def hidden(self) -> str:
        return "hidden"  # 11

    def blurred_or_right(self, name: str, admitted: Document) -> str:
        return "blurred" if name in admitted["empty"] and not self.tells_empty else "right"  # 15

    def sum_up(self, parts: Sequence[str]) -> str:  # 16
        if "wrong" in parts:
            return "wrong"
        return "partial" if "hidden" in parts or "blurred" in parts else "right"

    def equal_components(self, name: str, expected: Any, got: Any, admitted: Document) -> bool:
        if expected == got:
            return True
        if (
            isinstance(expected, str)
            and isinstance(got, str)
            and self.equal_in_lower_case(name, expected, got)
        ):
            return True
        if expected is None and got == "" and self.may_be_empty(name, admitted):
            return True
        return self.both_nothing(expected, got)

    def equal_decoded(self, name: str, expected: Any, got: Any) -> bool:
        if self.equal_bytes(expected, got):
            return True
        expected_bytes = as_bytes(expected)
        got_bytes = as_bytes(got)
        if name in ("scheme", "host") and isinstance(expected_bytes, bytes) and isinstance(got_bytes, bytes):
            return expected_bytes.lower() == got_bytes.lower()  # 12; bytes.lower is that of ASCII
        return name != "request" and self.both_nothing(expected, got)

    def equal_in_lower_case(self, name: str, expected: str, got: str) -> bool:  # 12
        if name in ("scheme", "host"):
            return expected.lower() == got.lower()
        if name in ("authority", "net_loc"):
            return lower_after_at(expected) == lower_after_at(got)
        return False

    def equal_bytes(self, expected: Any, got: Any) -> bool:  # 13
        expected_bytes = as_bytes(expected)
        got_bytes = as_bytes(got)
        return type(expected_bytes) is type(got_bytes) and expected_bytes == got_bytes

    def may_be_empty(self, name: str, admitted: Document) -> bool:
        return name in admitted["or_empty"]  # 14

    def both_nothing(self, expected: Any, got: Any) -> bool:
        return not self.tells_empty and expected in (None, "") and got in (None, "")  # 15

    def derived_authority(self, expected: str | None, got: Document) -> str:  # 17
        parts = []
        for name in ("userinfo", "host", "port"):
            if name not in got or not isinstance(got[name], str | None):
                return self.hidden()
            parts.append(got[name])
        userinfo, host, port = parts
        if not self.is_there(host):
            return self.authority_without_host(expected)
        if expected is None:
            return "wrong"
        before = f"{userinfo}@" if self.is_there(userinfo) else ""
        after = f":{port}" if self.is_there(port) else ""
        if equal_joined(expected, before, host, after):
            return "right"
        if self.tells_empty:
            return "wrong"
        ways = [(before or "@", after), (before, after or ":"), (before or "@", after or ":")]
        return "blurred" if any(equal_joined(expected, way[0], host, way[1]) for way in ways) else "wrong"

    def authority_without_host(self, expected: str | None) -> str:
        if expected is None:
            return "right"
        return "blurred" if expected == "" and not self.tells_empty else "hidden"

    def is_there(self, component: str | None) -> bool:
        return component is not None if self.tells_empty else bool(component)

    def compare_base(self, case: Document, admitted: Document, got: Any) -> str:  # 18
        expected = admitted["base"]
        if expected in (None, "") and got in (None, ""):
            if expected != got and self.tells_empty:
                return "wrong"
            return self.sum_up([self.blurred_or_right("base", admitted)])
        if expected in (None, "") or got in (None, ""):
            return "wrong"
        return right_if(self.equal_urls(case, expected, got))


def finding_on(case: Document, entry: Document | None, outcome: str, got: Document) -> str:
    """Return what a list of known failures says about a case, or "" if there is nothing to say."""
    passes = outcome in ("pass", "variant")
    is_incomplete = outcome in ("partial", "unsupported")
    if entry is None:
        return "" if passes or is_incomplete or case["binding"] != "required" else "new"
    if passes:
        return "stale"
    if case["digest"] != entry["digest"]:
        return "moved"
    if (outcome, got) == (entry["outcome"], entry["got"]):
        return ""
    return "lost" if is_incomplete and entry["outcome"] == "fail" else "changed"


def right_if(is_right: bool) -> str:
    return "right" if is_right else "wrong"


def as_bytes(part: Any) -> Any:
    """Return texts as bytes, in lists too. Other JSON values stay as they are."""
    if isinstance(part, str):
        return part.encode()
    if isinstance(part, Mapping):
        return bytes.fromhex(part["hex"])
    if isinstance(part, list):
        return [as_bytes(element) for element in part]
    return part


def lower_after_at(authority: str) -> str:
    """Return an authority with its host and port in lower case."""
    end_of_userinfo = authority.rfind("@") + 1
    return authority[:end_of_userinfo] + authority[end_of_userinfo:].lower()


def equal_joined(expected: str, before: str, host: str, after: str) -> bool:
    joined = before + host + after
    if len(joined) != len(expected):
        return False
    end = len(joined) - len(after)
    with_lower_host = before + host.lower() + after
    return expected[: len(before)] + expected[len(before) : end].lower() + expected[end:] == with_lower_host


def folded(text: str) -> str:
    """Return a text with its scheme and its host in lower case."""
    slashes = text.find("//")
    if slashes >= 0 and not set(text[:slashes]) & set("/?#"):
        begin = slashes + 2
        end = begin
        while end < len(text) and text[end] not in "/?#":
            end += 1
        return text[:begin].lower() + lower_after_at(text[begin:end]) + text[end:]
    colon = text.find(":")
    if colon >= 0 and not set(text[:colon]) & set("/?#"):
        return text[:colon].lower() + text[colon:]
    return text
