"""What a run was given, as words of another command that is to ask and judge the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click
from click.core import ParameterSource

from urlharness.cli.options import Chosen, Terms
from urlharness.levels import LEVELS
from urlharness.limits import Limits
from urlharness.pasting import Place


class Repeated(NamedTuple):
    """The options of a run, and the place where a command with them is run."""

    words: list[str]
    place: Place


def repeated(chosen: Chosen, terms: Terms, limits: Limits, place: Place) -> Repeated:
    """The options of the run at hand that decide what is asked, for how long, and what fails.

    A default is left out, unless the command line has it: the configuration may have something else.
    """
    selection = chosen.selection
    pairs = [
        *(("--spec", spec) for spec in selection.specs),
        *(("--section", section) for section in selection.sections),
        *(("--rule", rule) for rule in selection.rules),
        *(("--flag", flag) for flag in selection.flags),
        *(("-k", word) for word in selection.words),
        *(("--tier", tier) for tier in chosen.tiers if chosen.tiers != ("core",) or said("tiers")),
        *((("--vectors", place.seen(chosen.vectors)),) if chosen.vectors is not None else ()),
        *(("--policy", f"{key}={value}") for key, value in terms.settings),
        *(("--fail-on", level) for level in terms.levels if {*terms.levels} != {*LEVELS} or said("levels")),
        *_limits(limits),
    ]
    strict = ["--strict"] if terms.strict else ["--no-strict"] if said("strict") else []
    alone = ["--no-config"] if said("no_config") else []
    return Repeated([*(word for pair in pairs for word in pair), *strict, *alone], place)


def _limits(limits: Limits) -> Iterator[tuple[str, str]]:
    usual = Limits()
    for name, value, default in (
        ("timeout", limits.case, usual.case),
        ("start_timeout", limits.start, usual.start),
        ("total_timeout", limits.total, usual.total),
        ("jobs", limits.jobs, usual.jobs),
    ):
        if value is not None and (value != default or said(name)):
            yield f"--{name.replace('_', '-')}", f"{value:.15g}"


def said(name: str) -> bool:
    """True for a parameter that the command line has."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE
