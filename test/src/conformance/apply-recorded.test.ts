import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { JsonObject } from "@gatehouse/envelopes";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";

/** Where the sequences come from, and what v1.29 answered to them (`test/differential/record.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly quiet?: boolean;
  readonly save?: Readonly<Record<string, string>>;
}

interface Sequence {
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Recorded {
  readonly seed: number;
  readonly count: number;
  readonly answers: Readonly<Record<string, readonly (readonly [status: number, body: unknown])[]>>;
}

describe("Applies, updates and patches by three managers", async () => {
  const recorded = JSON.parse(
    brotliDecompressSync(readFileSync(new URL("recorded/apply.json.br", differential))).toString(),
  ) as Recorded;
  const { namespace, sequences } = (await import(new URL("areas/apply.mjs", differential).href)) as {
    readonly namespace: string;
    sequences(seed: number, count: number): Iterable<Sequence>;
  };
  const { comparable } = (await import(new URL("lib/comparable.mjs", differential).href)) as {
    comparable(answer: { readonly body: Buffer }): unknown;
  };

  it("lead to the objects and the owners that they lead to in v1.29", async () => {
    // Those that were not there when the answers were recorded write the objects, too.
    const controllers =
      "--controllers=*,-disruption-controller,-resourcequota-controller,-clusterrole-aggregation-controller";
    await using server = await startTestServer({
      flags: ["--service-cluster-ip-range=10.0.0.0/24", controllers, withoutAdmission],
    });
    const { client } = server;
    const send = (step: Step, body: unknown) =>
      client.request({
        method: step.method,
        path: step.path,
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        headers: { "content-type": "application/json", ...step.headers },
        signal: new AbortController().signal,
        timeoutMs: 60_000,
      });
    await send({ method: "POST", path: "/api/v1/namespaces" }, { metadata: { name: namespace } });
    const { seed, count, answers } = recorded;
    for (const [index, { name, steps }] of [...sequences(seed, count)].entries()) {
      const expected = answers[index];
      if (expected === undefined) {
        continue;
      }
      let saved: JsonObject = {};
      let read: Step | undefined;
      let at = 0;
      for (const step of steps) {
        const { method, path, body, quiet, save } = step;
        const sendStep = () => send(step, typeof body === "function" ? body({ object: saved }) : body);
        let answer = await sendStep();
        // A controller may have written the object since it was read; whoever wants to change it reads it again.
        for (let attempt = 0; answer.status === 409 && typeof body === "function" && attempt < 5; attempt++) {
          saved = JSON.parse((await send(read as Step, undefined)).body.toString()) as JsonObject;
          answer = await sendStep();
        }
        if (save !== undefined) {
          read = step;
          saved = JSON.parse(answer.body.toString()) as JsonObject;
        }
        if (quiet !== true) {
          assert.deepEqual([answer.status, comparable(answer)], expected[at++], `${name}: ${method} ${path}`);
        }
      }
    }
  });
});
