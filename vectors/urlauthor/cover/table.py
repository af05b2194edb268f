"""The parts of one RFC: the levels of its components, and the texts, statements and classes of a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property

from urlauthor.cover.arrays import Row
from urlauthor.cover.generic import fits
from urlauthor.cover.levels import CROSSED_BEYOND_ASCII
from urlauthor.cover.parts import Level, allowed_parts, cited_statement, is_common, read_parts
from urlharness.corpus.specifications import Spec, facts

#: The components in this order: the first one whose part is not common decides which statement a row cites.
_DECIDING = ("host", "path", "query", "userinfo", "port", "params", "fragment", "scheme")
#: The order of the factors of a model.  Components with many levels come first, which makes the arrays short.
_ORDER = ("host", "path", "scheme", "userinfo", "port", "params", "query", "fragment")


class PartTable:
    """The parts of an RFC by component and name."""

    def __init__(self, spec: Spec) -> None:
        """Read the components that an RFC has, with all their parts, also those that it refuses."""
        self.spec = spec
        self.facts = facts(spec)
        self.components = {
            component.name: component for component in read_parts().components if spec in component.cites
        }
        self.parts: dict[tuple[str, str], Level] = {}
        for name, component in self.components.items():
            self.parts |= {(name, part.name): part for part in component.parts}

    def levels(self, name: str) -> list[str]:
        """Return the names of the parts of a component that the RFC allows."""
        return [part.name for part in allowed_parts(self.components[name], self.spec)]

    def common_levels(self, name: str) -> list[str]:
        """Return the levels of a component that all parts of other components are combined with."""
        allowed = self.levels(name)
        common = [part.name for part in self.components[name].parts if is_common(part, self.spec)]
        return [level for level in common if level in allowed]

    def first_common(self, names: Collection[str]) -> set[tuple[str, str]]:
        """Return the first common level of each of the components, as pairs (component, level)."""
        return {(name, level) for name in names for level in self.common_levels(name)[:1]}

    def context(self) -> dict[str, list[str]]:
        """Return the first two common levels of each component, in alphabetical order."""
        return {name: sorted(self.common_levels(name)[:2]) for name in self.components}

    @cached_property
    def _all_common_levels(self) -> set[tuple[str, str]]:
        """All common levels, as pairs (component, level)."""
        return {(name, level) for name in self.components for level in self.common_levels(name)}

    def factors(self) -> dict[str, list[str]]:
        """Return the allowed levels of each component, in the order of the factors of a model."""
        factors = {name: self.levels(name) for name in _ORDER if name in self.components}
        if self.facts.empty_is_absent:
            for name in ("params", "query", "fragment"):
                factors[name] = [level for level in factors[name] if level != "empty"]  # R-1808-09
        return factors

    def crossed_beyond_ascii(self, factors: Mapping[str, Collection[str]]) -> set[tuple[str, str]]:
        """Return the levels with characters beyond ASCII that meet all others; none for an RFC of URLs."""
        if not self.facts.iris:
            return set()
        return {(name, level) for name, level in CROSSED_BEYOND_ASCII if level in factors.get(name, ())}

    def texts(self, row: Row, prefix: str = "") -> dict[str, str | None]:
        """Return the texts of the components in a row, in which their names begin with `prefix`."""
        return {
            name: self.parts[name, row[prefix + name]].text
            for name in self.components
            if prefix + name in row
        }

    def fits(self, row: Row) -> bool:
        """Return False if the parts of a row cannot stand together in a reference."""
        return fits(self.texts(row), self.spec)

    def deciding_component(self, row: Row) -> str:
        """Return the component that decides what a row is about.

        It is the first component in `_DECIDING` whose part is not common.  If all parts are common, it is the
        first component with a text, or the path.
        """
        present = [name for name in _DECIDING if name in row and (name, row[name]) in self.parts]
        for name in present:
            if (name, row[name]) not in self._all_common_levels:
                return name
        with_text = (name for name in present if self.parts[name, row[name]].text)
        return next(with_text, "path")

    def difference_class(self, row: Row) -> str | None:
        """Return the class of difference of the deciding part, or None."""
        name = self.deciding_component(row)
        return self.parts[name, row[name]].difference

    def statement(self, row: Row) -> str:
        """Return the statement about the deciding part of a row."""
        name = self.deciding_component(row)
        statement = cited_statement(self.components[name], self.parts[name, row[name]], self.spec)
        assert statement is not None
        has_scheme = row["scheme"] != "none"
        replaced = self.facts.with_scheme if has_scheme else self.facts.without_scheme
        return replaced.get(statement, statement)

    def is_registry(self, row: Row) -> bool:
        """Return True if the host of a row is a registry name of RFC 2396."""
        return self.parts["host", row["host"]].registry

    def is_rooted(self, level: str) -> bool:
        """Return True if a path begins with a slash."""
        return (self.parts["path", level].text or "").startswith("/")

    def is_address(self, name: str, level: str) -> bool:
        """Return True for an address of RFC 2732 without capital letters, which no library changes (G-11)."""
        if self.facts.amends is None or name != "host":
            return False
        part = self.parts[name, level]
        return part.text is not None and part.normal is None


def limited(factors: Mapping[str, list[str]], few: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the factors in `few`, each with the levels that `few` lists."""
    return {name: [level for level in factors[name] if level in listed] for name, listed in few.items()}
