"""The corpus notices each of the faults that are planted in the oracle.

Each table maps a specification and a function, constant or grammar file to faults: a piece of its text, and
the text in its place.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from urloracle.rfcs import SPECIFICATIONS

Faults = Mapping[tuple[str, str], Mapping[str, tuple[str, str]]]

#: Wrong grammars, automata, profiles and components.
SYNTAX = {
    ("rfc1738", "grammar.notation._Reader._element"): {
        "brackets-after-repetition": ('token.text == "(" or groups', 'token.text == "("'),
    },
    ("rfc1738", "automata.positions._Builder._build_repetition"): {
        "repetition-always-optional": ("loop.nullable or minimum == 0", "True"),
    },
    ("rfc1738", "rfc1738.bnf"): {
        "user-in-http": ('"http://" hostport', '"http://" login'),
        "empty-address": ("encoded822addr = 1*xchar", "encoded822addr = *xchar"),
        "scheme-in-upper-case": ("1*[ lowalpha |", "1*[ alpha |"),
        "scheme-of-nothing": ("1*[ lowalpha |", "*[ lowalpha |"),
        "typecode-lost": ('"a" | "i" | "d"\n\n;!section 3.10', '"a" | "i"\n'),
        "numeric-top-label": ("= alpha | alpha *[", "= digit | alpha | alpha *["),
        "empty-port": ("port           = digits", "port = *digit"),
        "slash-in-search": ("search         = *[ uchar", 'search = *[ "/" | uchar'),
        "tilde": ('safe           = "$"', 'safe = "~" | "$"'),
        "host-in-file": ('[ host | "localhost" ]', "host"),
        "no-empty-database": ("database       = *uchar", "database = 1*uchar"),
        "article-number-needed": ('group [ "/" digits ]', 'group "/" digits'),
        "article-without-sender": ("article        = 1*[", "article = *["),
        "field-without-name": ("fieldname      = *[", "fieldname = 1*["),
        "path-in-telnet": ('login [ "/" ]', 'login [ "/" fpath ]'),
    },
    ("rfc1738", "rfc.captures.SPLITTINGS"): {
        "empty-host-is-none": ("host=file-host", "host"),
        "schemepart-lost": ('("schemepart", *(', '("schemepart=ip-schemepart", *('),
        "gopher-fields-in-disorder": ("*_GOPHER_FIELDS", "*_GOPHER_FIELDS[:1], *_GOPHER_FIELDS[:0:-1]"),
        "group-in-grouppart": ("grouppart=every", "grouppart"),
    },
    ("rfc1738", "rfc.schemes._dividing_fields"): {
        "no-fields-is-empty-list": ("pairs or None", "pairs"),
        "fields-swapped": ('(name or "", content or "")', '(content or "", name or "")'),
    },
    ("rfc1738", "rfc.schemes.asdict"): {
        "gopher-plus-misnamed": ('pop("gopher_plus_string")', 'pop("search")'),
    },
    ("rfc1738", "rfc.schemes.reader_rfc1738"): {
        "port-lost": (
            "match.groups()",
            '[None if kind._fields[n] == "port" else text for n, text in enumerate(match.groups())]',
        ),
    },
    ("rfc1738", "specification.Specification._is_judged_by_scheme"): {
        "scheme-specific-for-all": ('!= "generic"', '!= ""'),
    },
    ("rfc1738", "specification.Specification.default_profile"): {
        "generic-by-default": ('"scheme-specific" if', '"generic" if'),
    },
    ("rfc1808", "automata.dfa.LazyAutomaton.longest_viable_prefix"): {
        "offset-at-the-end": ("Prefix(length, state)", "Prefix(len(text), state)"),
    },
    ("rfc1808", "rfc.captures.SPLITTINGS"): {
        name: ("Splitting(_RFC1808,", f"Splitting(_RFC1808 + {rule!r},")
        for name, rule in {
            "scheme-of-nothing": 'scheme = *( alpha | digit | "+" | "-" | "." )\n',
            "scheme-without-plus": 'scheme = 1*( alpha | digit | "-" | "." )\n',
            "location-ends-at-question": 'net_loc = *( pchar | ";" )\n',
            "last-semicolon": 'from-root = "/" *( pchar | "/" | ";" )\n',
            "params-before-query": 'params = *( pchar | "/" | "?" )\n',
            "no-empty-segment": "from-root = rooted\n",
        }.items()
    },
    ("rfc1808", "automata.positions._Builder._join"): {
        "sequence-may-be-skipped": (
            "right.last | left.last if right.nullable else right.last",
            "right.last | left.last",
        ),
    },
    ("rfc1808", "rfc1808.bnf"): {
        "question-ends-location": ('pchar | ";" | "?" )', 'pchar | ";" )'),
        "empty-first-segment": ("fsegment    = 1*pchar", "fsegment = *pchar"),
        "slash-ends-parameters": ('*( pchar | "/" )', "*( pchar )"),
        "second-fragment": ("fragment    =  *( uchar", 'fragment = *( "#" | uchar'),
        "plus-in-scheme": ('( alpha | digit | "+" |', "( alpha | digit |"),
    },
    ("rfc2396", "automata.dfa.Subsets._positions_after"): {
        "followers-forgotten": ("following |= self._follow", "following = self._follow"),
    },
    ("rfc2396", "rfc.captures.SPLITTINGS"): {
        "userinfo-lost": (
            '_RFC2396, {"URI-reference": _URI_2396}',
            '_RFC2396, {"URI-reference": (*_URI_2396[:2], "authority/userinfo=none", *_URI_2396[3:])}',
        ),
    },
    ("rfc2396", "regex.pattern._Attempt.split_of"): {
        "absent-parts-last": ("self.absent + match.groups()", "match.groups() + self.absent"),
    },
    ("rfc2396", "regex.pattern.Pattern.splitter"): {
        "first-branch-alone": (
            "parts = every.split(text) if rare and rare in text else usual.split_by_others(text)",
            "parts = every.split(text) if rare and rare in text else None",
        ),
    },
    ("rfc2396", "regex.pattern.Trial.split_by_others"): {
        "last-branch-first": ("for attempt in attempts:", "for attempt in reversed(attempts):"),
    },
    ("rfc2396", "rfc2396.bnf"): {
        "question-in-authority": (
            '= 1*( unreserved | escaped | "$" |',
            '= 1*( unreserved | "?" | escaped | "$" |',
        ),
        "empty-opaque-part": ("uric_no_slash *uric", "*uric"),
        "digit-first": ("= alpha *( alpha | digit |", "= alphanum *( alpha | digit |"),
        "no-final-dot": ('toplabel [ "." ]', "toplabel"),
        "port-not-empty": ("port          = *digit", "port = 1*digit"),
        "tilde": ('"!" | "~" | "*"', '"!" | "*"'),
        "colon-in-userinfo": (
            '";" | ":" | "&" | "=" | "+" | "$" | "," )\n\nhostport',
            '";" | "&" | "=" | "+" | "$" | "," )\n\nhostport',
        ),
        "empty-authority": ('= [ [ userinfo "@" ] hostport ]', '= [ userinfo "@" ] hostport'),
    },
    ("rfc2732", "regex.pattern.Trial.split"): {
        "first-branch-alone": ("self.split_by_others(text)", "None"),
    },
    ("rfc2732", "grammar.grammar.Grammar.overlay"): {
        "overlay-without-effect": ("{**self.rules, **added.rules}", "{**added.rules, **self.rules}"),
    },
    ("rfc2732", "language._open_rules"): {
        "rules-without-the-outer": ("position.stack + position.folded", "position.stack[-1:]"),
    },
    ("rfc2732", "rfc2732.bnf"): {
        "address-of-four-digits": ("IPv4address   = 1*3digit", "IPv4address = 1*4digit"),
        "no-closing-bracket": ('"$" | "," | "[" | "]"\nunwise', '"$" | "," | "["\nunwise'),
    },
    ("rfc2732", "rfcs.RFC2732"): {
        "overlay-missing": ('"rfc2396.bnf", "rfc2732.bnf"', '"rfc2396.bnf",'),
    },
    ("rfc3986", "automata.dfa.LazyAutomaton.longest_viable_prefix"): {
        "offset-one-too-far": ("Prefix(length, state)", "Prefix(length + 1, state)"),
    },
    ("rfc3986", "regex.pattern.Pattern.splitter"): {
        "empty-is-none": ("kind, match.groups()", "kind, [part or None for part in match.groups()]"),
    },
    ("rfc3986", "specification.Specification.rules"): {
        "default-rule": ("default_rule=self.default_rule", 'default_rule="URI"'),
    },
    ("rfc3986", "rfc.captures.SPLITTINGS"): {
        "query-and-fragment-swapped": ('_PATH_3986, "query", "fragment"', '_PATH_3986, "fragment", "query"'),
    },
    ("rfc3986", "grammar.expression.literal"): {
        "literals-fold-the-wrong-way": ("if fold_case", "if not fold_case"),
    },
    ("rfc3986", "grammar.notation._Reader._repetition"): {
        "one-more-than-the-bound": ("int(high) if high", "int(high) + 1 if high"),
    },
    ("rfc3986", "grammar.alphabet.spans"): {
        "set-without-its-first": ("sorted(letters)", "sorted(letters)[1:]"),
    },
    ("rfc3986", "rfc3986.abnf"): {
        "query-swallowed": ("pchar         = unreserved /", 'pchar = "?" / unreserved /'),
        "fragment-in-query": ('query         = *( pchar / "/"', 'query = *( pchar / "#" / "/"'),
        "octet-256": ("%x30-35", "%x30-36"),
        "five-digits": ("1*4HEXDIG", "1*5HEXDIG"),
        "colon-in-first-segment": ('sub-delims / "@" )', 'sub-delims / "@" / ":" )'),
        "two-slashes": ('[ segment-nz *( "/" segment ) ]', '[ segment *( "/" segment ) ]'),
        "version-of-nothing": ('"v" 1*HEXDIG', '"v" *HEXDIG'),
        "tilde": ('"_" / "~"', '"_"'),
        "apostrophe": ('"&" / "\'" /', '"&" /'),
        "one-hex-digit": ('"%" HEXDIG HEXDIG', '"%" HEXDIG'),
        "no-empty-path": ("path-rootless\n              / path-empty\n\n;", "path-rootless\n\n;"),
        "question-in-query": ('query         = *( pchar / "/" / "?" )', 'query = *( pchar / "/" )'),
        "zero-width-elision": ("*6( h16", "*7( h16"),
    },
}

#: Wrong steps of resolution, recomposition and normalization.
ALGORITHMS = {
    ("rfc1808", "rfc.recomposition.recompose_rfc1808"): {
        "7-params-after-query": ('f"{text};{params}"', 'f"{text}?{params}"'),
    },
    ("rfc1808", "rfc.resolution._directory"): {
        "6-last-segment-kept": ('path[: path.rfind("/") + 1]', 'path + "/"'),
    },
    ("rfc1808", "rfc.resolution._remove_or_keep"): {
        "6c-removes-dots": ('if output and output[-1] != "..":', "if output:"),
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
            "            _remove_or_keep(output)\n        elif",
            "            del output[-1:]\n        elif",
        ),
        "6d-last-dots-kept": ('if last == "..":', 'if last == "":'),
    },
    ("rfc1808", "rfc.resolution.resolve_rfc1808"): {
        "2a-without-fragment": (
            "return _sole_result(base_text)",
            'return _sole_result(base_text.partition("#")[0])',
        ),
        "2b-not-verbatim": (
            "return _sole_result(reference_text)",
            'return _sole_result(reference_text.partition("#")[0])',
        ),
    },
    ("rfc1808", "rfcs._resolver_rfc1808"): {
        "base-unknown": ('if base == "":', "if base is None:"),
    },
    ("rfc2396", "rfc.normalization.normalize_rfc2396"): {
        "host-kept": ("parts.host.lower()", "parts.host"),
        "scheme-kept": ("parts.scheme.lower()", "parts.scheme"),
        "default-port-kept": ("None if parts.port == default else parts.port", "parts.port"),
        "port-dropped": ("None if parts.port == default else parts.port", "None"),
    },
    ("rfc2396", "operations.normalize"): {
        "syntax-mode-only": ("mode, rfc.grammar", '"syntax", rfc.grammar'),
    },
    ("rfc2396", "rfc.recomposition.recompose_parts"): {
        "7-empty-query-dropped": ("if query is not None", "if query"),
    },
    ("rfc2396", "rfc.resolution.merge"): {
        "6-last-segment-kept": ('base_path[: base_path.rfind("/") + 1]', "base_path"),
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
        "6-dots-kept": ("remove_dots(joined)", "joined"),
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
        "reserved-decoded": ("char in characters", "char.isprintable()"),
        "nothing-decoded": ("char in characters", "char in ()"),
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
        "userinfo-folded": (
            "_normalize_triplets_if_present(parts.userinfo, unreserved)",
            "_normalize_triplets_if_present(parts.userinfo and parts.userinfo.lower(), unreserved)",
        ),
        "query-folded": (
            "_normalize_triplets_if_present(parts.query, unreserved)",
            "_normalize_triplets_if_present(parts.query and parts.query.lower(), unreserved)",
        ),
    },
    ("rfc3986", "rfc.recomposition.recompose_parts"): {
        "fragment-dropped": ("text if fragment is None", "text if not fragment"),
        "empty-authority-dropped": ("path if authority is None", "path if not authority"),
    },
    ("rfc3986", "rfc.resolution._transform_rfc3986"): {
        "own-scheme-dots-kept": (
            (
                'nothing is inherited", f"{scheme}:"))\n            _note_buffers(path, note)\n'
                "        return scheme, authority, remove_dot_segments(path)"
            ),
            'nothing is inherited", f"{scheme}:"))\n        return scheme, authority, path',
        ),
        "own-authority-dots-kept": (
            (
                'only the scheme is inherited", f"{scheme}:"))\n            _note_buffers(path, note)\n'
                "        return scheme, authority, remove_dot_segments(path)"
            ),
            'only the scheme is inherited", f"{scheme}:"))\n        return scheme, authority, path',
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
    ("rfc3986", "rfc.resolution._remove_dots_of_rootless"): {
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

#: Wrong choices among answers that the rulings leave open.
VARIANTS = {
    ("rfc1738", "automata.dfa.Subsets.row"): {
        "folded-after-the-colon": ("before_colon and kind != self._colon", "before_colon"),
    },
    ("rfc1738", "rfc1738-prose.bnf"): {
        "octet-256": ('"4" | "5" ) )\nnonzero', '"4" | "5" | "6" ) )\nnonzero'),
    },
    ("rfc1738", "rfc1738.bnf"): {
        "http-not-folded": ("otherurl httpurl ftpurl", "otherurl ftpurl"),
    },
    ("rfc1738", "rfc.captures.SPLITTINGS"): {
        "login-not-split": ('f"schemepart/{name}"', 'f"schemepart/{name}=none"'),
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
            "return split_pattern",
            (
                'read = split_pattern("rfc1808", "URL", languages).splitter(RelativeURL)\n'
                "    change = lambda parts: parts and parts._replace(query=parts.query or None)\n"
                "    return lambda text: change(read(text))\n"
                "    return split_pattern"
            ),
        ),
    },
    ("rfc2396", "rfc.captures.SPLITTINGS"): {
        "opaque-part-not-divided": (
            "Splitting(_RFC2396, ",
            'Splitting(_RFC2396.replace("opaque_part    =", "opaque_part = uric_no_slash *uric\\nnone ="), ',
        ),
    },
    ("rfc2396", "rfc.normalization.normalize_rfc2396"): {
        "escapes-kept": ('and scheme == "http"', 'and scheme == "x"'),
    },
    ("rfc2396", "operations.normalize"): {
        "normalized-in-scheme-mode": ("mode, rfc.grammar", '"scheme", rfc.grammar'),
    },
    ("rfc2396", "rfc.resolution.merge"): {
        "6-merge-without-slash": ('f"/{path}"', "path"),
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
            "base_parts is None:\n            raise rules.refusal(base, rules.absolute)",
            (
                "base_parts is None or base_parts[4] is not None:\n"
                '            raise rules.refusal(base, "absolute-URI")'
            ),
        ),
    },
}


def fault_cases(faults: Faults, prefix: str = ""):
    """Return a parameter for each fault of the functions whose names begin with the prefix."""
    return [
        pytest.param(spec, location_of_fault, *change, id=f"{spec[3:]}-{name}")
        for (spec, location_of_fault), changes in faults.items()
        if location_of_fault.startswith(prefix)
        for name, change in changes.items()
    ]


def planted(faults: Faults):
    """Return the parametrization by all faults, of which every third is not `long`."""
    parametrization = pytest.mark.parametrize(("spec", "location", "before", "after"), fault_cases(faults))
    return lambda test: pytest.mark.sampled(6)(parametrization(test))


@planted(SYNTAX)
@pytest.mark.sampled(2)
def test_a_fault_of_syntax_fails_a_vector(spec, location, before, after, verdicts, plant):
    """A verdict, an offset, an open rule or a component is wrong."""
    plant(location, before, after)
    assert any(verdict.outcome.failing for _, verdict in verdicts(spec))


@planted(ALGORITHMS)
@pytest.mark.sampled(4)
def test_a_fault_of_an_algorithm_fails_a_vector(spec, location, before, after, verdicts, plant):
    """A step is left out, done twice, or done to the wrong part."""
    plant(location, before, after)
    judged = verdicts(spec, "resolve", "recompose", "normalize")
    assert any(verdict.outcome.failing for _, verdict in judged)


@planted(VARIANTS)
def test_a_fault_in_an_open_answer_changes_a_variant(spec, location, before, after, verdicts, plant):
    """No vector fails, but one has another variant than without the fault."""
    variants = [verdict.variant for _, verdict in verdicts(spec)]
    plant(location, before, after)
    judged = list(verdicts(spec))
    assert [vector for vector, verdict in judged if verdict.outcome.failing] == []
    assert [verdict.variant for _, verdict in judged] != variants


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_without_a_fault_nothing_fails(verdicts, spec):
    """The control: specifications made anew fail no vector, so each failure above is due to its fault."""
    assert [vector for vector, verdict in verdicts(spec) if verdict.outcome.failing] == []
