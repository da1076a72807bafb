import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { changeSomewhere } from "../fuzz/bodies.js";
import { createRandom } from "../fuzz/random.js";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { type AnswerThroughLie, askThroughLie, defineSites, requests } from "./ask-through-lie.js";
import { endlessLie, type Lie, lies } from "./lies.js";
import { type LyingWebhook, startLyingWebhook } from "./lying-webhook.js";

// Recorded from kube-apiserver 1.29.0 by `record.ts`; data lies beside the source, which the compiler does not copy.
const recordedFile = new URL("../../src/conversion-answers/recorded.jsonl", import.meta.url);

interface Recorded {
  readonly lie: string;
  readonly answers: Readonly<Record<string, AnswerThroughLie>>;
}

const recorded = readFileSync(recordedFile, "utf8")
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => JSON.parse(line) as Recorded);

const seed = Number(process.env["FUZZ_SEED"] ?? 129);
/** `npm run soak` tells many more. */
const count = Number(process.env["CONVERSION_ANSWERS"] ?? 20);
/** Set by `npm run soak`, which sends every request through every lie, and waits for webhooks that are too late. */
const isSoak = process.env["CONVERSION_ALL"] === "1";

describe("Of the answers of a conversion webhook nothing is believed", () => {
  let server: ControlPlane;
  let client: ApiClient;
  let webhook: LyingWebhook;
  before(async () => {
    server = await startTestServer();
    client = createApiClient(server.clientConfig);
    const { caFile, serverCertFile, serverKeyFile } = server.certificates;
    webhook = await startLyingWebhook({ cert: readFileSync(serverCertFile), key: readFileSync(serverKeyFile) });
    await defineSites(client, webhook, readFileSync(caFile, "utf8"));
  });
  after(async () => {
    client?.[Symbol.dispose]();
    await webhook?.[Symbol.asyncDispose]();
    await server?.stop();
  });

  it(`${recorded.length} lies lead to what they lead to in kube-apiserver 1.29`, async () => {
    assert.deepEqual(
      recorded.map(({ lie }) => lie),
      Object.keys(lies),
    );
    for (const [index, { lie, answers }] of recorded.entries()) {
      const asked = isSoak ? requests : (["get", requests[1 + (index % 3)] ?? "list"] as const);
      const found = await askThroughLie(client, webhook, lies[lie] as Lie, asked);
      // What is stored afterwards was recorded after all four.
      const { stored, ...others } = answers;
      const expected = Object.fromEntries(Object.entries(others).filter(([request]) => request in found));
      assert.deepEqual(
        isSoak ? found : { ...found, stored: undefined },
        { ...expected, stored: isSoak ? stored : undefined },
        lie,
      );
      assert.match(found["stored"]?.body ?? "", /"name":"a".*"host":"host of a".*"name":"b"/, lie);
    }
  });

  it("no more is read of one than it may be long", async () => {
    const { get, stored } = await askThroughLie(client, webhook, endlessLie);
    const what = "conversion webhook for VERSION, Kind=Site failed";
    assert.deepEqual(get, {
      code: 500,
      message: `${what}: Post "https://ADDRESS/convert?timeout=30s": the response body is larger than 8388608 bytes`,
    });
    assert.deepEqual(stored, recorded.find(({ lie }) => lie === "no body")?.answers["stored"]);
  });

  it("one that comes too late is not waited for", {
    skip: !isSoak && "takes half a minute: npm run soak",
  }, async () => {
    const late: Lie = (answer) => ({ body: JSON.stringify(answer), afterMs: 32_000 });
    const { get, stored } = await askThroughLie(client, webhook, late);
    assert.equal(get?.code, 500);
    assert.match(get?.message ?? "", /: context deadline exceeded/);
    assert.deepEqual(stored, recorded.find(({ lie }) => lie === "no body")?.answers["stored"]);
  });

  it(`${count} drawn ones are taken or told of, and nothing is lost`, async (context) => {
    const codes: Record<string, number> = {};
    for (let index = 0; index < count; index++) {
      const random = createRandom(seed, index);
      const changes = 1 + random.below(3);
      const answers = await askThroughLie(client, webhook, (answer) => {
        for (let change = 0; change < changes; change++) {
          changeSomewhere(random, random.chance(0.5) ? answer : firstObject(answer));
        }
        return { body: JSON.stringify(answer) };
      });
      const told = `seed ${seed}, answer ${index}: ${JSON.stringify(answers)}`;
      for (const { code, message } of Object.values(answers)) {
        codes[code] = (codes[code] ?? 0) + 1;
        assert.ok(code < 300 || code === 500 || code === 422 || code === 400, told);
        assert.doesNotMatch(message ?? "", /unexpected condition|Cannot read|is not a function/, told);
      }
      assert.match(answers["stored"]?.body ?? "", /"name":"a".*"host":"host of a".*"name":"b"/, told);
    }
    context.diagnostic(`seed ${seed}, answers by code: ${JSON.stringify(codes)}`);
    assert.doesNotMatch(server.logs.text(), /request threw|Unhandled|MaxListeners/);
  });
});

function firstObject(answer: JsonObject): JsonObject {
  const { convertedObjects } = (answer["response"] ?? {}) as JsonObject;
  const first = Array.isArray(convertedObjects) ? convertedObjects[0] : undefined;
  return typeof first === "object" && first !== null && !Array.isArray(first) ? first : answer;
}
