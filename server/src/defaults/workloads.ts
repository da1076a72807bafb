import type { JsonObject } from "@gatehouse/envelopes";
import { isSet, listAt, objectAt } from "../objects/json-fields.js";
import { ownObject } from "../objects/own-members.js";
import { copyIfEmpty } from "./core.js";
import { type DefaultingRules, rulesOf, setIfAbsent, setIfZero } from "./defaulting-rule.js";

const maxInt32 = 2 ** 31 - 1;

const appsRules: DefaultingRules = rulesOf("k8s.io.api.apps.v1", {
  DaemonSet(daemonSet) {
    const spec = ownObject(daemonSet, "spec");
    const strategy = ownObject(spec, "updateStrategy");
    setIfZero(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "maxUnavailable", 1);
      setIfAbsent(rollingUpdate, "maxSurge", 0);
    }
    setIfAbsent(spec, "revisionHistoryLimit", 10);
  },
  Deployment(deployment) {
    const spec = ownObject(deployment, "spec");
    setIfAbsent(spec, "replicas", 1);
    const strategy = ownObject(spec, "strategy");
    setIfZero(strategy, "type", "RollingUpdate");
    if (strategy["type"] === "RollingUpdate") {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "maxUnavailable", "25%");
      setIfAbsent(rollingUpdate, "maxSurge", "25%");
    }
    setIfAbsent(spec, "revisionHistoryLimit", 10);
    setIfAbsent(spec, "progressDeadlineSeconds", 600);
  },
  ReplicaSet(replicaSet) {
    setIfAbsent(ownObject(replicaSet, "spec"), "replicas", 1);
  },
  StatefulSet(statefulSet, features) {
    const spec = ownObject(statefulSet, "spec");
    setIfZero(spec, "podManagementPolicy", "OrderedReady");
    const strategy = ownObject(spec, "updateStrategy");
    if (!isSet(strategy, "type") || strategy["type"] === "") {
      strategy["type"] = "RollingUpdate";
      ownObject(strategy, "rollingUpdate");
    }
    // A strategy that is named without its details does not get them: so v1.29 has it.
    if (strategy["type"] === "RollingUpdate" && isSet(strategy, "rollingUpdate")) {
      const rollingUpdate = ownObject(strategy, "rollingUpdate");
      setIfAbsent(rollingUpdate, "partition", 0);
      if (features.enabled("MaxUnavailableStatefulSet")) {
        setIfAbsent(rollingUpdate, "maxUnavailable", 1);
      }
    }
    if (features.enabled("StatefulSetAutoDeletePVC")) {
      const retention = ownObject(spec, "persistentVolumeClaimRetentionPolicy");
      setIfZero(retention, "whenDeleted", "Retain");
      setIfZero(retention, "whenScaled", "Retain");
    }
    setIfAbsent(spec, "replicas", 1);
    setIfAbsent(spec, "revisionHistoryLimit", 10);
    // Claims are shown as the objects they will become, whatever a client calls them.
    for (const claim of listAt(spec, "volumeClaimTemplates") as JsonObject[]) {
      claim["kind"] = "PersistentVolumeClaim";
      claim["apiVersion"] = "v1";
    }
  },
});

const batchRules: DefaultingRules = rulesOf("k8s.io.api.batch.v1", {
  CronJob(cronJob) {
    const spec = ownObject(cronJob, "spec");
    setIfZero(spec, "concurrencyPolicy", "Allow");
    setIfAbsent(spec, "suspend", false);
    setIfAbsent(spec, "successfulJobsHistoryLimit", 3);
    setIfAbsent(spec, "failedJobsHistoryLimit", 1);
  },
  Job(job, features) {
    const spec = ownObject(job, "spec");
    // A job that says how many pods run at a time, but not how many must succeed, works on a queue.
    if (!isSet(spec, "completions") && !isSet(spec, "parallelism")) {
      spec["completions"] = 1;
    }
    setIfAbsent(spec, "parallelism", 1);
    setIfAbsent(spec, "backoffLimit", isSet(spec, "backoffLimitPerIndex") ? maxInt32 : 6);
    copyIfEmpty(ownObject(job, "metadata"), "labels", templateLabels(spec));
    setIfAbsent(spec, "completionMode", "NonIndexed");
    setIfAbsent(spec, "suspend", false);
    if (features.enabled("JobPodReplacementPolicy")) {
      setIfAbsent(spec, "podReplacementPolicy", isSet(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    }
    setIfAbsent(spec, "manualSelector", false);
  },
});

function templateLabels(spec: JsonObject): JsonObject {
  return objectAt(spec, "template", "metadata", "labels");
}

/** Deployments and the like, jobs. */
export const workloadRules: DefaultingRules = { ...appsRules, ...batchRules };
