import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  validateImmutable,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { booleanAt, integerAt, isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";

const value = FieldPath.of("value");
const preemptionPolicy = FieldPath.of("preemptionPolicy");
const preemptionPolicies = ["PreemptLowerPriority", "Never"];
const highestOfUsers = 1_000_000_000;
const systemPrefix = "system-";

/** Values of the system classes by name. */
const systemClasses: ReadonlyMap<string, number> = new Map([
  ["system-node-critical", 2_000_001_000],
  ["system-cluster-critical", 2_000_000_000],
]);

/**
 * Rules of PriorityClass: some names and the highest values are reserved for the system; value and preemption policy do
 * not change.
 */
export const priorityClassValidation: KindValidation = {
  create: validatePriorityClass,
  update(priorityClass, old, errors) {
    if (integerAt(priorityClass, "value") !== integerAt(old, "value")) {
      errors.forbidden(value, "may not be changed in an update.");
    }
    const policy = valueAt(priorityClass, "preemptionPolicy");
    validateImmutable(policy, valueAt(old, "preemptionPolicy"), preemptionPolicy, errors);
  },
};

function validatePriorityClass(priorityClass: JsonObject, errors: FieldErrors): void {
  const { name = "" } = metaOf(priorityClass);
  const priority = Number(integerAt(priorityClass, "value"));
  if (name.startsWith(systemPrefix)) {
    const problem = systemClassProblem(name, priority, booleanAt(priorityClass, "globalDefault"));
    if (problem !== undefined) {
      const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`;
      errors.forbidden(FieldPath.of("metadata").child("name"), detail);
    }
  } else if (priority > highestOfUsers) {
    errors.forbidden(value, `maximum allowed value of a user defined priority is ${highestOfUsers}`);
  }
  const policy = textAt(priorityClass, "preemptionPolicy");
  if (isSet(priorityClass, "preemptionPolicy") && validateRequiredText(policy, preemptionPolicy, errors)) {
    validateSupported(policy, preemptionPolicies, preemptionPolicy, errors);
  }
}

function systemClassProblem(name: string, priority: number, isDefault: boolean): string | undefined {
  const required = systemClasses.get(name);
  if (required === undefined) {
    return `${name} is not a known system priority class`;
  }
  if (required !== priority) {
    return `value of ${name} PriorityClass must be ${required}`;
  }
  return isDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
