import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import { startTestServer, type TestServer } from "../support/start-test-server.js";

/** Where the requests come from, and what v1.29 answered to them (`test/differential/record-area.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Sequence {
  readonly name: string;
  readonly steps: readonly {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly quiet?: boolean;
  }[];
}

type Answers = Readonly<Record<string, readonly (readonly [status: number, body: unknown])[]>>;

/** As they were when the answers were recorded: `areas/admission-rest.mjs`. */
const flags = [
  "--service-cluster-ip-range=10.0.0.0/24",
  "--runtime-config=api/all=true",
  "--authorization-mode=AlwaysAllow",
  "--disable-admission-plugins=ServiceAccount,PodSecurity,LimitRanger,Priority,DefaultTolerationSeconds,RuntimeClass,TaintNodesByCondition",
  "--controllers=*,-resourcequota-controller,-persistentvolume-protection-controller,-persistentvolumeclaim-protection-controller,-serviceaccount-controller,-root-ca-certificate-publisher-controller,-disruption-controller",
];

describe("Admission plugins change, refuse and warn as those of v1.29 have done", async () => {
  let server: TestServer;
  const recorded = readFileSync(new URL("recorded/admission-rest.json.br", differential));
  const answers = JSON.parse(brotliDecompressSync(recorded).toString()) as Answers;
  const area = (await import(new URL("areas/admission-rest.mjs", differential).href)) as {
    sequences(): Iterable<Sequence>;
    comparable(answer: { readonly body: Buffer }): unknown;
  };

  before(async () => {
    server = await startTestServer({ flags });
  });

  after(async () => {
    await server?.stop();
  });

  for (const { name, steps } of area.sequences()) {
    it(name, async () => {
      let at = 0;
      for (const { method, path, headers, body, quiet } of steps) {
        const answer = await server.client.request({
          method,
          path,
          // What is no data is there for the server that was recorded.
          ...(body === undefined || typeof body === "function" ? {} : { body: JSON.stringify(body) }),
          headers: { ...headers },
          signal: new AbortController().signal,
          timeoutMs: 60_000,
        });
        if (quiet !== true) {
          const expected = answers[name]?.[at++];
          assert.deepEqual(
            [answer.status, area.comparable({ body: Buffer.from(answer.body) })],
            expected,
            `${method} ${path}`,
          );
        }
      }
      assert.equal(at, answers[name]?.length);
    });
  }
});
