"""Prints the sizes of the tasks."""

import pytest

SIZES = pytest.StashKey[list]()


@pytest.fixture
def record_size(request):
    """A function that records the size of a task, for the summary."""
    sizes = request.config.stash.setdefault(SIZES, [])
    return lambda name, played: sizes.append((name, played))


def pytest_terminal_summary(terminalreporter, config):
    sizes = config.stash.get(SIZES, [])
    if sizes:
        terminalreporter.section("bytes of the calls and results of each task")
        for name, played in sizes:
            calls = f"{played.call_bytes:6,} in {played.calls} calls"
            terminalreporter.write_line(f"{calls}  {name}")
        total = sum(played.call_bytes for _, played in sizes)
        lists = f"tools/list, once per session: {sizes[0][1].list_bytes:,}"
        terminalreporter.write_line(f"{total:6,} in all tasks; {lists}")
