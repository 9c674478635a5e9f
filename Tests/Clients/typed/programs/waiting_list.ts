// Does the same as waiting_list.py.

import { NovaBlend, SlotUnavailableError } from "./novablend.ts";

const [salonId = "", time = "", serviceId = "", phone = "", ...args] = process.argv.slice(2);
const appointmentTime = new Date(time);
const client = new NovaBlend(args);

async function isBooked(): Promise<boolean> {
  try {
    const { appointment } = await client.appointmentsBook({ salonId, appointmentTime, phone, serviceId });
    console.log(`Booked ${appointment.weekday} ${appointment.start.text.slice(11, 16)} for ${appointment.phone}.`);
    return true;
  } catch (error) {
    if (!(error instanceof SlotUnavailableError)) throw error;
    const others = error.alternatives.map((other) => other.text.slice(11, 16)).join(", ");
    console.log(`Taken; others are ${others || "not known"}.`);
    return false;
  }
}

try {
  const events = await client.changes("appointments");
  if (!(await isBooked())) {
    for await (const event of events) {
      if ("offline" in event) {
        console.log(event.since ? `No server since ${event.since.toISOString()}.` : "The server is back.");
      } else if (event.changed.length > 0 || event.deleted.length > 0 || event.all) {
        if (await isBooked()) break;
      }
    }
  }
} finally {
  await client.close();
}
