// Does the same as driver.py with the TypeScript client.

import { NovaBlend, NovaBlendError, type Change, type Outage, type Resource } from "./novablend.js";
import { createInterface } from "node:readline";

interface Command {
  id: number;
  method: string;
  params: Record<string, unknown>;
  /** In seconds. */
  timeout?: number;
}

type Call = (params: object, options: object) => Promise<unknown>;

const client = new NovaBlend(process.argv.slice(3), { program: process.argv[2] });
const controllers = new Map<number, AbortController>();

async function run({ id, method, params, timeout }: Command): Promise<void> {
  const controller = new AbortController();
  controllers.set(id, controller);
  const options = { signal: controller.signal, ...(timeout != null && { timeout: 1000 * timeout }) };
  try {
    if (method === "changes") {
      const changes = await client.changes(params.resource as Resource, options);
      write({ id, result: {} });
      await follow(changes);
      return;
    }
    const name = method.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const call = (client as unknown as Record<string, Call | undefined>)[name];
    const result = call ? call.call(client, params, options) : client.call(method, params, options);
    write({ id, result: (await result) ?? {} });
  } catch (error) {
    write({ id, error: described(error) });
  }
}

async function follow(changes: AsyncIterable<Change | Outage>): Promise<void> {
  try {
    for await (const change of changes) write({ change });
  } catch (error) {
    write({ changeError: described(error) });
  }
}

function described(error: unknown): object {
  if (error instanceof TypeError || error instanceof RangeError) {
    return { name: error.name, message: error.message };
  }
  if (!(error instanceof NovaBlendError)) return { name: "cancelled" };
  const { name, message, retryable, idempotencyKey: key } = error;
  return { name, message, retryable, key, data: (error as { data?: unknown }).data };
}

function write(message: object): void {
  console.log(JSON.stringify(message));
}

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const command = JSON.parse(line);
    if (command.cancelled) controllers.get(command.cancelled)?.abort();
    else void run(command);
  })
  .on("close", () => void client.close());
