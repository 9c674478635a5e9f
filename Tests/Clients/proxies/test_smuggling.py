"""Requests whose end is ambiguous never become two requests.

The proxy rejects requests whose query has `smuggled`. Each ambiguous request contains such a
request. If proxy and backend disagree on where the first one ends, the backend gets the second one,
and books.
"""

import json
import urllib.request
from urllib.parse import urlsplit

from http_bytes import exchange


def inner(booking):
    body = json.dumps(booking).encode()
    return (
        b"POST /appointments?smuggled=1 HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body)
    )


def outer(*fields, line=b"POST /appointments HTTP/1.1", end=b"\r\n"):
    return end.join([line, b"Host: localhost", *fields, b"", b""])


def with_lengths(first, second):
    """The request after a request with two lengths, where `%d` is its own length."""

    def ambiguous(rest):
        fields = [first, second]
        return outer(*(f % len(rest) if b"%d" in f else f for f in fields)) + rest

    return ambiguous


def with_fields(*fields, line=b"POST /appointments HTTP/1.1"):
    """The request after the end of a chunked request, if the fields mean that it is chunked."""

    def ambiguous(rest):
        body = b"0\r\n\r\n" + rest
        return outer(*(f % len(body) if b"%d" in f else f for f in fields), line=line) + body

    return ambiguous


def in_chunk(*fields, size=b"%x", end=b"\r\n"):
    """The request in a chunk, after a length that only covers the chunk's size."""

    def ambiguous(rest):
        first = (size % len(rest) if b"%" in size else size) + end
        length = b"Content-Length: %d" % len(first)
        return outer(length, *fields) + first + rest + b"\r\n0\r\n\r\n"

    return ambiguous


def as_body(line, *fields):
    """The request as the body of a different one."""

    def ambiguous(rest):
        return outer(*fields, b"Content-Length: %d" % len(rest), line=line) + rest

    return ambiguous


CHUNKED = b"Transfer-Encoding: chunked"
LENGTH = b"Content-Length: %d"
AMBIGUOUS = {
    "zero length, then a length": with_lengths(b"Content-Length: 0", LENGTH),
    "a length, then zero": with_lengths(LENGTH, b"Content-Length: 0"),
    "two lengths in one field": with_lengths(b"Content-Length: 0, %d", b"X: 1"),
    "a length with a plus": with_lengths(b"Content-Length: +%d", b"X: 1"),
    "a negative length": with_lengths(b"Content-Length: -%d", b"X: 1"),
    "a hexadecimal length": with_lengths(b"Content-Length: 0x%d", b"X: 1"),
    "a length with an underscore": with_lengths(b"Content-Length: 0_%d", b"X: 1"),
    "an empty length": with_lengths(b"Content-Length:", LENGTH),
    "a length larger than 64 bits": with_lengths(b"Content-Length: 18446744073709551616", b"X: 1"),
    "a space before the colon of a length": with_lengths(b"Content-Length : %d", b"X: 1"),
    "a length in a folded field": with_lengths(b"X: 1\r\n Content-Length: %d", b"Y: 1"),
    "a length after a bare line feed": with_lengths(b"X: 1\nContent-Length: %d", b"Y: 1"),
    "a length after a bare carriage return": with_lengths(b"X: 1\rContent-Length: %d", b"Y: 1"),
    "a length after NUL": with_lengths(b"X: 1\0Content-Length: %d", b"Y: 1"),
    "a length and chunks": with_fields(LENGTH, CHUNKED),
    "chunks and a length": with_fields(CHUNKED, LENGTH),
    "chunks without a length": with_fields(CHUNKED),
    "a space before the colon of an encoding": with_fields(LENGTH, b"Transfer-Encoding : chunked"),
    "a folded encoding": with_fields(LENGTH, b"Transfer-Encoding:\r\n chunked"),
    "an encoding after a space": with_fields(LENGTH, b" Transfer-Encoding: chunked"),
    "an encoding after a tab": with_fields(LENGTH, b"Transfer-Encoding:\tchunked"),
    "an encoding after a vertical tab": with_fields(LENGTH, b"Transfer-Encoding: \x0bchunked"),
    "an encoding before a bare carriage return": with_fields(LENGTH, CHUNKED + b"\r"),
    "an encoding after a bare line feed": with_fields(LENGTH, b"X: 1\n" + CHUNKED),
    "an unknown encoding": with_fields(LENGTH, b"Transfer-Encoding: xchunked"),
    "a quoted encoding": with_fields(LENGTH, b'Transfer-Encoding: "chunked"'),
    "an uppercase encoding": with_fields(LENGTH, b"TRANSFER-ENCODING: CHUNKED"),
    "identity, then chunked": with_fields(LENGTH, b"Transfer-Encoding: identity, chunked"),
    "chunked, then identity": with_fields(LENGTH, b"Transfer-Encoding: chunked, identity"),
    "chunked twice": with_fields(LENGTH, b"Transfer-Encoding: chunked, chunked"),
    "two encodings": with_fields(LENGTH, CHUNKED, b"Transfer-Encoding: identity"),
    "an encoding with an underscore": with_fields(LENGTH, b"Transfer_Encoding: chunked"),
    "chunks in HTTP/1.0": with_fields(LENGTH, CHUNKED, line=b"POST /appointments HTTP/1.0"),
    "chunks of a GET": with_fields(LENGTH, CHUNKED, line=b"GET /salons HTTP/1.1"),
    "a chunk with a length": in_chunk(CHUNKED),
    "a chunk with an unknown encoding": in_chunk(b"Transfer-Encoding: xchunked"),
    "a chunk with a space before the colon": in_chunk(b"Transfer-Encoding : chunked"),
    "a chunk size with a prefix": in_chunk(CHUNKED, size=b"0x%x"),
    "a chunk size with a plus": in_chunk(CHUNKED, size=b"+%x"),
    "a negative chunk size": in_chunk(CHUNKED, size=b"-%x"),
    "a chunk size larger than 64 bits": in_chunk(CHUNKED, size=b"10000000000000000"),
    "a chunk size before a bare line feed": in_chunk(CHUNKED, end=b"\n"),
    "a chunk extension with a bare line feed": in_chunk(CHUNKED, size=b"%x;a\nb"),
    "a chunk extension with a bare carriage return": in_chunk(CHUNKED, size=b"%x;a\rb"),
    "the body of a GET": as_body(b"GET /salons HTTP/1.1"),
    "the body of a HEAD": as_body(b"HEAD /salons HTTP/1.1"),
    "the body of a DELETE": as_body(b"DELETE /idempotency-keys/a HTTP/1.1"),
    "the body of an OPTIONS": as_body(b"OPTIONS /salons HTTP/1.1"),
    "the body of a request that expects 100": as_body(
        b"POST /appointments HTTP/1.1", b"Expect: 100-continue"
    ),
    "the body of a request that expects more": as_body(
        b"POST /appointments HTTP/1.1", b"Expect: y 100-continue"
    ),
    "the body of an upgrade": as_body(
        b"GET /salons HTTP/1.1", b"Connection: Upgrade", b"Upgrade: websocket"
    ),
    "the body of an upgrade to HTTP/2": as_body(
        b"GET /salons HTTP/1.1",
        b"Connection: Upgrade, HTTP2-Settings",
        b"Upgrade: h2c",
        b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    ),
    "the body of a length that the connection drops": as_body(
        b"POST /appointments HTTP/1.1", b"Connection: close, Content-Length"
    ),
    "a line break in the path": as_body(b"GET /salons%0d%0aContent-Length:%200%0d%0aX: HTTP/1.1"),
    "an absolute URL": as_body(b"GET http://other.example/salons HTTP/1.1"),
    "two hosts": as_body(b"POST /appointments HTTP/1.1", b"Host: other.example"),
}


def test_an_ambiguous_request_is_at_most_one_request(start, backend, booking, stored):
    proxy = start(backend, "guards")
    for name, ambiguous in AMBIGUOUS.items():
        exchange(proxy.port, ambiguous(inner(booking)))
        # The next client may get a connection to the backend on which bytes were left.
        with urllib.request.urlopen(f"{proxy.url}/appointments") as response:
            assert json.load(response)["appointments"] == [], name
        assert stored() == [], name


def test_the_same_request_books_without_a_proxy_and_is_rejected_with_one(
    start, backend, booking, stored
):
    proxy = start(backend, "guards")
    request = inner(booking).replace(b"Host:", b"Connection: close\r\nHost:", 1)
    assert exchange(proxy.port, request).startswith(b"HTTP/1.1 403")
    assert stored() == []
    assert exchange(urlsplit(backend).port, request).startswith(b"HTTP/1.1 201")
    assert len(stored()) == 1
