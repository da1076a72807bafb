import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { addressChangeErrors } from "./address-changes.js";

const ip = (address: string): JsonObject => ({ type: "ClusterIP", clusterIP: address, clusterIPs: [address] });

const changes: readonly (readonly [name: string, before: JsonObject, now: JsonObject, errors: readonly string[]])[] = [
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
    "one family less without saying so",
    { ...ip("10.0.0.1"), ipFamilies: ["IPv4", "IPv6"] },
    { ...ip("10.0.0.1"), ipFamilies: ["IPv4"] },
    [
      "spec.ipFamilyPolicy: Invalid value: \"null\": must be set to 'SingleStack' when releasing the secondary ipFamily",
    ],
  ],
];

for (const [name, before, now, errors] of changes) {
  test(`a change of the addresses of a service: ${name}`, () => {
    const found = addressChangeErrors(now, before).map(({ field, message }) => `${field}: ${message}`);
    assert.deepEqual(found, errors);
  });
}
