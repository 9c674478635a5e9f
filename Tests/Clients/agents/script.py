"""The calls of an agent that books. The script takes the place of a model.

These frameworks make a model fill in every property of a tool. The script therefore sends null, or
an empty string or list, for arguments that it does not need.
"""

import json
from datetime import UTC, datetime, timedelta

EMPTY = ["null", "empty"]
# A value of the right type, such as the default, but neither null nor a useful text.
TYPED = "typed"


class Script:
    """Each step takes the result of the previous call and returns the next call."""

    def __init__(self, empty):
        self._empty = empty
        self._calls = calls()
        self.is_done = False

    def next(self, schemas, result=None):
        """Returns the name of a tool and its arguments, or None at the end."""
        if isinstance(result, str):
            result = json.loads(result)
        try:
            name, arguments = self._calls.send(result)
        except StopIteration:
            self.is_done = True
            return None
        properties = schemas[name]["properties"]
        filler = {key: self._filler(schema) for key, schema in properties.items()}
        assert arguments.keys() <= filler.keys(), name
        return name, filler | arguments

    def _filler(self, schema):
        if self._empty == "null":
            return None
        if self._empty == TYPED:
            values = {"string": "", "array": [], "boolean": False, "object": {}}
            return values.get(schema["type"], schema.get("default", schema.get("minimum", 0)))
        parts = [schema, *schema.get("anyOf", [])]
        types = {name for part in parts for name in as_list(part.get("type", []))}
        return "" if "string" in types and "enum" not in schema else [] if "array" in types else None


def as_list(value):
    return value if isinstance(value, list) else [value]


def calls():
    salons = yield "salons_list", {"query": "Atelier Nova"}
    (salon,) = salons["salons"]
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    query = {"salonId": salon["id"], "start": tomorrow, "end": tomorrow, "onlyFree": True}
    availability = yield "salons_availability", query
    (day,) = availability["days"]
    time = f"{day['date']}T{day['free'][0]}"
    book = {"salonId": salon["id"], "appointmentTime": time, "phone": "+33 6 55501234"}
    booked = yield "appointments_book", book
    appointments = yield "appointments_list", {}
    (appointment,) = appointments["appointments"]
    assert appointment["id"] == booked["appointment"]["id"]
