import { type KindDefinition, statusSubresource } from "@gatehouse/apiserver/registry";
import { podColumns } from "./columns.js";
import { podFields, podStrategy } from "./strategy.js";

/** The definition of Pod. */
export const podDefinition: KindDefinition = {
  resource: "pods",
  kind: "Pod",
  namespaced: true,
  shortNames: ["po"],
  categories: ["all"],
  subresources: [
    {
      name: "attach",
      kind: { group: "", version: "v1", kind: "PodAttachOptions" },
      verbs: ["create", "get"],
      connect: { takesPath: false },
    },
    {
      name: "binding",
      kind: { group: "", version: "v1", kind: "Binding" },
      verbs: ["create"],
      handledBy: "kind",
      response: { group: "", version: "v1", kind: "Status" },
    },
    {
      name: "ephemeralcontainers",
      kind: undefined,
      verbs: ["get", "patch", "update"],
      handledBy: "object",
      hasNoTable: true,
    },
    {
      name: "eviction",
      kind: { group: "policy", version: "v1", kind: "Eviction" },
      verbs: ["create"],
      handledBy: "kind",
      response: { group: "", version: "v1", kind: "Status" },
    },
    {
      name: "exec",
      kind: { group: "", version: "v1", kind: "PodExecOptions" },
      verbs: ["create", "get"],
      connect: { takesPath: false },
    },
    { name: "log", kind: undefined, verbs: ["get"], handledBy: "kind", answersText: true },
    {
      name: "portforward",
      kind: { group: "", version: "v1", kind: "PodPortForwardOptions" },
      verbs: ["create", "get"],
      connect: { takesPath: false },
    },
    {
      name: "proxy",
      kind: { group: "", version: "v1", kind: "PodProxyOptions" },
      verbs: ["create", "delete", "get", "patch", "update"],
      connect: { takesPath: true },
    },
    statusSubresource,
  ],
  storageVersionHash: "xPOwRZ+Yhw8=",
  fields: podFields,
  table: podColumns,
  strategy: podStrategy,
};
