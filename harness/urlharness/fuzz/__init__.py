"""Differential campaigns: they search for texts on which adapters disagree.

Each disagreement is reduced to a minimal text and named.

The package may import everything below `cli`. Only commands import the package.
"""

from typing import Literal, get_args


class FuzzError(ValueError):
    """A campaign, its folder or a finding cannot be used as asked. The message says which and why."""


class DamageError(FuzzError):
    """A file of a campaign is damaged, or made to do harm. The message says which file, where and why."""


#: The operations of a campaign. They are defined here so that `--help` does not import the sessions.
FuzzOperation = Literal["parse", "validate", "resolve", "normalize", "to_uri", "to_iri"]
OPERATIONS: tuple[FuzzOperation, ...] = get_args(FuzzOperation)

#: The operations between IRIs and URIs, which only RFC 3987 defines (sections 3.1 and 3.2).
MAPPINGS: frozenset[FuzzOperation] = frozenset(("to_uri", "to_iri"))
