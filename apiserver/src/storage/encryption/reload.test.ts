import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { after, test } from "node:test";
import { eventually } from "@gatehouse/testing/eventually";
import {
  EncryptionFixture,
  entry,
  secretKey as key,
  keysOf,
  type TestEncryption,
  secretValue as value,
} from "./encryption.test.support.js";

const fixture = await EncryptionFixture.create();
after(() => fixture[Symbol.asyncDispose]());

const followed = (...providers: readonly object[]): Promise<TestEncryption> =>
  fixture.open([entry(["secrets"], ...providers)], { isReloaded: true, pollIntervalMs: 10 });

async function prefixOf(encryption: TestEncryption): Promise<string> {
  return (await encryption.toStored(key, value)).toString("latin1").split(":").slice(2, 5).join(":");
}

test("a changed configuration counts from then on, and makes values readable", async () => {
  await using encryption = await followed({ aescbc: keysOf("old") });
  const stored = await encryption.toStored(key, value);
  await fixture.write([entry(["secrets"], { aesgcm: keysOf("new") }, { aescbc: keysOf("old") })], encryption.file);
  await eventually(async () => assert.equal(await prefixOf(encryption), "aesgcm:v1:new"));
  assert.equal((await encryption.fromStored(key, stored)).isStale, true);
  assert.deepEqual(encryption.told, ["reloaded"]);
  assert.equal(encryption.readable(), 1);
  assert.match(
    await encryption.registry.render(),
    /^apiserver_encryption_config_controller_automatic_reload_success_total\{apiserver_id_hash="sha256:[0-9a-f]{64}"\} 1$/m,
  );
});

test("a configuration that cannot be used is told, without its keys, and the one before counts", async () => {
  await using encryption = await followed({ aescbc: keysOf("old") });
  const short = Buffer.from("too short").toString("base64");
  await fixture.write([entry(["secrets"], { aesgcm: { keys: [{ name: "k", secret: short }] } })], encryption.file);
  await eventually(() => assert.ok(encryption.told.length > 0));
  assert.match(
    encryption.told[0] as string,
    /secret: Invalid value: "REDACTED": secret is not of the expected length, got 9/,
  );
  assert.ok(encryption.told.every((line) => !line.includes(short)));
  assert.equal(await prefixOf(encryption), "aescbc:v1:old");
  await writeFile(encryption.file, "{");
  await eventually(() => assert.ok(encryption.told.some((line) => /is not valid YAML/.test(line))));
  assert.match(
    await encryption.registry.render(),
    /^apiserver_encryption_config_controller_automatic_reload_failures_total\{apiserver_id_hash="sha256:[0-9a-f]{64}"\} [1-9]/m,
  );
  await fixture.write([entry(["secrets"], { aesgcm: keysOf("new") })], encryption.file);
  await eventually(async () => assert.equal(await prefixOf(encryption), "aesgcm:v1:new"));
});

test("a file that is followed has one health check, services or not", async () => {
  await using encryption = await followed({ aescbc: keysOf("old") });
  assert.deepEqual(
    encryption.healthChecks.map(({ name }) => name),
    ["kms-providers"],
  );
  await encryption.healthChecks[0]?.check();
});

test("a check of the start tells whether the file is followed", async () => {
  const encryption = await followed({ aescbc: keysOf("old") });
  const [check, ...others] = encryption.startupChecks;
  assert.equal(check?.name, "poststarthook/start-encryption-provider-config-automatic-reload");
  assert.deepEqual(others, []);
  await check.check();
  await encryption[Symbol.asyncDispose]();
  await assert.rejects(async () => check.check(), /no longer followed/);
});

test("a file that is not followed and has no service has no health check", async () => {
  await using encryption = await fixture.open([entry(["secrets"], { aescbc: keysOf("old") })]);
  assert.deepEqual(encryption.healthChecks, []);
  assert.deepEqual(encryption.startupChecks, []);
});
