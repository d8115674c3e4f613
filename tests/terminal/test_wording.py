"""Advice in the words of a shell."""

from __future__ import annotations

import numpy as np
import pytest

from assay.data import Column
from assay.terminal.wording import for_shell, in_shell_words
from assay.workbench.diagnosis.label_checks import label_findings
from assay.workbench.target import labels as labels_of
from tests.raised import raises


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
        (
            "read it with types={'id': 'numeric'} or 'categorical' if",
            "read it with --type id=numeric or --type id=categorical if",
        ),
        ("read it with types={'a=b': 'text'}.", "read it with --type '\"a=b\"=text'."),
        ("with types={'p': 'numeric:$1,234.5'} if", "with --type 'p=numeric:$1,234.5' if"),
        ("n_jobs=0 is not a number of threads", "n_jobs=0 is not a number of threads"),
        ("name it with source= (--source).", "name it with --source."),
        ("or split_repeats= (--split-repeats).", "or --split-repeats."),
    ],
)
def test_parameters_are_called_by_their_options(sentence: str, said: str) -> None:
    assert for_shell(sentence) == said


@pytest.mark.parametrize("target", ["Result", "it's", 'a "b" [c]'])
def test_advice_about_labels_is_in_plain_words(target: str) -> None:
    labels = ["Yes", "yes", "it's {x: 'other'}) does", 7]
    alike, single = label_findings(target, labels, [40, 31, 1, 12])
    said = for_shell(alike.sentence)
    assert said.endswith("give them one spelling if they mean the same.") and "frame[" in alike.sentence
    said = for_shell(single.sentence)
    assert "merge rare labels. Nothing can be learned" in said and "frame[" in single.sentence
    assert "frame[" not in for_shell(label_findings(target, [7, 8], [1, 12])[0].sentence)
    with raises("P032") as caught:
        labels_of(Column(target, "numeric"), np.arange(90.0))
    assert "add a column of bins, and name that" in for_shell(str(caught.value))


def test_in_json_advice_is_reworded_and_data_is_not() -> None:
    said = in_shell_words(
        {
            "notes": ["leave it out with drop=."],
            "omitted": {"fisher": "leave it out with drop=."},
            "findings": [{"sentence": "leave it out with drop=.", "column": "drop=."}],
            "predicted": ["drop=."],
        }
    )
    assert said["notes"] == ["leave it out with --drop."] == list(said["omitted"].values())
    assert said["findings"] == [{"sentence": "leave it out with --drop.", "column": "drop=."}]
    assert said["predicted"] == ["drop=."]
