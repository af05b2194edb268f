"""Recomposition: RFC 1808 section 4 step 7, RFC 2396 section 5.2 step 7, RFC 3986 section 5.3.

RFC 1738 has no such algorithm.  There, the production of the scheme gives the order of the components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from urloracle.grammar.alphabet import only_character
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar
from urloracle.rfc.components import URI, Parts, PartsRFC1808


def recompose_rfc1808(parts: PartsRFC1808) -> str:
    """Apply RFC 1808 section 4 step 7: write each component that is not None with its delimiter."""
    scheme, net_loc, path, params, query, fragment = parts
    text = path if net_loc is None else f"//{net_loc}{path}"
    if scheme is not None:
        text = f"{scheme}:{text}"
    if params is not None:
        text = f"{text};{params}"
    if query is not None:
        text = f"{text}?{query}"
    return text if fragment is None else f"{text}#{fragment}"


def recompose_parts(parts: Parts) -> str:
    """Apply the pseudocode of RFC 2396 section 5.2 step 7 and RFC 3986 section 5.3."""
    scheme, authority, path, query, fragment = parts
    text = path if authority is None else f"//{authority}{path}"
    if scheme is not None:
        text = f"{scheme}:{text}"
    if query is not None:
        text = f"{text}?{query}"
    return text if fragment is None else f"{text}#{fragment}"


def recompose_uri(uri: URI) -> str:
    """Return the text of a URI; `userinfo`, `host` and `port` are ignored."""
    return recompose_parts((uri.scheme, uri.authority, uri.path, uri.query, uri.fragment))


def recompose_authority(userinfo: str | None, host: str, port: str | None) -> str:
    """Join the parts of an authority: RFC 2396 section 3.2.2, RFC 3986 section 3.2."""
    before = "" if userinfo is None else f"{userinfo}@"
    after = "" if port is None else f":{port}"
    return f"{before}{host}{after}"


class MissingComponent(ValueError):
    """The rule derives no text with exactly these components."""


class _Derived(NamedTuple):
    """A derived text, and the number of given components in it."""

    text: str
    used: int


def derive(grammar: Grammar, rule: str, components: Mapping[str, str], names: Iterable[str]) -> str:
    """Return the text with the given components.  Raise MissingComponent if the rule derives no such text.

    `names` are all components of the rule.  A component that `components` does not contain is absent.  An
    optional element is used if it contains a given component.  Of several alternatives, the one with the most
    given components is used.
    """
    component_by_rule: dict[str, str | None] = {name.lower(): None for name in names}
    component_by_rule.update((name.lower(), component) for name, component in components.items())
    derived = _derive(grammar, grammar[rule], component_by_rule)
    if derived is None or derived.used < len(components):
        listed = ", ".join(sorted(components)) or "none"
        raise MissingComponent(f"{rule} derives no text with exactly these components: {listed}")
    return derived.text


def _derive(
    grammar: Grammar, expression: Expression, components: Mapping[str, str | None]
) -> _Derived | None:
    """Return a text of the expression with the most components.

    `components` maps the lower-case rule name of each component to its text, or to None if it is absent.
    Return None if the expression needs an absent component, or needs characters that no component gives.
    """
    match expression:
        case Characters(members):
            character = only_character(members)
            return None if character is None else _Derived(character, 0)
        case Reference(name) if name.lower() in components:
            component = components[name.lower()]
            return None if component is None else _Derived(component, 1)
        case Reference(name):
            return _derive(grammar, grammar[name], components)
        case Sequence(elements):
            text = ""
            used = 0
            for element in elements:
                part = _derive(grammar, element, components)
                if part is None:
                    return None
                text += part.text
                used += part.used
            return _Derived(text, used)
        case Alternation(elements):
            options = [_derive(grammar, element, components) for element in elements]
            possible = [option for option in options if option is not None]
            return max(possible, key=lambda option: option.used, default=None)
        case Repetition(element, 0, _):
            inner = _derive(grammar, element, components)
            return inner if inner is not None and inner.used else _Derived("", 0)
        case Repetition() | Capture():
            return None
