import { writeFile } from "node:fs/promises";
import type { RecordedExchange } from "../server-run/server-run.js";
import { isSecret, maskBody, maskTarget } from "./mask-secrets.js";

/** A request of a recording and its answer, without secrets. Bodies are cut off after 64 KiB. */
export interface RecordedRequest {
  /** The time in RFC 3339. */
  readonly at: string;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** The user that the request counts as; empty where it was refused before that was known. */
  readonly user: string;
  readonly groups: readonly string[];
  readonly contentType: string;
  readonly body: string;
  /** The code of the answer; 0 when the client got none. */
  readonly status: number;
  readonly answer: string;
  readonly isCutOff: boolean;
}

/** The requests of a control plane from one moment on, whoever sent them. Disposal ends the recording. */
export interface Recording extends Disposable {
  /** The requests whose answers have ended, oldest first: at most the newest 10,000. */
  readonly requests: readonly RecordedRequest[];
  /** Returns a line for each request, or for the `last` ones, with its body, and that of an answer that is a failure. */
  text(last?: number): string;
  /** Writes the requests as lines of JSON, for `replay`, into a file that only its owner may read. */
  save(file: string): Promise<void>;
}

const maxRequests = 10_000;

/** A recording, as the control plane fills it. */
export class RequestRecording implements Recording {
  readonly requests: RecordedRequest[] = [];
  readonly #onEnd: (recording: RequestRecording) => void;

  constructor(onEnd: (recording: RequestRecording) => void) {
    this.#onEnd = onEnd;
  }

  add(request: RecordedRequest): void {
    this.requests.push(request);
    if (this.requests.length > maxRequests) {
      this.requests.shift();
    }
  }

  text(last: number = maxRequests): string {
    return this.requests.slice(-last).map(lineOf).join("\n");
  }

  async save(file: string): Promise<void> {
    const lines = this.requests.map((request) => `${JSON.stringify(request)}\n`);
    await writeFile(file, lines.join(""), { mode: 0o600 });
  }

  [Symbol.dispose](): void {
    this.#onEnd(this);
  }
}

/** Returns a request as recordings show it. */
export function recordedRequest(exchange: RecordedExchange): RecordedRequest {
  const secret = isSecret(exchange.resource, exchange.subresource);
  return {
    at: new Date(exchange.atMs).toISOString(),
    durationMs: Math.round(exchange.durationMs * 10) / 10,
    method: exchange.method,
    path: maskTarget(exchange.target),
    user: exchange.user?.username ?? "",
    groups: exchange.user?.groups ?? [],
    contentType: exchange.contentType,
    body: maskBody(exchange.body, secret),
    status: exchange.status,
    answer: maskBody(exchange.answer, secret),
    isCutOff: exchange.isCutOff,
  };
}

function lineOf({ at, durationMs, method, path, user, body, status, answer }: RecordedRequest): string {
  const outcome = status === 0 ? "no answer" : String(status);
  const line = `${at} ${user || "(unknown)"} ${method} ${path} ${outcome} ${durationMs} ms`;
  return [line, ...(body === "" ? [] : [`  > ${body}`]), ...(status < 400 ? [] : [`  < ${answer}`])].join("\n");
}
