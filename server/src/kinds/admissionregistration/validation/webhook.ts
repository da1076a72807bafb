import {
  type FieldErrors,
  type FieldPath,
  isNumber,
  validateLabelSelector,
  validateRequiredText,
  validateWebhookClientConfig,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { validateDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { validateMatchConditions } from "./match-conditions.js";
import { validateRuleWithOperations } from "./rule-with-operations.js";

/** Rules that webhooks must meet; a rule that all of the stored configuration breaks already is not enforced. */
export interface WebhookOptions {
  readonly noSideEffects: boolean;
  readonly knownReviewVersion: boolean;
  readonly uniqueNames: boolean;
  readonly anySelectorValue: boolean;
  /** Expressions of match conditions that are stored; undefined if no match conditions have changed. */
  readonly storedExpressions: ReadonlySet<string> | undefined;
}

const failurePolicies = ["Fail", "Ignore"];
const matchPolicies = ["Equivalent", "Exact"];
const reinvocationPolicies = ["IfNeeded", "Never"];
const anySideEffects = ["None", "NoneOnDryRun", "Some", "Unknown"];

/** Values of `sideEffects` that are harmless for a request that is not carried out in the end. */
export const noSideEffects = ["None", "NoneOnDryRun"];

/** Validates one webhook of either kind of configuration, except for its review versions. */
export function* validateWebhook(
  webhook: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  options: WebhookOptions,
): Steps {
  validateName(textAt(webhook, "name"), path.child("name"), errors);
  for (const [index, rule] of listAt(webhook, "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    validateRuleWithOperations(rule, path.child("rules").index(index), errors);
  }
  validateMember(webhook, "failurePolicy", failurePolicies, path, errors);
  validateMember(webhook, "matchPolicy", matchPolicies, path, errors);
  const sideEffects = options.noSideEffects ? noSideEffects : anySideEffects;
  if (!isSet(webhook, "sideEffects")) {
    errors.required(path.child("sideEffects"), `must specify one of ${sideEffects.join(", ")}`);
  }
  validateMember(webhook, "sideEffects", sideEffects, path, errors);
  const timeout = valueAt(webhook, "timeoutSeconds");
  if (isNumber(timeout) && (timeout > 30 || timeout < 1)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    errors.invalid(path.child("timeoutSeconds"), timeout, detail);
  }
  for (const name of ["namespaceSelector", "objectSelector"]) {
    validateLabelSelector(valueAt(webhook, name), path.child(name), errors, {
      allowInvalidValues: options.anySelectorValue,
    });
  }
  validateMember(webhook, "reinvocationPolicy", reinvocationPolicies, path, errors);
  validateWebhookClientConfig(valueAt(webhook, "clientConfig"), path.child("clientConfig"), errors);
  if (options.storedExpressions !== undefined) {
    const context = { hasParams: false, stored: options.storedExpressions };
    yield* validateMatchConditions(listAt(webhook, "matchConditions"), path.child("matchConditions"), errors, context);
  }
}

/** Validates the name of a webhook: a domain name of at least three parts. */
function validateName(name: string, path: FieldPath, errors: FieldErrors): void {
  if (!validateRequiredText(name, path, errors)) {
    return;
  }
  const problems = validateDns1123Subdomain(name);
  if (problems.length > 0) {
    errors.invalid(path, name, problems.join(","));
  } else if (name.split(".").length < 3) {
    errors.invalid(path, name, "should be a domain with at least three segments separated by dots");
  }
}

function validateMember(
  holder: JsonValue,
  name: string,
  supported: readonly string[],
  path: FieldPath,
  errors: FieldErrors,
): void {
  const value = textAt(holder, name);
  if (isSet(holder, name) && !supported.includes(value)) {
    errors.notSupported(path.child(name), value, supported);
  }
}
