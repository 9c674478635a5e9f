"""Keep-alive GETs, some at once: httpx|pycurl URL AT_ONCE COUNT."""

import asyncio
import io
import json
import sys
import time

import httpx
import pycurl


def with_pycurl(url, at_once, count):
    multi = pycurl.CurlMulti()
    handles = []
    for _ in range(at_once):
        handle = pycurl.Curl()
        handle.setopt(pycurl.URL, url)
        handle.setopt(pycurl.PROXY, "")
        handles.append(handle)

    def get(count):
        started, done = at_once, 0
        for handle in handles:
            begin(handle)
        while done < count:
            multi.perform()
            _, finished, failed = multi.info_read()
            assert not failed, failed
            for handle in finished:
                assert handle.getinfo(pycurl.RESPONSE_CODE) == 200
                multi.remove_handle(handle)
                done += 1
                if started < count:
                    begin(handle)
                    started += 1
            if done < count:
                multi.select(1.0)

    def begin(handle):
        handle.setopt(pycurl.WRITEDATA, io.BytesIO())
        multi.add_handle(handle)

    get(at_once)
    measure(count, lambda: get(count))


async def with_httpx(url, at_once, count):
    limits = httpx.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with httpx.AsyncClient(limits=limits, trust_env=False) as client:

        async def get(count):
            for _ in range(count):
                response = await client.get(url)
                assert response.status_code == 200

        async def all_of(count):
            await asyncio.gather(*(get(count // at_once) for _ in range(at_once)))

        await all_of(at_once)
        began, used = time.perf_counter(), time.process_time()
        await all_of(count)
        report(count // at_once * at_once, began, used)


def measure(count, work):
    began, used = time.perf_counter(), time.process_time()
    work()
    report(count, began, used)


def report(count, began, used):
    seconds, cpu = time.perf_counter() - began, time.process_time() - used
    print(json.dumps({"rate": count / seconds, "cpu": cpu / count}))


library, url, at_once, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
if library == "pycurl":
    with_pycurl(url, at_once, count)
else:
    asyncio.run(with_httpx(url, at_once, count))
