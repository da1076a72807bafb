import { isJsonObject, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { StructuralFindings } from "@gatehouse/policies/structural-schemas";
import type { CustomKind } from "../../../toolkit/testing/custom-kind.js";
import { type PolicyOutcome, unaskedOutcome } from "../policies/policy-outcome.js";
import type { FoundDefinition } from "./found-definition.js";

/** The outcome of definitions for one request, and the request as policies see it after them. */
export interface DefinitionOutcome {
  readonly outcome: PolicyOutcome;
  /** The AdmissionReview with the object as it would be stored. */
  readonly review: JsonObject;
}

/**
 * Puts a request to the definition of the kind of its object, as a server does before policies are asked. Undefined: none of
 * the definitions is about the request. `ratchets` is true with the feature gate CRDValidationRatcheting.
 */
export function outcomeOfDefinitions(
  definitions: readonly FoundDefinition[],
  review: JsonObject,
  ratchets: boolean,
): DefinitionOutcome | undefined {
  const request = objectAt(review, "request");
  const { object: sent, oldObject, operation } = request;
  const definition = definitions.find(({ kinds }) => kinds.some((kind) => isOf(kind, sent)));
  const kind = definition?.kinds.find((candidate) => isOf(candidate, sent));
  if (kind === undefined || !isJsonObject(sent) || (operation !== "CREATE" && operation !== "UPDATE")) {
    return undefined;
  }
  const old = isJsonObject(oldObject) ? oldObject : undefined;
  const write = { object: sent, old, subresource: textAt(request, "subResource"), ratchets };
  const object = kind.stored(write);
  const findings = kind.validate({ ...write, object });
  return {
    outcome: outcomeOfFindings(kind, object, findings),
    review: { ...review, request: { ...request, object } },
  };
}

function isOf({ apiVersion, kind }: CustomKind, object: JsonObject[string] | undefined): boolean {
  return isJsonObject(object) && object["apiVersion"] === apiVersion && object["kind"] === kind;
}

function outcomeOfFindings(kind: CustomKind, object: JsonObject, findings: StructuralFindings): PolicyOutcome {
  const { errors, warnings } = findings;
  const policy = kind.definition;
  const denied = errors.length > 0;
  return {
    ...unaskedOutcome,
    allowed: !denied,
    denial: denied ? kind.refusal(object, findings) : undefined,
    deniedBy: denied ? policy : undefined,
    violations: errors.map((error) => ({
      policy,
      message: "detail" in error ? error.detail : error.message,
      reason: error.type,
      // v1.29 writes the path of the object itself in this way.
      path: error.field === "<nil>" ? "" : error.field,
    })),
    evaluated: new Set([policy]),
    warnings,
  };
}
