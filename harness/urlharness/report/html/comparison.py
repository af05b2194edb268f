"""The comparison on a page: the blocks of the terminal with links to their questions.

A page of several libraries says why and in what they differ, a page of one library what it gets wrong. A page
on who checks and who fetches says which texts get past the check, and how to close the gap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from urlharness.compare.bypass import Bypass, BypassClass, BypassRow, Witness
from urlharness.compare.causes import Cause
from urlharness.compare.matrix import ClassCount, Disagreement, Matrix, Trait, by_class, count_causes
from urlharness.panel.severity import ROUTING, VERDICT, general_component
from urlharness.report.comparison import (
    Classes,
    bypass_blocks,
    class_in_words,
    class_listing,
    comparison_title,
    family_blocks,
    lines_about_browsers,
    maintainer_blocks,
    missing_library_blocks,
    pair_blocks,
    pair_sentence,
    trait_blocks,
)
from urlharness.report.document import Block, Command, Grid, Heading, Hint, Lines, Listing
from urlharness.text import visible
from urlharness.wording import counted

#: The maximum number of unfolded listings below a heading, and of texts of a class of bypasses.
_UNFOLDED, _TEXTS = 6, 50


class PageSelection(NamedTuple):
    """The options of the command that select differences, and the words that select the same cases here.

    Both are empty if all differences are shown.
    """

    options: str = ""
    words: str = ""


class LinkedCell(NamedTuple):
    """A cell of a table. `query` are the words that select what it counts, or empty."""

    text: str
    query: str = ""


class LinkedTable(NamedTuple):
    """A table. `figures` are the columns to align right, from 0. `code` are those that contain texts."""

    head: Sequence[str]
    rows: Sequence[Sequence[LinkedCell]]
    figures: frozenset[int] = frozenset()
    code: frozenset[int] = frozenset()


class Card(NamedTuple):
    """A listing. `query` are the words that select its questions, or empty.

    `shade` is the CSS class of its severity. `texts` are further texts with the answers to them.
    """

    listing: Listing
    query: str = ""
    shade: str = ""
    texts: LinkedTable | None = None
    texts_title: str = ""


class PageBlock(NamedTuple):
    """Something below a heading, which the template shows by its kind.

    Its content has the type of the kind: texts for `lines`, a text for `command`, a LinkedTable for `table`,
    and Cards for `cards` and for `folded`.
    """

    kind: Literal["lines", "command", "table", "cards", "folded"]
    content: Sequence[str] | LinkedTable | Sequence[Card]


class ChapterPart(NamedTuple):
    """A heading with what is below it. `anchor` is its id on the page."""

    title: str
    anchor: str
    blocks: Sequence[PageBlock]


class ComparisonChapter(NamedTuple):
    """The comparison as the page shows it.

    `selection` says which differences are shown if these are not all of them. `everything` are the words that
    select all of them. `first` is the library whose answers come first, or empty.
    """

    headline: str
    state: str
    lead: Sequence[str]
    selection: str
    everything: str
    parts: Sequence[ChapterPart]
    order: Mapping[str, int] = {}
    first: str = ""


def compare_several(
    matrix: Matrix,
    selected: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    selection: PageSelection,
) -> ComparisonChapter:
    """Return the comparison of several libraries. `selected` are the disagreements to show."""
    parts = [
        _part_of_causes(matrix, selected, selection.words),
        _part_of_classes(matrix, selected, classes, selection.words),
        *_parts_of_blocks(_blocks_about_libraries(matrix, traits)),
    ]
    lead: list[str] = []
    if len(matrix.names) == 2:
        lead.append(pair_sentence(matrix))
    for block in missing_library_blocks(matrix):
        lead += block.lines
    return ComparisonChapter(
        headline=comparison_title(matrix, len(selected)),
        state="neutral",
        lead=lead,
        selection=_selection_in_words(len(selected), len(matrix.disagreements), selection.options),
        everything="is:different",
        parts=[part for part in parts if part.blocks],
        order=_order_by_harm(selected, matrix.disagreements),
    )


def compare_one(
    matrix: Matrix,
    name: str,
    wrong: Sequence[Disagreement],
    classes: Classes,
    traits: Sequence[Trait],
    selection: PageSelection,
) -> ComparisonChapter:
    """Return the page of the maintainer of a library: its wrong answers by class.

    `wrong` are the answers to show, as `Matrix.differences_from_rfc` returns them. `selection` says by which
    options they were selected.
    """
    heading, *blocks = maintainer_blocks(matrix, name, wrong, classes, traits, everything=True)
    parts = _parts_of_blocks([Heading("Its answers"), *blocks])
    assert isinstance(heading, Heading)
    return ComparisonChapter(
        headline=heading.text,
        state="neutral",
        lead=[],
        selection=f"Selected by {selection.options}." if selection.options else "",
        everything=wrong_answers_query(name),
        parts=parts,
        order=_order_by_harm(wrong, matrix.disagreements),
        first=name,
    )


def wrong_answers_query(name: str) -> str:
    """Return the words that select the questions that a library answers wrongly."""
    return f'impl:"{name}" outcome:wrong'


def describe_bypasses(
    bypasses: Bypass, classes: Classes, only: str, repeat: Sequence[Block]
) -> ComparisonChapter:
    """Return the page on who checks and who fetches.

    `only` is the option that restricts it, or empty. `repeat` says at its end how to repeat the search.
    """
    heading, *blocks = bypass_blocks(bypasses, classes, everything=True, only=only)
    assert isinstance(heading, Heading)
    listings = [block for block in blocks if isinstance(block, Listing)]
    other_blocks = [block for block in blocks if not isinstance(block, Listing)]
    cards = []
    for listing, group in zip(listings, bypasses.classes, strict=True):
        cards.append(_bypass_card(listing, group, bypasses, classes))
    parts = _parts_of_blocks([Heading("What gets past the check"), *other_blocks])
    if cards:
        parts.append(_part_with_anchor("The texts, by class", _card_blocks(cards)))
    parts += _parts_of_blocks(repeat)
    return ComparisonChapter(
        headline=heading.text,
        state=_state_of_bypasses(bypasses),
        lead=[_lead_on_bypasses(bypasses.check.name, bypasses.fetch.name)],
        selection="",
        everything="",
        parts=parts,
    )


def _lead_on_bypasses(check: str, fetch: str) -> str:
    """Return what the page says first: what it means that a text gets past the check."""
    return (
        f"{check} checks a URL, and {fetch} fetches it if the check lets it pass. A text gets past the check "
        f"if {check} accepts it and sees one host, but {fetch} goes to another. The first text of a "
        "class has the planted names if such an exploit was found; hosts are shown as each of them sees them."
    )


def _state_of_bypasses(bypasses: Bypass) -> str:
    """Return `failed` if a text gets past the check, and `neutral` if the parsers accept no common text."""
    if bypasses.passing:
        return "failed"
    return "passed" if bypasses.both else "neutral"


def _bypass_card(listing: Listing, group: BypassClass, bypasses: Bypass, classes: Classes) -> Card:
    """Return the card of a class of bypasses with its shortest texts, and the host that each parser sees.

    Its severity is the row of the class.
    """
    shortest = group.witnesses[:_TEXTS]
    count = len(group.witnesses)
    texts_title = counted(count, "text")
    if count > len(shortest):
        texts_title = f"The {len(shortest)} shortest of {count:,} texts"
    return Card(
        listing._replace(title=class_in_words(group.entry, classes), severity=group.row),
        shade="grave" if group.row is BypassRow.OTHER_TARGET else "part",
        texts=_table_of_witnesses(shortest, bypasses),
        texts_title=texts_title,
    )


def _table_of_witnesses(witnesses: Iterable[Witness], bypasses: Bypass) -> LinkedTable:
    """Return a table with a row for each text that gets past the check: the text and both hosts."""
    rows = []
    for witness in witnesses:
        cells = (witness.text, witness.checked or "no host", witness.fetched)
        rows.append([LinkedCell(visible(cell)) for cell in cells])
    head = ["text", f"{bypasses.check.name} sees", f"{bypasses.fetch.name} goes to"]
    all_columns = frozenset(range(len(head)))
    return LinkedTable(head, rows, code=all_columns)


def _selection_in_words(selected: int, total: int, options: str) -> str:
    """Return how many differences the options of the command select, or an empty string without options."""
    if not options:
        return ""
    return f"Selected by {options}: {selected:,} of {counted(total, 'question')} with different answers."


def _part_of_causes(matrix: Matrix, selected: Sequence[Disagreement], words: str) -> ChapterPart:
    """Return the causes with their meanings, the worst first, or no blocks without a disagreement.

    `words` select the disagreements on the page, or are empty if all are shown.
    """
    counts = count_causes(selected)
    rows = []
    for cause in reversed(Cause):
        if counts[cause]:
            query = f'{words} cause:"{cause.value}"'.lstrip()
            number = f"{counts[cause]:,}"
            rows.append([LinkedCell(cause.value, query), LinkedCell(number), LinkedCell(cause.meaning)])
    blocks = []
    if rows:
        head = ["cause", "questions", "meaning"]
        number_column = head.index("questions")
        table = LinkedTable(head, rows, figures=frozenset({number_column}))
        lines = list(lines_about_browsers(matrix, counts))
        blocks = [PageBlock("table", table), PageBlock("lines", lines)]
    return ChapterPart("Why they differ", "causes", blocks)


def _part_of_classes(
    matrix: Matrix, selected: Sequence[Disagreement], classes: Classes, words: str
) -> ChapterPart:
    """Return a card for each class of difference, the most harmful first.

    Differences in spelling only are in no class. A line says how many there are. `words` select the
    disagreements on the page, or are empty if all are shown.
    """
    alarms = [disagreement for disagreement in selected if disagreement.alarming]
    cards = []
    for count in by_class(alarms):
        listing = class_listing(count, matrix, classes)
        cards.append(_card(listing, f"{words} {_query_of_class(count)}".lstrip()))
    blocks = _card_blocks(cards)
    in_spelling = len(selected) - len(alarms)
    if in_spelling:
        questions = counted(in_spelling, "question")
        blocks.append(PageBlock("lines", [f"Besides: {questions} with differences in spelling only."]))
    return ChapterPart("What they differ in, the most harmful first", "classes", blocks)


def _query_of_class(count: ClassCount) -> str:
    """Return the words that select the questions of a class."""
    return f"class:{count.entry or 'none'} severity:{count.component}"


def _blocks_about_libraries(matrix: Matrix, traits: Sequence[Trait]) -> Iterator[Block]:
    """Yield which libraries differ most, which are alike, and their habits."""
    if len(matrix.names) > 2:
        yield from pair_blocks(matrix)
        yield from family_blocks(matrix)
    yield from trait_blocks(traits, len(matrix.names))


def _order_by_harm(
    selected: Iterable[Disagreement], disagreements: Iterable[Disagreement]
) -> Mapping[str, int]:
    """Map the id of each question to its place among the rows: the most harmful first, by class.

    The `selected` disagreements come before the others.
    """
    order: dict[str, int] = {}
    for members in (selected, disagreements):
        for count in by_class(members):
            for disagreement in sorted(count.disagreements, key=_length_of_text):
                order.setdefault(disagreement.case.vector.id, len(order))
    return order


def _length_of_text(disagreement: Disagreement) -> int:
    """Return the number of characters of the text in question. Shorter ones come first in a class."""
    return len(disagreement.text)


def _parts_of_blocks(blocks: Iterable[Block]) -> list[ChapterPart]:
    """Return blocks as parts: each heading begins one. The first block must be a heading.

    A heading with nothing below it is left out.
    """
    headings: list[Heading] = []
    blocks_below: list[list[Block]] = []
    for block in blocks:
        if isinstance(block, Heading):
            headings.append(block)
            blocks_below.append([])
        else:
            blocks_below[-1].append(block)
    return [
        _part_with_anchor(heading.text, _page_blocks(members))
        for heading, members in zip(headings, blocks_below, strict=True)
        if members
    ]


def _page_blocks(blocks: Sequence[Block]) -> list[PageBlock]:
    """Return the blocks below a heading for the page. All listings are cards, in the place of the first."""
    listings = [block for block in blocks if isinstance(block, Listing)]
    page_blocks: list[PageBlock] = []
    for block in blocks:
        match block:
            case Lines(lines):
                page_blocks.append(PageBlock("lines", lines))
            case Hint(text):
                page_blocks.append(PageBlock("lines", [text]))
            case Command(text):
                page_blocks.append(PageBlock("command", text))
            case Grid():
                page_blocks.append(PageBlock("table", _table_without_links(block)))
            case Listing():
                if block is listings[0]:
                    page_blocks += _card_blocks([_card(listing) for listing in listings])
    return page_blocks


def _part_with_anchor(title: str, blocks: Sequence[PageBlock]) -> ChapterPart:
    """Return a part whose anchor is made from its title."""
    anchor = "".join(char if char.isalnum() else "-" for char in title.lower())
    return ChapterPart(title, anchor, blocks)


def _card_blocks(cards: Sequence[Card]) -> list[PageBlock]:
    """Return a block of the first cards unfolded, and one of the others folded, without empty blocks."""
    blocks = []
    if cards:
        blocks.append(PageBlock("cards", cards[:_UNFOLDED]))
    if len(cards) > _UNFOLDED:
        blocks.append(PageBlock("folded", cards[_UNFOLDED:]))
    return blocks


def _table_without_links(grid: Grid) -> LinkedTable:
    """Return a table of the terminal for the page. None of its cells is a link."""
    rows = [list(map(LinkedCell, row)) for row in grid.rows]
    return LinkedTable(grid.head, rows, grid.figures)


def _card(listing: Listing, query: str = "") -> Card:
    """Return a listing in the colour of its severity. `query` selects its questions, or is empty."""
    return Card(listing, query, harm_shade(listing.severity))


def harm_shade(component: str) -> str:
    """Return the CSS class for the severity of a difference.

    `grave` decides where a request goes, `part` is another component, and `verdict` no component.
    """
    if component in ("", VERDICT):
        return "verdict"
    return "grave" if general_component(component) in ROUTING else "part"
