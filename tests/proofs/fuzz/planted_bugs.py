"""Bugs that changelogs and advisories of URL libraries report, planted in real parsers when a test runs.

A bug is a text replacement in the installed source of a library. The changed source is imported from a
temporary folder under another name, and has the same adapter as the library itself. For each bug this module
has two functions, which `fuzz run` takes as `python:planted_bugs:original_ID` and `…:patched_ID`.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, Literal, NamedTuple

from urlharness.adapters import urllib_parse
from urlharness.adapters.catalogue import PROGRAMS, RFCS

Library = Literal["urllib.parse", "rfc3986", "uritools"]
Question = Mapping[str, Any]
Reply = Mapping[str, Any]


class Edit(NamedTuple):
    """A text that occurs once in a file of a library, and its replacement."""

    file: str
    old: str
    new: str


class Bug(NamedTuple):
    """A planted bug: the one operation whose answers change, what changes, and a question that shows it.

    `origin` says where libraries had such a bug. `unseen` says that no case of the stored corpus shows it.
    """

    id: str
    library: Library
    op: Literal["validate", "parse", "resolve", "normalize"]
    description: str
    origin: str
    edit: Edit
    witness: Mapping[str, str]
    unseen: bool = False
    spec: str = "rfc3986"


def _urllib(
    name: str, op: Any, description: str, origin: str, old: str, new: str, *witness: str, **options: Any
) -> Bug:
    return Bug(
        name,
        "urllib.parse",
        op,
        description,
        origin,
        Edit("parse.py", old, new),
        _inputs(witness),
        **options,
    )


def _rfc3986(
    name: str,
    op: Any,
    description: str,
    origin: str,
    file: str,
    old: str,
    new: str,
    *witness: str,
    **options: Any,
) -> Bug:
    return Bug(name, "rfc3986", op, description, origin, Edit(file, old, new), _inputs(witness), **options)


def _uritools(
    name: str, op: Any, description: str, origin: str, old: str, new: str, *witness: str, **options: Any
) -> Bug:
    return Bug(
        name, "uritools", op, description, origin, Edit("__init__.py", old, new), _inputs(witness), **options
    )


def _inputs(witness: tuple[str, ...]) -> Mapping[str, str]:
    """Return the inputs of a question: a URL, or a base and a reference."""
    return dict(zip(("url",) if len(witness) == 1 else ("base", "reference"), witness, strict=True))


_IN_URLLIB = (
    _urllib(
        "host_after_first_at",
        "parse",
        "The host begins after the first @, not the last.",
        "a second @, where parsers of proxies and clients disagree",
        "        netloc = self.netloc\n        _, _, hostinfo = netloc.rpartition('@')\n",
        "        netloc = self.netloc\n        hostinfo = netloc.split('@', 1)[-1]\n",
        "//a@b@c",
    ),
    _urllib(
        "backslash_ends_authority",
        "parse",
        "A backslash ends the authority, as in browsers.",
        "differences between parsers at http://a\\@b, reported to many libraries",
        "    for c in '/?#':    # look for",
        "    for c in '/?#\\\\':    # look for",
        "//a\\b",
    ),
    _urllib(
        "carriage_return_kept",
        "parse",
        "Tabs and line feeds are removed, carriage returns are not.",
        "CVE-2022-0391 (Python): line ends inside of URLs",
        "['\\t', '\\r', '\\n']",
        "['\\t', '\\n']",
        "/a\rb",
        unseen=True,
    ),
    _urllib(
        "tab_kept_in_authority",
        "parse",
        "A tab in the authority is not removed.",
        "an incomplete fix of CVE-2022-0391 (Python)",
        '        url = url.replace(b, "")\n',
        '        url = url.replace(b, "") if b != "\\t" or url[:2] != "//" else url\n',
        "//a\tb",
        unseen=True,
    ),
    _urllib(
        "only_spaces_stripped",
        "parse",
        "Leading spaces are stripped, leading control characters are not.",
        "CVE-2023-24329 (Python)",
        "url = url.lstrip(_WHATWG_C0_CONTROL_OR_SPACE)",
        "url = url.lstrip()",
        "\x01a",
    ),
    _urllib(
        "trailing_space_stripped",
        "parse",
        "Spaces and control characters are stripped at the end, too.",
        "browsers strip both ends, Python since CVE-2023-24329 the start",
        "url = url.lstrip(_WHATWG_C0_CONTROL_OR_SPACE)",
        "url = url.strip(_WHATWG_C0_CONTROL_OR_SPACE)",
        "a ",
        unseen=True,
    ),
    _urllib(
        "scheme_case_kept",
        "parse",
        "The scheme is not made lower case.",
        "libraries that compare schemes with their lists",
        "scheme, url = url[:i].lower(), url[i+1:]",
        "scheme, url = url[:i], url[i+1:]",
        "A:",
    ),
    _urllib(
        "port_underscore",
        "validate",
        "A port with an underscore between digits is accepted.",
        "int() of Python accepts it",
        "port.isdigit() and port.isascii():\n                port =",
        "port.isascii() and re.fullmatch('[0-9]+(_[0-9]+)*', port):\n                port =",
        "//a:1_0",
    ),
    _urllib(
        "port_foreign_digits",
        "validate",
        "A port of digits outside ASCII is accepted.",
        "str.isdigit() and int() of Python accept them",
        "port.isdigit() and port.isascii():\n                port =",
        "port.isdecimal():\n                port =",
        "//a:\u0661",
    ),
    _urllib(
        "port_65536",
        "validate",
        "The port 65536 is accepted.",
        "comparisons with the wrong bound",
        "0 <= port <= 65535",
        "0 <= port <= 65536",
        "//a:65536",
    ),
    _urllib(
        "at_refused_beside_compatible_character",
        "validate",
        "An @ is refused if a compatibility character is in the authority.",
        "bpo-36742: the fix of CVE-2019-9636 (Python) refused delimiters that were there before",
        "n = netloc.replace('@', '')",
        "n = netloc",
        "//a@\u00b2",
    ),
    _urllib(
        "last_question_mark",
        "parse",
        "The query begins at the last ?.",
        "libraries that look for the query from the end",
        "url, query = url.split('?', 1)",
        "url, query = url.rsplit('?', 1)",
        "?a?b",
    ),
    _urllib(
        "host_case_before_triplet",
        "parse",
        "A host that contains a triplet keeps its case.",
        "bpo-32323 (Python): the text after % keeps its case as a zone",
        "return hostname.lower() + percent + zone",
        "return hostname + percent + zone if percent else hostname.lower()",
        "//A%41",
        unseen=True,
    ),
    _urllib(
        "password_after_last_colon",
        "parse",
        "The password begins after the last colon of the userinfo.",
        "logins with a colon in the password, reported to several clients",
        "username, have_password, password = userinfo.partition(':')",
        "username, have_password, password = userinfo.rpartition(':')\n"
        "            username = username if have_password else password",
        "ftp://a:b:c@h",
        unseen=True,
        spec="rfc1738",
    ),
    _urllib(
        "params_in_first_segment",
        "parse",
        "Parameters begin at the first semicolon of the path.",
        "splitting the path at ; before /",
        "i = url.find(';', url.rfind('/'))",
        "i = url.find(';')",
        "/a;b/c;d",
        spec="rfc1808",
    ),
    _urllib(
        "excess_dotdot_kept",
        "resolve",
        "A .. that leads above the root stays.",
        "bpo-22118: urljoin before Python 3.5",
        "                # when popped from resolved_path if resolving for rfc3986\n                pass",
        "                resolved_path.append(seg)",
        "http://a/b",
        "/../../c",
    ),
    _urllib(
        "query_inherited_with_path",
        "resolve",
        "A reference with a path and without a query gets the query of the base.",
        "merging component by component",
        "    base_parts = bpath.split('/')",
        "    query = query or bquery\n    base_parts = bpath.split('/')",
        "http://a/b?c",
        "d",
    ),
    _urllib(
        "websocket_not_hierarchical",
        "resolve",
        "A relative reference against a base with the scheme ws is returned unchanged.",
        "bpo-25895: urljoin did not know the schemes ws and wss",
        "if scheme != bscheme or scheme not in uses_relative:",
        "if scheme != bscheme or scheme not in uses_relative or scheme == 'ws':",
        "ws://a/b",
        "c",
    ),
    _urllib(
        "backslash_behind_second_at",
        "parse",
        "A backslash ends the authority if there are two @.",
        "special treatment of suspicious logins",
        "    for c in '/?#':    # look for",
        "    for c in '/?#\\\\' if url.count('@') > 1 else '/?#':    # look for",
        "//a@b@c\\d",
    ),
    _urllib(
        "tab_kept_beside_line_feed",
        "parse",
        "Tabs are kept in a text that also has a line feed.",
        "an incomplete fix of CVE-2022-0391 (Python)",
        '        url = url.replace(b, "")\n',
        '        url = url.replace(b, "") if b != "\\t" or "\\n" not in url else url\n',
        "a\tb\nc",
    ),
    _urllib(
        "control_kept_behind_space",
        "parse",
        "Of leading spaces and control characters, only the spaces are stripped if they come first.",
        "an incomplete fix of CVE-2023-24329 (Python)",
        "url = url.lstrip(_WHATWG_C0_CONTROL_OR_SPACE)",
        "url = url.lstrip(' ') if url[:1] == ' ' else url.lstrip(_WHATWG_C0_CONTROL_OR_SPACE)",
        " \x01a",
    ),
    _urllib(
        "cut_at_third_number_sign",
        "parse",
        "A fragment ends at its second #.",
        "links that were joined with their anchors more than once",
        "        url, fragment = url.split('#', 1)\n    if '?' in url:",
        "        url, fragment = url.split('#', 1)\n"
        "        fragment = '#'.join(fragment.split('#', 2)[:2])\n    if '?' in url:",
        "#a#b#c",
    ),
)

_IN_RFC3986 = (
    _rfc3986(
        "ipv6_nine_groups",
        "validate",
        "Eight groups of an IPv6 address may be followed by ::.",
        "counting groups without the zeros for which :: stands",
        "abnf_regexp.py",
        '"((%(hex)s:){0,6}%(hex)s)?::" % _subs',
        '"((%(hex)s:){0,7}%(hex)s)?::" % _subs',
        "//[1:2:3:4:5:6:7:8::]",
    ),
    _rfc3986(
        "ipv6_four_groups_three",
        "validate",
        "An IPv6 address with four groups before :: and three after it is refused.",
        "a wrong number in one of the nine alternatives of IPv6address",
        "abnf_regexp.py",
        '"((%(hex)s:){0,3}%(hex)s)?::%(hex)s:%(ls32)s" % _subs',
        '"((%(hex)s:){0,2}%(hex)s)?::%(hex)s:%(ls32)s" % _subs',
        "//[1:2:3:4::5:6:7]",
    ),
    _rfc3986(
        "ipvfuture_one_digit",
        "validate",
        "The version of an IPvFuture has one digit.",
        "patterns with v[0-9A-F] in place of v1*HEXDIG",
        "abnf_regexp.py",
        'r"v[0-9A-Fa-f]+\\.[%s]+"',
        'r"v[0-9A-Fa-f]\\.[%s]+"',
        "//[v10.a]",
    ),
    _rfc3986(
        "zone_without_25",
        "validate",
        "A zone may follow a bare % in an IPv6 address.",
        "RFC 4007 writes %, RFC 6874 %25",
        "validators.py",
        "return misc.IPv6_NO_RFC4007_MATCHER.match(host) is not None",
        "return validated",
        "//[::%a]",
    ),
    _rfc3986(
        "octet_256",
        "validate",
        "The octet 256 is accepted in an IPv4 address.",
        "comparisons with the wrong bound",
        "validators.py",
        "<= 255 for byte",
        "<= 256 for byte",
        "//256.1.1.1",
    ),
    _rfc3986(
        "port_six_digits",
        "validate",
        "A port may have six digits, if its value is below 65536.",
        "values checked without the number of digits",
        "abnf_regexp.py",
        'PORT_RE = "[0-9]{1,5}"',
        'PORT_RE = "[0-9]{1,6}"',
        "//a:000001",
    ),
    _rfc3986(
        "empty_port_refused",
        "validate",
        "A colon without a port is refused.",
        "patterns with 1*DIGIT; RFC 3986, section 3.2.3 allows it",
        "misc.py",
        '        ":?(?P<port>{})?$"  # port\n    ).format(\n        abnf_regexp.USERINFO_RE',
        '        "(?::(?P<port>{}))?$"  # port\n    ).format(\n        abnf_regexp.USERINFO_RE',
        "//a:",
    ),
    _rfc3986(
        "second_colon_of_userinfo_refused",
        "validate",
        "A second colon in the userinfo is refused.",
        "userinfo checked as user:password",
        "abnf_regexp.py",
        '    "^([" + UNRESERVED_RE + SUB_DELIMITERS_RE + ":]|%s)+" % (PCT_ENCODED)',
        '    "^(?!@|[^@]*:[^@]*:)([" + UNRESERVED_RE + SUB_DELIMITERS_RE + ":]|%s)+" % (PCT_ENCODED)',
        "//a:b:c@d",
    ),
    _rfc3986(
        "label_of_64",
        "validate",
        "A label of a host may have 63 characters at most.",
        "DNS limits applied to names, as in the IDNA functions",
        "validators.py",
        "    validated = is_valid(host, misc.HOST_MATCHER, require)\n",
        "    validated = is_valid(host, misc.HOST_MATCHER, require)\n"
        "    if host and any(len(label) > 63 for label in host.split('.')):\n        return False\n",
        "//" + "a" * 64,
    ),
    _rfc3986(
        "trailing_dot_dropped",
        "normalize",
        "The dot at the end of a host is dropped.",
        "CVE-2022-27779 and CVE-2022-30115 (curl): hosts with and without the dot",
        "normalizers.py",
        "    return host.lower()\n",
        "    return host.lower().rstrip('.')\n",
        "//a.",
    ),
    _rfc3986(
        "first_of_equal_triplets",
        "normalize",
        "Only the first of equal triplets becomes upper case.",
        "rfc3986 collects triplets in a set; a count of 1 is easily left in",
        "normalizers.py",
        "s = s.replace(m, m.upper())",
        "s = s.replace(m, m.upper(), 1)",
        "%aa%aa",
    ),
    _rfc3986(
        "triplet_in_password_kept",
        "normalize",
        "A triplet after the colon of the userinfo keeps its case.",
        "userinfo normalized by user and password, with one forgotten",
        "normalizers.py",
        'result += normalize_percent_characters(userinfo) + "@"',
        'user, colon, password = userinfo.partition(":")\n'
        '        result += normalize_percent_characters(user) + colon + password + "@"',
        "//a:%aa@b",
        unseen=True,
    ),
    _rfc3986(
        "zone_lower_case",
        "normalize",
        "The zone of an IPv6 address becomes lower case.",
        "bpo-32323 (Python): names of interfaces are case-sensitive",
        "normalizers.py",
        "return host[:percent].lower() + host[percent:]",
        "return host.lower()",
        "//[::1%25A]",
        unseen=True,
    ),
    _rfc3986(
        "port_80_dropped",
        "normalize",
        "The port 80 is dropped under every scheme.",
        "a default port without its scheme",
        "normalizers.py",
        "    if port:\n",
        '    if port and port != "80":\n',
        "//a:80",
    ),
    _rfc3986(
        "port_as_number",
        "normalize",
        "Leading zeros of a port are dropped.",
        "ports kept as numbers",
        "normalizers.py",
        'result += ":" + port',
        'result += f":{int(port)}"',
        "//a:01",
    ),
    _rfc3986(
        "empty_query_dropped",
        "normalize",
        "A ? without a query is dropped.",
        "None and empty text confused: bpo-22852 (Python)",
        "normalizers.py",
        "    if not query:\n        return query\n",
        "    if not query:\n        return None\n",
        "a?",
    ),
    _rfc3986(
        "encoded_slash_decoded",
        "normalize",
        "%2F in a path is decoded.",
        "servers that decode a path before they split it",
        "normalizers.py",
        "    path = normalize_percent_characters(path)\n",
        '    path = normalize_percent_characters(path).replace("%2F", "/")\n',
        "a%2fb",
    ),
    _rfc3986(
        "query_decoded_twice",
        "normalize",
        "In a query, %25 before two hexadecimal digits is decoded.",
        "double decoding, as in CVE-2001-0333 (IIS)",
        "normalizers.py",
        "        return query\n    return normalize_percent_characters(query)\n",
        "        return query\n"
        '    return re.sub("%25(?=[A-F0-9]{2})", "%", normalize_percent_characters(query))\n',
        "?%2541",
    ),
    _rfc3986(
        "space_beside_quote_encoded_as_plus",
        "normalize",
        "A space becomes + in a component that has a double quote.",
        "functions that guess whether a text is a form",
        "normalizers.py",
        '        encoded_uri.extend(f"%{byte_ord:02x}".encode().upper())\n',
        '        if byte == b" " and b\'"\' in uri_bytes:\n'
        '            encoded_uri.extend(b"+")\n            continue\n'
        '        encoded_uri.extend(f"%{byte_ord:02x}".encode().upper())\n',
        'a "',
    ),
)

_IN_URITOOLS = (
    _uritools(
        "userinfo_before_first_at",
        "parse",
        "The userinfo ends before the first @.",
        "the half of a fix of a confused host",
        "userinfo, present, _ = authority.rpartition(self._AT)",
        "userinfo, present, _ = authority.partition(self._AT)",
        "//a@b@c",
    ),
    _uritools(
        "userinfo_lost_before_literal",
        "parse",
        "There is no userinfo before an IP literal.",
        "authorities that are matched by one pattern for names and another for literals",
        "userinfo, present, _ = authority.rpartition(self._AT)",
        "userinfo, present, _ = authority.rpartition(self._AT) if authority[-1:] != ']' else ('', '', '')",
        "//a@[::1]",
    ),
    _uritools(
        "cut_at_nul",
        "parse",
        "A text ends before a NUL.",
        "texts of C: CVE-2020-7066 (PHP)",
        "    return result(*result._match(uristring).groups())",
        '    return result(*result._match(uristring.partition("\\0")[0]).groups())',
        "a\0b",
        unseen=True,
    ),
    _uritools(
        "fragment_ends_at_line_end",
        "parse",
        "A fragment ends at a line feed.",
        "`.` without DOTALL: rfc3986 and others",
        '    """,\n        flags=re.VERBOSE | re.DOTALL,\n    )\n\n    # RFC 3986 2.2 gen-delims\n'
        '    _COLON, _SLASH, _QUEST, _HASH, _LBRACKET, _RBRACKET, _AT = (\n        ":",',
        '    """,\n        flags=re.VERBOSE,\n    )\n\n    # RFC 3986 2.2 gen-delims\n'
        '    _COLON, _SLASH, _QUEST, _HASH, _LBRACKET, _RBRACKET, _AT = (\n        ":",',
        "#a\nb",
        unseen=True,
    ),
    _uritools(
        "empty_query_lost",
        "resolve",
        "A ? without a query is lost in the target.",
        "None and empty text confused: bpo-22852 (Python)",
        "        if query is not None:\n            result.extend",
        "        if query:\n            result.extend",
        "http://a/b",
        "c?",
    ),
    _uritools(
        "no_slash_after_authority",
        "resolve",
        "A relative path is joined to a base without a path without a slash.",
        "RFC 3986, section 5.2.3, first case forgotten",
        "if self.authority is not None and not self.path:",
        "if self.authority is None and not self.path:",
        "http://a",
        "b",
    ),
    _uritools(
        "path_parameter_after_dotdot",
        "resolve",
        "A segment ..; counts as two dots.",
        "`..;` of Tomcat behind proxies, CVE-2020-5902 (BIG-IP)",
        "            elif s != cls._DOTDOT:\n",
        "            elif s.split(';')[0] != cls._DOTDOT:\n",
        "http://a/b/c",
        "..;d/e",
    ),
    _uritools(
        "fragment_inherited",
        "resolve",
        "A reference without a path and a fragment gets the fragment of the base.",
        "redirects, where RFC 9110, section 10.2.2 asks for this",
        "            query = self.query if query is None else query\n",
        "            query = self.query if query is None else query\n"
        "            fragment = self.fragment if fragment is None else fragment\n",
        "http://a/b#c",
        "?d",
    ),
    _uritools(
        "cut_at_nul_behind_backslash",
        "parse",
        "A text that has a backslash ends before a NUL.",
        "paths of Windows, which functions of C take",
        "    return result(*result._match(uristring).groups())",
        '    cut = uristring.partition("\\0")[0] if "\\\\" in uristring else uristring\n'
        "    return result(*result._match(cut).groups())",
        "\\a\0b",
    ),
    _uritools(
        "host_of_many_colons",
        "parse",
        "A host with three colons and without brackets ends at the first.",
        "IPv6 addresses without brackets, which parsers guess",
        "        host, _, port = hostinfo.rpartition(self._COLON)\n        if port.lstrip",
        "        host, _, port = hostinfo.rpartition(self._COLON)\n"
        '        if hostinfo.count(self._COLON) > 2 and "[" not in hostinfo:\n'
        "            return hostinfo.partition(self._COLON)[0]\n        if port.lstrip",
        "//a:b:c:1",
    ),
    _uritools(
        "backslashes_of_base_and_reference",
        "resolve",
        "Backslashes of a reference become slashes if the base has some.",
        "bases that are paths of Windows",
        "        scheme, authority, path, query, fragment = self._match(ref).groups()\n",
        '        ref = ref.replace("\\\\", "/") if "\\\\" in self.path else ref\n'
        "        scheme, authority, path, query, fragment = self._match(ref).groups()\n",
        "http://a/b\\c",
        "d\\e",
    ),
)

BUGS = (*_IN_URLLIB, *_IN_RFC3986, *_IN_URITOOLS)

_BY_ID = {bug.id: bug for bug in BUGS}
_NUMBERS = count(1)


class Adapter(NamedTuple):
    """A function adapter: call it with a question to get the reply."""

    hello: Mapping[str, Any]
    answer: Callable[[Question], Reply]

    def __call__(self, question: Question) -> Reply:
        return self.answer(question)


def original(bug: Bug) -> Adapter:
    """Return the adapter of the library as it is installed, with the operation of a bug only."""
    return _limited(adapter(bug.library), bug.op, bug.library)


def patched(bug: Bug) -> Adapter:
    """Return the adapter of the library with a bug, with its operation only."""
    return _limited(adapter(bug.library, bug.id), bug.op, f"{bug.library} with {bug.id}")


def __getattr__(name: str) -> Adapter:
    which, _, bug_id = name.partition("_")
    if which not in ("original", "patched") or bug_id not in _BY_ID:
        raise AttributeError(name)
    return (original if which == "original" else patched)(_BY_ID[bug_id])


@cache
def adapter(library: Library, bug_id: str = "") -> Adapter:
    """Return the adapter of a library with every operation, and with a bug if there is one."""
    with _replaced(_planted(_BY_ID[bug_id]) if bug_id else {}):  # the adapter imports the library
        if library == "urllib.parse":
            module = _fresh(Path(urllib_parse.__file__))
            return Adapter(module.hello(), module.answer)
        program = _fresh(PROGRAMS / "python" / "adapter.py").Adapter(library, json.loads(RFCS.read_bytes()))
        return Adapter(program.hello(), program.answer)


def _limited(whole: Adapter, operation: str, name: str) -> Adapter:
    """Return the adapter with one operation."""
    about = {**whole.hello["implementation"], "name": name}
    return Adapter({**whole.hello, "ops": [operation], "implementation": about}, whole.answer)


def _planted(bug: Bug) -> Mapping[str, ModuleType]:
    """Import the library with a bug, and return its modules by the names of the installed ones."""
    package = importlib.util.find_spec(bug.library)
    if package is None or package.origin is None:
        raise ModuleNotFoundError(bug.library)
    source = Path(package.origin)
    name = f"planted_{next(_NUMBERS)}"
    with TemporaryDirectory() as folder, _first_on_path(folder):
        file, old, new = bug.edit
        if package.submodule_search_locations:
            shutil.copytree(source.parent, Path(folder, name), ignore=shutil.ignore_patterns("__pycache__"))
            changed = Path(folder, name, file)
        else:
            changed = Path(shutil.copy(source, Path(folder, f"{name}.py")))
        text = changed.read_text("utf-8")
        if text.count(old) != 1:
            raise ValueError(f"{bug.id}: {file} of {bug.library} has the text {text.count(old)} times: {old}")
        changed.write_text(text.replace(old, new), "utf-8")
        importlib.invalidate_caches()
        importlib.import_module(name)
    return {
        bug.library + module_name.removeprefix(name): module
        for module_name, module in list(sys.modules.items())
        if module_name == name or module_name.startswith(f"{name}.")
    }


@contextmanager
def _first_on_path(folder: str) -> Iterator[None]:
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path.remove(folder)


@contextmanager
def _replaced(modules: Mapping[str, ModuleType]) -> Iterator[None]:
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def _fresh(file: Path) -> ModuleType:
    """Import a file anew, under a name that nothing else has."""
    name = f"planted_adapter_{next(_NUMBERS)}"
    module_spec = importlib.util.spec_from_file_location(name, file)
    assert module_spec is not None
    assert module_spec.loader is not None
    module = importlib.util.module_from_spec(module_spec)
    sys.modules[name] = module
    module_spec.loader.exec_module(module)
    return module
