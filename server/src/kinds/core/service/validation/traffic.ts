import {
  type FieldErrors,
  FieldPath,
  validateRequiredSupported,
  validateSupported,
} from "@gatehouse/apiserver/validation";
import { isSet, type JsonObject, type JsonValue, listAt, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validatePortNumber } from "../../../../validation/ports.js";
import { healthCheckNodePortOf, takesHealthCheckNodePort, takesNodePorts } from "../service-fields.js";

const specPath = FieldPath.of("spec");
/** Traffic policies: to all pods of a service, or to those of the node only. */
export const trafficPolicies: readonly string[] = ["Cluster", "Local"];
const maxAffinitySeconds = 86_400;

/** Validates the session affinity of a service and its timeout. */
export function validateSessionAffinity(spec: JsonObject, errors: FieldErrors): void {
  const affinity = textAt(spec, "sessionAffinity");
  validateRequiredSupported(affinity, ["ClientIP", "None"], specPath.child("sessionAffinity"), errors);
  const path = specPath.child("sessionAffinityConfig");
  if (affinity === "ClientIP") {
    validateClientIpConfig(spec["sessionAffinityConfig"], path, errors);
  } else if (affinity === "None" && isSet(spec, "sessionAffinityConfig")) {
    errors.forbidden(path, "must not be set when session affinity is None");
  }
}

function validateClientIpConfig(config: JsonValue | undefined, path: FieldPath, errors: FieldErrors): void {
  const detail = "when session affinity type is ClientIP";
  const clientIpPath = path.child("clientIP");
  const secondsPath = clientIpPath.child("timeoutSeconds");
  if (!isSet(config)) {
    errors.required(path, detail);
  } else if (!isSet(config, "clientIP")) {
    errors.required(clientIpPath, detail);
  } else if (!isSet(config, "clientIP", "timeoutSeconds")) {
    errors.required(secondsPath, detail);
  } else {
    const seconds = Number(valueAt(config, "clientIP", "timeoutSeconds"));
    if (seconds <= 0 || seconds > maxAffinitySeconds) {
      errors.invalid(secondsPath, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`);
    }
  }
}

/** Validates the policy for external traffic, and the port by which a load balancer checks the health of nodes. */
export function validateExternalTraffic(spec: JsonObject, errors: FieldErrors): void {
  const policy = textAt(spec, "externalTrafficPolicy");
  const path = specPath.child("externalTrafficPolicy");
  if (isExternallyAccessible(spec)) {
    validateRequiredSupported(policy, trafficPolicies, path, errors);
  } else if (policy !== "") {
    errors.invalid(path, policy, "may only be set for externally-accessible services");
  }
  const port = healthCheckNodePortOf(spec);
  const portPath = specPath.child("healthCheckNodePort");
  if (!takesHealthCheckNodePort(spec)) {
    if (port !== 0) {
      const detail = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
      errors.invalid(portPath, port, detail);
    }
  } else if (port === 0) {
    errors.required(portPath);
  } else {
    validatePortNumber(port, portPath, errors);
  }
}

/** Validates that the port for health checks has not changed: the load balancer knows it. */
export function validateHealthCheckPortUpdate(spec: JsonObject, oldSpec: JsonObject, errors: FieldErrors): void {
  const isKept = takesHealthCheckNodePort(spec) && takesHealthCheckNodePort(oldSpec);
  if (isKept && healthCheckNodePortOf(spec) !== healthCheckNodePortOf(oldSpec)) {
    errors.forbidden(specPath.child("healthCheckNodePort"), "field is immutable");
  }
}

/** Validates the policy for internal traffic. */
export function validateInternalTraffic(spec: JsonObject, errors: FieldErrors): void {
  const path = specPath.child("internalTrafficPolicy");
  if (isSet(spec, "internalTrafficPolicy")) {
    validateSupported(textAt(spec, "internalTrafficPolicy"), trafficPolicies, path, errors);
  } else if (takesNodePorts(spec) || textAt(spec, "type") === "ClusterIP") {
    errors.required(path);
  }
}

/** Reports whether a service takes traffic from outside the cluster. */
export function isExternallyAccessible(spec: JsonObject): boolean {
  return takesNodePorts(spec) || (textAt(spec, "type") === "ClusterIP" && listAt(spec, "externalIPs").length > 0);
}
