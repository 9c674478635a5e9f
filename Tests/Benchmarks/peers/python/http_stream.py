"""Downloads a body in chunks, or uploads a file, with httpx.

Usage: http_stream.py download URL COUNT, or http_stream.py upload FILE URL COUNT
"""

import sys

import httpx


def download(client, url):
    with client.stream("GET", url) as response:
        response.raise_for_status()
        return sum(len(chunk) for chunk in response.iter_bytes())


def upload(client, file, url):
    with open(file, "rb") as body:
        client.put(url, content=body).raise_for_status()


operation, *arguments, count = sys.argv[1:]
with httpx.Client(trust_env=False, timeout=60) as client:
    for _ in range(int(count)):
        (download if operation == "download" else upload)(client, *arguments)
