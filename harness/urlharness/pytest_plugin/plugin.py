"""The plugin proper, loaded where an adapter is named: it adds the vectors to what pytest has collected."""

from __future__ import annotations

import re

import pytest

from urlharness.adapters.registry import UnknownAdapter
from urlharness.baseline import BaselineError, read_baseline
from urlharness.opened import adapter_of
from urlharness.pytest_plugin.exam import Exam
from urlharness.pytest_plugin.nodes import ROOT, tree
from urlharness.pytest_plugin.settings import settings

_NODE = re.compile(rf"(?:\.\./)*(?P<node>{ROOT}(?:/[^:]*)?(?:::.*)?)")


class Vectors:
    """Collects the vectors, and ends the adapter with the session."""

    def __init__(self, exam: Exam, *, wanted: bool) -> None:
        self._exam = exam
        self._wanted = wanted

    def pytest_report_header(self) -> str:
        """Name the adapter and the baseline."""
        exam = self._exam
        listed = "" if exam.baseline is None else f", {len(exam.baseline.entries)} known wrong answers"
        return f"urlconform: {exam.name}{listed}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Add the vectors before anyone selects by word, marker or id."""
        if self._wanted:
            items.extend(session.genitems(tree(session, self._exam)))

    def pytest_unconfigure(self) -> None:
        """End the adapter."""
        self._exam.close()


def plugin(config: pytest.Config, name: str) -> Vectors:
    """The plugin for the adapter of this name; raises pytest.UsageError."""
    chosen = settings(config, name)
    given = config.hook.pytest_urlconform_adapter(name=chosen.adapter, config=config)
    try:
        adapter = adapter_of(chosen.adapter if given is None else given)
        baseline = None if chosen.baseline is None else read_baseline(chosen.baseline)
    except (UnknownAdapter, BaselineError) as error:
        raise pytest.UsageError(f"urlconform: {error}") from None
    ids = _take_ids(config)
    exam = Exam(adapter, chosen, baseline, ids, nameable=given is None or isinstance(given, str))
    # an adapter of the ini file is for whole runs: who names a file means that file
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    wanted = bool(config.getoption("--urlconform")) or not named or bool(ids)
    return Vectors(exam, wanted=wanted)


def _take_ids(config: pytest.Config) -> list[str]:
    """The node ids of vectors among the arguments, which are taken out: pytest looks for files."""
    ids = []
    for argument in list(config.args):
        found = _NODE.fullmatch(argument)
        here = config.invocation_params.dir / argument.partition("::")[0]
        if found is not None and not here.exists():
            config.args.remove(argument)
            ids.append(found["node"].rstrip("/"))
    return ids
