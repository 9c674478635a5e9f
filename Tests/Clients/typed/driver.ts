// Does the same as driver.py with the TypeScript client.

import { NovaBlend, NovaBlendError, type Resource } from "./novablend.js";
import { createInterface } from "node:readline";

type Call = (params: object, options: object) => Promise<unknown>;

const client = new NovaBlend(process.argv.slice(3), { program: process.argv[2] });
const controllers = new Map<number, AbortController>();

async function run(id: number, method: string, params: Record<string, unknown>): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const { signal } = controller;
  try {
    if (method === "changes") {
      const changes = await client.changes(params.resource as Resource);
      write({ id, result: {} });
      for await (const change of changes) write({ change });
      return;
    }
    const name = method.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const call = (client as unknown as Record<string, Call | undefined>)[name];
    const result = call ? call.call(client, params, { signal }) : client.call(method, params, { signal });
    write({ id, result: await result });
  } catch (error) {
    write({ id, error: described(error) });
  }
}

function described(error: unknown): object {
  if (!(error instanceof NovaBlendError)) return { name: "cancelled" };
  const { name, message, retryable, idempotencyKey: key } = error;
  return { name, message, retryable, key, data: (error as { data?: unknown }).data };
}

function write(message: object): void {
  console.log(JSON.stringify(message));
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params, cancelled } = JSON.parse(line);
    if (cancelled) controllers.get(cancelled)?.abort();
    else void run(id, method, params);
  })
  .on("close", () => void client.close());
