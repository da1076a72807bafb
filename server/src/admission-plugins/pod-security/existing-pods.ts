import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import {
  type CheckOptions,
  type LevelVersion,
  levelVersionText,
  violationsInBrief,
  violationsOf,
} from "@gatehouse/policies/pod-security";
import { checkedPod } from "./workloads.js";

/** Limits in pods and milliseconds of the check of a namespace whose level is raised (as in v1.29). */
const maxPods = 3000;
const maxMs = 1000;
/** The largest part of the request's remaining time that the check may take. */
const maxShare = 0.5;

/** Number of pods that are read and checked in one step. */
const podsPerStep = 50;

/** The inputs of a check of existing pods. */
export interface ExistingPods {
  readonly namespace: string;
  /** Functions that each read one pod. */
  readonly pods: Iterable<() => JsonObject>;
  readonly exemptRuntimeClasses: ReadonlySet<string>;
  readonly options: CheckOptions;
  /** Milliseconds that are left for the request. */
  readonly remainingMs: number;
}

/** The result for one pod. */
interface Finding {
  readonly name: string;
  /** True if another pod of the same owner comes before it. */
  readonly isFurther: boolean;
  /** The violations as text; empty for none. */
  readonly violations: string;
}

/** Returns warnings about the existing pods of a namespace that violate its raised level. */
export function* warningsAboutPods(enforce: LevelVersion, existing: ExistingPods): Steps<string[]> {
  const { findings, total } = yield* lookAt(enforce, existing);
  const first = findings.filter(({ isFurther }) => !isFurther);
  const checked = [...first, ...findings.filter(({ isFurther }) => isFurther)].slice(0, maxPods);
  const byViolations = new Map<string, string[]>();
  for (const { name, violations } of checked.filter((finding) => finding.violations !== "")) {
    byViolations.set(violations, [...(byViolations.get(violations) ?? []), name]);
  }
  const warnings: string[] = [];
  if (checked.length < total) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked.length} of ${total} existing pods`,
    );
  }
  if (byViolations.size > 0) {
    const namespace = JSON.stringify(existing.namespace);
    warnings.push(
      `existing pods in namespace ${namespace} violate the new PodSecurity enforce level "${levelVersionText(enforce)}"`,
    );
  }
  const details = [...byViolations].map(([violations, names]) => `${podsText(names)}: ${violations}`);
  return [...warnings, ...details.sort()];
}

function* lookAt(
  enforce: LevelVersion,
  { pods, exemptRuntimeClasses, options, remainingMs }: ExistingPods,
): Steps<{ readonly findings: readonly Finding[]; readonly total: number }> {
  const owners = new Set<string>();
  const findings: Finding[] = [];
  const deadline = performance.now() + Math.min(maxMs, remainingMs * maxShare);
  let total = 0;
  let isLate = false;
  for (const read of pods) {
    total++;
    if (isLate) {
      continue;
    }
    const pod = read();
    if (exemptRuntimeClasses.has(textAt(pod, "spec", "runtimeClassName"))) {
      total--;
      continue;
    }
    const owner = controllerOf(pod);
    findings.push({
      name: textAt(pod, "metadata", "name"),
      isFurther: owner !== "" && owners.has(owner),
      violations: violationsInBrief(violationsOf(enforce, checkedPod(pod), options)),
    });
    owners.add(owner);
    if (findings.length % podsPerStep === 0) {
      yield;
      isLate = performance.now() > deadline;
    }
  }
  return { findings, total };
}

/** Returns the uid of the owner that manages the pod; empty for none. */
function controllerOf(pod: JsonObject): string {
  const owner = listAt(pod, "metadata", "ownerReferences").find((reference) => booleanAt(reference, "controller"));
  return textAt(owner, "uid");
}

/** Returns the first pod by name, and the number of others. */
function podsText(names: readonly string[]): string {
  const [first = ""] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? "pod" : "pods"})`;
}
