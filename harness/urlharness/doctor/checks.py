"""The checks of an examination, in their order.

A fault can hide other faults, so a check comes before those that build on what it tests:

1. the hello, because it says what may be asked;
2. one plain question for each operation, because every other check asks questions;
3. the form of the answers: names of components, absent and empty ones, refusals, two inputs;
4. questions that an adapter may not expect: unknown rules, operations and fields, odd texts, missing inputs;
5. that an answer depends on nothing but its question: asked twice, in another order;
6. the lines of the protocol: split, together, with other line ends, ids, text outside ASCII, long lines;
7. the end of the process, the speed, and what was written to stderr during all of this.

Each check runs in a fresh process, so that a fault of one is not reported by the next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from urlharness.doctor import behaviour, framing, model
from urlharness.doctor.behaviour import check_of
from urlharness.doctor.client import Client, ProtocolClient
from urlharness.doctor.model import Diagnosis, Rule


class Check(NamedTuple):
    """A check: its name, the rule that it tests, and the function to run, which may raise ProtocolBreach."""

    name: str
    rule: Rule
    run: Callable[[Client], Diagnosis] | Callable[[ProtocolClient], Diagnosis]
    #: The adapters to check. `protocol` excludes programs that run once per case. `program` excludes these
    #: and functions.
    scope: Literal["any", "protocol", "program"] = "any"
    #: True if all later checks are skipped when a fault stops this check.
    essential: bool = False
    #: True if a fault is only a warning, because the harness never writes such input.
    optional: bool = False
    #: True if the check asks many questions or starts many processes. It is skipped for slow adapters.
    repeats: bool = False


CHECKS = (
    Check("hello", model.HELLO, framing.check_hello, scope="protocol", essential=True),
    Check("operations", model.OFFERS, behaviour.check_operations, essential=True),
    Check("components", model.COMPONENTS, check_of(behaviour.component_probes, behaviour.judge_components)),
    Check("absent or empty", model.ABSENT_OR_EMPTY, behaviour.check_absent),
    Check("refusals", model.VALIDATE, check_of(behaviour.invalid_text_probes, behaviour.judge_refusals)),
    Check("both inputs", model.INPUTS, check_of(behaviour.two_input_probes, behaviour.judge_two_inputs)),
    Check(
        "unknown rule", model.UNSUPPORTED, check_of(behaviour.unknown_rule_probes, behaviour.judge_unknown)
    ),
    Check(
        "unknown operation",
        model.OFFERS,
        check_of(behaviour.unknown_operation_probes, behaviour.judge_unknown),
    ),
    Check(
        "unknown fields",
        model.UNKNOWN_FIELDS,
        check_of(behaviour.unknown_field_probes, behaviour.judge_unknown_fields),
    ),
    Check("odd texts", model.ERROR, check_of(behaviour.odd_text_probes, behaviour.judge_odd_texts)),
    Check(
        "missing input",
        model.ERROR,
        check_of(behaviour.missing_input_probes, behaviour.judge_any),
        optional=True,
    ),
    Check("same twice", model.INDEPENDENT, behaviour.check_same_twice, repeats=True),
    Check("any order", model.INDEPENDENT, behaviour.check_any_order, scope="protocol", repeats=True),
    Check("split lines", model.JSON_LINES, framing.check_split_lines, scope="program"),
    Check("several at once", model.WINDOW, framing.check_at_once, scope="program", repeats=True),
    Check("CRLF", model.BLANKS, framing.check_crlf, scope="program", optional=True),
    Check("empty lines", model.BLANKS, framing.check_empty_lines, scope="program", optional=True),
    Check("raw UTF-8", model.JSON_LINES, framing.check_raw_utf8, scope="program", optional=True),
    Check("ids", model.REPLY, framing.check_ids, scope="program"),
    Check("non-ASCII", model.JSON_LINES, check_of(behaviour.non_ascii_probes, behaviour.judge_non_ascii)),
    Check("NUL", model.JSON_LINES, check_of(behaviour.nul_probes, behaviour.judge_nul)),
    Check("octets", model.BYTES, check_of(behaviour.raw_probes, behaviour.judge_raw)),
    Check("long line", model.JSON_LINES, behaviour.check_long),
    Check("bye", model.BYE, framing.check_bye, scope="program"),
    Check("end of input", model.END_OF_INPUT, framing.check_end_of_input, scope="program"),
    Check("speed", model.JOBS, framing.check_speed),
    Check("stderr", model.STDERR, behaviour.check_stderr),
)
