"""The folder of a campaign: a journal to resume from, and a folder for each finding.

    DIR/journal.jsonl       the campaign, then a line for each round
    DIR/findings.jsonl      the findings, one line each
    DIR/findings.sarif      the findings for code scanners
    DIR/ID/                 input, finding.json, answers.json, repro.sh of a finding

A round is finished when its line is complete. An interrupted round is repeated from the findings before it.
The folders of findings that it has already written stay.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote as quote_uri

import msgspec

from urlharness.corpus.loader import load_classes
from urlharness.corpus.model import Spec
from urlharness.fuzz import FuzzError, FuzzOperation
from urlharness.fuzz.findings import CampaignFinding, Changes, rank
from urlharness.fuzz.panel import ORACLE, adapter_name
from urlharness.jsonio import ascii_line, ascii_lines, decoding_error, errors_named, write_atomically
from urlharness.report.sarif import NO_CLASS, class_rule, place, sarif_log
from urlharness.shell import ask, quote
from urlharness.text import os_reason, visible

JOURNAL, FINDINGS, SARIF = "journal.jsonl", "findings.jsonl", "findings.sarif"
#: The file that the SARIF log names as the location of every finding, because findings are not in a file.
LOCATION = "pyproject.toml"


class StoreError(FuzzError):
    """A folder or file of findings that cannot be used; the message says which and why."""


class Campaign(msgspec.Struct, frozen=True):
    """The first line of a journal: everything on which the findings depend.

    `texts` is a digest of the user's own texts, or empty.
    """

    schema: Literal["urlfuzz-1"]
    adapters: tuple[str, ...]
    spec: Spec
    operations: tuple[FuzzOperation, ...]
    seed: int
    feedback: bool
    fold: bool
    texts: str


class Kept(msgspec.Struct, frozen=True, array_like=True):
    """A text that was kept for the pool, because its shape was new with these codes of features.

    `track` is the index of its operation.
    """

    track: int
    text: str
    shape: str
    codes: tuple[int, ...]


class Round(msgspec.Struct, frozen=True):
    """A finished round: the numbers of shards and cases so far, the texts it kept, and what it found."""

    shards: int
    cases: int
    kept: tuple[Kept, ...]
    changes: Changes


class Store:
    """The folder of one campaign, with a lock that no other campaign can take while it is open."""

    def __init__(self, folder: Path) -> None:
        """Create or open a folder. Raise StoreError if another process uses it."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._journal = (folder / JOURNAL).open("a+b", buffering=0)
        try:
            fcntl.flock(self._journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._journal.close()
            raise StoreError(f"{folder}: another campaign writes to this folder") from None

    def close(self) -> None:
        """Release the folder."""
        self._journal.close()

    def resume(self, campaign: Campaign) -> list[Round]:
        """Return the finished rounds of a campaign. If the folder is new, start the journal of the campaign.

        Raise StoreError if the folder contains a different campaign, or if the journal cannot be read.
        """
        self._journal.seek(0)
        whole, _, _ = self._journal.read().rpartition(b"\n")
        first, *lines = whole.split(b"\n") if whole else [b""]
        if not first:
            self._journal.truncate(0)
            self._append(campaign)
            return []
        path = self._folder / JOURNAL
        before = _decode(first, Campaign, path)
        if before != campaign:
            changed = [
                name
                for name in Campaign.__struct_fields__
                if name != "fold" and getattr(before, name) != getattr(campaign, name)
            ] or ["fold"]  # which may only follow from the others
            raise StoreError(
                f"{self._folder}: the campaign in this folder has other {' and '.join(changed)}; "
                "choose another folder with --out"
            )
        self._journal.truncate(len(whole) + 1)
        return [_decode(line, Round, path) for line in lines]

    def write_round(self, finished: Round) -> None:
        """Record a finished round."""
        self._append(finished)

    def _append(self, line: object) -> None:
        with errors_named(self._folder / JOURNAL):
            rest = memoryview(ascii_line(line))
            while rest:
                rest = rest[self._journal.write(rest) :]
            os.fsync(self._journal)

    def save(self, finding: CampaignFinding) -> None:
        """Write the folder of a finding that is new or changed. Append a new finding also to the list."""
        target = self._folder / finding.id
        new = not target.exists()
        scratch = self._folder / f".{finding.id}" if new else target
        with errors_named(target):
            if new:
                shutil.rmtree(scratch, ignore_errors=True)
                scratch.mkdir()
            record = json.dumps(msgspec.to_builtins(finding), indent=1)
            write_atomically(scratch / "finding.json", f"{record}\n")
            if new:
                answers = json.dumps(msgspec.to_builtins(finding.answers), indent=1)
                write_atomically(scratch / "answers.json", f"{answers}\n")
                for name, text in finding.input.items():
                    file = "input" if name == "url" else f"input.{name}"
                    (scratch / file).write_bytes(text.encode("utf-8", "surrogateescape"))
                script = scratch / "repro.sh"
                script.write_text(f"#!/usr/bin/env bash\n{repro(finding)}\n", "ascii")
                script.chmod(0o755)
                scratch.replace(target)
                with (self._folder / FINDINGS).open("ab") as stream:
                    stream.write(ascii_line(finding))

    def remove(self, finding: CampaignFinding) -> None:
        """Delete the folder of a finding that another one explains."""
        shutil.rmtree(self._folder / finding.id, ignore_errors=True)

    def findings(self) -> list[CampaignFinding]:
        """Return the findings in the folder, the most severe first."""
        return read_folder(self._folder)

    def finish(self, location: str = LOCATION) -> None:
        """Write the lists of all findings. The SARIF log names `location` as the file of every finding."""
        found = self.findings()
        write_atomically(self._folder / FINDINGS, ascii_lines(found).decode("ascii"))
        write_atomically(self._folder / SARIF, _sarif(found, location))


def read_folder(folder: Path) -> list[CampaignFinding]:
    """Return the findings of a campaign, the most severe first. Raise StoreError if one cannot be read."""
    paths = sorted(folder.glob("[!.]*/finding.json"))
    if not paths and not (folder / JOURNAL).is_file():
        raise StoreError(f"{folder}: not the folder of a campaign")
    return sorted((read_finding(path) for path in paths), key=rank)


def read_finding(path: Path) -> CampaignFinding:
    """Return a finding, from its file or its folder. Raise StoreError if it cannot be read."""
    if (path / JOURNAL).is_file():
        raise StoreError(f"{path}: the folder of a campaign; give the folder of one finding in it")
    file = path / "finding.json" if path.is_dir() else path
    found: CampaignFinding = _decode(_read(file), CampaignFinding, file)
    return found


def read_known(path: Path) -> list[CampaignFinding]:
    """Return the findings in the folder of a campaign, or in a file of JSON Lines.

    Raise StoreError if they cannot be read.
    """
    if path.is_dir():
        return read_folder(path)
    return [_decode(line, CampaignFinding, path) for line in _read(path).split(b"\n") if line.strip()]


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: {os_reason(error)}") from None


def _decode(data: bytes, kind: type[Any], path: Path) -> Any:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: {decoding_error(data, error, kind)}") from None


#: The command in the script `repro.sh` in the folder of a finding.
_REPLAY = 'urlconform fuzz replay "$(dirname "$0")"'


def repro(finding: CampaignFinding, folder: Path | None = None) -> str:
    """Return the command that asks the adapters again about a finding.

    `folder` is the folder of the finding. Without it, return the command for a script in this folder.
    """
    names = [adapter_name(name) for name in finding.answers]
    if finding.operation in ("parse", "resolve") and "\0" not in finding.text:
        return ask([name for name in names if name != ORACLE], **finding.input)
    return f"urlconform fuzz replay {quote(str(folder))}" if folder else _REPLAY


def _sarif(found: Sequence[CampaignFinding], location: str) -> str:
    rules = [class_rule(one, load_classes()) for one in dict.fromkeys(one.class_ for one in found)]
    return sarif_log(rules, [_sarif_result(one, location) for one in found])


def _sarif_result(finding: CampaignFinding, location: str) -> dict[str, object]:
    answers = "; ".join(f"{name}: {answer.in_words()}" for name, answer in finding.answers.items())
    return {
        "ruleId": finding.class_ or NO_CLASS,
        "level": "error" if finding.severity in ("host", "userinfo", "scheme", "port") else "warning",
        "message": {"text": f"{finding.operation} {words_of(finding.input)}: {answers}"},
        "locations": [place(quote_uri(location), "/".join(finding.answers))],
        "partialFingerprints": {"finding": finding.id},
        "properties": {
            "input": finding.input,
            "answers": msgspec.to_builtins(finding.answers),
            "cause": finding.cause,
            "severity": finding.severity,
        },
    }


def words_of(given: Mapping[str, str]) -> str:
    """Return the inputs of a question in one line for a terminal."""
    if "url" in given:
        return visible(given["url"]) or "(empty)"
    return f"{visible(given['base']) or '(empty)'} + {visible(given['reference']) or '(empty)'}"


def total(found: Iterable[CampaignFinding]) -> dict[str, int]:
    """Count findings by class, the most frequent first."""
    counts: dict[str, int] = {}
    for one in found:
        name = one.class_ or NO_CLASS
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
