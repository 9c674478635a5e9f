// Does the same as dashboard.py.

import { NovaBlend } from "./novablend.ts";

const client = new NovaBlend(process.argv.slice(2));

async function show(): Promise<void> {
  const salons = new Map<string, { seats: number; prices: Map<string, number> }>();
  for await (const { salonName, salonId, seats, price } of client.appointmentsListAll({ policy: "serverFirst" })) {
    const name = salonName ?? salonId;
    const salon = salons.get(name) ?? { seats: 0, prices: new Map<string, number>() };
    salons.set(name, salon);
    salon.seats += seats;
    const [amount, currency] = price?.split(" ") ?? [];
    if (amount && currency) salon.prices.set(currency, (salon.prices.get(currency) ?? 0) + Number(amount));
  }
  for (const [name, { seats, prices }] of salons) {
    console.log(`${name}: ${seats}`, ...[...prices].map(([currency, sum]) => `${sum.toFixed(2)} ${currency}`));
  }
}

try {
  const events = await client.changes("appointments");
  await show();
  for await (const event of events) {
    if ("offline" in event) console.log(event.offline ? `offline: ${event.reason}` : "online");
    else await show();
  }
} finally {
  await client.close();
}
