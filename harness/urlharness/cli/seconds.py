"""The type of options that are seconds, as many as a limit may have; nan is none."""

from __future__ import annotations

import math
from typing import Any

import click

from urlharness.limits import LEAST_SECONDS, MOST_SECONDS


class Seconds(click.FloatRange):
    """From a millisecond to a million seconds."""

    def __init__(self) -> None:
        super().__init__(min=LEAST_SECONDS, max=MOST_SECONDS)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Compare by its bounds, which nan passes; it is refused as what it is."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number
