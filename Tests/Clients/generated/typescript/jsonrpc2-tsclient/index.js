// What generated clients import from the npm package of this name, which Debian does not have. It
// starts the command in NOVABLEND_COMMAND and sends requests over stdio. The generator writes all
// members in camel case, so it renames those of results.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const waiting = new Map();
let server = null;

function start() {
  const [program, ...words] = JSON.parse(process.env.NOVABLEND_COMMAND);
  server = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  createInterface({ input: server.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line, camelCase);
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
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
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
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
