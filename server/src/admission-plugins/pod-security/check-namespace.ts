import type { AdmissionAttributes } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { isSameJson } from "@gatehouse/envelopes/json";
import { type FieldError, invalid } from "@gatehouse/envelopes/status";
import {
  compareLevels,
  isEquivalent,
  isFullyPrivileged,
  isSameLevelVersion,
  levelVersionText,
  type Mode,
  type Policy,
  podSecurityPrefix,
  policyOf,
} from "@gatehouse/policies/pod-security";
import type { PodSecuritySettings } from "./configuration.js";

/** The new policy of a namespace, and whether its existing pods are to be checked against it. */
export type NamespaceVerdict = { readonly policy: Policy; readonly concernsPods: boolean };

/**
 * Refuses labels that say no policy; those that were there before may stay. Warns of labels that have no effect. Throws
 * a StatusError (422).
 */
export function checkNamespace(attributes: AdmissionAttributes, settings: PodSecuritySettings): NamespaceVerdict {
  const { operation, kind, object = {}, oldObject = {} } = attributes;
  const { defaults, exemptNamespaces } = settings;
  const { name = "", labels = {} } = metaOf(object);
  const { policy, errors } = policyOf(labels, defaults);
  const old = operation === "CREATE" ? undefined : policyOf(labelsOf(oldObject), defaults);
  if (errors.length > 0 && !isSameJson(asJson(errors), asJson(old?.errors ?? []))) {
    throw invalid(kind, attributes.name || name, errors);
  }
  const isLooser =
    old !== undefined &&
    (isSameLevelVersion(policy.enforce, old.policy.enforce) ||
      policy.enforce.level === "privileged" ||
      (policy.enforce.version.text === old.policy.enforce.version.text &&
        compareLevels(policy.enforce.level, old.policy.enforce.level) < 1));
  if (isLooser) {
    return { policy, concernsPods: false };
  }
  if (exemptNamespaces.has(name)) {
    warnOfExemption(attributes, name, policy, settings);
    return { policy, concernsPods: false };
  }
  return { policy, concernsPods: old !== undefined };
}

/** Returns the labels of an object without adding a metadata to it. */
function labelsOf({ metadata }: JsonObject): Readonly<Record<string, string>> {
  return metaOf({ metadata: metadata ?? {} }).labels ?? {};
}

function asJson(errors: readonly FieldError[]): JsonObject[] {
  return errors.map((error) => ({ ...error }));
}

function warnOfExemption(
  attributes: AdmissionAttributes,
  name: string,
  policy: Policy,
  { defaults }: PodSecuritySettings,
): void {
  if (isFullyPrivileged(policy) || isEquivalent(policy, defaults)) {
    return;
  }
  const labels = metaOf(attributes.object ?? {}).labels ?? {};
  const isStated = (mode: Mode): boolean =>
    [mode, `${mode}-version`].some((label) => Object.hasOwn(labels, podSecurityPrefix + label));
  const shown = (["enforce", "audit", "warn"] as const)
    .filter((mode) => policy[mode].level !== "privileged" && isStated(mode))
    .map((mode) => `${mode}=${levelVersionText(policy[mode])}`);
  attributes.warn(
    `namespace ${JSON.stringify(name)} is exempt from Pod Security, and the policy (${shown.join(", ")}) will be ignored`,
  );
}
