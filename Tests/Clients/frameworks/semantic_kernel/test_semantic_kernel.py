"""Semantic Kernel, which describes the tools to a model as functions with one type per parameter."""

import pytest
from semantic_kernel import Kernel
from semantic_kernel.connectors.ai.function_calling_utils import (
    kernel_function_metadata_to_function_call_format,
)
from semantic_kernel.connectors.mcp import MCPStdioPlugin

pytestmark = pytest.mark.anyio


async def test_books(server, listed, steps):
    command, *arguments = server.command
    async with MCPStdioPlugin("novablend", command, args=arguments) as connection:
        kernel = Kernel()
        tools = kernel.add_plugin(connection)
        assert tools.functions.keys() >= listed
        for name in listed:
            kernel_function_metadata_to_function_call_format(tools[name].metadata)
        for name, arguments, check in steps:
            result = await kernel.invoke(tools[name], **arguments)
            check(result.value[0].text)
