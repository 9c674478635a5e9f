// Replaces the npm package of this name, which Debian does not have. It starts the command in
// NOVABLEND_COMMAND and sends requests over stdio. The generator converts all names to camel case,
// so this module converts the names in results.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const pending = new Map();
let server = null;

function start() {
  const [program, ...args] = JSON.parse(process.env.NOVABLEND_COMMAND);
  server = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: server.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line, camelCase);
    const { resolve, reject } = pending.get(id);
    pending.delete(id);
    if (error) reject(error);
    else resolve(result);
  });
}

function camelCase(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  const rename = (key) => key.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [rename(key), member]));
}

export class RPCHTTPClient {
  constructor(url) {
    this.url = url;
    this.headers = {};
    this.count = 0;
  }

  call(method, params) {
    if (!server) start();
    const id = ++this.count;
    server.stdin.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\n");
    return new Promise((resolve, reject) => pending.set(id, { resolve, reject }));
  }
}

export function rpcClient(transport, prefix, skipped, names) {
  return (constructor) => {
    for (const name of Object.getOwnPropertyNames(constructor.prototype)) {
      if (name === "constructor" || skipped.includes(name)) continue;
      const method = prefix + (names[name] ?? name);
      constructor.prototype[name] = (...params) => transport.call(method, params);
    }
  };
}

export function end() {
  server.stdin.end();
}
