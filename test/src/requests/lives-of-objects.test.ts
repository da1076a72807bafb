import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

const applyPatch = "application/apply-patch+yaml";
const mergePatch = "application/merge-patch+json";
const ended = { deletionTimestamp: "2024-01-01T00:00:00Z", deletionGracePeriodSeconds: 5 };

interface Cause {
  readonly field?: string;
}

function fieldsOf(details: unknown): readonly (string | undefined)[] {
  return ((details as { causes?: readonly Cause[] } | undefined)?.causes ?? []).map(({ field }) => field);
}

describe("The life of an object", { concurrency: true }, () => {
  let client: ApiClient;
  let namespace: string;
  before(async () => {
    client = await serverWith();
    namespace = await freshNamespace(client);
  });
  const inNamespace = (rest: string, root = "/api/v1"): string => `${root}/namespaces/${namespace}/${rest}`;

  it("that an update or an apply has made may begin with its end, but with no link", async () => {
    const metadata = { ...ended, selfLink: "/x", finalizers: ["example.com/held"] };
    const roles = inNamespace("roles", "/apis/rbac.authorization.k8s.io/v1");
    const made = [
      await client.put(`${roles}/a`, { metadata: { name: "a", ...metadata }, rules: [] }),
      await client.patch(`${inNamespace("configmaps/a")}?fieldManager=m`, applyPatch, {
        ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", ...metadata } },
      }),
    ];
    for (const answer of made) {
      assertCode(answer, 201);
      const { deletionTimestamp, deletionGracePeriodSeconds, selfLink } = answer.document.metadata;
      assert.deepEqual({ deletionTimestamp, deletionGracePeriodSeconds }, ended);
      assert.equal(selfLink, undefined);
    }
    const posted = await client.post(inNamespace("configmaps"), { metadata: { name: "b", ...metadata } });
    assert.equal(posted.document.metadata.deletionTimestamp, undefined);
  });

  it("is tried with the version that is stated", async () => {
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "tried", resourceVersion: "1" } };
    const path = `${inNamespace("configmaps/tried")}?fieldManager=m`;
    const tried = await client.patch(`${path}&dryRun=All`, applyPatch, object);
    assert.equal(tried.document.metadata.resourceVersion, "1");
    assert.notEqual((await client.patch(path, applyPatch, object)).document.metadata.resourceVersion, "1");
  });

  it("ends at the time that its deletion has set, whatever an update states, with no other grace period", async () => {
    const path = inNamespace("configmaps/ending");
    await client.post(inNamespace("configmaps"), { metadata: { name: "ending", finalizers: ["example.com/held"] } });
    const { deletionTimestamp } = (await client.delete(path)).document.metadata;
    const update = (metadata: object) => client.patch(path, mergePatch, { metadata });
    const other = await update({ deletionTimestamp: ended.deletionTimestamp });
    assert.equal(other.document.metadata.deletionTimestamp, deletionTimestamp);
    assert.equal((await update({ deletionGracePeriodSeconds: null })).document.metadata.deletionGracePeriodSeconds, 0);
    const refused = await update({ deletionGracePeriodSeconds: 5 });
    assertCode(refused, 422);
    assert.deepEqual(fieldsOf(refused.document.details), Array(2).fill("metadata.deletionGracePeriodSeconds"));
  });

  it("does not go on with a write that changes no more than members of the server", async () => {
    const path = `${inNamespace("configmaps/same")}?fieldManager=m`;
    const apply = (metadata: object) =>
      client.patch(path, applyPatch, { apiVersion: "v1", kind: "ConfigMap", metadata, data: { a: "1" } });
    const { resourceVersion } = (await apply({ name: "same" })).document.metadata;
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const again = await apply({ name: "same", generation: 7, creationTimestamp: ended.deletionTimestamp });
    assert.equal(again.document.metadata.resourceVersion, resourceVersion);
  });

  it("of a pod is not ended by its status", async () => {
    await client.post(inNamespace("pods"), {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const { deletionTimestamp } = ended;
    const answer = await client.patch(inNamespace("pods/p/status"), mergePatch, { metadata: { deletionTimestamp } });
    assertCode(answer, 200);
    assert.equal(answer.document.metadata.deletionTimestamp, undefined);
  });

  it("of an event is that of an event of the core group in messages about preconditions", async () => {
    const involvedObject = { kind: "Pod", name: "p", namespace };
    await client.post(inNamespace("events"), { metadata: { name: "e" }, involvedObject });
    const path = inNamespace("events/e", "/apis/events.k8s.io/v1");
    const { document } = await client.delete(path, { preconditions: { uid: "other" } });
    assert.match(String(document.message), /^Operation cannot be fulfilled on Event "e": the UID in the precondition/);
    assert.deepEqual(document.details, { name: "e", kind: "Event" });
  });

  it("of a service: its metadata are checked again after the changes of its addresses", async () => {
    const spec = { type: "NodePort", ports: [{ port: 80 }] };
    await client.post(inNamespace("services"), { metadata: { name: "s" }, spec });
    const change = { metadata: { finalizers: ["unqualified"] }, spec: { clusterIP: "None", clusterIPs: ["None"] } };
    const { document } = await client.patch(inNamespace("services/s"), mergePatch, change);
    const [finalizer, address] = ["metadata.finalizers[0]", "spec.clusterIPs[0]"];
    assert.deepEqual(fieldsOf(document.details), [finalizer, address, finalizer, address]);
  });
});
