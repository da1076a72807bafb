import { applyJsonPatch, copyJson, isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import { patch, withNotes } from "../decision/decision.js";
import { createJsonPatch, type PatchOperation } from "../json-patch/create-json-patch.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { Handler } from "./handler.js";

/**
 * Asks the handlers one after the other, each with what the ones before it have made of the object. The patch is that
 * from the object as it came to what the last one left. The first denial ends it, and what was changed is void. Warnings
 * and annotations of all that were asked are kept.
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

/** The request with the patch applied to its object. Throws when the patch does not apply, which is a fault of the handler. */
function patched(request: AdmissionRequest, operations: readonly PatchOperation[]): AdmissionRequest {
  if (request.operation !== "CREATE" && request.operation !== "UPDATE") {
    throw new TypeError(`a handler has patched the object of a ${request.operation}, which has nothing to change`);
  }
  const object = applyPatch(request.object, operations);
  return { ...request, object } as AdmissionRequest;
}

/** The object with the operations applied; the given one stays as it is. Throws Error when they do not apply. */
export function applyPatch(object: JsonObject, operations: readonly PatchOperation[]): JsonObject {
  let result: unknown;
  try {
    result = applyJsonPatch(copyJson(object), operations as unknown as JsonObject[]);
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly message?: string } };
    throw new Error(`the patch does not apply: ${cause?.message ?? "unknown operation"}`, { cause: error });
  }
  if (!isJsonObject(result)) {
    throw new Error("the patch leaves no object");
  }
  return result;
}
