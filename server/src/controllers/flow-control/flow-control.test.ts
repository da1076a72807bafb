import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { WantedResource } from "@gatehouse/apiserver/client";
import { metaOf } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../control-plane.test.support.js";
import { bootstrapConfiguration } from "./bootstrap-configuration.js";
import { bootstrapFlowSchemas, bootstrapPriorityLevels } from "./bootstrap-objects.js";
import { danglingReferences } from "./dangling-references.js";
import { flowSchemas, priorityLevels } from "./flow-control-resources.js";
import { revisedBootstrapObject } from "./revise-bootstrap-object.js";

const annotation = "apf.kubernetes.io/autoupdate-spec";

/** Starts the controller that makes the objects. Resolves when it has looked at all of them once. */
async function produce({ client, errors, start }: TestControlPlane): Promise<void> {
  await new Promise<void>((onDone) =>
    start(bootstrapConfiguration({ client, onDone, onError: (error) => errors.push(error) })),
  );
}

const consume = ({ client, errors, start }: TestControlPlane): void =>
  start(danglingReferences({ client, now: Date.now, onError: (error) => errors.push(error) }));

async function dangling(plane: TestControlPlane, name: string): Promise<string> {
  const schema = await plane.client.get(flowSchemas, "", name);
  const condition = conditionOfType(listAt(schema, "status", "conditions"), "Dangling");
  return `${textAt(condition, "status")} ${textAt(condition, "reason")}: ${textAt(condition, "message")}`;
}

const userSchema = (name: string, annotations: Readonly<Record<string, string>> = {}): JsonObject => ({
  kind: "FlowSchema",
  apiVersion: "flowcontrol.apiserver.k8s.io/v1",
  metadata: { name, annotations },
  spec: { priorityLevelConfiguration: { name: "mine" }, matchingPrecedence: 5000, rules: [] },
});

test("the objects of every cluster are those of v1.29, made in its order", async () => {
  await using plane = await openTestControlPlane();
  await produce(plane);
  const namesOf = async (resource: WantedResource): Promise<readonly string[]> =>
    (await plane.client.list(resource, "")).map(({ name }) => name).sort();
  assert.deepEqual(await namesOf(flowSchemas), [
    ...["catch-all", "endpoint-controller", "exempt", "global-default", "kube-controller-manager", "kube-scheduler"],
    ...["kube-system-service-accounts", "probes", "service-accounts", "system-leader-election", "system-node-high"],
    ...["system-nodes", "workload-leader-election"],
  ]);
  assert.deepEqual(await namesOf(priorityLevels), [
    ...["catch-all", "exempt", "global-default", "leader-election", "node-high", "system", "workload-high"],
    "workload-low",
  ]);
  const facts = JSON.parse(
    readFileSync(new URL("../../../src/controllers/flow-control/testdata/bootstrap.json", import.meta.url), "utf8"),
  );
  for (const [made, member] of [
    [bootstrapPriorityLevels, "priorityLevelConfigurations"],
    [bootstrapFlowSchemas, "flowSchemas"],
  ] as const) {
    assert.deepEqual(
      made.map(({ object }) => ({ name: metaOf(object).name, spec: object["spec"] })),
      [...facts.suggested[member], ...facts.mandatory[member]],
    );
  }
  const probes = (await plane.client.get(flowSchemas, "", "probes")) as JsonObject;
  assert.deepEqual(metaOf(probes).annotations, { [annotation]: "true" });
  assert.deepEqual(plane.errors, []);
});

test("a second start changes nothing", async () => {
  await using plane = await openTestControlPlane();
  await produce(plane);
  const before = await plane.store.currentRevision();
  await produce(plane);
  assert.equal(await plane.store.currentRevision(), before);
});

test("a mandatory object is mended whatever its annotation says, a suggested one as it says", async () => {
  await using plane = await openTestControlPlane();
  await produce(plane);
  const spoil = (name: string, value: string | undefined): Promise<void> =>
    plane.client.update(flowSchemas, { namespace: "", name }, (schema) => ({
      ...schema,
      metadata: {
        ...(schema["metadata"] as JsonObject),
        annotations: value === undefined ? {} : { [annotation]: value },
      },
      spec: { ...(schema["spec"] as JsonObject), distinguisherMethod: { type: "ByNamespace" } },
    }));
  await spoil("service-accounts", "true");
  await spoil("system-nodes", "false");
  await spoil("global-default", undefined);
  await plane.client.delete(flowSchemas, "", "probes");
  await produce(plane);
  const methodOf = async (name: string): Promise<string> =>
    textAt(await plane.client.get(flowSchemas, "", name), "spec", "distinguisherMethod", "type");
  assert.equal(await methodOf("service-accounts"), "ByUser");
  assert.equal(await methodOf("system-nodes"), "ByNamespace");
  // Somebody has changed it who did not say that the server may change it back.
  assert.equal(await methodOf("global-default"), "ByNamespace");
  const told = (await plane.client.get(flowSchemas, "", "global-default")) as JsonObject;
  assert.equal(metaOf(told).annotations?.[annotation], "false");
  assert.ok(await plane.client.get(flowSchemas, "", "probes"));
});

test("the specification of a mandatory object is replaced also where its annotation forbids that", () => {
  const wanted = bootstrapFlowSchemas.find(({ isMandatory }) => isMandatory);
  assert.ok(wanted);
  const spoilt = { ...wanted.object, metadata: { name: "exempt", annotations: { [annotation]: "false" } }, spec: {} };
  const revised = revisedBootstrapObject(spoilt, wanted);
  assert.deepEqual(revised?.["spec"], wanted.object["spec"]);
  assert.equal(metaOf(revised ?? {}).annotations?.[annotation], "true");
});

test("objects of former releases are removed; those of users stay", async () => {
  await using plane = await openTestControlPlane();
  await plane.make(flowSchemas, userSchema("former", { [annotation]: "true" }));
  await plane.make(flowSchemas, userSchema("kept", { [annotation]: "false" }));
  await plane.make(flowSchemas, userSchema("mine"));
  await produce(plane);
  assert.equal(await plane.client.get(flowSchemas, "", "former"), undefined);
  assert.ok(await plane.client.get(flowSchemas, "", "kept"));
  assert.ok(await plane.client.get(flowSchemas, "", "mine"));
});

test("a schema tells whether its level exists, and the fields have the managers of v1.29", async () => {
  await using plane = await openTestControlPlane();
  consume(plane);
  await plane.make(flowSchemas, userSchema("mine"));
  const named = 'This FlowSchema references the PriorityLevelConfiguration object named "mine"';
  await eventually(async () =>
    assert.equal(await dangling(plane, "mine"), `True NotFound: ${named} but there is no such object`),
  );
  await plane.make(priorityLevels, {
    kind: "PriorityLevelConfiguration",
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    metadata: { name: "mine" },
    spec: { type: "Limited", limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Reject" } } },
  });
  await eventually(async () => assert.equal(await dangling(plane, "mine"), `False Found: ${named} and it exists`));
  const schema = (await plane.client.get(flowSchemas, "", "mine")) as JsonObject;
  const managed = listAt(schema, "metadata", "managedFields").map((entry) =>
    ["manager", "operation", "subresource", "apiVersion"].map((member) => textAt(entry, member)).join(" "),
  );
  const consumer = "api-priority-and-fairness-config-consumer-v1";
  assert.ok(managed.includes(`${consumer} Apply status flowcontrol.apiserver.k8s.io/v1`), managed.join());
  assert.deepEqual(plane.errors, []);
});
