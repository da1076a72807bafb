import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { startTestServer } from "../support/start-test-server.js";
import { createApiClient } from "./support/api-client.js";
import { assertCode, assertStatus } from "./support/assert-status.js";
import { configMapsPath, createConfigMap, freshNamespace } from "./support/fixtures.js";
import { specServerWith } from "./support/shared-server.js";

const section = "Authentication";
const denying = "--authorization-mode=AlwaysDeny";

const unauthorized = { code: 401, reason: "Unauthorized", message: "Unauthorized" };

describe(section, { concurrency: 16 }, () => {
  it(`${section}, 1: a client certificate authenticates, and the request is then authorized`, async () => {
    const { server, client: admin } = await specServerWith(denying);
    assertCode(await admin.get("/api/v1/namespaces"), 200);
    const clientCertificate = await server.pki.clientCertificate("jane", ["dev"]);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.get("/api/v1/namespaces/default/configmaps/a"), {
      code: 403,
      reason: "Forbidden",
      message:
        'configmaps "a" is forbidden: User "jane" cannot get resource "configmaps" in API group "" in the namespace "default": Everything is forbidden.',
      details: { name: "a", kind: "configmaps" },
    });
    assertStatus(await jane.get("/apis/apps/v1/deployments"), {
      code: 403,
      reason: "Forbidden",
      message:
        'deployments.apps is forbidden: User "jane" cannot list resource "deployments" in API group "apps" at the cluster scope: Everything is forbidden.',
      details: { group: "apps", kind: "deployments" },
    });
    assertStatus(await jane.get("/version"), {
      code: 403,
      reason: "Forbidden",
      message: 'forbidden: User "jane" cannot get path "/version": Everything is forbidden.',
      details: {},
    });
  });

  it(`${section}, 2: without credentials a request is that of system:anonymous where anonymous access is on`, async () => {
    const { server } = await specServerWith(denying);
    using stranger = createApiClient(server.anonymousConfig);
    assertStatus(await stranger.get("/api/v1/namespaces"), {
      code: 403,
      reason: "Forbidden",
      message:
        'namespaces is forbidden: User "system:anonymous" cannot list resource "namespaces" in API group "" at the cluster scope: Everything is forbidden.',
      details: { kind: "namespaces" },
    });
  });

  it(`${section}, 2: with --anonymous-auth=false it is 401, and so it is with AlwaysAllow`, async () => {
    for (const flags of [[denying, "--anonymous-auth=false"], []]) {
      const { server } = await specServerWith(...flags);
      using stranger = createApiClient(server.anonymousConfig);
      assertStatus(await stranger.get("/api/v1/namespaces"), unauthorized);
      assertStatus(await stranger.get("/none"), unauthorized);
    }
  });

  it(`${section}, 2: a bad credential is refused, not taken for none`, async () => {
    const { server } = await specServerWith(denying);
    const other = await (await specServerWith()).server.pki.clientCertificate("mallory", ["system:masters"]);
    using mallory = createApiClient({ ...server.anonymousConfig, clientCertificate: other });
    const answer = await mallory.get("/api/v1/namespaces");
    assert.ok(answer.status === 401 || answer.status === 403, answer.text);
    assert.doesNotMatch(answer.text, /mallory/);
  });

  it(`${section}, 3: a dry run is authorized as the real request`, async () => {
    const { server, client: admin } = await specServerWith(denying);
    const namespace = await freshNamespace(admin);
    await createConfigMap(admin, namespace, "a");
    const clientCertificate = await server.pki.clientCertificate("jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.delete(configMapsPath(namespace, "a", "dryRun=All")), {
      code: 403,
      reason: "Forbidden",
      message: `configmaps "a" is forbidden: User "jane" cannot delete resource "configmaps" in API group "" in the namespace "${namespace}": Everything is forbidden.`,
      details: { name: "a", kind: "configmaps" },
    });
  });

  it(`${section}, 4: a subresource is authorized separately, and by its own name`, async () => {
    const { server } = await specServerWith(denying);
    const clientCertificate = await server.pki.clientCertificate("jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assertStatus(await jane.get("/apis/apps/v1/namespaces/default/deployments/d/scale"), {
      code: 403,
      reason: "Forbidden",
      message:
        'deployments.apps "d" is forbidden: User "jane" cannot get resource "deployments/scale" in API group "apps" in the namespace "default": Everything is forbidden.',
      details: { name: "d", group: "apps", kind: "deployments" },
    });
  });

  it(`${section}, 6: a bearer credential comes in the header Authorization, and one that nobody knows is refused`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-tokens-"));
    const tokens = join(folder, "tokens.csv");
    await writeFile(tokens, "secret,ann,1\n", { mode: 0o600 });
    await using server = await startTestServer({ flags: [denying, `--token-auth-file=${tokens}`] });
    await rm(folder, { recursive: true });
    using client = createApiClient(server.anonymousConfig);
    assert.match((await client.get("/api", { authorization: "Bearer secret" })).text, /User \\"ann\\" cannot get path/);
    assertStatus(await client.get("/api", { authorization: "Bearer wrong" }), unauthorized);
    assert.match((await client.get("/api", { "x-authorization": "Bearer secret" })).text, /system:anonymous/);
  });

  it(`${section}, --client-ca-file: the common name of a certificate that it has signed is who the client is`, async () => {
    const { server } = await specServerWith(denying);
    const clientCertificate = await server.pki.clientCertificate("cn-of-jane", []);
    using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
    assert.match((await jane.get("/version")).text, /User \\"cn-of-jane\\" cannot get path/);
  });

  it(`${section}, --authorization-mode: AlwaysAllow lets everybody do everything, AlwaysDeny nobody anything`, async () => {
    for (const [mode, code] of [
      ["AlwaysAllow", 200],
      ["AlwaysDeny", 403],
    ] as const) {
      const { server } = await specServerWith(`--authorization-mode=${mode}`);
      const clientCertificate = await server.pki.clientCertificate("jane", []);
      using jane = createApiClient({ ...server.anonymousConfig, clientCertificate });
      assertCode(await jane.get("/api/v1/namespaces"), code);
    }
  });
});
