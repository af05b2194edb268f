"""The pytest plugin: its options and hook. It loads the other modules only if an adapter is named.

pytest loads this module at every start, so it imports nothing from the harness. The other modules of the
package may import `runner` and the packages below it.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import pytest

_MARKER = (
    "urlconform(spec, section, op, level, binding, flag): a vector of urlconform; "
    "`-m \"urlconform(flag='security')\"` selects vectors by their fields"
)


class _Setting(NamedTuple):
    """An option with a value. `line` is its help."""

    name: str
    placeholder: str
    line: str
    repeatable: bool = False


#: All options with a value except the adapter and the recording.
_SETTINGS = (
    _Setting("spec", "SPEC", "only this RFC, such as rfc3986; may be given several times", repeatable=True),
    _Setting(
        "section",
        "N",
        "only this section and everything below it; may be given several times",
        repeatable=True,
    ),
    _Setting(
        "flag",
        "FLAG",
        "only vectors with this flag, such as security; may be given several times",
        repeatable=True,
    ),
    _Setting("baseline", "FILE", "file of known wrong answers; only answers that differ from this file fail"),
    _Setting(
        "fail-on",
        "LEVEL",
        "fail only on failures of this level, such as must (default: every level)",
        repeatable=True,
    ),
    _Setting(
        "policy",
        "KEY=ANSWER",
        "answers to accept if an RFC admits several, as in permitted-set=listed",
        repeatable=True,
    ),
    _Setting("timeout", "S", "seconds for one vector (default: 5)"),
    _Setting("start-timeout", "S", "seconds for the adapter to say hello (default: 30)"),
)


#: All options without a value, by name, and their help.
_SWITCHES = {
    "strict": "partial answers fail too",
    "all-operations": "also collect (and skip) the vectors of operations that the adapter does not offer",
}


class _Hooks:
    """The hooks that a conftest may define."""

    @pytest.hookspec(firstresult=True)
    def pytest_urlconform_adapter(self, name: str, config: pytest.Config) -> object:
        """Return the adapter for `--urlconform NAME`, or None if this conftest does not define NAME.

        Return what `urlharness.run` accepts: a function from question to reply, such as the result of
        `urlharness.functions(…)`, or the name of another adapter.
        """


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Register the hook that a conftest may define."""
    pluginmanager.add_hookspecs(_Hooks)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options. Each of them except `--urlconform-record` is also an ini option."""
    group = parser.getgroup("urlconform", "conformance of a URL library")
    group.addoption("--urlconform", metavar="ADAPTER", help="ask this adapter the vectors of urlconform")
    parser.addini("urlconform", "adapter to ask if pytest is run without file arguments", type="string")
    for setting in _SETTINGS:
        action = "append" if setting.repeatable else "store"
        option = f"--urlconform-{setting.name}"
        group.addoption(option, metavar=setting.placeholder, action=action, help=setting.line)
        kind: Literal["args", "string"] = "args" if setting.repeatable else "string"
        parser.addini(_ini_name(setting.name), setting.line, type=kind)
    for name, line in _SWITCHES.items():
        # the default is None, so that the ini option counts if the switch is not given
        group.addoption(f"--urlconform-{name}", action="store_true", default=None, help=line)
        parser.addini(_ini_name(name), line, type="bool")
    group.addoption(
        "--urlconform-record",
        metavar="python:MODULE:FUNCTION=FILE",
        action="append",
        default=[],
        help="record what the tests ask a function of your library, "
        "for `urlconform vectors adequacy --tests`",
    )


def _ini_name(name: str) -> str:
    """Return the name of the ini option for `--urlconform-NAME`."""
    return f"urlconform_{name.replace('-', '_')}"


def pytest_configure(config: pytest.Config) -> None:
    """Load and register the hooks that collect the vectors as tests, if an adapter is named."""
    config.addinivalue_line("markers", _MARKER)
    recordings = config.getoption("--urlconform-record")
    if recordings:
        from urlharness.pytest_plugin.recording import register_recorders  # noqa: PLC0415 - not at every start

        register_recorders(config, recordings)
    named: Any = config.getoption("--urlconform") or config.getini("urlconform")
    if named:
        from urlharness.pytest_plugin.plugin import make_plugin  # noqa: PLC0415 - not at every start of pytest

        config.pluginmanager.register(make_plugin(config, str(named)), "urlconform-vectors")


@pytest.fixture(scope="session")
def oracle(pytestconfig: pytest.Config) -> Any:
    """The functions of `urloracle`, bound to the RFC of `--urlconform-spec` (default: rfc3986)."""
    from urlharness.pytest_plugin.fixtures import bound_oracle  # noqa: PLC0415 - not at every start of pytest

    return bound_oracle(pytestconfig)
