import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { HttpClient } from "@gatehouse/component-base";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

/** Where the requests come from, and what v1.29 answered to them (`test/differential/record-admission.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly quiet?: boolean;
  readonly view: (answer: unknown) => unknown;
}

interface Area {
  cases(): AsyncIterable<{ readonly name: string; readonly steps: readonly Step[] }>;
}

type Answers = Readonly<Record<string, readonly (readonly [status: number, answer: unknown])[]>>;

interface Replayed {
  readonly area: string;
  /** As of the server that was asked. */
  readonly flags: readonly string[];
}

const areas: readonly Replayed[] = [{ area: "admission-pods", flags: ["--allow-privileged=true"] }];

describe("Writes that concern admission plugins", () => {
  for (const { area, flags } of areas) {
    it(`are answered as v1.29 has answered them: ${area}`, async () => {
      const { cases } = (await import(new URL(`areas/${area}.mjs`, differential).href)) as Area;
      const recorded = readFileSync(new URL(`recorded/${area}.json.br`, differential));
      const answers = JSON.parse(brotliDecompressSync(recorded).toString()) as Answers;
      await using server = await startTestServer({ flags: ["--runtime-config=api/all=true", ...flags] });
      await until("system classes are there", async () => {
        const path = "/apis/scheduling.k8s.io/v1/priorityclasses/system-cluster-critical";
        return (await send(server.client, { method: "GET", path, view: String })).status === 200;
      });
      for await (const { name, steps } of cases()) {
        if (answers[name] === undefined) {
          continue;
        }
        const given: unknown[] = [];
        for (const step of steps) {
          const answer = await send(server.client, step);
          if (step.quiet !== true) {
            given.push([answer.status, step.view(answer)]);
          }
        }
        assert.deepEqual(JSON.parse(JSON.stringify(given)), answers[name], name);
      }
    });
  }
});

function send(client: HttpClient, { method, path, headers = {}, body }: Step): ReturnType<HttpClient["request"]> {
  return client.request({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
}
