"""One HTTP/1.1 request on a connection of its own."""

import asyncio
import json
from dataclasses import dataclass

# Longer than any limit of the backend, so that its answer is seen.
TIMEOUT = 40


@dataclass(frozen=True)
class Response:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300

    @property
    def is_rejection(self) -> bool:
        """Whether the server says that it has not done what it was asked for."""
        return 400 <= self.status < 500

    @property
    def error(self) -> str:
        """The `error` member of the body; empty if it has no such member."""
        try:
            return self.json().get("error", "")
        except ValueError:
            return ""


async def exchange(
    port: int, method: str, path: str, body: dict | None, headers: dict[str, str]
) -> Response | None:
    """Sends a request. Returns None unless a complete response arrives in time."""
    try:
        async with asyncio.timeout(TIMEOUT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(encode(method, path, body, headers))
                return decode(await reader.read())
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return None


def encode(method: str, path: str, body: dict | None, headers: dict[str, str]) -> bytes:
    content = b"" if body is None else json.dumps(body).encode()
    fields = {"Host": "localhost", "Connection": "close"} | headers
    if body is not None:
        fields |= {"Content-Type": "application/json", "Content-Length": str(len(content))}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode() + content


def decode(received: bytes) -> Response | None:
    """A response; None if it is incomplete."""
    head, separator, body = received.partition(b"\r\n\r\n")
    if not separator:
        return None
    status_line, *lines = head.decode("latin-1").split("\r\n")
    fields = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in fields}
    if len(body) != int(headers.get("content-length", 0)):
        return None
    return Response(int(status_line.split()[1]), headers, body)
