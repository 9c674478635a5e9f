"""The tasks of `agents/tasks` for any model: `make evaluate MODEL=...`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr
from inspect_ai.solver import solver
from inspect_ai.tool import mcp_connection, mcp_server_stdio

CLIENTS = Path(__file__).parents[2]
sys.path += [str(CLIENTS), str(CLIENTS / "agents")]

from facts import filled  # noqa: E402
from tasks import TASKS  # noqa: E402
from tasks.check import problems  # noqa: E402
from tasks.task import ROLE  # noqa: E402
from tasks.world import running_world  # noqa: E402

# A model that needs more makes no progress: scripts need at most nine.
MESSAGES = 40


@task
def appointments():
    samples = [Sample(id=name, input=task.request) for name, task in TASKS.items()]
    return Task(dataset=samples, solver=in_world(), scorer=is_solved(), message_limit=MESSAGES)


@solver
def in_world():
    """Lets the model call the tools in the world of the task, and then looks for problems."""

    async def solve(state, generate):
        task = TASKS[state.sample_id]
        with TemporaryDirectory() as directory, running_world(task, Path(directory)) as world:
            request = filled(task.request, world.facts)
            state.messages = [ChatMessageSystem(content=ROLE), ChatMessageUser(content=request)]
            command, *arguments = world.command
            server = mcp_server_stdio(name="novablend", command=command, args=arguments)
            async with mcp_connection(server):
                state.tools = await server.tools()
                state = await generate(state, tool_calls="loop")
            state.store.set("problems", problems(task, world, state.output.completion))
        return state

    return solve


@scorer(metrics=[accuracy(), stderr()])
def is_solved():
    async def score(state, target):
        found = state.store.get("problems", ["the model did not finish"])
        return Score(
            value=INCORRECT if found else CORRECT,
            answer=state.output.completion,
            explanation="\n".join(found),
        )

    return score
