import { type OlderVersion, versionsOfSameShape } from "@gatehouse/apiserver/conversion";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { eventConversion } from "../events/event/conversion.js";
import { priorityLevelConversion } from "../flowcontrol/priority-level-configuration/conversion.js";
import type { StoredFormTable } from "./stored-form.js";

const flowcontrol = "flowcontrol.apiserver.k8s.io";
const rbac = "rbac.authorization.k8s.io";
const storage = "storage.k8s.io";

/** Events, flow control, leases, runtime classes, roles, scheduling and storage in their versions before v1. */
export const clusterForms: StoredFormTable = {
  events: {
    olderVersions: [
      { group: "events.k8s.io", version: "v1", toStored: eventConversion.toStored },
      { group: "events.k8s.io", version: "v1beta1", toStored: eventConversion.toStored },
    ],
  },
  flowschemas: { olderVersions: versionsOfSameShape(flowcontrol, "v1", "v1beta2", "v1beta1") },
  prioritylevelconfigurations: {
    olderVersions: [
      { group: flowcontrol, version: "v1", toStored: priorityLevelConversion.toStored },
      { group: flowcontrol, version: "v1beta2", toStored: withNominalShares },
      { group: flowcontrol, version: "v1beta1", toStored: withNominalShares },
    ],
  },
  leases: { olderVersions: versionsOfSameShape("coordination.k8s.io", "v1beta1") },
  runtimeclasses: {
    olderVersions: [
      ...versionsOfSameShape("node.k8s.io", "v1beta1"),
      { group: "node.k8s.io", version: "v1alpha1", toStored: runtimeClassFromAlpha },
    ],
  },
  clusterroles: { olderVersions: versionsOfSameShape(rbac, "v1beta1", "v1alpha1") },
  roles: { olderVersions: versionsOfSameShape(rbac, "v1beta1", "v1alpha1") },
  clusterrolebindings: { olderVersions: olderBindings() },
  rolebindings: { olderVersions: olderBindings() },
  priorityclasses: { olderVersions: versionsOfSameShape("scheduling.k8s.io", "v1beta1", "v1alpha1") },
  csidrivers: { olderVersions: versionsOfSameShape(storage, "v1beta1") },
  csinodes: { olderVersions: versionsOfSameShape(storage, "v1beta1") },
  csistoragecapacities: { olderVersions: versionsOfSameShape(storage, "v1beta1", "v1alpha1") },
  storageclasses: { olderVersions: versionsOfSameShape(storage, "v1beta1") },
  volumeattachments: { olderVersions: versionsOfSameShape(storage, "v1beta1", "v1alpha1") },
};

/** Converts a priority level of v1beta1 or v1beta2, where the shares have another name. */
function withNominalShares(level: JsonObject): JsonObject {
  const spec = objectAt(level, "spec");
  const { assuredConcurrencyShares: shares, ...limited } = objectAt(spec, "limited");
  return shares === undefined
    ? level
    : { ...level, spec: { ...spec, limited: { ...limited, nominalConcurrencyShares: shares || defaultShares } } };
}

const defaultShares = 30;

/** Converts a runtime class of v1alpha1, which has a spec. */
function runtimeClassFromAlpha(object: JsonObject): JsonObject {
  const { spec, ...rest } = object;
  const { runtimeHandler = "", ...members } = objectAt(spec);
  return { ...rest, ...members, handler: runtimeHandler };
}

function olderBindings(): readonly OlderVersion[] {
  return [
    ...versionsOfSameShape(rbac, "v1beta1"),
    {
      group: rbac,
      version: "v1alpha1",
      toStored: (binding) => ({ ...binding, subjects: listAt(binding, "subjects").map(subjectFromAlpha) }),
    },
  ];
}

/** Converts a subject of v1alpha1, which states a version in the place of a group, and `*` for all users. */
function subjectFromAlpha(subject: JsonValue): JsonObject {
  const { apiVersion: _apiVersion, ...rest } = objectAt(subject);
  const kind = textAt(subject, "kind");
  const apiVersion = textAt(subject, "apiVersion");
  const isUser = kind === "User";
  if (isUser && textAt(subject, "name") === "*") {
    return { ...rest, kind: "Group", apiGroup: rbac, name: "system:authenticated" };
  }
  const { group } = groupVersionOf(apiVersion);
  return { ...rest, apiGroup: isUser || kind === "Group" ? rbac : kind === "ServiceAccount" ? "" : group };
}
