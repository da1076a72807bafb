import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { type Answer, type ApiClient, createApiClient } from "../spec/support/api-client.js";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const leases = "/apis/coordination.k8s.io/v1/namespaces";
const api = "/apis/internal.apiserver.k8s.io/v1alpha1";
const check = "/readyz/poststarthook/built-in-resources-storage-version-updater";
const serves = "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true";

/** Two ways in which a server never comes to register what it stores. */
const settings = [
  {
    name: "without an identity lease",
    flags: [serves, "--controllers=*,-kube-apiserver-identity-lease-controller"],
    lastError: "<nil>",
  },
  {
    name: "where StorageVersions are not served",
    flags: [],
    lastError: "the server could not find the requested resource (post storageversions.internal.apiserver.k8s.io)",
  },
];

for (const { name, flags, lastError } of settings) {
  describe(`A server that cannot register its storage versions, ${name}`, () => {
    /** The control plane whose certificates the server has, too. */
    let issuer: ControlPlane;
    let run: ReturnType<typeof spawnServer>;
    let client: ApiClient;
    let log = "";

    before(async () => {
      issuer = await startTestServer();
      const { caFile, serverCertFile, serverKeyFile, serviceAccountFlags } = issuer.certificates;
      run = spawnServer(
        [
          `--data-dir=${join(issuer.folder, "waiting")}`,
          ...["--bind-address=127.0.0.1", "--secure-port=0", "--authorization-mode=AlwaysAllow"],
          `--tls-cert-file=${serverCertFile}`,
          `--tls-private-key-file=${serverKeyFile}`,
          `--client-ca-file=${caFile}`,
          ...serviceAccountFlags,
          "--feature-gates=StorageVersionAPI=true",
          ...flags,
        ],
        (text) => {
          log += text;
        },
      );
      const port = await run.serving;
      client = createApiClient({ ...issuer.clientConfig, server: new URL(`https://127.0.0.1:${port}`) });
    });

    after(async () => {
      client?.[Symbol.dispose]();
      await run?.kill("SIGKILL");
      await issuer?.stop();
    });

    const refusalOf = (resource: string, error: string): object => ({
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: `wait for storage version registration to complete for resource: ${resource}, last seen error: ${error}`,
      reason: "ServiceUnavailable",
      code: 503,
    });

    it("refuses writes with 503, and says why", async () => {
      const refused = await until("the failure is known", async (): Promise<Answer | undefined> => {
        const answer = await client.post(configMaps, { metadata: { name: "a" } });
        const { message } = answer.document as { message?: string };
        return message?.endsWith(lastError) ? answer : undefined;
      });
      assert.equal(refused.status, 503, log);
      assert.deepEqual(refused.document, refusalOf("configmaps", lastError));
      const events = await client.delete("/apis/events.k8s.io/v1/namespaces/default/events");
      assert.equal(events.status, 503);
      assert.match(events.text, /for resource: events\.events\.k8s\.io, last seen error: /);
      const older = await client.delete("/apis/apps/v1beta1/namespaces/default/deployments");
      assert.equal(older.status, 503);
      assert.match(older.text, /for resource: deployments\.apps, last seen error: /);
    });

    it("answers reads, reviews and other paths", async () => {
      assert.equal((await client.get(configMaps)).status, 200);
      const review = { spec: { nonResourceAttributes: { path: "/", verb: "get" } } };
      assert.equal((await client.post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)).status, 201);
      assert.equal((await client.get("/version")).status, 200);
    });

    it("takes leases of the control plane, and no others", async () => {
      const lease = { metadata: { name: "a" }, spec: {} };
      await until(
        "the namespace is there",
        async () => (await client.get("/api/v1/namespaces/kube-system")).status === 200,
      );
      assert.equal((await client.post(`${leases}/kube-system/leases`, lease)).status, 201);
      assert.equal((await client.post(`${leases}/default/leases`, lease)).status, 503);
    });

    it("is not ready", async () => {
      const answer = await client.get(check);
      assert.equal(answer.status, 500);
      assert.equal((await client.get("/readyz")).status, 500);
      assert.equal((await client.get(api)).status, flags.length === 0 ? 404 : 200);
    });
  });
}
