import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath, immutable } from "@gatehouse/apiserver/validation";
import { goTexts, listAsSent } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, objectAt, textsAt } from "@gatehouse/envelopes/json";
import { isStandardQuotaResource, validateResourceName } from "../../../validation/resource-names.js";
import { validateResourceQuantity } from "../../../validation/resource-quantity.js";
import { validateScopeSelector } from "./scope-selector.js";
import { conflictsOf, isStandardScope, resourcesBeyond } from "./scopes.js";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status");
const scopesPath = specPath.child("scopes");

/** Rules of ResourceQuota: amounts of resources, and scopes, which do not change. */
export const resourceQuotaValidation: KindValidation = {
  create(quota, errors) {
    validateSpec(objectAt(quota, "spec"), errors);
    validateStatus(quota, errors);
  },
  update(quota, old, errors) {
    validateSpec(objectAt(quota, "spec"), errors);
    const scopes = new Set(textsAt(quota, "spec", "scopes"));
    const oldScopes = new Set(textsAt(old, "spec", "scopes"));
    if (scopes.size !== oldScopes.size || [...scopes].some((scope) => !oldScopes.has(scope))) {
      errors.invalidShown(scopesPath, goScopes(listAsSent(objectAt(quota, "spec"), "scopes")), immutable);
    }
  },
  subresources: { status: (quota, _old, errors) => validateStatus(quota, errors) },
};

function validateSpec(spec: JsonObject, errors: FieldErrors): void {
  validateAmounts(objectAt(spec, "hard"), specPath.child("hard"), errors);
  validateScopes(spec, errors);
  if (isSet(spec, "scopeSelector")) {
    validateScopeSelector(spec, specPath.child("scopeSelector").child("matchExpressions"), errors);
  }
}

function validateStatus(quota: JsonObject, errors: FieldErrors): void {
  for (const member of ["hard", "used"]) {
    validateAmounts(objectAt(quota, "status", member), statusPath.child(member), errors);
  }
}

function validateAmounts(amounts: JsonObject, path: FieldPath, errors: FieldErrors): void {
  for (const resource of Object.keys(amounts)) {
    if (errors.isFull) {
      return;
    }
    const at = path.key(resource);
    validateResourceName(resource, at, errors);
    if (!resource.includes("/") && !isStandardQuotaResource(resource)) {
      errors.invalidShown(at, resource, "must be a standard resource for quota");
    }
    validateResourceQuantity(resource, amounts, at, errors);
  }
}

function validateScopes(spec: JsonObject, errors: FieldErrors): void {
  const scopes = textsAt(spec, "scopes");
  const beyond = resourcesBeyond(spec);
  const tell = (detail: string): void => errors.invalidShown(scopesPath, goScopes(listAsSent(spec, "scopes")), detail);
  for (const scope of scopes) {
    if (!isStandardScope(scope)) {
      tell("unsupported scope");
    }
    for (let count = beyond(scope); count > 0 && !errors.isFull; count--) {
      tell("unsupported scope applied to resource");
    }
    if (errors.isFull) {
      return;
    }
  }
  for (let count = conflictsOf(scopes); count > 0; count--) {
    tell("conflicting scopes");
  }
}

function goScopes(scopes: JsonValue | undefined): string {
  return goTexts("core.ResourceQuotaScope", scopes);
}
