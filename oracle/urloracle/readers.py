"""Readers: the compiled form of an RFC for whole URLs, in Python or in the C engine.

A reader judges, splits and resolves one text at a time.  `PureReader` does it with the patterns of
`Algorithms.reader`.  The reader of the C engine runs packed tables, and asks a `PureReader` for the few
answers that it cannot give.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from urloracle import native
from urloracle.algorithms import Algorithms, Rules
from urloracle.errors import Unsupported
from urloracle.language import Language
from urloracle.rfc.components import URI, RelativeURL
from urloracle.rfc.resolution import Alternative, Resolution, Resolver, distinct, excess_alternatives
from urloracle.rfc.schemes import SPLIT_KINDS


class Reader(Protocol):
    """The interface of the readers that a specification asks about whole URLs."""

    @property
    def read(self) -> Callable[[str], Any]:
        """A function that returns the components of a text, or None if it is invalid."""

    @property
    def view(self) -> Callable[[str], Any]:
        """A function that returns a view of the components of a text, or None if it is invalid."""

    @property
    def accepts(self) -> Callable[[str], bool]:
        """A function that returns True if a text is valid."""

    @property
    def resolve(self) -> Resolver:
        """The function that resolves references."""


class _EngineSteps(NamedTuple):
    """A resolution algorithm that the C engine knows.

    `name` is its name in the engine.  `literal_ruling` rules on the empty path of a base with an authority.
    """

    name: str
    literal_ruling: str


#: The class of the tuple for each rule that the C engine splits.
ENGINE_KINDS: Mapping[str, type[tuple[Any, ...]]] = {
    **SPLIT_KINDS,
    "URL": RelativeURL,
    "URI-reference": URI,
    "IRI-reference": URI,
}
#: The steps of the C engine that resolve the references of an RFC.
_ENGINE_STEPS = {
    "rfc1808": _EngineSteps("rfc1808", "R-1808-13"),
    "rfc2396": _EngineSteps("rfc2396", "R-2396-17"),
    "rfc2732": _EngineSteps("rfc2396", "R-2396-17"),
    "rfc3986": _EngineSteps("rfc3986", ""),
    "rfc3987": _EngineSteps("rfc3986", ""),
}

# creates a named tuple three times as fast as a call of its class
_new = tuple.__new__


class PureReader:
    """A reader of whole URLs in Python, with the same methods as a reader of the C engine.

    `language_of` returns the language that decides about a text.
    """

    def __init__(self, algorithms: Algorithms, rules: Rules, language_of: Callable[[str], Language]) -> None:
        self._algorithms = algorithms
        self._rules = rules
        self._language_of = language_of

    @cached_property
    def read(self) -> Callable[[str], Any]:
        """A function that returns the components of a text, or None if it is invalid."""
        return self._algorithms.reader(self._rules)

    @cached_property
    def resolve(self) -> Resolver:
        """The function that resolves references.  Raise Unsupported if the RFC has no relative references."""
        if self._algorithms.resolver is None:
            raise Unsupported(f"{self._rules.title} does not define relative references")
        return self._algorithms.resolver(self._rules)

    def view(self, text: str) -> Any:
        """Return a view of the components of a text, or None if it is invalid."""
        return native.pure_view(self.read(text))

    def accepts(self, text: object) -> bool:
        """Return True if a text is valid."""
        return isinstance(text, str) and self._language_of(text).accepts(text)

    def offset(self, text: str) -> int:
        """Return the length of the longest prefix of a text that is a prefix of a valid text."""
        length, _ = self._language_of(text).viable_prefix(text)
        return length

    def alternatives(self, text: str, within: str | None, literal: str | None) -> Resolution:
        """Return a resolution with its alternatives; the C engine calls this method.

        `text` is the recommended target.  `within` is the target without the leading `..` segments, which RFC
        2396, section 5.2, step 6g leaves to choice.  `literal` is the target if an empty base path is taken
        literally.  Each of them is None if there is no such alternative.
        """
        also = () if within is None else excess_alternatives(within)
        if literal is not None:
            ruling = _ENGINE_STEPS[self._rules.spec].literal_ruling
            also = distinct(text, (*also, _new(Alternative, (literal, "literal", ruling))))
        same_document = False  # a reference to the document itself has no alternatives
        return _new(Resolution, (text, also, same_document))


def open_reader(
    algorithms: Algorithms, rules: Rules, rule: str, language_of: Callable[[str], Language]
) -> Reader:
    """Return the reader of an RFC: that of the C engine if the engine has its tables, else a `PureReader`.

    `rule` is the rule for texts whose scheme has no rule of its own.  `language_of` is as in `PureReader`.
    """
    pure = PureReader(algorithms, rules, language_of)
    steps = _ENGINE_STEPS.get(rules.spec)
    compiled: Reader | None = native.url_reader(
        rules.grammar,
        rules={**rules.schemes, "": rule},
        tuple_classes=ENGINE_KINDS,
        pure=pure,
        resolution_class=Resolution,
        resolution_algorithm=steps.name if steps else "",
    )
    return pure if compiled is None else compiled
