"""The folder of a campaign: a journal to resume from, and a folder for each finding.

    DIR/journal.jsonl       the campaign, then a line for each round
    DIR/ID/                 finding.json of a finding; also its input, and repro.sh
    DIR/findings.jsonl      the findings, one line each
    DIR/findings.sarif      the findings for code scanners

A finding lives in its finding.json, which is written when it is found and when it grows. The two lists are
made of these files at the end of each round. The journal only says how many effects each finding has.

A round is finished when its line is complete. An interrupted round is repeated from the findings before it.
The folders of findings that it has already written stay.

The folder may come from someone else, as part of a clone. So the names in its files are checked, and links in
it are not followed.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import quote as quote_uri

import msgspec

from urlharness.corpus.loader import load_classes
from urlharness.corpus.specifications import Spec, check_specs
from urlharness.fuzz import DamageError, FuzzError, FuzzOperation
from urlharness.fuzz.findings import CampaignFinding, Changes, answer_in_words, damage_in_words, rank
from urlharness.fuzz.panel import ORACLE
from urlharness.jsonio import (
    NOT_JSON,
    ascii_line,
    ascii_lines,
    decoding_error,
    errors_named,
    write_atomically,
)
from urlharness.panel.panel import adapter_name
from urlharness.panel.severity import ROUTING
from urlharness.report.sarif import LOCATION, NO_CLASS, class_rule, sarif_location, sarif_log
from urlharness.shell import ask_command, quote
from urlharness.system.files import (
    OutsideError,
    open_below,
    path_below,
    read_below,
    remove_below,
    write_below,
)
from urlharness.system.locks import acquire_lock
from urlharness.text import visible
from urlharness.wording import os_reason

JOURNAL = "journal.jsonl"
FINDINGS = "findings.jsonl"
SARIF = "findings.sarif"

#: The schema of a journal. That of earlier versions contained findings.
SCHEMA: Literal["urlfuzz-2"] = "urlfuzz-2"
_EARLIER = b'{"schema":"urlfuzz-1"'

#: A number of a journal: the place of something, or a count.
_Number = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class StoreError(FuzzError):
    """A folder or file of findings that cannot be used. The message says which and why."""


class Campaign(msgspec.Struct, frozen=True):
    """The first line of a journal: everything on which the findings depend.

    `texts` is a digest of the user's own texts, or empty.
    """

    schema: Literal["urlfuzz-2"]
    adapters: tuple[str, ...]
    spec: Spec
    operations: tuple[FuzzOperation, ...]
    seed: int
    feedback: bool
    fold: bool
    texts: str

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])


class PoolText(msgspec.Struct, frozen=True, array_like=True):
    """A text that was kept for the pool, because its shape was new with these codes of features.

    `track` is the index of its operation.
    """

    track: _Number
    text: str
    shape: str
    codes: tuple[_Number, ...]


class Round(msgspec.Struct, frozen=True):
    """A finished round: the numbers of shards and cases so far, the texts it kept, and what it found."""

    shards: _Number
    cases: _Number
    kept: tuple[PoolText, ...]
    changes: Changes


class Store:
    """The folder of one campaign, with a lock that no other campaign can take while it is open."""

    def __init__(self, folder: Path, location: str = LOCATION) -> None:
        """Create or open a folder. Raise StoreError if another process uses it.

        Raise OutsideError if its journal is a link. The SARIF log names `location` as the file of every
        finding. On file systems without locks, two campaigns can write at once.
        """
        self._folder = folder
        self._location = location
        folder.mkdir(parents=True, exist_ok=True)
        self._journal = open_below(folder, JOURNAL, "a+b", buffering=0)
        if not acquire_lock(self._journal):
            self._journal.close()
            raise StoreError(f"{folder}: another campaign writes to this folder")

    def close(self) -> None:
        """Release the folder."""
        self._journal.close()

    def resume(self, campaign: Campaign) -> list[Round]:
        """Return the finished rounds of a campaign. If the folder is new, start the journal of the campaign.

        Raise StoreError if the folder contains a different campaign, and DamageError if the journal is
        damaged.
        """
        self._journal.seek(0)
        whole, _, _ = self._journal.read().rpartition(b"\n")
        first, *lines = whole.split(b"\n")
        if not first:
            self._journal.truncate(0)
            self._append(campaign)
            return []
        path = self._folder / JOURNAL
        self._refuse_other_campaign(first, campaign)
        self._journal.truncate(len(whole) + 1)  # an interrupted round has a line without its end
        return [_read_round(line, campaign, f"{path}:{number}") for number, line in enumerate(lines, 2)]

    def _refuse_other_campaign(self, header: bytes, campaign: Campaign) -> None:
        """Raise StoreError if the first line of the journal is that of a different campaign."""
        difference = "is of an earlier version"
        if not header.startswith(_EARLIER):
            before = _decode(header, Campaign, f"{self._folder / JOURNAL}:1")
            if before == campaign:
                return
            changed = " and ".join(_changed_fields(before, campaign))
            difference = f"has other {changed}"
        raise StoreError(
            f"{self._folder}: the campaign in this folder {difference}; choose another folder with --out"
        )

    def write_round(self, finished: Round) -> None:
        """Record a finished round."""
        self._append(finished)

    def _append(self, line: object) -> None:
        """Write a line to the journal, and wait until it is on disk."""
        with errors_named(self._folder / JOURNAL):
            rest = memoryview(ascii_line(line))
            while rest:
                rest = rest[self._journal.write(rest) :]
            os.fsync(self._journal)

    def save(self, finding: CampaignFinding) -> None:
        """Write the folder of a new finding, or the file of a finding that has grown."""
        target = path_below(self._folder, finding.id)
        with errors_named(target):
            if target.exists():
                _write_finding(target, finding)
            else:
                self._add_folder(target, finding)

    def _add_folder(self, target: Path, finding: CampaignFinding) -> None:
        """Add the folder of a finding.

        It is written under another name first, so that it is never found without its files. That name begins
        with a dot, so `read_findings` skips it.
        """
        scratch = path_below(self._folder, f".{finding.id}")
        remove_below(self._folder, scratch.name)
        scratch.mkdir()
        _write_finding(scratch, finding)
        for name, text in finding.input.items():
            file = "input" if name == "url" else f"input.{name}"
            write_below(scratch, file, text.encode("utf-8", "surrogateescape"))
        write_below(scratch, "repro.sh", f"#!/usr/bin/env bash\n{repro_command(finding)}\n")
        path_below(scratch, "repro.sh").chmod(0o755)
        scratch.replace(target)

    def read_findings(self) -> list[CampaignFinding]:
        """Return the findings in the folder, the most severe first."""
        return read_findings(self._folder)

    def write_lists(self) -> None:
        """Write the lists of all findings, from the files of the findings."""
        findings = self.read_findings()
        lines = ascii_lines(findings).decode("ascii")
        write_atomically(path_below(self._folder, FINDINGS), lines)
        log = _sarif(findings, self._location)
        write_atomically(path_below(self._folder, SARIF), log)


def _changed_fields(before: Campaign, campaign: Campaign) -> list[str]:
    """Return the names of the fields in which two different campaigns differ.

    `fold` is named only alone, because it may follow from the others.
    """
    fields = Campaign.__struct_fields__
    changed = [name for name in fields if getattr(before, name) != getattr(campaign, name)]
    if "fold" in changed and len(changed) > 1:
        changed.remove("fold")
    return changed


def _write_finding(folder: Path, finding: CampaignFinding) -> None:
    """Write the file of a finding to its folder."""
    record = json.dumps(msgspec.to_builtins(finding), indent=1)
    write_atomically(path_below(folder, "finding.json"), f"{record}\n")


def read_findings(folder: Path) -> list[CampaignFinding]:
    """Return the findings of a campaign, the most severe first.

    Raise StoreError if the folder is not that of a campaign, and DamageError if a finding is damaged.
    """
    names = sorted(path.parent.name for path in folder.glob("[!.]*/finding.json"))
    if not names and not (folder / JOURNAL).is_file():
        raise StoreError(f"{folder}: not the folder of a campaign")
    findings = [_read_finding(folder, f"{name}/finding.json") for name in names]
    return sorted(findings, key=rank)


def is_folder_of_finding(folder: Path) -> bool:
    """Return True if a folder is that of one finding, rather than that of a campaign."""
    return (folder / "finding.json").is_file() and not (folder / JOURNAL).is_file()


def read_finding(path: Path) -> CampaignFinding:
    """Return a finding, from its file or its folder.

    Raise StoreError if there is none, and DamageError if it is damaged.
    """
    if (path / JOURNAL).is_file():
        raise StoreError(f"{path}: the folder of a campaign; give the folder of one finding in it")
    if path.is_dir():
        return _read_finding(path, "finding.json")
    return _decode_finding(_read(path), str(path))


def _read_finding(folder: Path, name: str) -> CampaignFinding:
    """Return a finding from a file below a folder. Raise DamageError if a link leads out of the folder."""
    try:
        content = read_below(folder, name)
    except OutsideError as error:
        raise DamageError(f"{error.filename}: {error.strerror}") from None
    except OSError as error:
        raise StoreError(f"{folder / name}: {os_reason(error)}") from None
    return _decode_finding(content, str(folder / name))


def read_known(path: Path) -> list[CampaignFinding]:
    """Return the findings in the folder of a campaign, or in a file of JSON Lines.

    Raise StoreError if they cannot be read, and DamageError if one is damaged.
    """
    if path.is_dir():
        return read_findings(path)
    lines = enumerate(_read(path).split(b"\n"), 1)
    return [_decode_finding(line, f"{path}:{number}") for number, line in lines if line.strip()]


def _read(path: Path) -> bytes:
    """Return the content of a file. Raise StoreError if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise StoreError(f"{path}: {os_reason(error)}") from None


def _decode_finding(content: bytes, source: str) -> CampaignFinding:
    """Return a finding of a file, or of a line of a file, with the name `source`.

    Raise DamageError if it is damaged.
    """
    finding: CampaignFinding = _decode(content, CampaignFinding, source)
    why = damage_in_words(finding)
    if why:
        raise DamageError(f"{source}: {why}")
    return finding


def _read_round(line: bytes, campaign: Campaign, source: str) -> Round:
    """Return a round of a journal. Raise DamageError if it does not fit the campaign."""
    finished: Round = _decode(line, Round, source)
    if any(pool_text.track >= len(campaign.operations) for pool_text in finished.kept):
        raise DamageError(f"{source}: a text is of an operation that the campaign does not have")
    return finished


def _decode(content: bytes, kind: type[Any], source: str) -> Any:
    """Decode JSON as `kind`. Raise DamageError, which names the file or line, if that fails."""
    try:
        return msgspec.json.decode(content, type=kind)
    except NOT_JSON as error:
        raise DamageError(f"{source}: {decoding_error(content, error, kind)}") from None


#: The command in the script `repro.sh` in the folder of a finding.
_REPLAY = 'urlconform fuzz replay "$(dirname "$0")"'


def repro_command(finding: CampaignFinding, folder: Path | None = None) -> str:
    """Return the command that asks the adapters again about a finding.

    `folder` is the folder of the finding. Without it, return the command for a script in this folder.
    """
    names = [adapter_name(name) for name in finding.answers]
    if finding.operation in ("parse", "resolve") and "\0" not in finding.text:
        libraries = [name for name in names if name != ORACLE]
        return ask_command(libraries, **finding.input)
    if folder is None:
        return _REPLAY
    return f"urlconform fuzz replay {quote(str(folder))}"


def _sarif(findings: Sequence[CampaignFinding], location: str) -> str:
    """Return findings as a SARIF log, with a rule for each class of difference."""
    classes = dict.fromkeys(finding.class_ for finding in findings)
    rules = [class_rule(class_, load_classes()) for class_ in classes]
    results = [_sarif_result(finding, location) for finding in findings]
    return sarif_log(rules, results)


def _sarif_result(finding: CampaignFinding, location: str) -> dict[str, object]:
    """Return the result of a finding. It is an error if the finding decides where a request goes."""
    answers = [f"{name}: {answer_in_words(answer)}" for name, answer in finding.answers.items()]
    all_answers = "; ".join(answers)
    inputs = inputs_in_words(finding.input)
    text = f"{finding.operation} {inputs}: {all_answers}"
    level = "error" if finding.severity in ROUTING else "warning"
    names = "/".join(finding.answers)
    file = quote_uri(location)
    location_of_finding = sarif_location(file, names)
    properties = {
        "input": finding.input,
        "answers": msgspec.to_builtins(finding.answers),
        "cause": finding.cause,
        "severity": finding.severity,
    }
    return {
        "ruleId": finding.class_ or NO_CLASS,
        "level": level,
        "message": {"text": text},
        "locations": [location_of_finding],
        "partialFingerprints": {"finding": finding.id},
        "properties": properties,
    }


def inputs_in_words(inputs: Mapping[str, str]) -> str:
    """Return the inputs of a question in one line for a terminal."""
    if "url" in inputs:
        return visible(inputs["url"]) or "(empty)"
    base = visible(inputs["base"]) or "(empty)"
    reference = visible(inputs["reference"]) or "(empty)"
    return f"{base} + {reference}"


def count_classes(findings: Iterable[CampaignFinding]) -> dict[str, int]:
    """Count findings by class, the most frequent first."""
    counts = Counter(finding.class_ or NO_CLASS for finding in findings)
    return dict(counts.most_common())
