"""The report as one HTML file: tables that need no script, and every case for those who run it.

The tables are rendered here.  The cases travel as gzip and base64 in two data blocks, decoded in the browser.
Every text of a run is hostile: the template escapes it, the script only ever sets it as text, and the
Content-Security-Policy lets nothing run but the script whose hash it names.
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
from urlharness.report.failures import example_failures
from urlharness.report.html.agreement import WIDTH, dendrogram
from urlharness.report.html.cases import blocks, spec_name
from urlharness.report.html.tables import columns, generated, introduction, share, summary, tree
from urlharness.report.summary import KINDS
from urlharness.report.terminal import labels
from urlharness.results.coverage import caveats
from urlharness.results.generated import EXAMPLES
from urlharness.results.model import Results
from urlharness.text import shapeless

#: The parts of the script in the order in which they stand; they share one scope.
SCRIPTS = ("text", "data", "query", "rows", "list", "question", "answers", "case", "facets", "page")


STYLES = ("page", "tables", "cards", "explorer", "case", "print")


#: So many implementations have a column of figures each; more have a narrow one.
WIDE = 4


def render(results: Results) -> str:
    """The whole page as text; it loads nothing else, from any place it is opened."""
    style, script = stylesheet(), source()
    environment = Environment(
        loader=FunctionLoader(_asset),
        autoescape=True,
        finalize=_plain,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"spec": spec_name, "share": share}
    shown = columns(results)
    names = [participant.name for participant in shown]
    data = blocks(results)
    return environment.get_template("report.html.j2").render(
        header=results.header,
        started=in_utc(results.header.started).replace("T", " "),
        complete=results.complete,
        caveats=caveats(results),
        command=[shlex.quote(word) for word in ("urlconform", *results.header.argv)],
        participants=[introduction(results, participant) for participant in results.participants],
        columns=shown,
        labels=dict(zip(names, labels(names), strict=True)),
        narrow=len(shown) > WIDE,
        silent=[participant for participant in results.participants if participant not in shown],
        summary=summary(results, shown),
        chapters=tree(results, shown),
        alike=dendrogram(data.likeness),
        width=WIDTH,
        generated=generated(results, shown),
        most=EXAMPLES,
        failures=example_failures(results),
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
    """The address, within the page, of the cases that a query of these atoms finds."""
    words = (f"{name.rstrip('_')}:{_quoted(value)}" for name, value in atoms.items() if value)
    return f"#q={quote(' '.join(words), safe=':')}"


def _quoted(value: str) -> str:
    """A value of an atom; the query has no escape for a quotation mark, which a blank stands for."""
    plain = value.replace('"', " ")
    return plain if plain and not any(char in plain for char in " ,:\t\n") else f'"{plain}"'


def source() -> str:
    """The script of the page."""
    body = "\n".join(_asset(f"script/{name}.js") for name in SCRIPTS)
    return f'"use strict";\n(() => {{\n{body}}})();\n'


def stylesheet() -> str:
    """The style sheet of the page."""
    return "\n".join(_asset(f"style/{name}.css") for name in STYLES)


def _asset(name: str) -> str:
    return (resources.files("urlharness.report.html") / "assets" / name).read_text("utf-8")


def _packed(octets: bytes) -> str:
    return base64.b64encode(gzip.compress(octets, 6, mtime=0)).decode("ascii")


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_fingerprint(script)}",
            f"style-src {_fingerprint(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _fingerprint(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"


def _plain(value: Any) -> Any:
    """A text of the run with the characters that have no shape written as their code points."""
    if not isinstance(value, str) or isinstance(value, Markup) or (value.isascii() and value.isprintable()):
        return value
    return "".join(f"⟨U+{ord(char):04X}⟩" if shapeless(char) else char for char in value)
