#!/usr/bin/env python3
"""Runs a program that speaks JSON-RPC with headers, with a fault in one method.

Usage: faulty_program.py unknown|deadly METHOD PROGRAM ARGUMENT...

unknown: the program does not know the method, like an old version.
deadly: the program ends when it gets the method, before it does anything.
"""

import json
import subprocess
import sys
import threading

LOCK = threading.Lock()


def read_message(stream):
    """The next message as bytes; None at the end."""
    length = 0
    while line := stream.readline().strip():
        name, value = line.split(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return stream.read(length) if length else None


def write_message(stream, message):
    stream.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
    stream.flush()


def forward(source, target):
    while message := read_message(source):
        with LOCK:
            write_message(target, message)


def main():
    fault, method, *command = sys.argv[1:]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    outputs = threading.Thread(target=forward, args=[program.stdout, sys.stdout.buffer])
    outputs.start()
    while message := read_message(sys.stdin.buffer):
        request = json.loads(message)
        if request.get("method") != method:
            write_message(program.stdin, message)
        elif fault == "deadly":
            program.kill()
            break
        else:
            error = {"code": -32601, "message": f"Method not found: {method}"}
            reply = {"jsonrpc": "2.0", "id": request["id"], "error": error}
            with LOCK:
                write_message(sys.stdout.buffer, json.dumps(reply).encode())
    program.stdin.close()
    outputs.join()
    sys.exit(program.wait())


main()
