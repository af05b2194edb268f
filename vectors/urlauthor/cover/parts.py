"""Parts of URLs: the levels of each component, and where the RFCs say that they are allowed or not.

`parts.json` lists them.  A part has a `text`, or none where the component is absent.  `cites` names the
statement of each RFC that allows it (default: that of the component); `refused` names the statement that does
not, and the offset of the first wrong character.  `only` limits a part to some RFCs.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from urlauthor.cover.arrays import Row
from urlharness.corpus.model import Spec


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """One level of a component.

    `normal` is the normal form of the text by RFC 3986, section 6.2.2, without removal of dots; `registry`
    says that the host is no server of RFC 2396; `decoded` is the value in the decoded view.  A refused part
    that is `at_end` is wrong only where the authority ends, one `after_login` only where no user information
    can follow; a `relative` one is refused only where no scheme and authority stand before it.
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
    at_end: bool = False
    after_login: bool = False
    relative: bool = False


class Component(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A component and its parts; `cites` names the production of each RFC that has the component."""

    name: str
    parts: Sequence[Part]
    cites: Mapping[Spec, str]


class Difference(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two texts of a component, and for each RFC the statement that decides whether they are equivalent.

    A text of None is an absent component.
    """

    name: str
    component: str
    texts: tuple[str | None, str | None]
    equal: bool
    cites: Mapping[Spec, str]
    mode: str = "syntax"


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The parts of the URLs of a scheme of RFC 1738; `decodes` names the statement about their views."""

    scheme: str
    decodes: str
    components: Sequence[Component]


class Parts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of parts.json."""

    components: Sequence[Component]
    differences: Sequence[Difference]
    forms: Sequence[Form]


class Question(NamedTuple):
    """The fields of a vector that follow from a row, with the slug of its statement and a ruling if any."""

    cites: str
    fields: Mapping[str, Any]
    ruling: str | None = None


class Model(NamedTuple):
    """The levels of each factor, those that are crossed with all others, and what a row means.

    `allowed` may be asked about a row without some factors.  `ask` returns None if the RFC leaves the answer
    of a row open.
    """

    name: str
    spec: Spec
    factors: Mapping[str, Sequence[str]]
    common: Collection[tuple[str, str]]
    allowed: Callable[[Row], bool]
    ask: Callable[[Row], Question | None]


@cache
def read_parts() -> Parts:
    """Return the content of parts.json."""
    return msgspec.json.decode((resources.files(__package__) / "parts.json").read_bytes(), type=Parts)


def cited(component: Component, part: Part, spec: Spec) -> str | None:
    """Return the statement of an RFC that allows a part, without the name of the RFC, or None."""
    if part.only is not None and spec not in part.only:
        return None
    if spec == "rfc2732" and part.common is not True and spec not in part.cites:
        return None  # this RFC changes hosts and brackets; the rest is that of RFC 2396
    if part.refused and not part.cites and part.only is None:
        return None
    return part.cites.get(spec, component.cites.get(spec))


def is_common(part: Part, spec: Spec) -> bool:
    """Return True if a part is crossed with all parts of the other components."""
    return part.common is True or (part.common is not False and spec in part.common)
