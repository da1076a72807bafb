import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openLmdbStore } from "@gatehouse/apiserver/storage/lmdb";
import type { ControlPlane } from "@gatehouse/testing";
import { eventually } from "@gatehouse/testing/eventually";
import { type KmsPlugin, startKmsPlugin } from "@gatehouse/testing/kms-plugin";
import { startTestServer } from "../support/start-test-server.js";

const secrets = "/api/v1/namespaces/default/secrets";
const configMaps = "/api/v1/namespaces/default/configmaps";
const kms = (endpoint: string): object => ({ kms: { name: "plugin", apiVersion: "v2", endpoint, timeout: "1s" } });
const keys = { keys: [{ name: "old", secret: Buffer.alloc(32, "o").toString("base64") }] };

const kubectlPlugin = fileURLToPath(new URL("../../../deploy/dist/kubectl-gatehouse/main.js", import.meta.url));

describe("a server with an EncryptionConfiguration", () => {
  let server: ControlPlane;
  let plugin: KmsPlugin;
  let folder: string;
  let file: string;

  /** Writes the configuration. */
  async function configure(...providers: readonly object[]): Promise<void> {
    const kind = { apiVersion: "apiserver.config.k8s.io/v1", kind: "EncryptionConfiguration" };
    await writeFile(file, JSON.stringify({ ...kind, resources: [{ resources: ["secrets"], providers }] }), {
      mode: 0o600,
    });
  }

  async function send(method: string, path: string, body?: object): Promise<{ status: number; body: never }> {
    const signal = new AbortController().signal;
    const headers = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
    const answer = await server.client.requestJson({ method, path, headers, body, signal, timeoutMs: 30_000 });
    return answer as typeof answer & { body: never };
  }

  async function health(path: string): Promise<string> {
    const signal = new AbortController().signal;
    return (await server.client.request({ path, signal, timeoutMs: 30_000 })).body.toString();
  }

  /** The value of a key at rest. */
  async function stored(key: string): Promise<string> {
    await using store = await openLmdbStore({ directory: server.dataDirectory });
    return (await store.get(key)).kv?.value.toString("latin1") ?? "";
  }

  const secret = (name: string): object => ({ metadata: { name }, stringData: { password: `password of ${name}` } });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "encryption-"));
    file = join(folder, "encryption.json");
    plugin = await startKmsPlugin({ endpoint: `unix://${folder}/kms.sock` });
    await configure(kms(plugin.endpoint), { aescbc: keys }, { identity: {} });
    server = await startTestServer({ flags: [`--encryption-provider-config=${file}`] });
  });

  after(async () => {
    await server?.stop();
    await plugin?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("stores secrets encrypted and everything else plainly", async () => {
    assert.equal((await send("POST", secrets, secret("a"))).status, 201);
    assert.equal((await send("POST", configMaps, { metadata: { name: "a" }, data: { key: "plain" } })).status, 201);
    assert.match(await stored("/registry/secrets/default/a"), /^k8s:enc:kms:v2:plugin:/);
    assert.match(await stored("/registry/configmaps/default/a"), /^\{.*"plain"/s);
  });

  it("reads secrets after a restart, by asking the service for their key once", async () => {
    await send("POST", secrets, secret("b"));
    const before = plugin.calls.Decrypt;
    await server.restart();
    const { status, body } = await send("GET", secrets);
    assert.equal(status, 200);
    const { items } = body as { items: readonly { data: { password: string } }[] };
    const passwords = items.map(({ data }) => Buffer.from(data.password, "base64").toString());
    assert.deepEqual(passwords, ["password of a", "password of b"]);
    assert.equal(plugin.calls.Decrypt, before + 1);
  });

  it("tells of the health of the service at /readyz and /healthz, and not at /livez", async () => {
    assert.match(await health("/readyz?verbose"), /\[\+\]etcd-readiness ok\n\[\+\]kms-providers ok\n/);
    assert.match(await health("/healthz?verbose"), /\[\+\]etcd ok\n\[\+\]kms-providers ok\n/);
    assert.doesNotMatch(await health("/livez?verbose"), /kms/);
  });

  it("writes an object anew that is in an older form, although the write changes nothing, and only once", async () => {
    plugin.rotate();
    await server.restart();
    const before = await stored("/registry/secrets/default/a");
    const patch = (): Promise<{ status: number; body: never }> => send("PATCH", `${secrets}/a`, {});
    const { status, body } = await patch();
    assert.equal(status, 200);
    const after = await stored("/registry/secrets/default/a");
    assert.match(before, /test-key-1/);
    assert.match(after, /test-key-2/);
    const version = (answer: { body: unknown }): string =>
      (answer.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
    assert.equal(version(await patch()), version({ body }));
    assert.equal(await stored("/registry/secrets/default/a"), after);
  });

  it("has all objects rewritten by one command, after the provider has changed", async () => {
    await configure({ aescbc: keys }, kms(plugin.endpoint));
    await server.restart();
    const rewrite = async (): Promise<string> => {
      const argv = [kubectlPlugin, "rewrite", "secrets", "--kubeconfig", await server.kubeconfigFile()];
      return (await promisify(execFile)(process.execPath, argv)).stdout;
    };
    const { items } = (await send("GET", secrets)).body as { items: readonly object[] };
    assert.match(await rewrite(), /^secrets: [1-9]\d* rewritten, 0 current, 0 gone, 0 failed\n$/);
    assert.match(await stored("/registry/secrets/default/a"), /^k8s:enc:aescbc:v1:old:/);
    assert.match(await stored("/registry/secrets/default/b"), /^k8s:enc:aescbc:v1:old:/);
    assert.match(await rewrite(), /^secrets: 0 rewritten, [1-9]\d* current, 0 gone, 0 failed\n$/);
    assert.equal(((await send("GET", secrets)).body as { items: readonly object[] }).items.length, items.length);
    await configure(kms(plugin.endpoint), { aescbc: keys });
    await server.restart();
    assert.match(await rewrite(), /^secrets: [1-9]\d* rewritten/);
  });

  it("starts without the service, refuses what needs it, and recovers by itself", async () => {
    plugin.fail("UNAVAILABLE");
    const restarting = server.restart();
    // Meanwhile it is not ready.
    await eventually(async () => assert.match(await health("/readyz"), /kms-providers failed/));
    assert.equal(await health("/livez"), "ok");
    assert.match(await health("/readyz"), /\[-\]kms-providers failed: reason withheld\n/);
    const read = await send("GET", `${secrets}/a`);
    assert.equal(read.status, 500);
    assert.match((read.body as { message: string }).message, /got unexpected nil transformer/);
    const written = await send("POST", secrets, secret("c"));
    assert.equal(written.status, 500);
    assert.equal(
      (written.body as { message: string }).message,
      "Internal error occurred: got unexpected nil transformer",
    );
    assert.equal((await send("GET", `${configMaps}/a`)).status, 200);
    plugin.recover();
    await eventually(async () => assert.equal(await health("/readyz"), "ok"));
    assert.equal((await send("GET", secrets)).status, 200);
    assert.equal((await send("POST", secrets, secret("c"))).status, 201);
    await restarting;
  });
});
