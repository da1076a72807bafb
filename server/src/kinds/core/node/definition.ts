import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { booleanAt } from "@gatehouse/envelopes/json";
import { nodeColumns } from "./columns.js";
import { nodeStrategy } from "./strategy.js";

/**
 * The definition of Node, stored under its first name, `minions`. A kubelet may set the status when it creates its
 * node.
 */
export const nodeDefinition: KindDefinition = {
  resource: "nodes",
  kind: "Node",
  namespaced: false,
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
  fields: { "spec.unschedulable": (node) => String(booleanAt(node, "spec", "unschedulable")) },
  table: nodeColumns,
  strategy: nodeStrategy,
};
