import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { createHttpClient, type HttpClient } from "../http-client/index.js";
import type { ClientConfig } from "../kubeconfig/index.js";

/** An event, and what the sink knows of it. */
export interface KeptItem {
  readonly position: number;
  readonly sender: string;
  readonly event: auditV1.Event;
}

/** An item of a followed stream: an event, or the number of events that were left out. */
export type TailItem = KeptItem | { readonly skipped: number };

const timeoutMs = 60_000;
/** Longest time of Node's timers, in milliseconds. */
const forEverMs = 2 ** 31 - 1;
const maxResponseBytes = 256 * 1024 * 1024;
const pageSize = 1000;

/** A reader of an audit sink: its questions, by `/api` of the sink. Rejects with HttpClientError, or with StatusError when the sink refuses. */
export class SinkClient implements Disposable {
  readonly #http: HttpClient;

  /** `userAgent` is the name of the program that asks. */
  constructor(config: ClientConfig, userAgent: string) {
    this.#http = createHttpClient({ config, userAgent });
  }

  /** Events, newest first: at most `limit` of them, or all. */
  async *events(query: URLSearchParams, limit: number | undefined): AsyncGenerator<KeptItem, void> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    const page = new URLSearchParams(query);
    do {
      page.set("limit", String(Math.min(left, pageSize)));
      const { items, next } = await this.#ask("events", page);
      for (const item of Array.isArray(items) ? items : []) {
        yield item as unknown as KeptItem;
        left--;
      }
      if (typeof next !== "string") {
        return;
      }
      page.set("cursor", next);
    } while (left > 0);
  }

  stats(query: URLSearchParams): Promise<JsonObject> {
    return this.#ask("stats", query);
  }

  /** Calls back with what comes until the signal aborts or the connection ends; then it rejects, or resolves. */
  async tail(query: URLSearchParams, signal: AbortSignal, onItem: (item: TailItem) => void): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    const { status, body } = await this.#http.request({
      path: `/api/tail?${query}`,
      signal,
      timeoutMs: forEverMs,
      onBody(piece) {
        const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) {
          if (line !== "") {
            onItem(JSON.parse(line) as TailItem);
          }
        }
      },
    });
    if (status !== 200) {
      throw refusal(status, parse(body));
    }
  }

  [Symbol.dispose](): void {
    this.#http[Symbol.dispose]();
  }

  async #ask(path: string, query: URLSearchParams): Promise<JsonObject> {
    const { status, body } = await this.#http.requestJson({
      path: `/api/${path}?${query}`,
      signal: AbortSignal.timeout(timeoutMs),
      timeoutMs,
      maxResponseBytes,
    });
    if (status !== 200 || !isJsonObject(body)) {
      throw refusal(status, body);
    }
    return body;
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function refusal(code: number, body: unknown): StatusError {
  const message =
    isJsonObject(body) && typeof body["message"] === "string" ? body["message"] : "not as an audit sink does";
  return new StatusError(code, "", `the sink answers ${code}: ${message}`);
}
