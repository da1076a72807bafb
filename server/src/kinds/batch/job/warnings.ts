import type { KindWarnings } from "@gatehouse/apiserver/registry";
import { integerAt, type JsonObject, type JsonValue, textAt, valueAt } from "@gatehouse/envelopes/json";
import { namedTemplateWarnings } from "../../workload-warnings.js";

/** Limits that together exceed the status: with more, the finished indexes may no longer fit into it. */
const maxTrackedCompletions = 100_000;
const maxTrackedParallelism = 10_000;

const templateWarnings = namedTemplateWarnings(["spec", "template"]);

/** Returns the warnings about a job. */
export const jobWarnings: KindWarnings = (job, old) => [
  ...(wishesChanged(job, old) ? indexWarnings(job["spec"], "spec") : []),
  ...templateWarnings(job, old),
];

/** Reports whether an object is new or its generation has changed. */
export function wishesChanged(object: JsonObject, old: JsonObject | undefined): boolean {
  return old === undefined || valueAt(object, "metadata", "generation") !== valueAt(old, "metadata", "generation");
}

/** Returns the warnings about the numbers of a job whose spec is at `path`. */
export function indexWarnings(spec: JsonValue | undefined, path: string): readonly string[] {
  const isLarge =
    textAt(spec, "completionMode") === "Indexed" &&
    integerAt(spec, "completions") > maxTrackedCompletions &&
    integerAt(spec, "parallelism") > maxTrackedParallelism;
  return isLarge
    ? [
        `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
      ]
    : [];
}
