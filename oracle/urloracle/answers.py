"""The types of the oracle's answers, by one name each: for annotations and `isinstance`."""

from urloracle.base import Base
from urloracle.components import URI, RelativeURL
from urloracle.derivation import Derivation
from urloracle.equivalence import Equivalence, OtherVerdict
from urloracle.explanation import Explanation
from urloracle.extraction import Extract, ExtractedURL
from urloracle.grammar import UnknownRule
from urloracle.normal_forms import NormalForms
from urloracle.normalization import Mode
from urloracle.repair import Repair
from urloracle.resolution import Alternative, Resolution
from urloracle.schemes import SchemeURL
from urloracle.specification import Profile, Specification
from urloracle.specifications import UnknownSpecification
from urloracle.steps import Step

__all__ = [
    "URI",
    "Alternative",
    "Base",
    "Derivation",
    "Equivalence",
    "Explanation",
    "Extract",
    "ExtractedURL",
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
