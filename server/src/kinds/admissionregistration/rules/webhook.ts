import {
  checkLabelSelector,
  checkRequiredText,
  checkWebhookClientConfig,
  type FieldErrors,
  type FieldPath,
  isNumber,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkDns1123Subdomain } from "@gatehouse/envelopes/validation";
import { checkMatchConditions } from "./match-conditions.js";
import { checkRuleWithOperations } from "./rule-with-operations.js";

/** Rules that webhooks must meet; a rule that all of the stored configuration breaks already is not enforced. */
export interface WebhookOptions {
  readonly noSideEffects: boolean;
  readonly knownReviewVersion: boolean;
  readonly uniqueNames: boolean;
  readonly anySelectorValue: boolean;
  /** True if the match conditions have not changed. */
  readonly sameConditions: boolean;
}

const failurePolicies = ["Fail", "Ignore"];
const matchPolicies = ["Equivalent", "Exact"];
const reinvocationPolicies = ["IfNeeded", "Never"];
const anySideEffects = ["None", "NoneOnDryRun", "Some", "Unknown"];

/** Values of `sideEffects` that are harmless for a request that is not carried out in the end. */
export const noSideEffects = ["None", "NoneOnDryRun"];

/** Validates one webhook of either kind of configuration, except for its review versions. */
export function checkWebhook(webhook: JsonValue, path: FieldPath, errors: FieldErrors, options: WebhookOptions): void {
  checkName(textAt(webhook, "name"), path.child("name"), errors);
  for (const [index, rule] of listAt(webhook, "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    checkRuleWithOperations(rule, path.child("rules").index(index), errors);
  }
  checkMember(webhook, "failurePolicy", failurePolicies, path, errors);
  checkMember(webhook, "matchPolicy", matchPolicies, path, errors);
  const sideEffects = options.noSideEffects ? noSideEffects : anySideEffects;
  if (!isSet(webhook, "sideEffects")) {
    errors.required(path.child("sideEffects"), `must specify one of ${sideEffects.join(", ")}`);
  }
  checkMember(webhook, "sideEffects", sideEffects, path, errors);
  const timeout = valueAt(webhook, "timeoutSeconds");
  if (isNumber(timeout) && (timeout > 30 || timeout < 1)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    errors.invalid(path.child("timeoutSeconds"), timeout, detail);
  }
  for (const name of ["namespaceSelector", "objectSelector"]) {
    checkLabelSelector(valueAt(webhook, name), path.child(name), errors, {
      allowInvalidValues: options.anySelectorValue,
    });
  }
  checkMember(webhook, "reinvocationPolicy", reinvocationPolicies, path, errors);
  checkWebhookClientConfig(valueAt(webhook, "clientConfig"), path.child("clientConfig"), errors);
  if (!options.sameConditions) {
    checkMatchConditions(listAt(webhook, "matchConditions"), path.child("matchConditions"), errors);
  }
}

/** Validates the name of a webhook: a domain name of at least three parts. */
function checkName(name: string, path: FieldPath, errors: FieldErrors): void {
  if (!checkRequiredText(name, path, errors)) {
    return;
  }
  const problems = checkDns1123Subdomain(name);
  if (problems.length > 0) {
    errors.invalid(path, name, problems.join(","));
  } else if (name.split(".").length < 3) {
    errors.invalid(path, name, "should be a domain with at least three segments separated by dots");
  }
}

function checkMember(
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
