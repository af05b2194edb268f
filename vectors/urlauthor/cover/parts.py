"""Parts of URLs: the levels of each component, and where the RFCs say that they are allowed or not.

`parts.json` lists the parts.  The `text` of a part is None if the component is absent.  `cites` maps each RFC
to the statement that allows the part (default: the statement of the component).  `refused` maps each RFC that
forbids the part to a statement and to the offset of the first wrong character.  `only` limits a part to some
RFCs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from urlauthor.cover.arrays import Row
from urlharness.corpus.specifications import Spec, facts


class Level(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """One level of a component.

    If `common` is true, all parts of other components are combined with the part.  A list in `common` names
    the RFCs for which this is so.  `normal` is the normal form of the text by RFC 3986, section 6.2.2,
    without removal of dot segments.  `registry` is true if the host is not a server of RFC 2396.
    `decoded` is the value in the decoded view.  `difference` is the named class of difference that the part
    shows, or None.

    Three fields describe refused parts.  `at_end` is true if only the end of the authority shows that the
    part is wrong.  `after_login` is true if this holds unless user information or a bracket stands before the
    part: without these, its text can still become user information.  `relative` is true if the part is
    refused only where neither scheme nor authority stands before it.
    """

    name: str
    text: str | None = None
    common: bool | Sequence[Spec] = False
    cites: Mapping[Spec, str | None] = {}
    only: Sequence[Spec] | None = None
    refused: Mapping[Spec, tuple[str, int]] = {}
    normal: str | None = None
    registry: bool = False
    decoded: Any = msgspec.UNSET
    difference: str | None = msgspec.field(default=None, name="class")
    at_end: bool = False
    after_login: bool = False
    relative: bool = False


class Component(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A component and its parts.

    `cites` maps each RFC that has the component to the statement about its production.
    """

    name: str
    parts: Sequence[Level]
    cites: Mapping[Spec, str]


class PartDifference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two texts of a component, and for each RFC the statement that decides whether they are equivalent.

    A text of None is an absent component.
    """

    name: str
    component: str
    texts: tuple[str | None, str | None]
    equal: bool
    cites: Mapping[Spec, str]
    mode: str = "syntax"

    @property
    def level(self) -> str:
        """The level of a row: the component and the name."""
        return f"{self.component} {self.name.removeprefix(f'{self.component}-')}"


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The components of the URLs of a scheme of RFC 1738.

    `decodes` is the statement about the decoded views of these URLs.
    """

    scheme: str
    decodes: str
    components: Sequence[Component]


class PartsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of parts.json."""

    components: Sequence[Component]
    differences: Sequence[PartDifference]
    forms: Sequence[Form]


class RowQuestion(NamedTuple):
    """The question of a row: the statement that the vector cites, its other fields, and the ruling, if any.

    `cites` is the id of the statement without the name of the RFC.  `difference` is the class of difference
    that the vector shows, or None.
    """

    cites: str
    fields: Mapping[str, Any]
    ruling: str | None = None
    difference: str | None = None


class Model(NamedTuple):
    """The combinations for one operation: the levels of each factor, and the question that a row asks.

    `common` contains the pairs (factor, level) that are combined with all levels of the other factors.
    `allowed` returns False if a row, in which factors may be missing, must not be used.  `ask` returns the
    question of a row without gaps, or None if the RFC leaves its answer open.
    """

    name: str
    spec: Spec
    factors: Mapping[str, Sequence[str]]
    common: Collection[tuple[str, str]]
    allowed: Callable[[Row], bool]
    ask: Callable[[Row], RowQuestion | None]


@cache
def read_parts() -> PartsFile:
    """Return the content of parts.json."""
    file = resources.files(__package__) / "parts.json"
    return msgspec.json.decode(file.read_bytes(), type=PartsFile)


def cited_statement(component: Component, part: Level, spec: Spec) -> str | None:
    """Return the statement by which an RFC allows a part, without the name of the RFC.

    Return None if the RFC forbids the part or does not have it.  An RFC that amends another one has only
    common parts and those for which it cites a statement, since vectors of the other RFC have the rest.  So
    does an RFC of IRIs, which has parts of its own besides.
    """
    if part.only is not None and spec not in part.only:
        return None
    shares_parts = facts(spec).amends or (facts(spec).iris and part.only is None)
    if shares_parts and part.common is not True and spec not in part.cites:
        return None
    if part.refused and not part.cites and part.only is None:
        return None
    return part.cites.get(spec, component.cites.get(spec))


def allowed_parts(component: Component, spec: Spec) -> list[Level]:
    """Return the parts of a component that an RFC allows."""
    return [part for part in component.parts if cited_statement(component, part, spec) is not None]


class RefusedPart(NamedTuple):
    """A part that an RFC refuses, and the name of its component."""

    component: str
    part: Level


def refused_parts(components: Iterable[Component], spec: Spec) -> dict[str, RefusedPart]:
    """Return the parts that an RFC refuses, by the level that stands for each in a row, such as "host empty".

    The names of parts are those of one component only, so that a level begins with the component.
    """
    refused = {}
    for component in components:
        for part in component.parts:
            if spec in part.refused:
                level = f"{component.name} {part.name}"
                refused[level] = RefusedPart(component.name, part)
    return refused


def is_common(part: Level, spec: Spec) -> bool:
    """Return True if all parts of the other components are combined with this part."""
    return part.common is True or (part.common is not False and spec in part.common)
