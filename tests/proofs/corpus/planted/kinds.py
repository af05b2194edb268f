"""Faults of each kind of `kinds.json`: bugs of software that embeds a URL library, by kind and name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from urllib.parse import quote, unquote

from urlharness.corpus.model import OPERATIONS

from .base import about_of_inner_document
from .changes import Besides, respelled
from .changes import answer as answer_with
from .decode.file import second_segment_as_host
from .decode.others import without_incomplete_triplet
from .extract import (
    cut_by_wide_characters,
    cut_in_text,
    finds_with,
    ipv4_ends_host,
    marks,
    marks_after_slashes,
    takes_into_url,
    white_space_in_userinfo,
    without_longer_ones,
)
from .faults import (
    REJECTED,
    Ask,
    Fault,
    Question,
    Reply,
    compares,
    decodes,
    equates,
    finds,
    normalizes,
    reads,
    recomposed,
    rejects,
    shows,
    strips,
    text,
    tolerates,
    writes,
    writes_other,
)
from .texts import (
    HIGH_TRIPLET,
    Change,
    collapse,
    decoded,
    encode_percent,
    encoded,
    has,
    inside,
    lower_triplets,
    sub,
    upper_triplets,
)

LAYERS = ("embedded", "encapsulating", "retrieval", "default")
INVISIBLE = "[\u00ad\u200b\u200d\u2060\ufeff]"
BLANKS = "[\u0085\u00a0\u2003\u2028\u202f\u3000]"

#: Letters that case folding, and digits that a class of digits, takes for ASCII.
FOREIGN = str.maketrans("\u0130\u0131\u017f\u212a", "iisk")


def _folded(url: str) -> str:
    """Return the text with letters and digits of other scripts replaced by those of ASCII."""
    return unicodedata.normalize("NFKC", re.sub(r"\d", _ascii_digit, url.translate(FOREIGN)))


def _lower(match: re.Match[str]) -> str:
    return match[0].lower()


def _upper(match: re.Match[str]) -> str:
    return match[0].upper()


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.digit(match[0]))


# Faults of all operations.


def _everywhere(change: Change) -> Fault:
    """Change the text of every operation: the one that it reads, or else the one that it writes."""
    reading = reads("to_uri", change)

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        # a URI that is written has only triplets of the characters that a change seeks
        if question["op"] == "to_uri":
            return reading.answer(question, right, ask)
        return answer_with(Besides(change), question, right, ask)

    return Fault(tuple(OPERATIONS), answer)


def _replaced_octets(url: str) -> str:
    """Decode octets that are no UTF-8 to U+FFFD."""
    return re.sub(f"(?:{HIGH_TRIPLET})+", lambda match: unquote(match[0]), url)


def _compatible(url: str) -> str:
    """Decode the octets of UTF-8, and replace characters by those that are compatible with them."""
    return unicodedata.normalize("NFKC", _replaced_octets(url))


def _quoted_instead_of_refused(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Encode what is beyond ASCII in a text that is refused."""
    url = text(question["url"])
    is_foreign = right["status"] == "reject" and not url.isascii()
    return {"status": "ok", "url": quote(url, safe="%/:?=&@#[]")} if is_foreign else right


# Faults in finding a base.


def _fragment_to_slash(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Remove the fragment of the base up to its next slash only."""
    for layer in LAYERS:
        if question.get(layer) is not None:
            _, _, fragment = text(question[layer]).partition("#")
            if "/" in fragment and right["status"] == "ok":
                return {**right, "base": right["base"] + fragment[fragment.index("/") :]}
            break
    return right


def _without_fragment_mark(question: Question, _right: Reply, ask: Ask) -> Reply:
    """Take the fragment of the base for a part of its path."""
    return ask({**question, "base": text(question["base"]).replace("#", "%23")})


def _with_base(change: Change) -> Fault:
    """Resolve against a changed base."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        base = text(question["base"])
        changed = change(base)
        return right if changed == base else ask({**question, "base": changed})

    return Fault(("resolve",), answer)


def _with_layer(layer: str, change: Change) -> Fault:
    """Find the base with one layer changed."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        if question.get(layer) is None:
            return right
        url = text(question[layer])
        changed = change(url)
        return right if changed == url else ask({**question, layer: changed})

    return Fault(("base",), answer)


def _base_for_equal_letters(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Give the base if the reference differs from it in case alone."""
    base = text(question["base"])
    is_alike = text(question["reference"]).lower() == base.lower()
    return {**right, "url": base} if is_alike else right


def _outer_layer(outer: str, inner: str) -> Fault:
    """Prefer the base of an outer layer."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        has_both = question.get(outer) is not None and question.get(inner) is not None
        return ask({**question, inner: None}) if has_both else right

    return Fault(("base",), answer)


def _other_scheme_refused(question: Question, right: Reply, _ask: Ask) -> Reply:
    """Take no base from a retrieval by another scheme than http."""
    retrieval = question.get("retrieval")
    is_other = retrieval is not None and not text(retrieval).startswith("http")
    return REJECTED if is_other else right


# Faults of reading and writing.


def _is_utf_8(url: str) -> bool:
    try:
        unquote(url, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def _has_wrong_punycode(url: str) -> bool:
    labels = re.findall(r"xn--([^./:@?#]*)", url)
    try:
        for label in labels:
            label.encode("ascii").decode("punycode")
    except UnicodeError:
        return True
    return "" in labels


def _compressed(url: str) -> str:
    """Write an address in brackets in its shortest form."""
    return re.sub(r"\[[0-9a-f:.]+\]", lambda match: respelled(match[0], "compressed"), url)


def _ports_modulo(modulus: int) -> Change:
    """Return a function that writes each port as the remainder of a division."""
    return sub(r":(\d+)(?=/|$)", lambda match: f":{int(match[1]) % modulus}")


def _without_default_port(url: str) -> str:
    """Keep 16 bits of a port, and drop the default ports of some schemes."""
    return re.sub(":(?:80|21|23)(?=/)", "", _ports_modulo(1 << 16)(url))


def _port_as_number(url: str) -> str:
    return re.sub(r":(\d+)(?=/)", lambda match: f":{int(match[1])}", url)


def _quoted_printable(document: str, url: str) -> str:
    """Take an equals sign at a line end for a soft line break."""
    return url.replace("=", "", 1) if re.search("=\r?\n", document) else url


def _continued_lines(question: Question, right: Reply, ask: Ask) -> Reply:
    """Take a backslash at a line end for the mark of a continued line."""
    document = text(question["text"])
    changed = document.replace("\\\n", "")
    return right if changed == document else ask({**question, "text": changed})


def _drops_from_text(characters: str) -> Fault:
    """Drop characters, given as a pattern, before URLs are sought."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        document = text(question["text"])
        changed = re.sub(characters, "", document)
        return right if changed == document else ask({**question, "text": changed})

    return Fault(("extract",), answer)


def _decodes_changed(change: Change) -> Fault:
    """Decode the changed text if the one that was given is refused."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        url = text(question["url"])
        changed = change(url)
        if right["status"] != "reject" or changed == url:
            return right
        reply = ask({**question, "url": changed})
        return reply if reply["status"] == "ok" else right

    return Fault(("decode",), answer)


def _misses_beside(before: str, after: str) -> Fault:
    """Miss a URL whose delimiters stand between two patterns."""

    def unless_beside(document: str, url: str) -> str | None:
        beside = re.search(f"{before}<(?:URL:)?{re.escape(url)}>{after}", document)
        return None if beside else url

    return finds(unless_beside)


def _cut_by_bytes(question: Question, right: Reply, ask: Ask) -> Reply:
    """End the text one character earlier for each byte beyond one of a character."""
    document = text(question["text"])
    count = len(document.encode()) - len(document)
    return ask({**question, "text": document[:-count]}) if count else right


def _each_once(_question: Question, right: Reply, _ask: Ask) -> Reply:
    """Find a URL once that a text has twice."""
    urls: list[list[str]] = []
    for readings in right["urls"]:
        if readings not in urls:
            urls.append(readings)
    return right if urls == right["urls"] else {**right, "urls": urls}


def _backslash_as_slash(question: Question, right: Reply, ask: Ask) -> Reply:
    """Take a backslash for a slash."""
    document = text(question["text"])
    changed = document.replace("\\", "/")
    return right if changed == document else ask({**question, "text": changed})


def _cut_at_braces(question: Question, right: Reply, ask: Ask) -> Reply:
    """Leave out braces and what stands between them."""
    document = text(question["text"])
    changed = re.sub(r"\{[^{}]*\}", "", document)
    return right if changed == document else ask({**question, "text": changed})


def _balanced(_document: str, url: str) -> str:
    """Drop final parentheses that close none in the URL."""
    shortened = url
    while shortened.endswith(")") and shortened.count(")") > shortened.count("("):
        shortened = shortened[:-1]
    return shortened


#: The faults by kind; a kind whose vectors are all open has none.
FAULTS: Mapping[str, Mapping[str, Fault]] = {
    "base-fragment": {
        "ends_fragment_of_base_at_slash": Fault(("base",), _fragment_to_slash),
        "takes_fragment_of_base_for_path": Fault(("resolve",), _without_fragment_mark),
    },
    "base-dots": {
        "removes_dots_at_beginning_of_base": _with_base(sub(r"(?<=a)/\.\.?(?=/)", "", 1)),
        "takes_dots_of_base_for_name": _with_base(sub(r"(?<=[^/])/\.\.?(?=/)", "/x", 1)),
        "strips_dots_of_relative_base": _with_layer("embedded", lambda base: base.lstrip(".")),
    },
    "base-case": {
        "takes_reference_in_other_case_for_base": Fault(("resolve",), _base_for_equal_letters),
        "resolves_to_small_letters": writes_other("resolve", lambda _, right: right.lower()),
        "lowers_embedded_base": _with_layer("embedded", str.lower),
    },
    "base-retrieval": {
        "decodes_retrieval": _with_layer("retrieval", decoded("[2-7][0-9a-f]")),
        "drops_login_of_retrieval": _with_layer("retrieval", sub("//[^/@]*@", "//")),
        "refuses_other_scheme_of_retrieval": Fault(("base",), _other_scheme_refused),
    },
    "base-header": {
        "searches_name_in_header": _with_layer("header", sub("^.+(?=Base:)", "")),
        "ignores_what_follows_header": _with_layer("header", sub("(?<=>).+$", "")),
    },
    "base-layers": {
        "prefers_encapsulating": _outer_layer("encapsulating", "embedded"),
        "prefers_retrieval": _outer_layer("retrieval", "encapsulating"),
        "prefers_default": _outer_layer("default", "retrieval"),
    },
    "equivalent-component": {
        "ignores_login": equates(sub("//[^/@]*@", "//")),
        "ignores_port": equates(sub(r":\d+(?=/)", "")),
        "ignores_query": equates(sub(r"\?[^#]*", "")),
        "ignores_gopher_search": equates(sub("%09.*", "")),
    },
    "equivalent-case": {
        "ignores_case": equates(str.lower),
        "ignores_case_of_paths": equates(sub("(?<=[^/])/[^?#]*", lambda match: match[0].lower())),
    },
    "equivalent-escape": {
        "decodes_before_comparison": equates(unquote),
        "compares_escapes_as_text": compares(lambda first, second, equal: equal and first == second),
    },
    "equivalent-empty": {
        "takes_empty_login_for_none": equates(sub("//:?@", "//")),
        "takes_slashes_for_one": equates(lambda url: collapse(url.partition("://")[2])),
        "ignores_last_slash": equates(lambda url: url.rstrip("/")),
    },
    "equivalent-drive": {
        "ignores_case_of_drive": equates(sub("/[A-Za-z]:", lambda match: match[0].lower())),
        "takes_bar_for_colon": equates(lambda url: url.replace("%7C", ":").replace("%3A", ":")),
    },
    "octets": {
        "refuses_octets_that_are_no_utf_8": rejects(lambda url: not _is_utf_8(url)),
        "replaces_octets_that_are_no_utf_8": writes(lambda url: quote(unquote(url), safe="%/:?=&@#[]")),
        "compares_decoded_text": equates(unquote),
        "decodes_octets_to_replacement_character": _everywhere(_replaced_octets),
        "drops_order_mark": decodes(
            "prospero", lambda view, _: {"hsoname": str(view["hsoname"]).lstrip("\ufeff")}
        ),
    },
    "decoded-once": {
        "decodes_twice": decodes("mailto", lambda view, _: {"address": unquote(str(view["address"]))}),
        "reads_angle_brackets_of_address": decodes(
            "mailto", lambda view, _: {"address": str(view["address"]).strip("<>")}
        ),
        "takes_first_of_addresses": decodes(
            "mailto", lambda view, _: {"address": str(view["address"]).partition(",")[0]}
        ),
    },
    "unicode-invisible": {
        "ignores_invisible_characters": tolerates(sub(INVISIBLE, "")),
        "ignores_order_mark_at_beginning": tolerates(lambda url: url.removeprefix("\ufeff")),
        "drops_invisible_characters": _everywhere(sub(INVISIBLE, "")),
        "drops_invisible_characters_of_texts": _drops_from_text(INVISIBLE),
    },
    "unicode-digits": {
        "takes_other_scripts_for_ascii": tolerates(_folded),
        "writes_digits_and_letters_of_ascii": _everywhere(_folded),
        "folds_header": _with_layer("header", _folded),
    },
    "unicode-blanks": {
        "strips_blanks": tolerates(str.strip),
        "ignores_blanks": tolerates(sub(BLANKS, "")),
        "drops_blanks": _everywhere(sub(BLANKS, "")),
        "ignores_blanks_of_header": _with_layer("header", sub(BLANKS, "")),
    },
    "unicode-escaped": {
        "compares_compatible_characters": equates(lambda url: unicodedata.normalize("NFKC", unquote(url))),
        "drops_invisible_characters": normalizes(sub("%C2%AD|%E2%80%8[BD]", "")),
        "writes_compatible_characters": _everywhere(_compatible),
        "refuses_escaped_soft_hyphen": rejects(has("%C2%AD")),
    },
    "punycode": {
        "refuses_wrong_punycode": rejects(_has_wrong_punycode),
        "decodes_ascii_labels": equates(sub("xn--([a-z]+)-?(?=[./])", r"\1")),
        "drops_prefix": _everywhere(sub("(?i:xn--)", "")),
    },
    "brackets": {
        "ignores_signs_and_blanks_in_groups": tolerates(sub(r"(?<=[\[:0-9])[-+_ ](?=[0-9\]])", "")),
        "shortens_addresses": writes(_compressed),
        "shortens_addresses_everywhere": _everywhere(_compressed),
        "compares_last_group_as_port": equates(sub(r":80\]", "]:80")),
        "takes_last_group_for_port": shows(
            lambda parts: {"port": "80"} if parts.get("host") == "[::1:80]" else None
        ),
    },
    "numbers": {
        "compares_16_bits_of_ports": equates(_without_default_port),
        "keeps_16_bits_of_ports": recomposed(_ports_modulo(1 << 16)),
        "keeps_16_bits_of_ports_everywhere": _everywhere(_ports_modulo(1 << 16)),
        "writes_ports_as_numbers": writes(_port_as_number),
        "refuses_large_ports": rejects(has(r":\d{6,}(?=/)")),
    },
    "line-ends": {
        "takes_equals_sign_for_soft_break": finds(_quoted_printable),
        "continues_lines_at_backslashes": Fault(("extract",), _continued_lines),
    },
    "length": {
        "refuses_more_than_8192": rejects(lambda url: len(url) > 8192),
        "compares_4096": equates(lambda url: url[:4096]),
        "cuts_at_2048": _everywhere(lambda url: url[:2048]),
        "cuts_at_8192": finds(lambda _, url: url[:8192]),
        "writes_2048": recomposed(lambda url: url[:2048]),
    },
    "field-order": {
        "sorts_fields": decodes("prospero", lambda view, _: {"fields": sorted(view["fields"] or [])}),
        "keeps_one_field_of_a_name": decodes(
            "prospero",
            lambda view, _: {"fields": [[name, field] for name, field in dict(view["fields"] or ()).items()]},
        ),
    },
    "hex-digits": {
        "writes_capital_digits": writes(upper_triplets),
        "writes_small_digits": writes(lower_triplets),
    },
    "escaped-percent": {
        "uppers_digits_after_escaped_percent": writes(sub("%25[0-9A-Fa-f]{2}", _upper)),
        "decodes_escaped_percent": normalizes(sub("%25", "%")),
        "decodes_percent_first": _everywhere(sub("%25", "%")),
        "escapes_percent_once_more": recomposed(encode_percent),
        "refuses_escaped_percent_without_digits": rejects(has("%25(?![0-9A-Fa-f]{2})")),
        "equates_text_after_escaped_percent": equates(sub("%25[0-9A-Fa-f]{2}", _upper)),
    },
    "absent-part": {
        "adds_default_port": decodes("", lambda view, _: {"port": view.get("port") or "23"}),
        "takes_user_for_password": shows(
            lambda parts: {"password": parts["user"]} if parts.get("user") and not parts["password"] else None
        ),
    },
    "kept-case": {
        "lowers_text_after_at_sign": writes(sub("@[^/?#]*$", _lower)),
        "lowers_everything": _everywhere(str.lower),
        "lowers_domain_of_article": decodes(
            "news", lambda view, _: {"article": sub("@.*", _lower)(view["article"] or "") or None}
        ),
        "finds_text_after_at_sign_in_small_letters": finds(lambda _, url: sub("@.*", _lower)(url)),
    },
    "closing-marks": {
        "drops_repeated_parentheses": strips(r"(?<=\))\)+"),
        "drops_unbalanced_parentheses": finds(_balanced),
        "drops_marks_before_final_parenthesis": finds(lambda _, url: sub(r"[.,!]+\)$", ")")(url)),
    },
    "wide-characters": {
        "counts_code_units": Fault(("extract",), cut_by_wide_characters),
        "counts_bytes": Fault(("extract",), _cut_by_bytes),
    },
    "opaque-retrieval": {
        "prefers_about": Fault(("base",), about_of_inner_document),
        "prefers_any_retrieval": _outer_layer("retrieval", "embedded"),
    },
    "several-urls": {
        "misses_url_that_begins_like_earlier_one": Fault(("extract",), without_longer_ones),
        "finds_each_url_once": Fault(("extract",), _each_once),
    },
    "foreign-port": {
        "ignores_port_80": equates(sub(":80(?=/)", ""), mode="scheme"),
        "drops_known_ports": writes(sub(":(?:80|21|23|70)(?=/)", "")),
    },
    "alike-schemes": {
        "takes_https_for_http": equates(sub("^https:", "http:")),
        "compares_beginnings_of_schemes": equates(lambda url: url[:3] + url.partition(":")[2]),
    },
    "backslashes": {
        "takes_backslash_into_url": takes_into_url(r"\\"),
        "takes_backslash_for_slash": Fault(("extract",), _backslash_as_slash),
    },
    "compared-delimiters": {
        "decodes_before_comparison": equates(unquote),
        "decodes_paths_before_comparison": equates(inside("path", unquote)),
    },
    "forbidden-characters": {
        "takes_bar_into_url": takes_into_url(r"\|"),
        "takes_caret_and_grave_accent_into_url": takes_into_url("[`^]"),
        "cuts_at_braces": Fault(("extract",), _cut_at_braces),
    },
    "last-characters": {
        "drops_final_at_sign": strips("@"),
        "drops_exclamation_mark_and_slash": strips("!/"),
        "drops_final_dollar": strips(r"\$"),
        "drops_plus_and_parenthesis": strips(r"\+\)"),
    },
    "escapes-of-schemes": {
        "decodes_percent_of_gopher": recomposed(
            lambda right: right.replace("%25", "%") if right.startswith("gopher:") else right
        ),
        "decodes_slash_of_wais": shows(
            lambda parts: (
                {"database": parts["database"].replace("%2f", "/")} if parts.get("database") else None
            )
        ),
        "decodes_article_twice": decodes(
            "news", lambda view, _: {"article": unquote(view["article"] or "") or None}
        ),
    },
    "foreign-text": {
        "takes_ideographs_into_url": takes_into_url("[\u4e00-\u9fff]"),
        "takes_all_beyond_ascii_into_url": takes_into_url(r"[^\x00-\x7f]"),
    },
    "escaped-delimiters": {
        "decodes_slashes": recomposed(decoded("2f")),
        "decodes_delimiters_of_iris": writes_other("to_iri", lambda _, right: decoded("2f")(right)),
        "decodes_delimiters_of_login": recomposed(inside("authority", decoded("40|3a"))),
        "cuts_name_at_escaped_type": decodes(
            "ftp", lambda view, _: {"name": str(view["name"]).partition(";type=")[0]} if view["name"] else {}
        ),
        "drops_slashes_at_beginning": decodes(
            "ftp", lambda view, _: {"cwd": [str(name).lstrip("/") for name in view["cwd"]]}
        ),
    },
    "local-hosts": {
        "takes_capital_localhost_for_remote": decodes(
            "file", lambda view, _: {"local": view["host"] in ("", "localhost")}
        ),
        "takes_names_below_localhost_for_local": decodes(
            "file", lambda view, _: {"local": True} if "localhost" in view["host"].lower() else {}
        ),
    },
    "square-brackets": {
        "takes_closing_bracket_into_url": takes_into_url(r"\]"),
        "takes_both_brackets_into_url": takes_into_url(r"[\[\]]"),
    },
    "empty-paths": {
        "ends_at_number_sign_after_host": finds(lambda _, url: sub("^([^:/?#]*://[^/?#]+)#.*", r"\1")(url)),
        "drops_port_without_path": finds(lambda _, url: sub("(?<=[^:/]):[0-9]+$", "")(url)),
    },
    "invisible-places": {
        "takes_zero_width_space_into_url": finds_with(marks_after_slashes("\u200b")),
        "takes_order_mark_into_url": finds_with(marks_after_slashes("\ufeff"), quote),
        "drops_soft_hyphens_of_texts": _drops_from_text("\u00ad"),
    },
    "typographic-marks": {
        "takes_closing_quotation_marks_into_url": finds_with(marks_after_slashes("[\u2019\u201d]")),
        "drops_dashes_of_texts": _drops_from_text("[\u2013\u2014]"),
    },
    "white-space-places": {
        "keeps_white_space_in_userinfo": finds(white_space_in_userinfo),
        "ends_at_tab_before_port": finds(cut_in_text(r"\t(?=:)")),
    },
    "neighbours": {
        "misses_url_after_letter": _misses_beside("[A-Za-z]", ""),
        "misses_url_before_order_mark": _misses_beside("", "\ufeff"),
        "misses_url_between_dollars": _misses_beside(r"\$", r"\$"),
    },
    "broken-escapes": {
        "takes_percent_sign_at_end_into_url": finds_with(marks("%(?=>)")),
        "drops_incomplete_triplet_at_end": Fault(("decode",), without_incomplete_triplet),
        "keeps_percent_signs_without_digits": _decodes_changed(sub("%(?![0-9A-Fa-f]{2})", "%25")),
        "encodes_percent_signs_without_digits": tolerates(
            sub("%(?![0-9A-Fa-f]{2})", "%25"), ("to_uri", "to_iri")
        ),
    },
    "unsafe-decoded": {
        "decodes_bars": _decodes_changed(encoded("[|]")),
        "strips_white_space_before_decoding": _decodes_changed(str.strip),
        "encodes_what_is_beyond_ascii": Fault(("to_iri",), _quoted_instead_of_refused),
        "decodes_what_is_beyond_ascii": _decodes_changed(lambda url: quote(url, safe="%/:?=&@#[]{}|~")),
    },
    "names-like-addresses": {
        "ends_after_four_numbers": finds(ipv4_ends_host),
        "takes_name_for_address": equates(sub(r"(//(?:\d+\.){3}\d+)\.[^/]+", r"\1")),
        "ends_name_after_four_numbers": _everywhere(sub(r"((?:\d+\.){3}\d+)[^/:?#]+", r"\1")),
        "refuses_name_that_begins_with_four_numbers": rejects(has(r"//(?:\d+\.){3}\d+[^\d/]")),
    },
    "edges": {
        "drops_final_ampersand_of_query": recomposed(inside("query", lambda query: query.rstrip("&"))),
        "drops_first_dot_of_fragment": recomposed(inside("fragment", lambda part: part.lstrip("."))),
        "drops_last_delimiter": _everywhere(sub("[.;&=]+(?=#|$)", "")),
        "drops_final_semicolon_of_search": decodes(
            "http", lambda view, _: {"search": str(view["search"]).rstrip(";")} if view["search"] else {}
        ),
    },
    "forbidden-places": {
        "takes_grave_accent_into_url": takes_into_url("`"),
        "takes_braces_into_url": takes_into_url("[{}]"),
    },
    "scheme-alone": {
        "adds_slashes_after_file": recomposed(sub("^file:(?=[?#]|$)", "file://")),
        "adds_slash_after_scheme": writes(sub("^([a-z-]+:)(?=[?#]|$)", r"\1/")),
        "adds_slash_after_scheme_everywhere": _everywhere(sub("^([a-z-]+:)(?=[?#]|$)", r"\1/")),
        "refuses_scheme_before_fragment": rejects(has("^[^:/?#]+:#")),
    },
    "roots": {
        "ignores_slash_before_text": equates(sub("^((?:[^:/?#]+:)?)/(?=[^/?#])", r"\1")),
        "ignores_slashes_after_colon": equates(sub(":/+", ":")),
    },
    "first-labels": {
        "ignores_www_and_digits": equates(sub(r"(?<=//)www\d*\.", "")),
        "ignores_label_of_mobile_pages": equates(sub(r"(?<=//)m\.", "")),
    },
    "capitals-of-both": {
        "lowers_first_alone": compares(lambda _, second, equal: equal and second == second.lower()),
        "lowers_second_alone": compares(lambda first, _, equal: equal and first == first.lower()),
    },
    "file-segments": {
        "takes_segment_after_empty_one_for_host": decodes("file", second_segment_as_host),
        "drops_empty_directories": decodes(
            "file", lambda view, _: {"directories": [name for name in view["directories"] if name]}
        ),
    },
}  # fmt: skip
