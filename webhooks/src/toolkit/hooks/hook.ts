import type { metaV1 } from "@gatehouse/envelopes/types";
import type { Handler } from "../handlers/handler.js";
import { inPodTemplates } from "../handlers/pod-templates.js";
import type { ReadableResource } from "../lookup/readable-resource.js";
import type { HookMatchCondition, HookOptions, HookRule, MutatingHookOptions } from "./hook-options.js";
import { hookProblems } from "./hook-problems.js";
import { workloadRules } from "./workload-rules.js";

/**
 * A hook: the handler, and the requests about which a server calls it. The endpoint that answers and the webhook
 * configuration that registers it are made of this one declaration, so they cannot disagree.
 */
export interface Hook {
  readonly type: "validating" | "mutating";
  readonly name: string;
  readonly handler: Handler;
  readonly rules: readonly HookRule[];
  readonly failurePolicy: "Fail" | "Ignore";
  readonly sideEffects: "None" | "NoneOnDryRun";
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly namespaceSelector: metaV1.LabelSelector;
  readonly objectSelector: metaV1.LabelSelector;
  readonly matchConditions: readonly HookMatchCondition[];
  readonly timeoutSeconds: number;
  /** Policy of a mutating hook; `Never` for validating hooks, which have none. */
  readonly reinvocationPolicy: "Never" | "IfNeeded";
  readonly reads: readonly ReadableResource<unknown>[];
  /** Path to which reviews are posted: `/validating/no-latest-tag.example.com`. */
  readonly path: string;
}

/**
 * Declares a hook that allows or denies requests. Throws TypeError, which lists everything that is wrong with the
 * declaration.
 *
 * @example
 * const noLatestTag = validatingHook({
 *   name: "no-latest-tag.example.com",
 *   workloads: true,
 *   handler: validator<coreV1.Pod>(({ spec }) =>
 *     spec?.containers.some(({ image }) => image?.endsWith(":latest")) ? deny("name a version") : allow(),
 *   ),
 * });
 */
export function validatingHook(options: HookOptions): Hook {
  return createHook("validating", options);
}

/**
 * Declares a hook that may change objects. Throws TypeError, which lists everything that is wrong with the declaration.
 */
export function mutatingHook(options: MutatingHookOptions): Hook {
  return createHook("mutating", options);
}

function createHook(type: Hook["type"], options: MutatingHookOptions): Hook {
  const problems = hookProblems(options);
  if (problems.length > 0) {
    throw new TypeError(`hook ${JSON.stringify(options.name)}: ${problems.join("; ")}`);
  }
  const { name, workloads = false } = options;
  return Object.freeze<Hook>({
    type,
    name,
    handler: workloads ? inPodTemplates(options.handler) : options.handler,
    rules: options.rules ?? workloadRules,
    failurePolicy: options.failurePolicy ?? "Fail",
    sideEffects: options.sideEffects ?? "None",
    matchPolicy: options.matchPolicy ?? "Equivalent",
    namespaceSelector: options.namespaceSelector ?? {},
    objectSelector: options.objectSelector ?? {},
    matchConditions: options.matchConditions ?? [],
    timeoutSeconds: options.timeoutSeconds ?? 10,
    reinvocationPolicy: options.reinvocationPolicy ?? "Never",
    reads: options.reads ?? [],
    path: `/${type}/${name}`,
  });
}
