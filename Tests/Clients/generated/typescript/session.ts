// A program that uses the generated client. tsc checks it against the generated types.

import { end } from "jsonrpc2-tsclient";

import { NovablendClient } from "./client.js";

async function main() {
  const client = new NovablendClient("http://localhost");
  const salon = (await client.salonsList("Atelier Nova", null, 1, null, null, null)).salons[0];
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const availability = await client.salonsAvailability(
    salon.id, tomorrow, tomorrow, null, null, null, null, null, true, null
  );
  const day = availability.days[0];
  const free = day.free ?? [];
  const booked = await client.appointmentsBook(
    salon.id, `${day.date}T${free[0]}`, "+49 30 1234567", null, null, null, null, null, null, null,
    false
  );
  const listed = await client.appointmentsList(null, null, null, null, null, null, null, null);
  const error = await client.appointmentsCancel("no-such-appointment", null, null, null).then(
    () => 0,
    (error) => error.code
  );
  console.log(JSON.stringify({
    salon: salon.name,
    times: free.length,
    booked: booked.appointment.appointmentTime,
    listed: listed.appointments.map((appointment) => appointment.appointmentTime),
    error,
  }));
  end();
}

main();
