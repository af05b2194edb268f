"""The nearest valid text: what was probably meant by an invalid one, or nothing.

A person who makes an invalid URL valid escapes characters, turns backslashes into slashes, or changes a
little where it is invalid.  Each function of `_PROPOSALS` makes such changes to a text.  The first proposal
that the rule accepts is the nearest valid text, unless it could mislead:

- A change that is neither an escape nor a slash is at most three characters away from the error, unless it
  removes white space around the text, or two brackets or quotation marks that delimit it (RFC 3986,
  appendix C).
- The scheme stays as it is unless the error is in it, and a single edit makes no scheme.
- Browsers see the same host in both texts, unless they refuse one of them, and no part of the user
  information becomes a part of the host.  What browsers make of an authority is defined by the WHATWG's URL
  standard: in the schemes of `_SPECIAL`, a backslash is a slash, and any number of slashes comes before it.
- No digit of a port is lost, its digits stand together in the text, and of two ports none is chosen.
- If browsers refuse an authority and an `@` comes after it, this authority may be a user and the beginning of
  a password that contains a delimiter, so nothing is proposed.
- If a backslash precedes an `@` there, RFC and browsers disagree on the host, so nothing is proposed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Literal, NamedTuple
from urllib.parse import unquote

from urloracle.automata.dfa import SINK, Automaton
from urloracle.errors import InvalidURL, escaped_byte, quoted
from urloracle.grammar.alphabet import stand_ins
from urloracle.rfc.normalization import TRIPLET

_LONGEST_TEXT = 4096  # the search for an edit takes time proportional to states times characters
_NEAR = 3  # the greatest distance in characters between an error and a change that is no escape and no slash
_MAX_LISTED = 3  # the greatest number of offsets that a description lists one by one

_SCHEME = re.compile("[A-Za-z][A-Za-z0-9+.-]*")
_SCHEME_AND_COLON = re.compile(f"({_SCHEME.pattern}):")
_URL = re.compile(r"[^/?#]+:[/\\]{2}")
#: Scheme, authority and the rest of a text, whether it is valid or not.
_PARTS = re.compile(r"((?:[A-Za-z][A-Za-z0-9+.-]*:)?//)([^/?#]*)(.*)", re.DOTALL)
#: Scheme and authority of a text in which backslashes may stand for the slashes between them.
_WITH_BACKSLASHES = re.compile(r"(?:([^/?#]*?):)?[/\\]{2}([^/?#]*)")
_BARE_IPV6 = re.compile(r"[0-9A-Fa-f]*:[0-9A-Fa-f:]*:[0-9A-Fa-f:.]*")
_ZONE = re.compile(r"(?<=[0-9A-Fa-f:.])%[^]/?#]{0,64}(?=])")
_BAD_PORT = re.compile(r":([0-9]*+)([^]:]+)$")
_BETWEEN_WORDS = re.compile(r"(?<=\w) (?=\w)")
_DOMAIN = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_SPACE = " \t\r\n"
_TABS_AND_BREAKS = re.compile(r"[\t\r\n]+")
_AROUND = ' \t\r\n<>"\ufeff\u200b'  # characters around URLs in text, and invisible ones
_PARTNERS = {"<": ">", ">": "<", '"': '"'}  # those of them that come in pairs, each with the other one
_IN_AUTHORITY = "/?#[]@:"  # escaping one of these in a host would change the host

# the WHATWG's URL standard, sections 3.2 and 4.4
_SPECIAL = frozenset(("http", "https", "ws", "wss", "ftp", "file"))
_IGNORED = "".join(map(chr, range(0x21)))  # around a text: C0 controls and the blank
_NO_HOST = re.compile(r"[\x00 #/:<>?@\[\\\]^|]")
_NO_DOMAIN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]")
_ADDRESS = re.compile(r"\[[0-9A-Fa-f:.]*\]")
_DRIVE = re.compile("[A-Za-z][:|]")
_MAX_PORT = 65535


class Repair(NamedTuple):
    """A valid text, and the edit of the invalid text that leads to it.

    `offset` is the offset of the first change in the invalid text.  `character` is the text that was inserted
    or deleted, or the text that replaces the old characters; of escaped characters, it is the first one.
    `offsets` are the offsets of all characters that were escaped, replaced by slashes, or deleted.  They are
    empty if only `character` was deleted, and that is the first change.  `note` is usually empty.  Otherwise
    it names a later RFC that defines a syntax for the removed text, or says what else was changed.
    """

    text: str
    edit: Literal["insert", "replace", "delete", "escape"]
    offset: int
    character: str
    note: str = ""
    offsets: tuple[int, ...] = ()

    @property
    def description(self) -> str:
        """The edit in words, such as `escape ' ' at offset 10`, with the number of escaped characters."""
        note = f"; {self.note}" if self.note else ""
        if self.edit == "escape" and len(self.offsets) > 1:
            return f"escape {len(self.offsets)} characters, {_offsets_in_words(self.offsets)}{note}"
        if self.edit == "replace" and len(self.offsets) > 1:
            return f"replace {len(self.offsets)} backslashes by '/', {_offsets_in_words(self.offsets)}{note}"
        if self.edit == "delete" and len(self.offsets) > 1:
            return f"delete {len(self.offsets)} characters, {_offsets_in_words(self.offsets)}{note}"
        by = "by " if self.edit == "replace" else ""
        places = _offsets_in_words(self.offsets or (self.offset,))
        return f"{self.edit} {by}{_edited(self.character)} {places}{note}"


def _edited(text: str) -> str:
    r"""Return a text in quotation marks, or as `the byte \xff` if it stands for a byte that is no UTF-8."""
    byte = escaped_byte(text)
    return f"the byte {byte}" if byte else quoted(text)


def _offsets_in_words(offsets: tuple[int, ...]) -> str:
    """Return offsets in words: all of them if they are few, or else the first and the last one.

    The words say whether there are other characters between them.
    """
    *first, last = offsets
    if not first:
        return f"at offset {last}"
    if len(offsets) > _MAX_LISTED:
        if last - offsets[0] == len(first):  # nothing between them
            return f"from offset {offsets[0]} to {last}"
        return f"the first at offset {offsets[0]} and the last at {last}"
    return f"at offsets {', '.join(map(str, first))} and {last}"


class _Change(NamedTuple):
    """A change to a text: the characters from `start` to `end` become `new`."""

    start: int
    end: int
    new: str


class _Proposal(NamedTuple):
    """An edit of a text that may make it valid, as changes in the order of the text.

    The other fields are those of a `Repair`.
    """

    edit: Literal["insert", "replace", "delete", "escape"]
    changes: tuple[_Change, ...]
    character: str
    note: str = ""
    offsets: tuple[int, ...] = ()

    def moved_by(self, distance: int) -> _Proposal:
        """Return the proposal for a text in which the place of everything is later by a distance."""
        changes = [_Change(start + distance, end + distance, new) for start, end, new in self.changes]
        offsets = [offset + distance for offset in self.offsets]
        return self._replace(changes=tuple(changes), offsets=tuple(offsets))

    def repair(self, text: str) -> Repair:
        """Return the text after the changes, with the edit."""
        parts = []
        end = 0
        for change in self.changes:
            parts += [text[end : change.start], change.new]
            end = change.end
        repaired = "".join((*parts, text[end:]))
        return Repair(repaired, self.edit, self.changes[0].start, self.character, self.note, self.offsets)


def find_repair(problem: InvalidURL, automaton: Automaton) -> Repair | None:
    """Return the nearest valid text of an invalid one, or None if nothing is proposed.

    `automaton` is that of the rule that refuses the text.
    """
    text = problem.text
    if len(text) > _LONGEST_TEXT or _has_two_hosts(text) or _may_have_user_as_host(text):
        return None
    for proposal in _proposals(problem, automaton):
        repair = proposal.repair(text)
        if not automaton.accepts(repair.text):
            continue
        is_near = all(_is_near(text, change, problem.position) for change in proposal.changes)
        if is_near and _has_same_scheme(problem, repair.text) and _has_same_authority(text, repair.text):
            return repair
    return None


def zone_in_words(problem: InvalidURL) -> str:
    """Return a clause on zones if a text is invalid because of the zone of an IPv6 address, otherwise ""."""
    zone = _ZONE.search(problem.text)
    if zone is None or zone.start() != problem.position:
        return ""
    return "zones of IPv6 addresses are defined by RFC 6874, which is not covered here (R-3986-26)"


def _proposals(problem: InvalidURL, automaton: Automaton) -> Iterator[_Proposal]:
    """Yield the edits that a person would make, and then single edits."""
    text = problem.text
    for propose in _PROPOSALS:
        yield from propose(text, automaton)
    if not _BETWEEN_WORDS.match(text, problem.position):  # otherwise an edit would join two words
        yield from _single_edits(problem, automaton)


# ---- what must not change


def _is_near(text: str, change: _Change, position: int) -> bool:
    """Return True if a change is an escape or a slash, removes what is around the text, or is near the error
    at `position`.
    """
    before = text[change.start : change.end]
    is_slash = before == "\\" and change.new == "/"
    if is_slash or (change.new.startswith("%") and change.new == _escaped(before)):
        return True
    is_deletion = change.start < change.end and not change.new
    if is_deletion and (_is_outer_space(text, change) or _is_delimiter(text, change)):
        return True
    is_insertion = change.start == change.end
    last = change.start if is_insertion else change.end - 1
    return position - _NEAR <= change.start and last <= position + _NEAR


def _is_outer_space(text: str, change: _Change) -> bool:
    """Return True if there is only white space from the change to the beginning or to the end of the text."""
    return not text[: change.end].strip(_SPACE) or not text[change.start :].strip(_SPACE)


def _is_delimiter(text: str, change: _Change) -> bool:
    """Return True if a change is about one of two delimiters around the text (RFC 3986, appendix C)."""
    delimited = text.strip(_SPACE)
    opening, closing = delimited[:1], delimited[-1:]
    if len(delimited) < 2 or opening == ">" or _PARTNERS.get(opening) != closing:
        return False
    return text[: change.end].strip(_SPACE) == opening or text[change.start :].strip(_SPACE) == closing


def _has_same_scheme(problem: InvalidURL, repaired: str) -> bool:
    """Return True if both texts have the same scheme, or if the error is in the scheme.

    If the text begins with something before `://`, even if this is no scheme, the repaired text must, too.
    Backslashes count as slashes.
    """
    text = problem.text
    if _URL.match(text) and not _URL.match(repaired):
        return False
    start = len(text) - len(text.lstrip(_IGNORED))
    scheme = _SCHEME_AND_COLON.match(text, start)
    if scheme is None or start <= problem.position < scheme.end():
        return True
    return repaired.lstrip(_IGNORED).startswith(scheme[0])


class _Authority(NamedTuple):
    """The parts of an authority, not decoded.  `port` is everything after the first colon."""

    userinfo: str | None
    host: str
    port: str | None


def _authority_for_browsers(text: str) -> tuple[str, _Authority | None]:
    """Return the scheme in lower case, and the authority that browsers see or None.

    A text without a scheme is read as if it had one of `_SPECIAL`, such as that of the page around it; its
    scheme is then "".  Something else before `://` is skipped.
    """
    cleaned = re.sub("[\t\r\n]", "", text.strip(_IGNORED))
    match = _SCHEME_AND_COLON.match(cleaned)
    scheme = match[1].lower() if match else ""
    scheme_end = match.end() if match else 0
    slashes = "//"
    delimiters = "[/?#]"  # each of them ends an authority
    if scheme in _SPECIAL or not scheme:
        any_number = scheme not in ("", "file")
        slashes = r"[/\\]*" if any_number else r"[/\\]{2}"
        delimiters = r"[/\\?#]"

    before_authority = re.compile(slashes).match(cleaned, scheme_end)
    if not scheme:
        before_authority = _URL.match(cleaned) or before_authority
    if before_authority is None:
        return scheme, None
    after_slashes = cleaned[before_authority.end() :]
    authority = re.split(delimiters, after_slashes, maxsplit=1)[0]
    if scheme == "file" and _DRIVE.fullmatch(authority):
        return scheme, _divided("")  # a drive is the beginning of the path
    return scheme, _divided(authority)


def _divided(authority: str) -> _Authority:
    """Return the parts of an authority, whose host may be an address in brackets."""
    user, at, server = authority.rpartition("@")
    address = re.match(r"\[[^]]*\]", server)
    host_end = address.end() if address else 0
    host, colon, port = server[host_end:].partition(":")
    return _Authority(user if at else None, server[:host_end] + host, port if colon else None)


def _has_two_hosts(text: str) -> bool:
    """Return True if a backslash before an `@` ends the authority for browsers but not for the RFCs."""
    parts = _WITH_BACKSLASHES.match(text)
    if parts is None or "\\" not in parts[2].rpartition("@")[0]:
        return False
    scheme = parts[1] or ""
    return scheme.lower() in _SPECIAL or _SCHEME.fullmatch(scheme) is None


def _may_have_user_as_host(text: str) -> bool:
    """Return True if the authority may be the user information of another one.

    The first `/`, `?` or `#` ends an authority (RFC 3986, section 3.2), but in `https://user:pa#ss@host/`
    it is a character of the password, and `pa` is no port.
    """
    scheme, authority = _authority_for_browsers(text)
    if authority is None or not _is_refused(authority, scheme):
        return False
    userinfo = authority.userinfo
    ats_in_authority = 0 if userinfo is None else userinfo.count("@") + 1
    return text.count("@") > ats_in_authority


def _has_same_authority(text: str, repaired: str) -> bool:
    """Return True if browsers see one host in both texts, if no user information gets into the host, and if
    the port is that of the text.

    Browsers refuse many invalid hosts.  In such a text, the user information must stay as it is, or else it
    must go and the host must stay.
    """
    scheme, authority = _authority_for_browsers(text)
    _, repaired_authority = _authority_for_browsers(repaired)
    if authority is None:  # a text without a scheme may gain one
        return not scheme or repaired_authority is None
    if repaired_authority is None:
        return False
    if not _has_same_port(authority.port, repaired_authority.port):
        return False
    has_same_text = _decoded_host(authority.host, scheme) == _decoded_host(repaired_authority.host, scheme)
    if scheme and not _is_refused(authority, scheme):
        return has_same_text
    user = authority.userinfo
    repaired_user = repaired_authority.userinfo
    if user is None or repaired_user is None:
        has_same_user = user is repaired_user
    else:
        has_same_user = _unescaped(user) == _unescaped(repaired_user)
    if has_same_user:
        return True
    return has_same_text and repaired_user is None


def _has_same_port(port: str | None, repaired: str | None) -> bool:
    """Return True if a repaired port consists of all digits of the port, which stand together there.

    Digits of all scripts count as digits, and so does a minus sign, which no valid port has.
    """
    if port is None:
        return True
    if ":" in port:
        return repaired is None  # of two ports none is chosen
    number = ""
    for char in port:
        if char == "-":
            number += char
        elif char.isdigit():
            number += str(unicodedata.digit(char))
    return (repaired or "") == number and number in port.replace(" ", "")


def _decoded_host(host: str, scheme: str) -> str:
    """Return a host in a form that is the same for two hosts only if they are the same for browsers.

    Outside of the schemes of `_SPECIAL`, browsers decode nothing, but encode characters that are not ASCII.
    """
    if scheme in _SPECIAL or not scheme:
        decoded = _unescaped(host).lower()
        with suppress(UnicodeError):  # labels of IDNA are decoded, too
            return decoded.encode("ascii").decode("idna")
        return decoded
    return "".join(char if "\x1f" < char < "\x7f" else _escaped_if_possible(char) for char in host)


def _is_refused(authority: _Authority, scheme: str) -> bool:
    """Return True if browsers certainly refuse the host or the port of an authority."""
    port = authority.port or "0"
    if not (port.isascii() and port.isdigit() and int(port) <= _MAX_PORT):
        return True
    if scheme == "file" and authority.port is not None:
        return True
    host = authority.host
    if host.startswith("["):
        return _ADDRESS.fullmatch(host) is None
    if scheme not in _SPECIAL:
        return _NO_HOST.search(host) is not None
    decoded = _unescaped(host)
    return (not host and scheme != "file") or _NO_DOMAIN.search(decoded) is not None


# ---- what a person would change


def _without_surroundings(text: str, automaton: Automaton) -> Iterator[_Proposal]:
    """Propose the text without tabs and line breaks, and without the characters in `_AROUND` around it.

    If there are only such characters around it, also propose to escape characters of the text itself.
    """
    bare = _without_characters_around(text)
    if not bare:
        return
    start = text.find(bare)
    end = start + len(bare)
    inside = [_Change(*match.span(), "") for match in _TABS_AND_BREAKS.finditer(text, start, end)]
    around_and_inside = (_Change(0, start, ""), *inside, _Change(end, len(text), ""))
    deletions = [change for change in around_and_inside if change.start < change.end]
    if not deletions:
        return
    deletion = _delete(text, tuple(deletions))
    yield deletion
    if inside:
        return
    for escapes in _with_escapes(bare, automaton):
        escapes_in_text = escapes.moved_by(start)
        all_changes = sorted((*deletions, *escapes_in_text.changes))
        note = escapes_in_text.repair(text).description
        offsets = deletion.offsets
        if all_changes[0] not in deletions and not offsets:
            offsets = (deletions[0].start,)  # the offset of the repair is that of an escape
        yield deletion._replace(changes=tuple(all_changes), note=note, offsets=offsets)


def _without_characters_around(text: str) -> str:
    """Return a text without the characters in `_AROUND` around it.

    A bracket or quotation mark stays if its partner is in the text: both belong to it, as in `<tag>`.
    """
    bare = text.strip(_AROUND)
    start = text.find(bare)
    end = start + len(bare)
    before = text[start - 1 : start]
    after = text[end : end + 1]
    if _has_partner(before, bare):
        start -= 1
    if _has_partner(after, bare):
        end += 1
    return text[start:end]


def _has_partner(character: str, bare: str) -> bool:
    """Return True if a character comes in pairs, and its partner is in the text, but not at its beginning."""
    partner = _PARTNERS.get(character)
    return partner is not None and partner in bare[1:]


def _delete(text: str, changes: tuple[_Change, ...]) -> _Proposal:
    """Return the proposal to delete the characters of all changes."""
    offsets = tuple(offset for change in changes for offset in range(change.start, change.end))
    return _Proposal("delete", changes, text[offsets[0]], "", offsets if len(offsets) > 1 else ())


def _without_zone(text: str, _automaton: Automaton) -> Iterator[_Proposal]:
    """Propose the text without the zone of an IPv6 address, because none of the five RFCs defines zones."""
    zone = _ZONE.search(text)
    if zone is None:
        return
    name = re.sub("^%(25)?", "", zone[0])
    note = ""
    if name:
        note = "RFC 6874 adds zones to RFC 3986"
        if not zone[0].startswith("%25"):
            note += f", written as %25{name}"
    yield _Proposal("delete", (_Change(zone.start(), zone.end(), ""),), zone[0], note)


def _with_slashes(text: str, automaton: Automaton) -> Iterator[_Proposal]:
    """Propose slashes in place of all backslashes before query and fragment, alone and with escapes."""
    hierarchy = re.split("[?#]", text, maxsplit=1)[0]
    offsets = tuple(offset for offset, char in enumerate(hierarchy) if char == "\\")
    if not offsets:
        return
    slashes = [_Change(offset, offset + 1, "/") for offset in offsets]
    yield _Proposal("replace", tuple(slashes), "/", "", offsets)
    slashed = hierarchy.replace("\\", "/") + text[len(hierarchy) :]
    for escapes in _with_escapes(slashed, automaton):
        if set(offsets).isdisjoint(escapes.offsets):  # otherwise a slash is not allowed there
            changes = tuple(sorted((*slashes, *escapes.changes)))
            yield _Proposal("replace", changes, "/", escapes.repair(slashed).description, offsets)


def _with_escapes(text: str, automaton: Automaton) -> Iterator[_Proposal]:
    """Propose to escape each character that is invalid at its place (RFC 3986, section 2.5).

    The user information ends at the last `@` of the authority, so an earlier one is escaped.  Characters
    around the text are not escaped, because they are not meant to be part of it.
    """
    if _without_characters_around(text) != text:
        return
    parts = _PARTS.match(text)
    authority = range(parts.start(2), parts.end(2)) if parts else range(0)
    last_at = authority.start + (parts[2].rfind("@") if parts else 0)
    state = automaton.start
    changes = []
    for offset, char in enumerate(text):
        replacement = char
        following = automaton.state_after(state, char)
        is_stray_percent = char == "%" and not TRIPLET.match(text, offset)
        is_outer_blank = char == " " and not _BETWEEN_WORDS.match(text, offset)  # other proposals delete it
        is_in_user = offset in authority and offset < last_at
        is_in_host = offset in authority and not is_in_user
        must_stay = is_in_host and (char in _IN_AUTHORITY or is_outer_blank)
        is_early_at = is_in_user and char == "@"
        if is_stray_percent or is_early_at or (following == SINK and not must_stay):
            try:
                replacement = _escaped(char)
            except UnicodeEncodeError:  # half of a surrogate pair
                return
            following = automaton.state_after(state, replacement)
            changes.append(_Change(offset, offset + 1, replacement))
        state = following
        if state == SINK:
            return
    if changes:
        offsets = tuple(change.start for change in changes)
        yield _Proposal("escape", tuple(changes), text[offsets[0]], "", offsets)


def _escaped(text: str) -> str:
    """Return each byte of a text as a triplet.  Raise UnicodeEncodeError for half of a surrogate pair."""
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "surrogateescape"))


def _escaped_if_possible(char: str) -> str:
    """Return each byte of a character as a triplet; half of a surrogate pair stays as it is."""
    try:
        return _escaped(char)
    except UnicodeEncodeError:
        return char


def _unescaped(text: str) -> str:
    """Return a text with its triplets decoded; a byte that is no UTF-8 becomes a surrogate (PEP 383)."""
    return unquote(text, errors="surrogateescape")


def _without_user(text: str, _automaton: Automaton) -> Iterator[_Proposal]:
    """Propose the text without user information."""
    parts = _PARTS.fullmatch(text)
    if parts is not None and "@" in parts[2]:
        user = parts[2][: parts[2].rindex("@") + 1]
        start = parts.start(2)
        yield _Proposal("delete", (_Change(start, start + len(user), ""),), user)


def _with_another_host(text: str, _automaton: Automaton) -> Iterator[_Proposal]:
    """Propose changes of the host and of what is next to it.

    The changes are: brackets around an IPv6 address, a missing bracket or slash after the host, no bad port,
    no blanks around the host, and the IDNA form of a host that is not ASCII.
    """
    parts = _PARTS.fullmatch(text)
    if parts is None:
        return
    slashes, authority, after = parts.groups()
    user, at, host = authority.rpartition("@")
    start = len(slashes + user + at)
    end = parts.end(2)
    if _BARE_IPV6.fullmatch(host):
        brackets = (_Change(start, start, "["), _Change(end, end, "]"))
        yield _Proposal("insert", brackets, "[]")
    if "[" in host and "]" not in host:
        yield _Proposal("insert", (_Change(end, end, "]"),), "]")
    if after.startswith(("?", "#")):
        yield _Proposal("insert", (_Change(end, end, "/"),), "/")
    port = _BAD_PORT.search(host)
    if port is not None:
        # the digits before the wrong characters stay; if there are none, the colon goes, too
        begin = port.start(2) if port[1] else port.start()
        yield _Proposal("delete", (_Change(start + begin, end, ""),), host[begin:])
    stripped = host.strip(" ")
    if host != stripped:
        stripped_start = start + host.index(stripped)
        stripped_end = stripped_start + len(stripped)
        blanks = (_Change(start, stripped_start, ""), _Change(stripped_end, end, ""))
        yield _delete(text, tuple(change for change in blanks if change.start < change.end))
    yield from _in_ascii(host, start)


def _in_ascii(host: str, start: int) -> Iterator[_Proposal]:
    """Propose the host with the IDNA form in the place of each label that is not ASCII.

    Propose nothing if a label has no form that stands for it.  `start` is the offset of the host in the text.
    """
    changes = []
    for label in re.finditer(r"[^.]+", host):
        if label[0].isascii():
            continue
        try:
            ascii_label = label[0].encode("idna")
            stands_for_label = ascii_label.decode("idna") == label[0].lower()  # not so of a sharp s
        except UnicodeError:
            return
        if not stands_for_label:
            return
        changes.append(_Change(start + label.start(), start + label.end(), ascii_label.decode()))
    if changes:
        yield _Proposal("replace", tuple(changes), changes[0].new)


def _with_another_beginning(text: str, _automaton: Automaton) -> Iterator[_Proposal]:
    """Propose changes at the beginning of the text.

    The changes are: no blanks in the scheme, `./` before a path with a colon (RFC 3986, section 4.2), and a
    scheme where there is none.
    """
    head, colon, rest = text.partition(":")
    if " " in head and rest.startswith("//") and _SCHEME.fullmatch(head.replace(" ", "")):
        blanks = [offset for offset, char in enumerate(head) if char == " "]
        yield _delete(text, tuple(_Change(offset, offset + 1, "") for offset in blanks))
    if colon and "/" not in head and not rest.startswith("//") and not _SCHEME.fullmatch(head):
        yield _Proposal("insert", (_Change(0, 0, "./"),), "./")
    first_part = re.split("[/:?#]", text, maxsplit=1)[0]
    if text.startswith("//"):
        yield _Proposal("insert", (_Change(0, 0, "http:"),), "http:")
    elif _DOMAIN.fullmatch(first_part):
        yield _Proposal("insert", (_Change(0, 0, "http://"),), "http://")


#: The first proposal that is valid wins, so those that change what was meant least come first.
_PROPOSALS: tuple[Callable[[str, Automaton], Iterable[_Proposal]], ...] = (
    _without_surroundings,
    _without_zone,
    _with_slashes,
    _with_another_beginning,
    _with_escapes,
    _without_user,
    _with_another_host,
)


def _single_edits(problem: InvalidURL, automaton: Automaton) -> Iterator[_Proposal]:
    """Yield single edits that make the text valid, those that are nearest to the error first."""
    # an edit after the error cannot help, so try the offsets from the error backwards; at each offset delete
    # a character, or else replace it, or else insert one
    text = problem.text
    has_scheme = _SCHEME_AND_COLON.match(text) is not None
    accepted = _states_before_suffixes(automaton, text)
    states = [automaton.start]
    for char in text[: problem.position]:
        states.append(automaton.state_after(states[-1], char))
    for offset in range(problem.position, max(0, problem.position - _NEAR) - 1, -1):
        state = states[offset]
        if offset < len(text):
            if state in accepted[offset + 1]:
                yield _Proposal("delete", (_Change(offset, offset + 1, ""),), text[offset])
            character = _character_to(automaton, state, accepted[offset + 1])
            if character is not None and (character != ":" or has_scheme):
                yield _Proposal("replace", (_Change(offset, offset + 1, character),), character)
        character = _character_to(automaton, state, accepted[offset])
        if character is not None and (character != ":" or has_scheme):
            yield _Proposal("insert", (_Change(offset, offset, character),), character)


def _character_to(automaton: Automaton, state: int, targets: frozenset[int]) -> str | None:
    """Return a character of ASCII that leads from a state to one of the targets, or None.

    Letters are preferred, and lower case to upper case.
    """
    row = automaton.table[state]
    fitting = []
    for char, kind in automaton.classes.items():
        if row[kind] in targets and char.isascii():
            fitting.append(char)
    # exchanged cases put lower case before upper case
    return min(fitting, key=lambda char: (not char.isalpha(), char.swapcase()), default=None)


def _states_before_suffixes(automaton: Automaton, text: str) -> list[frozenset[int]]:
    """For each offset, return the states from which the rest of the text is accepted."""
    accepted = [frozenset(automaton.accepting)]
    for char in reversed(stand_ins(text)):
        kind = automaton.classes.get(char)
        targets = accepted[-1]
        states: frozenset[int] = frozenset()
        if kind is not None and targets:  # a character without a class leads to the sink from everywhere
            states = frozenset(state for state, row in enumerate(automaton.table) if row[kind] in targets)
        accepted.append(states)
    return accepted[::-1]
