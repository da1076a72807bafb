import assert from "node:assert/strict";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { assertCode } from "../../spec/support/assert-status.js";
import { without } from "./json-overlay.js";
import { current, metaOf, nameOf, type Subject } from "./subject.js";

/** Preconditions, dry run, and then what DELETE answers with. */
export async function checkDelete(subject: Subject, name: string): Promise<void> {
  const { client, resource, sample } = subject;
  const before = await current(subject, name);
  const wrong = { preconditions: { uid: "00000000-0000-4000-8000-000000000000" } };
  assertCode(await client.delete(subject.path(name), wrong), 409);
  assertCode(await client.delete(`${subject.path(name)}?dryRun=All`), 200);
  assert.deepEqual(await current(subject, name), before);

  const answer = await client.delete(subject.path(name), { propagationPolicy: "Background" });
  assertCode(answer, 200);
  if (sample.lingers === true && resource.resource !== "jobs" && resource.resource !== "replicationcontrollers") {
    const now = answer.document as unknown as JsonObject;
    assert.equal(now["kind"], resource.kind);
    assert.ok(metaOf(now)["deletionTimestamp"] !== undefined);
    await removeCompletely(subject, name);
  } else if (sample.deleteReturnsObject === true) {
    // A pod says when it was to go.
    const { resourceVersion, deletionTimestamp, deletionGracePeriodSeconds, ...last } = metaOf(
      answer.document as unknown as JsonObject,
    );
    const goesGracefully = resource.resource === "pods";
    assert.equal(deletionTimestamp !== undefined, goesGracefully);
    assert.equal(deletionGracePeriodSeconds, goesGracefully ? 0 : undefined);
    assert.ok(Number(resourceVersion) >= Number(metaOf(before).resourceVersion));
    const { resourceVersion: _version, ...meta } = metaOf(before);
    assert.deepEqual({ ...answer.document, metadata: last }, { ...before, metadata: meta });
  } else {
    assert.deepEqual(answer.document, {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Success",
      details: {
        name,
        ...(resource.group === "" ? {} : { group: resource.group }),
        kind: resource.resource,
        uid: metaOf(before).uid,
      },
    });
  }
  const gone = await client.get(subject.path(name));
  assertCode(gone, 404);
  const groupResource = resource.group === "" ? resource.resource : `${resource.resource}.${resource.group}`;
  assert.equal(gone.document.message, `${groupResource} "${name}" not found`);
  assertCode(await client.delete(subject.path(name)), 404);
}

/** Deletes an object, and takes off what holds it. */
export async function removeCompletely(subject: Subject, name: string): Promise<void> {
  const { client } = subject;
  const path = subject.path(name);
  assertCode(await client.delete(path, { propagationPolicy: "Background", gracePeriodSeconds: 0 }), 200);
  const left = await client.get(path);
  if (left.status === 404) {
    return;
  }
  const object = left.document as unknown as JsonObject;
  if (subject.resource.resource === "namespaces") {
    assertCode(await client.put(`${path}/finalize`, without(object, ["spec.finalizers"])), 200);
  } else {
    const freed = await client.patch(path, "application/merge-patch+json", { metadata: { finalizers: null } });
    assertCode(freed, 200);
  }
  assertCode(await client.get(path), 404);
}

/** Deletes what a label selects, and nothing else. */
export async function checkDeleteCollection(subject: Subject, names: readonly string[]): Promise<void> {
  const { client, resource } = subject;
  assert.ok(resource.verbs.includes("deletecollection"));
  const [kept = "", ...swept] = names;
  for (const name of swept) {
    const labelled = await client.patch(subject.path(name), "application/merge-patch+json", {
      metadata: { labels: { sweep: "yes" } },
    });
    assertCode(labelled, 200);
  }
  const answer = await client.request("DELETE", `${subject.path()}?labelSelector=sweep%3Dyes`, {
    headers: { "content-type": "application/json" },
    body: { kind: "DeleteOptions", apiVersion: "v1", propagationPolicy: "Background" },
  });
  assertCode(answer, 200);
  assert.equal(answer.document.kind, `${resource.kind}List`);
  assert.deepEqual(answer.document.items.map((item) => item.metadata.name).sort(), swept.toSorted());
  const rest = await client.get(`${subject.path()}?labelSelector=sweep%3Dyes`);
  const { items = [] } = rest.document as { items?: typeof rest.document.items }; // none at all in some lists of nothing
  const stay = items.filter((item) => item.metadata.deletionTimestamp === undefined);
  assert.deepEqual(stay, []);
  assertCode(await client.get(subject.path(kept)), 200);
}

export function namesOf(objects: readonly JsonObject[]): readonly string[] {
  return objects.map(nameOf);
}
