import { copyJson } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type AdmissionDecision, type Allowed, allow, patch, withNotes } from "../decision/decision.js";
import { createJsonPatch } from "../json-patch/create-json-patch.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { Handler, HandlerContext } from "./handler.js";
import type { RequestOf } from "./validator.js";

/**
 * Changes the draft, a copy of the object. It returns nothing, or a decision: to warn, or to deny, which discards the
 * changes. A decision with a patch of its own is a TypeError, since the patch is computed from the draft.
 */
export type Mutation<T> = (
  draft: T,
  request: RequestOf<T, "CREATE" | "UPDATE">,
  context: HandlerContext,
  // biome-ignore lint/suspicious/noConfusingVoidType: most mutations return nothing, and need not say so
) => void | AdmissionDecision | Promise<void | AdmissionDecision>;

/**
 * Returns a handler that changes objects of type `T` when they are created or updated. The JSON Patch is computed from
 * the changed draft. Deletions and connections are allowed.
 *
 * @example
 * const addTeam = mutator<coreV1.Pod>((pod) => {
 *   pod.metadata ??= {};
 *   pod.metadata.labels = { team: "none", ...pod.metadata.labels };
 * });
 */
export function mutator<T>(mutate: Mutation<T>): Handler {
  return async (untyped, context) => {
    if (untyped.operation !== "CREATE" && untyped.operation !== "UPDATE") {
      return allow();
    }
    const request = untyped as unknown as RequestOf<T, "CREATE" | "UPDATE">;
    const draft = copyJson(untyped.object) as JsonObject;
    const decision = (await mutate(draft as T, request, context)) ?? allow();
    if (!decision.allowed) {
      return decision;
    }
    if (decision.patch.length > 0) {
      throw new TypeError("a mutator changes its draft; it must not return a patch as well");
    }
    return withPatch(decision, untyped, draft);
  };
}

function withPatch(decision: Allowed, request: AdmissionRequest, draft: JsonObject): AdmissionDecision {
  const operations = createJsonPatch(request.object ?? null, draft);
  return operations.length === 0 ? decision : withNotes(patch(operations), decision);
}
