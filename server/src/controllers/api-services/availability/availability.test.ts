import assert from "node:assert/strict";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import { conditionOfType, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { eventually } from "@gatehouse/testing/eventually";
import { openTestControlPlane, type TestControlPlane } from "../../../control-plane.test.support.js";
import { apiServices, endpoints, services } from "../../core-resources.js";
import { apiServiceAvailability } from "./availability.js";

const name = "v1.wardle.example.com";

function apiService(port = 443): JsonObject {
  return {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name },
    spec: {
      group: "wardle.example.com",
      version: "v1",
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      service: { namespace: "wardle", name: "api", port },
    },
  };
}

function service(ports: readonly JsonObject[], type = "ClusterIP"): JsonObject {
  return {
    kind: "Service",
    apiVersion: "v1",
    metadata: { namespace: "wardle", name: "api" },
    spec: { type, ports: [...ports], ...(type === "ExternalName" ? { externalName: "api.example.com" } : {}) },
  };
}

function endpointsWith(subsets: readonly JsonObject[]): JsonObject {
  return {
    kind: "Endpoints",
    apiVersion: "v1",
    metadata: { namespace: "wardle", name: "api" },
    subsets: [...subsets],
  };
}

/** Runs the controller with a server that answers as `probe` says, and counts what it told the metrics. */
function start(plane: TestControlPlane, probe: () => string | undefined): readonly string[] {
  const told: string[] = [];
  plane.start(
    apiServiceAvailability({
      client: plane.client,
      probe: async () => probe(),
      metrics: {
        state: (changed, isAvailable) => told.push(`${changed} ${isAvailable}`),
        lost: (changed, reason) => told.push(`${changed} lost: ${reason}`),
      },
      now: Date.now,
      onError: (error) => plane.errors.push(error),
    }),
  );
  return told;
}

async function available(plane: TestControlPlane): Promise<string> {
  const object = await plane.client.get(apiServices, "", name);
  const condition = conditionOfType(listAt(object, "status", "conditions"), "Available");
  return ["status", "reason", "message"].map((member) => textAt(condition, member)).join(" | ");
}

const https = { name: "https", port: 443 };
const active = { addresses: [{ ip: "10.1.2.3" }], ports: [{ name: "https", port: 8443 }] };
const missing = 'endpoints for service/api in "wardle" have no addresses with port name "https"';

/** Objects around an APIService, and its condition in v1.29. */
const rows: readonly (readonly [what: string, objects: readonly JsonObject[], condition: string])[] = [
  ["without its service", [], 'False | ServiceNotFound | service/api in "wardle" is not present'],
  [
    "whose service does not listen on its port",
    [service([{ port: 80 }])],
    'False | ServicePortError | service/api in "wardle" is not listening on port 443',
  ],
  [
    "whose service has no Endpoints",
    [service([https])],
    'False | EndpointsNotFound | cannot find endpoints for service/api in "wardle"',
  ],
  ["whose service has empty Endpoints", [service([https]), endpointsWith([])], `False | MissingEndpoints | ${missing}`],
  [
    "whose endpoints are not ready",
    [
      service([https]),
      endpointsWith([{ notReadyAddresses: [{ ip: "10.1.2.3" }], ports: [{ name: "https", port: 1 }] }]),
    ],
    `False | MissingEndpoints | ${missing}`,
  ],
  [
    "whose endpoints have a port of another name",
    [service([https]), endpointsWith([{ ...active, ports: [{ name: "http", port: 1 }] }])],
    `False | MissingEndpoints | ${missing}`,
  ],
  ["with endpoints", [service([https]), endpointsWith([active])], "True | Passed | all checks passed"],
  ["whose service is a name elsewhere", [service([], "ExternalName")], "True | Passed | all checks passed"],
];

for (const [what, objects, condition] of rows) {
  test(`the condition of an APIService ${what} is v1.29's`, async () => {
    await using plane = await openTestControlPlane();
    await plane.makeNamespace("wardle");
    for (const object of objects) {
      await plane.client.create(object["kind"] === "Service" ? services : endpoints, object);
    }
    await plane.make(apiServices, apiService());
    start(plane, () => undefined);
    await eventually(async () => assert.equal(await available(plane), condition));
    assert.deepEqual(plane.errors, []);
  });
}

test("a change of the service or its endpoints is noticed, and so is the server's failure and a change to a local one", async () => {
  await using plane = await openTestControlPlane();
  await plane.makeNamespace("wardle");
  await plane.make(apiServices, apiService());
  let reason: string | undefined;
  const told = start(plane, () => reason);
  const becomes = (condition: string): Promise<void> =>
    eventually(async () => assert.equal(await available(plane), condition));
  await becomes('False | ServiceNotFound | service/api in "wardle" is not present');
  await plane.make(services, service([https]));
  await becomes('False | EndpointsNotFound | cannot find endpoints for service/api in "wardle"');
  await plane.make(endpoints, endpointsWith([active]));
  await becomes("True | Passed | all checks passed");
  assert.equal(told.at(-1), `${name} true`);
  reason = "no answer";
  await plane.client.update(services, { namespace: "wardle", name: "api" }, (object) => ({
    ...object,
    metadata: { ...metaOf(object), labels: { changed: "yes" } },
  }));
  await becomes("False | FailedDiscoveryCheck | no answer");
  await eventually(async () => assert.ok(told.includes(`${name} lost: FailedDiscoveryCheck`)));
  await plane.client.update(apiServices, { namespace: "", name }, (object) => {
    const { service: _service, ...spec } = object["spec"] as JsonObject;
    return { ...object, spec };
  });
  await becomes("True | Local | Local APIServices are always available");
  await plane.client.delete(apiServices, "", name);
  await eventually(async () => assert.equal(told.at(-1), `${name} true`));
  assert.deepEqual(plane.errors, []);
});
