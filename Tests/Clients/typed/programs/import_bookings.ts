// Does the same as import_bookings.py.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import {
  BookingInDoubtError, CallError, InvalidParamsError, NotBookableError, NovaBlend, OutsideOpeningHoursError,
  SlotUnavailableError,
} from "./novablend.ts";

const [file = "", ...args] = process.argv.slice(2);
const client = new NovaBlend(args, { changeTimeout: 120_000 });

async function book(salonId: string, appointmentTime: string, serviceId: string, phone: string): Promise<string> {
  const row = [salonId, appointmentTime, serviceId, phone].join("\n");
  const idempotencyKey = createHash("sha256").update(row).digest("hex");
  const { appointment } = await client.appointmentsBook({
    salonId, appointmentTime, phone, idempotencyKey, ...(serviceId && { serviceId }),
  });
  const { status, end } = appointment;
  return end ? `${status} until ${end.text.slice(11, 16)}` : status;
}

function problem(error: unknown): string {
  if (
    error instanceof SlotUnavailableError || error instanceof OutsideOpeningHoursError ||
    error instanceof NotBookableError
  ) {
    const times = error.alternatives.slice(0, 2).map(({ text }) => `${text.slice(8, 10)} ${text.slice(11, 16)}`);
    return `not booked; free: ${times.join(", ")}`;
  }
  if (error instanceof InvalidParamsError) {
    const meant = [...error.candidates.map(({ text }) => text), ...error.salons.map(({ name }) => name)];
    return `${error.parameter} is wrong; meant: ${meant.join(", ") || "unknown"}`;
  }
  if (error instanceof BookingInDoubtError) return `in doubt; its key is ${error.idempotencyKey}`;
  if (error instanceof CallError) return `failed: ${error.reason}`;
  throw error;
}

try {
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const [salon = "", time = "", service = "", phone = ""] = line.trim().split(",");
    console.log(salon, time, await book(salon, time, service, phone).catch(problem));
  }
} finally {
  await client.close();
}
