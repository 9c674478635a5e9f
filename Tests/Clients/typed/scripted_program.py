#!/usr/bin/env python3
"""Plays `novablend serve` with answers from a script, for what the program itself does rarely or never.

Usage: scripted_program.py serve FOLDER

FOLDER/script.json has a list of answers for each method; the last one is repeated, also after the program was
started again. An answer has the result or the error of a response. These members change when it is sent:

- "late": the response comes with that to the next request,
- "notify": before it, there is a notification about a resource,
- "exit": the program ends, after the response if there is one.

Without a result or an error, there is no response.

FOLDER/requests has a line for each request, and FOLDER/starts one for each start. The pipe FOLDER/events gets
the method of each request."""

import json
import sys
from pathlib import Path

FOLDER = Path(sys.argv[2])
REQUESTS = FOLDER / "requests"


def main():
    sys.stdout.reconfigure(encoding="utf-8")
    script = json.loads((FOLDER / "script.json").read_text())
    with (FOLDER / "starts").open("a") as starts:
        starts.write("start\n")
    late = []
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        earlier = sum(each["method"] == request["method"] for each in recorded())
        with REQUESTS.open("a") as requests:
            requests.write(line)
        with (FOLDER / "events").open("w") as events:
            events.write(f"{request['method']}\n")
        answers = script.get(request["method"], [{"result": {}}])
        answer = answers[min(earlier, len(answers) - 1)]
        for each in late:
            respond(*each)
        late.clear()
        if "notify" in answer:
            notification = {"method": "resource/didChange", "params": answer["notify"]}
            print(json.dumps({"jsonrpc": "2.0"} | notification), flush=True)
        if answer.get("late"):
            late.append((request, answer))
        elif "result" in answer or "error" in answer:
            respond(request, answer)
        if answer.get("exit"):
            return


def recorded():
    return map(json.loads, REQUESTS.read_text().splitlines() if REQUESTS.exists() else [])


def respond(request, answer):
    """Sends an answer, in which KEY is the idempotency key of the request."""
    members = {name: answer[name] for name in ("result", "error") if name in answer}
    text = json.dumps({"jsonrpc": "2.0", "id": request["id"]} | members, ensure_ascii=False)
    print(text.replace("KEY", str(request["params"].get("idempotencyKey"))), flush=True)


main()
