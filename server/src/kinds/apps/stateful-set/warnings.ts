import type { KindWarnings } from "@gatehouse/apiserver/registry";
import { listAt, valueAt } from "@gatehouse/envelopes/json";
import { claimSpecWarnings } from "../../core/persistent-volume-claim/warnings.js";
import { templateWarnings } from "../../workload-warnings.js";

const ofTemplate = templateWarnings(["spec", "template"]);

/**
 * Returns the warnings about a stateful set. The path to its claims is v1.29's, which is not quite that of the member.
 */
export const statefulSetWarnings: KindWarnings = (statefulSet, old) => [
  ...ofTemplate(statefulSet, old),
  ...listAt(statefulSet, "spec", "volumeClaimTemplates").flatMap((claim, index) =>
    claimSpecWarnings(valueAt(claim, "spec"), `spec.volumeClaimTemplates[${index}]${old === undefined ? "" : ".Spec"}`),
  ),
];
