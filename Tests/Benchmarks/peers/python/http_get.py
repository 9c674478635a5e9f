"""Sends concurrent keep-alive GET requests.

Usage: http_get.py httpx|pycurl URL CONCURRENCY COUNT
"""

import asyncio
import io
import json
import sys
import time

import httpx
import pycurl


def with_pycurl(url, concurrency, count):
    multi = pycurl.CurlMulti()
    handles = []
    for _ in range(concurrency):
        handle = pycurl.Curl()
        handle.setopt(pycurl.URL, url)
        handle.setopt(pycurl.PROXY, "")
        handles.append(handle)

    def get(count):
        started, done = concurrency, 0
        for handle in handles:
            start_request(handle)
        while done < count:
            multi.perform()
            _, finished, failed = multi.info_read()
            assert not failed, failed
            for handle in finished:
                assert handle.getinfo(pycurl.RESPONSE_CODE) == 200
                multi.remove_handle(handle)
                done += 1
                if started < count:
                    start_request(handle)
                    started += 1
            if done < count:
                multi.select(1.0)

    def start_request(handle):
        handle.setopt(pycurl.WRITEDATA, io.BytesIO())
        multi.add_handle(handle)

    get(concurrency)
    measure(count, lambda: get(count))


async def with_httpx(url, concurrency, count):
    limits = httpx.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as client:

        async def get(count):
            for _ in range(count):
                response = await client.get(url)
                assert response.status_code == 200

        async def get_all(count):
            await asyncio.gather(*(get(count // concurrency) for _ in range(concurrency)))

        await get_all(concurrency)
        start, cpu_start = time.perf_counter(), time.process_time()
        await get_all(count)
        report(count // concurrency * concurrency, start, cpu_start)


def measure(count, work):
    start, cpu_start = time.perf_counter(), time.process_time()
    work()
    report(count, start, cpu_start)


def report(count, start, cpu_start):
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu_start
    print(json.dumps({"rate": count / seconds, "cpu": cpu / count}))


library, url, concurrency, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
if library == "pycurl":
    with_pycurl(url, concurrency, count)
else:
    asyncio.run(with_httpx(url, concurrency, count))
