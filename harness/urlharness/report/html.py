"""The report as one HTML file: tables that need no script, and every case for those who run it.

The tables are rendered here.  The cases travel as gzip and base64 in a data block, decoded in the browser.
Every text of a run is hostile: the template escapes it, the script only ever sets it as text, and the
Content-Security-Policy lets nothing run but the script whose hash it names.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import unicodedata
from importlib import resources
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from urlharness.report.casedata import payload, spec_name
from urlharness.report.figures import KINDS
from urlharness.report.tables import chapters, columns, generated, introduction, summary
from urlharness.results import Results

#: Unicode categories without a shape of their own, besides the ordinary blank.
_ODD = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"))


def render(results: Results) -> str:
    """The whole page as text; it loads nothing else, from any place it is opened."""
    style, script = _asset("report.css"), _asset("report.js")
    environment = Environment(
        autoescape=True, finalize=_plain, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["spec"] = spec_name
    shown = columns(results)
    return environment.from_string(_asset("report.html.j2")).render(
        header=results.header,
        complete=results.complete,
        interrupted=results.interrupted,
        participants=[introduction(results, participant) for participant in results.participants],
        columns=shown,
        silent=[participant for participant in results.participants if participant not in shown],
        summary=summary(results, shown),
        chapters=chapters(results, shown),
        generated=generated(results, shown),
        vectors=len(results.vectors),
        kinds=tuple(KINDS),
        outcomes=[outcome for outcomes in KINDS.values() for outcome in outcomes],
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own files, the same for every report
        script=Markup(script),  # noqa: S704
        data=base64.b64encode(gzip.compress(payload(results), mtime=0)).decode("ascii"),
    )


def _asset(name: str) -> str:
    return (resources.files("urlharness.report") / "assets" / name).read_text("utf-8")


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
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return "".join(
        f"⟨U+{ord(char):04X}⟩" if char != " " and unicodedata.category(char) in _ODD else char
        for char in value
    )
