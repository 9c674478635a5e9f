"""Repeats requests until their outcome is certain."""

import asyncio
import json
import random
from dataclasses import dataclass, field

from .http_client import Response, exchange
from .ledger import Ledger

# Seconds after the end of the load in which every outcome must become certain.
GRACE_PERIOD = 90


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: dict | None = None
    key: str | None = None
    salon: str | None = None
    """The salon in which the key can be voided."""
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def all_headers(self) -> dict[str, str]:
        return self.headers | ({"Idempotency-Key": self.key} if self.key else {})


class Requester:
    """Sends requests to the proxy as a careful client does.

    An attempt without an answer, or with a 5xx, may have had an effect. A rejection after such an
    attempt is not final until the key has been voided."""

    def __init__(self, port: int, ledger: Ledger):
        self._port = port
        self._ledger = ledger
        self._end: float | None = None

    def stop(self):
        """Ends the load. The requests in progress have some time left."""
        self._end = asyncio.get_running_loop().time() + GRACE_PERIOD

    @property
    def is_stopping(self) -> bool:
        return self._end is not None

    @property
    def _is_over(self) -> bool:
        return self._end is not None and asyncio.get_running_loop().time() > self._end

    async def send(self, request: Request) -> Response | None:
        """Sends a request once."""
        response = await exchange(
            self._port, request.method, request.path, request.body, request.all_headers
        )
        kind = f"{request.method} {request.path.split('/')[1].partition('?')[0]}"
        answer = "no answer" if response is None else f"{response.status} {response.error}"
        self._ledger.counts[f"{kind}: {answer.strip()}"] += 1
        return response

    async def perform(
        self, request: Request, generator: random.Random, is_doubled: bool = False
    ) -> Response | None:
        """Sends a request until its outcome is certain, and returns a success or a final rejection.
        None if the outcome is still uncertain at the end. With `is_doubled`, the request is sent
        twice at the same time."""
        is_doubtful = False
        while not self._is_over:
            attempts = [self.send(request) for _ in range(1 + is_doubled)]
            responses = await asyncio.gather(*attempts)
            successes = [each for each in responses if each and each.is_success]
            if successes:
                self._compare(request, successes)
                return successes[0]
            if all(each and each.is_rejection for each in responses):
                return await self._finish(request, responses[0], generator, is_doubtful)
            is_doubtful = True
            await pause(generator)
        return None

    async def _finish(
        self,
        request: Request,
        rejection: Response,
        generator: random.Random,
        is_doubtful: bool,
    ) -> Response | None:
        if not is_doubtful or request.key is None:
            return rejection
        if request.salon is None:
            return None
        path = f"/idempotency-keys/{request.key}?salonId={request.salon}"
        void = Request("DELETE", path)
        while not self._is_over:
            response = await self.send(void)
            if response and response.status == 204:
                return rejection
            if response and response.status == 409:
                return Response(200, response.headers, _appointment(response))
            await pause(generator)
        return None

    def _compare(self, request: Request, successes: list[Response]):
        if len({each.body for each in successes}) > 1:
            bodies = " and ".join(each.body.decode() for each in successes)
            self._ledger.problems.append(f"{request.key} has different results: {bodies}")


async def pause(generator: random.Random):
    """The pause of a client before it repeats a request."""
    await asyncio.sleep(generator.uniform(0.05, 0.5))


def _appointment(response: Response) -> bytes:
    """The appointment in an answer that says that a key was used."""
    return json.dumps(response.json()["appointment"]).encode()
