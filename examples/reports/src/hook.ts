import type { coreV1 } from "@gatehouse/envelopes/types";
import { allow, type Hook, validatingHook, validator } from "@gatehouse/webhooks";
import type { PodReports } from "./pod-reports.js";

/** Returns a hook that reports pods as they are admitted, and warns their authors. It denies nothing. */
export function reportingHook(reports: PodReports): Hook {
  return validatingHook({
    name: "pods.reports.example.com",
    rules: [{ operations: ["CREATE", "UPDATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }],
    failurePolicy: "Ignore",
    // A report is made of each request, but not of one that changes nothing.
    sideEffects: "NoneOnDryRun",
    handler: validator<coreV1.Pod>((pod, { namespace = "", dryRun }) => {
      if (dryRun) {
        return allow();
      }
      const { results } = reports.admit(pod, namespace, Date.now());
      const failed = results.filter(({ result }) => result === "fail");
      return allow().withWarnings(...failed.map(({ policy, message }) => `${policy}: ${message}`));
    }),
  });
}
