"""The evaluation of a model, with a script in place of a model."""

import json

import pytest
from evaluation import TASKS, appointments
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from facts import facts

MODEL = "mockllm/model"
NAME = "book where no time zone is known"


def scripted(script):
    """A model that makes the calls of a script."""
    steps = script(facts())

    def output(messages, *_):
        last = messages[-1]
        result = None
        if last.role == "tool":
            result = json.loads(last.error.message if last.error else last.text)
        try:
            tool, arguments = steps.send(result)
            made = ModelOutput.for_tool_call(MODEL, tool, arguments)
        except StopIteration as stop:
            made = ModelOutput.from_content(MODEL, stop.value)
        # Without a usage, inspect would download an encoding to count tokens.
        made.usage = ModelUsage()
        return made

    return get_model(MODEL, custom_outputs=output)


def nothing(facts):
    yield from ()
    return "Done."


@pytest.fixture
def evaluated(tmp_path):
    """A function that lets a model solve a task, and returns its score."""

    def evaluated(model):
        logs = str(tmp_path / "logs")
        (log,) = eval(appointments(), model=model, sample_id=NAME, log_dir=logs, display="none")
        assert log.status == "success", log.error
        (sample,) = log.samples
        return sample.scores["is_solved"]

    return evaluated


def test_has_all_tasks():
    assert [sample.id for sample in appointments().dataset] == list(TASKS)


def test_solved(evaluated):
    score = evaluated(scripted(TASKS[NAME].script))
    assert (score.value, score.explanation) == ("C", "")


def test_not_solved(evaluated):
    score = evaluated(scripted(nothing))
    assert score.value == "I"
    assert "there is no appointment" in score.explanation
