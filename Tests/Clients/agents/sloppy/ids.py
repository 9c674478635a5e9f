"""Salons, services, staff, appointments, holds, and keys."""

from expectations import works
from samples import AETHER, NOVA, OWL, SOL, visit
from sloppy.call import (
    AVAILABILITY,
    BOOK,
    BOOKED,
    CANCELLED,
    HOLD,
    NOWHERE,
    OTHER_ATELIER,
    days,
    either,
    fails,
    succeeds,
)

CALLS = [
    either("a typo in a query", "salons_list", {"query": "Atelir Nova"}, "Atelier Nova"),
    either("a typo in one word of a name", "salons_list", {"query": "Atelir"}, "Atelier Nova"),
    either(
        "an extra letter in a query", "salons_list", {"query": "Night Owls"}, "Night Owl Barbers"
    ),
    either(
        "a query that finds nothing",
        "salons_list",
        {"query": "Vidal"},
        "Atelier Nova|without.{1,20}query",
    ),
    fails("a typo in a name", "salons_get", {"id": "Atelir Nova"}, "Atelier Nova"),
    succeeds(
        "a name in lowercase", BOOK, visit("night owl barbers", "{day}T20:00"), "Night Owl Barbers"
    ),
    fails(
        "a name of two salons",
        AVAILABILITY,
        days("Atelier", "{day}", "{day}"),
        NOVA,
        NOWHERE,
        before=(OTHER_ATELIER,),
    ),
    fails("an id of no salon", AVAILABILITY, days(NOWHERE, "{day}", "{day}"), "salons_list"),
    fails("a name of no salon", BOOK, visit("Toni & Guy", "{day}T11:30"), "salons_list"),
    fails(
        "a service that no one has",
        BOOK,
        visit(SOL, "{day}T11:00", serviceId="massage"),
        r"\bcut\b",
        r"\bcolor\b",
        r"\bstyle\b",
    ),
    either(
        "the name of a service", BOOK, visit(SOL, "{day}T11:00", serviceId="Updo"), r"\bstyle\b"
    ),
    either(
        "the name of a person",
        BOOK,
        visit(SOL, "{day}T11:00", serviceId="cut", staffId="Ana"),
        r"\bana\b",
    ),
    fails(
        "a service where a salon has none",
        BOOK,
        visit(OWL, "{day}T20:00", serviceId="cut"),
        "no services",
        "serviceId",
    ),
    fails(
        "a misspelled person",
        HOLD,
        visit(SOL, "{day}T11:00", serviceId="cut", staffId="anna"),
        r"\bana\b",
    ),
    fails(
        "a person who does not offer the service",
        BOOK,
        visit(SOL, "{day}T17:00", serviceId="color", staffId="bruno"),
        r"\bana\b",
        r"\bcarmen\b",
        r"\bcut\b",
    ),
    fails(
        "a person who does not work then",
        BOOK,
        visit(SOL, "{monday}T11:00", serviceId="cut", staffId="bruno"),
        "Bruno|bruno",
        works("appointmentTime"),
    ),
    fails("an id of no appointment", "appointments_cancel", {"id": NOWHERE}, "appointments_list"),
    either(
        "cancelled twice",
        "appointments_cancel",
        {"id": "{id}"},
        "already cancelled|was cancelled",
        before=(BOOKED, CANCELLED),
    ),
    fails(
        "a wrong version",
        "appointments_cancel",
        {"id": "{id}", "version": 7},
        r"version.{1,30}\b1\b",
        before=(BOOKED,),
    ),
    fails("an id of no hold", "appointments_release", {"holdId": NOWHERE}, HOLD),
    fails(
        "the key of a different booking",
        BOOK,
        visit(AETHER, "{day}T09:45", idempotencyKey="{key}"),
        "{key}",
        r"\b(new|different|another|own) (one|key|idempotencyKey)",
        before=(BOOKED,),
    ),
    fails(
        "a wrong key to discard",
        "appointments_resolve",
        {"discard": "key-1"},
        "discard",
        r"\b(no|none|nothing)\b.{1,30}in doubt|in doubt.{1,10}none",
    ),
    fails(
        "a wrong key while one is in doubt",
        "appointments_resolve",
        {"discard": "key-1"},
        "{key}",
        is_in_doubt=True,
    ),
]
