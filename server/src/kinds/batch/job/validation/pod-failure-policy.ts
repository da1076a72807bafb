import { type FieldErrors, type FieldPath, validateQualifiedText } from "@gatehouse/apiserver/validation";
import { goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";

const maxRules = 20;
const maxValues = 255;
const maxPatterns = 20;

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const operators = ["In", "NotIn"];
const conditionStatuses = ["False", "True", "Unknown"];

/**
 * Validates a pod failure policy: rules, of which the first that matches a failed pod applies. `path` is that of the
 * policy.
 */
export function validatePodFailurePolicy(spec: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const rules = listAt(spec, "podFailurePolicy", "rules");
  const rulesPath = path.child("rules");
  if (rules.length > maxRules) {
    errors.tooMany(rulesPath, rules.length, maxRules);
  }
  const podSpec = objectAt(spec, "template", "spec");
  const containers = new Set(
    [...listAt(podSpec, "containers"), ...listAt(podSpec, "initContainers")].map((item) => textAt(item, "name")),
  );
  for (const [index, rule] of rules.entries()) {
    if (errors.isFull) {
      return;
    }
    validateRule(spec, rule, containers, rulesPath.index(index), errors);
  }
}

function validateRule(
  spec: JsonObject,
  rule: JsonValue,
  containers: ReadonlySet<string>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const action = textAt(rule, "action");
  if (action === "FailIndex" && !isSet(spec, "backoffLimitPerIndex")) {
    errors.invalid(path.child("action"), action, "requires the backoffLimitPerIndex to be set");
  }
  validateChoice(action, actions, path.child("action"), errors);
  const conditions = listAt(rule, "onPodConditions");
  const hasExitCodes = isSet(rule, "onExitCodes");
  if (hasExitCodes) {
    validateExitCodes(objectAt(rule, "onExitCodes"), containers, path.child("onExitCodes"), errors);
  }
  if (conditions.length > 0) {
    validateConditions(conditions, path.child("onPodConditions"), errors);
  }
  if (hasExitCodes && conditions.length > 0) {
    errors.invalidShown(path, undefined, "specifying both OnExitCodes and OnPodConditions is not supported");
  }
  if (!hasExitCodes && conditions.length === 0) {
    errors.invalidShown(path, undefined, "specifying one of OnExitCodes and OnPodConditions is required");
  }
}

function validateChoice(text: string, choices: readonly string[], path: FieldPath, errors: FieldErrors): void {
  if (text === "") {
    errors.required(path, `valid values: [${choices.map(goQuote).join(" ")}]`);
  } else if (!choices.includes(text)) {
    errors.notSupported(path, text, choices);
  }
}

function validateConditions(conditions: readonly JsonValue[], path: FieldPath, errors: FieldErrors): void {
  if (conditions.length > maxPatterns) {
    errors.tooMany(path, conditions.length, maxPatterns);
  }
  for (const [index, pattern] of conditions.entries()) {
    if (errors.isFull) {
      return;
    }
    validateQualifiedText(textAt(pattern, "type"), path.index(index).child("type"), errors);
    validateChoice(textAt(pattern, "status"), conditionStatuses, path.index(index).child("status"), errors);
  }
}

function validateExitCodes(
  requirement: JsonObject,
  containers: ReadonlySet<string>,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const operator = textAt(requirement, "operator");
  validateChoice(operator, operators, path.child("operator"), errors);
  const container = textAt(requirement, "containerName");
  if (isSet(requirement, "containerName") && !containers.has(container)) {
    errors.invalid(
      path.child("containerName"),
      container,
      "must be one of the container or initContainer names in the pod template",
    );
  }
  const values = listAt(requirement, "values").map(Number);
  const valuesPath = path.child("values");
  const shown = (): string => goNumbers(requirement["values"], values);
  if (values.length === 0) {
    errors.invalidShown(valuesPath, shown(), "at least one value is required");
  } else if (values.length > maxValues) {
    errors.tooMany(valuesPath, values.length, maxValues);
  }
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    if (errors.isFull) {
      return;
    }
    if (operator === "In" && value === 0) {
      errors.invalid(valuesPath.index(index), value, "must not be 0 for the In operator");
    }
    if (seen.has(value)) {
      errors.duplicate(valuesPath.index(index), value);
    }
    seen.add(value);
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? value) > value)) {
    errors.invalidShown(valuesPath, shown(), "must be ordered");
  }
}

function goNumbers(list: JsonValue | undefined, values: readonly number[]): string {
  return Array.isArray(list) ? `[]int32{${values.join(", ")}}` : "[]int32(nil)";
}
