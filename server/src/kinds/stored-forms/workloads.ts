import { metadataWith, type OlderVersion, versionsOfSameShape } from "@gatehouse/apiserver/conversion";
import { isSet, type JsonObject, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { templateGenerationAnnotation } from "@gatehouse/envelopes/kind-defaults";
import type { StoredFormTable } from "./stored-form.js";

/** The annotation that holds the revision to return to, for which apps/v1 has no member. */
const rollbackAnnotation = "deprecated.deployment.rollback.to";

const maxInt32 = 2 ** 31 - 1;

/** Workloads in apps/v1beta1, apps/v1beta2 and extensions/v1beta1, and CronJobs of batch/v1beta1. */
export const workloadForms: StoredFormTable = {
  controllerrevisions: { olderVersions: versionsOfSameShape("apps", "v1beta2", "v1beta1") },
  cronjobs: { olderVersions: versionsOfSameShape("batch", "v1beta1") },
  daemonsets: {
    olderVersions: [
      ...versionsOfSameShape("apps", "v1beta2"),
      { group: "extensions", version: "v1beta1", toStored: daemonSetFromExtensions },
    ],
  },
  deployments: {
    olderVersions: [
      ...versionsOfSameShape("apps", "v1beta2"),
      { group: "apps", version: "v1beta1", toStored: deploymentFromBeta1 },
      { group: "extensions", version: "v1beta1", toStored: deploymentFromExtensions },
    ],
  },
  replicasets: {
    olderVersions: [
      ...versionsOfSameShape("apps", "v1beta2"),
      { group: "extensions", version: "v1beta1", toStored: withLabelsOfTemplate },
    ],
  },
  statefulsets: {
    olderVersions: [
      ...versionsOfSameShape("apps", "v1beta2"),
      { group: "apps", version: "v1beta1", toStored: statefulSetFromBeta1 },
    ],
  },
} satisfies Record<string, { readonly olderVersions: readonly OlderVersion[] }>;

/** Returns an object whose selector and labels are those of its template, unless it has its own. */
function withLabelsOfTemplate(object: JsonObject): JsonObject {
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  if (Object.keys(labels).length === 0) {
    return object;
  }
  const spec = objectAt(object, "spec");
  const metadata = objectAt(object, "metadata");
  return {
    ...object,
    metadata: Object.keys(objectAt(metadata, "labels")).length === 0 ? { ...metadata, labels } : metadata,
    spec: isSet(spec, "selector") ? spec : { ...spec, selector: { matchLabels: labels } },
  };
}

function deploymentFromBeta1(object: JsonObject): JsonObject {
  return withRollback(withLabelsOfTemplate(withSpecDefaults(object, { revisionHistoryLimit: 2 })));
}

function deploymentFromExtensions(object: JsonObject): JsonObject {
  const unlimited = { revisionHistoryLimit: maxInt32, progressDeadlineSeconds: maxInt32 };
  const { spec, ...rest } = withRollback(withLabelsOfTemplate(withSpecDefaults(object, unlimited)));
  const strategy = objectAt(spec, "strategy");
  const type = textAt(strategy, "type") || "RollingUpdate";
  const rollingUpdate =
    type === "RollingUpdate" || isSet(strategy, "rollingUpdate")
      ? { rollingUpdate: withDefaults(objectAt(strategy, "rollingUpdate"), { maxUnavailable: 1, maxSurge: 1 }) }
      : {};
  return { ...rest, spec: { ...objectAt(spec), strategy: { ...strategy, type, ...rollingUpdate } } };
}

function statefulSetFromBeta1(object: JsonObject): JsonObject {
  return withLabelsOfTemplate(withStrategyType(object, "OnDelete"));
}

function daemonSetFromExtensions(object: JsonObject): JsonObject {
  const { spec, ...rest } = withLabelsOfTemplate(withStrategyType(object, "OnDelete"));
  const { templateGeneration = 0, ...members } = objectAt(spec);
  const annotations = objectAt(object, "metadata", "annotations");
  return {
    ...rest,
    metadata: metadataWith(rest, { ...annotations, [templateGenerationAnnotation]: String(templateGeneration) }),
    spec: members,
  };
}

/** Returns a Deployment with its rollback as an annotation. */
function withRollback(object: JsonObject): JsonObject {
  const { rollbackTo, ...spec } = objectAt(object, "spec");
  if (!isSet(object, "spec", "rollbackTo")) {
    return { ...object, spec };
  }
  const annotations = objectAt(object, "metadata", "annotations");
  const revision = String(valueAt(rollbackTo, "revision") ?? 0);
  return { ...object, metadata: metadataWith(object, { ...annotations, [rollbackAnnotation]: revision }), spec };
}

function withStrategyType(object: JsonObject, type: string): JsonObject {
  const spec = objectAt(object, "spec");
  const strategy = objectAt(spec, "updateStrategy");
  const known = textAt(strategy, "type") || type;
  return { ...object, spec: { ...spec, updateStrategy: { ...strategy, type: known } } };
}

function withSpecDefaults(object: JsonObject, defaults: JsonObject): JsonObject {
  return { ...object, spec: withDefaults(objectAt(object, "spec"), defaults) };
}

function withDefaults(members: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([name]) => !isSet(members, name));
  return { ...members, ...Object.fromEntries(missing) };
}
