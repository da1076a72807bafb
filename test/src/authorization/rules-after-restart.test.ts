import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const secrets = "/api/v1/namespaces/north/secrets";

describe("a server under RBAC that has just started", () => {
  it("knows the roles and bindings of a namespace with the first request about it, and what has changed with the next", async () => {
    await using server = await startTestServer({ flags: ["--authorization-mode=RBAC"] });
    await post(server, "/api/v1/namespaces", { metadata: { name: "north" } });
    const rules = [{ verbs: ["list"], apiGroups: [""], resources: ["secrets"] }];
    await post(server, `${rbac}/namespaces/north/roles`, { metadata: { name: "reader" }, rules });
    await bind(server, "nina");

    await server.restart();
    using nina = await clientOf(server, "nina");
    using nora = await clientOf(server, "nora");
    assert.deepEqual(await Promise.all([codeOf(nina, secrets), codeOf(nora, secrets)]), [200, 403]);
    assert.equal(await codeOf(nina, "/api/v1/namespaces/south/secrets"), 403);
    assert.equal(await codeOf(nina, "/api/v1/secrets"), 403);

    await server.restart();
    const path = `${rbac}/namespaces/north/rolebindings/nina`;
    const removed = await server.client.request({ method: "DELETE", path, ...waiting() });
    assert.equal(removed.status, 200);
    await bind(server, "nora");
    assert.deepEqual(await Promise.all([codeOf(nina, secrets), codeOf(nora, secrets)]), [403, 200]);
  });
});

function bind(server: ControlPlane, name: string): Promise<void> {
  return post(server, `${rbac}/namespaces/north/rolebindings`, {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name }],
  });
}

async function post(server: ControlPlane, path: string, body: object): Promise<void> {
  const { status } = await server.client.requestJson({ method: "POST", path, body, ...waiting() });
  assert.equal(status, 201);
}

async function clientOf(server: ControlPlane, user: string): Promise<HttpClient> {
  const clientCertificate = await server.certificates.clientCertificate(user, []);
  return createHttpClient({ config: { ...server.anonymousConfig, clientCertificate } });
}

async function codeOf(client: HttpClient, path: string): Promise<number> {
  return (await client.request({ path, ...waiting() })).status;
}

function waiting(): { readonly signal: AbortSignal; readonly timeoutMs: number } {
  return { signal: new AbortController().signal, timeoutMs: 60_000 };
}
