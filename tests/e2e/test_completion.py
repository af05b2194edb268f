"""Completion: the script for each shell, and what the program answers to it."""

from __future__ import annotations

import pytest

from urlharness.exitcodes import Exit

#: How the script of a shell calls the program; `$1` is the program in bash.
CALLS = [
    pytest.param("bash", "_URLCONFORM_COMPLETE=bash_complete $1)", id="bash"),
    pytest.param("zsh", "_URLCONFORM_COMPLETE=zsh_complete urlconform)", id="zsh"),
    pytest.param(
        "fish",
        "_URLCONFORM_COMPLETE=fish_complete "
        "COMP_WORDS=(commandline -cp) COMP_CWORD=(commandline -t) urlconform)",
        id="fish",
    ),
]


@pytest.mark.parametrize(("shell", "call"), CALLS)
def test_the_script_of_a_shell_calls_the_program_without_arguments(urlconform_process, shell, call):
    done = urlconform_process(env={"_URLCONFORM_COMPLETE": f"{shell}_source"})
    assert call in done.stdout
    assert done.returncode == Exit.PASSED


#: The words on the line, the index of the one that is completed, and the completion.
COMPLETIONS = [
    pytest.param("urlconform basel", 1, "plain,baseline\n", id="command"),
    pytest.param("urlconform run --allow-m", 2, "plain,--allow-missing\n", id="option"),
]


@pytest.mark.parametrize(("typed", "word_index", "completion"), COMPLETIONS)
def test_a_shell_completes_commands_and_options(urlconform_process, typed, word_index, completion):
    variables = {"COMP_WORDS": typed, "COMP_CWORD": str(word_index), "_URLCONFORM_COMPLETE": "bash_complete"}
    done = urlconform_process(env=variables)
    assert done.stdout == completion
    assert done.returncode == Exit.PASSED
