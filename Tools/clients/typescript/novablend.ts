// A client of `novablend serve` for Node.js 18 and newer. It has no syntax that must be compiled, so Node.js 24
// runs it as it is.

import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomUUID } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Readable } from "node:stream";

declare global {
  // For compilers that do not know it yet.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** A time. `text` is how the program wrote it, with its UTC offset; a `Date` has none. */
export class Time extends Date {
  readonly text: string;

  constructor(text: string) {
    super(text);
    this.text = text;
  }

  override toString(): string {
    return this.text;
  }

  override toJSON(): string {
    return this.text;
  }
}

/** A call failed. */
export class NovaBlendError extends Error {
  /** Whether the same call may succeed later. */
  retryable = false;
  /** The key of the change that failed. With this key, a repeated call takes effect only once. */
  idempotencyKey?: string | undefined;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** The program was not found, or it cannot be started. */
export class ProgramMissingError extends NovaBlendError {}

/** The program is older than this client. */
export class ProgramTooOldError extends NovaBlendError {}

/** The program ended before it responded. The next call starts it again. */
export class ProgramEndedError extends NovaBlendError {
  override retryable = true;
}

/** The program did not answer in time. Unless the message says otherwise, nothing was changed. */
export class DeadlineExceededError extends NovaBlendError {
  override retryable = true;
}

/** The client is closed. */
export class ClientClosedError extends NovaBlendError {}

/** The program responded with an error. `data` has the members that docs/Errors.md lists. */
export class CallError extends NovaBlendError {
  readonly code: number;
  readonly data: Record<string, unknown>;
  /** What is wrong, for a person: the message without advice for programs. */
  readonly reason: string;
  readonly retryAfterSeconds?: number | undefined;

  constructor(error: ErrorObject) {
    super(error.message);
    this.code = error.code;
    this.data = error.data ?? {};
    this.reason = (this.data.reason as string | undefined) ?? error.message;
    this.retryable = this.data.retryable === true;
    this.retryAfterSeconds = this.data.retryAfterSeconds as number | undefined;
    this.idempotencyKey = this.data.idempotencyKey as string | undefined;
  }

  /** The times in a member of `data`. */
  protected times(member: string): Time[] {
    const texts = this.data[member];
    return Array.isArray(texts) ? texts.map((text) => new Time(String(text))) : [];
  }
}

/** A parameter is invalid. */
export class InvalidParamsError extends CallError {
  static readonly code: number = -32602;

  /** The name of the parameter. */
  get parameter(): string | undefined {
    return this.data.parameter as string | undefined;
  }

  /** The times that the parameter could mean. */
  get candidates(): Time[] {
    return this.times("candidates");
  }

  /** The salons that the parameter could mean. */
  get salons(): NamedSalon[] {
    return (this.data.salons as NamedSalon[] | undefined) ?? [];
  }
}

/** Too many calls are in progress. */
export class OverloadedError extends CallError {
  static readonly code: number = -32000;
}

/** The client was closed before the call finished. If the error is retryable, nothing was changed. */
export class InputEndedError extends CallError {
  static readonly code: number = -32001;
}

/** The call was cancelled. Nothing was changed, unless `mayBeDone`. */
export class CallCancelledError extends CallError {
  static readonly code: number = -32800;

  /** Whether the call was a change that did not stop in time. */
  get mayBeDone(): boolean {
    return this.data.retryable === false;
  }
}

export interface Options {
  /** The path of the program; see `findProgram`. */
  program?: string;
  /** Milliseconds after which a call ends with `DeadlineExceededError`, 60,000 by default. */
  timeout?: number | undefined;
  /** The same for a booking or a change, 300,000 by default. If it may have been made, it is in doubt. */
  changeTimeout?: number | undefined;
}

export interface CallOptions {
  /** Cancels the call. A change that cannot be cancelled any more has its usual outcome. */
  signal?: AbortSignal | undefined;
  /** Milliseconds until the call ends with an error; by default those of the client. `Infinity` is no limit. */
  timeout?: number | undefined;
}

interface ErrorObject {
  code: number;
  message: string;
  data?: Record<string, unknown>;
}

interface Message {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: ErrorObject;
}

type Params = Record<string, unknown>;

/**
 * The path of `novablend`: `path`, or else the environment variable NOVABLEND, or PATH.
 * Throws `ProgramMissingError`.
 */
export function findProgram(path = process.env.NOVABLEND): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = path ? [path] : folders.map((folder) => join(folder, "novablend"));
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new ProgramMissingError(
    `${path ? `${path} is not a program` : "novablend is not in PATH"}; install novablend, or state its path: ` +
      "with the option program, or in the environment variable NOVABLEND"
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// Calls in progress have 1.5 s to finish after the input has ended.
const MILLISECONDS_TO_END = 10_000;
// A cancelled change responds within 2 s.
const MILLISECONDS_TO_CANCEL = 5_000;
// The program is started at most five times within 30 s, after pauses: the first start again is immediate.
const MILLISECONDS_OF_STARTS = 30_000;
const PAUSES = [0, 0, 500, 1000, 2000];
// A server grants a hold for at most this time. After it, no key can continue the hold.
const LONGEST_HOLD = 15 * 60_000;
// A longer timer would fire at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** A running program, and the calls that wait for responses: one JSON message per line. */
class Process {
  hasResponded = false;
  /** How the program has ended; undefined while it runs. */
  problem?: string;
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly onNotification: (message: Message) => void;
  private readonly calls = new Map<number, (response?: Message) => void>();
  private lastId = 0;
  private lastErrors: string[] = [];
  private readonly ended: Promise<void>;

  constructor(child: ChildProcessWithoutNullStreams, onNotification: (message: Message) => void) {
    this.child = child;
    this.onNotification = onNotification;
    readLines(child.stdout, (line) => this.receiveLine(line));
    readLines(child.stderr, (line) => {
      if (line.trim()) this.lastErrors = [...this.lastErrors.slice(-2), line.trim()];
    });
    child.stdin.on("error", () => {}); // The end of the program is reported below.
    // A program that novablend has started may still have its standard error open.
    child.on("exit", () => setTimeout(() => child.stderr.destroy(), 1000).unref());
    this.ended = new Promise((resolve) =>
      child.on("close", (code, signal) => {
        const how = signal ? `signal ${signal}` : `exit code ${code}`;
        this.problem = [`it ended with ${how}`, ...this.lastErrors].join(": ");
        this.calls.forEach((respond) => respond());
        resolve();
      })
    );
  }

  /** Starts the program. It does not get the Ctrl-C of a terminal, because this process ends it. */
  static start(
    program: string,
    args: string[],
    onNotification: (message: Message) => void
  ): Promise<Process> {
    const child = spawn(program, ["serve", ...args], { detached: true });
    return new Promise((resolve, reject) => {
      child.on("spawn", () => resolve(new Process(child, onNotification)));
      child.on("error", (error) =>
        reject(new ProgramMissingError(`${program} cannot be started: ${error.message}`))
      );
    });
  }

  /** Sends a request. The response is undefined if the program ends first. */
  send(method: string, params: Params): { id: number; response: Promise<Message | undefined> } {
    const id = ++this.lastId;
    // The id comes first, so that the program finds it in a message that it cannot read.
    const line = JSON.stringify({ id, jsonrpc: "2.0", method, params }) + "\n";
    const response = new Promise<Message | undefined>((resolve) => {
      if (this.problem) return resolve(undefined);
      this.calls.set(id, resolve);
      this.child.stdin.write(line);
    });
    return { id, response };
  }

  /** Cancels a request. A cancelled request still gets a response. */
  cancel(id: number): void {
    const message = { jsonrpc: "2.0", method: "$/cancelRequest", params: { id } };
    this.child.stdin.write(JSON.stringify(message) + "\n");
  }

  /** Closes the input, so that the program ends. */
  async stop(): Promise<void> {
    this.child.stdin.end();
    const deadline = setTimeout(() => {
      this.kill();
      // A program that novablend has started may still have its standard output open.
      setTimeout(() => this.child.stdout.destroy(), 1000);
    }, MILLISECONDS_TO_END);
    await this.ended;
    clearTimeout(deadline);
  }

  whenEnded(action: () => void): void {
    void this.ended.then(action);
  }

  /** Kills the program, and those that it has started. */
  private kill(): void {
    try {
      process.kill(-(this.child.pid as number), "SIGKILL");
    } catch {
      // It has ended.
    }
  }

  private receiveLine(line: string): void {
    if (!line.trim()) return;
    try {
      this.receive(JSON.parse(line));
    } catch {
      this.lastErrors.push("it wrote something that is not JSON-RPC");
      this.kill();
    }
  }

  private receive(message: Message): void {
    if (message.method) return this.onNotification(message);
    // A response without a result says nothing about a change.
    if (!("result" in message) && typeof message.error?.code !== "number") throw new TypeError();
    const id = message.id ?? 0;
    const respond = this.calls.get(id);
    if (!respond) return;
    this.calls.delete(id);
    this.hasResponded = true;
    respond(message);
  }
}

/**
 * Calls `receive` with each line of a stream. Only \n ends a line: the readline of Node.js would also split
 * a message at U+2028 or U+2029 in a text.
 */
function readLines(stream: Readable, receive: (line: string) => void): void {
  let parts: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
      start = end + 1;
      receive(line.toString("utf8"));
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  });
}

/** The changes of a resource, until `return` is called, for example by `break` in a loop. */
class Subscription implements AsyncIterableIterator<Change | Outage> {
  readonly resource: Resource;
  /** Whether a program has accepted the subscription. Until then there is nothing to be missed. */
  isSubscribed = false;
  private readonly onReturn: (own: Subscription) => void;
  private readonly events: (Change | Outage | NovaBlendError)[] = [];
  private waiting: (() => void)[] = [];
  private isOver = false;

  constructor(resource: Resource, onReturn: (own: Subscription) => void) {
    this.resource = resource;
    this.onReturn = onReturn;
  }

  push(event: Change | Outage | NovaBlendError): void {
    this.events.push(event);
    this.waiting.shift()?.();
  }

  async next(): Promise<IteratorResult<Change | Outage>> {
    while (!this.isOver && this.events.length === 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    const event = this.events.shift();
    if (this.isOver || !event) return { done: true, value: undefined };
    if (!(event instanceof NovaBlendError)) return { done: false, value: event };
    await this.return();
    throw event;
  }

  async return(): Promise<IteratorResult<Change | Outage>> {
    if (!this.isOver) {
      this.isOver = true;
      this.waiting.forEach((wake) => wake());
      this.onReturn(this);
    }
    return { done: true, value: undefined };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** The key of a request, while calls use it, and afterward as long as their outcome is not known. */
class OpenKey {
  readonly request: string;
  key: string = randomUUID();
  calls = 0;
  doubtedAt?: number | undefined;

  constructor(request: string) {
    this.request = request;
  }

  get isInDoubt(): boolean {
    return this.doubtedAt !== undefined;
  }
}

/**
 * A repeated request has the key of the earlier one while the outcome of that is not known, so that nothing is
 * booked twice. As soon as it is known, whoever learns it, the same request gets a new key.
 */
class OpenKeys {
  private readonly entries = new Map<string, OpenKey>();

  /** The key for a call, which lasts until `end`. Concurrent calls of the same request share it. */
  begin(method: string, params: Params): OpenKey {
    const request = identity(method, params);
    let entry = this.entries.get(request);
    if (!entry || (method === "appointments/hold" && hasExpired(entry))) {
      this.entries.set(request, (entry = new OpenKey(request)));
    }
    entry.calls += 1;
    return entry;
  }

  end(entry: OpenKey): void {
    entry.calls -= 1;
    if (!entry.calls && !entry.isInDoubt) this.remove(entry.key);
  }

  /** Continues the change that is in doubt: its next call has the same key. */
  continue(entry: OpenKey): void {
    if (!this.entries.has(entry.request)) this.entries.set(entry.request, entry);
  }

  /**
   * Gives a request a new key, because the outcome of the change with `key` is known. Does nothing if a
   * concurrent call has done so.
   */
  replace(entry: OpenKey, key: string): void {
    if (entry.key !== key) return;
    entry.key = randomUUID();
    entry.doubtedAt = undefined;
    this.continue(entry);
  }

  /**
   * Draws the conclusion from the response to a change with `key`, whoever still waits for it. Undefined: the
   * program has ended, or does not respond.
   */
  note(key: string | undefined, message: Message | undefined): void {
    if (message && !message.error) return this.remove(key);
    if (message?.error && !mayBeDone(message.error)) return;
    for (const entry of this.entries.values()) {
      if (entry.key === key) entry.doubtedAt = performance.now();
    }
  }

  /** Draws the conclusions from a result of appointments/resolve. */
  noteResolutions(params: Params, resolutions: Resolution[]): void {
    for (const { idempotencyKey, outcome } of resolutions) {
      if (!isOpen(outcome)) this.remove(idempotencyKey);
    }
    // No entry of the key that was asked for: nothing was sent, or it was rejected.
    const asked = params.idempotencyKey as string | undefined;
    if (asked && !resolutions.some((each) => each.idempotencyKey === asked)) {
      this.remove(asked, (entry) => entry.calls === 0);
    }
  }

  private remove(key: string | undefined, condition = (_: OpenKey) => true): void {
    for (const entry of this.entries.values()) {
      if (entry.key === key && condition(entry)) this.entries.delete(entry.request);
    }
  }
}

/** What makes two calls the same request. Null and undefined are the same as no value. */
function identity(method: string, params: Params): string {
  const given = Object.entries(params).filter(
    ([name, value]) => value != null && name !== "idempotencyKey" && name !== "dryRun"
  );
  return JSON.stringify([method, given.sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function hasExpired({ doubtedAt, calls }: OpenKey): boolean {
  return doubtedAt !== undefined && !calls && performance.now() - doubtedAt > LONGEST_HOLD;
}

/** The error of a change if no response says whether it was made. */
type DoubtError = (new (error: ErrorObject) => CallError) & { code: number };

/** A call of a method that changes something. */
class ChangeCall {
  readonly method: string;
  params: Params;
  /** Whether an earlier request may have made the change. */
  mayBeDone = false;
  private readonly timeout: number;
  private readonly end: number;
  private readonly signal?: AbortSignal | undefined;
  private readonly inDoubt: DoubtError;

  constructor(
    method: string,
    params: Params,
    timeout: number,
    signal: AbortSignal | undefined,
    inDoubt: DoubtError
  ) {
    this.method = method;
    this.params = params;
    this.timeout = timeout;
    this.end = performance.now() + timeout;
    this.signal = signal;
    this.inDoubt = inDoubt;
  }

  get key(): string | undefined {
    return this.params.idempotencyKey as string | undefined;
  }

  /** Whether the journal of the program has the change. */
  get isJournaled(): boolean {
    return this.inDoubt === (BookingInDoubtError as DoubtError);
  }

  /** The options of a call that belongs to this one. */
  get options(): CallOptions {
    return { signal: this.signal, timeout: Math.max(this.end - performance.now(), 1) };
  }

  /** Sends the change. The response is undefined if the program ended before it responded. */
  async send(running: () => Promise<Process>, keys: OpenKeys): Promise<Message | undefined> {
    const process = await this.started(running);
    const { id, response } = process.send(this.method, this.params);
    void response.then((message) => keys.note(this.key, message));
    let waited = await wait(response, this.options.timeout, this.signal);
    const cause = typeof waited === "string" ? waited : undefined;
    if (cause) {
      process.cancel(id);
      waited = await wait(response, MILLISECONDS_TO_CANCEL);
    }
    if (typeof waited === "string") {
      keys.note(this.key, undefined);
      throw this.doubt("the program does not respond");
    }
    const message = waited.value;
    if (cause && message?.error && isCancelled(message.error) && !this.mayBeDone) {
      throw this.stopped(cause, "nothing was changed");
    }
    this.mayBeDone = true;
    return message;
  }

  private async started(running: () => Promise<Process>): Promise<Process> {
    let waited: Waited<Process>;
    try {
      waited = await wait(running(), this.options.timeout, this.signal);
    } catch (error) {
      throw this.mayBeDone ? this.doubt(`the program ended, and then: ${error}`) : error;
    }
    if (typeof waited !== "string") return waited.value;
    throw this.mayBeDone ? this.doubt("the program ended") : this.stopped(waited, "nothing was sent");
  }

  /** The error if no response says whether the change was made. */
  doubt(reason: string): CallError {
    const text = "The request may have been carried out";
    const advice = this.isJournaled ? "call appointmentsResolve to find out: " : "";
    const { holdId, salonId } = this.params;
    return new this.inDoubt({
      code: this.inDoubt.code,
      message: `${text}; ${advice}${reason}`,
      data: {
        retryable: true,
        reason: `${text}: ${reason}`,
        ...(this.key && { idempotencyKey: this.key }),
        ...(holdId ? { holdId } : {}),
        ...(salonId ? { salonId } : {}),
      },
    });
  }

  private stopped(cause: "late" | "aborted", what: string): unknown {
    if (cause === "aborted") return this.signal?.reason;
    const error = new DeadlineExceededError(
      `novablend did not respond to ${this.method} within ${this.timeout} ms; ${what}`
    );
    error.idempotencyKey = this.key;
    return error;
  }
}

/** The program, which is started again if it has ended. */
class Runtime {
  private readonly args: string[];
  private readonly options: Options;
  private readonly timeout: number;
  private readonly changeTimeout: number;
  private starting?: Promise<Process> | undefined;
  private process?: Process;
  private isClosed = false;
  private starts: number[] = [];
  private readonly subscriptions = new Set<Subscription>();
  private readonly keys = new OpenKeys();

  /** `args` are those of `novablend serve`, such as "--base-url" and a URL. */
  constructor(args: string[] = [], options: Options = {}) {
    this.args = args;
    this.options = options;
    this.timeout = positive(options.timeout ?? 60_000);
    this.changeTimeout = positive(options.changeTimeout ?? 300_000);
  }

  /** Ends the program. Calls in progress have a moment to finish. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const subscription of this.subscriptions) await subscription.return();
    await this.starting?.catch(() => {});
    await this.process?.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /**
   * Subscribes to a resource until the loop over the changes ends. An `Outage`, which has `offline`, says that
   * the server has stopped answering, or answers again; everything else is a `Change`.
   *
   * If the program ends, it is started again. The next change then has `all`, because some may have been
   * missed.
   */
  async changes(
    resource: Resource,
    options: CallOptions = {}
  ): Promise<AsyncIterableIterator<Change | Outage> & { [Symbol.asyncDispose](): Promise<void> }> {
    const subscription = new Subscription(resource, (own) => this.unsubscribe(own));
    this.subscriptions.add(subscription);
    try {
      await this.call("resource/subscribe", { resource }, options);
    } catch (error) {
      await subscription.return();
      throw error;
    }
    subscription.isSubscribed = true;
    return subscription;
  }

  /**
   * Calls a method that changes nothing at the server, and returns its result as JSON. If the program ends
   * before it responds, the call is repeated once.
   */
  async call(
    method: string,
    params: Params = {},
    { signal, timeout = this.timeout }: CallOptions = {}
  ): Promise<unknown> {
    params = plain(params);
    const end = performance.now() + positive(timeout);
    const stopped = (cause: "late" | "aborted") =>
      cause === "aborted"
        ? signal?.reason
        : new DeadlineExceededError(`novablend did not respond to ${method} within ${timeout} ms`);
    let process: Process | undefined;
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const started = await wait(this.running(), end - performance.now(), signal);
      if (typeof started === "string") throw stopped(started);
      process = started.value;
      const { id, response } = process.send(method, params);
      if (method === RESOLVE && !params.dryRun) {
        void response.then((message) => {
          if (message && !message.error) {
            this.keys.noteResolutions(params, (message.result as AppointmentsResolveResult).resolutions ?? []);
          }
        });
      }
      const waited = await wait(response, end - performance.now(), signal);
      if (typeof waited === "string") {
        process.cancel(id);
        throw stopped(waited);
      }
      if (waited.value) return resultOf(waited.value, method, params);
    }
    throw new ProgramEndedError(`novablend does not respond to ${method}: ${process?.problem}`);
  }

  /**
   * Calls a method that changes something at the server, and returns its result as JSON.
   *
   * With `hasKey`, the call gets an `idempotencyKey` unless `params` has one. `inDoubt` is the error if no
   * response says whether the change was made. If the program ends before it responds, the call is not
   * repeated; if that error is `BookingInDoubtError`, the outcome is resolved.
   */
  async change(
    method: string,
    params: Params,
    { signal, timeout = this.changeTimeout }: CallOptions,
    { hasKey, inDoubt }: { hasKey: boolean; inDoubt: DoubtError }
  ): Promise<unknown> {
    if (params.dryRun) return this.call(method, params, { signal, timeout });
    params = plain(params);
    const change = new ChangeCall(method, { ...params }, positive(timeout), signal, inDoubt);
    if (!hasKey || params.idempotencyKey) return this.make(change);
    const entry = this.keys.begin(method, params);
    try {
      change.params.idempotencyKey = entry.key;
      if (entry.isInDoubt && change.isJournaled) {
        change.mayBeDone = await this.isContinued(entry, change);
        change.params.idempotencyKey = entry.key;
      }
      return await this.make(change);
    } finally {
      this.keys.end(entry);
    }
  }

  private async make(change: ChangeCall): Promise<unknown> {
    const running = () => this.running();
    let message = await change.send(running, this.keys);
    if (!message && change.isJournaled) {
      await this.resolve(change);
      message = await change.send(running, this.keys);
    }
    if (!message) throw change.doubt("the program ended");
    return resultOf(message, change.method, change.params);
  }

  /**
   * Resolves the change during which the program ended. Throws if it is in doubt.
   *
   * The program writes a change to its journal before it sends it. So if `appointments/resolve` does not
   * report the key as in doubt, either the journal has the outcome, which a repeated call with the key
   * returns, or the change was never sent.
   */
  private async resolve(change: ChangeCall): Promise<void> {
    let resolution: Resolution | undefined;
    try {
      resolution = await this.resolution(change.key, {}, change);
    } catch (error) {
      throw change.doubt(`the program ended, and then: ${error}`);
    }
    if (resolution && isOpen(resolution.outcome)) throw change.doubt(resolution.reason ?? resolution.outcome);
  }

  /** The outcome of the change with `key`, if the program reports one. */
  private async resolution(
    key: string | undefined,
    params: Params,
    change: ChangeCall
  ): Promise<Resolution | undefined> {
    const { resolutions } = (await this.call(RESOLVE, params, change.options)) as AppointmentsResolveResult;
    if (!Array.isArray(resolutions)) throw new ProgramTooOldError("novablend returned no resolutions; update it");
    return resolutions.find(({ idempotencyKey }) => idempotencyKey === key);
  }

  /**
   * Whether a repeated request continues the change that an earlier call has left in doubt.
   *
   * It does not if the outcome is known by now: the change was not made, or its appointment was cancelled or
   * moved since, here or elsewhere. Then it is a new request with a new key.
   */
  private async isContinued(entry: OpenKey, change: ChangeCall): Promise<boolean> {
    const { key } = entry;
    try {
      const found = await this.resolution(key, { idempotencyKey: key }, change);
      if (found && (isOpen(found.outcome) || (await this.stands(found, change)))) {
        this.keys.continue(entry);
        return true;
      }
    } catch (error) {
      this.keys.continue(entry);
      if (!(error instanceof NovaBlendError) || error instanceof ClientClosedError) throw error;
      throw change.doubt(`an earlier call is in doubt, and then: ${error}`);
    }
    this.keys.replace(entry, key);
    return false;
  }

  /** Whether the server still shows what a change with this outcome has made. */
  private async stands({ outcome, appointment }: Resolution, change: ChangeCall): Promise<boolean> {
    if (outcome !== "booked" && outcome !== "rescheduled") return outcome === "cancelled";
    const params = { salonId: appointment.salonId, status: "booked", policy: "serverOnly" };
    const listed = await this.call("appointments/list", params, change.options);
    return (listed as AppointmentsListResult).appointments.some((each) => shows(each, appointment));
  }

  private running(): Promise<Process> {
    if (this.isClosed) return Promise.reject(new ClientClosedError("the client is closed"));
    if (this.process && !this.process.problem) return Promise.resolve(this.process);
    this.starting ??= this.start().finally(() => (this.starting = undefined));
    return this.starting;
  }

  private async start(): Promise<Process> {
    await this.pause();
    if (this.isClosed) throw new ClientClosedError("the client is closed");
    const process = await Process.start(findProgram(this.options.program), this.args, (message) =>
      this.receive(message)
    );
    this.starts.push(performance.now());
    this.process = process;
    process.whenEnded(() => void this.restart(process));
    this.subscribeAgain(process);
    return process;
  }

  /** Waits before the program is started again. Throws if it keeps ending. */
  private async pause(): Promise<void> {
    const now = performance.now();
    this.starts = this.starts.filter((start) => start > now - MILLISECONDS_OF_STARTS);
    if (this.starts.length >= PAUSES.length) {
      throw new ProgramEndedError(
        `novablend was started ${PAUSES.length} times within ${MILLISECONDS_OF_STARTS / 1000} s, and ended ` +
          `each time, so it is not started again at present: ${this.process?.problem}`
      );
    }
    const pause = PAUSES[this.starts.length];
    if (pause) await new Promise((resolve) => setTimeout(resolve, pause));
  }

  /** Subscribes those whose subscription has ended with the earlier process. */
  private subscribeAgain(process: Process): void {
    const lost = [...this.subscriptions].filter((each) => each.isSubscribed);
    for (const resource of new Set(lost.map((each) => each.resource))) {
      void process.send("resource/subscribe", { resource }).response.then((message) => {
        if (message?.error) {
          const reason = `novablend was started again, but not the subscription: ${message.error.message}`;
          this.fail(new ProgramEndedError(reason), resource);
        } else if (message) {
          // They may have missed changes while no program was running.
          this.publish({ resource, changed: [], deleted: [], all: true });
        }
      });
    }
  }

  /** Starts the program again if there are subscriptions, unless it ended before its first response. */
  private async restart(process: Process): Promise<void> {
    if (this.isClosed || ![...this.subscriptions].some((each) => each.isSubscribed)) return;
    try {
      if (!process.hasResponded) {
        throw new ProgramEndedError(`novablend does not respond: ${process.problem}`);
      }
      await this.running();
    } catch (error) {
      this.fail(error as NovaBlendError);
    }
  }

  private receive(message: Message): void {
    if (message.method !== "resource/didChange") return;
    const params = message.params as Change | Outage;
    this.publish(decoded("offline" in params ? "Outage" : "Change", params));
  }

  private publish(event: Change | Outage): void {
    for (const subscription of this.subscriptions) {
      if (subscription.resource === event.resource && subscription.isSubscribed) subscription.push(event);
    }
  }

  private fail(error: NovaBlendError, resource?: Resource): void {
    for (const subscription of this.subscriptions) {
      if (!resource || subscription.resource === resource) subscription.push(error);
    }
  }

  private unsubscribe(own: Subscription): void {
    const { resource } = own;
    this.subscriptions.delete(own);
    if ([...this.subscriptions].some((other) => other.resource === resource)) return;
    if (!this.isClosed) void this.process?.send("resource/unsubscribe", { resource });
  }
}

/** A value, or why there is none in time. */
type Waited<T> = { value: T } | "late" | "aborted";

/** Waits for a promise at most this long, and until the signal is aborted. */
function wait<T>(promise: Promise<T>, milliseconds = Infinity, signal?: AbortSignal): Promise<Waited<T>> {
  if (signal?.aborted) {
    promise.catch(() => {});
    return Promise.resolve("aborted");
  }
  return new Promise((resolve, reject) => {
    const abort = () => end(() => resolve("aborted"));
    const timer =
      milliseconds < LONGEST_TIMER
        ? setTimeout(() => end(() => resolve("late")), Math.max(milliseconds, 1))
        : undefined;
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      settle();
    };
    signal?.addEventListener("abort", abort, { once: true });
    promise.then((value) => end(() => resolve({ value })), (error) => end(() => reject(error)));
  });
}

function positive(timeout: number): number {
  if (typeof timeout === "number" && timeout > 0) return timeout;
  throw new RangeError(`a timeout is a positive number of milliseconds, or Infinity: ${timeout}`);
}

/** Whether an appointment of the server is still as a change has made it. */
function shows(listed: ListedAppointment, made: Appointment): boolean {
  const isSame = made.id && listed.id ? made.id === listed.id : made.phone === listed.phone;
  const time = listed.appointmentTime;
  const isUnmoved = time === made.appointmentTime || Date.parse(time) === Date.parse(made.appointmentTime);
  return isSame && isUnmoved;
}

/** Arguments as JSON: times become texts, without fractions of a second. */
function plain(params: Params): Params {
  const text = (time: Date) => (time instanceof Time ? time.text : time.toISOString().replace(/\.\d+/, ""));
  const texts = ([name, value]: [string, unknown]) => [name, value instanceof Date ? text(value) : value];
  return Object.fromEntries(Object.entries(params).map(texts));
}

/** What the members of an object are, beyond JSON: times, objects, and their values if they are absent. */
interface Shape {
  readonly times?: readonly string[];
  readonly objects?: Readonly<Record<string, string>>;
  readonly defaults?: Readonly<Record<string, unknown>>;
}

/** The object that the program has sent, with times, and with the values of absent members. */
function decoded<T extends object>(type: string, value: T): T {
  const shape = SHAPES[type];
  if (!shape || typeof value !== "object" || value === null) return value;
  const members = value as Record<string, unknown>;
  const convert = (key: string, conversion: (member: never) => unknown) => {
    const member = members[key];
    if (member == null) return;
    members[key] = Array.isArray(member) ? member.map(conversion as () => unknown) : conversion(member as never);
  };
  for (const key of shape.times ?? []) convert(key, (text: string) => new Time(text));
  for (const [key, kind] of Object.entries(shape.objects ?? {})) {
    convert(key, (member: object) => decoded(kind, member));
  }
  for (const [key, member] of Object.entries(shape.defaults ?? {})) {
    members[key] ??= Array.isArray(member) ? [...member] : member;
  }
  return value;
}

/** The result in a response. Throws the error in it. */
function resultOf(message: Message, method: string, params: Params): unknown {
  if (!message.error) return message.result;
  const error = errorOf(message.error, method);
  error.idempotencyKey ??= params.idempotencyKey as string | undefined;
  throw error;
}

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;
const RESOLVE = "appointments/resolve";

/** Whether a change with this outcome may still take effect. */
function isOpen(outcome: Resolution["outcome"]): boolean {
  return outcome === "inDoubt" || outcome === "notFound";
}

/** Whether a response says that the call was cancelled before it changed anything. */
function isCancelled({ code, data }: ErrorObject): boolean {
  return code === CallCancelledError.code && data?.retryable !== false;
}

/** Whether a change that failed with this error may have been made, or may still be. */
function mayBeDone(error: ErrorObject): boolean {
  const { code, data } = error;
  if (code === BookingInDoubtError.code || code === HoldInDoubtError.code) return true;
  if (code === CallCancelledError.code) return !isCancelled(error);
  return (code === INTERNAL_ERROR || code === InputEndedError.code) && data?.retryable !== true;
}

function errorOf(error: ErrorObject, method: string): NovaBlendError {
  const missing = missingIn(error, method);
  if (missing) {
    return new ProgramTooOldError(
      `novablend has no ${missing}, so it is older than this client; update novablend`
    );
  }
  return new (ERRORS.get(error.code) ?? CallError)(error);
}

/** What this client knows, but the program does not, according to an error. */
function missingIn(error: ErrorObject, method: string): string | undefined {
  if (error.code === METHOD_NOT_FOUND) return `method ${method}`;
  const unknown = error.data?.unknown as string[] | undefined;
  if (!unknown) return undefined;
  const parameter = error.data?.parameter as string;
  return unknown.includes(parameter)
    ? `parameter ${parameter} of ${method}`
    : `member ${unknown[0]} in the parameter ${parameter} of ${method}`;
}

// Generated by `make clients` from here on; do not edit.

export type AppointmentsListFields = "id" | "version" | "status" | "salonId" | "appointmentTime" |
  "phone" | "email" | "notes" | "serviceId" | "staffId" | "seats" | "staffAssigned" | "salonName" |
  "start" | "end" | "zone" | "weekday" | "service" | "staff" | "price" | "own";

export type FeedListFields = "id" | "description" | "location" | "image";

export type Keep = "wallClock";

export type MenuListFields = "id" | "name" | "description" | "image";

export type MoviesListFields = "id" | "title" | "overview" | "releaseDate" | "image";

export type Policy = "serverFirst" | "serverOnly" | "cacheOnly" | "cacheFirst" |
  "staleWhileRevalidate";

export type Resource = "salons" | "appointments" | "feed" | "movies" | "menu";

export type SalonsAvailabilityFields = "date" | "weekday" | "offset" | "hours" | "free" |
  "freeCounts" | "unconfirmed" | "taken" | "own" | "reason" | "slots";

export type SalonsListFields = "id" | "name" | "location" | "aliases" | "phone" | "open_time" |
  "close_time" | "hours" | "slot_minutes" | "time_zone" | "exceptions" | "lead_minutes" |
  "furthest_days" | "max_active_per_customer" | "max_per_day_per_customer" | "version" | "weekly" |
  "services" | "staff" | "seats";

export type Status = "booked" | "cancelled" | "all";

export interface Account {
  name: string;
  profile: string;
  /** the appointments URL */
  server?: string;
}

export interface Appointment {
  id?: string;
  /** increases with each change */
  version?: number;
  /** booked if absent; any status but cancelled takes its time */
  status: string;
  salonId: string;
  /** ISO 8601 with an offset */
  appointmentTime: string;
  phone: string;
  email?: string;
  notes?: string;
  /** a service of the salon */
  serviceId?: string;
  /** a staff member of the salon */
  staffId?: string;
  /** 1 if absent */
  seats: number;
  /** whether the server chose the staff member */
  staffAssigned: boolean;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
}

export interface AppointmentsExportResult {
  mediaType: "text/calendar";
  /** the number of appointments */
  count: number;
  /** absent with file */
  calendar?: string;
  /** the path of the file */
  file?: string;
  /** true if nothing was changed */
  dryRun: boolean;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface AppointmentsListResult {
  appointments: ListedAppointment[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface AppointmentsResolveResult {
  /** the account of this data */
  account: Account;
  resolutions: Resolution[];
  /** what it means that nothing is known about the key */
  hint?: string;
  /** other accounts in the same directory with bookings in doubt; they are not resolved */
  otherAccounts: OtherAccount[];
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface AvailabilityDay {
  /** the opening day: times past midnight are written with their own date */
  date: string;
  weekday: string;
  /** the UTC offset, if days differ */
  offset?: string;
  /** 09:30-22:30; absent if closed */
  hours?: string;
  /** the start times that can be booked */
  free: string[];
  /** for each time in free, how many staff or seats are free, if there are several */
  freeCounts?: number[];
  /** the start times that may be taken, because bookings are unknown */
  unconfirmed: string[];
  /** the start times that others have booked or hold */
  taken: string[];
  /** the start times that your own bookings, and holds of this program, take */
  own: string[];
  /** why no time is free */
  reason?: string;
  /** all these times in order; only if fields names it */
  slots?: AvailabilitySlot[];
}

export interface AvailabilitySlot {
  /** the start, as a booking takes it */
  appointmentTime: Time;
  /** if the length is known */
  end?: Time;
  /** the day before, if the salon is open past midnight */
  openingDay: string;
  /** as in the lists of times */
  state: "free" | "unconfirmed" | "taken" | "own";
  /** how many staff members or seats are free, if known */
  free?: number;
  /** the ids of the staff members who are free, if known */
  staff?: string[];
}

export interface BookingLeft {
  idempotencyKey: string;
  salonId: string;
  appointmentTime: string;
  /** when it is removed even if it stays in doubt */
  until: string;
  reason: string;
}

export interface BookingWarning {
  name: "sameCustomer";
  /** tell the user */
  message: string;
  /** the other appointment */
  appointmentId?: string;
}

export interface CacheClearResult {
  cleared: string[];
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface CacheEraseResult {
  accounts: CacheErasure[];
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface CacheErasure {
  account: string;
  /** the number of appointments removed from the cached list */
  appointments: number;
  /** the number of ended bookings removed from the journal */
  bookings: number;
  /** the number of deleted files that could not be searched */
  damagedFiles: number;
  /** what was not removed */
  left: BookingLeft[];
}

export interface CacheStatusResult {
  /** the account of this data */
  account: Account;
  resources: CachedList[];
  images: ImageCacheStatus;
  /** the number of quarantined files */
  damagedFiles: number;
  journal: JournalStatus;
  /** other accounts in the same directory with bookings in doubt; they are not resolved */
  otherAccounts: OtherAccount[];
}

export interface CacheValidateResult {
  salons: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  appointments: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  feed: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  movies: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  menu: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  images: "empty" | "valid" | "fromFuture" | "deletedExpired" | "deletedUnreadable" | "wouldDeleteExpired" | "wouldDeleteUnreadable";
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface CachedList {
  name: string;
  /** incomplete: fresh, but parts of the list were never loaded; fromFuture: its time is in the future, so its age is not known */
  state: "empty" | "fresh" | "incomplete" | "expired" | "fromFuture" | "unreadable";
  /** the number of elements */
  count?: number;
  bytes?: number;
  /** when it was loaded from the server */
  savedAt?: Time;
  ageSeconds?: number;
  /** absent if it never expires */
  expiresAt?: Time;
  /** why it cannot be read */
  reason?: string;
}

export interface Change {
  resource: string;
  /** the ids of elements that are new or different */
  changed: string[];
  /** the ids of elements that are gone */
  deleted: string[];
  /** true if other elements may have changed, too */
  all: boolean;
  /** the source of the cached list, and how old it is */
  provenance?: Provenance;
}

export interface ChangedMember {
  member: string;
  /** as text, times as 09:30; absent if it was added */
  old?: string;
  /** absent if it was removed */
  new?: string;
}

export interface ConfirmedAppointment {
  appointment: Appointment;
  /** the key for repeating the call */
  idempotencyKey?: string;
  /** why the appointment was not cached */
  cacheError?: string;
  /** what may be a mistake: sameCustomer if this phone has another appointment at that time */
  warnings?: BookingWarning[];
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface FeedImage {
  id: string;
  description?: string;
  location?: string;
  /** the URL for feed/image */
  image: string;
}

export interface FeedListResult {
  items: FeedImage[];
  /** the next page's afterId; absent at the end */
  nextAfterId?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface HeldTime {
  /** absent in a dry run */
  holdId?: string;
  /** when it ends, by the server's clock */
  expiresAt?: Time;
  /** how long it lasts from now */
  secondsLeft?: number;
  salonId: string;
  serviceId?: string;
  /** who is reserved, if known */
  staffId?: string;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
  /** absent in a dry run */
  idempotencyKey?: string;
  /** what may be a mistake: sameCustomer if this phone has another appointment at that time */
  warnings?: BookingWarning[];
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface Image {
  url: string;
  mediaType: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif" | "image/heic";
  /** in bytes */
  size: number;
  /** base64; absent with file, or if the result has image content */
  data?: string;
  /** the path of the file */
  file?: string;
  /** true if nothing was changed */
  dryRun: boolean;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface ImageCacheStatus {
  count?: number;
  bytes?: number;
  /** why they cannot be counted */
  error?: string;
}

export interface JournalStatus {
  /** number of bookings and changes in doubt */
  open?: number;
  /** why it cannot be read */
  error?: string;
}

export interface ListedAppointment {
  id?: string;
  /** increases with each change */
  version?: number;
  /** booked if absent; any status but cancelled takes its time */
  status: string;
  salonId: string;
  /** ISO 8601 with an offset */
  appointmentTime: string;
  phone: string;
  email?: string;
  notes?: string;
  /** a service of the salon */
  serviceId?: string;
  /** a staff member of the salon */
  staffId?: string;
  /** 1 if absent */
  seats: number;
  /** whether the server chose the staff member */
  staffAssigned: boolean;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
  /** true if this program booked or moved it */
  own: boolean;
}

export interface ListedService {
  id: string;
  name: string;
  /** the length */
  minutes: number;
  /** minutes, 0 if absent */
  buffer_before?: number;
  /** minutes, 0 if absent */
  buffer_after?: number;
  price?: Price;
  /** who offers it; absent if the salon lists no staff */
  staffIds?: string[];
}

export interface ListedStaffMember {
  id: string;
  name: string;
  /** service ids; all if absent */
  services?: string[];
  /** the salon's hours if absent */
  weekly?: WeeklyHours;
  /** days with different hours */
  exceptions?: OpeningException[];
  /** the weekly working hours as text */
  hours: string;
}

export interface MenuItem {
  id: string;
  name: string;
  description?: string;
  /** the URL for menu/image */
  image?: string;
}

export interface MenuListResult {
  items: MenuItem[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface Movie {
  id: string;
  title: string;
  overview?: string;
  releaseDate?: string;
  /** a URL */
  image?: string;
}

export interface MoviesListResult {
  items: Movie[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface NamedSalon {
  id: string;
  name: string;
}

export interface OpeningException {
  date?: string;
  closed?: boolean;
  open_time?: number;
  close_time?: number;
  intervals?: string[][];
  from?: string;
  to?: string;
}

export interface OtherAccount {
  account: string;
  /** number of bookings and changes in doubt */
  open?: number;
  error?: string;
}

export interface Outage {
  resource: string;
  /** true if the server has stopped answering, false if it answers again */
  offline: boolean;
  /** since when it does not answer */
  since?: Time;
  /** why it does not answer, for a person */
  reason?: string;
}

export interface OwnBooking {
  id?: string;
  version?: number;
  appointmentTime: string;
  idempotencyKey?: string;
}

export interface PresentState {
  state: "unchanged" | "moved" | "changed" | "cancelled" | "notListed" | "unknown";
  /** when the server stated this; absent if it is unknown */
  asOf?: string;
  /** if it differs */
  appointment?: Appointment;
  /** why the server did not state it just now */
  reason?: string;
}

export interface Price {
  /** in minor units, such as cents */
  amount: number;
  /** ISO 4217 */
  currency: string;
  /** such as 45.00 EUR */
  text?: string;
}

export interface Provenance {
  source: "server" | "revalidated" | "cache" | "none";
  /** false if the list has gaps */
  complete: boolean;
  fetchedAt?: Time;
  ageSeconds?: number;
  expiresAt?: Time;
  /** why the server could not be used */
  serverError?: string;
  /** why the cache failed */
  cacheError?: string;
  /** what to know before using the data */
  warning?: string;
}

export interface ReleasedHold {
  holdId: string;
  /** true if it had ended before, or was booked */
  hadEnded?: boolean;
  phone?: string;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start?: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday?: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
  /** true if nothing was changed */
  dryRun: boolean;
}

export interface Resolution {
  idempotencyKey: string;
  action: "book" | "reschedule" | "cancel";
  outcome: "booked" | "notBooked" | "rescheduled" | "notRescheduled" | "cancelled" | "notCancelled" | "notFound" | "discarded" | "inDoubt";
  /** as the server shows it if it was done, otherwise as requested */
  appointment: Appointment;
  reason?: string;
  /** the appointment now, if it was done and the call names its key */
  present?: PresentState;
}

export interface Salon {
  id: string;
  name: string;
  location: string;
  /** other names of the salon or its place, by which people look for it */
  aliases?: string[];
  phone?: string;
  /** hour.minute: 9.30 is 09:30 */
  open_time: number;
  /** hour.minute; on the next day unless it is after open_time */
  close_time: number;
  /** as text; absent in lists of over 100 */
  hours?: string;
  /** the length of an appointment without a service, and the step between start times; if absent, 30 minutes and any start time */
  slot_minutes?: number;
  /** the IANA name of its time zone */
  time_zone?: string;
  /** days with different hours */
  exceptions?: OpeningException[];
  /** minutes of notice that a booking needs */
  lead_minutes?: number;
  /** days ahead that can be booked; if absent, the server decides: novablend-backend lets customers book 800 days ahead */
  furthest_days?: number;
  /** the active appointments that a customer can have at the salon; any number if absent */
  max_active_per_customer?: number;
  /** the appointments that a customer can book at the salon within 24 hours; any number if absent */
  max_per_day_per_customer?: number;
  /** increases with each change */
  version?: number;
  /** intervals such as ["09:00", "12:30"] by weekday, instead of open_time and close_time */
  weekly?: WeeklyHours;
  services?: Service[];
  /** the staff members that can be booked */
  staff?: StaffMember[];
  /** appointments at the same time if there is no staff; 1 if absent */
  seats?: number;
}

export interface SalonChange {
  /** true if nothing was changed */
  dryRun: boolean;
  outcome: "created" | "changed" | "unchanged";
  /** as the server stores it */
  salon: Salon;
  /** the members that differ */
  changes: ChangedMember[];
  /** the future appointments that it would not accept; they remain booked */
  conflicts: SalonConflict[];
  /** how many appointments move */
  moved?: number;
  /** what to know before relying on the change */
  warning?: string;
  /** why not all appointments could be checked */
  appointmentsError?: string;
  /** why the change is not in the cache */
  cacheError?: string;
}

export interface SalonConflict {
  id?: string;
  /** increases with each change */
  version?: number;
  /** booked if absent; any status but cancelled takes its time */
  status: string;
  salonId: string;
  /** ISO 8601 with an offset */
  appointmentTime: string;
  phone: string;
  email?: string;
  notes?: string;
  /** a service of the salon */
  serviceId?: string;
  /** a staff member of the salon */
  staffId?: string;
  /** 1 if absent */
  seats: number;
  /** whether the server chose the staff member */
  staffAssigned: boolean;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
  /** what no longer fits */
  reasons: ("localTimeChanged" | "outsideHours" | "notWorking" | "offGrid" | "notOffered" | "overbooked")[];
  /** appointmentTime on the salon's clock now, in RFC 3339, if the local time differs */
  newLocalTime?: string;
}

export interface SalonDeletion {
  /** true if nothing was changed */
  dryRun: boolean;
  outcome: "deleted";
  /** as the server stored it */
  salon: Salon;
  /** why not all appointments could be checked */
  appointmentsError?: string;
  /** why the change is not in the cache */
  cacheError?: string;
}

export interface SalonMatch {
  salonId: string;
  in: "alias" | "service" | "staff";
  text: string;
}

export interface SalonsAvailabilityResult {
  salon: NamedSalon;
  /** if the salon has one */
  timeZone?: string;
  /** the UTC offset; if it changes within the range, each day has its own */
  offset?: string;
  /** the current time on the salon's clock */
  now: Time;
  /** the minutes between start times and, unless assumed, the length without a service */
  slotMinutes: number;
  /** the length of the service */
  serviceMinutes?: number;
  /** true if the salon states none: then an end is known only with a service */
  slotMinutesAssumed: boolean;
  /** that any time can be requested, if slotMinutes is assumed */
  note?: string;
  source: "server" | "computed";
  /** the source of the known bookings, if the times are computed */
  provenance?: Provenance;
  days: AvailabilityDay[];
  /** pass it as start to list the times after the limit */
  nextStart?: Time;
  /** whether the time in explain can be booked */
  explanation?: SlotExplanation;
}

export interface SalonsGetResult {
  salon: Salon;
  /** how soon it can be booked, such as: no limit stated */
  earliest: string;
  /** how far ahead it can be booked, such as: 90 days from now */
  latest: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SalonsListResult {
  salons: Salon[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where a salon has words of the query, unless in its name or location */
  matches?: SalonMatch[];
  /** what to try if no salon matches the query */
  hint?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SelectedAppointment {
  id?: string;
  /** increases with each change */
  version?: number;
  /** booked if absent; any status but cancelled takes its time */
  status?: string;
  salonId?: string;
  /** ISO 8601 with an offset */
  appointmentTime?: string;
  phone?: string;
  email?: string;
  notes?: string;
  /** a service of the salon */
  serviceId?: string;
  /** a staff member of the salon */
  staffId?: string;
  /** 1 if absent */
  seats?: number;
  /** whether the server chose the staff member */
  staffAssigned?: boolean;
  /** if the salon is known */
  salonName?: string;
  /** on the salon's clock if there is a zone */
  start?: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday?: string;
  /** the service's name, if known */
  service?: string;
  /** the staff member's name, if known */
  staff?: string;
  /** the service's price, such as 45.00 EUR, if the salon states it */
  price?: string;
  /** true if this program booked or moved it */
  own?: boolean;
}

export interface SelectedAppointmentsListResult {
  appointments: SelectedAppointment[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SelectedDay {
  /** the opening day: times past midnight are written with their own date */
  date: string;
  weekday?: string;
  /** the UTC offset, if days differ */
  offset?: string;
  /** 09:30-22:30; absent if closed */
  hours?: string;
  /** the start times that can be booked */
  free?: string[];
  /** for each time in free, how many staff or seats are free, if there are several */
  freeCounts?: number[];
  /** the start times that may be taken, because bookings are unknown */
  unconfirmed?: string[];
  /** the start times that others have booked or hold */
  taken?: string[];
  /** the start times that your own bookings, and holds of this program, take */
  own?: string[];
  /** why no time is free */
  reason?: string;
  /** all these times in order; only if fields names it */
  slots?: AvailabilitySlot[];
}

export interface SelectedFeedImage {
  id: string;
  description?: string;
  location?: string;
  /** the URL for feed/image */
  image?: string;
}

export interface SelectedFeedListResult {
  items: SelectedFeedImage[];
  /** the next page's afterId; absent at the end */
  nextAfterId?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SelectedMenuItem {
  id: string;
  name?: string;
  description?: string;
  /** the URL for menu/image */
  image?: string;
}

export interface SelectedMenuListResult {
  items: SelectedMenuItem[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SelectedMovie {
  id: string;
  title?: string;
  overview?: string;
  releaseDate?: string;
  /** a URL */
  image?: string;
}

export interface SelectedMoviesListResult {
  items: SelectedMovie[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SelectedSalon {
  id: string;
  name?: string;
  location?: string;
  /** other names of the salon or its place, by which people look for it */
  aliases?: string[];
  phone?: string;
  /** hour.minute: 9.30 is 09:30 */
  open_time?: number;
  /** hour.minute; on the next day unless it is after open_time */
  close_time?: number;
  /** as text; absent in lists of over 100 */
  hours?: string;
  /** the length of an appointment without a service, and the step between start times; if absent, 30 minutes and any start time */
  slot_minutes?: number;
  /** the IANA name of its time zone */
  time_zone?: string;
  /** days with different hours */
  exceptions?: OpeningException[];
  /** minutes of notice that a booking needs */
  lead_minutes?: number;
  /** days ahead that can be booked; if absent, the server decides: novablend-backend lets customers book 800 days ahead */
  furthest_days?: number;
  /** the active appointments that a customer can have at the salon; any number if absent */
  max_active_per_customer?: number;
  /** the appointments that a customer can book at the salon within 24 hours; any number if absent */
  max_per_day_per_customer?: number;
  /** increases with each change */
  version?: number;
  /** intervals such as ["09:00", "12:30"] by weekday, instead of open_time and close_time */
  weekly?: WeeklyHours;
  services?: Service[];
  /** the staff members that can be booked */
  staff?: StaffMember[];
  /** appointments at the same time if there is no staff; 1 if absent */
  seats?: number;
}

export interface SelectedSalonsAvailabilityResult {
  salon: NamedSalon;
  /** if the salon has one */
  timeZone?: string;
  /** the UTC offset; if it changes within the range, each day has its own */
  offset?: string;
  /** the current time on the salon's clock */
  now: Time;
  /** the minutes between start times and, unless assumed, the length without a service */
  slotMinutes: number;
  /** the length of the service */
  serviceMinutes?: number;
  /** true if the salon states none: then an end is known only with a service */
  slotMinutesAssumed: boolean;
  /** that any time can be requested, if slotMinutes is assumed */
  note?: string;
  source: "server" | "computed";
  /** the source of the known bookings, if the times are computed */
  provenance?: Provenance;
  days: SelectedDay[];
  /** pass it as start to list the times after the limit */
  nextStart?: Time;
  /** whether the time in explain can be booked */
  explanation?: SlotExplanation;
}

export interface SelectedSalonsListResult {
  salons: SelectedSalon[];
  /** the number on all pages */
  total: number;
  /** the next page's cursor */
  nextCursor?: string;
  /** where a salon has words of the query, unless in its name or location */
  matches?: SalonMatch[];
  /** what to try if no salon matches the query */
  hint?: string;
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface Service {
  id: string;
  name: string;
  /** the length */
  minutes: number;
  /** minutes, 0 if absent */
  buffer_before?: number;
  /** minutes, 0 if absent */
  buffer_after?: number;
  price?: Price;
}

export interface ServicesListResult {
  salon: NamedSalon;
  services: ListedService[];
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface SlotExplanation {
  /** on the salon's clock if there is a zone */
  start: Time;
  /** absent if not known */
  end?: Time;
  /** the salon's time zone, if known */
  zone?: string;
  /** of start */
  weekday: string;
  /** absent if it is not known whether the time is taken */
  bookable?: boolean;
  /** who could take it, and why the others could not */
  staff?: StaffAvailability[];
  /** the broken rule */
  rule?: "past" | "closedDay" | "outsideHours" | "endsAfterHours" | "offGrid" | "notWorking" | "tooSoon" | "tooFarAhead" | "taken";
  reason?: string;
  /** your own booking at that time */
  ownBooking?: OwnBooking;
  /** the id of your own hold of that time */
  ownHold?: string;
  alternatives: Time[];
}

export interface StaffAvailability {
  id: string;
  name?: string;
  free: boolean;
  /** such as taken or notWorking */
  rule?: string;
  reason?: string;
}

export interface StaffListResult {
  salon: NamedSalon;
  staff: ListedStaffMember[];
  /** where it came from, and how old it is */
  provenance: Provenance;
}

export interface StaffMember {
  id: string;
  name: string;
  /** service ids; all if absent */
  services?: string[];
  /** the salon's hours if absent */
  weekly?: WeeklyHours;
  /** days with different hours */
  exceptions?: OpeningException[];
}

export interface WeeklyHours {
  mon?: string[][];
  tue?: string[][];
  wed?: string[][];
  thu?: string[][];
  fri?: string[][];
  sat?: string[][];
  sun?: string[][];
}

const SHAPES: Readonly<Record<string, Shape | undefined>> = {
  Appointment: { times: ["start", "end"], defaults: { status: "booked", seats: 1, staffAssigned: false } },
  AppointmentsExportResult: { objects: { provenance: "Provenance" }, defaults: { dryRun: false } },
  AppointmentsListResult: { objects: { appointments: "ListedAppointment", provenance: "Provenance" } },
  AppointmentsResolveResult: { objects: { resolutions: "Resolution" }, defaults: { dryRun: false } },
  AvailabilityDay: { objects: { slots: "AvailabilitySlot" }, defaults: { free: [], unconfirmed: [], taken: [],
    own: [] } },
  AvailabilitySlot: { times: ["appointmentTime", "end"] },
  CacheClearResult: { defaults: { dryRun: false } },
  CacheEraseResult: { defaults: { dryRun: false } },
  CacheStatusResult: { objects: { resources: "CachedList" } },
  CacheValidateResult: { defaults: { dryRun: false } },
  CachedList: { times: ["savedAt", "expiresAt"] },
  Change: { objects: { provenance: "Provenance" }, defaults: { all: false } },
  ConfirmedAppointment: { objects: { appointment: "Appointment" }, defaults: { dryRun: false } },
  FeedListResult: { objects: { provenance: "Provenance" } },
  HeldTime: { times: ["expiresAt", "start", "end"], defaults: { dryRun: false } },
  Image: { objects: { provenance: "Provenance" }, defaults: { dryRun: false } },
  ListedAppointment: { times: ["start", "end"], defaults: { status: "booked", seats: 1, staffAssigned: false,
    own: false } },
  MenuListResult: { objects: { provenance: "Provenance" } },
  MoviesListResult: { objects: { provenance: "Provenance" } },
  Outage: { times: ["since"] },
  PresentState: { objects: { appointment: "Appointment" } },
  Provenance: { times: ["fetchedAt", "expiresAt"], defaults: { complete: true } },
  ReleasedHold: { times: ["start", "end"], defaults: { dryRun: false } },
  Resolution: { objects: { appointment: "Appointment", present: "PresentState" } },
  SalonChange: { objects: { conflicts: "SalonConflict" }, defaults: { dryRun: false } },
  SalonConflict: { times: ["start", "end"], defaults: { status: "booked", seats: 1, staffAssigned: false } },
  SalonDeletion: { defaults: { dryRun: false } },
  SalonsAvailabilityResult: { times: ["now", "nextStart"], objects: { provenance: "Provenance", days:
    "AvailabilityDay", explanation: "SlotExplanation" }, defaults: { slotMinutesAssumed: false } },
  SalonsGetResult: { objects: { provenance: "Provenance" } },
  SalonsListResult: { objects: { provenance: "Provenance" } },
  SelectedAppointment: { times: ["start", "end"] },
  SelectedAppointmentsListResult: { objects: { appointments: "SelectedAppointment", provenance: "Provenance" }
    },
  SelectedDay: { objects: { slots: "AvailabilitySlot" } },
  SelectedFeedListResult: { objects: { provenance: "Provenance" } },
  SelectedMenuListResult: { objects: { provenance: "Provenance" } },
  SelectedMoviesListResult: { objects: { provenance: "Provenance" } },
  SelectedSalonsAvailabilityResult: { times: ["now", "nextStart"], objects: { provenance: "Provenance", days:
    "SelectedDay", explanation: "SlotExplanation" }, defaults: { slotMinutesAssumed: false } },
  SelectedSalonsListResult: { objects: { provenance: "Provenance" } },
  ServicesListResult: { objects: { provenance: "Provenance" } },
  SlotExplanation: { times: ["start", "end", "alternatives"], defaults: { alternatives: [] } },
  StaffListResult: { objects: { provenance: "Provenance" } },
};

/** The server cannot be reached, and the cache cannot be used instead. */
export class ConnectivityError extends CallError {
  static readonly code: number = 1001;
}

/** The server's response violates the contract. */
export class InvalidDataError extends CallError {
  static readonly code: number = 1002;
}

/** The server rejected the request. */
export class ServerRejectedError extends CallError {
  static readonly code: number = 1003;
}

/** The server is too slow or overloaded, and nothing fresh is cached. */
export class UnavailableError extends CallError {
  static readonly code: number = 1004;
}

/** The server rejected the credentials (401). */
export class NotAuthenticatedError extends CallError {
  static readonly code: number = 1005;
}

/** The credentials do not allow the request (403). */
export class NotAllowedError extends CallError {
  static readonly code: number = 1006;
}

/** Cached data cannot be read. */
export class CacheRetrievalError extends CallError {
  static readonly code: number = 1101;
}

/** Cached data cannot be deleted. */
export class CacheDeletionError extends CallError {
  static readonly code: number = 1102;
}

/** The file cannot be written. */
export class FileNotWrittenError extends CallError {
  static readonly code: number = 1104;
}

/** The journal of bookings cannot be read or written. Nothing was sent. */
export class JournalUnavailableError extends CallError {
  static readonly code: number = 1105;
}

/** The server cannot be reached. Nothing was booked or changed. */
export class BookingRequiresConnectionError extends CallError {
  static readonly code: number = 1201;
}

/** The slot is taken. */
export class SlotUnavailableError extends CallError {
  static readonly code: number = 1202;

  /** The times in the alternatives of the error. */
  get alternatives(): Time[] {
    return this.times("alternatives");
  }
}

/** The salon is closed at that time. */
export class OutsideOpeningHoursError extends CallError {
  static readonly code: number = 1203;

  /** The times in the alternatives of the error. */
  get alternatives(): Time[] {
    return this.times("alternatives");
  }
}

/** The salon does not exist. */
export class SalonNotFoundError extends CallError {
  static readonly code: number = 1204;
}

/** The appointment does not exist, or it was cancelled. */
export class AppointmentNotFoundError extends CallError {
  static readonly code: number = 1205;
}

/** It is unknown whether the booking or the change was made. */
export class BookingInDoubtError extends CallError {
  static readonly code: number = 1206;
}

/** The idempotencyKey was used for a different request. */
export class IdempotencyConflictError extends CallError {
  static readonly code: number = 1207;
}

/** The appointment or the salon has changed since that version, so the change cannot be made. */
export class VersionConflictError extends CallError {
  static readonly code: number = 1208;
}

/** The user did not confirm a tool call. Nothing was changed. */
export class DeclinedError extends CallError {
  static readonly code: number = 1209;
}

/** A rule of the salon forbids the time. */
export class NotBookableError extends CallError {
  static readonly code: number = 1210;

  /** The times in the alternatives of the error. */
  get alternatives(): Time[] {
    return this.times("alternatives");
  }
}

/** This machine does not know the salon's time zone. */
export class ZoneUnknownError extends CallError {
  static readonly code: number = 1211;
}

/** The salon has appointments in the future, so it was not deleted. */
export class SalonHasBookingsError extends CallError {
  static readonly code: number = 1212;
}

/** It is unknown whether the salon was changed. */
export class SalonInDoubtError extends CallError {
  static readonly code: number = 1213;
}

/** The hold does not exist. */
export class HoldNotFoundError extends CallError {
  static readonly code: number = 1214;
}

/** The server grants no hold at the moment. */
export class TooManyHoldsError extends CallError {
  static readonly code: number = 1215;
}

/** The server cannot hold times. */
export class HoldsUnsupportedError extends CallError {
  static readonly code: number = 1216;
}

/** It is unknown whether the time is held. A hold ends by itself. */
export class HoldInDoubtError extends CallError {
  static readonly code: number = 1217;
}

/** The customer has as many appointments as it may have. */
export class TooManyAppointmentsError extends CallError {
  static readonly code: number = 1218;
}

/** No server is configured. */
export class NotConfiguredError extends CallError {
  static readonly code: number = 1301;
}

/** The program was started with --read-only. */
export class ReadOnlyError extends CallError {
  static readonly code: number = 1302;
}

const ERRORS = new Map(
  [
    InvalidParamsError,
    OverloadedError,
    InputEndedError,
    CallCancelledError,
    ConnectivityError,
    InvalidDataError,
    ServerRejectedError,
    UnavailableError,
    NotAuthenticatedError,
    NotAllowedError,
    CacheRetrievalError,
    CacheDeletionError,
    FileNotWrittenError,
    JournalUnavailableError,
    BookingRequiresConnectionError,
    SlotUnavailableError,
    OutsideOpeningHoursError,
    SalonNotFoundError,
    AppointmentNotFoundError,
    BookingInDoubtError,
    IdempotencyConflictError,
    VersionConflictError,
    DeclinedError,
    NotBookableError,
    ZoneUnknownError,
    SalonHasBookingsError,
    SalonInDoubtError,
    HoldNotFoundError,
    TooManyHoldsError,
    HoldsUnsupportedError,
    HoldInDoubtError,
    TooManyAppointmentsError,
    NotConfiguredError,
    ReadOnlyError,
  ].map((kind) => [kind.code, kind])
);

export interface SalonsListParams {
  /** words in name, location, alias, service, or staff; ignores case, accents, and spaces */
  query?: string | undefined;
  /** only salons open at this time, by default on each salon's clock */
  openAt?: string | Date | undefined;
  /** maximum number of results */
  limit?: number | undefined;
  /** nextCursor of the previous page */
  cursor?: string | undefined;
  /** members besides id; all by default */
  fields?: readonly SalonsListFields[] | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface SalonsGetParams {
  /** id or unique name */
  id: string;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface SalonsAvailabilityParams {
  /** id or unique name */
  salonId: string;
  /** time or date, by default on the salon's clock */
  start?: string | Date | undefined;
  /** exclusive end; a date includes that day */
  end?: string | Date | undefined;
  /** number of days, instead of end; start is a date then, or today */
  days?: number | undefined;
  /** a time to check: can it be booked, and if not, why? */
  explain?: string | Date | undefined;
  /** an appointment to move: its own time counts as free */
  appointmentId?: string | undefined;
  /** from services/list */
  serviceId?: string | undefined;
  /** from staff/list; by default anyone who is free */
  staffId?: string | undefined;
  /** 1 by default */
  seats?: number | undefined;
  /** maximum number of start times */
  limit?: number | undefined;
  /** omit taken times */
  onlyFree?: boolean | undefined;
  /** members besides date; all by default */
  fields?: readonly SalonsAvailabilityFields[] | undefined;
}

export interface ServicesListParams {
  /** id or unique name */
  salonId: string;
  /** only services that this staff member offers */
  staffId?: string | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface StaffListParams {
  /** id or unique name */
  salonId: string;
  /** only staff who offer this service */
  serviceId?: string | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface SalonsPutParams {
  /** all members of the salon, as in salons/get; members that are left out are removed */
  salon: object;
  /** the expected version, or 0 if the salon must not exist; by default the version in salon, or else the current one */
  version?: number | undefined;
  /** wallClock: appointments keep their local times in a new time zone */
  keep?: Keep | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface SalonsDeleteParams {
  /** id or unique name */
  salonId: string;
  /** the expected version, from salons/list; by default the current one */
  version?: number | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsListParams {
  /** id or unique name */
  salonId?: string | undefined;
  /** words in the name, location, or alias of salons */
  salon?: string | undefined;
  /** a staff member's id, or words in the name */
  staffId?: string | undefined;
  /** the last digits of the customer's number, at least 4 */
  phone?: string | undefined;
  /** time or date, by default on the salon's clock */
  start?: string | Date | undefined;
  /** exclusive end; a date includes that day */
  end?: string | Date | undefined;
  /** number of days, instead of end; start is a date then, or today */
  days?: number | undefined;
  /** booked (default), cancelled, or all */
  status?: Status | undefined;
  /** maximum number of results */
  limit?: number | undefined;
  /** nextCursor of the previous page */
  cursor?: string | undefined;
  /** members besides id; all by default */
  fields?: readonly AppointmentsListFields[] | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface AppointmentsBookParams {
  /** id or unique name */
  salonId?: string | undefined;
  /** YYYY-MM-DDThh:mm+hh:mm; the offset is optional if the salon has a time_zone */
  appointmentTime?: string | Date | undefined;
  /** the customer's phone number */
  phone?: string | undefined;
  /** from services/list */
  serviceId?: string | undefined;
  /** from staff/list; by default anyone who is free */
  staffId?: string | undefined;
  /** 1 by default */
  seats?: number | undefined;
  /** the customer's email */
  email?: string | undefined;
  /** what the salon should know */
  notes?: string | undefined;
  /** from appointments/hold; it states what you leave out. Without it, salonId, appointmentTime, and phone are required */
  holdId?: string | undefined;
  /** identifies repeated calls: 1 to 255 ASCII characters */
  idempotencyKey?: string | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsHoldParams {
  /** id or unique name */
  salonId: string;
  /** YYYY-MM-DDThh:mm+hh:mm; the offset is optional if the salon has a time_zone */
  appointmentTime: string | Date;
  /** the customer's phone number */
  phone: string;
  /** from services/list */
  serviceId?: string | undefined;
  /** from staff/list; by default anyone who is free */
  staffId?: string | undefined;
  /** 1 by default */
  seats?: number | undefined;
  /** 1 to 15; the server's default is usually 5 */
  minutes?: number | undefined;
  /** identifies repeated calls: 1 to 255 ASCII characters */
  idempotencyKey?: string | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsReleaseParams {
  /** from appointments/hold */
  holdId: string;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsRescheduleParams {
  /** from appointments/list */
  id: string;
  /** YYYY-MM-DDThh:mm+hh:mm; the offset is optional if the salon has a time_zone */
  appointmentTime: string | Date;
  /** a different service */
  serviceId?: string | undefined;
  /** a different staff member */
  staffId?: string | undefined;
  /** anyone who is free instead of the chosen staff member */
  anyStaff?: boolean | undefined;
  /** a different number of seats */
  seats?: number | undefined;
  /** the expected version; by default the current one */
  version?: number | undefined;
  /** identifies repeated calls: 1 to 255 ASCII characters */
  idempotencyKey?: string | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsCancelParams {
  /** from appointments/list */
  id: string;
  /** the expected version; by default the current one */
  version?: number | undefined;
  /** identifies repeated calls: 1 to 255 ASCII characters */
  idempotencyKey?: string | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsResolveParams {
  /** only the booking or change with this key */
  idempotencyKey?: string | undefined;
  /** the idempotencyKey of a booking or change in doubt to discard */
  discard?: string | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface AppointmentsExportParams {
  /** id or unique name */
  salonId?: string | undefined;
  /** words in the name, location, or alias of salons */
  salon?: string | undefined;
  /** a staff member's id, or words in the name */
  staffId?: string | undefined;
  /** the last digits of the customer's number, at least 4 */
  phone?: string | undefined;
  /** time or date, by default on the salon's clock */
  start?: string | Date | undefined;
  /** exclusive end; a date includes that day */
  end?: string | Date | undefined;
  /** number of days, instead of end; start is a date then, or today */
  days?: number | undefined;
  /** booked (default), cancelled, or all */
  status?: Status | undefined;
  /** adds a reminder this long before each booked appointment: 30m, 2h, or 1d */
  remind?: string | undefined;
  /** absolute path of a file to write the data to */
  file?: string | undefined;
  /** replace an existing file */
  overwrite?: boolean | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface FeedListParams {
  /** maximum number of results */
  limit?: number | undefined;
  /** nextAfterId of the previous page */
  afterId?: string | undefined;
  /** members besides id; all by default */
  fields?: readonly FeedListFields[] | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface FeedImageParams {
  /** the image's URL, from feed/list */
  url: string;
  /** absolute path of a file to write the data to */
  file?: string | undefined;
  /** replace an existing file */
  overwrite?: boolean | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
  /** the source: cacheFirst (default), serverFirst, serverOnly, cacheOnly, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface MoviesListParams {
  /** words to find; ignores case, accents, and spaces */
  query?: string | undefined;
  /** maximum number of results */
  limit?: number | undefined;
  /** nextCursor of the previous page */
  cursor?: string | undefined;
  /** members besides id; all by default */
  fields?: readonly MoviesListFields[] | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface MenuListParams {
  /** words to find; ignores case, accents, and spaces */
  query?: string | undefined;
  /** maximum number of results */
  limit?: number | undefined;
  /** nextCursor of the previous page */
  cursor?: string | undefined;
  /** members besides id; all by default */
  fields?: readonly MenuListFields[] | undefined;
  /** the source: serverFirst (default), serverOnly, cacheOnly, cacheFirst, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface MenuImageParams {
  /** the image's URL, from menu/list */
  url: string;
  /** absolute path of a file to write the data to */
  file?: string | undefined;
  /** replace an existing file */
  overwrite?: boolean | undefined;
  /** only report what would happen */
  dryRun?: boolean | undefined;
  /** the source: cacheFirst (default), serverFirst, serverOnly, cacheOnly, staleWhileRevalidate */
  policy?: Policy | undefined;
}

export interface CacheValidateParams {
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface CacheClearParams {
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

export interface CacheEraseParams {
  /** the customer's phone number in any form; it is compared by its last digits */
  phone: string;
  /** only report what would happen */
  dryRun?: boolean | undefined;
}

/** A client of `novablend serve`, which starts at the first call and ends with `close`. */
export class NovaBlend extends Runtime {
  /**
   * Lists salons from the server, or from the cache when offline.
   *
   * Returns the salons and their provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  salonsList(params?: SalonsListParams & { fields?: undefined }, options?: CallOptions): Promise<SalonsListResult>;
  salonsList(params: SalonsListParams & { fields: readonly SalonsListFields[] }, options?: CallOptions): Promise<SelectedSalonsListResult>;
  salonsList(params: SalonsListParams, options?: CallOptions): Promise<SalonsListResult | SelectedSalonsListResult>;
  async salonsList(params: SalonsListParams = {}, options: CallOptions = {}): Promise<SalonsListResult | SelectedSalonsListResult> {
    const result = await this.call("salons/list", { ...params }, options);
    if (params.fields) return decoded("SelectedSalonsListResult", result as SelectedSalonsListResult);
    return decoded("SalonsListResult", result as SalonsListResult);
  }

  /**
   * Lists salons from the server, or from the cache when offline.
   *
   * Iterates over the elements of all pages, which are loaded when they are needed; `limit` is the number of elements of a page, and `timeout` the time for one.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  salonsListAll(params?: SalonsListParams & { fields?: undefined }, options?: CallOptions): AsyncGenerator<Salon, void, undefined>;
  salonsListAll(params: SalonsListParams & { fields: readonly SalonsListFields[] }, options?: CallOptions): AsyncGenerator<SelectedSalon, void, undefined>;
  salonsListAll(params: SalonsListParams, options?: CallOptions): AsyncGenerator<Salon | SelectedSalon, void, undefined>;
  async *salonsListAll(params: SalonsListParams = {}, options: CallOptions = {}): AsyncGenerator<Salon | SelectedSalon, void, undefined> {
    let cursor: string | undefined = params.cursor;
    do {
      const page: SalonsListResult | SelectedSalonsListResult = await this.salonsList({ ...params, cursor }, options);
      yield* page.salons;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /**
   * Returns one salon.
   *
   * Returns the salon and its provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, SalonNotFoundError, NotConfiguredError.
   */
  async salonsGet(params: SalonsGetParams, options: CallOptions = {}): Promise<SalonsGetResult> {
    return decoded("SalonsGetResult", (await this.call("salons/get", { ...params }, options)) as SalonsGetResult);
  }

  /**
   * Lists a salon's free times by day, by default today's, for at most 31 days. Times past midnight belong to the day on which the salon opened, and have their own date. To book one, pass its date and time to appointments/book as appointmentTime (YYYY-MM-DDThh:mm); add the offset if timeZone is absent.
   *
   * Returns the times by day, and their source.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, SalonNotFoundError, ZoneUnknownError, NotConfiguredError.
   */
  salonsAvailability(params: SalonsAvailabilityParams & { fields?: undefined }, options?: CallOptions): Promise<SalonsAvailabilityResult>;
  salonsAvailability(params: SalonsAvailabilityParams & { fields: readonly SalonsAvailabilityFields[] }, options?: CallOptions): Promise<SelectedSalonsAvailabilityResult>;
  salonsAvailability(params: SalonsAvailabilityParams, options?: CallOptions): Promise<SalonsAvailabilityResult | SelectedSalonsAvailabilityResult>;
  async salonsAvailability(params: SalonsAvailabilityParams, options: CallOptions = {}): Promise<SalonsAvailabilityResult | SelectedSalonsAvailabilityResult> {
    const result = await this.call("salons/availability", { ...params }, options);
    if (params.fields) return decoded("SelectedSalonsAvailabilityResult", result as SelectedSalonsAvailabilityResult);
    return decoded("SalonsAvailabilityResult", result as SalonsAvailabilityResult);
  }

  /**
   * Lists a salon's services, with their prices and who offers them.
   *
   * Returns the services of the salon, and its provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, SalonNotFoundError, NotConfiguredError.
   */
  async servicesList(params: ServicesListParams, options: CallOptions = {}): Promise<ServicesListResult> {
    return decoded("ServicesListResult", (await this.call("services/list", { ...params }, options)) as ServicesListResult);
  }

  /**
   * Lists a salon's staff, with their services and working hours.
   *
   * Returns the staff of the salon, and its provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, SalonNotFoundError, NotConfiguredError.
   */
  async staffList(params: StaffListParams, options: CallOptions = {}): Promise<StaffListResult> {
    return decoded("StaffListResult", (await this.call("staff/list", { ...params }, options)) as StaffListResult);
  }

  /**
   * Creates a salon, or replaces all of it. Lists appointments that no longer fit; they remain booked. Few servers allow it.
   *
   * Returns what happened to the salon.
   * Throws InvalidDataError, ServerRejectedError, NotAuthenticatedError, NotAllowedError, BookingRequiresConnectionError, SalonNotFoundError, VersionConflictError, DeclinedError, SalonInDoubtError, NotConfiguredError, ReadOnlyError.
   */
  async salonsPut(params: SalonsPutParams, options: CallOptions = {}): Promise<SalonChange> {
    return decoded("SalonChange", (await this.change("salons/put", { ...params }, options, { hasKey: false, inDoubt: SalonInDoubtError })) as SalonChange);
  }

  /**
   * Deletes a salon. Fails if it has appointments in the future. Few servers allow it.
   *
   * Returns what happened to the salon.
   * Throws ConnectivityError, InvalidDataError, ServerRejectedError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, BookingRequiresConnectionError, SalonNotFoundError, VersionConflictError, DeclinedError, SalonHasBookingsError, SalonInDoubtError, NotConfiguredError, ReadOnlyError.
   */
  async salonsDelete(params: SalonsDeleteParams, options: CallOptions = {}): Promise<SalonDeletion> {
    return decoded("SalonDeletion", (await this.change("salons/delete", { ...params }, options, { hasKey: false, inDoubt: SalonInDoubtError })) as SalonDeletion);
  }

  /**
   * Lists booked appointments by time, from the server, or from the cache when offline.
   *
   * Returns the appointments and their provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  appointmentsList(params?: AppointmentsListParams & { fields?: undefined }, options?: CallOptions): Promise<AppointmentsListResult>;
  appointmentsList(params: AppointmentsListParams & { fields: readonly AppointmentsListFields[] }, options?: CallOptions): Promise<SelectedAppointmentsListResult>;
  appointmentsList(params: AppointmentsListParams, options?: CallOptions): Promise<AppointmentsListResult | SelectedAppointmentsListResult>;
  async appointmentsList(params: AppointmentsListParams = {}, options: CallOptions = {}): Promise<AppointmentsListResult | SelectedAppointmentsListResult> {
    const result = await this.call("appointments/list", { ...params }, options);
    if (params.fields) return decoded("SelectedAppointmentsListResult", result as SelectedAppointmentsListResult);
    return decoded("AppointmentsListResult", result as AppointmentsListResult);
  }

  /**
   * Lists booked appointments by time, from the server, or from the cache when offline.
   *
   * Iterates over the elements of all pages, which are loaded when they are needed; `limit` is the number of elements of a page, and `timeout` the time for one.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  appointmentsListAll(params?: AppointmentsListParams & { fields?: undefined }, options?: CallOptions): AsyncGenerator<ListedAppointment, void, undefined>;
  appointmentsListAll(params: AppointmentsListParams & { fields: readonly AppointmentsListFields[] }, options?: CallOptions): AsyncGenerator<SelectedAppointment, void, undefined>;
  appointmentsListAll(params: AppointmentsListParams, options?: CallOptions): AsyncGenerator<ListedAppointment | SelectedAppointment, void, undefined>;
  async *appointmentsListAll(params: AppointmentsListParams = {}, options: CallOptions = {}): AsyncGenerator<ListedAppointment | SelectedAppointment, void, undefined> {
    let cursor: string | undefined = params.cursor;
    do {
      const page: AppointmentsListResult | SelectedAppointmentsListResult = await this.appointmentsList({ ...params, cursor }, options);
      yield* page.appointments;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /**
   * Books a free time from salons/availability. A repeated call with the same idempotencyKey books only once.
   *
   * Returns the appointment, and the key of the booking.
   * Throws ConnectivityError, InvalidDataError, ServerRejectedError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, JournalUnavailableError, BookingRequiresConnectionError, SlotUnavailableError, OutsideOpeningHoursError, SalonNotFoundError, BookingInDoubtError, IdempotencyConflictError, DeclinedError, NotBookableError, TooManyAppointmentsError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsBook(params: AppointmentsBookParams = {}, options: CallOptions = {}): Promise<ConfirmedAppointment> {
    return decoded("ConfirmedAppointment", (await this.change("appointments/book", { ...params }, options, { hasKey: true, inDoubt: BookingInDoubtError })) as ConfirmedAppointment);
  }

  /**
   * Reserves a free time for a few minutes. Book it with the holdId, or release it. Few servers support it.
   *
   * Returns the hold, and how long it lasts.
   * Throws ConnectivityError, InvalidDataError, ServerRejectedError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, BookingRequiresConnectionError, SlotUnavailableError, OutsideOpeningHoursError, SalonNotFoundError, DeclinedError, NotBookableError, TooManyHoldsError, HoldsUnsupportedError, HoldInDoubtError, TooManyAppointmentsError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsHold(params: AppointmentsHoldParams, options: CallOptions = {}): Promise<HeldTime> {
    return decoded("HeldTime", (await this.change("appointments/hold", { ...params }, options, { hasKey: true, inDoubt: HoldInDoubtError })) as HeldTime);
  }

  /**
   * Releases a hold, so that the time is free again.
   *
   * Returns the released hold, and what was held, if that is known.
   * Throws ServerRejectedError, NotAuthenticatedError, NotAllowedError, BookingRequiresConnectionError, DeclinedError, HoldNotFoundError, TooManyHoldsError, HoldsUnsupportedError, HoldInDoubtError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsRelease(params: AppointmentsReleaseParams, options: CallOptions = {}): Promise<ReleasedHold> {
    return decoded("ReleasedHold", (await this.change("appointments/release", { ...params }, options, { hasKey: false, inDoubt: HoldInDoubtError })) as ReleasedHold);
  }

  /**
   * Moves an appointment to a free time from salons/availability. Service, chosen staff, and seats stay unless given. Fails if the appointment has changed since the given version.
   *
   * Returns the appointment at its new time, and the key of the change.
   * Throws InvalidDataError, ServerRejectedError, NotAuthenticatedError, NotAllowedError, JournalUnavailableError, BookingRequiresConnectionError, SlotUnavailableError, OutsideOpeningHoursError, SalonNotFoundError, AppointmentNotFoundError, BookingInDoubtError, IdempotencyConflictError, VersionConflictError, DeclinedError, NotBookableError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsReschedule(params: AppointmentsRescheduleParams, options: CallOptions = {}): Promise<ConfirmedAppointment> {
    return decoded("ConfirmedAppointment", (await this.change("appointments/reschedule", { ...params }, options, { hasKey: true, inDoubt: BookingInDoubtError })) as ConfirmedAppointment);
  }

  /**
   * Cancels an appointment. Fails if it has changed since the given version.
   *
   * Returns the cancelled appointment, and the key of the change.
   * Throws InvalidDataError, ServerRejectedError, NotAuthenticatedError, NotAllowedError, JournalUnavailableError, BookingRequiresConnectionError, AppointmentNotFoundError, BookingInDoubtError, IdempotencyConflictError, VersionConflictError, DeclinedError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsCancel(params: AppointmentsCancelParams, options: CallOptions = {}): Promise<ConfirmedAppointment> {
    return decoded("ConfirmedAppointment", (await this.change("appointments/cancel", { ...params }, options, { hasKey: true, inDoubt: BookingInDoubtError })) as ConfirmedAppointment);
  }

  /**
   * Finds out the outcome of bookings and changes in doubt, without sending them again.
   *
   * Returns one entry for each booking or change in doubt; with `idempotencyKey`, only the entry of that key, even if its outcome is already known; if there is none, `hint` says what that means.
   * Throws JournalUnavailableError, BookingInDoubtError, DeclinedError, ReadOnlyError.
   */
  async appointmentsResolve(params: AppointmentsResolveParams = {}, options: CallOptions = {}): Promise<AppointmentsResolveResult> {
    return decoded("AppointmentsResolveResult", (await this.call("appointments/resolve", { ...params }, options)) as AppointmentsResolveResult);
  }

  /**
   * Exports booked appointments as iCalendar data, or writes it to a file. Without status, recently cancelled ones are included as such, so that calendars remove them. Phone numbers and emails are omitted.
   *
   * Returns the calendar, or the path of the file.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, FileNotWrittenError, DeclinedError, NotConfiguredError, ReadOnlyError.
   */
  async appointmentsExport(params: AppointmentsExportParams = {}, options: CallOptions = {}): Promise<AppointmentsExportResult> {
    return decoded("AppointmentsExportResult", (await this.call("appointments/export", { ...params }, options)) as AppointmentsExportResult);
  }

  /**
   * Lists the elements of feed from the server, or from the cache when offline.
   *
   * Returns the elements and their provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  feedList(params?: FeedListParams & { fields?: undefined }, options?: CallOptions): Promise<FeedListResult>;
  feedList(params: FeedListParams & { fields: readonly FeedListFields[] }, options?: CallOptions): Promise<SelectedFeedListResult>;
  feedList(params: FeedListParams, options?: CallOptions): Promise<FeedListResult | SelectedFeedListResult>;
  async feedList(params: FeedListParams = {}, options: CallOptions = {}): Promise<FeedListResult | SelectedFeedListResult> {
    const result = await this.call("feed/list", { ...params }, options);
    if (params.fields) return decoded("SelectedFeedListResult", result as SelectedFeedListResult);
    return decoded("FeedListResult", result as FeedListResult);
  }

  /**
   * Lists the elements of feed from the server, or from the cache when offline.
   *
   * Iterates over the elements of all pages, which are loaded when they are needed; `limit` is the number of elements of a page, and `timeout` the time for one.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  feedListAll(params?: FeedListParams & { fields?: undefined }, options?: CallOptions): AsyncGenerator<FeedImage, void, undefined>;
  feedListAll(params: FeedListParams & { fields: readonly FeedListFields[] }, options?: CallOptions): AsyncGenerator<SelectedFeedImage, void, undefined>;
  feedListAll(params: FeedListParams, options?: CallOptions): AsyncGenerator<FeedImage | SelectedFeedImage, void, undefined>;
  async *feedListAll(params: FeedListParams = {}, options: CallOptions = {}): AsyncGenerator<FeedImage | SelectedFeedImage, void, undefined> {
    let afterId: string | undefined = params.afterId;
    do {
      const page: FeedListResult | SelectedFeedListResult = await this.feedList({ ...params, afterId }, options);
      yield* page.items;
      afterId = page.nextAfterId;
    } while (afterId);
  }

  /**
   * Returns an image as base64, or writes it to a file. Images are cached.
   *
   * Returns the image, or the path of the file.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, FileNotWrittenError, DeclinedError, NotConfiguredError, ReadOnlyError.
   */
  async feedImage(params: FeedImageParams, options: CallOptions = {}): Promise<Image> {
    return decoded("Image", (await this.call("feed/image", { ...params }, options)) as Image);
  }

  /**
   * Lists the elements of movies from the server, or from the cache when offline.
   *
   * Returns the elements and their provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  moviesList(params?: MoviesListParams & { fields?: undefined }, options?: CallOptions): Promise<MoviesListResult>;
  moviesList(params: MoviesListParams & { fields: readonly MoviesListFields[] }, options?: CallOptions): Promise<SelectedMoviesListResult>;
  moviesList(params: MoviesListParams, options?: CallOptions): Promise<MoviesListResult | SelectedMoviesListResult>;
  async moviesList(params: MoviesListParams = {}, options: CallOptions = {}): Promise<MoviesListResult | SelectedMoviesListResult> {
    const result = await this.call("movies/list", { ...params }, options);
    if (params.fields) return decoded("SelectedMoviesListResult", result as SelectedMoviesListResult);
    return decoded("MoviesListResult", result as MoviesListResult);
  }

  /**
   * Lists the elements of movies from the server, or from the cache when offline.
   *
   * Iterates over the elements of all pages, which are loaded when they are needed; `limit` is the number of elements of a page, and `timeout` the time for one.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  moviesListAll(params?: MoviesListParams & { fields?: undefined }, options?: CallOptions): AsyncGenerator<Movie, void, undefined>;
  moviesListAll(params: MoviesListParams & { fields: readonly MoviesListFields[] }, options?: CallOptions): AsyncGenerator<SelectedMovie, void, undefined>;
  moviesListAll(params: MoviesListParams, options?: CallOptions): AsyncGenerator<Movie | SelectedMovie, void, undefined>;
  async *moviesListAll(params: MoviesListParams = {}, options: CallOptions = {}): AsyncGenerator<Movie | SelectedMovie, void, undefined> {
    let cursor: string | undefined = params.cursor;
    do {
      const page: MoviesListResult | SelectedMoviesListResult = await this.moviesList({ ...params, cursor }, options);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /**
   * Lists the elements of menu from the server, or from the cache when offline.
   *
   * Returns the elements and their provenance.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  menuList(params?: MenuListParams & { fields?: undefined }, options?: CallOptions): Promise<MenuListResult>;
  menuList(params: MenuListParams & { fields: readonly MenuListFields[] }, options?: CallOptions): Promise<SelectedMenuListResult>;
  menuList(params: MenuListParams, options?: CallOptions): Promise<MenuListResult | SelectedMenuListResult>;
  async menuList(params: MenuListParams = {}, options: CallOptions = {}): Promise<MenuListResult | SelectedMenuListResult> {
    const result = await this.call("menu/list", { ...params }, options);
    if (params.fields) return decoded("SelectedMenuListResult", result as SelectedMenuListResult);
    return decoded("MenuListResult", result as MenuListResult);
  }

  /**
   * Lists the elements of menu from the server, or from the cache when offline.
   *
   * Iterates over the elements of all pages, which are loaded when they are needed; `limit` is the number of elements of a page, and `timeout` the time for one.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, NotConfiguredError.
   */
  menuListAll(params?: MenuListParams & { fields?: undefined }, options?: CallOptions): AsyncGenerator<MenuItem, void, undefined>;
  menuListAll(params: MenuListParams & { fields: readonly MenuListFields[] }, options?: CallOptions): AsyncGenerator<SelectedMenuItem, void, undefined>;
  menuListAll(params: MenuListParams, options?: CallOptions): AsyncGenerator<MenuItem | SelectedMenuItem, void, undefined>;
  async *menuListAll(params: MenuListParams = {}, options: CallOptions = {}): AsyncGenerator<MenuItem | SelectedMenuItem, void, undefined> {
    let cursor: string | undefined = params.cursor;
    do {
      const page: MenuListResult | SelectedMenuListResult = await this.menuList({ ...params, cursor }, options);
      yield* page.items;
      cursor = page.nextCursor;
    } while (cursor);
  }

  /**
   * Returns an image as base64, or writes it to a file. Images are cached.
   *
   * Returns the image, or the path of the file.
   * Throws ConnectivityError, InvalidDataError, UnavailableError, NotAuthenticatedError, NotAllowedError, CacheRetrievalError, FileNotWrittenError, DeclinedError, NotConfiguredError, ReadOnlyError.
   */
  async menuImage(params: MenuImageParams, options: CallOptions = {}): Promise<Image> {
    return decoded("Image", (await this.call("menu/image", { ...params }, options)) as Image);
  }

  /**
   * Shows what is cached, how old it is, and whether bookings are in doubt.
   *
   * Returns the cached data.
   */
  async cacheStatus(options: CallOptions = {}): Promise<CacheStatusResult> {
    return decoded("CacheStatusResult", (await this.call("cache/status", {}, options)) as CacheStatusResult);
  }

  /**
   * Deletes cached lists and images that have expired or cannot be read.
   *
   * Returns the state of each cached resource.
   * Throws CacheRetrievalError, CacheDeletionError, ReadOnlyError.
   */
  async cacheValidate(params: CacheValidateParams = {}, options: CallOptions = {}): Promise<CacheValidateResult> {
    return decoded("CacheValidateResult", (await this.call("cache/validate", { ...params }, options)) as CacheValidateResult);
  }

  /**
   * Deletes all cached lists and images, also damaged ones; pending bookings are not affected.
   *
   * Returns the names of the deleted lists; images stands for all images.
   * Throws CacheRetrievalError, CacheDeletionError, ReadOnlyError.
   */
  async cacheClear(params: CacheClearParams = {}, options: CallOptions = {}): Promise<CacheClearResult> {
    return decoded("CacheClearResult", (await this.call("cache/clear", { ...params }, options)) as CacheClearResult);
  }

  /**
   * Removes a customer's data from the caches and journals of all accounts of this user, as far as it is not evidence of a booking in doubt. The server's data stays.
   *
   * Returns the accounts in which something was found.
   * Throws CacheDeletionError, ReadOnlyError.
   */
  async cacheErase(params: CacheEraseParams, options: CallOptions = {}): Promise<CacheEraseResult> {
    return decoded("CacheEraseResult", (await this.call("cache/erase", { ...params }, options)) as CacheEraseResult);
  }
}
