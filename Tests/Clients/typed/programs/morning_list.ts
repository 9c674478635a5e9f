// Does the same as morning_list.py.

import { NovaBlend, type ListedAppointment, type Time } from "./novablend.ts";

const [salonId = "", day = "", ...args] = process.argv.slice(2);
const client = new NovaBlend(args);

// The local time of the salon, which a Date does not have, is in the text.
const clock = (time: Time): string => time.text.slice(11, 16);

function line(appointment: ListedAppointment): string {
  const { start, end, service, staff, price, phone, own, status } = appointment;
  const time = end ? `${clock(start)}-${clock(end)}` : clock(start);
  const parts = [time, service, staff, price, phone, own ? "own" : "", status === "booked" ? "" : status];
  return parts.filter(Boolean).join("  ");
}

try {
  const { salon } = await client.salonsGet({ id: salonId });
  console.log(salon.name, new Date(day).toLocaleDateString("en-US", { weekday: "long", timeZone: "UTC" }));
  const listed = client.appointmentsListAll(
    { salonId, start: day, end: day, status: "all", limit: 2 },
    { timeout: 30_000 }
  );
  for await (const appointment of listed) console.log(line(appointment));
} finally {
  await client.close();
}
