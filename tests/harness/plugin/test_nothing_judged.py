"""Sessions in which an adapter answers nothing, or less than it did: all skipped, and not passed."""

from __future__ import annotations

import pytest

from urlharness.gate.baseline import Baseline, write_baseline

pytestmark = pytest.mark.once

SILENT = """
from urllib.parse import urljoin
from urlharness import functions

def pytest_urlconform_adapter(name):
    library = functions("lib", "1", specs=["rfc1808", "rfc3986"], resolve=urljoin)
    def answer(question):
        if question["op"] != "resolve" or question["spec"] in {silent!r}:
            return {{"status": "unsupported"}}
        return library(question)
    answer.hello = library.hello
    return answer
"""
NOTHING = "urlconform: nothing was judged: lib answered no vector that was selected"
CAN_FAIL = NOTHING.replace("was selected", "can fail")
NOTHING_BINDS = (
    "urlconform: nothing was judged: lib was asked nothing that can fail: no vector that was selected has "
    "one right answer, and no policy judges the others"
)
WHOLE = ("--urlconform-section", "5.4", "--urlconform-spec", "rfc3986")


@pytest.fixture
def silent(pytester):
    """Writes a library that answers no question of these RFCs, and none but `resolve`."""

    def write(*specs: str) -> None:
        pytester.makeconftest(SILENT.format(silent=specs))
        pytester.makeini(
            "[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\nfilterwarnings = error"
        )

    return write


@pytest.mark.parametrize(
    ("specs", "arguments", "code", "said"),
    [
        pytest.param(["rfc1808", "rfc3986"], WHOLE, 1, NOTHING, id="nothing"),
        pytest.param(["rfc1808", "rfc3986"], [*WHOLE, "-k", "ex-01"], 1, NOTHING, id="nothing-of-two"),
        pytest.param([], WHOLE, 0, "", id="everything"),
        pytest.param(
            ["rfc3986"], ["--urlconform-section", "5.1", "-k", "not params-only"], 0, "",
            id="an-rfc-that-it-claims",
        ),
        pytest.param(
            ["rfc1808"], [*WHOLE, "--urlconform-spec", "1808", "--urlconform-section", "5.1"], 1,
            NOTHING.replace("vector", "vector of rfc1808"), id="an-rfc-that-was-named",
        ),
        pytest.param(["rfc1808", "rfc3986"], ["-k", "nowhere"], 5, "", id="none-selected"),
        pytest.param(["rfc1808", "rfc3986"], ["-m", "not urlconform"], 0, "", id="own-tests-only"),
    ],
)  # fmt: skip
def test_what_is_never_answered_has_not_passed(silent, pytester, specs, arguments, code, said):
    """As for `urlconform run`, where the exit code is 5; a session with other tests in it is no better."""
    silent(*specs)
    if code != 5:
        pytester.makepyfile(test_own="def test_own(): pass")
    result = pytester.runpytest_inprocess("--urlconform", "lib", *arguments)
    lines = [line for line in result.outlines if "nothing was judged" in line]
    assert (result.ret, lines) == (code, [said] if said else [])


@pytest.mark.parametrize(
    ("shown", "arguments", "said"),
    [
        ("{}", (), NOTHING),
        ("{}", ("--urlconform-strict",), NOTHING),
        ("{'path': urlsplit(text).path}", (), ""),
    ],
    ids=["nothing", "nothing-strictly", "a-part"],
)
def test_who_shows_nothing_has_not_answered(pytester, shown, arguments, said):
    """As for `urlconform run`: what is never judged has not passed; a part is judged."""
    pytester.makeconftest(f"""
from urllib.parse import urlsplit
from urlharness import functions
def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs=["rfc3986"], parse=lambda text: {shown})
""")
    part = ("--urlconform-spec", "rfc3986", "--urlconform-section", "3.2")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *part, *arguments)
    lines = [line for line in result.outlines if "nothing was judged" in line]
    assert (result.ret, lines) == (1 if said else 0, [said] if said else [])
    assert ("failed" in result.parseoutcomes()) is bool(arguments)


#: Two vectors without a right answer, beside those that have one.
OPEN = (
    "urlconform/rfc3986/B::rfc3986-B-well-formed-digit",
    "urlconform/rfc3986/B::rfc3986-B-well-formed-blank",
)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(
            ["--urlconform-spec", "rfc3986", "--urlconform-section", "B"],
            CAN_FAIL,
            id="beside-others",
        ),
        pytest.param(
            ["--urlconform-spec", "rfc3986", "-k", "B-well-formed"],
            NOTHING_BINDS,
            id="alone",
        ),
        pytest.param(
            [
                "--urlconform-spec",
                "rfc3986",
                "-k",
                "B-well-formed",
                "--urlconform-policy",
                "unspecified=answered",
            ],
            "",
            id="a-policy-judges-them",
        ),
        pytest.param(OPEN, "", id="picked-by-node-id"),
    ],
)
def test_what_cannot_fail_has_not_passed(pytester, arguments, said):
    pytester.makeconftest("""
from urlharness import functions
def pytest_urlconform_adapter(name):
    return functions("lib", "1", specs=["rfc3986"], parse=lambda text: {})
""")
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "--urlconform", "lib", *arguments)
    lines = [line for line in result.outlines if "nothing was judged" in line]
    assert (result.ret, lines) == ((1, [said]) if said else (0, []))


def test_a_session_that_fails_anyway_keeps_its_code(silent, pytester):
    silent("rfc3986")
    with (pytester.path / "conftest.py").open("a", encoding="utf-8") as stream:
        stream.write("\ndef pytest_collection_modifyitems(items): items.reverse()\n")
    pytester.makepyfile(
        test_own="import pytest\ndef test_own(): pass\ndef test_over(): pytest.exit('over', 7)"
    )
    arguments = ("urlconform/rfc3986/5.4.1", "test_own.py", "--urlconform", "lib")
    result = pytester.runpytest_inprocess(*arguments)
    assert (result.ret, result.parseoutcomes()) == (7, {"skipped": 23})


@pytest.mark.once
@pytest.mark.parametrize(("specs", "code", "said"), [(["rfc3986"], 1, [NOTHING]), ([], 0, [])])
def test_the_controller_of_xdist_knows_of_all_workers(silent, pytester, specs, code, said):
    silent(*specs)
    result = pytester.runpytest_subprocess("--urlconform", "lib", *WHOLE, "-n", "2", timeout=120)
    assert (result.ret, [line for line in result.outlines if "judged" in line]) == (code, said)


@pytest.mark.parametrize(
    ("more", "arguments", "code"),
    [
        pytest.param(0, [], 0, id="as-many"),
        pytest.param(1, [], 1, id="fewer"),
        pytest.param(1, ["-k", "url-3"], 0, id="not-the-whole-rfc"),
    ],
)
def test_coverage_that_is_lost_fails(corpus, pytester, more, arguments, code):
    """More vectors were answered when the list was made, of an operation of an RFC that was asked whole."""
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\nfilterwarnings = error")
    now = sum(case.spec == "rfc2732" and case.vector.op == "resolve" for case in corpus.cases)
    answered = {"rfc2732": {"resolve": now + more}}
    listed = Baseline("urlbaseline-1", corpus.digest, "reference", ("rfc2732",), (), answered)
    write_baseline(listed, pytester.path / "baseline.json")
    options = (
        "--urlconform",
        "reference",
        "--urlconform-spec",
        "2732",
        "--urlconform-baseline",
        "baseline.json",
    )
    result = pytester.runpytest_inprocess(*options, *arguments)
    told = f"{now + 1} vectors were answered, now {now}"
    told = f"urlconform: loss of coverage: reference: rfc2732 resolve: {told}"
    lines = [line for line in result.outlines if "loss of coverage" in line]
    assert (result.ret, lines) == (code, [told] * code)


def test_an_rfc_that_nobody_knows_is_told(pytester):
    """Of what it claims no vector is, but not by the selection."""
    pytester.makeconftest(
        "from urlharness import functions\n"
        "def pytest_urlconform_adapter(name):\n"
        "    return functions('lib', specs=['RFC 3986'], resolve=lambda base, reference: 'x:')\n"
    )
    result = pytester.runpytest_inprocess("--urlconform", "lib", "-p", "no:cacheprovider")
    assert result.ret != 0
    result.stdout.fnmatch_lines(
        ["*lib: nothing is judged: its hello claims 'RFC 3986'; it can claim rfc1738, *"]
    )
