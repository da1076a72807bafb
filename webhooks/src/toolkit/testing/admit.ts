import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { applyPatch } from "../handlers/apply-patch.js";
import { answerHook } from "../hooks/answer-hook.js";
import type { Hook } from "../hooks/hook.js";
import { createJsonPatch, type PatchOperation } from "../json-patch/create-json-patch.js";
import type { Lookup } from "../lookup/lookup.js";
import { openAdmissionReviewReader } from "../review/admission-review.js";
import { buildReview, type GivenRequest } from "./build-review.js";
import { lookupIn } from "./lookup-in.js";
import { matchesRules } from "./matches-rules.js";

/** The outcome of a request that was put to hooks. */
export interface AdmissionOutcome {
  /** Outcome of the request; `failed` when a hook failed to decide and its failure policy is Fail. */
  readonly outcome: "allowed" | "denied" | "failed";
  /** Names of the hooks that were asked, in order. */
  readonly asked: readonly string[];
  /** Name of the hook that has denied or failed; undefined otherwise. */
  readonly decidedBy: string | undefined;
  /** Message of the denial, or of the error that a hook has thrown; undefined otherwise. */
  readonly message: string | undefined;
  readonly warnings: readonly string[];
  /** Name of the hook that gave each of the warnings, in the same order. */
  readonly warnedBy: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Operations from the object as it was sent, with its defaults, to the result. */
  readonly patch: readonly PatchOperation[];
  /** The object as the hooks leave it; undefined for deletions. */
  readonly object: JsonObject | undefined;
}

const forever = new AbortController().signal;

/**
 * Puts a request to hooks as a server would, without one. Reviews pass the validation of real ones; mutating hooks are
 * asked before validating ones and see each other's changes. Rejects with BadObjectError for an object that no server
 * would accept.
 *
 * @example
 * const outcome = await admit([noLatestTag], {
 *   object: { apiVersion: "v1", kind: "Pod", metadata: { name: "web" }, spec: { containers: [] } },
 * });
 * assert.equal(outcome.outcome, "allowed");
 */
export async function admit(hooks: readonly Hook[], given: GivenRequest): Promise<AdmissionOutcome> {
  const reader = await openAdmissionReviewReader(["v1"]);
  const review = buildReview(given);
  const first = reader.read(review);
  const lookup: Lookup = lookupIn(given.existing ?? []);
  const phases = [...hooks].sort((a, b) => Number(a.type === "validating") - Number(b.type === "validating"));
  const asked: string[] = [];
  const warnings: string[] = [];
  const warnedBy: string[] = [];
  const auditAnnotations: Record<string, string> = {};
  let object = first.object;
  const outcomeOf = (outcome: AdmissionOutcome["outcome"], decidedBy?: string, message?: string): AdmissionOutcome => ({
    outcome,
    asked,
    decidedBy,
    message,
    warnings,
    warnedBy,
    auditAnnotations,
    patch: createJsonPatch(first.object ?? null, object ?? null),
    object,
  });
  for (const hook of phases.filter((candidate) => matchesRules(candidate, first))) {
    asked.push(hook.name);
    const request = review["request"] as JsonObject;
    const shown = { ...review, request: { ...request, object: object ?? null } };
    try {
      const decision = await answerHook(hook, reader.read(shown), { lookup, signal: forever });
      warnings.push(...decision.warnings);
      warnedBy.push(...decision.warnings.map(() => hook.name));
      Object.assign(auditAnnotations, decision.auditAnnotations);
      if (!decision.allowed) {
        return outcomeOf("denied", hook.name, decision.status.message);
      }
      object = decision.patch.length === 0 || !isJsonObject(object) ? object : applyPatch(object, decision.patch);
    } catch (error) {
      if (hook.failurePolicy === "Fail") {
        return outcomeOf("failed", hook.name, error instanceof Error ? error.message : String(error));
      }
    }
  }
  return outcomeOf("allowed");
}
