import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";
import type { LevelVersion, Mode } from "@gatehouse/policies/pod-security";

/**
 * The minor version of Kubernetes. Policies of later releases are counted as one, which bounds the number of series.
 */
const ownMinor = 29;

/** The counters of decisions, as v1.29 has them. */
export interface PodSecurityMetrics {
  evaluated(attributes: AdmissionAttributes, decision: "allow" | "deny", policy: LevelVersion, mode: Mode): void;
  exempted(attributes: AdmissionAttributes): void;
  /**
   * Counts an error: fatal when the request could not be checked, not fatal when labels say no policy and the strictest one
   * took its place.
   */
  failed(attributes: AdmissionAttributes, fatal: boolean): void;
}

/** Registers the counters of decisions. To be called once for a server. */
export function podSecurityMetrics(registry: MetricsRegistry): PodSecurityMetrics {
  const requestLabels = ["request_operation", "resource", "subresource"] as const;
  const evaluations = registry.counter({
    name: "pod_security_evaluations_total",
    help: "Pods and templates that were checked against a policy.",
    labelNames: ["decision", "policy_level", "policy_version", "mode", ...requestLabels],
  });
  const exemptions = registry.counter({
    name: "pod_security_exemptions_total",
    help: "Requests that were not checked because an exemption says so.",
    labelNames: requestLabels,
  });
  const errors = registry.counter({
    name: "pod_security_errors_total",
    help: "Errors that kept a request from being checked as it should be.",
    labelNames: ["fatal", ...requestLabels],
  });
  for (const request_operation of ["create", "update"]) {
    // Shown from the start, as in v1.29.
    const pod = { request_operation, resource: "pod", subresource: "" };
    const allowed = { decision: "allow", policy_level: "privileged", policy_version: "latest", mode: "enforce" };
    evaluations.labels({ ...allowed, ...pod });
    exemptions.labels(pod);
    exemptions.labels({ ...pod, resource: "controller" });
  }
  return {
    evaluated(attributes, decision, { level, version }, mode) {
      const isAny = level === "privileged" || version.text === "latest";
      const policy_version = isAny ? "latest" : version.minor > ownMinor ? "future" : version.text;
      evaluations.labels({ decision, policy_level: level, policy_version, mode, ...requestOf(attributes) }).inc();
    },
    exempted: (attributes) => exemptions.labels(requestOf(attributes)).inc(),
    failed: (attributes, fatal) => errors.labels({ fatal: String(fatal), ...requestOf(attributes) }).inc(),
  };
}

function requestOf({ operation, resource, subresource }: AdmissionAttributes): {
  readonly request_operation: string;
  readonly resource: string;
  readonly subresource: string;
} {
  const names: Readonly<Record<string, string>> = { pods: "pod", namespaces: "namespace" };
  return {
    request_operation: operation.toLowerCase(),
    resource: (resource.group === "" ? names[resource.resource] : undefined) ?? "controller",
    subresource,
  };
}
