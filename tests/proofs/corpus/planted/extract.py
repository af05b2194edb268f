"""Faults in finding URLs in a text (RFC 3986, appendix C)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote

from .faults import Ask, Fault, Question, Reply, cuts_at, finds, misses, strips, text
from .texts import Change, encode_percent, encoded, host_of_url, inside, join, split, sub, without_userinfo


def colon_after_host(_document: str, url: str) -> str:
    """End the URL at the first colon after its host."""
    match = re.match("[^:]*://[^/?#]*[^:]*(?=:)", url)
    return match[0] if match else url


def colon_ends_path(_document: str, url: str) -> str:
    """End the URL at a colon in its path."""
    parts = split(url)
    path, colon, _ = parts.path.partition(":")
    is_cut = colon and parts.authority is not None
    return join(parts._replace(path=path, query=None, fragment=None)) if is_cut else url


def cut_after_slashes(pattern: str) -> Fault:
    """Cut the URL before the first match of a pattern after the slashes."""

    def cut(_document: str, url: str) -> str:
        scheme, slashes, after = url.partition("://")
        return scheme + slashes + re.split(pattern, after, maxsplit=1)[0]

    return finds(cut)


def cut_in_text(blanks: str) -> Callable[[str, str], str]:
    """Return a function that cuts the URL where the text has some white space in it."""

    def cut(document: str, url: str) -> str:
        gaps = [(match.start(), match.end()) for match in re.finditer(blanks, document)]
        for end in range(1, len(url)):
            for gap, after in gaps:
                if not document.startswith(url[end], after):
                    continue
                for hyphen in ("", "-"):  # a hyphen at the end of a line may have been dropped
                    if document.endswith(url[:end] + hyphen, 0, gap):
                        return url[:end] + hyphen
        return url

    return cut


def mark_ends_http(_document: str, url: str) -> str:
    """End a web URL at a colon, a quotation mark, an angle bracket or a parenthesis."""
    match = re.match(r"https?://[^\s:\"'<>)]+", url)
    return match[0] if match else url


def up_to_bracket(_document: str, url: str) -> str:
    """Find a URL up to a bracket."""
    return url.partition("[")[0]


def underscore_ends_host(_document: str, url: str) -> str:
    """End the URL at an underscore in its host."""
    match = re.match("[^:/?#]*://[^/?#_]*(?=_)", url)
    return match[0] if match else url


def to_white_space(document: str, url: str) -> str:
    """Cut a URL where white space stands in the text."""
    return next((url[:end] for end in range(len(url), 3, -1) if url[:end] in document), url)


def past_quote(document: str, url: str) -> str:
    """Go on after a quotation mark to the last letter or digit before a space."""
    match = re.search(re.escape(url) + r'"\S*[A-Za-z0-9]', document)
    return match[0] if match else url


def to_space(document: str, url: str) -> str:
    """Return everything from the start of a URL to the next whitespace."""
    start = document.find(url)
    return url if start < 0 else document[start:].split(maxsplit=1)[0]


def embedded_url(url: str) -> str:
    """Return the encoded URL in a URL, if there is one."""
    match = re.search(r"(?i)https?%3a%2f%2f.*", url)
    return unquote(match[0]) if match else url


def to_last_bracket(document: str, url: str) -> str | None:
    """Extend the first URL in brackets to the last closing bracket, and miss those that it swallows."""
    match = re.search("<(?:URL:)?([A-Za-z][A-Za-z0-9+.-]*:.*)>", document, re.DOTALL)
    extended = re.sub(r"\s", "", match[1]) if match else url
    if extended.startswith(url):
        return extended
    return None if url in extended else url


def quoted(document: str, url: str) -> bool:
    """Tell if the URL stands between double quotes."""
    return f'"{url}"' in document


def bare_bracket_before(document: str, url: str) -> str | None:
    """Miss a URL in brackets if another bracket precedes them."""
    return None if re.search(rf"<\w[^<>]*<{re.escape(url)}>", document) else url


def host_after_underscore(_document: str, url: str) -> str:
    """Return only the end of a host with an underscore."""
    host = split(url).authority or ""
    return host.rpartition("_")[2] if "_" in host else url


def with_prefix(document: str, url: str) -> str:
    """Find a URL together with the letters URL before it."""
    return f"URL:{url}" if f"URL:{url}" in document else url


def hyphen_ends_path(_document: str, url: str) -> str:
    """End the URL at the first hyphen of its path."""
    parts = split(url)
    path, hyphen, _ = parts.path.partition("-")
    return join(parts._replace(path=path, query=None, fragment=None)) if hyphen else url


def quote_in_path(document: str, url: str) -> str:
    """Take double quotes for characters of a path that begins with a slash."""
    parts = split(url)
    if not parts.path.startswith("/") or (parts.query, parts.fragment) != (None, None):
        return url
    match = re.search(re.escape(url) + '"[A-Za-z0-9._~!$&\'()*+,;=:@%/"-]*', document)
    return match[0] if match else url


def with_white_space(document: str, url: str) -> str:
    """Find the URL with the white space that stands inside it."""
    if url in document:
        return url
    match = re.search(r"\s*".join(map(re.escape, url)), document)
    return match[0] if match else url


def shifted(document: str, url: str) -> str:
    """Shift the URL by the number of characters before it that are two units of UTF-16."""
    start = document.find(url)
    if start < 0:
        return url
    shift = sum(character > "\uffff" for character in document[:start])
    return document[start + shift : start + shift + len(url)]


def letter_begins_last_label(url: str) -> bool:
    """Tell if the last label of the host begins with a letter, or if there is no host."""
    host = host_of_url(url)
    return host == "" or host.rpartition(".")[2][:1].isalpha()


def finds_with(mark: Change, write: Change = str) -> Fault:
    """Find URLs with characters that no URL has, which are marked by their code points before."""
    unmark = sub("qzx([0-9a-f]+)xzq", lambda match: write(chr(int(match[1], 16))))

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        document = text(question["text"])
        marked = mark(document)
        if marked == document:
            return right
        reply = ask({**question, "text": marked})
        urls = [[unmark(reading) for reading in readings] for readings in reply["urls"]]
        return {"status": "ok", "urls": urls}

    return Fault(("extract",), answer)


def past_bracket(document: str, url: str) -> str:
    """Take a closing bracket for a part of the URL if a letter, a digit or a slash follows it."""
    match = re.search(rf"<({re.escape(url)}>[A-Za-z0-9/]\S*)", document)
    return match[1] if match else url


def cut_by_wide_characters(question: Question, right: Reply, ask: Ask) -> Reply:
    """End the text one character earlier for each that has two code units in UTF-16."""
    document = text(question["text"])
    count = len(re.findall(r"[\U00010000-\U0010ffff]", document))
    return ask({**question, "text": document[:-count]}) if count else right


def without_longer_ones(_question: Question, right: Reply, _ask: Ask) -> Reply:
    """Miss a URL of which an earlier one is the beginning."""
    urls: list[list[str]] = []
    for readings in right["urls"]:
        if not any(readings[0].startswith(earlier[0]) for earlier in urls):
            urls.append(readings)
    return right if urls == right["urls"] else {"status": "ok", "urls": urls}


def takes_into_url(characters: str) -> Fault:
    """Take characters for those of a URL: they end none, and stay in it."""

    def answer(question: Question, right: Reply, ask: Ask) -> Reply:
        document = text(question["text"])
        changed = re.sub(characters, "x", document)
        if changed == document:
            return right
        reply = ask({**question, "text": changed})
        urls = []
        for readings in reply["urls"]:
            written = []
            for url in readings:
                start = changed.find(url)
                written.append(url if start < 0 else document[start : start + len(url)])
            urls.append(written)
        return {"status": "ok", "urls": urls}

    return Fault(("extract",), answer)


def marks(characters: str) -> Change:
    """Return a function that marks these characters, given as a pattern."""
    return sub(characters, lambda match: f"qzx{ord(match[0]):x}xzq")


def white_space_in_userinfo(document: str, url: str) -> str:
    """Take white space after the colon of an authority into the URL if an at sign follows."""
    match = re.match("([^:/?#]*://[^/?#@:]*:)([^/?#]*@.*)?$", url)
    if not match:
        return url
    rest = r"[^\s<>\"/?#]*@[^\s<>\"]*" if match[2] is None else re.escape(match[2])
    extended = re.search(rf"{re.escape(match[1])}\s+{rest}", document)
    return extended[0] if extended else url


def without_end_before_text(document: str, url: str) -> str:
    """Drop an equals sign or a slash at the end of a URL that more text follows."""
    has_text_after = re.search("[A-Za-z0-9]", document.partition(url)[2]) is not None
    return re.sub("[=/]$", "", url) if has_text_after else url


def exclamation_mark_ends_path(_document: str, url: str) -> str:
    """End the URL after an exclamation mark in its path."""
    match = re.match("(?:[^:/?#]*:)?(?://[^/?#]*)?[^!?#]*!", url)
    return match[0] if match else url


def password_as_mail(_document: str, url: str) -> str:
    """Find only the password, the at sign and the host, as an address of mail."""
    match = re.match("[^:/?#]*://[^/?#@]*:([^/?#@:]+@[^/?#:]+)", url)
    return f"mailto:{match[1]}" if match else url


def ipv4_ends_host(_document: str, url: str) -> str:
    """End the URL after four numbers at the beginning of a host that goes on."""
    match = re.match(r"([^:/?#]*://(?:[^/?#@]*@)?(?:[0-9]{1,3}\.){3}[0-9]{1,3})[^:/?#0-9]", url)
    return match[1] if match else url


def marks_after_slashes(characters: str) -> Change:
    """Return a function that marks these characters after two slashes."""
    return sub(r"""(?<=://)[^\s<>"]*""", lambda match: marks(characters)(match[0]))


def marks_in_path(characters: str) -> Change:
    """Return a function that marks these characters in paths."""
    return sub(
        r"""(?<=://)([^\s<>"/]+)(/[^\s<>"?#]*)""", lambda match: match[1] + marks(characters)(match[2])
    )


FAULTS: Mapping[str, Fault] = {
    "cuts_text_by_characters_beyond_16_bits": Fault(("extract",), cut_by_wide_characters),
    "decodes_all": finds(lambda _, url: unquote(url)),
    "drops_all_but_letters_and_digits_at_end": strips("[^A-Za-z0-9]+"),
    "drops_all_final_marks": finds(lambda _, url: url.rstrip(".,?!:;\"'") or None),
    "drops_final_asterisks": strips(r"\*+"),
    "drops_final_at_sign_of_path": finds(lambda _, url: re.sub("^([^?#]*)@$", r"\1", url)),
    "drops_final_dots_and_commas": strips("[.,]+"),
    "drops_final_equals_sign_or_slash_before_text": finds(without_end_before_text),
    "drops_final_equals_signs": strips("=+"),
    "drops_final_exclamation_mark_and_slash": strips("!/"),
    "drops_final_exclamation_marks_and_apostrophes": strips("[!']+"),
    "drops_final_hyphens": strips("-+"),
    "drops_final_parentheses": strips("[)]+"),
    "drops_final_parenthesis_with_its_opening_one": finds(
        lambda _, url: url[:-1] if url.endswith(")") and "(" in url else url
    ),
    "drops_final_plus_signs": strips(r"\++"),
    "drops_final_semicolons": strips("[;]+"),
    "drops_final_slash": strips("/"),
    "drops_final_underscores": strips("_+"),
    "drops_repeated_final_parentheses": strips(r"(?<=\))\)+"),
    "drops_scheme_of_one_letter": finds(lambda _, url: re.sub("^[A-Za-z]:(?=//)", "", url)),
    "drops_unbalanced_final_parenthesis": finds(
        lambda _, url: url[:-1] if url.endswith(")") and url.count("(") < url.count(")") else url
    ),
    "drops_underscores_around_text": finds(lambda _, url: re.sub("_([^_]+)_", r"\1", url)),
    "drops_userinfo": finds(lambda _, url: without_userinfo(url)),
    "encodes_brackets": finds(lambda _, url: encoded(r"[\[\]]")(url)),
    "encodes_percent": finds(lambda _, url: encode_percent(url)),
    "ends_after_closing_parenthesis": cuts_at(r"(?<=\))"),
    "ends_after_exclamation_mark_in_path": finds(exclamation_mark_ends_path),
    "ends_after_ipv4_at_beginning_of_host": finds(ipv4_ends_host),
    "ends_at_apostrophe": cuts_at("'"),
    "ends_at_apostrophe_or_asterisk": cuts_at("['*]"),
    "ends_at_asterisk_in_fragment": finds(lambda _, url: inside("fragment", sub(r"\*.*", ""))(url)),
    "ends_at_at_sign": cuts_at("@"),
    "ends_at_at_sign_in_authority": finds(lambda _, url: re.sub("^([^:/?#]*://[^/?#@]*)@.*", r"\1", url)),
    "ends_at_at_sign_in_path": finds(
        lambda _, url: re.sub("^((?:[^:/?#]*:)?(?://[^/?#]*)?[^@?#]*)@.*", r"\1", url)
    ),
    "ends_at_bracket_comma_or_asterisk": cuts_at(r"[)\],*]"),
    "ends_at_closing_bracket": cuts_at(r"\]"),
    "ends_at_colon_after_host": finds(colon_after_host),
    "ends_at_colon_and_at_sign": cuts_at(":@"),
    "ends_at_colon_in_fragment": finds(lambda _, url: inside("fragment", sub(":.*", ""))(url)),
    "ends_at_colon_in_path": finds(colon_ends_path),
    "ends_at_colon_of_long_userinfo": finds(
        lambda _, url: sub("^([^:/?#]*://[^:/?#@]*):[^/?#@]{26,}@.*", r"\1")(url)
    ),
    "ends_at_colon_or_semicolon_after_slashes": cut_after_slashes("[:;]"),
    "ends_at_comma": cuts_at(","),
    "ends_at_comma_in_query": finds(lambda _, url: sub(r"(\?[^,#]*),.*", r"\1")(url)),
    "ends_at_dollar": cuts_at(r"\$"),
    "ends_at_dollar_or_asterisk": cuts_at("[$*]"),
    "ends_at_exclamation_mark": cuts_at("!"),
    "ends_at_hyphen_after_apostrophe": cuts_at("(?<=')-"),
    "ends_at_hyphen_in_path": finds(hyphen_ends_path),
    "ends_at_line_break": finds(cut_in_text(r"\r?\n\s*")),
    "ends_at_mark_in_http": finds(mark_ends_http),
    "ends_at_number_sign": cuts_at("#"),
    "ends_at_number_sign_after_host": finds(lambda _, url: re.sub("^([^:/?#]*://[^/?#]*)#.*", r"\1", url)),
    "ends_at_number_sign_after_mark": cuts_at("(?<![A-Za-z0-9/])#"),
    "ends_at_opening_bracket": finds(up_to_bracket),
    "ends_at_opening_parenthesis": cuts_at(r"\("),
    "ends_at_parenthesis": cuts_at("[()]"),
    "ends_at_parenthesis_or_semicolon": cuts_at("[();]"),
    "ends_at_percent": cuts_at("%"),
    "ends_at_query": finds(lambda _, url: re.sub(r"^([^?#]*)\?.*", r"\1", url)),
    "ends_at_query_after_host": finds(lambda _, url: re.sub(r"^([^:/?#]*://[^/?#]*)\?.*", r"\1", url)),
    "ends_at_query_after_port": finds(
        lambda _, url: re.sub(r"^([^:/?#]*://[^/?#]*:[0-9]+(?:/[^?#]*)?)\?.*", r"\1", url)
    ),
    "ends_at_question_mark_after_host": finds(lambda _, url: sub(r"^([^:/?#]*://[^/?#]*)\?.*", r"\1")(url)),
    "ends_at_semicolon": cuts_at(";"),
    "ends_at_semicolon_or_exclamation_mark": cuts_at("[;!]"),
    "ends_at_some_sub_delims": cuts_at("[!;$*]"),
    "ends_at_space": finds(cut_in_text(" +")),
    "ends_at_tilde": cuts_at("~"),
    "ends_at_two_exclamation_marks": cuts_at("!!"),
    "ends_at_underscore_in_host": finds(underscore_ends_host),
    "ends_at_underscore_in_query": finds(lambda _, url: re.sub(r"^([^?#]*\?[^_#]*)_.*", r"\1", url)),
    "ends_at_white_space": finds(to_white_space),
    "ends_before_port": finds(
        lambda _, url: re.sub(r"^([^:/?#]*://(?:[^/?#@]*@)?[^/?#@:\[\]]*):[0-9].*", r"\1", url)
    ),
    "extends_past_bracket_before_text": finds(past_bracket),
    "extends_past_quote": finds(past_quote),
    "extends_to_last_bracket": finds(to_last_bracket),
    "extends_to_white_space": finds(to_space),
    "finds_encoded_url_in_it": finds(lambda _, url: embedded_url(url)),
    "finds_password_and_host_as_mail": finds(password_as_mail),
    "keeps_white_space_in_url": finds(with_white_space),
    "lowers_scheme_and_authority": finds(
        lambda _, url: re.sub("^[A-Za-z]+://[^/?#]*", lambda match: match[0].lower(), url)
    ),
    "misses_address_in_brackets": finds(lambda _, url: None if "[" in (split(url).authority or "") else url),
    "misses_angle_brackets": finds(lambda document, url: None if f"<{url}" in document else url),
    "misses_apostrophe": misses("'"),
    "misses_authority_without_letter_or_digit_first": misses("^(?!(?i:https?):)[^:]*://(?![A-Za-z0-9])"),
    "misses_bracket_after_two_slashes": misses(r"^[^:/?#]*://\["),
    "misses_broken_line": finds(lambda document, url: url if url in document else None),
    "misses_capital_scheme": misses("^[^:/?#]*[A-Z][^:/?#]*:"),
    "misses_host_whose_last_label_begins_with_no_letter": finds(
        lambda _, url: url if letter_begins_last_label(url) else None
    ),
    "misses_host_without_dot": misses("^[^:]*://[^/?#.]*(?:[/?#]|$)"),
    "misses_quoted_url": finds(lambda document, url: None if quoted(document, url) else url),
    "misses_scheme_of_one_letter": misses("^.:"),
    "misses_scheme_of_three_letters_or_fewer": misses("^[^:]{1,3}:"),
    "misses_scheme_with_digit": misses("^[^:]*[0-9][^:]*:"),
    "misses_scheme_with_dot": misses(r"^[^:]*\.[^:]*:"),
    "misses_scheme_with_hyphen": misses("^[^:]*-[^:]*:"),
    "misses_schemes_but_web": misses("^(?!(?i:https?):)"),
    "misses_schemes_but_web_and_ftp": misses("^(?!(?i:https?|ftps?)://)"),
    "misses_schemes_but_web_ftp_and_mailto": finds(
        lambda _, url: url if re.match("(?i:https?|ftp|mailto):", url) else None
    ),
    "misses_short_or_long_scheme": misses("^(?![A-Za-z-]{3,5}:)"),
    "misses_triplet": misses("%"),
    "misses_underscore_in_host": finds(lambda _, url: None if "_" in host_of_url(url) else url),
    "misses_unknown_top_level_domain": finds(
        lambda _, url: (
            url
            if re.search(r"\.(?:com|net|org|edu|gov|[a-z]{2})(?=[:/?#]|$)", split(url).authority or "")
            else None
        )
    ),
    "misses_url_after_other_bracket": finds(bare_bracket_before),
    "misses_url_that_begins_like_earlier_one": Fault(("extract",), without_longer_ones),
    "misses_url_without_slash": misses("^[^/]*$"),
    "misses_userinfo_of_more_than_64_characters": misses("^[^:/?#]*://[^/?#@]{65,}@"),
    "shifts_url_after_characters_of_two_units": finds(shifted),
    "starts_after_underscore_in_host": finds(host_after_underscore),
    "takes_angle_bracket_after_it": finds(lambda document, url: f"{url}>" if f"<{url}>" in document else url),
    "takes_any_angle_bracket_after_it": finds(
        lambda document, url: f"{url}>" if f"{url}>" in document else url
    ),
    "takes_bar_for_character_of_url": takes_into_url(r"\|"),
    "takes_brackets_for_characters_of_path": finds_with(marks_in_path(r"[\[\]]")),
    "takes_byte_order_mark_into_url_and_encodes_it": finds_with(marks_after_slashes("\ufeff"), quote),
    "takes_closing_bracket_into_path_and_encodes_it": finds_with(marks_in_path(r"\]"), quote),
    "takes_closing_quotation_mark_into_url": finds_with(marks_after_slashes("[\u2019\u201d]")),
    "takes_grave_accent_into_url": takes_into_url("`"),
    "takes_letters_beyond_ascii_for_path": finds_with(marks_in_path(r"[^\W\d_\x00-\x7f]")),
    "takes_backslash_into_url": takes_into_url(r"\\"),
    "takes_capital_scheme_for_host": finds(
        lambda _, url: f"https://{url.replace(':', '', 1)}" if re.match("[^:]*[A-Z]", url) else url
    ),
    "takes_characters_beyond_ascii_into_url": takes_into_url(r"[^\x00-\x7f]"),
    "takes_opening_quote_before_it": finds(lambda document, url: f'"{url}' if f'"{url}' in document else url),
    "takes_prefix_before_it": finds(with_prefix),
    "takes_quote_after_it": finds(lambda document, url: f'{url}"' if f'{url}"' in document else url),
    "takes_quote_for_character_of_path": finds(quote_in_path),
    "takes_quotes_around_it": finds(lambda document, url: f'"{url}"' if quoted(document, url) else url),
    "takes_space_into_url": takes_into_url(" "),
    "takes_tab_into_url": takes_into_url(r"\t"),
    "takes_url_with_at_sign_for_mail": finds(
        lambda document, url: f"mailto:{url}" if "@" in url and f"<{url}>" in document else url
    ),
    "takes_white_space_into_userinfo": finds(white_space_in_userinfo),
}
