"""Compares NovaBlend with the tools that people would use instead. See README.md."""

import argparse
import json
import os
import platform
import time
from pathlib import Path

from bench import (
    backend,
    components,
    growth,
    lists,
    live,
    postgres,
    report,
    rpc,
    scheduling,
)
from bench.measure import Comparison, run
from bench.payloads import body, salons
from bench.programs import Programs, file_server

# What can be measured alone.
ONLY = {
    "backend": backend,
    "live": live,
    "scheduling": scheduling,
    "growth": growth,
    "postgres": postgres,
}


def measure_all(programs: Programs, rounds: int) -> list[dict]:
    rows = []

    def measure(area: str, comparison: Comparison):
        rows.extend(row | {"area": area} for row in measure_one(comparison, rounds))

    for comparison in rpc.comparisons(programs):
        measure("program", comparison)
    count = programs.choose(100_000, 10_000)
    for comparison in lists.comparisons(programs):
        measure("lists", comparison)
    with file_server(programs, salons=salons(count, programs.scratch)) as server:
        measure("lists", lists.load_from_server(programs, count, server))
    with file_server(programs, salons=salons(6, programs.scratch)) as server:
        for concurrency in 1, 8, 64:
            measure("components", components.get_requests(programs, server, concurrency))
    size = programs.choose(256, 16)
    file = body(size << 20, programs.scratch)
    with file_server(programs, body=file, upload=Path(os.devnull)) as server:
        measure("components", components.download(programs, server, f"{size} MiB"))
        measure("components", components.upload(programs, server, f"{size} MiB", file))
    for size, name in (4 << 10, "4 KiB"), (16 << 20, "16 MiB"):
        measure("components", components.replace_file(programs, size, name))
    for area, module in ONLY.items():
        for comparison in module.comparisons(programs):
            measure(area, comparison)
    return rows


def measure_one(comparison: Comparison, rounds: int) -> list[dict]:
    try:
        rows = run(comparison, rounds)
    except RuntimeError as error:
        # The ratios of the comparison are missing from the results. check.py reports that.
        print(f"FAILED: {error}", flush=True)
        return []
    for row in rows:
        print(report.line(row), flush=True)
    return rows


def describe_machine() -> dict:
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
    parser.add_argument("--only", choices=ONLY, help="write no results")
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
    start = time.monotonic()
    rounds = options.rounds or programs.choose(9, 2)
    if options.only:
        for comparison in ONLY[options.only].comparisons(programs):
            measure_one(comparison, rounds)
        return
    results = {"machine": describe_machine(), "quick": options.quick, "rounds": rounds}
    results["rows"] = measure_all(programs, rounds)
    results["growth"] = lists.growth(programs)
    results["machine"]["load after"] = os.getloadavg()[0]
    results["seconds"] = round(time.monotonic() - start)
    (output / "results.json").write_text(json.dumps(results, indent=1))
    report.write(results, output)
    print(f"wrote {output}/results.md")


main()
