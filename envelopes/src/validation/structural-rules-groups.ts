import { isJsonObject, type JsonObject } from "../json.js";
import { declaredOrder, detail, type MemberRules, optional, required, requiredWith, unchecked } from "./member-rule.js";

/** Nothing but the type says what an update strategy is; where it is unknown, Go shows all of it. */
function strategyText(message: string): (strategy: JsonObject) => string {
  return ({ type, rollingUpdate }) => {
    const details = isJsonObject(rollingUpdate) ? "0xc000000000" : "nil";
    return `apps.${message}{Type:${JSON.stringify(type ?? "")}, RollingUpdate:(*apps.${rollingUpdateOf[message]})(${details})}`;
  };
}

const rollingUpdateOf: Readonly<Record<string, string>> = {
  DaemonSetUpdateStrategy: "RollingUpdateDaemonSet",
  DeploymentStrategy: "RollingUpdateDeployment",
};

/** How kube-apiserver 1.29 words what is wrong with the other groups, by group and message. */
export const groupRules: Readonly<Record<string, MemberRules>> = {
  "apps.ControllerRevision": { data: requiredWith("data is mandatory") },
  "apps.DaemonSetSpec": { selector: unchecked },
  "apps.DaemonSetUpdateStrategy": {
    type: { declaredOrder: true, reportedAtHolder: true, shownAs: strategyText("DaemonSetUpdateStrategy") },
  },
  "apps.DeploymentStrategy": { type: { reportedAtHolder: true, shownAs: strategyText("DeploymentStrategy") } },
  // Claims are looked at when they are made.
  "apps.StatefulSetSpec": { serviceName: unchecked, podManagementPolicy: unchecked, volumeClaimTemplates: unchecked },
  "apps.StatefulSetUpdateStrategy": { type: unchecked },
  "batch.JobSpec": { completionMode: declaredOrder },
  "batch.PodFailurePolicy": { rules: optional },
  "batch.PodFailurePolicyOnExitCodesRequirement": {
    operator: detail('valid values: ["In" "NotIn"]'),
    values: unchecked,
  },
  "batch.PodFailurePolicyOnPodConditionsPattern": { type: unchecked, status: unchecked },
  "batch.PodFailurePolicyRule": { action: detail('valid values: ["Count" "FailIndex" "FailJob" "Ignore"]') },
  "discovery.Endpoint": { addresses: detail("must contain at least 1 address") },
  "discovery.EndpointSlice": { endpoints: optional },
  "discovery.ForZone": { name: unchecked },
  "networking.HTTPIngressPath": { pathType: detail("pathType must be specified") },
  "networking.IPAddressSpec": { parentRef: required },
  "networking.IngressBackend": {
    resource: {
      members: { kind: detail("kind is required"), name: detail("name is required") },
      order: ["kind", "name"],
    },
  },
  "networking.IngressClassParametersReference": { kind: detail("kind is required"), name: detail("name is required") },
  "networking.IngressClassSpec": { controller: required },
  "networking.NetworkPolicyPort": { protocol: declaredOrder },
  "networking.ParentReference": { resource: required, name: required },
  "networking.ServiceCIDRSpec": { cidrs: requiredWith("at least one CIDR required") },
  "storage.CSINodeSpec": { drivers: optional },
  "storage.CSIStorageCapacity": { storageClassName: unchecked },
  "storage.StorageClass": { reclaimPolicy: { supported: ["Delete", "Retain"] } },
  "storage.TokenRequest": { audience: unchecked },
  "storage.VolumeAttachmentSource": {
    inlineVolumeSpec: {
      members: { capacity: unchecked, csi: requiredWith("has to be specified in the context of inline volumes") },
      order: ["csi", "accessModes", "persistentVolumeReclaimPolicy"],
    },
  },
  "storage.VolumeAttachmentSpec": { nodeName: unchecked },
  "storage.VolumeAttributesClass": { parameters: requiredWith("must contain at least one key/value pair") },
};

/** What is checked first, where that is not the order of JSON. */
export const groupOrder: Readonly<Record<string, readonly string[]>> = {};
