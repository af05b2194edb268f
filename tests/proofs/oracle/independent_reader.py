"""A second way from grammar text to automaton: another reader, and the library automata-lib.

Nothing of the oracle takes part but the text of the grammar files: productions are cut into tokens here,
written as regular expressions over classes of characters, and compiled by the library.
"""

from __future__ import annotations

import re
from collections import deque
from functools import cache

from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import ASCII
from urloracle.grammar.grammar import source
from urloracle.rfcs import SPECIFICATIONS

_TOKEN = re.compile(r'"[^"\n]*"|<[^>\n]*>|%x[0-9A-Fa-f-]+|[A-Za-z][A-Za-z0-9+_-]*|\d*\*\d*|\d+|[\[\]()|/]')
_PRODUCTION = re.compile(r"^([A-Za-z][A-Za-z0-9+_-]*)[ ]*=((?:.*\n)(?:[ \t].*\n)*)", re.MULTILINE)
_SYMBOLS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


class SecondReader:
    """The productions of one specification as regular expressions over symbols for classes of characters."""

    def __init__(self, files):
        text = "\n".join(source(name) for name in files) + "\n"
        text = re.sub(r'("[^"\n]*")|;[^\n]*', lambda match: match[1] or "", text)
        self._tokens = {name.lower(): _TOKEN.findall(body) for name, body in _PRODUCTION.findall(text)}
        self._fold = files[0].endswith(".abnf")
        self._used = {}

    def _letters(self, token):
        """Return the characters of a token of one character, or None."""
        if token == '<">':
            return frozenset('"')
        if token[:2] == "%x":
            low, _, high = token[2:].partition("-")
            return frozenset(map(chr, range(int(low, 16), int(high or low, 16) + 1)))
        if token[0] == '"' and len(token) == 3:
            return frozenset((token[1].lower(), token[1].upper())) if self._fold else frozenset(token[1])
        return None

    @cache  # noqa: B019 - one reader for each specification
    def _set(self, name):
        """Return the characters of a rule that is nothing but alternatives of one character, else None."""
        members = set()
        for number, token in enumerate(self._tokens[name]):
            if number % 2:
                if token not in ("|", "/"):
                    return None
                continue
            part = self._set(token.lower()) if token.lower() in self._tokens else self._letters(token)
            if part is None:
                return None
            members |= part
        return frozenset(members)

    def compile(self, name):
        """Return the minimal automaton of a rule, by the library, and the symbol of each character in it."""
        from automata.fa.dfa import DFA  # slow to import
        from automata.fa.nfa import NFA

        self._used.clear()
        template = self._expression(name)
        kinds = {}
        for char in ASCII:
            kind = tuple(char in members for members in self._used)
            if any(kind):
                kinds.setdefault(kind, []).append(char)
        symbols = {
            char: sign for sign, chars in zip(_SYMBOLS, kinds.values(), strict=False) for char in chars
        }
        for members, index in self._used.items():
            template = template.replace(index, f"({'|'.join(sorted({symbols[char] for char in members}))})")
        automaton = NFA.from_regex(template, input_symbols=set(symbols.values()))
        return DFA.from_nfa(automaton, minify=True), symbols

    def _one_of(self, members):
        """Return a sign in the private area that `compile` replaces by the symbols of these characters."""
        return self._used.setdefault(members, chr(0xE000 + len(self._used)))

    def _expression(self, name):
        single = self._set(name.lower())
        if single is not None:
            return self._one_of(single)
        tokens = deque(self._tokens[name.lower()])
        expression = self._alternatives(tokens)
        assert not tokens
        return f"({expression})"

    def _alternatives(self, tokens):
        rows = [self._row(tokens)]
        while tokens and tokens[0] in "|/":
            tokens.popleft()
            rows.append(self._row(tokens))
        return "|".join(rows)

    def _row(self, tokens):
        source = ""
        while tokens and tokens[0] not in "|/)]":
            source += self._item(tokens)
        return source or "()"

    def _item(self, tokens):
        times = tokens.popleft() if re.fullmatch(r"\d*\*\d*|\d+", tokens[0]) else ""
        token = tokens.popleft()
        if token in "([":
            inner = f"({self._alternatives(tokens)})"
            assert tokens.popleft() == {"(": ")", "[": "]"}[token]
            grouping = token == "(" or (times and not self._fold)  # G-01
            inner = inner if grouping else f"({inner}?)"
        elif token.lower() in self._tokens:
            inner = self._expression(token)
        elif self._letters(token):
            inner = self._one_of(self._letters(token))
        else:
            inner = "(" + "".join(self._one_of(self._letters(f'"{char}"')) for char in token[1:-1]) + ")"
        low, star, high = times.partition("*")
        return f"({inner}{{{low or 0},{high if star else low}}})" if times else inner


@cache
def independent_reader(spec):
    return SecondReader(SPECIFICATIONS[spec].files)


def disagreement(ours: Automaton, theirs, symbols):
    """Return a shortest text on which two automata disagree, or None if there is none."""
    start = (ours.start, theirs.initial_state)
    seen = {start}
    queue = deque([(*start, "")])
    while queue:
        state, other_state, word = queue.popleft()
        if (state in ours.accepting) != (other_state in theirs.final_states):
            return word
        for char in ASCII:
            following = (
                ours.table[state][ours.classes[char]] if char in ours.classes else 0,
                theirs.transitions.get(other_state, {}).get(symbols.get(char)),
            )
            if following not in seen:
                seen.add(following)
                queue.append((*following, word + char))
    return None
