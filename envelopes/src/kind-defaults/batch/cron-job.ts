import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of CronJob: jobs may overlap; three that succeeded and one that failed are kept. */
export const cronJobDefaults: DefaultingFunctions = inPackage("k8s.io.api.batch.v1", {
  CronJob(cronJob) {
    const spec = ownObject(cronJob, "spec");
    setIfZero(spec, "concurrencyPolicy", "Allow");
    setIfAbsent(spec, "suspend", false);
    setIfAbsent(spec, "successfulJobsHistoryLimit", 3);
    setIfAbsent(spec, "failedJobsHistoryLimit", 1);
  },
});
