import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { completeIPFamilies } from "./ip-families.js";

/** The families of a cluster without a second range. */
const cluster = ["IPv4"] as const;
const selector = { app: "a" };
const headless = { type: "ClusterIP", clusterIP: "None", clusterIPs: ["None"] };

interface Row {
  readonly spec: JsonObject;
  readonly old?: JsonObject;
  readonly families?: readonly string[] | undefined;
  readonly policy?: string | undefined;
}

const completed: Readonly<Record<string, Row>> = {
  "a service gets the family of the cluster": {
    spec: { type: "ClusterIP" },
    families: ["IPv4"],
    policy: "SingleStack",
  },
  "a service that would like two families gets the one that there is": {
    spec: { type: "ClusterIP", ipFamilyPolicy: "PreferDualStack" },
    families: ["IPv4"],
    policy: "PreferDualStack",
  },
  "an address tells its family": {
    spec: { type: "ClusterIP", clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"] },
    families: ["IPv4"],
    policy: "SingleStack",
  },
  "a headless service gets the family of the cluster": {
    spec: { ...headless, selector },
    families: ["IPv4"],
    policy: "SingleStack",
  },
  "a headless service without selector may have endpoints of both": {
    spec: { ...headless },
    families: ["IPv4", "IPv6"],
    policy: "RequireDualStack",
  },
  "a headless service without selector gets one family if it asks for one": {
    spec: { ...headless, ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6"] },
    families: ["IPv6"],
    policy: "SingleStack",
  },
  "a name has no families": { spec: { type: "ExternalName" } },
  "an update without a policy keeps the old one": {
    spec: { type: "ClusterIP" },
    old: { type: "ClusterIP", ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv4"] },
    families: ["IPv4"],
    policy: "PreferDualStack",
  },
  "an update to a single stack gives the second family back": {
    spec: { ...headless, ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv4", "IPv6"] },
    old: { ...headless, ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv4", "IPv6"] },
    families: ["IPv4"],
    policy: "SingleStack",
  },
};
for (const [name, { spec, old, families, policy }] of Object.entries(completed)) {
  test(name, () => {
    const service = { metadata: { name: "s" }, spec: structuredClone(spec) };
    completeIPFamilies(service, old === undefined ? undefined : { spec: old }, cluster);
    assert.deepEqual(service.spec["ipFamilies"], families);
    assert.equal(service.spec["ipFamilyPolicy"], policy);
  });
}

const refused: readonly (readonly [JsonObject, string])[] = [
  [
    { type: "ClusterIP", ipFamilyPolicy: "RequireDualStack" },
    'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
  ],
  [
    { type: "ClusterIP", ipFamilies: ["IPv6"] },
    'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
  ],
  [
    { type: "ClusterIP", ipFamilies: ["IPv5"] },
    'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
  ],
  [
    { type: "ClusterIP", clusterIP: "fd00::1", clusterIPs: ["fd00::1"] },
    'spec.clusterIPs[0]: Invalid value: []string{"fd00::1"}: IPv6 is not configured on this cluster',
  ],
  [
    { type: "ClusterIP", clusterIP: "x", clusterIPs: ["x"] },
    'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
  ],
  [
    { type: "ClusterIP", clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.2"] },
    'spec.clusterIPs: Invalid value: []string{"10.0.0.2"}: first value must match `clusterIP`',
  ],
  [
    { type: "ClusterIP", clusterIPs: ["10.0.0.2"] },
    'spec.clusterIPs: Invalid value: []string{"10.0.0.2"}: must be empty when `clusterIP` is not specified',
  ],
  [
    { type: "ClusterIP", clusterIP: "10.0.0.1", clusterIPs: ["10.0.0.1"], ipFamilies: ["IPv6"] },
    'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
  ],
  [
    {
      type: "ClusterIP",
      clusterIP: "10.0.0.1",
      clusterIPs: ["10.0.0.1", "10.0.0.2"],
      ipFamilyPolicy: "PreferDualStack",
    },
    'spec.clusterIPs: Invalid value: []string{"10.0.0.1", "10.0.0.2"}: may specify no more than one IP for each IP family',
  ],
];
for (const [spec, error] of refused) {
  test(`refused: ${error}`, () => {
    const service = { metadata: { name: "s" }, spec: structuredClone(spec) };
    assert.throws(
      () => completeIPFamilies(service, undefined, cluster),
      (thrown) => thrown instanceof StatusError && thrown.message === `Service "s" is invalid: ${error}`,
    );
  });
}
