import assert from "node:assert/strict";
import { test } from "node:test";
import { StoreUnwritableError } from "../../errors/errors.js";
import type { StoreCondition } from "../store-condition.js";
import { answerProbe, type ProbedStore } from "./answer-probe.js";

const plain = { "content-type": "text/plain; charset=utf-8" };
const failed = { ...plain, "x-content-type-options": "nosniff" };
const healthy: StoreCondition = { writing: undefined, damage: undefined };
const full: StoreCondition = { ...healthy, writing: new StoreUnwritableError("full") };
const damaged: StoreCondition = { ...healthy, damage: new Error("a record is not what was written") };

async function ask(target: string, condition = healthy, ping = async () => {}, method = "GET") {
  const store: ProbedStore["store"] = { ping, condition: () => condition };
  const { status, headers, body } = await answerProbe(
    { method, target },
    { store, furtherAnswers: new Map([["/x", "{}"]]) },
  );
  return [status, headers, body];
}

const cannotRead = async (): Promise<never> => {
  throw new Error("no");
};

test("the health of the store has etcd's code, type and text, and alarms can be excluded", async () => {
  const well = [200, plain, '{"health":"true","reason":""}'];
  assert.deepEqual(await ask("/health"), well);
  assert.deepEqual(await ask("/health?serializable=true"), well);
  assert.deepEqual(await ask("/health", full), [503, failed, '{"health":"false","reason":"ALARM NOSPACE"}\n']);
  assert.deepEqual(await ask("/health?exclude=NOSPACE&serializable=true", full), well);
  assert.deepEqual(await ask("/health", damaged), well);
  assert.deepEqual(await ask("/health", healthy, cannotRead), [
    503,
    failed,
    '{"health":"false","reason":"RANGE ERROR:no"}\n',
  ]);
});

test("checks of life and readiness are listed, chosen and excluded by name", async () => {
  assert.deepEqual(await ask("/livez"), [200, failed, "ok\n"]);
  assert.deepEqual(await ask("/livez?verbose"), [200, failed, "[+]serializable_read ok\nok\n"]);
  assert.deepEqual(await ask("/readyz?verbose&exclude=linearizable_read"), [
    200,
    failed,
    "[+]data_corruption ok\n[+]serializable_read ok\nok\n",
  ]);
  assert.deepEqual(await ask("/readyz/linearizable_read"), [200, failed, "ok\n"]);
  assert.deepEqual(await ask("/readyz", damaged), [200, failed, "ok\n"]);
  assert.deepEqual(await ask("/readyz", healthy, cannotRead), [
    503,
    failed,
    "[+]data_corruption ok\n[-]serializable_read failed: no\n[-]linearizable_read failed: no\n\n",
  ]);
  assert.deepEqual(await ask("/livez/serializable_read", damaged, cannotRead), [
    503,
    failed,
    "[-]serializable_read failed: no\n\n",
  ]);
});

test("other paths are not found, and other methods not allowed", async () => {
  for (const path of ["/", "/metrics", "/livez/data_corruption", "/readyz/", "/healthz"]) {
    assert.deepEqual(await ask(path), [404, failed, "404 page not found\n"], path);
  }
  for (const path of ["/health", "/version", "/livez"]) {
    assert.deepEqual(await ask(path, healthy, undefined, "POST"), [
      405,
      { ...failed, allow: "GET" },
      "Method Not Allowed\n",
    ]);
  }
  assert.deepEqual(await ask("/x"), [200, { "content-type": "application/json" }, "{}"]);
});
