import { type FieldErrors, type FieldPath, isWhole, quantityOf, textOf } from "@gatehouse/apiserver/validation";
import { compareQuantity, quantityValue } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import {
  hugePageSize,
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
} from "../../../../validation/resource-names.js";
import { validateResourceQuantity } from "../../../../validation/resource-quantity.js";

/** The properties of a pod that the context of resources depend on. */
export interface ResourceContext {
  /** The names of the pod's resource claims. */
  readonly claimNames: ReadonlySet<string>;
  readonly allowIndivisibleHugePages: boolean;
}

/** Validates the limits, requests and claims of a container. */
export function validateResources(
  resources: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  context: ResourceContext,
): void {
  if (!isJsonObject(resources)) {
    return;
  }
  const found = errors.list.length;
  validateLimits(resources, path.child("limits"), errors, context);
  validateRequests(resources, path, errors, context, errors.list.length === found);
  const lists = [objectAt(resources, "limits"), objectAt(resources, "requests")];
  const asksFor = (name: string): boolean => lists.some((amounts) => Object.hasOwn(amounts, name));
  if (!asksFor("cpu") && !asksFor("memory") && lists.some((amounts) => Object.keys(amounts).some(isHugePages))) {
    errors.forbidden(path, "HugePages require cpu or memory");
  }
  validateClaimNames(resources, path.child("claims"), errors, context.claimNames);
}

function validateLimits(resources: JsonValue, path: FieldPath, errors: FieldErrors, context: ResourceContext): void {
  const limits = objectAt(resources, "limits");
  for (const name of Object.keys(limits)) {
    if (errors.isFull) {
      return;
    }
    const at = path.key(name);
    validateAmount(name, limits, at, errors);
    validatePages(name, limits[name], at, errors, context);
  }
}

/** Validates requests. Those that equal a valid limit, as they do by default, are skipped. */
function validateRequests(
  resources: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  context: ResourceContext,
  limitsAreFine: boolean,
): void {
  const limits = objectAt(resources, "limits");
  const requests = objectAt(resources, "requests");
  const requestsPath = path.child("requests");
  for (const name of Object.keys(requests)) {
    if (errors.isFull) {
      return;
    }
    const request = requests[name];
    if (limitsAreFine && typeof request === "string" && Object.hasOwn(limits, name) && limits[name] === request) {
      continue;
    }
    const at = requestsPath.key(name);
    validateAmount(name, requests, at, errors);
    if (Object.hasOwn(limits, name)) {
      validateAgainstLimit(name, request, limits[name], requestsPath, errors);
    } else if (!isOvercommitAllowed(name)) {
      errors.required(path.child("limits"), "Limit must be set for non overcommitable resources");
    }
    validatePages(name, request, at, errors, context);
  }
}

function validateAmount(name: string, amounts: JsonObject, path: FieldPath, errors: FieldErrors): void {
  validateContainerResourceName(name, path, errors);
  validateResourceQuantity(name, amounts, path, errors);
}

/** Validates that a request is at most the limit, or equal to it if the resource cannot be overcommitted. */
function validateAgainstLimit(
  name: string,
  request: JsonValue | undefined,
  limit: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const difference = request === limit ? 0 : compareQuantity(quantityOf(request), quantityOf(limit));
  if (difference !== 0 && !isOvercommitAllowed(name)) {
    errors.invalid(path, textOf(request), `must be equal to ${name} limit of ${textOf(limit)}`);
  } else if (difference > 0) {
    errors.invalid(path, textOf(request), `must be less than or equal to ${name} limit of ${textOf(limit)}`);
  }
}

function validatePages(
  name: string,
  amount: JsonValue | undefined,
  path: FieldPath,
  errors: FieldErrors,
  context: ResourceContext,
): void {
  if (isHugePages(name) && !context.allowIndivisibleHugePages && !isDivisibleIntoPages(name, amount)) {
    errors.invalid(path, textOf(amount), `${textOf(amount)} is not positive integer multiple of ${name}`);
  }
}

/** Reports whether an amount of huge pages is a number of whole pages. */
export function isDivisibleIntoPages(name: string, amount: JsonValue | undefined): boolean {
  try {
    const size = quantityOf(hugePageSize(name));
    return size.unscaled > 0n && isWhole(size) && quantityValue(quantityOf(amount)) % quantityValue(size) === 0n;
  } catch {
    // The size is no quantity.
    return false;
  }
}

function validateClaimNames(
  resources: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  claimNames: ReadonlySet<string>,
): void {
  const names = new Set<string>();
  for (const [index, claim] of listAt(resources, "claims").entries()) {
    if (errors.isFull) {
      return;
    }
    const name = textAt(claim, "name");
    if (name === "") {
      errors.required(path.index(index));
      continue;
    }
    if (names.has(name)) {
      errors.duplicate(path.index(index), name);
    }
    names.add(name);
    if (!claimNames.has(name)) {
      const known = claimNames.size === 0 ? " which is empty" : `: ${[...claimNames].sort().join(", ")}`;
      errors.notFound(path.index(index), name, `must be one of the names in pod.spec.resourceClaims${known}`);
    }
  }
}
