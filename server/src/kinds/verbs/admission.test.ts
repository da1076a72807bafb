import assert from "node:assert/strict";
import { test } from "node:test";
import { type AdmissionAttributes, AdmissionChain, type AdmissionPlugin } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type ResourceDefinition, ServedResource } from "@gatehouse/apiserver/registry";
import type { Caller } from "@gatehouse/apiserver/request";
import { createObject, noWriteOptions, type OperationScope, updateObject } from "@gatehouse/apiserver/verbs";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { forbidden, StatusError } from "@gatehouse/envelopes/status";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";

/** Returns the resource of pods, with one plugin and further members of its definition. */
function podsOf(plane: TestControlPlane, plugin: Partial<AdmissionPlugin>, more: Partial<ResourceDefinition> = {}) {
  const pods = plane.liveRegistry.current.find("", "v1", "pods") ?? assert.fail();
  const served = new ServedResource({ ...pods.definition, ...more }, pods.storage);
  const environment = { ...plane.environment, admission: new AdmissionChain([{ name: "Test", ...plugin }]) };
  const scope = (name: string): OperationScope => ({ environment, caller: caller(name), served });
  const caller = (name: string): Caller => ({
    user: { username: "somebody", groups: [] },
    agent: "",
    info: { namespace: "n", name, subresource: "" },
    signal: plane.signal,
    warn() {},
    yield: () => undefined,
    yieldIfLarge: () => undefined,
  });
  return {
    create: (object: JsonObject) => createObject(scope(""), { object, options: noWriteOptions }),
    relabel: (name: string) =>
      updateObject(scope(name), {
        subresource: "",
        options: noWriteOptions,
        createWhenMissing: false,
        revise: (old) => {
          const object = structuredClone(old ?? {});
          metaOf(object).labels = { changed: "yes" };
          return object;
        },
      }),
  };
}

const pod = (metadata: JsonObject = {}): JsonObject => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "p", namespace: "n", ...metadata },
  spec: { containers: [{ name: "c", image: "i" }] },
});

test("what only the server writes is gone before a plugin sees the object", async () => {
  await using plane = await openTestControlPlane();
  const seen: JsonObject[] = [];
  const pods = podsOf(plane, { admit: ({ object }) => void seen.push(structuredClone(object ?? {})) });
  const time = "2024-01-01T00:00:00Z";
  await pods.create(
    pod({
      uid: "mine",
      creationTimestamp: time,
      deletionTimestamp: time,
      deletionGracePeriodSeconds: 5,
      selfLink: "/x",
    }),
  );
  const { managedFields, ...metadata } = metaOf(seen[0] ?? {});
  // A time that is not set is written as null, as in v1.29.
  assert.deepEqual(metadata, { name: "p", namespace: "n", creationTimestamp: null });
  assert.ok(Array.isArray(managedFields));
});

test("what a plugin puts into an object gets its defaults, too", async () => {
  await using plane = await openTestControlPlane();
  const pods = podsOf(plane, {
    admit: (attributes) =>
      attributes.mutate((object) => {
        object["spec"] = { containers: [{ name: "side", image: "i:1" }] };
        return undefined;
      }),
  });
  const object = pod();
  await pods.create(object);
  const [container] = (object["spec"] as JsonObject)["containers"] as JsonObject[];
  assert.equal(textAt(container, "imagePullPolicy"), "IfNotPresent");
  assert.equal(textAt(object, "spec", "restartPolicy"), "Always");
});

test("a plugin is told what is written by whom, and with which options", async () => {
  await using plane = await openTestControlPlane();
  const seen: unknown[] = [];
  const note = ({ operation, kind, resource, name, namespace, options, user }: AdmissionAttributes): void => {
    seen.push([operation, kind.kind, resource.resource, name, namespace, options, user.username]);
  };
  const pods = podsOf(plane, { validate: note });
  await pods.create(pod());
  await pods.relabel("p");
  const options = { apiVersion: "meta.k8s.io/v1" };
  assert.deepEqual(seen, [
    ["CREATE", "Pod", "pods", "p", "n", { kind: "CreateOptions", ...options }, "somebody"],
    ["UPDATE", "Pod", "pods", "p", "n", { kind: "UpdateOptions", ...options }, "somebody"],
  ]);
});

test("a strategy may wait before it authorizes a write, and refuses it before anything is made of it", async () => {
  await using plane = await openTestControlPlane();
  const authorize = async ({ object, resource }: AdmissionAttributes): Promise<void> => {
    await Promise.resolve();
    if (metaOf(object ?? {}).labels?.["changed"] === "yes") {
      throw forbidden(resource, "p", "somebody may not do that");
    }
  };
  const { strategy } = plane.liveRegistry.current.find("", "v1", "pods")?.definition ?? assert.fail();
  const { create, update } = strategy;
  const pods = podsOf(
    plane,
    {},
    { strategy: { ...strategy, create: { ...create, authorize }, update: { ...update, authorize } } },
  );
  const entry = await pods.create(pod());
  await assert.rejects(
    pods.relabel("p"),
    (error) =>
      error instanceof StatusError &&
      error.code === 403 &&
      error.message === 'pods "p" is forbidden: somebody may not do that',
  );
  const stored = await plane.client.get({ group: "", resource: "pods" }, "n", "p");
  assert.equal(metaOf(stored ?? {}).resourceVersion, String(entry?.revision));
});
