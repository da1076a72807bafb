import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { TransformationMetrics } from "../transformation-metrics.js";
import type { StatusResponse } from "./kms-api.js";
import { type EncryptResponse, loadKmsV2 } from "./kms-api.js";
import { KmsMetrics } from "./kms-metrics.js";
import { CachedProbe } from "./kms-probe.js";
import { KmsV2Key, maxWriteMs } from "./kms-v2-key.js";

const methods = await loadKmsV2();

/** A key whose service and clock the test moves. */
function keyUnderTest() {
  const registry = createMetricsRegistry({ processMetrics: false });
  const service = {
    nowMs: 1_000_000,
    encryptions: 0,
    status: { version: "v2", healthz: "ok", keyId: "a" } as StatusResponse,
    encrypted: { ciphertext: Buffer.from("x"), keyId: "a", annotations: {} } as EncryptResponse,
    failure: undefined as Error | undefined,
  };
  const call = async (method: { path: string }): Promise<never> => {
    if (service.failure !== undefined) {
      throw service.failure;
    }
    if (method.path.endsWith("/Status")) {
      return service.status as never;
    }
    service.encryptions++;
    return service.encrypted as never;
  };
  const key = new KmsV2Key({
    name: "service",
    connection: { call },
    methods,
    metrics: new KmsMetrics(registry, "server"),
    transformations: new TransformationMetrics(registry),
    now: () => service.nowMs,
  });
  return { key, service, registry };
}

test("a key is used as long as checks succeed, and not made anew", async () => {
  const { key, service } = keyUnderTest();
  await key.check();
  const first = key.forWrites().source;
  for (let minute = 0; minute < 10; minute++) {
    service.nowMs += 60_000;
    await key.check();
  }
  assert.equal(key.forWrites().source, first);
  assert.equal(service.encryptions, 1);
});

test("writes end three minutes after the last check that succeeded, reads do not", async () => {
  const { key, service } = keyUnderTest();
  await key.check();
  service.failure = new Error("gone");
  service.nowMs += maxWriteMs;
  await assert.rejects(key.check(), {
    message: "failed to perform status section of the healthz check for KMS Provider service, error: gone",
  });
  key.forWrites();
  service.nowMs += 1;
  assert.throws(() => key.forWrites(), /^Error: encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at /);
  assert.equal(key.current.source.keyID, "a");
  service.failure = undefined;
  await key.check();
  key.forWrites();
});

test("a new key ID of the service makes a new key", async () => {
  const { key, service } = keyUnderTest();
  await key.check();
  service.status = { ...service.status, keyId: "b" };
  service.encrypted = { ...service.encrypted, keyId: "b" };
  await key.check();
  assert.equal(key.forWrites().source.keyID, "b");
});

test("a service that encrypts by another key than its status names is not healthy, and the old key stays", async () => {
  const { key, service } = keyUnderTest();
  await key.check();
  service.status = { ...service.status, keyId: "b" };
  await assert.rejects(
    key.check(),
    /failed to rotate DEK uid=.* errState=<nil>, errGen=<nil>, statusKeyIDHash="sha256:/,
  );
  assert.equal(key.forWrites().source.keyID, "a");
});

for (const [what, change, expected] of [
  ["an empty key ID", { keyId: "" }, /got invalid KMSv2 KeyID hash "": keyID is empty$/],
  ["a long key ID", { keyId: "k".repeat(1025) }, /: keyID is 1025 bytes, which exceeds the max size of 1024$/],
  ["an unknown version", { version: "v3" }, /expected KMSv2 API version v2, got v3$/],
] as const) {
  test(`a service with ${what} is not healthy`, async () => {
    const { key, service } = keyUnderTest();
    service.status = { ...service.status, ...change };
    await assert.rejects(key.check(), expected);
  });
}

test("a service must not change the version of its protocol", async () => {
  const { key, service } = keyUnderTest();
  await key.check();
  service.status = { ...service.status, version: "v2beta1" };
  await assert.rejects(key.check(), /should not change after the initial status response version v2, got v2beta1$/);
});

for (const [what, change, expected] of [
  ["no ciphertext", { ciphertext: Buffer.alloc(0) }, /encrypted DEK source is empty/],
  ["a long ciphertext", { ciphertext: Buffer.alloc(1025) }, /is 1025 bytes, which exceeds the max size of 1024/],
  [
    "an annotation without a domain",
    { annotations: { plain: Buffer.from("x") } },
    /at least two segments separated by dots/,
  ],
  ["large annotations", { annotations: { "a.example.com": Buffer.alloc(32_768) } }, /exceeds the max size of 32768/],
] as const) {
  test(`an encrypted key with ${what} is refused`, async () => {
    const { key, service } = keyUnderTest();
    service.encrypted = { ...service.encrypted, ...change };
    await assert.rejects(key.check(), expected);
    assert.throws(() => key.forWrites(), { message: "got unexpected nil transformer" });
  });
}

test("the result of a check counts for 20 seconds when it is good, and for 3 when it is not", async () => {
  const { key, service } = keyUnderTest();
  let recoveries = 0;
  const probe = new CachedProbe(key, { now: () => service.nowMs, onRecovered: () => recoveries++ });
  await probe.check();
  service.failure = new Error("gone");
  service.nowMs += 19_999;
  await probe.check();
  service.nowMs += 1;
  await assert.rejects(probe.check(), { message: /^failed to perform status section of the healthz check .*: gone$/ });
  service.failure = undefined;
  service.nowMs += 2_999;
  await assert.rejects(probe.check(), { message: "gone" });
  assert.equal(recoveries, 0);
  service.nowMs += 1;
  await probe.check();
  assert.equal(recoveries, 1);
});
