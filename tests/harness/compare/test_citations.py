"""The section and the ruling that a page cites for a wrong answer."""

from __future__ import annotations

import pytest
from answer_samples import REJECT, expected, url

from urlharness.compare.citations import cited_section
from urlharness.compare.matrix import make_matrix

#: A section on normalization, a text, its normal form, the answer of a library, and the section to cite.
STEPS = [
    pytest.param("6.2.2.1", "HTTP://h/", "http://h/", "HTTP://h/", "6.2.2.1", id="case"),
    pytest.param("6.2.2.1", "http://h/%7e%3a", "http://h/~%3A", "http://h/~%3a", "6.2.2.1", id="triplets"),
    pytest.param("6.2.2.1", "//0x7f000001", "//0x7f000001", "//127.0.0.1", "3.2.2", id="an-address"),
    pytest.param("6.2.2.1", "//h:0", "//h:0", "//h", "3.2.3", id="a-lost-port"),
    pytest.param("6.2.2.2", "//h/%41", "//h/A", "//h/%41", "6.2.2.2", id="a-triplet-that-stays"),
    pytest.param("6.2.2.2", "//u@h/", "//u@h/", "//h/", "3.2.1", id="a-lost-userinfo"),
    pytest.param("6.2.2.3", "//h/a/../b", "//h/b", "//h/a/../b", "6.2.2.3", id="dots-that-stay"),
    pytest.param("6.2.2.3", "//h:0//a", "//h:0//a", "//h//a", "3.2.3", id="a-lost-port-beside-slashes"),
    pytest.param("6.2.3", "http://h:80/", "http://h/", "http://h:80/", "6.2.3", id="rules-of-a-scheme"),
    pytest.param("6.2.2.1", "HTTP://h/", "http://h/", None, "6.2.2.1", id="a-refusal"),
]


@pytest.mark.parametrize(("section", "text", "normal_form", "answer", "cited"), STEPS)
def test_a_step_of_normalization_is_cited_for_what_it_changes(
    make_case, run, section, text, normal_form, answer, cited
):
    right = url(normal_form)
    case = make_case(
        f"rfc3986-{section}-x", op="normalize", rule=None, mode="syntax", url=text, expect=expected(right)
    )
    results = run((case, {"lib": REJECT if answer is None else url(answer), "right": right}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert cited_section(disagreement, results.vectors[case.vector.id]) == cited
