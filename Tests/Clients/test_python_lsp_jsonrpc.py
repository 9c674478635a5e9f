"""python-lsp-jsonrpc. It uses threads and headers with a Content-Type. The test chooses the ids."""

import subprocess
import threading
from itertools import count

import pytest
from pylsp_jsonrpc.endpoint import Endpoint
from pylsp_jsonrpc.exceptions import JsonRpcException
from pylsp_jsonrpc.streams import JsonRpcStreamReader, JsonRpcStreamWriter

from environment import DEADLINE


@pytest.fixture
def process(server):
    process = subprocess.Popen(server.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield process
    process.kill()
    process.wait()


def test_python_lsp_jsonrpc(process, stalling_server, booking):
    writer = JsonRpcStreamWriter(process.stdin)
    endpoint = Endpoint({}, writer.write, id_generator=map(str, count(1)).__next__)
    reader = JsonRpcStreamReader(process.stdout)
    listener = threading.Thread(target=reader.listen, args=[endpoint.consume], daemon=True)
    listener.start()

    def call(method, params=None):
        return endpoint.request(method, params).result(DEADLINE)

    call("initialize", {"capabilities": {}})
    endpoint.notify("initialized", {})
    assert call("salons/list")["total"] == 6
    booked = call("appointments/book", booking)
    (listed,) = call("appointments/list")["appointments"]
    assert listed["id"] == booked["appointment"]["id"]

    stalling_server.hold()
    stalled = endpoint.request("salons/list")
    assert stalling_server.reached.wait(DEADLINE)
    # After stalled.cancel(), the library would fail on the response and stop reading.
    endpoint.notify("$/cancelRequest", {"id": "5"})
    with pytest.raises(JsonRpcException) as cancelled:
        stalled.result(DEADLINE)
    assert cancelled.value.code == -32800
    assert stalling_server.closed.wait(DEADLINE)

    assert call("shutdown") is None
    endpoint.notify("exit")
    assert process.wait(DEADLINE) == 0
    listener.join(DEADLINE)
    assert not listener.is_alive()
    endpoint.shutdown()
