import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import { isJsonObject, type JsonObject } from "../../json/json.js";
import { isSet, listAt, objectAt } from "../../json/json-fields.js";
import { ownObject } from "../../json/own-members.js";

const maxInt32 = 2 ** 31 - 1;

/** Defaults of Job: one pod that must succeed, six attempts, the labels of the template. */
export const jobDefaults: DefaultingFunctions = inPackage("k8s.io.api.batch.v1", {
  Job(job, features) {
    const spec = ownObject(job, "spec");
    // A job that says how many pods run at a time, but not how many must succeed, works on a queue.
    if (!isSet(spec, "completions") && !isSet(spec, "parallelism")) {
      spec["completions"] = 1;
    }
    setIfAbsent(spec, "parallelism", 1);
    setIfAbsent(spec, "backoffLimit", isSet(spec, "backoffLimitPerIndex") ? maxInt32 : 6);
    shareLabels(job, spec);
    setIfAbsent(spec, "completionMode", "NonIndexed");
    setIfAbsent(spec, "suspend", false);
    if (features.enabled("JobPodReplacementPolicy")) {
      setIfAbsent(spec, "podReplacementPolicy", isSet(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    }
    setIfAbsent(spec, "manualSelector", false);
    for (const rule of listAt(spec, "podFailurePolicy", "rules")) {
      for (const pattern of listAt(rule, "onPodConditions").filter(isJsonObject)) {
        setIfZero(pattern, "status", "True");
      }
    }
  },
});

/**
 * Gives a job without labels those of its template: the same map, so that it gets what is generated for the pods, too.
 */
function shareLabels(job: JsonObject, spec: JsonObject): void {
  const labels = objectAt(spec, "template", "metadata", "labels");
  if (Object.keys(labels).length > 0 && Object.keys(objectAt(job, "metadata", "labels")).length === 0) {
    ownObject(job, "metadata")["labels"] = labels;
  }
}
