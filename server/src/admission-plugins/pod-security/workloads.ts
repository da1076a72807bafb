import { isJsonObject, type JsonObject, objectAt, valueAt } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";
import type { CheckedPod } from "@gatehouse/policies/pod-security";

/** Paths of the pod template in resources that make pods, by `resource.group`. */
const templatePaths: ReadonlyMap<string, readonly string[]> = new Map([
  ["replicationcontrollers.", ["spec", "template"]],
  ["podtemplates.", ["template"]],
  ["replicasets.apps", ["spec", "template"]],
  ["deployments.apps", ["spec", "template"]],
  ["statefulsets.apps", ["spec", "template"]],
  ["daemonsets.apps", ["spec", "template"]],
  ["jobs.batch", ["spec", "template"]],
  ["cronjobs.batch", ["spec", "jobTemplate", "spec", "template"]],
]);

/** Reports whether objects of the resource make pods from a template. */
export function makesPods({ group, resource }: GroupResource): boolean {
  return templatePaths.has(`${resource}.${group}`);
}

/** Returns the template of a workload in the form that is checked; undefined for none. */
export function templateOf({ group, resource }: GroupResource, object: JsonObject): CheckedPod | undefined {
  const template = valueAt(object, ...(templatePaths.get(`${resource}.${group}`) ?? []));
  return isJsonObject(template) ? checkedPod(template) : undefined;
}

/** Returns a pod, or the template of one, in the form that is checked. Its shape is that of the schema. */
export function checkedPod(pod: JsonObject): CheckedPod {
  return {
    annotations: objectAt(pod, "metadata", "annotations") as CheckedPod["annotations"],
    spec: objectAt(pod, "spec") as unknown as CheckedPod["spec"],
  };
}
