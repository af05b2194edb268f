"""Whether a resolved URL is the expected one, whose scheme and host may fold their case (G-11)."""

from __future__ import annotations

from urlharness.corpus import Text, Vector


def same_text(vector: Vector, expected: str, got: Text) -> bool:
    """True where an answer is the expected text; scheme and host fold where the question mixed their case."""
    if expected == got:
        return True
    if vector.op not in ("resolve", "base") or not isinstance(got, str):
        return False
    # scheme and host fold only where the question supplied them in mixed case (G-11)
    texts = (vector.base, vector.reference, *vector.layers.values())
    supplied = [text for text in texts if isinstance(text, str)]
    mixed = any(text != _fold_scheme_and_host(text) for text in supplied)
    return mixed and _fold_scheme_and_host(expected) == _fold_scheme_and_host(got)


def _fold_scheme_and_host(text: str) -> str:
    before, slashes, rest = text.partition("//")
    if slashes and not set(before) & set("/?#"):
        end = min((rest.find(mark) for mark in "/?#" if mark in rest), default=len(rest))
        start = rest.rfind("@", 0, end) + 1
        return f"{before.lower()}//{rest[:start]}{rest[start:end].lower()}{rest[end:]}"
    scheme, colon, rest = text.partition(":")
    return f"{scheme.lower()}:{rest}" if colon and not set(scheme) & set("/?#") else text
