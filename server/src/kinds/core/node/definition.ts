import { type ResourceRow, statusSubresource } from "@gatehouse/apiserver/registry";
import { booleanAt } from "@gatehouse/envelopes/json";
import { nodeTable } from "./columns.js";
import { nodeRules } from "./rules.js";
import { nodeStrategy } from "./strategy.js";

/**
 * The definition of Node, stored under its first name, `minions`. A kubelet may set the status when it creates its
 * node.
 */
export const nodeRow: ResourceRow = {
  resource: "nodes",
  kind: "Node",
  namespaced: false,
  metadataRechecks: "inRules",
  shortNames: ["no"],
  subresources: [
    {
      name: "proxy",
      kind: { group: "", version: "v1", kind: "NodeProxyOptions" },
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: { takesPath: true },
    },
    statusSubresource,
  ],
  storage: { prefix: "minions" },
  storageVersionHash: "XwShjMxG9Fs=",
  statusOnCreate: "kept",
  fields: { "spec.unschedulable": (node) => String(booleanAt(node, "spec", "unschedulable")) },
  table: nodeTable,
  rules: nodeRules,
  ...nodeStrategy,
};
