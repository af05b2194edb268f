"""The type of options that are seconds: any positive number, of which nan is none."""

from __future__ import annotations

import math
from typing import Any

import click


class Seconds(click.FloatRange):
    """At least a millisecond."""

    def __init__(self) -> None:
        super().__init__(min=0.001)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Compare by its bounds, which nan passes; it is refused as what it is."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return number
