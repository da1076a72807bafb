import {
  checkFormat,
  checkNonnegativeMembers,
  checkRequiredText,
  checkSupported,
  type FieldErrors,
  type FieldPath,
} from "@gatehouse/apiserver/validation";
import { integerAt, isSet, type JsonValue, listAt, objectAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { checkPortNumber, checkPortNumberOrName } from "../../../../validation/ports.js";

type Seconds = number | bigint;
type Handler = (action: JsonValue | undefined, path: FieldPath, errors: FieldErrors, gracePeriod: Seconds) => void;

/** Checks of the actions of probes and lifecycle hooks, in v1.29's order. The schema has no `sleep` for probes. */
const handlers: Readonly<Record<string, Handler>> = {
  exec: (action, path, errors) => {
    if (listAt(action, "command").length === 0) {
      errors.required(path.child("command"));
    }
  },
  httpGet: checkHttpGet,
  tcpSocket: (action, path, errors) => checkPortNumberOrName(valueAt(action, "port"), path.child("port"), errors),
  grpc: (action, path, errors) => checkPortNumber(valueAt(action, "port"), path.child("port"), errors),
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

function checkHttpGet(action: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  checkRequiredText(textAt(action, "path"), path.child("path"), errors);
  checkPortNumberOrName(valueAt(action, "port"), path.child("port"), errors);
  checkSupported(textAt(action, "scheme"), ["HTTP", "HTTPS"], path.child("scheme"), errors);
  for (const header of listAt(action, "httpHeaders")) {
    if (errors.isFull) {
      return;
    }
    checkFormat(textAt(header, "name"), headerNameProblems, path.child("httpHeaders"), errors);
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
function checkHandler(handler: JsonValue, path: FieldPath, errors: FieldErrors, gracePeriod: Seconds): void {
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
export function checkLifecycleAndProbes(
  container: JsonValue,
  path: FieldPath,
  errors: FieldErrors,
  gracePeriod: Seconds,
): void {
  for (const name of ["postStart", "preStop"]) {
    if (isSet(container, "lifecycle", name)) {
      checkHandler(objectAt(container, "lifecycle", name), path.child("lifecycle").child(name), errors, gracePeriod);
    }
  }
  for (const name of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    if (isSet(container, name)) {
      checkProbe(objectAt(container, name), name === "readinessProbe", path.child(name), errors, gracePeriod);
    }
  }
}

function checkProbe(
  probe: JsonValue,
  isReadiness: boolean,
  path: FieldPath,
  errors: FieldErrors,
  gracePeriod: Seconds,
): void {
  checkHandler(probe, path, errors, gracePeriod);
  checkNonnegativeMembers(probe, counts, path, errors);
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
