"""A suite: texts with their true verdicts, put to an automaton all at once."""

from __future__ import annotations

from collections.abc import Mapping

from urloracle.automaton import SINK, Automaton


class Suite:
    """Texts of one rule and whether each is valid, as a tree of prefixes: what texts share is walked once."""

    def __init__(self, verdicts: Mapping[str, bool]) -> None:
        self.verdicts = verdicts
        self._children: list[dict[str, int]] = [{}]
        self._verdict: list[bool | None] = [None]
        for text in sorted(verdicts):
            node = 0
            for char in text:
                following = self._children[node].get(char)
                if following is None:
                    following = self._children[node][char] = len(self._children)
                    self._children.append({})
                    self._verdict.append(None)
                node = following
            self._verdict[node] = verdicts[text]
        self._has_member = [verdict is True for verdict in self._verdict]
        for node in range(len(self._children) - 1, -1, -1):
            self._has_member[node] |= any(self._has_member[child] for child in self._children[node].values())

    def notices(self, automaton: Automaton) -> bool:
        """True where the automaton gives some text another verdict than the true one."""
        classes, table, accepting = automaton.classes, automaton.table, automaton.accepting
        children, verdicts, has_member = self._children, self._verdict, self._has_member
        stack = [(0, automaton.start)]
        while stack:
            node, state = stack.pop()
            if state == SINK:  # and never left: every text below is rejected
                if has_member[node]:
                    return True
                continue
            verdict = verdicts[node]
            if verdict is not None and verdict is not (state in accepting):
                return True
            row = table[state]
            for char, child in children[node].items():
                kind = classes.get(char)
                stack.append((child, SINK if kind is None else row[kind]))
        return False

    def covered(self, automaton: Automaton) -> frozenset[tuple[int, int]]:
        """The transitions that the texts take, as pairs of state and class, the last one into the sink."""
        found = set()
        stack = [(0, automaton.start)]
        while stack:
            node, state = stack.pop()
            for char, child in self._children[node].items():
                kind = automaton.classes.get(char, -1)
                found.add((state, kind))
                following = automaton.table[state][kind] if kind >= 0 else SINK
                if following != SINK:
                    stack.append((child, following))
        return frozenset(found)
