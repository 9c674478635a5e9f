"""Measures NovaBlend and what one would take instead, side by side. See README.md."""

import argparse
import json
import os
import platform
import time
from pathlib import Path

from bench import lists, parts, report, rpc
from bench.measure import run
from bench.payloads import salons
from bench.programs import Programs, file_server


def all_rows(programs: Programs, rounds: int) -> list[dict]:
    rows = []

    def measured(work):
        for row in run(work, rounds):
            rows.append(row)
            print(report.line(row), flush=True)

    for work in rpc.works(programs):
        measured(work)
    many = programs.choose(100_000, 10_000)
    for work in lists.works(programs):
        measured(work)
    with file_server(programs, salons=salons(many, programs.scratch)) as server:
        measured(lists.loading(programs, many, server))
    with file_server(programs, salons=salons(6, programs.scratch)) as server:
        for at_once in 1, 8, 64:
            measured(parts.getting(programs, server, at_once))
    for size, name in (4 << 10, "4 KiB"), (16 << 20, "16 MiB"):
        measured(parts.replacing(programs, size, name))
    measured(parts.serving(programs))
    return rows


def machine() -> dict:
    models = [
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "Linux": platform.release().split("-")[0],
        "load before": os.getloadavg()[0],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binaries", type=Path, required=True)
    parser.add_argument("--built", type=Path, required=True)
    parser.add_argument("--swift", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args()
    output = options.output.absolute()
    scratch = output / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    programs = Programs(
        binaries=options.binaries.absolute(),
        built=options.built.absolute(),
        swift=options.swift.absolute(),
        python=options.python.absolute(),
        scratch=scratch,
        quick=options.quick,
    )
    began = time.monotonic()
    rounds = options.rounds or programs.choose(9, 2)
    results = {"machine": machine(), "quick": options.quick, "rounds": rounds}
    results["rows"] = all_rows(programs, rounds)
    results["growth"] = lists.growth(programs)
    results["machine"]["load after"] = os.getloadavg()[0]
    results["seconds"] = round(time.monotonic() - began)
    (output / "results.json").write_text(json.dumps(results, indent=1))
    report.write(results, output)
    print(f"wrote {output}/results.md")


main()
