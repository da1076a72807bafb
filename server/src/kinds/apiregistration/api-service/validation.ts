import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  type FieldErrors,
  FieldPath,
  rangeText,
  validateFormat,
  validateRequiredText,
} from "@gatehouse/apiserver/validation";
import { goQuote } from "@gatehouse/envelopes/go";
import { booleanAt, integerAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import {
  type ValidateValue,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from "@gatehouse/envelopes/validation";

const spec = FieldPath.of("spec");
const conditions = FieldPath.of("status").child("conditions");
const statuses = ["True", "False", "Unknown"];

/** Rules of APIService: those of this process have no member that only a remote one needs. */
export const apiServiceValidation: KindValidation = {
  validateName(name, apiService) {
    const required = `${textAt(apiService, "spec", "version")}.${textAt(apiService, "spec", "group")}`;
    const isSaid = name === required || validatePathSegmentName(name).length > 0;
    return isSaid ? [] : [`must be \`spec.version+"."+spec.group\`: ${goQuote(required)}`];
  },
  create: validateApiService,
  update: (apiService, _old, errors) => validateApiService(apiService, errors),
  subresources: { status: (apiService, _old, errors) => validateStatus(apiService, errors) },
};

function validateApiService(apiService: JsonObject, errors: FieldErrors): void {
  const group = textAt(apiService, "spec", "group");
  const version = textAt(apiService, "spec", "version");
  if (group === "" && version !== "v1") {
    errors.required(spec.child("group"), "only v1 may have an empty group and it better be legacy kube");
  }
  validateFormat(group, ifAny(validateDns1123Subdomain), spec.child("group"), errors);
  validateFormat(version, validateDns1035Label, spec.child("version"), errors);
  validatePriority(apiService, "groupPriorityMinimum", 20_000, errors);
  validatePriority(apiService, "versionPriority", 1_000, errors);
  if (isSet(apiService, "spec", "service")) {
    validateRemote(apiService, errors);
  } else {
    validateLocal(apiService, errors);
  }
}

function ifAny(check: ValidateValue): ValidateValue {
  return (value) => (value === "" ? [] : check(value));
}

function validatePriority(apiService: JsonObject, name: string, most: number, errors: FieldErrors): void {
  const priority = integerAt(apiService, "spec", name);
  if (priority <= 0 || priority > most) {
    errors.invalid(spec.child(name), priority, `must be positive and less than ${most}`);
  }
}

function validateLocal(apiService: JsonObject, errors: FieldErrors): void {
  const bytes = Buffer.from(textAt(apiService, "spec", "caBundle"), "base64").length;
  if (bytes > 0) {
    errors.invalid(spec.child("caBundle"), `${bytes} bytes`, "local APIServices may not have a caBundle");
  }
  if (booleanAt(apiService, "spec", "insecureSkipTLSVerify")) {
    const detail = "local APIServices may not have insecureSkipTLSVerify";
    errors.invalid(spec.child("insecureSkipTLSVerify"), true, detail);
  }
}

function validateRemote(apiService: JsonObject, errors: FieldErrors): void {
  const path = spec.child("service");
  for (const name of ["namespace", "name"]) {
    validateRequiredText(textAt(apiService, "spec", "service", name), path.child(name), errors);
  }
  const port = integerAt(apiService, "spec", "service", "port");
  if (port < 1 || port > 65535) {
    errors.invalid(path.child("port"), port, `port is not valid: ${rangeText(1, 65535)}`);
  }
  if (booleanAt(apiService, "spec", "insecureSkipTLSVerify") && textAt(apiService, "spec", "caBundle") !== "") {
    errors.invalid(spec.child("insecureSkipTLSVerify"), true, "may not be true if caBundle is present");
  }
}

function validateStatus(apiService: JsonObject, errors: FieldErrors): void {
  for (const [index, condition] of listAt(apiService, "status", "conditions").entries()) {
    if (errors.isFull) {
      return;
    }
    const status = textAt(condition, "status");
    if (!statuses.includes(status)) {
      errors.notSupported(conditions.index(index).child("status"), status, statuses);
    }
  }
}
