import assert from "node:assert/strict";
import { test } from "node:test";
import type { FieldError, JsonObject } from "@gatehouse/envelopes";
import { validateAllocation, validateAllocationUpdate } from "./validate-service-allocation.js";

const texts = (errors: readonly FieldError[]): readonly string[] =>
  errors.map(({ field, message }) => `${field}: ${message}`);

const ip = (address: string): JsonObject => ({ type: "ClusterIP", clusterIP: address, clusterIPs: [address] });

const specs: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ["an address and a port", { ...ip("10.0.0.1"), ports: [{ port: 80 }] }, []],
  [
    "a port on nodes for a ClusterIP",
    { ...ip("10.0.0.1"), ports: [{ port: 80, nodePort: 30001 }] },
    ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
  ],
  [
    "one port on nodes for two ports",
    {
      ...ip("10.0.0.1"),
      type: "NodePort",
      ports: [
        { port: 80, nodePort: 30001, protocol: "TCP" },
        { port: 80, nodePort: 30001, protocol: "UDP" },
        { port: 81, nodePort: 30001, protocol: "TCP" },
      ],
    },
    ["spec.ports[2].nodePort: Duplicate value: 30001"],
  ],
  [
    "headless on nodes",
    { ...ip("None"), type: "NodePort" },
    ["spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort services"],
  ],
  [
    "an address for a name",
    { ...ip("10.0.0.1"), type: "ExternalName", ipFamilies: ["IPv4"], ipFamilyPolicy: "SingleStack" },
    [
      "spec.clusterIPs: Forbidden: may not be set for ExternalName services",
      "spec.ipFamilies: Forbidden: may not be set for ExternalName services",
      "spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services",
    ],
  ],
  [
    "a port for health checks where there are none",
    { ...ip("10.0.0.1"), healthCheckNodePort: 30001 },
    [
      "spec.healthCheckNodePort: Invalid value: 30001: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    ],
  ],
];
for (const [name, spec, errors] of specs) {
  test(`a service: ${name}`, () => {
    assert.deepEqual(texts(validateAllocation({ spec })), errors);
  });
}

const local = { ...ip("10.0.0.1"), type: "LoadBalancer", externalTrafficPolicy: "Local" };
const changes: readonly (readonly [string, JsonObject, JsonObject, readonly string[]])[] = [
  ["nothing", ip("10.0.0.1"), ip("10.0.0.1"), []],
  [
    "another address",
    ip("10.0.0.1"),
    ip("10.0.0.2"),
    ['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.2"}: may not change once set'],
  ],
  [
    "no address any more",
    ip("10.0.0.1"),
    { type: "ClusterIP" },
    ["spec.clusterIPs[0]: Invalid value: []string(nil): primary clusterIP can not be unset"],
  ],
  [
    "headless from now on",
    ip("10.0.0.1"),
    ip("None"),
    ['spec.clusterIPs[0]: Invalid value: []string{"None"}: may not change once set'],
  ],
  [
    "headless, with other families",
    { ...ip("None"), ipFamilies: ["IPv4"] },
    { ...ip("None"), ipFamilies: ["IPv6"] },
    [],
  ],
  ["a name from now on", ip("10.0.0.1"), { type: "ExternalName" }, []],
  ["an address from now on", { type: "ExternalName" }, ip("10.0.0.1"), []],
  [
    "another family",
    { ...ip("10.0.0.1"), ipFamilies: ["IPv4"] },
    { ...ip("10.0.0.1"), ipFamilies: ["IPv6"] },
    ['spec.ipFamilies[0]: Invalid value: []core.IPFamily{"IPv6"}: may not change once set'],
  ],
  [
    "another port for health checks",
    { ...local, healthCheckNodePort: 30001 },
    { ...local, healthCheckNodePort: 30002 },
    ["spec.healthCheckNodePort: Forbidden: field is immutable"],
  ],
];
for (const [name, oldSpec, spec, errors] of changes) {
  test(`a change of a service: ${name}`, () => {
    assert.deepEqual(texts(validateAllocationUpdate({ spec }, { spec: oldSpec })), errors);
  });
}
