import type { KindWarnings } from "@gatehouse/apiserver/registry";
import { textAt, valueAt } from "@gatehouse/envelopes/json";
import { namedTemplateWarnings } from "../../workload-warnings.js";
import { indexWarnings, wishesChanged } from "../job/warnings.js";

const templateWarnings = namedTemplateWarnings(["spec", "jobTemplate", "spec", "template"]);

/**
 * Returns the warnings about a cron job. A time zone in a new schedule is an error; old ones may have it (KEP-3140).
 */
export const cronJobWarnings: KindWarnings = (cronJob, old) => [
  ...(wishesChanged(cronJob, old) ? indexWarnings(valueAt(cronJob, "spec", "jobTemplate", "spec"), jobPath) : []),
  ...templateWarnings(cronJob, old),
  ...(old !== undefined && textAt(cronJob, "spec", "schedule").includes("TZ")
    ? [
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details",
      ]
    : []),
];

const jobPath = "spec.jobTemplate.spec";
