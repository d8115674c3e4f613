"""Advice in the words of a shell."""

from __future__ import annotations

import pytest

from assay.cli.wording import for_shell


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("read it with types={'zip': 'text'}.", "read it with --type zip=text."),
        ("read it with types={\"it's\": 'text'}.", "read it with --type 'it'\"'\"'s=text'."),
        ("give a type (types=, --type) if it", "give a type (--type) if it"),
        ("Give target= (--target): none", "Give --target: none"),
        ("leave it out with drop=.", "leave it out with --drop."),
        ("query= asks a database", "--query asks a database"),
        ("resume it (--resume) or not", "resume it (--resume) or not"),
        ("GaussianNB(priors=3) is not allowed", "GaussianNB(priors=3) is not allowed"),
        ("the column 'types=' is odd", "the column 'types=' is odd"),
    ],
)
def test_parameters_are_called_by_their_options(sentence: str, said: str) -> None:
    assert for_shell(sentence) == said
