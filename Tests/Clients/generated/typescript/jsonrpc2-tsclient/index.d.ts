export class RPCHTTPClient {
  constructor(url: string);
  url: string;
  headers: Record<string, string>;
}

export function rpcClient(
  transport: RPCHTTPClient,
  prefix: string,
  skipped: string[],
  names: Record<string, string>
): (constructor: Function) => void;

/** Ends the server. */
export function end(): void;
