"""The HTML file: tables, and a viewer for all cases; only the viewer needs a script.

The tables are rendered here. The cases are two data blocks, gzip in base64, that the script decodes. Every
text of a run may be hostile: the template escapes it, the script only sets it as text, and the
Content-Security-Policy allows only the script and the style whose hashes it contains.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import shlex
from importlib import resources
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from urlharness.jsonio import in_utc
from urlharness.report.html import tables
from urlharness.report.html.agreement import WIDTH, dendrogram
from urlharness.report.html.cases import HEAD_LIMIT, data_blocks
from urlharness.report.summary import KINDS
from urlharness.results.coverage import caveats
from urlharness.results.generated import EXAMPLES
from urlharness.results.model import Results
from urlharness.text import needs_escape, rfc, short_names

#: The parts of the script, in order; they share one scope.
SCRIPTS = ("text", "data", "query", "rows", "list", "question", "answers", "case", "facets", "page")

STYLES = ("page", "tables", "cards", "explorer", "case", "print")

#: Up to this number, each implementation has a wide column with figures; otherwise all columns are narrow.
WIDE = 4


def render(results: Results, *_gate: object) -> str:
    """Return the page, which loads nothing and does not show the gate."""
    style, script = "\n".join(_asset(f"style/{name}.css") for name in STYLES), source()
    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        finalize=_spell_out,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["spec"] = rfc
    shown = tables.columns(results)
    data = data_blocks(results)
    return environment.get_template("report.html.j2").render(
        header=results.header,
        started=in_utc(results.header.started).replace("T", " "),
        complete=results.complete,
        caveats=caveats(results),
        command=[shlex.quote(word) for word in ("urlconform", *results.header.argv)],
        participants=[(one, tables.outcome_counts(results, one)) for one in results.participants],
        columns=shown,
        labels=short_names((participant.name for participant in shown), HEAD_LIMIT),
        narrow=len(shown) > WIDE,
        silent=[participant for participant in results.participants if participant not in shown],
        summary=tables.spec_rows(results, shown),
        chapters=tables.section_rows(results, shown),
        alike=dendrogram(data.likeness),
        width=WIDTH,
        generated=tables.rule_rows(results, shown),
        most=EXAMPLES,
        failures=tables.rule_failures(results),
        vectors=len(results.vectors),
        whole=sum(results.header.sizes.values()),
        kinds=tuple(KINDS),
        link=link,
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own files, the same for every report
        script=Markup(script),  # noqa: S704
        listed=_packed(data.listed),
        details=_packed(data.details),
    )


def link(**atoms: str) -> str:
    """Return the address, within the page, of the cases that a query of these atoms finds."""
    words = (f"{name.rstrip('_')}:{_quoted(value)}" for name, value in atoms.items() if value)
    return f"#q={quote(' '.join(words), safe=':')}"


def source() -> str:
    """Return the script of the page."""
    body = "\n".join(_asset(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def _quoted(value: str) -> str:
    """Quote the value of a search term; quotation marks become blanks, because a query cannot escape them."""
    plain = value.replace('"', " ")
    return plain if plain and not any(char in plain for char in " ,:\t\n") else f'"{plain}"'


def _asset(name: str) -> str:
    return (resources.files("urlharness.report.html") / "assets" / name).read_text("utf-8")


def _packed(data: bytes) -> str:
    return base64.b64encode(gzip.compress(data, 6, mtime=0)).decode("ascii")


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; script-src {_fingerprint(script)}; style-src {_fingerprint(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )


def _fingerprint(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _spell_out(value: Any) -> Any:
    """Replace characters without a visible shape by their code points."""
    if not isinstance(value, str) or isinstance(value, Markup) or (value.isascii() and value.isprintable()):
        return value
    return "".join(f"⟨U+{ord(char):04X}⟩" if needs_escape(char) else char for char in value)
