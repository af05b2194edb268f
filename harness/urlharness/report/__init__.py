"""Reports of a run, one module per format.

The package imports `results`, `gate`, `engine`, `corpus` and what is below them; nothing of it is imported
before a report is rendered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: `render(results, judgements, baselines)`: `judgements` are those of the gate, if the run was gated, and
#: `baselines` has the file of each implementation that was judged by one.
Renderer = Callable[["Results", "Sequence[Judgement]", Mapping[str, Path]], str]


def _load(module: str) -> Renderer:
    """Return a renderer that imports its module when it is called."""

    def render(
        results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}
    ) -> str:
        text: str = import_module(f"{__name__}.{module}").render(results, judgements, baselines)
        return text

    return render


RENDERERS: Mapping[str, Renderer] = {
    "html": _load("html.page"),
    "junit": _load("junit"),
    "markdown": _load("markdown"),
    "badge": _load("badge"),
    "github": _load("github"),
}
