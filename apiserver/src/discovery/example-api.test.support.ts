import type { DiscoveredResource, ServedApi } from "./served-api.js";

const everything = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];

export const pods: DiscoveredResource = {
  resource: "pods",
  singular: "pod",
  kind: "Pod",
  namespaced: true,
  verbs: everything,
  shortNames: ["po"],
  categories: ["all"],
  storageVersionHash: "xPOwRZ+Yhw8=",
  returnsDeletedObject: true,
  subresources: [
    { name: "eviction", kind: { group: "policy", version: "v1", kind: "Eviction" }, verbs: ["create"] },
    {
      name: "exec",
      kind: { group: "", version: "v1", kind: "PodExecOptions" },
      verbs: ["create", "get"],
      connect: { takesPath: false },
    },
    { name: "log", kind: { group: "", version: "v1", kind: "Pod" }, verbs: ["get"] },
    { name: "status", kind: { group: "", version: "v1", kind: "Pod" }, verbs: ["get", "patch", "update"] },
  ],
};

export const tokenReviews: DiscoveredResource = {
  resource: "tokenreviews",
  singular: "tokenreview",
  kind: "TokenReview",
  namespaced: false,
  verbs: ["create"],
  shortNames: [],
  categories: [],
  storageVersionHash: "",
  subresources: [],
};

export const cronTabs: DiscoveredResource = {
  resource: "crontabs",
  singular: "crontab",
  kind: "CronTab",
  namespaced: true,
  verbs: everything,
  shortNames: [],
  categories: [],
  storageVersionHash: "",
  subresources: [],
  openAPIV3Schema: () => ({
    type: "object",
    description: "A table of jobs.",
    properties: {
      spec: {
        type: "object",
        required: ["cron"],
        properties: {
          cron: { type: "string", pattern: "^\\S+$", default: "* * * * *" },
          note: { type: "string", nullable: true },
          port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
          any: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "string" } } },
          labels: { type: "object", additionalProperties: { type: "string", nullable: true } },
        },
      },
    },
  }),
};

/** A little of everything: the core group, a group with two versions, a custom group, one of another server. */
export const exampleApi: ServedApi = {
  groups: [
    { name: "", versions: [{ group: "", version: "v1", resources: [pods] }], preferredVersion: "v1" },
    {
      name: "authentication.k8s.io",
      versions: [
        { group: "authentication.k8s.io", version: "v1", resources: [tokenReviews] },
        { group: "authentication.k8s.io", version: "v1beta1", resources: [] },
      ],
      preferredVersion: "v1",
    },
    {
      name: "stable.example.com",
      versions: [{ group: "stable.example.com", version: "v1", resources: [cronTabs] }],
      preferredVersion: "v1",
    },
    {
      name: "metrics.example.com",
      versions: [{ group: "metrics.example.com", version: "v1", resources: [], freshness: "Stale", delegated: true }],
      preferredVersion: "v1",
    },
  ],
  serverAddresses: [{ clientCIDR: "0.0.0.0/0", serverAddress: "10.0.0.1:6443" }],
};
