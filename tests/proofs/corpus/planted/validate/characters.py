"""Faults in telling which characters a URL may have, and how many (RFC 3986, section 2)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..components import component_has, is_local, whole_text
from ..faults import CRASHED, Fault, crashes, rejects, rejects_parts, tolerates
from ..texts import TRIPLET, Change, encoded, has, in_query_and_fragment, inside, lone_percent_to_letter, sub


def after_authority(change: Change) -> Change:
    """Return a function that changes what follows scheme and authority."""
    return sub(r"^((?:[^/?#]*:)?(?://[^/?#]*)?)(.*)$", lambda match: match[1] + change(match[2]))


UNRESERVED = "%(?i:2[DE]|3[0-9]|4[1-9A-F]|5[0-9A]|5F|6[1-9A-F]|7[0-9A]|7E)"


def escapes_of_two_kinds(url: str) -> bool:
    """Tell if a letter or digit is encoded, and a quote, angle or other unwise character, too."""
    unwise = "%(?i:20|22|3C|3E|60|5E|7[BCD])"
    return re.search(UNRESERVED, url) is not None and re.search(unwise, url) is not None


FAULTS: Mapping[str, Fault] = {
    "accepts_angle_brackets": tolerates(sub("[<>]", "_")),
    "accepts_angle_brackets_around_url": tolerates(sub("^<(?:URL:)?(.*)>$", r"\1")),
    "accepts_backslash_as_slash": tolerates(lambda url: url.replace("\\", "/")),
    "accepts_blank_in_authority": tolerates(inside("authority", sub(r"\s", "a"))),
    "accepts_braces_bar_and_caret": tolerates(sub(r"[{}|^`]", "%7C")),
    "accepts_brackets_after_authority": tolerates(after_authority(encoded(r"[\[\]]"))),
    "accepts_controls": tolerates(sub(r"[\x00-\x1f\x7f]", "_")),
    "accepts_delete": tolerates(sub(r"[\x7f]", "%7F")),
    "accepts_double_quote": tolerates(sub('"', "%22")),
    "accepts_double_quote_after_authority": tolerates(after_authority(encoded('"'))),
    "accepts_emoji": tolerates(sub("[\U00010000-\U0010ffff]", "%F0%9F%8C%8D")),
    "accepts_final_newline": tolerates(sub(r"\n$", "")),
    "accepts_leading_blanks": tolerates(sub("^ +", "")),
    "accepts_leading_controls": tolerates(sub(r"^[\x00-\x1f]+", "")),
    "accepts_letters_beyond_latin_1": tolerates(sub(r"[\u00a0-\ud7ff]", "%C3%A9")),
    "accepts_lone_percent": tolerates(sub(r"%(?![0-9A-Fa-f]{2})", "%25")),
    "accepts_lone_percent_after_authority_of_http": tolerates(
        sub("^((?i:https?)://[^/?#]*)(.*)", lambda match: match[1] + lone_percent_to_letter(match[2]))
    ),
    "accepts_lone_percent_in_authority": tolerates(inside("authority", sub("%(?![0-9A-Fa-f]{2})", "a"))),
    "accepts_lone_percent_in_authority_by_encoding": tolerates(
        inside("authority", sub("%(?![0-9A-Fa-f]{2})", "%25"))
    ),
    "accepts_lone_percent_in_path": tolerates(inside("path", sub("%(?![0-9A-Fa-f]{2})", "a"))),
    "accepts_lone_percent_in_query_and_fragment": tolerates(
        in_query_and_fragment(sub("%(?![0-9A-Fa-f]{2})", "%25"))
    ),
    "accepts_newlines": tolerates(sub(r"[\t\r\n]", "a")),
    "accepts_newlines_by_dropping_them": tolerates(sub(r"[\t\r\n]", "")),
    "accepts_non_ascii": tolerates(sub(r"[\u0080-\ud7ff]", "%C3%A9")),
    "accepts_nul": tolerates(sub("\0", "")),
    "accepts_percent_before_other_letters": tolerates(sub("%(?=[0-9A-Za-z]{2})(?![0-9A-Fa-f]{2})", "%25")),
    "accepts_percent_u_escape": tolerates(sub("%[uU][0-9A-Fa-f]{4}", "%41")),
    "accepts_space": tolerates(sub(" ", "%20")),
    "accepts_space_in_data": tolerates(
        lambda url: url.replace(" ", "%20") if url.startswith("data:") else url
    ),
    "accepts_space_in_path": tolerates(inside("path", sub(" ", "%20"))),
    "accepts_tab_and_form_feed": tolerates(sub(r"[\t\f]", "a")),
    "accepts_trailing_blanks": tolerates(sub(" +$", "")),
    "accepts_truncated_triplet_at_end": tolerates(sub("%[0-9A-Fa-f]$", "")),
    "crashes_at_question_mark_or_semicolon_in_fragment": rejects(has("#.*[?;]"), CRASHED),
    "crashes_at_triplet_at_end": rejects(has(f"{TRIPLET}$"), CRASHED),
    "crashes_at_truncated_triplet": crashes(has("%[0-9A-Fa-f]?(?:[/?&=#]|$)")),
    "rejects_encoded_brackets": rejects(has("%5[BbDd]")),
    "rejects_encoded_delimiter_after_other_octet": rejects(has("%[89A-Fa-f][0-9A-Fa-f]%2[0-9A-Ca-cFf]")),
    "rejects_lower_case_triplets": rejects(has(r"%(?:[a-f][0-9A-Fa-f]|[0-9A-F][a-f])")),
    "rejects_marks_after_host": rejects(has(r"^(?i:https?|ftp)://[^/]*/.*[$'()*,;~]")),
    "rejects_percent": rejects(has("%")),
    "rejects_percent_in_http": rejects(has("^(?i:https?)://.*%")),
    "rejects_percent_in_http_and_ftp": rejects(has("^(?i:https?|ftp)://.*%")),
    "rejects_percent_in_local_reference": rejects_parts(
        lambda parts: is_local(parts) and "%" in whole_text(parts)
    ),
    "rejects_sub_delims_in_http": rejects(has("^(?i:https?)://.*[!();',+]")),
    "rejects_tilde": rejects(has("~")),
    "rejects_tilde_in_http": rejects(has("^(?i:https?)://.*~")),
    "rejects_tilde_in_path": rejects_parts(component_has("path", "~")),
    "rejects_two_encoded_slashes": rejects(has("^[^?#]*%2[Ff][^?#]*%2[Ff]")),
    "rejects_unreserved_and_unwise_octets_together": rejects(escapes_of_two_kinds),
}
