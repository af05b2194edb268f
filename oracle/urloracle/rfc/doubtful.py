"""Characters against which RFC 3987 advises: a program that converts a URI to an IRI may leave them encoded.

Section 3.2, step 4, points to section 6.1, which names kinds of characters and no list.  So the kinds are
read from what the RFC cites, in the Unicode of its time (version 3.2): the tables of Nameprep (RFC 3491), and
the mappings of compatibility characters.  Letters and marks that look like those of ASCII are in no table
that the RFC cites, so this module lists them.
"""

from __future__ import annotations

import stringprep
from unicodedata import ucd_3_2_0 as unicode_3_2

#: What section 4.1 would have to forbid if it were written today (R-3987-07): ALM, LRI, RLI, FSI and PDI.
LATER_FORMATTING = frozenset("\u061c\u2066\u2067\u2068\u2069")

#: Letters of other alphabets with the form of a letter of ASCII: Latin, Greek, Cyrillic, Armenian, Cherokee.
_LETTERS = (
    "\u0131\u0251\u0261\u0269"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03b3\u03b9\u03bd\u03bf\u03c1\u03c3\u03c5\u03f3"
    "\u0405\u0406\u0408\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u042c"
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0455\u0456\u0458\u0474\u0475\u04ae\u04af\u04bb\u04c0\u04cf"
    "\u0501\u050c\u051a\u051b\u051c\u051d"
    "\u053c\u054d\u054f\u0555\u0561\u0566\u0570\u0575\u0578\u057d\u0581\u0584\u0585"
    "\u13a0\u13a1\u13a2\u13a5\u13a9\u13aa\u13ab\u13ac\u13b3\u13b7\u13bb\u13bd\u13c0\u13c2\u13c3\u13cf"
    "\u13d2\u13d4\u13d5\u13d9\u13da\u13de\u13df\u13e2\u13e6\u13e7\u13f3\u13f4"
)
#: Marks with the form of a mark of ASCII that no URI has or that is a delimiter, such as U+2044 of the slash.
_MARKS = (
    "\u00ab\u00b4\u00b7\u00bb\u01c0\u01c3\u02b9\u02bb\u02bc\u02bd\u02c4\u02c6\u02c8\u02ca\u02cb\u02d0\u02f8"
    "\u0589\u05be\u05c0\u05c3\u05f3\u05f4\u066a\u066b\u066d\u06d4\u0701\u0702\u0703\u0704\u0964"
    "\u2010\u2012\u2013\u2014\u2015\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2027\u2032\u2035\u2038"
    "\u2039\u203a\u2043\u2044\u204e\u2212\u2215\u2216\u2217\u2219\u2223\u2236\u223c\u22c5\u25e6\u266f\u2571"
    "\u2572\u2758\u275b\u275c\u275d\u275e\u276e\u276f\u2800\u27e8\u27e9\u29f5\u29f8\u29f9"
    "\u3001\u3002\u3008\u3009\u3014\u3015\u301c\u30fb\ua789\ufe3f"
)
_LOOK_ALIKES = frozenset(_LETTERS + _MARKS)

#: The tables of RFC 3454 that Nameprep excludes, but for private characters and those that no IRI has.
_EXCLUDED_BY_NAMEPREP = (
    stringprep.in_table_c12,  # blanks
    stringprep.in_table_c22,  # controls, and characters without a width
    stringprep.in_table_c7,  # descriptions of ideographs
    stringprep.in_table_c8,  # what changes the display of text
)


def ruling_on(character: str) -> str | None:
    """Return the ruling by which `to_iri` may leave a character encoded, or None if it must be decoded.

    The character is one that an IRI may have there.
    """
    if character in LATER_FORMATTING:
        return "R-3987-07"
    return "R-3987-08" if _is_advised_against(character) else None


def _is_advised_against(character: str) -> bool:
    """Return True if section 6.1 advises against a character beyond ASCII (R-3987-08)."""
    if character in _LOOK_ALIKES or stringprep.in_table_b1(character):
        return True
    if any(is_excluded(character) for is_excluded in _EXCLUDED_BY_NAMEPREP):
        return True
    # full-width and half-width forms, ligatures, letters in the form of symbols
    return unicode_3_2.normalize("NFKC", character) != character
