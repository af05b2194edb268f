"""Faults in what the rulings leave open: no answer fails there, but another one shows as another variant."""

from __future__ import annotations

import pytest

# for a specification and a function of the oracle: source text, replacement
FAULTS = {
    ("rfc1738", "automata.dfa.Subsets.row"): {
        "folded-after-the-colon": ("before_colon and kind != self._colon", "before_colon"),
    },
    ("rfc1738", "rfc1738-prose.bnf"): {
        "octet-256": ('"4" | "5" ) )\nnonzero', '"4" | "5" | "6" ) )\nnonzero'),
    },
    ("rfc1738", "rfc1738.bnf"): {
        "article-number-needed": ('group [ "/" digits ]', 'group "/" digits'),
        "http-not-folded": ("otherurl httpurl ftpurl", "otherurl ftpurl"),
    },
    ("rfc1738", "rfc.schemes._generic"): {
        "login-not-split": ("(split(schemepart) or no_login)", "no_login"),
    },
    ("rfc1738", "specification.Specification._prose"): {
        "prose-ignored": ("if self.prose_files", "if not self.prose_files"),
    },
    ("rfc1738", "specification.Specification.judging_rule"): {
        "scheme-in-its-own-case": ("scheme.lower()", "scheme"),
    },
    ("rfc1738", "specification.Specification.language"): {
        "profile-prose-for-generic": ('profile == "prose"', 'profile == "generic"'),
    },
    ("rfc1808", "rfc.components.reader_rfc1808"): {
        "empty-is-absent": (
            "match.groups()",
            "[part if n < 3 else part or None for n, part in enumerate(match.groups())]",
        ),
    },
    ("rfc2396", "rfc.components._path_and_query"): {
        "opaque-part-not-divided": ('partition("?")', 'partition(" ")'),
    },
    ("rfc2396", "rfc.normalization.normalize_rfc2396"): {
        "escapes-kept": ('and scheme == "http"', 'and scheme == "x"'),
    },
    ("rfc2396", "operations.normalize"): {
        "normalized-in-scheme-mode": ("mode, chosen.grammar", '"scheme", chosen.grammar'),
    },
    ("rfc2396", "rfc.resolution._transform_rfc2396"): {
        "6-merge-without-slash": ('"/" if base_authority is not None and not base_path else ', ""),
    },
    ("rfc2396", "rfc.resolution.resolve_rfc2396"): {
        "2-fragment-of-the-base": ("(*base[:4], fragment)", "base"),
    },
    ("rfc2732", "rfc2732.bnf"): {
        "last-elision": ('*6( hex4 ":" )', '*5( hex4 ":" )'),
    },
    ("rfc3986", "rfc.normalization.normalize_rfc3986"): {
        "no-guard": ('path = f"/.{path}"', "pass"),
        "mode-ignored": ('if mode == "scheme":', "if mode:"),
    },
    ("rfc3986", "rfcs._resolver_rfc3986"): {
        "base-with-fragment-refused": (
            'absolute[0] is None:\n            raise spec.refusal(base, "URI")',
            (
                "absolute[0] is None or absolute[4] is not None:\n"
                '            raise spec.refusal(base, "absolute-URI")'
            ),
        ),
    },
}

CASES = [
    pytest.param(spec, where, *change, id=f"{spec[3:]}-{name}")
    for (spec, where), changes in FAULTS.items()
    for name, change in changes.items()
]


@pytest.mark.parametrize(("spec", "where", "before", "after"), CASES)
def test_fault_changes_a_variant(spec, where, before, after, verdicts, plant):
    """Against the verdicts without the fault, one is another variant, or no longer the first answer."""
    control = [(vector, verdict.outcome, verdict.variant) for vector, verdict in verdicts(spec)]
    plant(where, before, after)
    assert [(vector, verdict.outcome, verdict.variant) for vector, verdict in verdicts(spec)] != control
