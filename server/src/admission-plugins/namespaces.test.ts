import assert from "node:assert/strict";
import { test } from "node:test";
import { namespaceView } from "@gatehouse/apiserver/admission";
import { askPlugin, objectsInMemory } from "@gatehouse/apiserver/admission/testing";
import { namespaceAutoProvision } from "./namespace-auto-provision.js";
import { namespaceExists } from "./namespace-exists.js";
import { testParts } from "./plugin.test.support.js";

const object = { metadata: { name: "a" } };

test("NamespaceExists refuses every write in a namespace that is not there", async () => {
  const plugin = namespaceExists(testParts({ objects: { namespaces: [{ metadata: { name: "here" } }] } }));
  const missing = [404, 'namespaces "gone" not found'];
  for (const operation of ["CREATE", "UPDATE", "DELETE"] as const) {
    assert.deepEqual((await askPlugin(plugin, { operation, namespace: "gone", object })).refusal, missing);
    assert.equal((await askPlugin(plugin, { operation, namespace: "here", object })).refusal, undefined);
    assert.equal((await askPlugin(plugin, { operation, namespace: "", object })).refusal, undefined);
    const ofNamespace = { operation, namespace: "gone", resource: "namespaces", object };
    assert.equal((await askPlugin(plugin, ofNamespace)).refusal, undefined);
  }
});

test("NamespaceAutoProvision makes the namespace of what is created, but not for a dry run", async () => {
  const objects = objectsInMemory({});
  const plugin = namespaceAutoProvision({ objects });
  const known = namespaceView(objects);
  await askPlugin(plugin, { namespace: "n", object, dryRun: true });
  await askPlugin(plugin, { namespace: "n", object, operation: "UPDATE" });
  await askPlugin(plugin, { namespace: "n", resource: "namespaces", object });
  assert.equal(known.get("", "n"), undefined);
  await Promise.all([askPlugin(plugin, { namespace: "n", object }), askPlugin(plugin, { namespace: "n", object })]);
  assert.ok(known.get("", "n"));
});
