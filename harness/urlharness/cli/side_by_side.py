"""Ask adapters side by side, in processes of this program. The results come as from one after the other.

A task is an adapter with all its cases. The reference adapter, which is much slower than the others, has a
task for the cases of each RFC. It claims all RFCs, so it would be asked in the same order without tasks; and
each process compiles the languages of few RFCs only.

There are as many processes as processors, so that no adapter waits for a processor until its time is up. They
are forked before the first task: cases and limits need no pickling, and this process has no other thread yet.
A process sends the lines of its task as they come. This process writes the lines of one task after the other,
and keeps those of later tasks until their turn. Meanwhile it reads the results that it has written, because
the report needs them all.

On Ctrl-C this process tells the others to end. Each closes its adapter and sends the lines that it still has.
It does the same if this process ends, even if it is killed. Signals never interrupt a message, because half a
message cannot be read.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import NamedTuple

from urlharness.adapters.registry import BUNDLED, Adapter, InProcess
from urlharness.cli.interrupts import ENDING, InterruptHandler, ignore_signals
from urlharness.corpus.model import Case
from urlharness.corpus.specifications import SPECS
from urlharness.protocol.failures import AdapterDead
from urlharness.results.generated import Stream
from urlharness.results.model import EncodedLines, Line, LineWriter, Participant, ResultsWriter, encode_lines
from urlharness.runner import Progress
from urlharness.system.portability import can_fork, usable_processors

#: A process sends its lines at least this often, in seconds, and at most this many at once.
_INTERVAL = 0.05
_MOST_LINES = 512

#: The number of tasks for each process, from the one whose lines are being written, that can have begun. It
#: limits the lines that are kept.
_AHEAD = 8

#: Seconds for the other processes to close their adapters after an interrupt.
_PATIENCE = 10.0

#: Below this number of cases, it does not pay to divide them, or to fork a process for a function.
_FEW = 500


class Task(NamedTuple):
    """An adapter with its cases, or with a part of them. `begins` is False for all parts but the first."""

    adapter: Adapter
    cases: Sequence[Case]
    streams: Sequence[Stream] = ()
    begins: bool = True


#: Asks the adapter of a task its cases. The lines go to the writer. The function is called after each case.
Ask = Callable[[Task, LineWriter, Progress], object]


def tasks_of(
    adapters: Sequence[Adapter], cases: Sequence[Case], streams: Sequence[Stream], *, divisible: bool
) -> list[Task]:
    """Return the tasks of a run in the order of their lines.

    If `divisible`, no limit applies to all cases of an adapter together, so they may be divided.
    """
    tasks: list[Task] = []
    for adapter in adapters:
        if divisible and adapter is BUNDLED["reference"] and usable_processors() > 1:
            tasks += _divide_by_rfc(adapter, cases, streams)
        else:
            tasks.append(Task(adapter, cases, streams))
    return tasks


def _divide_by_rfc(adapter: Adapter, cases: Sequence[Case], streams: Sequence[Stream]) -> list[Task]:
    """Return a task for the cases of each RFC, or only one if they are few or cannot be divided.

    The streams belong to the last task.
    """
    if not isinstance(cases, list) or len(cases) < _FEW:  # others are read one by one from a file
        return [Task(adapter, cases, streams)]
    parts = [list(cases_of_rfc) for _, cases_of_rfc in groupby(cases, key=lambda case: case.spec)]
    if len(parts) > len(SPECS):  # the RFCs are mixed
        return [Task(adapter, cases, streams)]
    last_number = len(parts) - 1
    tasks = []
    for number, part in enumerate(parts):
        streams_of_task = streams if number == last_number else ()
        tasks.append(Task(adapter, part, streams_of_task, begins=number == 0))
    return tasks


def _takes_long(task: Task) -> bool:
    """Return True if a task takes longer than to fork a process: it starts a program, or has many cases."""
    adapter = task.adapter
    starts_program = not isinstance(adapter, InProcess) or adapter.in_child
    return starts_program or len(task.cases) >= _FEW or bool(task.streams)


class SideBySide:
    """Processes that ask adapters all cases of a run. If there are none, this process asks them."""

    def __init__(
        self,
        adapters: Sequence[Adapter],
        cases: Sequence[Case],
        streams: Sequence[Stream],
        ask: Ask,
        *,
        divisible: bool,
    ) -> None:
        """Start the processes. On `divisible`, see `tasks_of`.

        There are none if they would not pay, or if this process has several threads: a fork copies only one,
        and a lock that another holds would stay locked.
        """
        self._ask = ask
        self._workers: list[_Worker] = []
        self._tasks = tasks_of(adapters, cases, streams, divisible=divisible)
        long_tasks = [task for task in self._tasks if _takes_long(task)]
        count = min(len(long_tasks), usable_processors())
        if count < 2 or threading.active_count() > 1 or not can_fork():
            # undivided: each part of an adapter would write its participant again, which `_Sender` leaves out
            self._tasks = [Task(adapter, cases, streams) for adapter in adapters]
            return
        for _ in range(count):
            worker = _Worker(self._tasks, ask, earlier=self._workers)
            self._workers.append(worker)

    def run(
        self, writer: ResultsWriter, progress: Progress, meanwhile: Callable[[], None] = lambda: None
    ) -> None:
        """Ask all tasks and write their lines in order. If interrupted, write the lines so far.

        `meanwhile` is called while other processes ask, after lines have been written. Raise what a task
        raised, and AdapterDead if a process was killed.
        """
        if not self._workers:
            for task in self._tasks:
                self._ask(task, writer, progress)
            return
        relay = _Relay(self._tasks, writer, progress)
        try:
            self._relay_all(relay, meanwhile)
        except KeyboardInterrupt:
            with _signals_held():
                self._stop(relay)
            raise

    def close(self) -> None:
        """End the processes."""
        for worker in self._workers:
            worker.close()

    def _relay_all(self, relay: _Relay, meanwhile: Callable[[], None]) -> None:
        """Hand out the tasks and relay the messages until all are done. On `meanwhile`, see `run`."""
        waiting = deque(range(len(self._tasks)))
        while not relay.is_complete:
            with _signals_held():
                self._hand_out(waiting, relay.position)
            meanwhile()
            busy = {worker.pipe.fileno(): worker for worker in self._workers if worker.task is not None}
            for number in wait([*busy]):
                assert isinstance(number, int)  # no other objects were given
                with _signals_held():
                    self._receive(busy[number], relay)
                    relay.write_due_lines()

    def _hand_out(self, waiting: deque[int], position: int) -> None:
        """Give the next tasks, which are taken from `waiting`, to the processes that have none.

        `position` is the task whose lines are being written. Tasks that are too far ahead of it wait.
        """
        for worker in self._workers:
            if worker.task is None and waiting and waiting[0] < position + _AHEAD * len(self._workers):
                worker.begin(waiting.popleft())

    def _receive(self, worker: _Worker, relay: _Relay) -> None:
        """Pass a message of a process that has a task to `relay`. After the last one, it has no task.

        Raise AdapterDead if the process was killed.
        """
        assert worker.task is not None
        try:
            message: _Message = worker.pipe.recv()
        except (EOFError, OSError):
            name = self._tasks[worker.task].adapter.name
            raise AdapterDead(f"{name}: the process that asked it was killed") from None
        relay.add(worker.task, message)
        if message.is_last:
            worker.task = None

    def _stop(self, relay: _Relay) -> None:
        """Tell the processes to end, and write the lines that they have sent or still send.

        Together they have `_PATIENCE` seconds. The errors of tasks are dropped.
        """
        for worker in self._workers:
            worker.interrupt()
        deadline = time.monotonic() + _PATIENCE
        for worker in self._workers:
            while worker.task is not None and time.monotonic() < deadline:
                self._receive_late(worker, relay)
        relay.write_all()

    def _receive_late(self, worker: _Worker, relay: _Relay) -> None:
        """Wait a moment for a message of a process that was told to end, and pass it to `relay`.

        If the process has ended, it has no task afterwards.
        """
        assert worker.task is not None
        if not worker.pipe.poll(_INTERVAL):
            return
        try:
            relay.add(worker.task, worker.pipe.recv())
        except (EOFError, OSError):
            worker.task = None


class _AdapterEnd(NamedTuple):
    """The end of an adapter, as `ResultsWriter.note_end` takes it."""

    implementation: str
    restarts: int
    stopped: int


class _Message(NamedTuple):
    """A message of a process about its task.

    `done` is the number of cases since the last message. `end` is there once the adapter has ended. The last
    message may have an error that the task has raised.
    """

    lines: EncodedLines
    done: int
    end: _AdapterEnd | None = None
    error: Exception | None = None
    is_last: bool = False


class _Relay:
    """Takes the messages of all processes, and writes their lines in the order of the tasks."""

    def __init__(self, tasks: Sequence[Task], writer: ResultsWriter, progress: Progress) -> None:
        """Relay to a writer. `progress` is called for each message, with the numbers of its adapter."""
        self._tasks = tasks
        self._writer = writer
        self._progress = progress
        self._messages: list[deque[_Message]] = [deque() for _ in tasks]
        #: The numbers of cases by adapter, whose cases may be divided among several tasks.
        self._done: Counter[str] = Counter()
        self._totals: Counter[str] = Counter()
        for task in tasks:
            generated = sum(stream.total for stream in task.streams)
            self._totals[task.adapter.name] += len(task.cases) + generated
        #: The task whose lines are being written.
        self.position = 0

    @property
    def is_complete(self) -> bool:
        """True if the lines of all tasks are written."""
        return self.position == len(self._tasks)

    def add(self, task: int, message: _Message) -> None:
        """Take a message of a task, and report the progress of its adapter."""
        self._messages[task].append(message)
        name = self._tasks[task].adapter.name
        self._done[name] += message.done
        if message.done:
            self._progress(name, self._done[name], self._totals[name])

    def write_due_lines(self) -> None:
        """Write the lines whose turn has come. Raise the error of a task."""
        while not self.is_complete and self._messages[self.position]:
            message = self._messages[self.position].popleft()
            self._write(message)
            if message.error is not None:
                raise message.error
            if message.is_last:
                self.position += 1

    def write_all(self) -> None:
        """After an interrupt, write all lines, also those of tasks after one that was not finished.

        Lines of an adapter that has not said its name, in the first of its parts, are left out.
        """
        has_name = True  # earlier lines of the task at `position`, if there are any, begin with the name
        for number in range(self.position, len(self._tasks)):
            messages = self._messages[number]
            if self._tasks[number].begins:
                has_name = number == self.position or bool(messages)
            if has_name:
                for message in messages:
                    self._write(message)

    def _write(self, message: _Message) -> None:
        """Write the lines of a message, and note how its adapter ended."""
        self._writer.write_encoded(message.lines)
        end = message.end
        if end is not None:
            self._writer.note_end(end.implementation, end.restarts, end.stopped)


class _Worker:
    """The other end of a process, and the number of its task."""

    def __init__(self, tasks: Sequence[Task], ask: Ask, earlier: Sequence[_Worker]) -> None:
        """Start the process. It inherits the pipes of the `earlier` ones, and closes them."""
        context = multiprocessing.get_context("fork")
        self.task: int | None = None
        self.pipe, pipe_of_process = context.Pipe()
        inherited = [self.pipe, *(worker.pipe for worker in earlier)]
        self._process: BaseProcess = context.Process(
            target=_work_on_tasks, args=(tasks, ask, pipe_of_process, inherited), daemon=True
        )
        self._process.start()
        pipe_of_process.close()

    def begin(self, task: int) -> None:
        """Give the process a task. If it has been killed, `recv` will say so."""
        self.task = task
        with suppress(OSError):
            self.pipe.send(task)

    def interrupt(self) -> None:
        """Tell the process to end, but to send its lines before."""
        self._process.terminate()

    def close(self) -> None:
        """End the process, which has no task or was interrupted."""
        self.pipe.close()
        self._process.join(_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


# ---- in the other processes


def _work_on_tasks(
    tasks: Sequence[Task], ask: Ask, pipe: Connection, inherited: Sequence[Connection]
) -> None:
    """Ask the tasks whose numbers the pipe delivers, until it is closed or a signal ends this process."""
    for end_of_parent in inherited:  # if left open, they would hide that the main process has ended
        end_of_parent.close()
    gc.freeze()  # collections need not look at the corpus, and so copy none of its memory
    try:
        InterruptHandler().install()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the main process decides
        numbers: SimpleQueue[int] = SimpleQueue()
        threading.Thread(target=_receive_numbers, args=(pipe, numbers), daemon=True).start()
        while True:
            task = tasks[numbers.get()]
            sender = _Sender(pipe, begins=task.begins)
            try:
                ask(task, sender, sender.count)
            except Exception as error:  # noqa: BLE001 - raised in the main process
                sender.close(_picklable(error))
            else:
                sender.close()
    except (OSError, KeyboardInterrupt):
        pass  # the main process has ended, or wants this one to end
    finally:
        ignore_signals()


def _receive_numbers(pipe: Connection, numbers: SimpleQueue[int]) -> None:
    """Put the numbers of tasks into the queue. Interrupt this process when the main process has ended.

    This runs in a thread of its own, because an adapter that hangs must not keep the process alive.
    """
    try:
        while True:
            numbers.put(pipe.recv())
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)


class _Sender:
    """The writer of a run in another process. It sends the lines to the main process."""

    def __init__(self, pipe: Connection, *, begins: bool) -> None:
        """Send into a pipe. `begins` is that of the task."""
        self._pipe = pipe
        self._begins = begins
        # what has been taken since the last message, whose fields these are
        self._lines: list[Line] = []
        self._done = 0
        self._end: _AdapterEnd | None = None
        self._due = time.monotonic() + _INTERVAL  # the time of the next message

    def write(self, line: Line) -> None:
        """Take a line. Only the first part of the cases of an adapter says who it is."""
        if self._begins or not isinstance(line, Participant):
            self._lines.append(line)

    def count(self, _name: str, _done: int, _total: int) -> None:
        """Count a case that is done. Send the lines if it is time.

        This is the `Progress` of the task, whose arguments the main process works out for all tasks.
        """
        self._done += 1
        if len(self._lines) >= _MOST_LINES or time.monotonic() >= self._due:
            self.flush()

    def note_end(self, implementation: str, restarts: int, stopped: int) -> None:
        """Take the arguments of `ResultsWriter.note_end`."""
        self._end = _AdapterEnd(implementation, restarts, stopped)

    def flush(self) -> None:
        """Send what has been taken."""
        self._send()

    def close(self, error: Exception | None = None) -> None:
        """Send the rest, with the error that the task has raised."""
        self._send(error, is_last=True)

    def _send(self, error: Exception | None = None, *, is_last: bool = False) -> None:
        """Send what has been taken since the last message, in one piece."""
        with _signals_held():
            message = _Message(encode_lines(self._lines), self._done, self._end, error, is_last)
            self._pipe.send(message)
            self._lines = []
            self._done = 0
            self._end = None
            self._due = time.monotonic() + _INTERVAL


def _picklable(error: Exception) -> Exception:
    """Return an exception that the main process can read: the error, or a substitute with its text."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own
    except Exception:  # noqa: BLE001 - pickling calls code of the exception
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


# ---- signals


@contextmanager
def _signals_held() -> Iterator[None]:
    """Hold back the signals that would interrupt the body until its end.

    The handlers are exchanged, because a mask is of one thread only: another thread, such as that of the
    progress bars, would take the signal.
    """
    arrived_numbers: list[int] = []
    handlers = {number: signal.getsignal(number) for number in ENDING}
    try:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, lambda arrived, _frame: arrived_numbers.append(arrived))
        yield
    finally:
        for number, handler in handlers.items():
            if callable(handler):
                signal.signal(number, handler)
        if arrived_numbers:
            signal.raise_signal(arrived_numbers[0])
