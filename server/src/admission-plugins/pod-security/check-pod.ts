import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { type FieldError, forbidden } from "@gatehouse/envelopes/status";
import {
  type CheckedPod,
  type CheckOptions,
  isSameLevelVersion,
  type LevelVersion,
  levelVersionText,
  type ParsedPolicy,
  type PodSecurityViolation,
  podSecurityPrefix,
  violationsInDetail,
  violationsOf,
} from "@gatehouse/policies/pod-security";
import type { PodSecurityMetrics } from "./metrics.js";

/** The inputs of a check of a pod. */
export interface PodChecks {
  readonly options: CheckOptions;
  readonly metrics: PodSecurityMetrics;
}

/**
 * Checks a pod, or the template of one, against the policy of its namespace. Throws a StatusError (403) when it violates
 * the level that is enforced; templates are not held to that one, since the pods will be.
 */
export function checkPod(
  attributes: AdmissionAttributes,
  pod: CheckedPod,
  { policy, errors }: ParsedPolicy,
  { options, metrics }: PodChecks,
  isTemplate: boolean,
): void {
  const known: [LevelVersion, readonly PodSecurityViolation[]][] = [];
  const violationsWith = (level: LevelVersion): readonly PodSecurityViolation[] => {
    const found = known.find(([other]) => isSameLevelVersion(other, level));
    if (found !== undefined) {
      return found[1];
    }
    const violations = violationsOf(level, pod, options);
    known.push([level, violations]);
    return violations;
  };
  if (errors.length > 0) {
    attributes.annotate(`${podSecurityPrefix}error`, `Failed to parse policy: ${errorsText(errors)}`);
    metrics.failed(attributes, false);
  }
  const { enforce, audit, warn } = policy;
  const broken = isTemplate ? [] : violationsWith(enforce);
  if (!isTemplate) {
    attributes.annotate(`${podSecurityPrefix}enforce-policy`, levelVersionText(enforce));
    metrics.evaluated(attributes, broken.length === 0 ? "allow" : "deny", enforce, "enforce");
  }
  const audited = violationsWith(audit);
  if (audited.length > 0) {
    attributes.annotate(`${podSecurityPrefix}audit-violations`, `would violate ${violationText(audit, audited)}`);
    metrics.evaluated(attributes, "deny", audit, "audit");
  }
  if (broken.length > 0) {
    const name = attributes.name || (metaOf(attributes.object ?? {}).name ?? "");
    throw forbidden(attributes.resource, name, `violates ${violationText(enforce, broken)}`);
  }
  const warned = violationsWith(warn);
  if (warned.length > 0) {
    attributes.warn(`would violate ${violationText(warn, warned)}`);
    metrics.evaluated(attributes, "deny", warn, "warn");
  }
}

function violationText(level: LevelVersion, violations: readonly PodSecurityViolation[]): string {
  return `PodSecurity "${levelVersionText(level)}": ${violationsInDetail(violations)}`;
}

function errorsText(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? (texts[0] ?? "") : `[${texts.join(", ")}]`;
}
