import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { StatusError } from "@gatehouse/envelopes/status";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { configMaps, namespaces } from "../controllers/core-resources.js";

async function refusal(attempt: Promise<unknown>): Promise<StatusError["status"]> {
  try {
    await attempt;
  } catch (error) {
    assert.ok(error instanceof StatusError, String(error));
    return error.status;
  }
  return assert.fail("was not refused");
}

function configMap(namespace: string, names: { readonly name?: string; readonly generateName?: string }) {
  return { kind: "ConfigMap", apiVersion: "v1", metadata: { namespace, ...names } };
}

/** Makes a namespace that is being deleted, with an object in it that a finalizer holds. */
async function makeTerminating(plane: TestControlPlane, name: string): Promise<void> {
  await plane.makeNamespace(name);
  await plane.make(configMaps, {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { namespace: name, name: "held", finalizers: ["example.com/x"] },
  });
  await plane.client.delete(namespaces, "", name);
}

test("nothing is created in a namespace that does not exist", async () => {
  await using plane = await openTestControlPlane();
  assert.deepEqual(await refusal(plane.client.create(configMaps, configMap("nowhere", { name: "a" }))), {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'namespaces "nowhere" not found',
    reason: "NotFound",
    details: { name: "nowhere", kind: "namespaces" },
    code: 404,
  });
});

test("a namespace can be used as soon as its creation has been acknowledged", async () => {
  await using plane = await openTestControlPlane();
  for (let index = 0; index < 20; index++) {
    await plane.makeNamespace(`n${index}`);
    await plane.make(configMaps, configMap(`n${index}`, { name: "a" }));
  }
});

test("nothing is created in a namespace as soon as its deletion has been acknowledged", async () => {
  await using plane = await openTestControlPlane();
  await makeTerminating(plane, "going");
  assert.deepEqual(await refusal(plane.client.create(configMaps, configMap("going", { name: "a" }))), {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message:
      'configmaps "a" is forbidden: unable to create new content in namespace going because it is being terminated',
    reason: "Forbidden",
    details: {
      name: "a",
      kind: "configmaps",
      causes: [
        {
          reason: "NamespaceTerminating",
          message: "namespace going is being terminated",
          field: "metadata.namespace",
        },
      ],
    },
    code: 403,
  });
});

test("the refusal shows the beginning of a name that is not generated yet", async () => {
  await using plane = await openTestControlPlane();
  await makeTerminating(plane, "going");
  const status = await refusal(plane.client.create(configMaps, configMap("going", { generateName: "a-" })));
  assert.match(status.message ?? "", /^configmaps "a-" is forbidden: /);
});

test("what is in a terminating namespace can still be changed and deleted", async () => {
  await using plane = await openTestControlPlane();
  await makeTerminating(plane, "going");
  await plane.client.delete(configMaps, "going", "held");
  await plane.client.update(configMaps, { namespace: "going", name: "held" }, (object) => {
    delete metaOf(object).finalizers;
    return object;
  });
  assert.equal(await plane.client.get(configMaps, "going", "held"), undefined);
});

test("an annotation that looks like the phase of a namespace is not taken for it", async () => {
  await using plane = await openTestControlPlane();
  await plane.make(namespaces, {
    kind: "Namespace",
    apiVersion: "v1",
    metadata: { name: "odd", annotations: { phase: "Terminating" } },
  });
  await plane.make(configMaps, configMap("odd", { name: "a" }));
});

for (const name of ["default", "kube-system", "kube-public"]) {
  test(`the namespace ${name} cannot be deleted`, async () => {
    await using plane = await openTestControlPlane();
    await plane.makeNamespace(name);
    const status = await refusal(plane.client.delete(namespaces, "", name));
    assert.equal(status.code, 403);
    assert.equal(status.message, `namespaces "${name}" is forbidden: this namespace may not be deleted`);
    assert.deepEqual(status.details, { name, kind: "namespaces" });
  });
}
