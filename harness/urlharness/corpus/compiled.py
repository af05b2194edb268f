"""The installed corpus in a form that loads quickly, in the user's cache.

To read the corpus from JSON takes as long as to start the program, and most commands need few of its cases.
So the first command after an installation writes the corpus to one file: an index with the ids, and each case
by itself. Later commands read the index, and decode a case when they use it.

The name of the file contains the digest of the corpus and a fingerprint: the sizes and times of the files of
the corpus, and of the modules that read it. So the file of another state is not found. A file that is not
whole, or that cannot be read, is ignored and written again. If it cannot be written, the next command reads
JSON again. Several processes may write it at the same time, because each replaces it as a whole.
"""

from __future__ import annotations

import os
import weakref
import zlib
from array import array
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, groupby, pairwise
from pathlib import Path
from threading import Lock
from typing import overload

import msgspec

from urlharness.corpus.model import Case, Corpus, Requirement
from urlharness.corpus.specifications import Spec
from urlharness.jsonio import WholeFile
from urlharness.system.cache import cache_folder

#: The beginning of the file. The lengths of the index and of the cases follow, and the CRC-32 of the index.
_MAGIC = b"urlcorpus-1"
#: The maximum length of the first line.
_HEAD = 80
#: The number of files to keep in the cache. There is one for each environment with an installed corpus.
_MOST_FILES = 4

#: Held while a thread writes: the part file is named after the process, so two threads would share it.
_WRITING = Lock()


class _Index(msgspec.Struct, array_like=True, frozen=True):
    """The corpus without its cases.

    `ids` are the ids of all cases, one a line. `specs` are runs of cases of one specification: its id and the
    number of cases. `bounds` are the offsets at which cases begin, and that at which the last one ends, as
    unsigned 32-bit integers.
    """

    ids: str
    specs: tuple[tuple[Spec, int], ...]
    bounds: bytes
    requirements: dict[str, Requirement]
    titles: dict[tuple[str, str], str]
    digest: str
    version: str


_decode_index = msgspec.msgpack.Decoder(_Index).decode
_decode_case = msgspec.msgpack.Decoder(Case).decode


class CompiledCases(Sequence[Case]):
    """The cases of a compiled corpus. They are decoded when they are used.

    `ids` contains the ids of the cases, for which no case is decoded.
    """

    def __init__(self, file: int, begin: int, index: _Index) -> None:
        """`file` is the open descriptor of the file, in which the cases stand from the offset `begin`."""
        self._file = file
        self._begin = begin
        self.ids = index.ids.split("\n")
        self._specs = index.specs
        self._bounds = array("I", index.bounds)
        self._all: tuple[Case, ...] | None = None
        weakref.finalize(self, os.close, file)

    def candidates(self, specs: Collection[str], words: Collection[str]) -> Sequence[Case]:
        """Return the cases of these specifications (none: of all) whose ids contain all these words."""
        if not words and not specs:
            return self._decoded
        numbers: list[int] = []
        first = 0
        for spec, count in self._specs:
            if not specs or spec in specs:
                numbers += range(first, first + count)
            first += count
        for word in words:
            numbers = [number for number in numbers if word in self.ids[number]]
        return [self[number] for number in numbers]

    @overload
    def __getitem__(self, index: int) -> Case: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Case]: ...

    def __getitem__(self, index: int | slice) -> Case | Sequence[Case]:
        if isinstance(index, slice) or self._all is not None:
            return self._decoded[index]
        number = range(len(self))[index]  # also for a negative index
        begin, end = self._bounds[number : number + 2]
        return _decode_case(os.pread(self._file, end - begin, self._begin + begin))

    def __iter__(self) -> Iterator[Case]:
        return iter(self._decoded)

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def __reduce__(self) -> tuple[type[tuple[Case, ...]], tuple[tuple[Case, ...]]]:
        """Let a copy, as another process gets it, be a tuple, because it has no open file."""
        return tuple, (self._decoded,)

    @property
    def _decoded(self) -> tuple[Case, ...]:
        """All cases, which are decoded once."""
        if self._all is None:
            content = memoryview(os.pread(self._file, self._bounds[-1], self._begin))
            self._all = tuple(_decode_case(content[begin:end]) for begin, end in pairwise(self._bounds))
        return self._all


def case_ids(cases: Sequence[Case]) -> Sequence[str]:
    """Return the ids of cases. Do not decode the cases of a compiled corpus for them."""
    if isinstance(cases, CompiledCases):
        return cases.ids
    return [case.vector.id for case in cases]


def compiled_file(root: Path, digest: str) -> Path:
    """Return the path of the compiled form of the corpus at `root`, whose lock has this digest.

    Raise OSError if there is no cache, or if the files of the corpus cannot be found.
    """
    folders = [Path(__file__).parent, root]  # the modules that read the corpus, and its files
    entries = sorted(os.scandir(root), key=_entry_name)
    folders += [Path(entry) for entry in entries if entry.is_dir()]
    states = [f"{root}"]
    for folder in folders:
        for entry in sorted(os.scandir(folder), key=_entry_name):
            if entry.name.endswith((".json", ".lock", ".py")):
                state = entry.stat()
                states.append(f"{entry.name} {state.st_size} {state.st_mtime_ns}")
    fingerprint = zlib.crc32("\n".join(states).encode("utf-8", "surrogateescape"))
    return cache_folder() / "corpus" / f"{digest}-{fingerprint:08x}"


def _entry_name(entry: os.DirEntry[str]) -> str:
    return entry.name


def read_compiled(path: Path) -> Corpus | None:
    """Return the corpus in a compiled form, or None if the file is not there or not whole."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (OSError, AttributeError):  # Windows has no such flag, and cannot read at an offset
        return None
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        index, begin = _read_index(file)
        sizes: dict[Spec, int] = {}
        for spec, count in index.specs:
            sizes[spec] = sizes.get(spec, 0) + count
        cases = CompiledCases(file, begin, index)
        return Corpus(cases, index.requirements, index.titles, index.digest, index.version, sizes)
    os.close(file)
    return None


def _read_index(file: int) -> tuple[_Index, int]:
    """Return the index of an open file, and the offset at which its cases begin.

    Raise ValueError if the file is damaged, or another kind of file.
    """
    head, _, _ = os.pread(file, _HEAD, 0).partition(b"\n")
    magic, length_of_index, length_of_cases, checksum = head.split()
    begin = len(head) + 1
    content = os.pread(file, int(length_of_index), begin)
    end = begin + int(length_of_index) + int(length_of_cases)
    if magic != _MAGIC or zlib.crc32(content) != int(checksum) or os.fstat(file).st_size != end:
        raise ValueError("not a whole file")
    return _decode_index(content), begin + len(content)


def write_compiled(path: Path, corpus: Corpus) -> None:
    """Write the compiled form of a corpus. Do nothing if that is not possible."""
    encode = msgspec.msgpack.Encoder().encode
    encoded = [encode(case) for case in corpus.cases]
    bounds = array("I", accumulate(map(len, encoded), initial=0))
    index = encode(
        _Index(
            ids="\n".join(case.vector.id for case in corpus.cases),
            specs=tuple(_spec_runs(corpus.cases)),
            bounds=bounds.tobytes(),
            requirements=dict(corpus.requirements),
            titles=dict(corpus.titles),
            digest=corpus.digest,
            version=corpus.version,
        )
    )
    head = b"%s %d %d %d\n" % (_MAGIC, len(index), bounds[-1], zlib.crc32(index))
    with suppress(OSError), _WRITING:
        path.parent.mkdir(parents=True, exist_ok=True)
        with WholeFile(path) as stream:
            stream.write(head + index + b"".join(encoded))
        _remove_oldest(path.parent)


def _spec_runs(cases: Sequence[Case]) -> Iterator[tuple[Spec, int]]:
    """Yield (specification, number of cases) for each run of cases of one specification."""
    for spec, run in groupby(case.spec for case in cases):
        yield spec, len([*run])


def _remove_oldest(folder: Path) -> None:
    """Remove all but the newest files."""
    by_age = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
    for path in by_age[_MOST_FILES:]:
        path.unlink(missing_ok=True)
