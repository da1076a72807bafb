import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const events = { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration" };
const group = "flags.example.com";

/** An AdmissionConfiguration with these plugins, as a file. */
async function configurationFile(folder: string, plugins: readonly unknown[]): Promise<string> {
  const file = join(folder, "admission.yaml");
  const header = { apiVersion: "apiserver.config.k8s.io/v1", kind: "AdmissionConfiguration" };
  await writeFile(file, JSON.stringify({ ...header, plugins }));
  return `--admission-control-config-file=${file}`;
}

describe("The flags of admission plugins", () => {
  let server: ControlPlane;
  let client: ApiClient;
  let folder: string;

  before(async () => {
    server = await startTestServer({
      flags: ["--enable-admission-plugins=NamespaceAutoProvision,DenyServiceExternalIPs"],
    });
    client = createApiClient(server.clientConfig);
    folder = join(server.folder, "configuration");
    await mkdir(folder);
  });

  after(async () => {
    client?.[Symbol.dispose]();
    await server?.stop();
  });

  /** Returns the output of a server that cannot start with these flags. */
  async function failure(...flags: readonly string[]): Promise<string> {
    let output = "";
    const failing = spawnServer(
      [
        "--bind-address=127.0.0.1",
        "--secure-port=0",
        `--tls-cert-file=${server.certificates.serverCertFile}`,
        `--tls-private-key-file=${server.certificates.serverKeyFile}`,
        `--data-dir=${join(server.folder, "other")}`,
        ...server.certificates.serviceAccountFlags,
        ...flags,
      ],
      (text) => {
        output += text;
      },
    );
    await assert.rejects(failing.serving, /ended with/);
    return output;
  }

  it("that name what nobody knows are all told at once, and the server does not start", async () => {
    const output = await failure(
      "--enable-admission-plugins=Nobody,EventRateLimit",
      "--disable-admission-plugins=Nothing,EventRateLimit",
    );
    assert.match(output, /--enable-admission-plugins: "Nobody" is not an admission plugin/);
    assert.match(output, /--disable-admission-plugins: "Nothing" is not an admission plugin/);
    assert.match(output, /--enable-admission-plugins: EventRateLimit is also in --disable-admission-plugins/);
  });

  it("lead to a configuration whose plugins must be known", async () => {
    const output = await failure(await configurationFile(folder, [{ name: "Nobody" }, { name: "ResourceQuota" }]));
    assert.match(output, /plugins\[0\]\.name: "Nobody" is not an admission plugin/);
  });

  it("lead to a configuration in which a path starts from the file that names it", async () => {
    await mkdir(join(folder, "parts"), { recursive: true });
    const limits = [{ type: "Server", qps: 0, burst: 1 }];
    await writeFile(join(folder, "parts", "events.json"), JSON.stringify({ ...events, limits }));
    const flag = await configurationFile(folder, [{ name: "EventRateLimit", path: "parts/events.json" }]);
    const output = await failure("--enable-admission-plugins=EventRateLimit", flag);
    assert.match(output, /parts\/events\.json: limits\[0\]\.qps: must be positive/);
  });

  it("lead to a configuration that is preferred to a path", async () => {
    const configuration = { ...events, limits: [{ type: "Odd", qps: 1, burst: 1 }] };
    const flag = await configurationFile(folder, [{ name: "EventRateLimit", path: "/nowhere", configuration }]);
    const output = await failure("--enable-admission-plugins=EventRateLimit", flag);
    assert.match(
      output,
      /plugins\[0\]\.configuration: limits\[0\]\.type: must be one of Server, Namespace, User, Sourc/,
    );
  });

  it("refuse a plugin that needs a configuration and has none", async () => {
    assert.match(
      await failure("--enable-admission-plugins=EventRateLimit"),
      /EventRateLimit: limits: must not be empty/,
    );
  });

  it("turn on plugins that are off by default", async () => {
    assert.equal((await client.post("/api/v1/namespaces/unknown/configmaps", { metadata: { name: "a" } })).status, 201);
    const spec = { ports: [{ port: 1 }], externalIPs: ["192.0.2.1"] };
    const refused = await client.post("/api/v1/namespaces/unknown/services", { metadata: { name: "s" }, spec });
    assert.equal(refused.status, 403);
    assert.equal(
      refused.document.message,
      'services "s" is forbidden: Use of external IPs is denied by admission control',
    );
  });

  it("leave quotas on, for kinds that come to be served later, too, and over a restart", async () => {
    const quotas = "/api/v1/namespaces/default/resourcequotas";
    const things = `/apis/${group}/v1/namespaces/default/things`;
    const hard = { [`count/things.${group}`]: "1" };
    await client.post(quotas, { metadata: { name: "q" }, spec: { hard } });
    await client.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "things", kind: "Thing" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await until("the new kind is counted", async () => {
      const { document } = await client.get(`${quotas}/q`);
      const { used = {} } = (document as unknown as { status: { used?: Record<string, string> } }).status;
      return used[`count/things.${group}`] === "0";
    });
    const thing = (name: string) => ({ apiVersion: `${group}/v1`, kind: "Thing", metadata: { name } });
    assert.equal((await client.post(things, thing("a"))).status, 201);
    const message = `things.${group} "b" is forbidden: exceeded quota: q, requested: count/things.${group}=1, used: count/things.${group}=1, limited: count/things.${group}=1`;
    assert.equal((await client.post(things, thing("b"))).document.message, message);
    await server.restart();
    await until("the new kind is served again", async () => (await client.get(things)).status === 200);
    assert.equal((await client.post(things, thing("b"))).document.message, message);
  });
});
