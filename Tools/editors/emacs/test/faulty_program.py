#!/usr/bin/env python3
"""Runs a program that speaks JSON-RPC with headers, with a fault in one method.

Usage: faulty_program.py method|parameter|member|deadly|silent METHOD PROGRAM ARGUMENT...

method: the program gets a different method, which it does not know, as if it were too old.
parameter: it gets a parameter that it does not know, as if it were too old.
member: its parameter fields contains a name that it does not know, as if it were too old.
deadly: the program ends when it gets the method, before it does anything.
silent: it reads nothing from the method on, not even the end of its input, until there is a file whose name the
    environment variable NOVABLEND_TEST_RELEASE contains.
"""

import json
import os
import subprocess
import sys
import threading
import time


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
        write_message(target, message)


def main():
    fault, method, *command = sys.argv[1:]
    program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    outputs = threading.Thread(target=forward, args=[program.stdout, sys.stdout.buffer])
    outputs.start()
    while message := read_message(sys.stdin.buffer):
        request = json.loads(message)
        if request.get("method") == method:
            if fault == "deadly":
                program.kill()
                break
            if fault == "silent":
                while not os.path.exists(os.environ["NOVABLEND_TEST_RELEASE"]):
                    time.sleep(0.02)
            elif fault == "method":
                request["method"] += "New"
            elif fault == "member":
                request["params"]["fields"].append("newer")
            else:
                request["params"]["newer"] = True
        write_message(program.stdin, json.dumps(request).encode())
    program.stdin.close()
    outputs.join()
    sys.exit(program.wait())


main()
