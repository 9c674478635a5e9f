"""Runs nginx, haproxy, or varnish in front of a backend.

A line of a configuration that ends with `#: NAMES` is used only with one of these features:

caches: stores responses for an hour, salons regardless of their Cache-Control; ignores queries
ignores-no-store: stores all lists for an hour, even if they must not be stored; ignores queries
forwards: replaces Host, and tells the backend in X-Forwarded-* what the client used
gives-up: waits one second for a response
guards: rejects requests whose query has `smuggled`
prefix: serves the backend below a path
repeats: sends a request again, even a POST, if the response is lost
tls: serves HTTPS
"""

import os
import shutil
import signal
import socket
import string
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

from environment import DEADLINE

KINDS = ["nginx", "haproxy", "varnish"]
PREFIX = "/salon-api"

CONFIGURATIONS = {"nginx": "nginx.conf", "haproxy": "haproxy.cfg", "varnish": "varnish.vcl"}
COMMANDS = {
    "nginx": "nginx -p {directory} -c {configuration} -e {directory}/error.log",
    "haproxy": "haproxy -db -f {configuration}",
    "varnish": "varnishd -F -j none -n {directory}/work -a 127.0.0.1:{port} -f {configuration}"
    " -T none -s malloc,4m -p thread_pools=1 -p thread_pool_min=10 -p thread_pool_max=50",
}


class Template(string.Template):
    delimiter = "@"


class Proxy:
    """A proxy that listens on a port of its own until it is stopped."""

    def __init__(self, kind, backend, directory, *features, port=None, certificate=None):
        directory.mkdir()
        self._directory = directory
        self.port = port or free_port()
        prefix = PREFIX if "prefix" in features else ""
        self.url = f"{'https' if 'tls' in features else 'http'}://127.0.0.1:{self.port}{prefix}"
        configuration = directory / CONFIGURATIONS[kind]
        text = selected(Path(__file__).with_name(configuration.name).read_text(), features)
        configuration.write_text(
            Template(text).substitute(
                backend=urlsplit(backend).netloc,
                backend_host=urlsplit(backend).hostname,
                backend_port=urlsplit(backend).port,
                certificate=certificate,
                directory=directory,
                host="localhost" if "forwards" in features else "$http_host",
                port=self.port,
                prefix=prefix,
                ssl=ssl_options(kind, certificate) if "tls" in features else "",
                timeout="1s" if "gives-up" in features else "30s",
            )
        )
        command = COMMANDS[kind].format(
            configuration=configuration, directory=directory, port=self.port
        )
        self._command = command.split()
        self.start()

    def start(self):
        log = self._directory / "log"
        with log.open("a") as file:
            self._process = subprocess.Popen(
                self._command, stdout=file, stderr=file, start_new_session=True
            )
        end = time.monotonic() + DEADLINE
        while not self._accepts_connections():
            assert self._process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.02)

    def kill(self):
        """Kills all processes of the proxy. varnish has two."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait(DEADLINE)
        while self._accepts_connections():
            time.sleep(0.02)

    def forget(self):
        """Restarts the proxy with an empty cache."""
        self.kill()
        shutil.rmtree(self._directory / "cache", ignore_errors=True)
        self.start()

    def _accepts_connections(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), DEADLINE).close()
            return True
        except ConnectionError:
            return False


def selected(text, features):
    """The lines of a configuration that are used with these features."""
    lines = [line.partition("#:") for line in text.splitlines()]
    return "".join(
        f"{line}\n"
        for line, _, names in lines
        if not names or not set(features).isdisjoint(names.replace(",", "").split())
    )


def ssl_options(kind, certificate):
    return "ssl" if kind == "nginx" else f"ssl crt {certificate}"


def free_port():
    """A port that the kernel assigns to no other process for a minute.

    A closed connection remains on the port. Programs can still listen on it, because they set
    SO_REUSEADDR."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        with socket.create_connection(server.getsockname()):
            connection, _ = server.accept()
            connection.close()
        return server.getsockname()[1]
