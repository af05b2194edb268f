"""Shared options: seconds, and the options that a proposed command repeats."""

from __future__ import annotations

import re

import pytest


@pytest.mark.parametrize("value", ["nan", "0", "-1", "inf", "1000001", "x"])
def test_seconds_have_bounds(urlconform, value):
    done = urlconform("run", "--timeout", value)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


#: The table, what is typed, and the options of the command that is proposed.
OPTIONS = [
    pytest.param("strict = true", "", "--strict", id="configured"),
    pytest.param("strict = true", "--no-strict", "--no-strict", id="not-as-configured"),
    pytest.param("", "", "", id="defaults"),
    pytest.param("timeout = 20\njobs = 2", "", "--timeout 20 --jobs 2", id="limits"),
    pytest.param("timeout = 20", "--timeout 5", "--timeout 5", id="limit-not-as-configured"),
    pytest.param(
        "", "--total-timeout 600 --start-timeout 9.5", "--start-timeout 9.5 --total-timeout 600",
        id="limits-typed",
    ),
    pytest.param('tier = ["complete"]', "--tier core", "--tier core", id="tier-not-as-configured"),
    pytest.param('fail-on = ["may"]', "--fail-on example", "--fail-on example", id="level"),
    pytest.param("strict = true", "--no-config --spec 1808 --section 5.1", "--no-config", id="no-config"),
]  # fmt: skip


@pytest.mark.parametrize(("table", "typed", "options"), OPTIONS)
def test_a_proposed_command_repeats_the_options(urlconform, configure, table, typed, options):
    """A default is repeated if the configuration has something else."""
    configure(f'spec = ["1808"]\nsection = ["5.1"]\n{table}')
    ran = urlconform("run", "urllib", *typed.split())
    (line,) = re.findall(r"^  accept: (.*), then --baseline baseline\.json$", ran.stderr, re.MULTILINE)
    words = ["urlconform baseline create urllib --spec rfc1808 --section 5.1", *options.split()]
    assert line == " ".join([*words, "-o baseline.json"])
