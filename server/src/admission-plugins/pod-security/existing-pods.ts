import type { MaybePromise } from "@gatehouse/apiserver/request";
import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes";
import {
  type CheckOptions,
  type LevelVersion,
  levelVersionText,
  violationsInBrief,
  violationsOf,
} from "@gatehouse/policies";
import { checkedPod } from "./workloads.js";

/** No more than so many pods of a namespace are checked when its level is raised, and no longer (as in v1.29). */
const maxPods = 3000;
const maxMs = 1000;
/** Nor longer than this part of the time that is left for the request. */
const maxShare = 0.5;

/** Pods that are read and checked before others get a turn. */
const atATime = 50;

/** What existing pods are checked with. */
export interface ExistingPods {
  readonly namespace: string;
  /** Each is read when it is called for. */
  readonly pods: Iterable<() => JsonObject>;
  readonly exemptRuntimeClasses: ReadonlySet<string>;
  readonly options: CheckOptions;
  readonly breathe: () => MaybePromise<void>;
  /** Of the request. */
  readonly remainingMs: number;
}

/** One pod that has been looked at. */
interface Finding {
  readonly name: string;
  /** Another pod of the same owner is looked at first. */
  readonly isFurther: boolean;
  /** Empty when there are none. */
  readonly violations: string;
}

/** What to tell who raises the level of a namespace about the pods that are in it already. */
export async function warningsAboutPods(enforce: LevelVersion, existing: ExistingPods): Promise<string[]> {
  const { findings, total } = await lookAt(enforce, existing);
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

async function lookAt(
  enforce: LevelVersion,
  { pods, exemptRuntimeClasses, options, breathe, remainingMs }: ExistingPods,
): Promise<{ readonly findings: readonly Finding[]; readonly total: number }> {
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
    if (findings.length % atATime === 0) {
      await breathe();
      isLate = performance.now() > deadline;
    }
  }
  return { findings, total };
}

/** The uid of the owner that manages the pod; empty when nobody does. */
function controllerOf(pod: JsonObject): string {
  const owner = listAt(pod, "metadata", "ownerReferences").find((reference) => booleanAt(reference, "controller"));
  return textAt(owner, "uid");
}

/** The first pod by name, and how many others there are. */
function podsText(names: readonly string[]): string {
  const [first = ""] = [...names].sort();
  const others = names.length - 1;
  return others === 0 ? first : `${first} (and ${others} other ${others === 1 ? "pod" : "pods"})`;
}
