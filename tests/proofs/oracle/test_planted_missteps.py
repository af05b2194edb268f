"""Faults planted in resolution, recomposition and normalization: the corpus notices each of them."""

from __future__ import annotations

import pytest

# for a specification and a function of the oracle: source text, replacement
FAULTS = {
    ("rfc1808", "rfc.recomposition.recompose_rfc1808"): {
        "7-params-after-query": ('f";{parts.params}"', 'f"?{parts.params}"'),
    },
    ("rfc1808", "rfc.resolution._directory"): {
        "6-last-segment-kept": ('path[: path.rfind("/") + 1]', 'path + "/"'),
    },
    ("rfc1808", "rfc.resolution._remove_or_keep"): {
        "6c-removes-dots": ('if kept and kept[-1] != "..":', "if kept:"),
    },
    ("rfc1808", "rfc.resolution._transform_rfc1808"): {
        "3-empty-location-stops": ("if net_loc:", "if net_loc is not None:"),
        "4-dropped": ('if path[0] != "/":', "if True:"),
        "5a-empty-params-stop": ("elif params:", "elif params is not None:"),
        "5b-params-not-inherited": ("path, params = base_path, base_params", "path = base_path"),
        "5b-empty-query-stops": ("elif query:", "elif query is not None:"),
        "5-query-not-inherited": ("base_params, base_query\n", "base_params, query\n"),
        "fragment-of-the-base": (
            "base_query, _ = base  # step 2c\n    _, net_loc, path, params, query, fragment = reference",
            (
                "base_query, inherited = base\n    _, net_loc, path, params, query, fragment = reference\n"
                "    fragment = fragment or inherited"
            ),
        ),
    },
    ("rfc1808", "rfc.resolution.remove_dots"): {
        "6a-dot-kept": ('elif segment != ".":', "else:"),
        "6b-last-dot-kept": ('elif last == ".":', 'elif last == "":'),
        "6c-empty-segment-dropped": ('elif segment != ".":', 'elif segment not in (".", ""):'),
        "6c-excess-dropped": (
            "            _remove_or_keep(kept)\n        elif",
            "            del kept[-1:]\n        elif",
        ),
        "6d-last-dots-kept": ('if last == "..":', 'if last == "":'),
    },
    ("rfc1808", "rfc.resolution.resolve_rfc1808"): {
        "2a-without-fragment": (
            "return _only(base_text)",
            'return _only(base_text.partition("#")[0])',
        ),
        "2b-not-verbatim": (
            "return _only(reference_text)",
            'return _only(reference_text.partition("#")[0])',
        ),
    },
    ("rfc1808", "rfcs._resolver_rfc1808"): {
        "base-unknown": ("if not base:", "if base is None:"),
    },
    ("rfc2396", "rfc.normalization.normalize_rfc2396"): {
        "host-kept": ("parts.host.lower()", "parts.host"),
        "scheme-kept": ("parts.scheme.lower()", "parts.scheme"),
        "default-port-kept": ("None if parts.port == default else parts.port", "parts.port"),
        "port-dropped": ("None if parts.port == default else parts.port", "None"),
    },
    ("rfc2396", "operations.normalize"): {
        "syntax-mode-only": ("mode, chosen.grammar", '"syntax", chosen.grammar'),
    },
    ("rfc2396", "rfc.recomposition.recompose_parts"): {
        "7-empty-query-dropped": ("if query is not None", "if query"),
    },
    ("rfc2396", "rfc.resolution._directory"): {
        "6-last-segment-kept": ('path[: path.rfind("/") + 1]', "path"),
    },
    ("rfc2396", "rfc.resolution._transform_rfc2396"): {
        "4-empty-authority-inherits": ("if authority is not None:", "if authority:"),
        "5-dots-removed": (
            "(scheme, base_authority, path, query, fragment)",
            "(scheme, base_authority, remove_dots(path), query, fragment)",
        ),
        "6-query-inherited": (
            "(scheme, base_authority, merged, query, fragment)",
            "(scheme, base_authority, merged, query or base[3], fragment)",
        ),
        "6-dots-kept": ("remove_dots(_directory(rooted) + path)", "_directory(rooted) + path"),
    },
    ("rfc2396", "rfc.resolution.resolve_rfc2396"): {
        "2-query-is-the-same-document": (" and query is None", ""),
        "3-dropped": ("if scheme is None:", "if True:"),
    },
    ("rfc2732", "rfc.recomposition.recompose_parts"): {
        "recomposed-without-authority": ("//{authority}", "//{authority.strip('[]')}"),
    },
    ("rfc3986", "rfc.recomposition.recompose_authority"): {
        "userinfo-dropped": ("if userinfo is None", "if not userinfo"),
    },
    ("rfc3986", "rfc.normalization._decode"): {
        "reserved-decoded": ("char in unreserved", "char.isprintable()"),
        "nothing-decoded": ("char in unreserved", "char in ()"),
    },
    ("rfc3986", "rfc.normalization._normalize_host"): {
        "host-kept": (
            "normalize_triplets(host, unreserved).lower()",
            "normalize_triplets(host, unreserved)",
        ),
        "triplets-of-the-host-lowered": ("match[0].upper()", "match[0].lower()"),
    },
    ("rfc3986", "rfc.normalization.normalize_triplets"): {
        "hex-digits-kept": ("match[0].upper()", "match[0]"),
    },
    ("rfc3986", "rfc.normalization.normalize_rfc3986"): {
        "dots-before-triplets": (
            "path = remove_dot_segments(path)",
            "path = normalize_triplets(remove_dot_segments(parts.path), unreserved)",
        ),
        "dots-kept": ("path = remove_dot_segments(path)", "pass"),
        "dots-of-relative-references": ("if scheme is not None:", "if True:"),
        "scheme-kept": ("parts.scheme.lower()", "parts.scheme"),
        "path-folded": (
            "normalize_triplets(parts.path, unreserved)",
            "normalize_triplets(parts.path.lower(), unreserved)",
        ),
        "userinfo-folded": ("percent(parts.userinfo)", "percent(parts.userinfo and parts.userinfo.lower())"),
        "query-folded": ("percent(parts.query)", "percent(parts.query and parts.query.lower())"),
    },
    ("rfc3986", "rfc.recomposition.recompose_parts"): {
        "fragment-dropped": ("text if fragment is None", "text if not fragment"),
        "empty-authority-dropped": ("path if authority is None", "path if not authority"),
    },
    ("rfc3986", "rfc.resolution._transform_rfc3986"): {
        "own-scheme-dots-kept": (
            (
                'nothing is inherited", f"{scheme}:")\n            _note_buffers(path, note)\n'
                "        return scheme, authority, remove_dot_segments(path)"
            ),
            'nothing is inherited", f"{scheme}:")\n        return scheme, authority, path',
        ),
        "own-authority-dots-kept": (
            (
                'only the scheme is inherited", f"{scheme}:")\n            _note_buffers(path, note)\n'
                "        return scheme, authority, remove_dot_segments(path)"
            ),
            'only the scheme is inherited", f"{scheme}:")\n        return scheme, authority, path',
        ),
        "empty-authority-inherits": ("if authority is not None:", "if authority:"),
        "empty-query-inherits": ("base_query if query is None else query", "query or base_query"),
        "query-not-inherited": ("base_query if query is None else query", "query"),
        "fragment-of-the-base": (
            "base_query, _ = base",
            "base_query, inherited = base\n    fragment = fragment or inherited",
        ),
        "rooted-dots-kept": (
            "base_authority, remove_dot_segments(path)",
            'base_authority, path if reference[2].startswith("/") else remove_dot_segments(path)',
        ),
        "merged-dots-kept": (
            "base_authority, remove_dot_segments(path)",
            'base_authority, remove_dot_segments(path) if reference[2].startswith("/") else path',
        ),
    },
    ("rfc3986", "rfc.resolution.merge"): {
        "merge-always-with-slash": ("if base_authority is not None and not base_path", "if not base_path"),
        "merge-without-slash": ('return f"/{path}"', "return path"),
        "merge-keeps-last-segment": ('base_path[: base_path.rfind("/") + 1]', 'base_path + "/"'),
    },
    ("rfc3986", "rfc.resolution.remove_dot_segments"): {
        "rooted-seen-as-without-dots": ('path.find("/.")', 'path.find("/..")'),
        "rooted-2B-inside": ('elif segment != ".":', "else:"),
        "rooted-2B-end": ('in (".", "..")', 'in ("..",)'),
        "rooted-2C-removes-nothing": ("output.pop()", "pass"),
        "rooted-2C-removes-nothing-before": ('path.rfind("/", 0, end) if end else 0', "end"),
        "rooted-2C-removes-two": ("output.pop()", "del output[-2:]"),
        "rooted-2C-removes-all-before": ('path.rfind("/", 0, end) if end else 0', "0"),
        "rooted-2C-beyond-the-root": (" if end else 0", ""),
        "rooted-2C-kept": ('if segment == "..":', 'if segment == "..." :'),
        "rooted-2C-end-without-slash": ('in (".", "..")', 'in (".",)'),
        "rooted-2E-empty-segment-lost": ('elif segment != ".":', 'elif segment not in (".", ""):'),
        "rooted-slash-doubled": ("path[end + 1 :]", "path[end:]"),
    },
    ("rfc3986", "rfc.resolution._rootless"): {
        "2A-dot-dot": ('path.startswith("../", start)', "not path"),
        "2A-dot": ('path.startswith("./", start) or', ""),
        "2B-end": ('path.endswith("/.")', "not path"),
        "2B-end-without-slash": ('[*output, "/"]', "[*output]"),
        "2C-removes-nothing": ("del output[-1:]", "pass"),
        "2C-removes-two": ("del output[-1:]", "del output[-2:]"),
        "2C-end-removes-nothing": ('[*output[:-1], "/"]', '[*output, "/"]'),
        "2C-end-without-slash": ('[*output[:-1], "/"]', "[*output[:-1]]"),
        "2D-dot-dot-kept": ('in (".", "..")', 'in (".",)'),
        "2D-dot-kept": ('in (".", "..")', 'in ("..",)'),
        "2E-slash-lost": ("            start = following", "            start = following + 1"),
        "2E-nothing-moved": (
            "output.append(path[start:following])",
            "output.append(path[start : following - 1])",
        ),
        "2E-slash-doubled": ('path.find("/", start + 1)', 'path.rfind("/", start + 1)'),
    },
}

CASES = [
    pytest.param(spec, where, *change, id=f"{spec[3:]}-{name}")
    for (spec, where), changes in FAULTS.items()
    for name, change in changes.items()
]


@pytest.mark.parametrize(("spec", "where", "before", "after"), CASES)
def test_fault_is_noticed(spec, where, before, after, verdicts, plant):
    """A step left out, done twice or done to the wrong part fails at least one vector."""
    plant(where, before, after)
    found = verdicts(spec, "resolve", "recompose", "normalize")
    assert any(verdict.outcome.failing for _, verdict in found)
