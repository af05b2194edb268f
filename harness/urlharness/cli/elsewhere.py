"""An adapter that is not found here, and that the configuration of a folder above has: the line to paste."""

from __future__ import annotations

from collections.abc import Iterator
from os.path import relpath
from pathlib import Path

import click

from urlharness.adapters.registry import BUNDLED
from urlharness.cli.repeated import said
from urlharness.configuration import ConfigurationError, find_configuration
from urlharness.pasting import Place


def elsewhere(name: str) -> str:
    """Where an adapter is that could not be asked by its name, and the command at hand as it is run there.

    An adapter of the command line is looked up in the current folder, and one of the configuration beside
    it.  Empty where the configuration does not name it, or is in the current folder.
    """
    try:
        found = find_configuration()
    except ConfigurationError:
        return ""
    if found is None or name in BUNDLED or name not in found.configuration.adapters:
        return ""
    if found.path.parent == Path.cwd():
        return ""
    place = Place(relpath(found.path.parent))
    line = place.line(["urlconform", *_again(place)])
    return f"[tool.urlconform] of {relpath(found.path)} has this adapter: {line}"


def _again(place: Place) -> Iterator[str]:
    """The words of the command at hand, its files as seen from that place."""
    context = click.get_current_context()
    yield from context.command_path.split()[1:]
    for parameter in context.command.params:
        if not said(str(parameter.name)):
            continue
        given = context.params[str(parameter.name)]
        for value in given if isinstance(given, tuple) else (given,):
            if isinstance(parameter, click.Option):
                yield parameter.opts[0]
            if value is not True:
                yield place.seen(value) if isinstance(value, Path) else _word(value)


def _word(value: object) -> str:
    return f"{value:.15g}" if isinstance(value, float) else str(value)
