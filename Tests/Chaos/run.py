#!/usr/bin/env python3
"""Kills instances and database servers under load, and checks that nothing confirmed is lost.

Run it with `make chaos`, which gives it a directory of PostgreSQL. See README.md."""

import argparse
import asyncio
import json
import os
import resource
import sys
import time
from contextlib import AsyncExitStack
from pathlib import Path

from chaos.appointment import Appointment
from chaos.backends import Instance, Proxy, free_ports
from chaos.check import check
from chaos.commands import run
from chaos.customer import Customer
from chaos.database import Pair
from chaos.faults import Faults
from chaos.follower import Follower
from chaos.ledger import Ledger
from chaos.lists import read_pages
from chaos.owner import Owner
from chaos.requester import Request, Requester
from chaos.salons import Places, salons
from chaos.subscriber import Subscriber
from chaos.tables import read_tables

INSTANCES = 3
SUBSCRIBERS = 2
MAXIMUM_SHOWN = 20


async def main(options: argparse.Namespace) -> list[str]:
    """Runs everything and returns the violations."""
    parent = Path(os.environ["NOVABLEND_POSTGRES"])
    async with AsyncExitStack() as stack:
        pair = Pair(parent)
        stack.push_async_callback(pair.stop)
        await pair.create()
        program = options.binaries.absolute() / "novablend-backend"
        await import_salons(program, pair, parent)
        port, *ports = free_ports(1 + INSTANCES)
        instances = [
            Instance(program, each, pair.url, parent / f"instance-{each}.log") for each in ports
        ]
        for instance in instances:
            stack.push_async_callback(instance.kill)
            await instance.start()
        proxy = Proxy(port, instances, parent)
        stack.push_async_callback(proxy.kill)
        await proxy.start()
        client = options.binaries.absolute() / "novablend"
        subscribers = [Subscriber(number, client, port, parent) for number in range(SUBSCRIBERS)]
        for subscriber in subscribers:
            stack.push_async_callback(subscriber.kill)
            await subscriber.start()
        return await put_under_load(options, pair, instances, proxy, subscribers)


async def import_salons(program: Path, pair: Pair, parent: Path):
    file = parent / "salons.json"
    file.write_text(json.dumps({"salons": salons()}))
    await run(program, "salons", "import", file, "--database", pair.url)


async def put_under_load(
    options: argparse.Namespace,
    pair: Pair,
    instances: list[Instance],
    proxy: Proxy,
    subscribers: list[Subscriber],
) -> list[str]:
    ledger = Ledger()
    requester = Requester(proxy.port, ledger)
    places = Places(salons(), int(time.time()))
    follower = Follower(options.seed, requester)
    faults = Faults(options.seed, pair, instances, ledger, options.clients)
    async with asyncio.TaskGroup() as followers:
        following = followers.create_task(follower.run())
        async with asyncio.TaskGroup() as customers:
            for number in range(options.clients):
                customer = Customer(number, options.seed, requester, ledger, places)
                customers.create_task(customer.run())
            owner = Owner(options.seed, requester, ledger, faults)
            customers.create_task(owner.run(salons()))
            await faults.inject(options.seconds)
            requester.stop()
        await follower.finish()
    listed = await list_appointments(requester)
    tables = await read_tables(pair.primary)
    copies = [await subscriber.wait_for(listed) for subscriber in subscribers]
    print_counts(ledger, len(tables.appointments), following.result())
    for subscriber in subscribers:
        print(f"  {subscriber.notifications:>8,} notifications of {subscriber.name}")
    return check(ledger, tables, salons(), listed, following.result(), copies)


async def list_appointments(requester: Requester) -> list[Appointment]:
    async def get(path: str):
        while not (response := await requester.send(Request("GET", path))):
            pass
        return response

    elements = await read_pages("/appointments", "appointments", get)
    return [Appointment.from_json(each) for each in elements]


def print_counts(ledger: Ledger, stored: int, followed: dict):
    for name, count in sorted(ledger.counts.items()):
        print(f"  {count:>8,} {name}")
    print(f"  {len(ledger.confirmed):>8,} confirmed bookings; {stored:,} are stored")
    print(f"  {len(ledger.changed):>8,} confirmed changes")
    print(f"  {len(ledger.rejected):>8,} final rejections")
    longest = max(ledger.salon_changes, default=0)
    count = len(ledger.salon_changes)
    print(f"  {count:>8,} changes of salons without a fault, which took up to {longest:.2f} s")
    print(f"  {len(followed):>8,} appointments in the copy of a follower")


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binaries", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--clients", type=int, default=300)
    return parser.parse_args()


if __name__ == "__main__":
    options = parse_options()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    print(f"seed {options.seed}, {options.clients} clients, {options.seconds:g} s", flush=True)
    violations = asyncio.run(main(options))
    for violation in violations[:MAXIMUM_SHOWN]:
        print(f"VIOLATION: {violation}")
    if violations:
        sys.exit(f"{len(violations)} violations")
    print("no violations")
