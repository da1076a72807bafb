import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { booleanAt, integerAt, listAt, textAt } from "../objects/json-fields.js";
import { copyMembers } from "../objects/object-meta.js";
import { defineResources, scaleSubresource, statusSubresource, virtualResource } from "./define-resource.js";
import { eventFields } from "./event-fields.js";
import { namespaceStrategy } from "./namespace-strategy.js";
import { nodeStrategy } from "./node-strategy.js";
import { podFields, podStrategy } from "./pod-strategy.js";
import { serviceStrategy } from "./service-strategy.js";
import { persistentVolumeClaimStrategy, persistentVolumeStrategy } from "./volume-strategies.js";

/** An empty type means "as before". */
function keepSecretType(secret: JsonObject, old: JsonObject): void {
  if (textAt(secret, "type") === "") {
    copyMembers(old, secret, ["type"]);
  }
}

/** Of the references to secrets only the names count. */
function keepSecretNamesOnly(serviceAccount: JsonObject): void {
  const secrets = listAt(serviceAccount, "secrets");
  if (secrets.length > 0) {
    serviceAccount["secrets"] = secrets.map((secret) => ({ name: textAt(secret, "name") }));
  }
}

/** The core group. */
export const coreResources: readonly ResourceDefinition[] = defineResources("", "v1", [
  { ...virtualResource, resource: "bindings", kind: "Binding", namespaced: true },
  {
    resource: "componentstatuses",
    kind: "ComponentStatus",
    namespaced: false,
    shortNames: ["cs"],
    verbs: ["get", "list"],
    storage: false,
  },
  {
    resource: "configmaps",
    kind: "ConfigMap",
    namespaced: true,
    shortNames: ["cm"],
    storageVersionHash: "qFsyl6wFWjQ=",
  },
  {
    resource: "endpoints",
    kind: "Endpoints",
    namespaced: true,
    shortNames: ["ep"],
    storage: { prefix: "services/endpoints" },
    storageVersionHash: "fWeeMqaN/OA=",
    allowCreateOnUpdate: true,
  },
  {
    resource: "events",
    kind: "Event",
    namespaced: true,
    shortNames: ["ev"],
    storageVersionHash: "r2yiGXH7wu8=",
    nameRule: "pathSegment",
    allowCreateOnUpdate: true,
    expires: true,
    fields: eventFields,
  },
  {
    resource: "limitranges",
    kind: "LimitRange",
    namespaced: true,
    shortNames: ["limits"],
    storageVersionHash: "EBKMFVe6cwo=",
    allowCreateOnUpdate: true,
  },
  {
    resource: "namespaces",
    kind: "Namespace",
    namespaced: false,
    shortNames: ["ns"],
    verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
    subresources: [{ name: "finalize", kind: undefined, verbs: ["update"] }, statusSubresource],
    storageVersionHash: "Q3oi5N2YM8M=",
    nameRule: "dnsLabel",
    fields: { "status.phase": (namespace) => textAt(namespace, "status", "phase") },
    ...namespaceStrategy,
  },
  {
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
    statusOnCreate: "kept",
    fields: { "spec.unschedulable": (node) => String(booleanAt(node, "spec", "unschedulable")) },
    ...nodeStrategy,
  },
  {
    resource: "persistentvolumeclaims",
    kind: "PersistentVolumeClaim",
    namespaced: true,
    shortNames: ["pvc"],
    subresources: [statusSubresource],
    storageVersionHash: "QWTyNDq0dC4=",
    returnsDeletedObject: true,
    ...persistentVolumeClaimStrategy,
  },
  {
    resource: "persistentvolumes",
    kind: "PersistentVolume",
    namespaced: false,
    shortNames: ["pv"],
    subresources: [statusSubresource],
    storageVersionHash: "HN/zwEC+JgM=",
    returnsDeletedObject: true,
    ...persistentVolumeStrategy,
  },
  {
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
        response: { group: "", version: "v1", kind: "Status" },
      },
      { name: "ephemeralcontainers", kind: undefined, verbs: ["get", "patch", "update"] },
      {
        name: "eviction",
        kind: { group: "policy", version: "v1", kind: "Eviction" },
        verbs: ["create"],
        response: { group: "", version: "v1", kind: "Status" },
      },
      {
        name: "exec",
        kind: { group: "", version: "v1", kind: "PodExecOptions" },
        verbs: ["create", "get"],
        connect: { takesPath: false },
      },
      { name: "log", kind: undefined, verbs: ["get"] },
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
    returnsDeletedObject: true,
    fields: podFields,
    ...podStrategy,
  },
  {
    resource: "podtemplates",
    kind: "PodTemplate",
    namespaced: true,
    storageVersionHash: "LIXB2x4IFpk=",
    hasGeneration: true,
    desiredState: (podTemplate) => podTemplate["template"],
    returnsDeletedObject: true,
  },
  {
    resource: "replicationcontrollers",
    kind: "ReplicationController",
    namespaced: true,
    shortNames: ["rc"],
    categories: ["all"],
    subresources: [scaleSubresource, statusSubresource],
    storage: { prefix: "controllers" },
    storageVersionHash: "Jond2If31h0=",
    hasGeneration: true,
    defaultPropagation: "Orphan",
    fields: { "status.replicas": (controller) => String(integerAt(controller, "status", "replicas")) },
  },
  {
    resource: "resourcequotas",
    kind: "ResourceQuota",
    namespaced: true,
    shortNames: ["quota"],
    subresources: [statusSubresource],
    storageVersionHash: "8uhSgffRX6w=",
    returnsDeletedObject: true,
  },
  {
    resource: "secrets",
    kind: "Secret",
    namespaced: true,
    storageVersionHash: "S6u1pOWzb84=",
    fields: { type: (secret) => textAt(secret, "type") },
    prepareForUpdate: keepSecretType,
  },
  {
    resource: "serviceaccounts",
    kind: "ServiceAccount",
    namespaced: true,
    shortNames: ["sa"],
    subresources: [
      {
        name: "token",
        kind: { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" },
        verbs: ["create"],
      },
    ],
    storageVersionHash: "pbx9ZvyFpBE=",
    allowUnconditionalUpdate: false,
    returnsDeletedObject: true,
    prepareForCreate: keepSecretNamesOnly,
    prepareForUpdate: keepSecretNamesOnly,
  },
  {
    resource: "services",
    kind: "Service",
    namespaced: true,
    shortNames: ["svc"],
    categories: ["all"],
    subresources: [
      {
        name: "proxy",
        kind: { group: "", version: "v1", kind: "ServiceProxyOptions" },
        verbs: ["create", "delete", "get", "patch", "update"],
        connect: { takesPath: true },
      },
      statusSubresource,
    ],
    storage: { prefix: "services/specs" },
    storageVersionHash: "0/CO1lhkEBI=",
    nameRule: "dns1035Label",
    allowCreateOnUpdate: true,
    returnsDeletedObject: true,
    ...serviceStrategy,
  },
]);
