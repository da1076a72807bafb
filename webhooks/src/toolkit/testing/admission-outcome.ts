import type { JsonObject } from "@gatehouse/envelopes/json";
import type { PatchOperation } from "../json-patch/create-json-patch.js";

/** The outcome of a request that was put to hooks and policies. */
export interface AdmissionOutcome {
  /** Outcome of the request; `failed` when a hook failed to decide and its failure policy is Fail. */
  readonly outcome: "allowed" | "denied" | "failed";
  /** Names of the hooks that were asked, in order. */
  readonly asked: readonly string[];
  /** Names of the hooks that were not asked, since their match conditions exclude the request. */
  readonly excluded: readonly string[];
  /** Names of the policies that were evaluated, in order. */
  readonly policies: readonly string[];
  /** Name of the hook that has denied or failed, or of the policy or definition that has denied; undefined otherwise. */
  readonly decidedBy: string | undefined;
  /** Message of the denial, or of the error that a hook has thrown; undefined otherwise. */
  readonly message: string | undefined;
  readonly warnings: readonly string[];
  /** Name of the hook or policy that gave each of the warnings, in the same order. */
  readonly warnedBy: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Operations from the object as it was sent, with its defaults, to the result. */
  readonly patch: readonly PatchOperation[];
  /** The object as the hooks leave it; undefined for deletions. */
  readonly object: JsonObject | undefined;
}
