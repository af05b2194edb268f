"""The resolution of RFC 3986, of which each step can be replaced, and kinds of references."""

from __future__ import annotations

import re
from collections.abc import Callable

from .faults import CRASHED, Ask, Fault, Question, Reply, text, writes_other
from .texts import Change, Parts, join, remove_dots, split

Resolver = Callable[[Parts, Parts], Parts | str | None]
Test = Callable[[Parts, Parts], bool]


def merge(base: Parts, path: str) -> str:
    """Merge the path of a reference with that of the base (section 5.2.3)."""
    if is_bare(base):
        return f"/{path}"
    return directory(base) + path


def directory(base: Parts) -> str:
    """Return the path of the base up to its last slash."""
    return base.path[: base.path.rfind("/") + 1]


def is_bare(base: Parts) -> bool:
    """Tell if a base has an authority and an empty path."""
    return base.authority is not None and not base.path


def target(
    base: Parts,
    reference: Parts,
    dots: Change = remove_dots,
    merge: Callable[[Parts, str], str] = merge,
) -> Parts:
    """Return the components of the target (section 5.2.2)."""
    if reference.scheme is not None:
        return reference._replace(path=dots(reference.path))
    if reference.authority is not None:
        return reference._replace(scheme=base.scheme, path=dots(reference.path))
    if not reference.path:
        query = base.query if reference.query is None else reference.query
        return base._replace(query=query, fragment=reference.fragment)
    path = reference.path if reference.path.startswith("/") else merge(base, reference.path)
    return Parts(base.scheme, base.authority, dots(path), reference.query, reference.fragment)


# Kinds of references.


def is_local(reference: Parts) -> bool:
    """Tell if a reference has neither a scheme nor an authority."""
    return reference.scheme is None and reference.authority is None


def is_path(reference: Parts) -> bool:
    """Tell if a reference begins with a path."""
    return is_local(reference) and reference.path != ""


def is_rooted(reference: Parts) -> bool:
    """Tell if a reference begins with a path that begins with a slash."""
    return is_local(reference) and reference.path.startswith("/")


def is_relative(reference: Parts) -> bool:
    """Tell if a reference begins with a path that does not begin with a slash."""
    return is_path(reference) and not reference.path.startswith("/")


def is_network_path(reference: Parts) -> bool:
    """Tell if a reference begins with an authority."""
    return reference.scheme is None and reference.authority is not None


def is_query(reference: Parts) -> bool:
    """Tell if a reference begins with a query."""
    return is_local(reference) and not reference.path and reference.query is not None


def is_fragment(reference: Parts) -> bool:
    """Tell if a reference is a fragment alone."""
    return is_empty(reference) and reference.fragment is not None


def is_empty(reference: Parts) -> bool:
    """Tell if a reference is empty but for a fragment."""
    return is_local(reference) and not reference.path and reference.query is None


# Faults.


def resolves(wrong: Resolver, reply: Reply = CRASHED) -> Fault:
    """Resolve in another way; None is the reply."""

    def answer(question: Question, right: Reply, _ask: Ask) -> Reply:
        base = split(text(question["base"]))
        reference = split(text(question["reference"]))
        if right["status"] != "ok":
            return right
        resolved = wrong(base, reference)
        if resolved is None:
            return reply
        url = join(resolved) if isinstance(resolved, Parts) else resolved
        return right if url == join(target(base, reference)) else {"status": "ok", "url": url}

    return Fault(("resolve",), answer)


def resolves_when(test: Test, wrong: Resolver, reply: Reply = CRASHED) -> Fault:
    """Resolve in another way when the test is true of base and reference; None is the reply."""
    return resolves(
        lambda base, reference: wrong(base, reference) if test(base, reference) else target(base, reference),
        reply,
    )


def resolves_if(test: Callable[[Parts], bool], wrong: Resolver, reply: Reply = CRASHED) -> Fault:
    """Resolve references that the test is true of in another way; None is the reply."""
    return resolves_when(lambda _, reference: test(reference), wrong, reply)


def removes_dots(dots: Change) -> Fault:
    """Remove dot-segments in another way."""
    return resolves(lambda base, reference: target(base, reference, dots=dots))


def merges(merge: Callable[[Parts, str], str]) -> Fault:
    """Merge the path of the reference with that of the base in another way."""
    return resolves(lambda base, reference: target(base, reference, merge=merge))


def changes_target(change: Callable[[Parts, Parts, Parts], Parts | str]) -> Fault:
    """Give a target that depends on base, reference and the components of the target of RFC 3986."""
    return resolves(lambda base, reference: change(base, reference, target(base, reference)))


def resolves_to(change: Callable[[Parts, Parts, str], str]) -> Fault:
    """Give a target that depends on base, reference and the right target, also that of another RFC."""

    def changed(question: Question, right: str) -> str:
        return change(split(text(question["base"])), split(text(question["reference"])), right)

    return writes_other("resolve", changed)


# Other ways to resolve.


def keeps_dots(base: Parts, reference: Parts) -> Parts:
    """Return the target with its dot-segments."""
    return target(base, reference, dots=str)


def merges_at_root(base: Parts, reference: Parts) -> Parts:
    """Return the target with the path of the reference below the root."""
    return target(base, reference, merge=lambda _, path: f"/{path}")


def fails(_base: Parts, _reference: Parts) -> None:
    """Return nothing, which ends in an error."""


def keeps_reference(_base: Parts, reference: Parts) -> str:
    """Return the reference itself."""
    return join(reference)


def appends(base: Parts, reference: Parts) -> str:
    """Return the whole reference after the whole base."""
    return join(base) + join(reference)


def appends_to_directory(base: Parts, reference: Parts) -> str:
    """Return the whole reference after the last slash of the base."""
    return join(base._replace(path=merge(base, ""), query=None, fragment=None)) + join(reference)


def replaces_last_segment(base: Parts, reference: Parts) -> Parts:
    """Return the target in the directory of the base."""
    return target(base, reference)._replace(path=merge(base, ""))


def has_no_scheme(reference: Parts) -> bool:
    """Tell if a reference is no URL of its own."""
    return reference.scheme is None


def keeps_base(base: Parts, _reference: Parts) -> Parts:
    """Return the base itself."""
    return base


def dots_by_prefix(path: str) -> str:
    """Take a segment that begins with two dots for two dots."""
    return remove_dots(re.sub(r"(?<=/)\.\.[^/]+", "..", path))


def below(base: Parts, reference: Parts, path: str) -> Parts:
    """Resolve a path with the query and the fragment of the reference."""
    return target(base, reference._replace(authority=None, path=path))
