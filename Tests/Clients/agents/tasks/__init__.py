"""Twenty tasks for models."""

from tasks import change, choose, find, hold, network

TASKS = {
    task.name: task for module in (find, choose, hold, change, network) for task in module.TASKS
}
