import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { define, definitionsPath, sampleDefinition } from "../support/sample-definition.js";
import { startTestServer } from "../support/start-test-server.js";
import { oddDefinition, oddInstanceRequest } from "./custom-kinds.js";
import { createRandom } from "./random.js";

const seed = Number(process.env["FUZZ_SEED"] ?? 129);
/** `npm run soak` makes many more. */
const count = Number(process.env["FUZZ_DEFINITIONS"] ?? 30);
const writesOfEach = 25;
/** Definitions that are there at the same time. */
const atATime = 8;

let server: ControlPlane;
before(async () => {
  server = await startTestServer();
});
after(async () => await server?.stop());

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function send(method: string, path: string, type: string, body?: JsonValue): Promise<Answer> {
  const answer = await server.client.request({
    method,
    path,
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
    headers: { "content-type": type },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
  return { status: answer.status, text: answer.body.toString() };
}

/** An object, or a Status that says what is wrong. */
function assertClear({ status, text }: Answer, told: string): void {
  assert.ok(status < 500, `${status} ${text.slice(0, 2000)}\n${told}`);
  if (status >= 400 && text !== "404 page not found\n") {
    const { kind, code, message } = JSON.parse(text) as JsonObject;
    assert.deepEqual([kind, code], ["Status", status], told);
    assert.ok(typeof message === "string" && message !== "" && !/Cannot read|is not a function/.test(message), text);
  }
}

test(`${count} odd definitions with ${writesOfEach} odd writes of instances each: never a 5xx, and nothing else is lost`, async (context) => {
  const group = "kept.example.com";
  await define(server, sampleDefinition("crontabs", "CronTab", group));
  const kept = `/apis/${group}/v1/namespaces/default/crontabs`;
  const object = { apiVersion: `${group}/v1`, kind: "CronTab", metadata: { name: "kept" }, spec: { cron: "*" } };
  const before = await send("POST", kept, "application/json", object);
  assert.equal(before.status, 201);
  const { pid } = server;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      await tryDefinition(index);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  context.diagnostic(`seed ${seed}, answers by status: ${JSON.stringify(statuses)}`);
  assert.equal(server.pid, pid, "the server was never restarted");
  assert.equal((await send("GET", `${kept}/kept`, "")).text, before.text);
  assert.doesNotMatch(server.logs.text(), /request threw|Unhandled|MaxListeners/);
});

/** Number of answers for instances by status. */
const statuses: Record<string, number> = {};

async function tryDefinition(index: number): Promise<void> {
  const random = createRandom(seed, index);
  const group = `g${index}.fuzz.example.com`;
  const definition = oddDefinition(random, group);
  const told = `seed ${seed}, definition ${index}`;
  const made = await send("POST", definitionsPath, "application/json", definition);
  assertClear(made, told);
  if (made.status !== 201) {
    return;
  }
  const collection = `/apis/${group}/v1/namespaces/default/things`;
  // One whose version is called otherwise, or is not served, never comes to be there.
  for (let looks = 0; looks < 30 && (await send("GET", collection, "")).status === 404; looks++) {
    await pause(20);
  }
  for (let write = 0; write < writesOfEach; write++) {
    const { method, path, type, body } = oddInstanceRequest(random, definition);
    const answer = await send(method, collection + path, type, body);
    assertClear(answer, `${told}: ${method} ${path} ${JSON.stringify(body)}`);
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  }
  const changed = oddDefinition(random, group)["spec"] as JsonValue;
  const one = `${definitionsPath}/things.${group}`;
  assertClear(await send("PATCH", one, "application/merge-patch+json", { spec: changed }), `${told}, changed`);
  // What is stored was valid by another schema: it is shown nevertheless.
  assertClear(await send("GET", collection, ""), `${told}, listed`);
  const table = await send("GET", `${collection}/a`, "");
  assertClear(table, `${told}, read`);
  assertClear(await send("DELETE", one, "application/json"), `${told}, deleted`);
}
