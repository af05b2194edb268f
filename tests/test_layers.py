"""Packages are layers, so imports run down only; and each module has its tests in a module of their own."""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import resources
from pathlib import Path

import pytest

PACKAGES = ("urlvectors", "urloracle", "urlharness", "urlauthor")

# The layers from top to bottom. A package may import packages of lower lines only; modules in the root of a
# distribution package count as packages of their own.
HARNESS = """
    cli pytest_plugin api strategies
    fuzz
    runner doctor config install
    report
    compare adequacy
    gate generate bundle
    results
    panel
    sessions
    adapters
    protocol explain batch patterns
    corpus
    exitcodes
    shell
    jsonio
    text wording
    words
    system
    deadline
"""
ORACLE = """
    answers
    operations types
    explanation
    nearest
    splitting readings
    rfcs
    specification
    readers
    algorithms
    rfc
    language
    native derivation
    regex
    automata
    errors
    grammar
"""
LAYERS = {"urlharness": HARNESS, "urloracle": ORACLE}

# What may ask the oracle: the reference adapter, and what explains, generates or compares by its automata.
ASKS_THE_ORACLE = (
    "urlauthor",
    "urlharness.adapters.reference",
    "urlharness.adequacy",
    "urlharness.api",
    "urlharness.batch",
    "urlharness.cli.author.adequacy",
    "urlharness.cli.compare",
    "urlharness.cli.oracle_options",
    "urlharness.cli.understand",
    "urlharness.compare",
    "urlharness.explain",
    "urlharness.fuzz",
    "urlharness.generate",
    "urlharness.patterns",
    "urlharness.pytest_plugin.fixtures",
    "urlharness.strategies",
    "urlharness.words",
)

# Sizes that a house can have; what is asked of one module is in CONTRIBUTING.md.
MODULES_IN_A_PACKAGE = 15
MODULES_IN_THE_ROOT = 10


@cache
def parse(text: str) -> ast.Module:
    """Return the tree of a module, which nobody changes; most tests read the same modules."""
    return ast.parse(text)


@cache
def import_statements(text: str) -> list[ast.Import | ast.ImportFrom]:
    """Return the statements of a module that import something, inside functions as well."""
    return [node for node in ast.walk(parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]


class Module:
    """A module as text: its name, and the modules that it imports, inside functions as well."""

    def __init__(self, path: Path, root: Path) -> None:
        parts = path.relative_to(root.parent).with_suffix("").parts
        self.is_package = path.stem == "__init__"
        self.name = ".".join(parts[:-1] if self.is_package else parts)
        self.text = path.read_text(encoding="utf-8")
        self.tree = parse(self.text)

    def imports(self, module_names: set[str]) -> set[str]:
        """Names of the imported modules; `from package import module` names the module if it is known.

        Imports inside functions count. The command line loads the modules of its commands by their names in a
        table, which is no import here.
        """
        imports = set()
        for node in import_statements(self.text):
            if isinstance(node, ast.Import):
                imports |= {alias.name for alias in node.names}
            else:
                origin = self._origin(node)
                for alias in node.names:
                    inner = f"{origin}.{alias.name}"
                    imports.add(inner if inner in module_names else origin)
        return imports

    def _origin(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        above = parts[: len(parts) - node.level + self.is_package]
        return ".".join([*above, *([node.module] if node.module else [])])


def ranks(table: str) -> Mapping[str, int]:
    """Return the rank of each package of a table of layers; the lowest layer is 0."""
    lines = table.split("\n")[-2:0:-1]
    return {name: rank for rank, line in enumerate(lines) for name in line.split()}


def modules_of(root: Path) -> list[Module]:
    """Return the modules below the folder of one distribution package."""
    paths = (path for path in sorted(root.rglob("*.py")) if not {"templates", "programs"} & {*path.parts})
    return [Module(path, root) for path in paths]


def violations(root: Path) -> list[str]:
    """Return everything below the folder of one distribution package that breaks a rule."""
    modules = modules_of(root)
    names = {module.name for module in modules}
    problems = []
    for module in modules:
        problems += [
            f"{module.name} imports {name}"
            for name in sorted(module.imports(names))
            if not (foreign_allowed(module.name, name) and downwards(module.name, name))
            or imports_a_command(module.name, name)
        ]
        if not ast.get_docstring(module.tree):
            problems.append(f"{module.name} does not say what it is")
    graph = {module.name: module.imports(names) & names for module in modules}
    problems += cycles(graph)
    return problems + crowded(modules)


def cycles(graph: Mapping[str, set[str]]) -> list[str]:
    """Return an import cycle between modules, or else one between packages."""
    packages: dict[str, set[str]] = {}
    for name, imported in graph.items():
        inner = packages.setdefault(package_of(name), set())
        inner |= {package_of(name) for name in imported} - {package_of(name)}
    for kind, edges in (("modules", graph), ("packages", packages)):
        try:
            TopologicalSorter(edges).prepare()
        except CycleError as error:
            *names, _ = reversed(error.args[1])  # importers first; the last name is the first again
            start = names.index(min(names))  # the sorter may begin with another one
            cycle = [*names[start:], *names[: start + 1]]
            return [f"import cycle of {kind}: {' -> '.join(cycle)}"]
    return []


def crowded(modules: list[Module]) -> list[str]:
    """Return the packages with too many modules; `__init__.py` does not count."""
    counts: dict[str, int] = {}
    for module in modules:
        if not module.is_package:
            folder = module.name.rpartition(".")[0]
            counts[folder] = counts.get(folder, 0) + 1
    limits = {name: MODULES_IN_THE_ROOT if name == "urlharness" else MODULES_IN_A_PACKAGE for name in counts}
    return [f"{name} has {count} modules" for name, count in counts.items() if count > limits[name]]


def package_of(module: str) -> str:
    """Return the first two parts of a module's name: a package, or a module in the root."""
    return ".".join(module.split(".")[:2])


def foreign_allowed(importer: str, imported: str) -> bool:
    """Return whether a module may import from another distribution package, or from a library."""
    package = importer.partition(".")[0]
    target = imported.partition(".")[0]
    match package, target:
        case "urlvectors", _:
            return False
        case "urloracle", _:
            return target == "urloracle" or target in sys.stdlib_module_names
        case "urlharness", "urlauthor":
            return False
        case _, "urloracle":
            return any(importer == name or importer.startswith(f"{name}.") for name in ASKS_THE_ORACLE)
        case _:
            return True


def downwards(importer: str, imported: str) -> bool:
    """Return whether an import goes to a lower layer, or stays in its package."""
    root = importer.partition(".")[0]
    if root not in LAYERS or not imported.startswith(f"{root}."):
        return True
    if importer == root or package_of(importer) == package_of(imported):
        return True
    rank = ranks(LAYERS[root])
    high, low = (package_of(name).partition(".")[2] for name in (importer, imported))
    return low not in rank or high not in rank or rank[low] < rank[high]


def imports_a_command(importer: str, imported: str) -> bool:
    """Return whether a module of the command line imports a command.

    Commands are in the packages of `urlharness.cli`. What several of them need is in a module beside these
    packages, and such a module imports no command either.
    """
    is_command = imported.startswith("urlharness.cli.") and imported.count(".") == 3
    return is_command and package_of(importer) == "urlharness.cli"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_import_breaks_the_layers(package):
    assert violations(Path(str(resources.files(package)))) == []


@pytest.mark.parametrize("package", LAYERS)
def test_every_package_has_a_layer(package):
    """A new package, or a new module in the root, is put into the table."""
    root = Path(str(resources.files(package)))
    packages = {path.parent.name for path in root.glob("*/__init__.py")}
    modules = {path.stem for path in root.glob("*.py")} - {"__init__"}
    assert packages | modules <= ranks(LAYERS[package]).keys()


def test_what_may_ask_the_oracle_asks_it():
    """A name that is gone, or that asks nothing any more, is taken out of the list."""
    asking = set()
    for package in ("urlharness", "urlauthor"):
        for module in modules_of(Path(str(resources.files(package)))):
            imported_packages = {name.partition(".")[0] for name in module.imports(set())}
            if "urloracle" in imported_packages:
                asking.add(f"{module.name}.")
    asks_nothing = [
        name for name in ASKS_THE_ORACLE if not any(asker.startswith(f"{name}.") for asker in asking)
    ]
    assert asks_nothing == []


#: For each violation a file, its content, and the message of the check.
PLANTED = {
    "vectors-import": ("urlvectors/more.py", "import json", "urlvectors.more imports json"),
    "oracle-imports-harness": ("urloracle/a.py", "import urlharness", "urloracle.a imports urlharness"),
    "oracle-imports-a-library": ("urloracle/a.py", "import msgspec", "urloracle.a imports msgspec"),
    "oracle-imports-vectors": (
        "urloracle/a.py",
        "def f():\n    from urlvectors import x",
        "urloracle.a imports urlvectors",
    ),
    "oracle-upwards": (
        "urloracle/automata/a.py",
        "from urloracle.rfc import x",
        "urloracle.automata.a imports urloracle.rfc",
    ),
    "oracle-root-upwards": (
        "urloracle/errors.py",
        "from urloracle.operations import parse",
        "urloracle.errors imports urloracle.operations",
    ),
    "runner-asks-the-oracle": (
        "urlharness/runner.py",
        "from urloracle import parse",
        "urlharness.runner imports urloracle",
    ),
    "command-asks-the-oracle": (
        "urlharness/cli/run.py",
        "def run():\n    import urloracle.errors",
        "urlharness.cli.run imports urloracle.errors",
    ),
    "upwards": (
        "urlharness/gate/a.py",
        "from urlharness import cli",
        "urlharness.gate.a imports urlharness.cli",
    ),
    "upwards-relatively": (
        "urlharness/gate/a.py",
        "from ..cli import run",
        "urlharness.gate.a imports urlharness.cli",
    ),
    "upwards-inside-a-function": (
        "urlharness/results/a.py",
        "def f():\n    from urlharness.gate import x",
        "urlharness.results.a imports urlharness.gate",
    ),
    "command-imports-a-command": (
        "urlharness/cli/judge/a.py",
        "from urlharness.cli.judge.b import x",
        "urlharness.cli.judge.a imports urlharness.cli.judge.b",
    ),
    "command-imports-a-command-of-another-purpose": (
        "urlharness/cli/judge/a.py",
        "def f():\n    from urlharness.cli.compare.b import x",
        "urlharness.cli.judge.a imports urlharness.cli.compare.b",
    ),
    "shared-module-imports-a-command": (
        "urlharness/cli/options.py",
        "def f():\n    from urlharness.cli.judge.b import x",
        "urlharness.cli.options imports urlharness.cli.judge.b",
    ),
    "sideways": (
        "urlharness/gate/a.py",
        "from urlharness.generate import x",
        "urlharness.gate.a imports urlharness.generate",
    ),
    "harness-imports-the-authors": (
        "urlharness/cli/a.py",
        "from urlauthor import x",
        "urlharness.cli.a imports urlauthor",
    ),
}

FOLDERS = (
    "urlharness/cli",
    "urlharness/cli/judge",
    "urlharness/gate",
    "urlharness/results",
    "urloracle/automata",
)


@pytest.fixture
def tree(tmp_path):
    """The distribution packages without a fault."""
    for package in (*PACKAGES, *FOLDERS):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").write_text('"""A package."""\n', encoding="utf-8")
    assert [violations(tmp_path / package) for package in PACKAGES] == [[], [], [], []]
    return tmp_path


def write(path, text):
    """Write a module with a docstring and this text."""
    path.write_text(f'"""A module."""\n{text}\n', encoding="utf-8")


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_violation_is_named(name, tree):
    """Each rule can be broken, and the check names the module."""
    path, text, message = PLANTED[name]
    write(tree / path, text)
    assert violations(tree / path.partition("/")[0]) == [message]


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("if True:\n    from .a import x", id="inside-a-condition"),
        pytest.param("def f():\n    from urlauthor.a import x", id="inside-a-function"),
    ],
)
def test_a_planted_cycle_of_modules_is_named(tree, statement):
    write(tree / "urlauthor" / "a.py", "from urlauthor import b")
    write(tree / "urlauthor" / "b.py", statement)
    cycle = "urlauthor.a -> urlauthor.b -> urlauthor.a"
    assert violations(tree / "urlauthor") == [f"import cycle of modules: {cycle}"]


def test_a_cycle_begins_with_its_smallest_name_and_goes_on_with_what_that_imports(tree):
    """It does so even if a module outside of the cycle imports another one of it."""
    for name, imported in (("a", "d"), ("b", "c"), ("c", "d"), ("d", "b")):
        write(tree / "urlauthor" / f"{name}.py", f"from urlauthor import {imported}")
    cycle = "urlauthor.b -> urlauthor.c -> urlauthor.d -> urlauthor.b"
    assert violations(tree / "urlauthor") == [f"import cycle of modules: {cycle}"]


def test_a_module_that_is_loaded_by_its_name_makes_no_cycle(tree):
    """The command line loads the modules of its commands by name."""
    loader = "from importlib import import_module\ndef f():\n    import_module('urlharness.cli.judge.a')"
    write(tree / "urlharness" / "cli" / "__init__.py", loader)
    write(tree / "urlharness" / "cli" / "judge" / "a.py", "from urlharness.cli import f")
    assert violations(tree / "urlharness") == []


def test_a_planted_cycle_of_packages_is_named(tree):
    """Two packages may form a cycle although no two modules do."""
    for name, other_package in (("one", "two"), ("two", "one")):
        (tree / "urlauthor" / name).mkdir()
        write(tree / "urlauthor" / name / "__init__.py", "")
        write(tree / "urlauthor" / name / "low.py", "")
        write(tree / "urlauthor" / name / "high.py", f"from urlauthor.{other_package}.low import x")
    cycle = "urlauthor.one -> urlauthor.two -> urlauthor.one"
    assert violations(tree / "urlauthor") == [f"import cycle of packages: {cycle}"]


def test_a_module_without_a_docstring_is_named(tree):
    (tree / "urlharness" / "text.py").write_text("x = 1\n", encoding="utf-8")
    assert violations(tree / "urlharness") == ["urlharness.text does not say what it is"]


def test_a_package_with_too_many_modules_is_named(tree):
    count = MODULES_IN_A_PACKAGE + 1
    for number in range(count):
        write(tree / "urlharness" / "gate" / f"m{number}.py", "")
    assert violations(tree / "urlharness") == [f"urlharness.gate has {count} modules"]


def test_a_root_with_too_many_modules_is_named(tree):
    count = MODULES_IN_THE_ROOT + 1
    for number in range(count):
        write(tree / "urlharness" / f"m{number}.py", "")
    assert violations(tree / "urlharness") == [f"urlharness has {count} modules"]


def test_imports_of_lower_layers_are_allowed(tree):
    """The harness imports libraries, the corpus, and what is below."""
    write(
        tree / "urlharness" / "gate" / "a.py",
        "import msgspec\nimport urlvectors\nfrom urlharness import text",
    )
    write(tree / "urlharness" / "text.py", "import json")
    (tree / "urlharness" / "cli" / "understand").mkdir()
    write(
        tree / "urlharness" / "cli" / "understand" / "__init__.py",
        "from urloracle import parse\nfrom urlharness.cli import x",
    )
    write(tree / "urloracle" / "rfcs.py", "import re\nimport urloracle.specification")
    write(tree / "urloracle" / "specification.py", "from collections.abc import Iterator")
    assert [violations(tree / package) for package in PACKAGES] == [[], [], [], []]


# One name, one meaning.

#: The public class names that two modules define, each with the reason.
SHARED_NAMES = {
    "Characters": "a set of characters in a grammar, and the sets of characters of an RFC",
    "Difference": "between RFCs, as the corpus stores it; between adapters, as a campaign names it",
    "Edit": "of a text and of a grammar: both say what replaces what",
    "Implementation": "the protocol's word for a library; the catalogue says how to install the same library",
    "Judgement": "public in urlharness.batch; the judgement of the gate is another package's",
    "Language": "public in the oracle; of adapters it is the programming language",
    "OtherVerdict": "of one text, and of two: an admissible verdict with what admits it",
    "Pair": "base and reference, as generated and as mutated",
    "Source": "where texts come from: a file, or a kind that is generated",
}


def classes_of(root: Path) -> Iterator[tuple[str, str]]:
    """Yield (public class, module) for the classes that the modules below a folder define."""
    for module in modules_of(root):
        for node in module.tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield node.name, module.name


def shared_names(roots: Collection[Path]) -> Mapping[str, list[str]]:
    """Map the class names that several modules define to the modules."""
    by_name: dict[str, list[str]] = {}
    for root in roots:
        for name, module in classes_of(root):
            by_name.setdefault(name, []).append(module)
    return {name: modules for name, modules in by_name.items() if len(modules) > 1}


@pytest.fixture(scope="module")
def shared():
    """The class names that several modules of the packages define, with the modules."""
    return shared_names([Path(str(resources.files(package))) for package in PACKAGES])


def test_a_class_name_has_one_meaning(shared):
    assert {name: shared[name] for name in sorted(shared.keys() - SHARED_NAMES.keys())} == {}


def test_a_listed_class_name_is_shared(shared):
    assert SHARED_NAMES.keys() - shared.keys() == set()


def test_a_planted_shared_name_is_named(tree):
    for name in ("urlharness/text.py", "urloracle/errors.py"):
        write(tree / name, "class Plan: pass\nclass _Own: pass")
    assert shared_names([tree / package for package in PACKAGES]) == {
        "Plan": ["urloracle.errors", "urlharness.text"]
    }


# The tests mirror the source.

TESTS = Path(__file__).parent
#: The folders of quick tests, and the distribution package whose modules each of them tests.
MIRRORS = {"author": "urlauthor", "harness": "urlharness", "oracle": "urloracle"}
#: The modules without a test module, each with the reason.
UNTESTED = {
    "urlharness.cli.__main__": "it only calls the program, as tests/e2e does",
    "urlharness.exitcodes": "constants; docs/baselines.md has a row for each, which test_docs.py checks",
    "urloracle.answers": "an alias of urloracle.types; test_urloracle.py checks each name",
    "urloracle.types": "re-exported types; test_urloracle.py checks that each is documented",
}


def unmirrored(tests: Path, root: Path, untested: Collection[str]) -> list[str]:
    """Return the test modules that name no module or package, and the modules without a test module."""
    sources = {
        path.relative_to(root)
        for path in root.rglob("*.py")
        if not {"templates", "programs"} & {*path.relative_to(root).parts}
    }
    modules = {path.with_name(f"test_{path.name}"): path for path in sources if path.stem != "__init__"}
    packages = {
        path.with_name(f"test_{path.parent.name or root.name}.py") for path in sources - set(modules.values())
    }
    existing = {path.relative_to(tests) for path in tests.rglob("test_*.py")}
    missing = {
        ".".join((root.name, *path.with_suffix("").parts))
        for test, path in modules.items()
        if test not in existing
    }
    return [
        *(
            f"{tests.name}/{path.as_posix()} names no module"
            for path in sorted(existing - modules.keys() - packages)
        ),
        *(f"{name} has no test module" for name in sorted(missing.difference(untested))),
        *(f"{name} is listed as untested" for name in sorted(untested) if name not in missing),
    ]


@pytest.mark.parametrize("folder", MIRRORS)
def test_each_module_has_its_test_module(folder):
    root = Path(str(resources.files(MIRRORS[folder])))
    untested = [name for name in UNTESTED if name.startswith(f"{root.name}.")]
    assert unmirrored(TESTS / folder, root, untested) == []


def test_beside_the_mirrored_folders_are_few_test_modules():
    """They test a page, a benchmark, the layout itself, or a program of this folder."""
    test_modules = {path.name for path in TESTS.glob("test_*.py")}
    tests_of_benchmarks = {f"test_{path.name}" for path in TESTS.glob("bench/*.py")}
    tests_of_pages_and_layout = {"test_docs.py", "test_layers.py", "test_results_page.py"}
    tests_of_programs = {"test_compare_checkouts.py", "test_lint_names.py"}
    assert test_modules - tests_of_benchmarks == tests_of_pages_and_layout | tests_of_programs


def test_only_slow_tests_are_in_folders_that_mirror_no_package():
    folders = {path.parent.relative_to(TESTS).parts[0] for path in TESTS.glob("*/**/test_*.py")}
    assert folders - MIRRORS.keys() == {"browser", "e2e", "proofs"}


@pytest.fixture
def mirror(tmp_path):
    """The root of a source and its tests, in which every module has its place; `source.b` is untested."""
    for folder in ("source/gate", "tests/gate"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("__init__.py", "text.py", "b.py", "gate/__init__.py"):
        (tmp_path / "source" / file).touch()
    (tmp_path / "tests" / "test_text.py").touch()
    return tmp_path


def out_of_place(root):
    """Return what is reported of a source and tests in which `source.b` is listed as untested."""
    return unmirrored(root / "tests", root / "source", ["source.b"])


#: A file that is added below the source or the tests, and what is reported.
OUT_OF_PLACE = [
    pytest.param("tests/gate/test_story.py", "tests/gate/test_story.py names no module", id="story"),
    pytest.param("tests/test_gate.py", "tests/test_gate.py names no module", id="other-folder"),
    pytest.param("source/gate/a.py", "source.gate.a has no test module", id="no-test"),
    pytest.param("tests/test_b.py", "source.b is listed as untested", id="listed-and-tested"),
]


@pytest.mark.parametrize(("file", "message"), OUT_OF_PLACE)
def test_a_module_out_of_its_place_is_named(mirror, file, message):
    (mirror / file).touch()
    assert out_of_place(mirror) == [message]


def test_a_module_that_has_lost_its_tests_is_named(mirror):
    (mirror / "tests" / "test_text.py").unlink()
    assert out_of_place(mirror) == ["source.text has no test module"]


@pytest.mark.parametrize(
    "file",
    [
        pytest.param("tests/gate/test_gate.py", id="package"),
        pytest.param("tests/test_source.py", id="whole"),
        pytest.param("tests/gate/conftest.py", id="conftest"),
    ],
)
def test_a_module_in_its_place_is_not_named(mirror, file):
    (mirror / file).touch()
    assert out_of_place(mirror) == []
