"""Reads complete lists, page by page."""

from collections.abc import Awaitable, Callable
from urllib.parse import urljoin

from .http_client import Response


async def read_pages(
    path: str, member: str, get: Callable[[str], Awaitable[Response]]
) -> list[dict]:
    """All elements of a list. The pages name the next one in Link (RFC 8288)."""
    elements = []
    while path:
        response = await get(path)
        if response.status != 200:
            raise RuntimeError(f"{path}: {response.status} {response.body.decode()}")
        elements += response.json()[member]
        link = response.headers.get("link", "")
        path = urljoin(path, link[1 : link.index(">")]) if 'rel="next"' in link else None
    return elements
