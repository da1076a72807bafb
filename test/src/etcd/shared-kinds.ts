import type { JsonObject } from "@gatehouse/envelopes/json";
import { sampleDefinition } from "../support/sample-definition.js";

/** A kind of which two servers write objects. */
export interface SharedKind {
  readonly path: string;
  readonly make: (name: string, number: number) => JsonObject;
  /** Returns a merge patch. */
  readonly change: (number: number) => JsonObject;
  /** The definition of a custom kind. */
  readonly definition?: JsonObject;
}

const template = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [{ name: "c", image: "example.com/c:1" }] },
};
const inDefault = "/namespaces/default";
const annotate = (number: number): JsonObject => ({ metadata: { annotations: { number: String(number) } } });
const ports = [{ port: 80 }];

/** Kinds with protobuf, with JSON, with another version at rest, with allocated numbers, and of either scope. */
export const sharedKinds: readonly SharedKind[] = [
  {
    path: `/api/v1${inDefault}/configmaps`,
    make: (name, number) => ({ metadata: { name }, data: { number: String(number), text: "<ü>\u2028" } }),
    change: (number) => ({ data: { number: String(number) } }),
  },
  {
    path: `/api/v1${inDefault}/services`,
    make: (name) => ({ metadata: { name }, spec: { type: "NodePort", selector: { app: "a" }, ports } }),
    change: annotate,
  },
  {
    path: `/apis/apps/v1${inDefault}/deployments`,
    make: (name) => ({ metadata: { name }, spec: { selector: { matchLabels: { app: "a" } }, template } }),
    change: (number) => ({ spec: { replicas: number % 5 } }),
  },
  {
    path: `/apis/discovery.k8s.io/v1${inDefault}/endpointslices`,
    make: (name) => ({
      metadata: { name },
      addressType: "IPv4",
      ports,
      endpoints: [{ addresses: ["192.0.2.1"], zone: "a", nodeName: "n", deprecatedTopology: { rack: "7" } }],
    }),
    change: annotate,
  },
  {
    path: `/apis/coordination.k8s.io/v1${inDefault}/leases`,
    make: (name) => ({ metadata: { name }, spec: { holderIdentity: "a", renewTime: "2026-01-02T03:04:05.123456Z" } }),
    change: (number) => ({ spec: { leaseTransitions: number } }),
  },
  {
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    make: (name, number) => ({ metadata: { name }, value: number }),
    change: annotate,
  },
  {
    path: `/apis/side.example.com/v1${inDefault}/boats`,
    make: (name, number) => ({
      apiVersion: "side.example.com/v1",
      kind: "Boat",
      metadata: { name },
      spec: { cron: String(number) },
    }),
    change: (number) => ({ spec: { cron: String(number) } }),
    definition: sampleDefinition("boats", "Boat", "side.example.com"),
  },
];
