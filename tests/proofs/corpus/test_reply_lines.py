"""Every right reply fits in a line of the protocol, in whatever way an adapter writes its JSON."""

from __future__ import annotations

import json

from urlharness.adapters import reference
from urlharness.protocol.messages import LINE_LIMIT

from .planted.judging import present_fields


def test_a_right_reply_in_escapes_of_json_fits_in_a_line(corpus):
    """Many writers of JSON escape all characters beyond ASCII, which takes up to twelve bytes for each."""
    too_long = []
    for case in corpus.cases:
        if len(str(case.vector.expect)) > LINE_LIMIT // 50:
            reply = {"id": 0, **reference.answer(present_fields(case))}
            line = json.dumps(reply, ensure_ascii=True)
            if len(line) >= LINE_LIMIT:
                too_long.append(case.vector.id)
    assert too_long == []
