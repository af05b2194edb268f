"""Reports of a run, one module per format.

The package may import `results`, `gate`, `sessions`, `corpus` and the layers below them. `render` imports the
module of a format when it needs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The module that renders each format.
RENDERERS: Mapping[str, str] = {
    "html": "html.page",
    "junit": "junit",
    "markdown": "markdown",
    "badge": "badge",
    "github": "github",
    "earl": "earl",
    "ctrf": "ctrf",
}


def render(
    form: str, results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}
) -> str:
    """Return the report in a format of RENDERERS.

    `judgements` come from the gate (empty: no gate). `baselines` maps an implementation to the file of its
    baseline.
    """
    text: str = import_module(f"{__name__}.{RENDERERS[form]}").render(results, judgements, baselines)
    return text
