import type { coreV1 } from "@gatehouse/envelopes/types";
import { noLatestTag, requiredLabels, resourceLimits, type Violation } from "@gatehouse/policies/library";

/** A policy about pods. */
export interface Policy {
  readonly name: string;
  readonly category: string;
  readonly severity: "low" | "medium" | "high";
  /** Returns what is wrong with a pod; nothing for one that the policy allows. */
  readonly check: (pod: coreV1.Pod) => readonly Violation[];
}

/** The policies by which pods are reported. */
export const policies: readonly Policy[] = [
  {
    name: "no-latest-tag",
    category: "Images",
    severity: "medium",
    check: (pod) => noLatestTag(pod, {}),
  },
  {
    name: "required-labels",
    category: "Ownership",
    severity: "low",
    check: (pod) => requiredLabels(pod, { labels: [{ key: "team" }] }),
  },
  {
    name: "resource-limits",
    category: "Resources",
    severity: "high",
    check: (pod) => resourceLimits(pod, {}),
  },
];
