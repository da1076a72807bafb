import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { WatchDocument } from "./api-document.js";

/** A watch under way. Events are read one at a time, in the order of the stream. */
export interface OpenWatch extends Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The port of the client's end of the connection. */
  readonly localPort: number;
  /** The next event. Rejects when the stream ends before. */
  next(): Promise<WatchDocument>;
  /** The next event, as it came over the wire, without its newline. */
  nextLine(): Promise<string>;
  take(count: number): Promise<readonly WatchDocument[]>;
  /** Returns all events up to the end of the stream. */
  rest(): Promise<readonly WatchDocument[]>;
  /** Events that have come and were not read. */
  readonly pending: number;
}

/** Time limit in milliseconds that only a hang reaches. */
const hangMs = 120_000;

export function readWatch(request: ClientRequest, response: IncomingMessage): OpenWatch {
  const lines: string[] = [];
  let partial = "";
  let ended = false;
  let wake = (): void => {};
  const { localPort = 0 } = response.socket;
  const end = (): void => {
    ended = true;
    wake();
  };
  response.setEncoding("utf8");
  response.on("data", (chunk: string) => {
    const parts = (partial + chunk).split("\n");
    partial = parts.pop() as string;
    lines.push(...parts);
    wake();
  });
  response.on("close", end);
  response.on("error", end);

  /** Undefined at the end of the stream. */
  const takeLine = async (): Promise<string | undefined> => {
    if (lines.length === 0 && !ended) {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error("no event came")), hangMs);
        wake = () => {
          if (lines.length > 0 || ended) {
            clearTimeout(timer);
            resolve();
          }
        };
      });
    }
    return lines.shift();
  };
  const nextLine = async (): Promise<string> => {
    const line = await takeLine();
    if (line === undefined) {
      throw new Error(`the watch ended${partial === "" ? "" : ` in the middle of ${partial.slice(0, 500)}`}`);
    }
    return line;
  };
  const next = async (): Promise<WatchDocument> => JSON.parse(await nextLine()) as WatchDocument;
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    localPort,
    next,
    nextLine,
    async take(count) {
      const events: WatchDocument[] = [];
      while (events.length < count) {
        events.push(await next());
      }
      return events;
    },
    async rest() {
      const events: WatchDocument[] = [];
      for (let line = await takeLine(); line !== undefined; line = await takeLine()) {
        events.push(JSON.parse(line) as WatchDocument);
      }
      return events;
    },
    get pending() {
      return lines.length;
    },
    [Symbol.dispose]: () => {
      request.destroy();
    },
  };
}
