"""Reports of a run, one module per format.

The package imports `results`, `gate`, `engine`, `corpus` and what is below them; nothing of it is imported
before a report is rendered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The module of each format.
RENDERERS: Mapping[str, str] = {
    "html": "html.page",
    "junit": "junit",
    "markdown": "markdown",
    "badge": "badge",
    "github": "github",
}


def render(
    form: str, results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}
) -> str:
    """Return a report in a format of RENDERERS; its module is imported now.

    `judgements` are those of the gate, if the run was gated, and `baselines` has the file of each
    implementation that was judged by one.
    """
    text: str = import_module(f"{__name__}.{RENDERERS[form]}").render(results, judgements, baselines)
    return text
