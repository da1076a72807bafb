import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { documentOf, EncryptionFixture, entry, keysOf } from "../encryption.test.support.js";
import { readEncryptionConfiguration } from "./read-encryption-configuration.js";

const fixture = await EncryptionFixture.create();
after(() => fixture[Symbol.asyncDispose]());
const options = { isReloaded: false, allowsKmsV1: false };
const file = join(fixture.folder, "read.json");

async function problemsOf(document: object, more: Partial<typeof options> = {}): Promise<readonly string[]> {
  await writeFile(file, JSON.stringify(document), { mode: 0o600 });
  try {
    await readEncryptionConfiguration(file, { ...options, ...more });
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.problems.map(({ message }) => message);
  }
}

interface Refusal {
  readonly title: string;
  readonly configuration: object;
  readonly problems: readonly string[];
}

const recorded = new URL("../../../../src/storage/encryption/configuration/recorded-refusals.json", import.meta.url);
for (const { title, configuration, problems } of JSON.parse(readFileSync(recorded, "utf8")) as readonly Refusal[]) {
  test(`a configuration ${title} is refused with the problems that kube-apiserver v1.29 tells`, async () => {
    // Problems of the whole are told with the member that they concern.
    const texts = (await problemsOf(configuration)).map((text) => text.replace(/^resources: (?!Required)/, ""));
    assert.deepEqual(texts, problems);
  });
}

const kms = (name: string, more: object = {}): object => ({ kms: { name, endpoint: "unix:///tmp/kms.sock", ...more } });

test("services of v1 may share a name unless the file is followed", async () => {
  const document = documentOf([entry(["secrets"], kms("a"), kms("a"))]);
  assert.deepEqual(await problemsOf(document, { allowsKmsV1: true }), []);
  assert.deepEqual(await problemsOf(document, { allowsKmsV1: true, isReloaded: true }), [
    'resources[0].providers[1].kms.name: Invalid value: "a": duplicate KMS provider name a, names must be unique',
  ]);
});

test("defaults are those of v1.29", async () => {
  await writeFile(file, JSON.stringify(documentOf([entry(["secrets"], kms("a"))])), { mode: 0o600 });
  const { configuration } = await readEncryptionConfiguration(file, { ...options, allowsKmsV1: true });
  assert.deepEqual(configuration.resources[0]?.providers, [
    { type: "kms", apiVersion: "v1", name: "a", endpoint: "unix:///tmp/kms.sock", timeoutMs: 3000, cacheSize: 1000 },
  ]);
});

test("a timeout that is no duration is refused", async () => {
  const document = documentOf([entry(["secrets"], kms("a", { apiVersion: "v2", timeout: "soon" }))]);
  assert.deepEqual(await problemsOf(document), [
    'resources[0].providers[0].kms.timeout: Invalid value: "soon": is not a duration',
  ]);
});

test("a socket in the abstract namespace is refused where Node cannot connect to it", async () => {
  const document = documentOf([entry(["secrets"], kms("a", { apiVersion: "v2", endpoint: "unix:///@kms" }))]);
  const [major, minor] = (process.versions["uv"] as string).split(".").map(Number) as [number, number];
  const problems = await problemsOf(document);
  if (major > 1 || minor >= 48) {
    assert.deepEqual(problems, []);
  } else {
    assert.match(problems.join("\n"), /kms\.endpoint: .* abstract namespace need Node 22 or newer/);
  }
});

test("documents of other kinds, and members of other types, are refused", async () => {
  assert.deepEqual(await problemsOf({ apiVersion: "v1", kind: "Pod" }), [
    "kind: the document must be EncryptionConfiguration of apiserver.config.k8s.io/v1",
  ]);
  assert.deepEqual(await problemsOf({ ...documentOf(undefined), resources: 3 }), ["resources: must be array"]);
});

test("no problem and no warning holds a key", async () => {
  const secret = Buffer.from("0123456789abcdef!").toString("base64");
  const key = { name: "k", secret, sceret: secret };
  const problems = await problemsOf(documentOf([entry(["secrets"], { aescbc: { keys: [key] } })]));
  assert.equal(problems.length, 1);
  assert.ok(!problems.join().includes(secret));
});

test("members that are not known are ignored, with a warning", async () => {
  const document = { ...documentOf([entry(["secrets"], { aescbc: keysOf("k") })]), futureMember: true };
  await writeFile(file, JSON.stringify(document), { mode: 0o600 });
  const { warnings } = await readEncryptionConfiguration(file, options);
  assert.deepEqual(warnings, [`${file}: futureMember: is not a member of this kind; it is ignored`]);
});

test("a file that other users may read is used, with a warning", async () => {
  await writeFile(file, JSON.stringify(documentOf([entry(["secrets"], { aescbc: keysOf("k") })])));
  await chmod(file, 0o640);
  const { warnings } = await readEncryptionConfiguration(file, options);
  assert.deepEqual(warnings, [`${file}: other users of this machine may read or write it (mode 640); it holds keys`]);
  await chmod(file, 0o600);
});
