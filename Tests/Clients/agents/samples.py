"""The salons that a backend starts with, and appointments there."""

SCHERENSCHNITT, NOVA, FRINGE, SOL, OWL, AETHER = (
    f"5a100000-0000-4000-8000-00000000000{n}" for n in range(1, 7)
)
PHONE = "+33 6 55501234"


def visit(salon, time, phone=PHONE, **others):
    """The arguments of a booking or a hold."""
    return {"salonId": salon, "appointmentTime": time, "phone": phone} | others
