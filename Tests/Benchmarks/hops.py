"""Counts the functions of our modules that a call or a command enters in a debug build, and their files.

Every function of the running program gets a breakpoint, which is removed when it is hit. So each
function counts once. Closures and the parts of an asynchronous function count as the function that
contains them. Code that the compiler adds, such as thunks, does not count, nor does C, nor do the
modules that read and write values: CivilTime, Contract, and JSON.

Works on x86-64, with `readelf`, `llvm-symbolizer`, and `swift demangle`.
"""

import argparse
import ctypes
import datetime
import http.client
import json
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from pathlib import Path

SALON = "5a100000-0000-4000-8000-000000000001"
# Seconds to wait for a reply, and for the work of a call after its reply.
DEADLINE, REST = 60, 0.5

# These modules read and write values. A reader of a call need not follow them.
VALUES = ("CivilTime/", "Contract/", "JSON/")
# What is specific to salons. The other packages are libraries for any program.
PRODUCT = ("Domain/", "novablend/", "novablend-backend/")

GENERATED = re.compile(
    r"\b(thunk|forwarder|outlined|metadata accessor|protocol witness|witness table|merged|"
    r"unsafeMutableAddressor|__deallocating_deinit|default argument \d+ of|"
    r"variable initialization expression of|one-time initialization function for)\b"
)


class Tracer:
    """Records which functions of a program a process enters (`ptrace(2)`)."""

    _TRACEME, _CONT, _GETREGS, _SETREGS, _ATTACH, _SETOPTIONS = 0, 7, 12, 13, 16, 0x4200
    _TRACECLONE = 8
    WALL = 0x40000000
    # The size of `struct user_regs_struct` in words, and the index of `rip`.
    _REGISTERS, _RIP = 27, 16
    _libc = ctypes.CDLL(None, use_errno=True)
    _libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    _libc.ptrace.restype = ctypes.c_long

    def __init__(self, process, program, is_started=False):
        """Traces a running process, or one that `start_traced` has started."""
        self._process = process
        self._memory = open(f"/proc/{process}/mem", "r+b", buffering=0)
        self._code = {}
        self._entered = set()
        self.has_ended = False
        if is_started:
            self._wait_for(process)
            self._threads = {process}
        else:
            self._attach()
        self._base = mapped_at(process, program)
        for offset in functions(program):
            address = self._base + offset
            self._memory.seek(address)
            self._code[address] = self._memory.read(1)
            self._write(address, b"\xcc")
        for thread in self._threads:
            self._ptrace(self._CONT, thread)

    @classmethod
    def start_traced(cls):
        """Lets the parent trace this process, which stops when it starts a program."""
        cls._libc.ptrace(cls._TRACEME, 0, None, None)

    @property
    def entered(self):
        """The offsets of the functions in the program."""
        return [address - self._base for address in self._entered]

    def _attach(self):
        self._threads = set()
        while new := set(map(int, os.listdir(f"/proc/{self._process}/task"))) - self._threads:
            for thread in new:
                self._ptrace(self._ATTACH, thread)
                self._wait_for(thread)
            self._threads |= new

    def _wait_for(self, thread):
        os.waitpid(thread, self.WALL)
        self._ptrace(self._SETOPTIONS, thread, self._TRACECLONE)

    def step(self):
        """Handles one stop of a thread; false if no thread has stopped."""
        thread, status = os.waitpid(-1, self.WALL | os.WNOHANG)
        if thread == 0:
            return False
        self.has_ended = self.has_ended or thread == self._process and not os.WIFSTOPPED(status)
        if os.WIFSTOPPED(status):
            number = os.WSTOPSIG(status)
            if number == signal.SIGTRAP and status >> 16 == 0:
                self._enter(thread)
            # A new thread begins with SIGSTOP.
            passed = 0 if number in (signal.SIGTRAP, signal.SIGSTOP) else number
            self._ptrace(self._CONT, thread, passed)
        return True

    def _enter(self, thread):
        registers = (ctypes.c_ulonglong * self._REGISTERS)()
        self._ptrace(self._GETREGS, thread, ctypes.addressof(registers))
        address = registers[self._RIP] - 1
        self._write(address, self._code[address])
        registers[self._RIP] = address
        self._ptrace(self._SETREGS, thread, ctypes.addressof(registers))
        self._entered.add(address)

    def _write(self, address, byte):
        self._memory.seek(address)
        self._memory.write(byte)

    def _ptrace(self, request, thread, data=0):
        if self._libc.ptrace(request, thread, None, data) == -1:
            raise OSError(ctypes.get_errno(), f"ptrace request {request}")


class Program:
    """`novablend serve`, and the functions that its calls enter."""

    def __init__(self, path, url, directory):
        self._path = path
        environment = {"PATH": os.environ["PATH"], "HOME": directory}
        self._process = subprocess.Popen(
            [path, "serve", "--base-url", url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        self._received = b""
        self._call("initialize", {})
        # The program looks for bookings in doubt when it starts.
        time.sleep(REST)

    def close(self):
        end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def call(self, method, params):
        """Calls a method, and returns its result."""
        return self._call(method, params)

    def trace(self, method, params):
        """Calls a method, and returns the functions that the call enters. No call can follow."""
        tracer = Tracer(self._process.pid, self._path)
        self._call(method, params, while_waiting=tracer.step)
        follow(tracer)
        return tracer.entered

    def _call(self, method, params, while_waiting=lambda: False):
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        deadline = time.monotonic() + DEADLINE
        while b"\n" not in self._received:
            if time.monotonic() > deadline:
                raise TimeoutError(method)
            is_busy = while_waiting()
            if select.select([self._process.stdout], [], [], 0 if is_busy else 0.001)[0]:
                self._received += os.read(self._process.stdout.fileno(), 1 << 16)
        line, self._received = self._received.split(b"\n", 1)
        reply = json.loads(line)
        if "result" not in reply:
            raise RuntimeError(f"{method}: {reply}")
        return reply["result"]


def end(process):
    """Ends a process. It does not end until its tracer has waited for each of its threads."""
    process.kill()
    thread, status = 0, 0
    while thread != process.pid or not os.WIFSIGNALED(status):
        thread, status = os.waitpid(-1, Tracer.WALL)
    process.returncode = -signal.SIGKILL


def follow(tracer):
    """Records the work after a reply."""
    deadline = time.monotonic() + REST
    while time.monotonic() < deadline:
        tracer.step() or time.sleep(0.001)


def functions(program):
    """The offsets of all functions in the program."""
    listed = subprocess.check_output(["readelf", "-sW", program], text=True)
    symbols = [line.split() for line in listed.splitlines() if " FUNC " in line]
    return {int(fields[1], 16) for fields in symbols if fields[2] != "0"}


def mapped_at(process, program):
    """The address at which the program is in the memory of the process."""
    for line in Path(f"/proc/{process}/maps").read_text().splitlines():
        if line.endswith(str(program)):
            return int(line.split("-")[0], 16)
    raise RuntimeError(f"{program} is not in memory")


def described(program, offsets):
    """The files and names of those functions that someone wrote in this repository."""
    addresses = "\n".join(hex(offset) for offset in offsets)
    symbolizer = ["llvm-symbolizer", "--obj", program, "--output-style=JSON", "--no-demangle"]
    lines = run(symbolizer, addresses).splitlines()
    symbols = [symbol for line in lines for symbol in json.loads(line)["Symbol"][-1:]]
    mangled = "\n".join(symbol["FunctionName"] for symbol in symbols)
    names = run(["swift", "demangle", "--compact"], mangled).splitlines()
    found = set()
    for symbol, name in zip(symbols, names, strict=True):
        file = symbol["StartFileName"]
        is_ours = "/Sources/" in file and file.endswith(".swift") and symbol["StartLine"] > 0
        if is_ours and not GENERATED.search(name):
            file = file.split("/Packages/")[-1].split("/Tools/")[-1]
            found.add((file, containing_function(name)))
    return {entry for entry in found if not entry[0].startswith(VALUES)}


def containing_function(name):
    """The function that contains a closure, a local function, or a part of an asynchronous one."""
    name = re.sub(r" in _[0-9A-F]{32}|\(extension in \w+\):", "", name)
    name = re.sub(r"^\(\d+\) (await|suspend) resume partial function for ", "", name)
    return name.split(" in ")[-1].replace("__allocating_init", "init")


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


class Backend:
    """A running backend with a database in memory."""

    def __init__(self, programs):
        self._path = programs / "novablend-backend"
        self._process = subprocess.Popen(
            [self._path, "--port", "0", "--database", ":memory:", "--exit-with-input"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.url = self._process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        if self._process.returncode is None:
            end(self._process)

    def trace(self, path, body):
        """Sends a request, and returns the functions that the backend enters."""
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"))
        connection.request("GET", "/salons")
        connection.getresponse().read()
        time.sleep(REST)
        tracer = Tracer(self._process.pid, self._path)
        connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        while not select.select([connection.sock], [], [], 0)[0]:
            tracer.step() or time.sleep(0.001)
        follow(tracer)
        response = connection.getresponse()
        if response.status != 201:
            raise RuntimeError(f"{path}: {response.status} {response.read()}")
        return tracer.entered


def traced_command(path, words, home):
    """The functions that a command enters."""
    process = subprocess.Popen(
        [path, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        env={"PATH": os.environ["PATH"], "HOME": home, "TZ": "UTC"},
        preexec_fn=Tracer.start_traced,
    )
    tracer = Tracer(process.pid, path, is_started=True)
    while not tracer.has_ended:
        tracer.step() or time.sleep(0.001)
    process.returncode = 0
    return tracer.entered


def online(client, backend, home):
    with Program(client, backend.url, home) as program:
        return program.trace("salons/list", {})


def offline(client, backend, home):
    with Program(client, backend.url, home) as program:
        program.call("salons/list", {})
    backend.stop()
    with Program(client, backend.url, home) as program:
        return program.trace("salons/list", {})


def booking(client, backend, home):
    with Program(client, backend.url, home) as program:
        program.call("salons/list", {})
        return program.trace("appointments/book", request())


def slots(client, backend, home):
    return traced_command(client, ["slots", SALON, "--base-url", backend.url], home)


def request():
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    time = f"{tomorrow}T12:00:00Z"
    return {"salonId": SALON, "appointmentTime": time, "phone": "+49 30 1234567"}


CLIENT_WALKS = {
    "salons/list, online": online,
    "salons/list, offline, new process": offline,
    "a booking, client": booking,
    "novablend slots": slots,
}


def walks(programs):
    """What each walk enters: files and names."""
    for name, walk in CLIENT_WALKS.items():
        path = programs / "novablend"
        with Backend(programs) as backend, tempfile.TemporaryDirectory() as home:
            yield name, described(path, walk(path, backend, home))
    with Backend(programs) as backend:
        entered = backend.trace("/appointments", request())
    yield "a booking, backend", described(programs / "novablend-backend", entered)


def counts(entries):
    return f"{len(entries):>6}, {len({file for file, _ in entries}):>3}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=Path, help="the directory of both programs")
    parser.add_argument("--list", action="store_true", help="print the functions of each file")
    options = parser.parse_args()
    print(f"{'functions, files entered':<36} everything   product")
    for name, found in walks(options.programs.resolve()):
        product = {entry for entry in found if entry[0].startswith(PRODUCT)}
        print(f"{name:<36} {counts(found)}  {counts(product)}")
        if options.list:
            for file in sorted({file for file, _ in found}):
                print(f"  {file}")
                for _, function in sorted(entry for entry in found if entry[0] == file):
                    print(f"    {function}")


main()
