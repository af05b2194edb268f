"""The types of the oracle's answers, for annotations and `isinstance`."""

from __future__ import annotations

from urloracle.derivation import Derivation
from urloracle.explanation import Explanation
from urloracle.grammar.grammar import UnknownRule
from urloracle.nearest import Repair
from urloracle.rfc.base import Base
from urloracle.rfc.components import URI, RelativeURL
from urloracle.rfc.equivalence import Equivalence, OtherVerdict
from urloracle.rfc.extraction import Extract, ExtractedURL
from urloracle.rfc.mapping import Forms
from urloracle.rfc.normalization import Mode, NormalForms
from urloracle.rfc.resolution import Alternative, Resolution, Step
from urloracle.rfc.schemes import SchemeURL
from urloracle.rfcs import UnknownSpecification
from urloracle.specification import Profile, Specification

__all__ = [
    "URI",
    "Alternative",
    "Base",
    "Derivation",
    "Equivalence",
    "Explanation",
    "Extract",
    "ExtractedURL",
    "Forms",
    "Mode",
    "NormalForms",
    "OtherVerdict",
    "Profile",
    "RelativeURL",
    "Repair",
    "Resolution",
    "SchemeURL",
    "Specification",
    "Step",
    "UnknownRule",
    "UnknownSpecification",
]
