import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, it } from "node:test";
import { eventually } from "@gatehouse/testing/eventually";
import { type KmsPlugin, startKmsPlugin } from "@gatehouse/testing/kms-plugin";
import { ValueUnavailableError } from "../../values/value-transformer.js";
import { aesCbc } from "../ciphers/aes-cbc.js";
import { aesGcm } from "../ciphers/aes-gcm.js";
import {
  EncryptionFixture,
  entry,
  secretKey as key,
  keysOf,
  type TestEncryption,
  secretValue as value,
} from "../encryption.test.support.js";
import { loadEncryptedObjectCodec } from "./encrypted-object.js";
import { loadKmsV1, loadKmsV2 } from "./kms-api.js";
import { KmsConnection } from "./kms-connection.js";

describe("a key management service", () => {
  let fixture: EncryptionFixture;
  let plugin: KmsPlugin;

  before(async () => {
    fixture = await EncryptionFixture.create();
    plugin = await startKmsPlugin({ endpoint: `unix://${fixture.folder}/kms.sock` });
  });

  afterEach(() => {
    plugin.recover();
    plugin.healthz = "ok";
  });

  after(async () => {
    await plugin.stop();
    await fixture[Symbol.asyncDispose]();
  });

  const service = (apiVersion: "v1" | "v2", more: object = {}): object => ({
    kms: { name: `service-${apiVersion}`, apiVersion, endpoint: plugin.endpoint, timeout: "5s", ...more },
  });
  const open = (...providers: readonly object[]): Promise<TestEncryption> =>
    fixture.open([entry(["secrets"], ...providers)], { allowsKmsV1: true });

  for (const version of ["v1", "v2"] as const) {
    it(`of ${version} encrypts values that another process reads`, async () => {
      await using writer = await open(service(version));
      const stored = await writer.toStored(key, value);
      assert.ok(stored.toString("latin1").startsWith(`k8s:enc:kms:${version}:service-${version}:`));
      assert.ok(!stored.includes(value));
      await using reader = await open(service(version));
      const read = await reader.fromStored(key, stored);
      assert.deepEqual([read.value.toString(), read.isStale], [value.toString(), false]);
    });

    it(`of ${version} does not let a value be moved to another key of the store`, async () => {
      await using encryption = await open(service(version));
      const stored = await encryption.toStored(key, value);
      await assert.rejects(
        async () => encryption.fromStored("/registry/secrets/default/b", stored),
        /authentication failed/,
      );
    });

    it(`of ${version} that does not answer makes reads and writes fail as long as it does not`, async () => {
      await using writer = await open(service(version));
      const stored = await writer.toStored(key, value);
      plugin.fail("UNAVAILABLE");
      await using reader = await open(service(version));
      await assert.rejects(async () => reader.toStored(key, value));
      await assert.rejects(async () => reader.fromStored(key, stored), ValueUnavailableError);
      plugin.recover();
      await eventually(async () => assert.ok((await reader.fromStored(key, stored)).value.equals(value)));
    });

    it(`of ${version} that refuses a value does not count as one that does not answer`, async () => {
      await using writer = await open(service(version));
      const stored = await writer.toStored(key, value);
      await using reader = await open(service(version));
      plugin.fail("INVALID_ARGUMENT", ["Decrypt"]);
      await assert.rejects(
        async () => reader.fromStored(key, stored),
        (error: Error) => !(error instanceof ValueUnavailableError) && /InvalidArgument/.test(error.message),
      );
    });

    it(`of ${version} that is silent is waited for until the timeout of the configuration`, async () => {
      await using writer = await open(service(version));
      const stored = await writer.toStored(key, value);
      await using reader = await open(service(version, { timeout: "300ms" }));
      // A busy machine may not tell of the key in time at once.
      await eventually(async () => reader.toStored(key, value));
      plugin.fail("silence");
      await assert.rejects(async () => reader.fromStored(key, stored), /code = DeadlineExceeded/);
    });
  }

  it("of v2 is asked once for a key that many values need", async () => {
    await using writer = await open(service("v2"));
    const stored = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => writer.toStored(`${key}${index}`, value)),
    );
    await using reader = await open(service("v2"));
    const calls = plugin.calls.Decrypt;
    await Promise.all(stored.map(async (one, index) => reader.fromStored(`${key}${index}`, one)));
    assert.equal(plugin.calls.Decrypt, calls + 1);
    assert.match(await reader.registry.render(), /^apiserver_storage_envelope_transformation_cache_misses_total 1$/m);
  });

  it("of v2 goes on reading and writing with the key it has while the service fails", async () => {
    await using encryption = await open(service("v2"));
    plugin.fail("UNAVAILABLE");
    const stored = await encryption.toStored(key, value);
    assert.ok((await encryption.fromStored(key, stored)).value.equals(value));
  });

  it("of v2 whose key has been rotated finds earlier values stale, and encrypts by the new key", async () => {
    await using before = await open(service("v2"));
    const stored = await before.toStored(key, value);
    plugin.rotate();
    await using now = await open(service("v2"));
    const read = await now.fromStored(key, stored);
    assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
    const anew = await now.toStored(key, value);
    assert.ok(anew.includes(plugin.keyId));
    assert.equal((await now.fromStored(key, anew)).isStale, false);
  });

  it("of v2 reads what was written by a key instead of a seed, as before v1.29, and finds it stale", async () => {
    await using encryption = await open(service("v2"));
    const dataKey = Buffer.alloc(32, "data key");
    const codec = await loadEncryptedObjectCodec();
    const prefix = Buffer.from("k8s:enc:kms:v2:service-v2:");
    const current = codec.decode((await encryption.toStored(key, value)).subarray(prefix.length));
    const object = {
      keyID: current.keyID,
      encryptedDEKSource: await encryptedByV2(dataKey),
      encryptedData: Buffer.concat(aesGcm(dataKey).toParts(key, value)),
    };
    const read = await encryption.fromStored(key, Buffer.concat([prefix, codec.encode(object)]));
    assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
  });

  it("of v1 uses a key of its own for every value, and asks for it again when it is not cached", async () => {
    await using encryption = await open(service("v1", { cachesize: -1 }));
    const { Encrypt, Decrypt } = { ...plugin.calls };
    const stored = [await encryption.toStored(key, value), await encryption.toStored(key, value)];
    for (const one of stored) {
      await encryption.fromStored(key, one);
    }
    assert.deepEqual([plugin.calls.Encrypt, plugin.calls.Decrypt], [Encrypt + 2, Decrypt + 2]);
  });

  it("of v1 keeps as many keys as configured", async () => {
    await using encryption = await open(service("v1", { cachesize: 2 }));
    const stored: Buffer[] = [];
    for (let index = 0; index < 3; index++) {
      stored.push(await encryption.toStored(key, value));
    }
    const calls = plugin.calls.Decrypt;
    await encryption.fromStored(key, stored[2] as Buffer);
    await encryption.fromStored(key, stored[1] as Buffer);
    assert.equal(plugin.calls.Decrypt, calls);
    await encryption.fromStored(key, stored[0] as Buffer);
    assert.equal(plugin.calls.Decrypt, calls + 1);
    assert.match(await encryption.registry.render(), /^apiserver_envelope_encryption_dek_cache_fill_percent 1$/m);
  });

  it("of v1 reads what releases before v1.25 wrote by AES-CBC, and finds it stale", async () => {
    await using encryption = await open(service("v1"));
    const stored = await encryption.toStored(key, value);
    const dataStart = stored.length - 12 - value.length - 16;
    const prefixEnd = stored.indexOf(":service-v1:") + ":service-v1:".length;
    const encryptedKey = stored.subarray(prefixEnd + 2, dataStart);
    const dataKey = await decryptedBy(encryptedKey);
    const old = Buffer.concat([stored.subarray(0, dataStart), ...aesCbc(dataKey).toParts(key, value)]);
    const read = await encryption.fromStored(key, old);
    assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
  });

  it("is healthy or not as its status says", async () => {
    plugin.healthz = "the hardware module is gone";
    await using encryption = await open(service("v2"));
    const [check] = encryption.healthChecks;
    assert.equal(check?.name, "kms-providers");
    const text =
      "kmsv2 Provider service-v2 is not healthy, error: got unexpected healthz status: the hardware module is gone";
    await assert.rejects(async () => check?.check(), { message: `kms-provider-0: ${text}` });
    assert.deepEqual(encryption.told, [`unhealthy: service-v2: ${text}`]);
  });

  it("has a check of its own where services of v1 are among them", async () => {
    await using encryption = await open(service("v2"), service("v1"));
    assert.deepEqual(
      encryption.healthChecks.map(({ name }) => name),
      ["kms-provider-0", "kms-provider-1"],
    );
    await encryption.healthChecks[1]?.check();
  });

  it("shows in metrics under the hash of its key, never the key ID itself", async () => {
    await using encryption = await open(service("v2"), { aesgcm: keysOf("k") });
    await encryption.fromStored(key, await encryption.toStored(key, value));
    const metrics = await encryption.registry.render();
    assert.ok(!metrics.includes(plugin.keyId));
    for (const line of [
      /^apiserver_envelope_encryption_key_id_hash_total\{transformation_type="to_storage",provider_name="service-v2",key_id_hash="sha256:[0-9a-f]{64}",apiserver_id_hash="sha256:[0-9a-f]{64}"\} 1$/m,
      /^apiserver_envelope_encryption_kms_operations_latency_seconds_count\{provider_name="service-v2",method_name="\/v2.KeyManagementService\/Encrypt",grpc_status_code="OK"\} 1$/m,
      /^apiserver_storage_transformation_operations_total\{transformation_type="from_storage",transformer_prefix="k8s:enc:kms:v2:service-v2:",status="OK"\} 1$/m,
      /^apiserver_storage_data_key_generation_duration_seconds_count 1$/m,
      /^apiserver_envelope_encryption_dek_source_cache_size\{provider_name="service-v2"\} 1$/m,
    ]) {
      assert.match(metrics, line);
    }
  });

  it("reads what kube-apiserver v1.29 has stored by such a service", async () => {
    const named = (name: string, apiVersion: string): object => ({
      kms: { name, apiVersion, endpoint: plugin.endpoint },
    });
    await using encryption = await fixture.open(
      [entry(["secrets"], named("two", "v2")), entry(["configmaps"], named("three", "v1"))],
      { allowsKmsV1: true },
    );
    const recordings = new URL("../../../../src/storage/encryption/recorded-kms-values.json", import.meta.url);
    const { values } = JSON.parse(readFileSync(recordings, "utf8")) as {
      values: readonly { key: string; stored: string; contains: string }[];
    };
    for (const { key: storeKey, stored, contains } of values) {
      const read = await encryption.fromStored(storeKey, Buffer.from(stored, "base64"));
      assert.ok(read.value.includes(contains), storeKey);
    }
    assert.equal(values.length, 2);
  });

  async function encryptedByV2(plaintext: Buffer): Promise<Buffer> {
    using connection = await KmsConnection.open({ name: "test", endpoint: plugin.endpoint, timeoutMs: 30_000 });
    return Buffer.from((await connection.call((await loadKmsV2()).Encrypt, { plaintext, uid: "" })).ciphertext);
  }

  async function decryptedBy(encryptedKey: Buffer): Promise<Buffer> {
    using connection = await KmsConnection.open({ name: "test", endpoint: plugin.endpoint, timeoutMs: 30_000 });
    const answer = await connection.call((await loadKmsV1()).Decrypt, { version: "v1beta1", cipher: encryptedKey });
    return Buffer.from(answer.plain);
  }
});
