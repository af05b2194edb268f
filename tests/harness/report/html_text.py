"""A page as a reader of its text sees it: elements, tables, scripts and data blocks."""

import base64
import gzip
import json
from html.parser import HTMLParser


class Page(HTMLParser):
    """Elements and text of a page, as a browser sees them."""

    VOID = frozenset(("meta", "link", "input", "br", "rect", "path", "img"))

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.texts = []
        self.scripts = []
        self.styles = []
        self.tables = {}
        self._open = []
        self._row = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.elements.append((tag, attributes))
        if tag not in self.VOID:
            self._open.append(tag)
        if tag == "script":
            self.scripts.append([attributes, ""])
        if tag == "style":
            self.styles.append("")
        if tag == "table":
            self._table = self.tables.setdefault(attributes.get("class", "") + f"-{len(self.tables)}", [])
        if tag == "tr":
            self._table.append([])
        if tag in ("td", "th"):
            self._table[-1].append("")

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._open and self._open[-1] == "script":
            self.scripts[-1][1] += data
        elif self._open and self._open[-1] == "style":
            self.styles[-1] += data
        else:
            self.texts.append(data)
            if {"td", "th"} & set(self._open):
                self._table[-1][-1] += data

    @property
    def text(self):
        return "".join(self.texts)

    def targets(self):
        """Return the targets of all links."""
        return {attributes.get("href", "") for tag, attributes in self.elements if tag == "a"}

    def policy(self):
        """Return the policy of the page, which is in its head."""
        (content,) = (
            attributes["content"]
            for tag, attributes in self.elements
            if tag == "meta" and "http-equiv" in attributes
        )
        return content

    def data(self, block="listed"):
        """Return the content of a block of data."""
        (coded,) = (text for attributes, text in self.scripts if attributes.get("id") == block)
        return json.loads(gzip.decompress(base64.b64decode(coded)))

    def table(self, kind, number=0):
        """Return the rows of a table of a class, with single blanks in the texts of the cells."""
        rows = [rows for name, rows in self.tables.items() if name.rsplit("-", 1)[0] == kind][number]
        return [[" ".join(cell.split()) for cell in row] for row in rows]
