"""The adapter program in Python with an older library than the catalogue's works, or says what is missing."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from urlharness.adapters.catalogue import PROGRAMS, RFCS

#: A module with the interface of yarl 1.9: its URL has no `host_subcomponent`.
YARL = """
from urllib.parse import urlsplit


class URL:
    def __init__(self, text):
        self._parts = parts = urlsplit(text)
        self.scheme = parts.scheme
        self.raw_authority = parts.netloc
        self.raw_user = parts.username
        self.raw_password = parts.password
        self.raw_host = parts.hostname
        self.explicit_port = parts.port
        self.raw_path = parts.path
        self.raw_query_string = parts.query
        self.raw_fragment = parts.fragment

    @classmethod
    def build(cls, **parts):
        return cls("http://h/")

    def join(self, other):
        return other

    def __str__(self):
        return self._parts.geturl()
"""
HELLO = {"type": "hello", "protocol": [1], "harness": "x"}
PARSE = {"type": "run", "id": 1, "op": "parse", "spec": "rfc3986", "url": "http://[::1]:80/"}


@pytest.fixture
def ask(tmp_path):
    """Return a function that runs the program for a library, with the folder of the test before all others.

    It asks for the components of one URL, and returns the replies, the exit code and stderr.
    """

    def run(module: str) -> tuple[list[dict], int, str]:
        done = subprocess.run(
            [sys.executable, PROGRAMS / "python" / "adapter.py", module, RFCS],
            input=f"{json.dumps(HELLO)}\n{json.dumps(PARSE)}\n",
            env={"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        return [json.loads(line) for line in done.stdout.splitlines()], done.returncode, done.stderr

    return run


@pytest.fixture
def program(tmp_path, ask):
    """Return a function that asks as `ask` does, with a module that stands for a library."""

    def run(module: str, text: str, release: str) -> tuple[list[dict], int, str]:
        (tmp_path / f"{module}.py").write_text(text, "utf-8")
        about = tmp_path / f"{module}-{release}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {module}\nVersion: {release}\n", "utf-8"
        )
        return ask(module)

    return run


def test_a_yarl_without_host_subcomponent_shows_the_host_with_brackets(program):
    (hello, parsed), code, _ = program("yarl", YARL, "1.9.4")
    assert code == 0
    assert hello["implementation"]["version"] == "1.9.4"
    assert parsed["status"] == "ok"
    assert parsed["components"]["host"] == "[::1]"


#: A module with the interface of urllib3 1.26: its Url has no `authority`.
URLLIB3 = """
from types import ModuleType, SimpleNamespace
import sys


def Url(*parts):
    return SimpleNamespace(url="x")


def parse_url(text):
    return SimpleNamespace(scheme="http", auth=None, host="h", port=80, path="/", query=None, fragment=None)


PoolManager = SimpleNamespace

util = sys.modules["urllib3.util"] = ModuleType("urllib3.util")
util.Url, util.parse_url = Url, parse_url
exceptions = sys.modules["urllib3.exceptions"] = ModuleType("urllib3.exceptions")
exceptions.HTTPError = ValueError
"""


def test_a_urllib3_without_authority_shows_the_other_components(program):
    (_, parsed), code, _ = program("urllib3", URLLIB3, "1.26.0")
    assert code == 0
    assert parsed["components"]["host"] == "h"
    assert "authority" not in parsed["components"]


#: Hides the package without which the library rfc3986 refuses to map any IRI.
WITHOUT_IDNA = """
import importlib.util

find_spec = importlib.util.find_spec
importlib.util.find_spec = lambda name, *package: None if name == "idna" else find_spec(name, *package)
"""


@pytest.mark.parametrize(
    ("startup", "is_offered"),
    [pytest.param(WITHOUT_IDNA, False, id="without"), pytest.param("", True, id="with")],
)
def test_rfc3986_offers_to_map_iris_only_if_idna_is_there(tmp_path, ask, startup, is_offered):
    pytest.importorskip("rfc3986")
    pytest.importorskip("idna")
    (tmp_path / "sitecustomize.py").write_text(startup, "utf-8")
    (hello, _), _, _ = ask("rfc3986")
    assert ("to_uri" in hello["ops"]) is is_offered


#: A library, a module of it in which something is missing, and what the message says.
UNFIT = [
    pytest.param(
        "yarl", YARL.replace("self.raw_host", "self.other_host"), "AttributeError: ", id="attribute"
    ),
    pytest.param(
        "yarl", YARL.replace("def join(self, other)", "def join(self)"), "TypeError: ", id="argument"
    ),
    pytest.param("yarl", "", "ImportError: cannot import name 'URL'", id="name"),
    pytest.param("purl", YARL, "TypeError: 'str' object is not callable", id="no-method"),
]


@pytest.mark.parametrize(("library", "module", "message"), UNFIT)
def test_a_library_that_does_not_fit_ends_the_program_with_one_line(program, library, module, message):
    """There is no reply, which would make an error of the adapter look like one of the library."""
    replies, code, stderr = program(library, module, "0.1")
    assert replies == []
    assert code == 1
    assert stderr.startswith(f"{library} 0.1 does not fit this adapter: {message}")
    assert len(stderr.splitlines()) == 1
