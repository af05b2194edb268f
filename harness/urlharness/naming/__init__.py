"""Names for what the RFCs do not agree in, by the classes of the corpus."""

from urlharness.naming.answers import Answer, Question, comparisons, resolutions, splits, verdicts
from urlharness.naming.names import Differences, Named, Side, name

__all__ = [
    "Answer",
    "Differences",
    "Named",
    "Question",
    "Side",
    "comparisons",
    "name",
    "resolutions",
    "splits",
    "verdicts",
]
