"""The reference oracle: what RFC 1738, 1808, 2396, 2732 and 3986 say of a string."""

from urloracle.base import Base
from urloracle.components import URI, RelativeURL
from urloracle.derivation import Derivation
from urloracle.equivalence import Equivalence, OtherVerdict
from urloracle.errors import InvalidURL
from urloracle.extraction import Extract, ExtractedURL
from urloracle.grammar import UnknownRule
from urloracle.normalization import Mode
from urloracle.questions import (
    base_header,
    base_url,
    decode,
    derive,
    equivalent,
    extract,
    nearest,
    normalize,
    parse,
    recompose,
    resolution_steps,
    resolve,
    validate,
)
from urloracle.repair import Repair
from urloracle.resolution import Alternative, Resolution
from urloracle.specification import Profile, Specification, Unsupported
from urloracle.specifications import SPECIFICATIONS, UnknownSpecification, specification
from urloracle.steps import Step

__all__ = [
    "SPECIFICATIONS",
    "URI",
    "Alternative",
    "Base",
    "Derivation",
    "Equivalence",
    "Extract",
    "ExtractedURL",
    "InvalidURL",
    "Mode",
    "OtherVerdict",
    "Profile",
    "RelativeURL",
    "Repair",
    "Resolution",
    "Specification",
    "Step",
    "UnknownRule",
    "UnknownSpecification",
    "Unsupported",
    "base_header",
    "base_url",
    "decode",
    "derive",
    "equivalent",
    "extract",
    "nearest",
    "normalize",
    "parse",
    "recompose",
    "resolution_steps",
    "resolve",
    "specification",
    "validate",
]
