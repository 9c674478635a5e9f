"""HTTP requests as bytes, valid or not."""

import socket

from environment import DEADLINE


def exchange(port, request):
    """Sends bytes and the end of the stream, and returns everything that comes back."""
    with socket.create_connection(("127.0.0.1", port), DEADLINE) as connection:
        response = b""
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            while received := connection.recv(65_536):
                response += received
        except ConnectionError:
            # The proxy closed the connection before it read all bytes.
            pass
        return response
