import { connect, isIP, type Socket } from "node:net";
import { tell } from "./client-events.js";

/** Target of a TCP connection: a host name or an address (IPv6 without brackets), and a port. */
export interface DialAddress {
  readonly host: string;
  readonly port: number;
}

/** No connection to an address. `code` is Node's (`ECONNREFUSED`), `DIAL_TIMEOUT` when its time was over. */
export class DialError extends Error {
  override readonly name = "DialError";
  readonly code: string;
  /** The target that was tried last; the resolved address if resolving succeeded. */
  readonly address: DialAddress;

  constructor(code: string, address: DialAddress, options?: ErrorOptions) {
    super(`no connection to ${address.host} port ${address.port} (${code})`, options);
    this.code = code;
    this.address = address;
  }
}

/** Time limit in milliseconds for a TCP connection, as in Go's dialer for API clients. */
const dialTimeoutMs = 30_000;

/** Connects to the first of the addresses that accepts, in their order. Rejects with the DialError of the last one. */
export async function dial(addresses: readonly DialAddress[], timeoutMs: number = dialTimeoutMs): Promise<Socket> {
  let failure: unknown = new TypeError("there is no address to connect to");
  for (const address of addresses) {
    try {
      return await dialOne(address, timeoutMs);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function dialOne(address: DialAddress, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.host, port: address.port, noDelay: true, keepAlive: true });
    const startedAt = performance.now();
    socket.once("lookup", () => {
      if (isIP(address.host) === 0) {
        tell("resolution", () => ({ host: address.host, seconds: (performance.now() - startedAt) / 1000 }));
      }
    });
    const timer = setTimeout(() => fail(new DialError("DIAL_TIMEOUT", address)), timeoutMs);
    const fail = (error: Error): void => {
      clearTimeout(timer);
      socket.destroy();
      reject(error instanceof DialError ? error : toDialError(error, address));
    };
    socket.once("error", fail);
    socket.once("connect", () => {
      clearTimeout(timer);
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

function toDialError(error: Error, address: DialAddress): DialError {
  // A name with several addresses fails with the errors of all; the first is that of the preferred address.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const details = Object.assign({ code: "unknown", address: address.host, port: address.port }, first);
  return new DialError(
    String(details.code),
    { host: String(details.address), port: Number(details.port) },
    { cause: error },
  );
}
