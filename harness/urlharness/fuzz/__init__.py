"""Differential campaigns: texts on which adapters disagree, minimal and named.

It may import everything below `cli`; only commands import it.
"""

from typing import Literal, get_args

#: The operations of a campaign; here, so that `--help` loads no engine.
FuzzOperation = Literal["parse", "validate", "resolve", "normalize"]
OPERATIONS: tuple[FuzzOperation, ...] = get_args(FuzzOperation)
