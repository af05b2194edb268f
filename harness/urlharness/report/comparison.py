"""A comparison of libraries in words and tables for a terminal or Markdown, and as CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from urlharness.compare.browsers import ada_version
from urlharness.compare.bypass import (
    FETCHED_SCHEMES,
    MEANINGS,
    SPELLING,
    SPELLING_MEANING,
    TRAILING_DOT,
    TRAILING_DOT_MEANING,
    Bypass,
    BypassClass,
    BypassRow,
    Witness,
    rfc_hosts,
)
from urlharness.compare.causes import Cause, expected_answers, right_under_a_claimed_rfc
from urlharness.compare.history import Change, History
from urlharness.compare.matrix import ClassCount, Disagreement, Matrix, Trait, by_class, causes
from urlharness.corpus.describe import by_ruling, describe_expected, describe_inputs
from urlharness.corpus.differences import DifferenceClass
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, is_abbreviation
from urlharness.corpus.model import Case
from urlharness.corpus.specifications import SPECS
from urlharness.panel.answer import AnswerGroup, recorded_answer
from urlharness.report.markdown import code, fence, inline, table
from urlharness.report.summary import total_answers, total_score
from urlharness.results.model import Participant
from urlharness.results.scores import Answers, State, by_spec
from urlharness.shell import join, repro
from urlharness.text import logged, plain, visible
from urlharness.wording import counted, first_names, rfc

#: The maximum width of a line and of a cell of a table, and the width to which a column can be cut.
WIDTH, _CELL, _NARROW = 100, 48, 8

#: The maximum number of libraries in a table of all pairs. For more libraries, this many pairs are listed.
_SQUARE, _WORST_PAIRS = 8, 10

#: The maximum number of classes, groups of equal answers, and changes to show. `--all` shows all classes and
#: changes.
_CLASSES, _GROUPS, _CHANGES = 12, 5, 20

#: The maximum number of compared libraries for which groups name every member. If there are more libraries,
#: the maximum width of the names of a group.
_FEW, _LABEL = 4, 30

#: The maximum number of libraries to name that give the same wrong answer, unless everything is shown.
_COMPANY = 4

#: The minimum mean share of equal answers within a family.
_ALIKE = 0.9


#: A backslash that escapes what follows it in Markdown.
_ESCAPING = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)")

#: The signs of Markdown that need a second one to have a meaning. An `_` inside a word is text.
_PAIRED_SIGNS = (re.compile("`"), re.compile(r"\*"), re.compile("~"), re.compile(r"\b_|_\b"))

#: What begins a list, a heading or a quotation within a line of a list.
_BEGINNING = re.compile(r"(?=[#>+*-])")

#: A `<` or `&` that begins a tag or a character reference, and an `@` that begins a mention.
_TAG = re.compile("<(?=[A-Za-z/!?])")
_REFERENCE = re.compile("&(?=#?[0-9A-Za-z]+;)")
_MENTION = re.compile(r"(?<![0-9A-Za-z])@(?=[0-9A-Za-z])")


class Heading(NamedTuple):
    """A heading."""

    text: str


class Lines(NamedTuple):
    """Lines of words. A line that is too long is broken between words."""

    lines: Sequence[str]


class Hint(NamedTuple):
    """What is left out, and the option that shows it."""

    text: str


class Grid(NamedTuple):
    """A table of cells. `figures` are the columns to align right, from 0, and `spare` those to cut first."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    figures: frozenset[int] = frozenset()
    spare: frozenset[int] = frozenset()


class AnswerLine(NamedTuple):
    """A line of a listing: who answers, the answer in words, and a note. The note is never cut.

    Markdown shortens the words unless they are a list of `names`.
    """

    label: str
    words: str
    note: str = ""
    names: bool = False


class Listing(NamedTuple):
    """One difference: a title, the question, the answers, and the command that asks again.

    `elsewhere` says where texts are whole if there is no such command.
    """

    title: str
    question: str
    answers: Sequence[AnswerLine]
    again: str = ""
    elsewhere: str = ""


Block = Heading | Lines | Hint | Grid | Listing
Classes = Mapping[str, DifferenceClass]


# ---- what is said


def comparison(
    matrix: Matrix,
    found: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    *,
    everything: bool,
) -> Iterator[Block]:
    """Yield the report on several libraries.

    `found` are the disagreements to show, and `traits` the habits of the libraries. If `everything` is True,
    all classes are shown.
    """
    spec = _spec(matrix)
    names, questions = matrix.names, len(matrix.answers)
    what = counted(questions, "question")
    libraries = counted(len(names), "library", "libraries")
    yield Heading(f"{spec}: {libraries}, {what}, {len(found):,} with different answers")
    yield from _states(matrix)
    if len(names) == 2:
        yield from _pair(matrix)
    yield _scores(matrix)
    yield from _causes(matrix, found)
    yield from _worst(found, matrix, classes, everything=everything)
    if len(names) > 2:
        yield from _pairs(matrix)
        yield from _families(matrix)
    yield from _traits(traits, len(names))


def _spec(matrix: Matrix) -> str:
    specs = dict.fromkeys(asked.case.spec for asked in matrix.results.vectors.values())
    return ", ".join(map(rfc, specs)) or "nothing"


def _states(matrix: Matrix) -> Iterator[Block]:
    missing = [one for one in matrix.results.participants if one.state != "ran"]
    if missing:
        yield Lines([f"{one.name}: {one.status}: {plain(one.message)}" for one in missing])


def _pair(matrix: Matrix) -> Iterator[Block]:
    one, other = matrix.names
    pair = matrix.pairs[one, other]
    both = (
        f"{_named(matrix, one)} and {_named(matrix, other)} both answer {counted(pair.shared, 'question')}."
    )
    differ = f"They differ in {pair.different:,}, by more than spelling in {pair.alarms:,}"
    yield Lines([f"{both} {differ}, and see different hosts in {pair.hosts:,}."])


def _named(matrix: Matrix, name: str) -> str:
    about = matrix.participant(name).implementation
    version = "" if about is None or about.version == "unknown" else f" {about.version}"
    return f"{name}{version}"


def _pairs(matrix: Matrix) -> Iterator[Block]:
    """Yield how often each two libraries differ, or only the worst pairs if there are many libraries."""
    pairs = matrix.pairs
    if len(matrix.names) <= _SQUARE:
        yield Heading("Questions with answers that differ by more than spelling / in the host")
        rows = []
        for one in matrix.names:
            found = (pairs.get((one, other)) or pairs.get((other, one)) for other in matrix.names)
            rows.append([one, *(f"{pair.alarms:,}/{pair.hosts:,}" if pair else "" for pair in found)])
        yield Grid(["", *matrix.names], rows, frozenset(range(1, len(matrix.names) + 1)))
        return
    yield Heading("The pairs that see different hosts most often")
    worst = sorted(pairs.items(), key=lambda item: -item[1].hosts)[:_WORST_PAIRS]
    rows = [[one, other, *(f"{count:,}" for count in pair[::-1])] for (one, other), pair in worst]
    head = ["library", "and", "host", "by more than spelling", "different", "both answer"]
    yield Grid(head, rows, frozenset(range(2, 6)))


def _scores(matrix: Matrix) -> Grid:
    """Return the table of the libraries. Those with the largest shares of held statements come first."""
    specs = by_spec(matrix.results).values()
    scores = {name: total_score(scores[name] for scores in specs) for name in matrix.names}
    head = ["library", "version", "language", "held", "failed", "right", "wrong",
            "not exposed", "not offered", "alone"]  # fmt: skip
    rows = []
    for name in matrix.names:
        states, answers = scores[name].states, scores[name].required
        held, failed = states[State.HELD], states[State.FAILED]
        about = matrix.participant(name).implementation
        known = [name, about.version, about.language] if about else [name, "", ""]
        counts = (held, failed, answers.answered - answers.wrong, answers.wrong, answers.partial,
                  answers.unsupported, len(matrix.alone(name)))  # fmt: skip
        rows.append((-held / max(1, held + failed), [*known, *(f"{count:,}" for count in counts)]))
    shown = [cells for _, cells in sorted(rows, key=lambda row: row[0])]
    columns = slice(0, len(head) - (len(matrix.names) <= 2))
    versions = frozenset((head.index("version"),))
    return Grid(head[columns], [cells[columns] for cells in shown], frozenset(range(3, len(head))), versions)


def _causes(matrix: Matrix, found: Sequence[Disagreement]) -> Iterator[Block]:
    counts = causes(found)
    rows = [(cause.value, f"{counts[cause]:,}") for cause in reversed(Cause) if counts[cause]]
    if not rows:
        return
    yield Heading("Why they differ (the worst cause of each question)")
    yield Grid(["cause", "questions"], rows, frozenset({1}))
    if counts[Cause.BROWSER] or counts[Cause.BROWSERS_DISAGREE]:
        yield Lines([f"The reading of the browsers is that of Ada {ada_version()}."])
    if matrix.split_browsers:
        disagree = counted(matrix.split_browsers, "question")
        yield Lines([f'"browsers disagree": on {disagree}, another parser of the browsers differs from it.'])


def _worst(
    found: Sequence[Disagreement], matrix: Matrix, classes: Classes, *, everything: bool
) -> Iterator[Block]:
    alarms = [one for one in found if one.alarming]
    counted_classes = by_class(alarms)
    if not counted_classes:
        return
    shown = counted_classes if everything else counted_classes[:_CLASSES]
    yield Heading("What they differ in, by class; the most harmful first")
    for one in shown:
        yield _listing(one, matrix, classes)
    if left := len(counted_classes) - len(shown):
        yield Hint(f"{counted(left, 'more class', 'more classes')}: --all")
    if spelled := len(found) - len(alarms):
        yield Lines([f"Not listed: {counted(spelled, 'question')} with differences in spelling only."])


def _listing(one: ClassCount, matrix: Matrix, classes: Classes) -> Listing:
    witness = one.witness
    worst = max(witness.sides, key=lambda side: -1 if side.cause is None else side.cause.rank)
    return Listing(
        _class_title(one, classes),
        _asked(witness.case),
        _answers(witness, matrix),
        _again(witness, worst.names[0]) if len(matrix.names) <= 2 else "",
    )


def _class_title(one: ClassCount, classes: Classes) -> str:
    """Return the title of a class: its worst component, its name, and the number of its questions.

    If not all answers differ in the worst component, the title also says in how many questions they do.
    """
    worst = sum(found.component == one.component for found in one.alarming)
    total = counted(len(one.disagreements), "question")
    count = total if worst == len(one.disagreements) else f"{worst:,} of {total}"
    return f"{one.component}: {_title(one.entry, classes)}, {count}"


def _again(one: Disagreement, name: str) -> str:
    """Return the command that asks a library again: `ask` for the texts of the user, `repro` for others.

    Return an empty string if neither command can ask the question.
    """
    vector = one.case.vector
    whole = any(isinstance(text, str) and len(text) > MAX_WHOLE_LENGTH for text in vector.inputs.values())
    if one.case.file.startswith("differences/"):
        return repro(vector.id, name, spec=one.case.spec, whole=whole)
    if one.case.file.endswith(".json"):
        return repro(vector.id, name, whole=whole)
    base = ["--base", vector.base] if isinstance(vector.base, str) else []
    text = vector.reference if base else vector.url
    if vector.op not in ("parse", "validate", "resolve") or not isinstance(text, str) or text == "-":
        return ""
    return join(["urlconform", "ask", "-a", name, *base, *(["--"] if text.startswith("-") else []), text])


def _title(entry: str | None, classes: Classes) -> str:
    """Return the title and id of a class."""
    return "no named class" if entry is None or entry not in classes else f"{classes[entry].title} ({entry})"


def _asked(case: Case) -> str:
    """Return the operation and the inputs of a question."""
    inputs = ", ".join(f"{name} {_visible_input(text)}" for name, text in describe_inputs(case.vector))
    return f"{case.vector.op} {inputs}"


def _visible_input(description: str) -> str:
    """Return an input for a reader. Blanks at its ends are visible already, between angle brackets."""
    return description if is_abbreviation(description.strip("<>")) else visible(description)


def _expected(one: Disagreement) -> str:
    found = expected_answers(one.case.vector.expect)
    return " or ".join(dict.fromkeys(answer.in_words() for answer in found))


def _answers(one: Disagreement, matrix: Matrix) -> list[AnswerLine]:
    """Return the expected answer, then the answer of each group of libraries, the largest group first."""
    few = len(matrix.names) <= _FEW
    causes_of = {name: side.cause for side in one.sides for name in side.names}
    lines = [AnswerLine(rfc(one.case.spec), _expected(one))]
    for group in one.groups[:_GROUPS]:
        cause = causes_of[group.names[0]]
        who = ", ".join(group.names) if few else _who(group)
        lines.append(AnswerLine(who, group.answer.in_words(), cause or ""))
    if (left := len(one.groups) - _GROUPS) > 0:
        lines.append(AnswerLine(counted(left, "more answer"), ""))
    if not few and (most := one.consensus) is not None:
        lines.append(AnswerLine("most", most.answer.in_words()))
    return lines


def _who(group: AnswerGroup) -> str:
    """Return the names of the libraries in a group or, if that is too long, their number and one name."""
    names = sorted(group.names)
    shown = ", ".join(names)
    return shown if len(shown) <= _LABEL else f"{len(names)} ({names[0]} …)"


def _families(matrix: Matrix) -> Iterator[Block]:
    """Yield the largest clusters with a mean share of equal answers of at least `_ALIKE`."""
    found = matrix.likeness()
    size, families = len(found.names), []
    taken: set[int] = set()
    for number in range(len(found.joins) - 1, -1, -1):
        join = found.joins[number]
        if join.share >= _ALIKE and not taken & set(join.members):
            taken |= set(join.members)
            families.append((join.share, sorted(found.named(size + number))))
    if families:
        yield Heading(
            f"Families: at least {_ALIKE:.0%} of the answers are equal, on average".replace("%", " %")
        )
        families.sort(key=lambda family: -len(family[1]))
        yield Lines([f"{int(100 * share)} %  {', '.join(names)}" for share, names in families])


def _traits(traits: Sequence[Trait], count: int) -> Iterator[Block]:
    rows = []
    for one in traits:
        if one.having or one.lacking:
            fewer, but = (one.having, "") if len(one.having) <= len(one.lacking) else (one.lacking, "not ")
            who = f"{but}{first_names(fewer, 6)}" if fewer else ""
            who = ", ".join(one.having) if count <= _FEW else who
            rows.append([one.words, f"{len(one.having)} of {len(one.having) + len(one.lacking)}", who])
    if rows:
        yield Heading("Harmless habits (not counted above)")
        yield Grid(["habit", "libraries", "which"], rows)


# ---- for a maintainer


def maintainer(
    matrix: Matrix,
    name: str,
    wrong: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    *,
    everything: bool,
) -> Iterator[Block]:
    """Yield the report for the maintainer of a library: its wrong answers by class.

    Answers that no other library gives come first. `wrong` are the answers to show, as `Matrix.wrong` returns
    them. If `everything` is True, all classes are shown.
    """
    participant = matrix.participant(name)
    about = participant.implementation
    language = f" ({about.language})" if about and about.language else ""
    others = counted(len(matrix.names) - 1, "other library", "other libraries")
    yield Heading(f"{_named(matrix, name)}{language} under {_spec(matrix)}, beside {others}")
    answers = Answers()
    for result in matrix.results.of(name).values():
        answers.count(result.outcome)
    yield Lines(_counts_of_answers(answers, total_answers(matrix.results, participant, all_specs=True)))
    if len(wrong) < answers.wrong:
        yield Lines([f"Selected: {len(wrong):,} of the {answers.wrong:,} wrong answers."])
    listed = [one for one in wrong if not _is_right_under_a_claimed_rfc(one, matrix, participant)]
    if elsewhere := len(wrong) - len(listed):
        claimed = counted(elsewhere, "wrong answer is", "wrong answers are")
        yield Lines([f"Not listed: {claimed} right under another RFC that the library claims."])
    for heading, own in _lonely(listed, name, matrix):
        if not own:
            continue
        found = by_class(own)
        yield Heading(
            f"{heading}: {counted(len(found), 'class', 'classes')}, {counted(len(own), 'question')}"
        )
        for one in found if everything else found[:_CLASSES]:
            yield _complaint(one, name, matrix, classes, everything=everything)
        if not everything and (left := len(found) - _CLASSES) > 0:
            yield Hint(f"{counted(left, 'more class', 'more classes')}: --all")
    habits = [one.words for one in traits if name in one.having]
    if habits:
        yield Heading("Harmless habits (not counted above)")
        yield Lines(habits)


def _counts_of_answers(answers: Answers, required: Answers) -> Sequence[str]:
    """Return lines with the counts of all answers and, unless they are the same, of the `required` ones."""
    silent = f"{answers.partial:,} not exposed, {answers.unsupported:,} not offered"
    lines = [f"{answers.right:,} right, {answers.wrong:,} wrong, {silent}."]
    if answers != required:
        lines.append(
            "These are the answers to all questions. Scores count the required vectors of the corpus only: "
            f"{required.right:,} right, {required.wrong:,} wrong."
        )
    return lines


def _is_right_under_a_claimed_rfc(one: Disagreement, matrix: Matrix, participant: Participant) -> bool:
    result = matrix.results.of(participant.name)[one.case.vector.id]
    return right_under_a_claimed_rfc(one.case, result, participant)


def _lonely(
    wrong: Sequence[Disagreement], name: str, matrix: Matrix
) -> Iterator[tuple[str, list[Disagreement]]]:
    """Yield (heading, wrong answers) for three groups of answers.

    No other library gives the answers of the first group. Only browsers also give those of the second, and
    further libraries those of the third.
    """
    browsers = set(matrix.browsers) - {name}
    alone: list[Disagreement] = []
    with_browsers: list[Disagreement] = []
    others: list[Disagreement] = []
    for one in wrong:
        company = {other for group in one.groups if name in group.names for other in group.names} - {name}
        kind = alone if not company else with_browsers if company <= browsers else others
        kind.append(one)
    yield f"Only {name} (of {len(matrix.names)})", alone
    yield f"{name} and the browsers", with_browsers
    yield f"{name} and others", others


def _complaint(one: ClassCount, name: str, matrix: Matrix, classes: Classes, *, everything: bool) -> Listing:
    witness = one.witness
    asked = matrix.results.vectors[witness.case.vector.id]
    place = f"{witness.case.section}{by_ruling(asked.case.vector, asked.requirement)}"
    if witness.other_section is not None:
        place = witness.other_section  # the rulings are on what the question is about, not on this component
    own = witness.side_of[name]
    like = next(group for group in witness.groups if name in group.names)
    most = witness.consensus
    lines = [
        AnswerLine(f"{rfc(witness.case.spec)}, {place}", _expected(witness)),
        AnswerLine(name, _own_words(matrix, witness, name), own.cause or ""),
    ]
    if len(like.names) > 1:
        company = sorted({*like.names} - {name})
        names = ", ".join(company) if everything else first_names(company, _COMPANY)
        lines.append(AnswerLine("so do", names, names=True))
    if most is not None and name not in most.names:
        lines.append(AnswerLine(counted(len(most.names), "other"), most.answer.in_words()))
    return Listing(_class_title(one, classes), _asked(witness.case), lines, _again(witness, name))


def _own_words(matrix: Matrix, witness: Disagreement, name: str) -> str:
    """Return the answer of a library in words. The adapter may say how the library accepts a text."""
    answer = matrix.answers[witness.case.vector.id][name]
    words = answer.in_words()
    return f"{words} ({answer.message})" if answer.kind == "valid" and answer.message else words


# ---- who checks, who fetches


def bypass(found: Bypass, classes: Classes, *, everything: bool, only: str = "") -> Iterator[Block]:
    """Yield the report on whether a text can pass a check as one host and be fetched from another.

    `only` names the option that restricts `found`, or is empty.
    """
    check, fetch = found.check.name, found.fetch.name
    answer = f"no bypass in {counted(found.texts, 'text')}"
    if found.passing:
        answer = f"BYPASSABLE in {counted(len(found.classes), 'way')}"
    elif not found.both:
        answer = "nothing compared"
    yield Heading(f"check {check}, fetch {fetch}: {answer}{f' ({only})' if only else ''}")
    lines = [f"Both accept {found.both:,}."]
    if not answer.startswith("no bypass"):  # then the heading has the number of texts
        lines = [f"{counted(found.texts, 'text')}; both accept {found.both:,}."]
    if found.not_fetched:
        different = counted(found.not_fetched, "text")
        *schemes, last = FETCHED_SCHEMES
        fetched = f"{', '.join(schemes)} and {last}"
        lines.append(f"Not counted: {different} with different hosts; clients fetch {fetched}, not these.")
    if found.left_out:
        why = "a program that starts anew for each text is asked the most different ones"
        lines.append(f"Not asked: {found.left_out:,} of {found.texts + found.left_out:,} texts; {why}.")
    yield Lines(lines)
    yield _bypass_rows(found)
    shown = found.classes if everything else found.classes[:_CLASSES]
    for group in shown:
        yield _bypass_listing(found, group, classes)
    if left := len(found.classes) - len(shown):
        yield Hint(f"{counted(left, 'more class', 'more classes')}: --all")
    if found.passing:
        yield Heading("How to close it")
        yield Lines(_remedies(found))


def _bypass_rows(found: Bypass) -> Grid:
    """Return the table of the rows: the number of texts, and what it means.

    If the user wants to see all rows, the differences that are no bypass follow.
    """
    counts = found.counts
    rows = [[row, f"{counts[row]:,}", MEANINGS[row]] for row in found.rows]
    if len(found.rows) == len(BypassRow):
        rows.append([SPELLING, f"{found.spelling:,}", SPELLING_MEANING])
        rows.append([TRAILING_DOT, f"{found.dots:,}", TRAILING_DOT_MEANING])
    return Grid(["row", "texts", "meaning"], rows, frozenset({1}))


def _bypass_listing(found: Bypass, group: BypassClass, classes: Classes) -> Listing:
    """Return the listing of a class: the exploit, what the RFCs say about it, and the shortest text."""
    first = group.exploit or group.shortest
    specs_by_host: dict[str, list[str]] = {}
    for spec, host in rfc_hosts(first.text).items():
        specs_by_host.setdefault(host, []).append(spec.removeprefix("rfc"))
    answers = [*_seen_hosts(found, first)]
    if group.exploit is None:
        answers.append(AnswerLine("exploit", "none among the texts that were tried"))
    answers += [AnswerLine(_rfcs(specs), visible(host)) for host, specs in specs_by_host.items()]
    if first != group.shortest:
        answers += [
            AnswerLine("shortest text", visible(group.shortest.text)),
            *_seen_hosts(found, group.shortest),
        ]
    title = f"{group.row}, {counted(len(group.witnesses), 'text')}: {_title(group.entry, classes)}"
    return Listing(title, visible(first.text), answers, elsewhere="--report sarif=FILE has them whole")


def _seen_hosts(found: Bypass, witness: Witness) -> Iterator[AnswerLine]:
    yield AnswerLine(f"{found.check.name} sees", visible(witness.checked or "no host"))
    yield AnswerLine(f"{found.fetch.name} goes to", visible(witness.fetched))


def _remedies(found: Bypass) -> list[str]:
    """Return lines that say, for each RFC, how many bypasses are left if its invalid texts are refused.

    RFCs that leave the same number share a line.
    """
    alike: dict[int, list[str]] = {}
    for one in found.remedies:
        alike.setdefault(one.left, []).append(one.spec.removeprefix("rfc"))
    lines = []
    for left, (*others, last) in sorted(alike.items()):
        specs = f"{', '.join(others)} or {last}" if others else last
        lines.append(f"Refusing what RFC {specs} refuses leaves {left:,} of {found.passing:,}.")
    return lines


def _rfcs(specs: Sequence[str]) -> str:
    return "every RFC" if len(specs) == len(SPECS) else f"RFC {', '.join(specs)}"


# ---- old and new


def changes(found: History, *, everything: bool) -> Iterator[Block]:
    """Yield the broken, fixed and changed answers between two results files, and new wrong answers."""
    before, now = found.corpora
    corpora = "the same corpus" if before == now else f"corpus {before} and {now}"
    kinds = {"broken": "broken", "fixed": "fixed", "changed": "changed", "new": "wrong in new questions"}
    by_kind = {kind: [one for one in found.changes if one.kind == kind] for kind in kinds}
    shown = (kind for kind, own in by_kind.items() if own or kind != "new")
    summary = ", ".join(f"{kinds[kind]} {len(by_kind[kind]):,}" for kind in shown)
    yield Heading(f"{summary} ({corpora})")
    renewed = {name: pair for name, pair in found.versions.items() if pair[0] != pair[1]}
    lines = [f"{name}: {old} to {new}" for name, (old, new) in renewed.items()]
    if same := len(found.versions) - len(renewed):
        lines.append(f"{counted(same, 'library has', 'libraries have')} the same version in both")
    if found.added or found.removed:
        lines.append(f"vectors added: {found.added:,}, removed: {found.removed:,}")
    yield Lines(lines or ["No implementation ran in both."])
    for kind, own in by_kind.items():
        if own:
            yield Heading(f"{kinds[kind]}: {len(own):,}")
            listed = own if everything else own[:_CHANGES]
            if kind == "changed":
                yield from map(_changed, listed)
            else:
                head = ["library", "because of the", "vector", "before", "now"]
                yield Grid(head, [_change_row(one) for one in listed])
            if left := len(own) - len(listed):
                yield Hint(f"{left:,} more: --all")


def _change_row(one: Change) -> Sequence[str]:
    before, now = ("not asked" if each is None else each.outcome for each in (one.old, one.new))
    return [one.name, _reason(one), one.id, before, now]


def _changed(one: Change) -> Listing:
    """Return the old and the new answer to a question, which are both right or both wrong."""
    answers = []
    for label, each in (("before", one.old), ("now", one.new)):
        if each is not None:
            words = "" if each.outcome.abnormal else recorded_answer(each.got, tells_empty=True).in_words()
            answers.append(AnswerLine(label, words, each.outcome))
    return Listing(f"{one.name}: {one.id}, because of the {_reason(one)}", _asked(one.case), answers)


def _reason(one: Change) -> str:
    return "library and corpus" if one.reason == "both" else one.reason


# ---- renderers


def print_blocks(console: Console, blocks: Iterable[Block]) -> None:
    """Print blocks. On a terminal, no line is wider than the terminal or than 100 columns.

    A listing is cut to this width only on a terminal; if it is cut, a hint says how to see it whole.
    """
    width = min(console.width, WIDTH)
    has_cut = False
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                _print_wrapped(console, Text(logged(text), "bold"), width, before="\n" if number else "")
            case Lines(lines):
                for line in lines:
                    _print_wrapped(console, Text(logged(line)), width, indent=2)
            case Hint(text):
                console.print(Text(text, "dim"), soft_wrap=True)
            case Grid():
                _print_grid(console, block, width)
            case Listing():
                has_cut |= _print_listing(console, block, width)
    if has_cut:
        hint = Text("Lines that end with … are cut here; a pipe (| cat) shows them whole.", "dim")
        _print_wrapped(console, hint, width, before="\n")


def _print_wrapped(console: Console, text: Text, width: int, indent: int = 0, before: str = "") -> None:
    if before:
        console.print()
    for number, line in enumerate(text.wrap(console, max(20, width - indent))):
        line.rstrip()
        console.print(Text(" " * indent if number else "").append_text(line), soft_wrap=True)


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else set_cell_size(text, max(1, width - 1)).rstrip("…") + "…"


def _print_grid(console: Console, grid: Grid, width: int) -> None:
    cells = [[_cut(logged(cell), _CELL) for cell in row] for row in (grid.head, *grid.rows)]
    sizes = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    while sum(sizes) + 2 * (len(sizes) - 1) > width and max(sizes) > _NARROW:
        spare = [column for column in grid.spare if sizes[column] > _NARROW]
        sizes[max(spare or range(len(sizes)), key=sizes.__getitem__)] -= 1
    for number, row in enumerate(cells):
        shown = []
        for column, cell in enumerate(row):
            fitted = _cut(cell, sizes[column])
            blank = " " * (sizes[column] - cell_len(fitted))
            shown.append(blank + fitted if column in grid.figures else fitted + blank)
        console.print(Text("  ".join(shown).rstrip(), "dim" if not number else ""), soft_wrap=True)


def _print_listing(console: Console, listing: Listing, width: int) -> bool:
    """Print a listing, and return True if a line of it was cut."""
    cuts: list[str] = []

    def fit(text: str, room: int) -> str:
        if not console.is_terminal or cell_len(text) <= room:
            return text
        cuts.append(text)
        return _cut(text, room)

    console.print()
    console.print(Text(fit(logged(listing.title), width), "bold cyan"), soft_wrap=True)
    console.print(Text("  " + fit(logged(listing.question), width - 2)), soft_wrap=True)
    longest = max((cell_len(plain(answer.label)) for answer in listing.answers), default=0)
    size = min(_LABEL, width // 3, longest) if console.is_terminal else min(_LABEL, longest)
    for label, words, note, _ in listing.answers:
        head = fit(plain(label), size)
        head += " " * (size - cell_len(head))
        style = "green" if label.startswith(("RFC", "every RFC")) else ""
        after = f"  [{note}]" if note else ""
        shown = fit(plain(words), width - size - 6 - cell_len(after)) + after
        line = Text(logged(f"    {head}  {shown}"), style)
        line.stylize(style or "dim", 0, 4 + len(head))
        line.rstrip()
        console.print(line, soft_wrap=True)
    again = f"    {logged(listing.again)}"
    has_room = not console.is_terminal or cell_len(again) <= width
    if listing.again and has_room:  # a command that is cut would be another one
        console.print(Text(again, "dim"), soft_wrap=True)
    return bool(cuts)


def as_markdown(blocks: Iterable[Block]) -> str:
    """Return blocks as Markdown."""
    parts: list[str] = []
    for number, block in enumerate(blocks):
        match block:
            case Heading(text):
                parts.append(f"{'##' if number else '#'} {_prose(text)}")
            case Lines(lines):
                parts.append("\n".join(f"- {_prose(line)}" for line in lines))
            case Grid(head, rows, figures, _):
                words = [one for column, one in enumerate(head) if column not in figures]
                cells = [[inline(cell) for cell in row] for row in rows]
                parts.append("\n".join(table([inline(one) if one else "" for one in head], cells, words)))
            case Hint(text):
                parts.append(f"- {_prose(text)}")
            case Listing():
                parts.append(_listing_as_markdown(block))
    return "\n\n".join(parts) + "\n"


#: The maximum number of characters of a question or an answer in Markdown.
_INPUT = 200


def _listing_as_markdown(listing: Listing) -> str:
    """Return a listing as Markdown. What is longer than `_INPUT` is shortened, and the page says so."""
    lines = [f"### {_prose(listing.title)}", "", code(listing.question, _INPUT), ""]
    for answer in listing.answers:
        words = _prose(answer.words) if answer.names else code(answer.words, _INPUT)
        said = f": {words}" if answer.words else ""
        note = f" ({answer.note})" if answer.note else ""
        lines.append(f"- {_prose(answer.label)}{said}{note}")
    texts = [listing.question, *(answer.words for answer in listing.answers if not answer.names)]
    if any(len(logged(text)) > _INPUT for text in texts):
        whole = "the command prints them whole" if listing.again else listing.elsewhere
        shortened = f"Texts of more than {_INPUT} characters are shortened"
        lines.append(f"- {'; '.join(filter(None, (shortened, whole)))}.")
    if listing.again:
        lines += ["", fence([listing.again], "sh")]
    return "\n".join(lines)


def _prose(text: str) -> str:
    """Return a line of Markdown that shows a text as it is. Only what would have a meaning is escaped."""
    shown = _ESCAPING.sub(r"\\\\", plain(text))
    for sign in _PAIRED_SIGNS:
        if len(sign.findall(shown)) > 1:
            shown = sign.sub(r"\\\g<0>", shown)
    if "[" in shown and "]" in shown:
        shown = shown.replace("[", r"\[")
    shown = _REFERENCE.sub("&amp;", shown)
    shown = _TAG.sub("&lt;", shown)
    shown = _MENTION.sub("&#64;", shown)
    return _BEGINNING.sub(r"\\", shown, count=1) if _BEGINNING.match(shown) else shown


def as_csv(matrix: Matrix, found: Sequence[Disagreement]) -> str:
    """Return disagreements as CSV: a row for each question, and a column for the answers of each library."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    head = ("id", "operation", "text", "base", "class", "component", "cause", "expected")
    writer.writerow(map(plain, (*head, *matrix.names)))
    for one in found:
        vector = one.case.vector
        base = vector.base if isinstance(vector.base, str) else ""
        about = (vector.id, vector.op, one.text, base, one.entry or "", one.component, one.cause)
        answers = matrix.answers[vector.id]
        words = [answers[name].in_words() if name in answers else "" for name in matrix.names]
        writer.writerow(map(plain, (*about, describe_expected(vector.expect), *words)))
    return stream.getvalue()
