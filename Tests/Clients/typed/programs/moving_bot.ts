// Does the same as moving_bot.py.

import {
  NotBookableError, NovaBlend, OutsideOpeningHoursError, SlotUnavailableError, VersionConflictError,
  type ListedAppointment, type Time,
} from "./novablend.ts";

const [salonId = "", closed = "", other = "", ...args] = process.argv.slice(2);
const client = new NovaBlend(args);

async function freeTimes(appointment: ListedAppointment): Promise<Time[]> {
  const { days } = await client.salonsAvailability({
    salonId, start: other, end: other, appointmentId: appointment.id, serviceId: appointment.serviceId,
    onlyFree: true, fields: ["slots"],
  });
  return days.flatMap(({ slots }) => (slots ?? []).map((slot) => slot.appointmentTime));
}

async function move(appointment: ListedAppointment): Promise<string> {
  const { id, version, start } = appointment;
  if (id === undefined) return "the server gave it no id";
  const shown = (time: Time) => `${time.text.slice(8, 10)} ${time.text.slice(11, 16)}`;
  let times = await freeTimes(appointment);
  for (let time = times.shift(); time; time = times.shift()) {
    try {
      const moved = await client.appointmentsReschedule({ id, version, appointmentTime: time }, { timeout: 120_000 });
      return `${shown(start)} -> ${shown(moved.appointment.start)}`;
    } catch (error) {
      if (error instanceof VersionConflictError) return "changed in the meantime";
      const isTaken =
        error instanceof SlotUnavailableError || error instanceof OutsideOpeningHoursError ||
        error instanceof NotBookableError;
      if (!isTaken) throw error;
      times = error.alternatives.filter((each) => each.text.startsWith(other));
    }
  }
  return "no free time";
}

try {
  const { appointments } = await client.appointmentsList({ salonId, start: closed, end: closed });
  for (const appointment of appointments) console.log(appointment.phone, await move(appointment));
} finally {
  await client.close();
}
