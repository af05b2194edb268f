"""The doctor tells all wrong components at once, so that nobody mends one to hear of the next."""

from __future__ import annotations

import pytest

from urlharness.doctor.client import Patience
from urlharness.doctor.examination import examine
from urlharness.doctor.questions import FULL

pytestmark = pytest.mark.once

USUAL = Patience(start=30, answer=30, measuring=0.02, slow=0)
CHANGED = "old = components\ndef components(url): return {{**old(url), {0}}}"
RENAMED = (
    "old = components\ndef components(url):\n    found = old(url)\n"
    "    return {{{{{0}}}.get(name, name): value for name, value in found.items()}}"
)

#: A fault, the check that finds it, the state, and all that is said.
FAULTS = [
    pytest.param(
        CHANGED.format("'scheme': 'http:'"), "components", "broken",
        f"scheme of {FULL} is 'http:': its delimiter is not part of it", id="one",
    ),
    pytest.param(
        CHANGED.format("'scheme': 'http:', 'fragment': '#nose'"), "components", "broken",
        f"scheme of {FULL} is 'http:', fragment is '#nose': delimiters are no part of components", id="two",
    ),
    pytest.param(
        CHANGED.format("'scheme': 'http:', 'port': '80', 'host': 'H'"), "components", "broken",
        f"scheme of {FULL} is 'http:': its delimiter is not part of it; "
        f"of {FULL} it has host 'H', port '80': is it the library, or the adapter?", id="both-kinds",
    ),
    pytest.param(
        RENAMED.format("'host': 'hostname', 'path': 'pathname', 'query': 'q'"), "components", "broken",
        "no component is named 'pathname'; the RFC's name is path; no component is named 'q'; "
        "no component is named 'hostname'; the RFC's name is host", id="names",
    ),
    pytest.param(
        CHANGED.format("**{f'x{n}': '' for n in range(7)}, 'query': '?name=ferret'"), "components", "broken",
        "; ".join(f"no component is named 'x{n}'" for n in range(5)) + "; and 2 more; "
        f"query of {FULL} is '?name=ferret': its delimiter is not part of it", id="many",
    ),
    pytest.param(
        CHANGED.format("**{n: v and v * 100 for n, v in old(url).items()}"), "components", "warning",
        "scheme 'http", id="long",
    ),
    pytest.param(
        "old = components\ndef components(url): return {n: v or '' for n, v in old(url).items()}",
        "absent or empty", "broken",
        "it says absent-vs-empty, but query of http://h/p is '', fragment of http://h/p is '', not null",
        id="absent-is-empty",
    ),
    pytest.param(
        "old = components\ndef components(url): return {n: v or None for n, v in old(url).items()}",
        "absent or empty", "warning",
        "but query of http://h/p?# is null, fragment of http://h/p?# is null, not empty",
        id="empty-is-absent",
    ),
    pytest.param(
        "old = components\ndef components(url): return {n: str(v) for n, v in old(url).items()}",
        "absent or empty", "broken",
        "query of http://h/p is the text 'None', fragment of http://h/p is the text 'None', "
        "userinfo of http://h/p is the text 'None', port of http://h/p is the text 'None', "
        "scheme of p is the text 'None', and 2 more: what is absent is null, what is empty is ''",
        id="words",
    ),
    pytest.param(
        CHANGED.format("'port': old(url)['port'] or '80', 'userinfo': old(url)['userinfo'] or 'me'"),
        "absent or empty", "warning",
        "userinfo of http://h/p is 'me', port of http://h/p is '80', where there is none: ", id="defaults",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("special", "check", "state", "said"), FAULTS)
def test_all_that_is_wrong(good_adapter, special, check, state, said):
    found = {one.name: one for one in examine(good_adapter(special), USUAL, only=[check]).checks}[check]
    assert found.state == state
    assert said in found.message
    assert len(found.message) < 1000
