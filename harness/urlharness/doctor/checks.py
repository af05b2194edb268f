"""The checks of an examination.

They are in an order in which a fault can only hide faults of later checks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from urlharness.doctor import answers, framing, model
from urlharness.doctor.answers import asking
from urlharness.doctor.client import Client, ProtocolClient
from urlharness.doctor.model import Diagnosis, Rule


class Check(NamedTuple):
    """A check: its name, the rule that it tests, and the function to run, which may raise Fault."""

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
    Check("operations", model.OFFERS, answers.check_operations, essential=True),
    Check("components", model.COMPONENTS, asking(answers.component_texts, answers.judge_components)),
    Check("absent or empty", model.ABSENT_OR_EMPTY, answers.check_absent),
    Check("refusals", model.VALIDATE, asking(answers.invalid_texts, answers.judge_refusals)),
    Check("both inputs", model.INPUTS, asking(answers.two_inputs, answers.judge_two_inputs)),
    Check("unknown rule", model.UNSUPPORTED, asking(answers.unknown_rule, answers.judge_unknown)),
    Check("unknown operation", model.OFFERS, asking(answers.unknown_operation, answers.judge_unknown)),
    Check("unknown fields", model.UNKNOWN_FIELDS, asking(answers.unknown_fields, answers.judge_same)),
    Check("odd texts", model.ERROR, asking(answers.odd_texts, answers.judge_odd_texts)),
    Check("missing input", model.ERROR, asking(answers.missing_input, answers.judge_any), optional=True),
    Check("same twice", model.INDEPENDENT, answers.check_same_twice, repeats=True),
    Check("any order", model.INDEPENDENT, answers.check_any_order, scope="protocol", repeats=True),
    Check("split lines", model.JSON_LINES, framing.check_split_lines, scope="program"),
    Check("several at once", model.WINDOW, framing.check_at_once, scope="program", repeats=True),
    Check("CRLF", model.BLANKS, framing.check_crlf, scope="program", optional=True),
    Check("empty lines", model.BLANKS, framing.check_empty_lines, scope="program", optional=True),
    Check("raw UTF-8", model.JSON_LINES, framing.check_raw_utf8, scope="program", optional=True),
    Check("ids", model.REPLY, framing.check_ids, scope="program"),
    Check("non-ASCII", model.JSON_LINES, asking(answers.non_ascii_texts, answers.judge_non_ascii)),
    Check("NUL", model.JSON_LINES, asking(answers.nul_texts, answers.judge_nul)),
    Check("octets", model.BYTES, asking(answers.raw_texts, answers.judge_raw)),
    Check("long line", model.JSON_LINES, answers.check_long),
    Check("bye", model.BYE, framing.check_bye, scope="program"),
    Check("end of input", model.END_OF_INPUT, framing.check_end_of_input, scope="program"),
    Check("speed", model.JOBS, framing.check_speed),
    Check("stderr", model.STDERR, answers.check_stderr),
)
