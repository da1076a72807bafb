import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { carryAllocatedMembers, completeClusterIPs } from "./carry-allocated.js";

/** Returns the spec after an update from one to the other. */
function carried(spec: JsonObject, oldSpec: JsonObject): JsonObject {
  carryAllocatedMembers({ spec }, { spec: oldSpec });
  return spec;
}

test("an update without the members that the server allocates keeps them", () => {
  const old = {
    type: "NodePort",
    clusterIP: "10.0.0.1",
    clusterIPs: ["10.0.0.1"],
    ports: [
      { name: "a", port: 80, nodePort: 30001 },
      { name: "b", port: 81, nodePort: 30002 },
      { name: "c", port: 82, nodePort: 30003 },
    ],
  };
  const ports = [
    { name: "a", port: 8080 },
    { name: "b", port: 81, nodePort: 30001 },
    { name: "c", port: 82 },
  ];
  assert.deepEqual(carried({ type: "NodePort", ports }, old), {
    type: "NodePort",
    clusterIP: "10.0.0.1",
    clusterIPs: ["10.0.0.1"],
    ports: [
      { name: "a", port: 8080 },
      { name: "b", port: 81, nodePort: 30001 },
      { name: "c", port: 82, nodePort: 30003 },
    ],
  });
});

test("the port for health checks is kept as long as there are health checks", () => {
  const local = { type: "LoadBalancer", externalTrafficPolicy: "Local" };
  const old = { ...local, healthCheckNodePort: 30009 };
  assert.equal(carried({ ...local }, old)["healthCheckNodePort"], 30009);
  assert.equal(carried({ ...local, healthCheckNodePort: 30010 }, old)["healthCheckNodePort"], 30010);
  const cluster = { type: "LoadBalancer", externalTrafficPolicy: "Cluster" };
  assert.equal(carried(cluster, old)["healthCheckNodePort"], undefined);
});

const address = { clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] };

test("to change clusterIP is to change clusterIPs, too", () => {
  const expected = { clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.2"] };
  assert.deepEqual(carried({ clusterIP: "10.0.0.2" }, address), expected);
  assert.deepEqual(carried({ clusterIP: "10.0.0.2", clusterIPs: ["10.0.0.1"] }, address), expected);
});

test("a service that becomes a name and says that it has no address has none", () => {
  const sent = { type: "ExternalName", clusterIP: "", clusterIPs: ["10.0.0.1"] };
  assert.deepEqual(carried(sent, address), { type: "ExternalName", clusterIP: "" });
});

test("clients that know only clusterIP mean clusterIPs, too", () => {
  const service = { spec: { clusterIP: "None" } };
  completeClusterIPs(service);
  assert.deepEqual(service, { spec: { clusterIP: "None", clusterIPs: ["None"] } });
});
