import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import type { Encryption } from "./encryption.js";
import { EncryptionFixture, entry, secretKey as key, keysOf, secretValue as value } from "./encryption.test.support.js";

const fixture = await EncryptionFixture.create();
after(() => fixture[Symbol.asyncDispose]());
const open = (entries: readonly object[]): Promise<Encryption> => fixture.open(entries);

for (const type of ["aescbc", "aesgcm", "secretbox"] as const) {
  test(`a value by ${type} names the provider and the key, does not hold the value, and is read again`, async () => {
    await using encryption = await open([entry(["secrets"], { [type]: keysOf("k1", "k2") })]);
    for (const plain of [value, Buffer.alloc(0), Buffer.alloc(16, "x"), Buffer.alloc(100_000, "y")]) {
      const stored = await encryption.toStored(key, plain);
      assert.ok(stored.toString("latin1").startsWith(`k8s:enc:${type}:v1:k1:`));
      assert.ok(plain.length === 0 || !stored.includes(plain));
      const read = await encryption.fromStored(key, stored);
      assert.deepEqual([read.value.equals(plain), read.isStale], [true, false]);
    }
  });

  test(`two values by ${type} differ although they are the same`, async () => {
    await using encryption = await open([entry(["secrets"], { [type]: keysOf("k1") })]);
    const [one, other] = [await encryption.toStored(key, value), await encryption.toStored(key, value)];
    assert.ok(!one.equals(other));
  });

  test(`a value by an earlier key of ${type} is read, and stale`, async () => {
    await using before = await open([entry(["secrets"], { [type]: keysOf("k1") })]);
    await using now = await open([entry(["secrets"], { [type]: keysOf("k2", "k1") })]);
    const read = await now.fromStored(key, await before.toStored(key, value));
    assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
  });

  test(`a value by ${type} of which a byte has changed is not taken for whole`, async () => {
    await using encryption = await open([entry(["secrets"], { [type]: keysOf("k1") })]);
    const stored = Buffer.from(await encryption.toStored(key, value));
    stored[stored.length - 1] = (stored.at(-1) as number) ^ 1;
    if (type === "aescbc") {
      // Nothing authenticates it: the padding shows the change, or the value does.
      const read = await Promise.resolve()
        .then(() => encryption.fromStored(key, stored))
        .catch(() => undefined);
      assert.ok(read === undefined || !read.value.equals(value));
    } else {
      assert.throws(() => encryption.fromStored(key, stored), /message authentication failed/);
    }
  });

  test(`a value by ${type} that is too short is refused`, async () => {
    await using encryption = await open([entry(["secrets"], { [type]: keysOf("k1") })]);
    assert.throws(() => encryption.fromStored(key, Buffer.from(`k8s:enc:${type}:v1:k1:abc`)), {
      message: "the stored data was shorter than the required size",
    });
  });
}

test("a value by aesgcm cannot be moved to another key of the store", async () => {
  await using encryption = await open([entry(["secrets"], { aesgcm: keysOf("k1") })]);
  const stored = await encryption.toStored(key, value);
  assert.throws(() => encryption.fromStored("/registry/secrets/default/b", stored), /message authentication failed/);
});

test("what is stored plainly is read through identity, and is stale where another provider is first", async () => {
  await using encryption = await open([entry(["secrets"], { aesgcm: keysOf("k1") }, { identity: {} })]);
  assert.deepEqual(await encryption.fromStored(key, value), { value, isStale: true });
  await using decrypting = await open([entry(["secrets"], { identity: {} }, { aesgcm: keysOf("k1") })]);
  const stored = await encryption.toStored(key, value);
  const read = await decrypting.fromStored(key, stored);
  assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
  assert.equal(await decrypting.toStored(key, value), value);
});

test("what is stored plainly is refused where identity is not listed", async () => {
  await using encryption = await open([entry(["secrets"], { aesgcm: keysOf("k1") })]);
  assert.throws(() => encryption.fromStored(key, value), { message: "no matching prefix found" });
});

test("what is encrypted is never taken for a value of a resource without providers", async () => {
  await using encryption = await open([entry(["secrets"], { aesgcm: keysOf("k1") })]);
  const stored = await encryption.toStored(key, value);
  assert.throws(() => encryption.fromStored("/registry/configmaps/default/a", stored), {
    message: "identity transformer tried to read encrypted data",
  });
});

test("an unknown key is told without its content", async () => {
  await using one = await open([entry(["secrets"], { aesgcm: keysOf("k1") })]);
  await using other = await open([entry(["secrets"], { aesgcm: keysOf("k2") }, { secretbox: keysOf("k3") })]);
  const stored = await one.toStored(key, value);
  assert.throws(() => other.fromStored(key, stored), {
    message: "no matching key was found for the provided AES transformer",
  });
});

test("two providers of one type are tried in order", async () => {
  await using before = await open([entry(["secrets"], { aescbc: keysOf("k1") })]);
  await using now = await open([entry(["secrets"], { aescbc: keysOf("k2") }, { aescbc: keysOf("k1") })]);
  const read = await now.fromStored(key, await before.toStored(key, value));
  assert.deepEqual([read.value.equals(value), read.isStale], [true, true]);
});

test("a resource is found by its name, then by its group, then by the wildcard of all", async () => {
  await using encryption = await open([
    entry(["secrets", "things.example.com"], { aesgcm: keysOf("own") }),
    entry(["*.apps", "*."], { aesgcm: keysOf("group") }),
    entry(["*.*"], { aesgcm: keysOf("all") }),
  ]);
  const providerOf = async (storeKey: string): Promise<string> => {
    const stored = (await encryption.toStored(storeKey, value)).toString("latin1");
    return stored.startsWith("k8s:enc:") ? (stored.split(":")[4] as string) : "none";
  };
  const expected = {
    "/registry/secrets/default/a": "own",
    "/registry/example.com/things/default/a": "own",
    "/registry/configmaps/default/a": "group",
    "/registry/services/specs/default/a": "group",
    "/registry/deployments/default/a": "group",
    "/registry/example.com/others/default/a": "all",
    // No objects: they are stored plainly, as in v1.29.
    "/registry/ranges/serviceips": "none",
    "/registry/masterleases/10.0.0.1": "none",
    "/registry/gatehouse.dev/failed-open": "none",
    "/elsewhere/secrets/default/a": "none",
  };
  for (const [storeKey, provider] of Object.entries(expected)) {
    assert.equal(await providerOf(storeKey), provider, storeKey);
  }
});

interface Recording {
  readonly key: string;
  readonly stored: string;
  readonly contains: string;
}

interface Recordings {
  readonly resources: readonly object[];
  readonly values: readonly Recording[];
}

const recordings = JSON.parse(
  readFileSync(new URL("../../../src/storage/encryption/recorded-values.json", import.meta.url), "utf8"),
) as Recordings;

for (const { key: storeKey, stored, contains } of recordings.values) {
  test(`${storeKey} as kube-apiserver v1.29 has stored it is read, and not stale`, async () => {
    await using encryption = await open(recordings.resources);
    const read = await encryption.fromStored(storeKey, Buffer.from(stored, "base64"));
    assert.ok(read.value.includes(contains));
    assert.equal(read.isStale, false);
  });
}
