// Does the same as calendar_file.py.

import { writeFileSync } from "node:fs";
import { NovaBlend, type ListedAppointment } from "./novablend.ts";

const [file = "", ...args] = process.argv.slice(2);
const client = new NovaBlend(args);

const utc = (time: Date): string => time.toISOString().replace(/[-:]|\.\d+/g, "");

function event({ id, appointmentTime, start, end, service, salonName, salonId }: ListedAppointment): string[] {
  // The calendar needs an end, and a salon may not say how long an appointment takes.
  const last = end ?? new Date(start.getTime() + 30 * 60_000);
  return [
    "BEGIN:VEVENT", `UID:${id ?? appointmentTime}`, `DTSTART:${utc(start)}`, `DTEND:${utc(last)}`,
    `SUMMARY:${service ?? "Appointment"} at ${salonName ?? salonId}`, "END:VEVENT",
  ];
}

try {
  const { appointments, total, provenance } = await client.appointmentsList();
  if (!provenance.complete) console.error("The list has gaps.");
  const lines = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//example//calendar", ...appointments.flatMap(event),
    "END:VCALENDAR", "",
  ];
  writeFileSync(file, lines.join("\r\n"));
  console.log(`${total} appointments, as of ${provenance.fetchedAt?.text ?? "unknown"}`);
} finally {
  await client.close();
}
