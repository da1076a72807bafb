import {
  type FieldErrors,
  type FieldPath,
  validateFormat,
  validateNonnegativeMembers,
  validateRequiredText,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePortNumber, validatePortNumberOrName } from "../../../../validation/ports.js";

type Seconds = number | bigint;
type Handler = (action: JsonValue | undefined, path: FieldPath, errors: FieldErrors, gracePeriod: Seconds) => void;

/** Checks of the actions of probes and lifecycle hooks, in v1.29's order. The schema has no `sleep` for probes. */
const handlers: Readonly<Record<string, Handler>> = {
  exec: (action, path, errors) => {
    if (listAt(action, "command").length === 0) {
      errors.required(path.child("command"));
    }
  },
  httpGet: validateHttpGet,
  tcpSocket: (action, path, errors) => validatePortNumberOrName(valueAt(action, "port"), path.child("port"), errors),
  grpc: (action, path, errors) => validatePortNumber(valueAt(action, "port"), path.child("port"), errors),
  sleep: (action, path, errors, gracePeriod) => {
    const seconds = integerAt(action, "seconds");
    if (seconds <= 0 || seconds > gracePeriod) {
      errors.invalid(
        path,
        seconds,
        `must be greater than 0 and less than terminationGracePeriodSeconds (${gracePeriod})`,
      );
    }
  },
};

function validateHttpGet(action: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  validateRequiredText(textAt(action, "path"), path.child("path"), errors);
  validatePortNumberOrName(valueAt(action, "port"), path.child("port"), errors);
  validateSupported(textAt(action, "scheme"), ["HTTP", "HTTPS"], path.child("scheme"), errors);
  for (const header of listAt(action, "httpHeaders")) {
    if (errors.isFull) {
      return;
    }
    validateFormat(textAt(header, "name"), headerNameProblems, path.child("httpHeaders"), errors);
  }
}

function headerNameProblems(name: string): string[] {
  return /^[-A-Za-z0-9]+$/.test(name)
    ? []
    : [
        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ];
}

/** Validates that there is exactly one action; only the first of several is validated. */
function validateHandler(handler: JsonValue, path: FieldPath, errors: FieldErrors, gracePeriod: Seconds): void {
  let found = false;
  for (const [name, check] of Object.entries(handlers)) {
    if (!isSet(handler, name)) {
      continue;
    }
    if (found) {
      errors.forbidden(path.child(name), "may not specify more than 1 handler type");
    } else {
      check(valueAt(handler, name), path.child(name), errors, gracePeriod);
    }
    found = true;
  }
  if (!found) {
    errors.required(path, "must specify a handler type");
  }
}

const counts = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

/** Validates the three probes and the lifecycle hooks of a container. */
export function validateLifecycleAndProbes(
  container: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  gracePeriod: Seconds,
): void {
  for (const name of ["postStart", "preStop"]) {
    if (isSet(container, "lifecycle", name)) {
      validateHandler(objectAt(container, "lifecycle", name), path.child("lifecycle").child(name), errors, gracePeriod);
    }
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (isSet(container, name)) {
      validateProbe(objectAt(container, name), name === "readinessProbe", path.child(name), errors, gracePeriod);
    }
  }
}

function validateProbe(
  probe: JsonValue,
  isReadiness: boolean,
  path: FieldPath,
  errors: FieldErrors,
  gracePeriod: Seconds,
): void {
  validateHandler(probe, path, errors, gracePeriod);
  validateNonnegativeMembers(probe, counts, path, errors);
  const period = path.child("terminationGracePeriodSeconds");
  if (isSet(probe, "terminationGracePeriodSeconds")) {
    const seconds = integerAt(probe, "terminationGracePeriodSeconds");
    if (seconds <= 0) {
      errors.invalid(period, seconds, "must be greater than 0");
    }
    if (isReadiness) {
      errors.invalid(period, seconds, "must not be set for readinessProbes");
    }
  }
  const threshold = integerAt(probe, "successThreshold");
  if (!isReadiness && threshold !== 1) {
    errors.invalid(path.child("successThreshold"), threshold, "must be 1");
  }
}
