import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import { createHttpClient, type HttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";

/** Folder of the requests and of v1.29's answers to them (`test/differential/record-area.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

/** Requests in their order, of which later ones depend on earlier ones. */
export interface RecordedSequence {
  readonly name: string;
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly quiet?: boolean;
    /** Credentials of the step; the administrator's by default. */
    readonly as?: "none";
    readonly view?: View;
  }[];
}

type View = (answer: Pick<HttpResponse, "body" | "headers">) => unknown;

type Answer = readonly [status: number, view: unknown];

type Answers = Readonly<Record<string, readonly Answer[]>>;

/** The area to replay, and the server to send it to. */
export interface ReplayOptions {
  /** The title of the suite. */
  readonly title: string;
  /** The name of the area. */
  readonly area: string;
  /** The name of the recording. Default: that of the area. */
  readonly recording?: string;
  /** The flags as they were when the answers were recorded. */
  readonly flags: readonly string[];
  /** Returns what is compared of an answer, recorded or seen. Default: all of it, 403 where v1.29 answered 500 (decision 0008). */
  readonly compared?: (answer: Answer) => unknown;
  /** Reports whether a sequence is replayed. Default: all are. */
  readonly includes?: (sequence: RecordedSequence, index: number) => boolean;
}

/** Returns the path of a file of the differential. */
export function differentialFile(path: string): string {
  return fileURLToPath(new URL(path, differential));
}

/** Registers a suite that sends the sequences of an area to a server, and compares its answers with the recorded ones. */
export async function replayRecordedArea(options: ReplayOptions): Promise<void> {
  const { title, flags, includes = () => true, compared } = options;
  const recorded = readFileSync(differentialFile(`recorded/${options.recording ?? options.area}.json.br`));
  const answers = JSON.parse(brotliDecompressSync(recorded).toString()) as Answers;
  const area = (await import(new URL(`areas/${options.area}.mjs`, differential).href)) as {
    sequences(): Iterable<RecordedSequence>;
    readonly comparable: View;
  };

  describe(title, () => {
    let server: ControlPlane;
    let anonymous: HttpClient;
    before(async () => {
      server = await startTestServer({ flags });
      anonymous = createHttpClient({ config: server.anonymousConfig });
    });

    after(async () => {
      anonymous?.[Symbol.dispose]();
      await server?.stop();
    });

    for (const { name, steps } of [...area.sequences()].filter(includes)) {
      it(name, async () => {
        let at = 0;
        for (const { method, path, headers, body, quiet, as, view = area.comparable } of steps) {
          const client = as === "none" ? anonymous : server.client;
          const answer = await client.request({
            method,
            path,
            // What is no data is there for the server that was recorded.
            ...(body === undefined || typeof body === "function" ? {} : { body: bytesOf(body) }),
            headers: { ...headers },
            signal: new AbortController().signal,
            timeoutMs: 60_000,
          });
          if (quiet !== true) {
            const expected = answers[name]?.[at++] as Answer;
            const seen: Answer = [answer.status, inJson(view(answer))];
            const [a, b] = compared === undefined ? [seen, asMilder(expected)] : [compared(seen), compared(expected)];
            assert.deepEqual(a, b, `${method} ${path}`);
          }
        }
        assert.equal(at, answers[name]?.length);
      });
    }
  });
}

/** Returns the recorded answer with 403 in place of 500 (decision 0008). */
function asMilder(answer: Answer): Answer {
  if (answer?.[0] !== 500) {
    return answer;
  }
  const [, seen] = answer as readonly [number, { readonly body?: object }];
  return [403, seen.body === undefined ? seen : { ...seen, body: { ...seen.body, reason: "Forbidden", code: 403 } }];
}

/** Returns a body as it is sent: bytes as they are, anything else as JSON. */
function bytesOf(body: unknown): Buffer | string {
  return Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** Returns a value after encoding and decoding it as JSON, as the recorded answers were. */
function inJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
