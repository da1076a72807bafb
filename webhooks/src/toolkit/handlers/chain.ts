import { patch, withNotes } from "../decision/decision.js";
import { createJsonPatch, type PatchOperation } from "../json-patch/create-json-patch.js";
import type { AdmissionRequest } from "./admission-request.js";
import { applyPatch } from "./apply-patch.js";
import type { Handler } from "./handler.js";

/**
 * Returns a handler that asks handlers one after the other, each with the object as its predecessors have changed it.
 * The patch leads from the original object to the last one. The first denial ends the chain and discards the changes.
 * Warnings and annotations of all handlers that were asked are kept.
 */
export function chain(...handlers: readonly Handler[]): Handler {
  return async (request, context) => {
    let current = request;
    const warnings: string[] = [];
    const auditAnnotations: Record<string, string> = {};
    for (const handler of handlers) {
      const decision = await handler(current, context);
      warnings.push(...decision.warnings);
      Object.assign(auditAnnotations, decision.auditAnnotations);
      if (!decision.allowed) {
        return withNotes(decision, { warnings, auditAnnotations });
      }
      if (decision.patch.length > 0) {
        current = patched(current, decision.patch);
      }
    }
    const operations = current === request ? [] : createJsonPatch(request.object ?? null, current.object ?? null);
    return withNotes(patch(operations), { warnings, auditAnnotations });
  };
}

/**
 * Returns the request with the patch applied to its object. Throws Error when the patch does not apply, which is a
 * fault of the handler.
 */
function patched(request: AdmissionRequest, operations: readonly PatchOperation[]): AdmissionRequest {
  if (request.operation !== "CREATE" && request.operation !== "UPDATE") {
    throw new TypeError(`a handler has patched the object of a ${request.operation}, which has nothing to change`);
  }
  const object = applyPatch(request.object, operations);
  return { ...request, object } as AdmissionRequest;
}
