import type { KindValidation } from "@gatehouse/apiserver/registry";
import { type FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { compareQuantity, parseQuantity } from "@gatehouse/envelopes/codec";
import { goListedQuantity } from "@gatehouse/envelopes/go";
import { type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { validateQualifiedName } from "@gatehouse/envelopes/validation";
import {
  isOvercommitAllowed,
  validateContainerResourceName,
  validateResourceName,
} from "../../../validation/resource-names.js";
import { greatestRatio, ratioValue } from "./limit-ratio.js";

const limitsPath = FieldPath.of("spec").child("limits");
const limitTypes = ["Pod", "Container", "PersistentVolumeClaim"];

/** Rules of LimitRange: one item for each type, with bounds and defaults that agree. */
export const limitRangeValidation: KindValidation = {
  create: validateLimits,
  update: (limitRange, _old, errors) => validateLimits(limitRange, errors),
};

function validateLimits(limitRange: JsonObject, errors: FieldErrors): void {
  const types = new Set<string>();
  for (const [index, item] of listAt(limitRange, "spec", "limits").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = limitsPath.index(index);
    const type = textAt(item, "type");
    validateType(type, path.child("type"), errors);
    if (types.has(type)) {
      errors.duplicate(path.child("type"), type);
    }
    types.add(type);
    validateItem(item, type, path, errors);
  }
}

function validateType(type: string, path: FieldPath, errors: FieldErrors): void {
  const problems = validateQualifiedName(type);
  if (problems.length > 0) {
    errors.invalidText(path, type, problems);
  } else if (!type.includes("/") && !limitTypes.includes(type)) {
    errors.invalid(path, type, "must be a standard limit type or fully qualified");
  }
}

/** The members of an item that hold amounts. */
type Bound = "max" | "min" | "default" | "defaultRequest" | "maxLimitRequestRatio";

function validateItem(item: JsonValue, type: string, path: FieldPath, errors: FieldErrors): void {
  const amounts = new Map<Bound, JsonObject>();
  const read = (bound: Bound): void => {
    const resources = objectAt(item, bound);
    amounts.set(bound, resources);
    validateResourceNames(Object.keys(resources), type, path.child(bound), errors);
  };
  read("max");
  read("min");
  for (const bound of ["default", "defaultRequest"] as const) {
    if (type !== "Pod") {
      read(bound);
    } else if (Object.keys(objectAt(item, bound)).length > 0) {
      errors.forbidden(path.child(bound), "may not be specified when `type` is 'Pod'");
    }
  }
  if (type === "PersistentVolumeClaim" && !hasStorage(item, "min") && !hasStorage(item, "max")) {
    const detail = "either minimum or maximum storage value is required, but neither was provided";
    errors.required(path.child("limits"), detail);
  }
  read("maxLimitRequestRatio");
  for (const resource of new Set([...amounts.values()].flatMap(Object.keys))) {
    if (errors.isFull) {
      return;
    }
    validateAmounts(resource, amounts, path, errors);
  }
}

function validateResourceNames(names: readonly string[], type: string, path: FieldPath, errors: FieldErrors): void {
  const check = type === "Pod" || type === "Container" ? validateContainerResourceName : validateResourceName;
  for (const name of names) {
    if (errors.isFull) {
      return;
    }
    check(name, path.key(name), errors);
  }
}

function hasStorage(item: JsonValue, bound: Bound): boolean {
  return Object.hasOwn(objectAt(item, bound), "storage");
}

function amountOf(amounts: JsonObject | undefined, resource: string): string | undefined {
  return amounts !== undefined && Object.hasOwn(amounts, resource) ? String(amounts[resource] ?? "0") : undefined;
}

/** A rule about two amounts: `smaller` may not exceed `greater`. */
interface Order {
  readonly smaller: Bound;
  readonly greater: Bound;
  /** The member that v1.29's error is at; `shown` is the one whose amount it shows. */
  readonly at: Bound;
  readonly shown: Bound;
  readonly words: readonly [smaller: string, greater: string];
}

const orders: readonly Order[] = [
  { smaller: "min", greater: "max", at: "min", shown: "min", words: ["min", "max"] },
  {
    smaller: "min",
    greater: "defaultRequest",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["min", "default request"],
  },
  {
    smaller: "defaultRequest",
    greater: "max",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["default request", "max"],
  },
  {
    smaller: "defaultRequest",
    greater: "default",
    at: "defaultRequest",
    shown: "defaultRequest",
    words: ["default request", "default limit"],
  },
  { smaller: "min", greater: "default", at: "default", shown: "min", words: ["min", "default"] },
  { smaller: "default", greater: "max", at: "default", shown: "max", words: ["default", "max"] },
];

function validateAmounts(
  resource: string,
  amounts: ReadonlyMap<Bound, JsonObject>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const amount = (bound: Bound): string | undefined => amountOf(amounts.get(bound), resource);
  const shownAmount = (bound: Bound): string => goListedQuantity(amounts.get(bound) ?? {}, resource, true);
  for (const { smaller, greater, at, shown, words } of orders) {
    const [a, b] = [amount(smaller), amount(greater)];
    if (a !== undefined && b !== undefined && compareTexts(a, b) > 0) {
      const detail = `${words[0]} value ${a} is greater than ${words[1]} value ${b}`;
      errors.invalidShown(path.child(at).key(resource), shownAmount(shown), detail);
    }
  }
  validateRatio(amount, shownAmount, path.child("maxLimitRequestRatio").key(resource), errors);
  const [limit, request] = [amount("default"), amount("defaultRequest")];
  if (
    limit !== undefined &&
    request !== undefined &&
    !isOvercommitAllowed(resource) &&
    compareTexts(limit, request) !== 0
  ) {
    const detail = `default value ${limit} must equal to defaultRequest value ${request} in ${resource}`;
    errors.invalidShown(path.child("defaultRequest").key(resource), shownAmount("defaultRequest"), detail);
  }
}

function validateRatio(
  amount: (bound: Bound) => string | undefined,
  shownAmount: (bound: Bound) => string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const ratio = amount("maxLimitRequestRatio");
  if (ratio === undefined) {
    return;
  }
  if (compareTexts(ratio, "1") < 0) {
    errors.invalidShown(path, shownAmount("maxLimitRequestRatio"), `ratio ${ratio} is less than 1`);
  }
  const [min, max] = [amount("min"), amount("max")];
  if (min !== undefined && max !== undefined) {
    const greatest = greatestRatio(ratio, min, max);
    if (ratioValue(ratio, min, max) > greatest.value) {
      const detail = `ratio ${ratio} is greater than max/min = ${greatest.text}`;
      errors.invalidShown(path, shownAmount("maxLimitRequestRatio"), detail);
    }
  }
}

function compareTexts(a: string, b: string): number {
  return compareQuantity(parseQuantity(a), parseQuantity(b));
}
