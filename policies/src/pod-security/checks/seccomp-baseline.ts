import { goQuote } from "@gatehouse/envelopes/go";
import {
  type Check,
  type CheckedPod,
  containersOf,
  containersText,
  namesOf,
  type PodSecurityViolation,
  quoted,
  sortedSet,
} from "../check.js";

const podAnnotation = "seccomp.security.alpha.kubernetes.io/pod";
const containerAnnotation = "container.seccomp.security.alpha.kubernetes.io/";

/**
 * The control of seccomp: a named profile must be that of the runtime or of the node; named by annotations at first, by
 * members since 1.19.
 */
export const seccompBaseline: Check = {
  id: "seccompProfile_baseline",
  level: "baseline",
  versions: [
    { sinceMinor: 0, check: hasBadAnnotation },
    { sinceMinor: 19, check: setsBadProfile },
  ],
};

function hasBadAnnotation(pod: CheckedPod): PodSecurityViolation | undefined {
  const keys = [podAnnotation, ...containersOf(pod).map(({ name }) => `${containerAnnotation}${name ?? ""}`)];
  const bad = keys.flatMap((key) => {
    const value = Object.hasOwn(pod.annotations, key) ? pod.annotations[key] : undefined;
    return value === undefined || isAllowedText(value) ? [] : [`${key}=${goQuote(value)}`];
  });
  const forbidden = sortedSet(bad);
  return forbidden.length === 0
    ? undefined
    : {
        reason: "seccompProfile",
        detail: `forbidden ${forbidden.length === 1 ? "annotation" : "annotations"} ${forbidden.join(", ")}`,
      };
}

function isAllowedText(value: string): boolean {
  return value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
}

/** Finds a pod, or containers of it, with a seccomp profile that is not allowed. */
export function setsBadProfile(pod: CheckedPod): PodSecurityViolation | undefined {
  const ofPod = pod.spec.securityContext?.seccompProfile;
  const bad = namesOf(pod, ({ securityContext }) => isBad(securityContext?.seccompProfile?.type));
  const setters = [...(isBad(ofPod?.type) ? ["pod"] : []), ...(bad.length > 0 ? [containersText(bad)] : [])];
  if (setters.length === 0) {
    return undefined;
  }
  const types: readonly (string | undefined)[] = [
    ofPod?.type,
    ...containersOf(pod).map(({ securityContext }) => securityContext?.seccompProfile?.type),
  ];
  const forbidden = quoted(sortedSet(types.filter(isBad)));
  return {
    reason: "seccompProfile",
    detail: `${setters.join(" and ")} must not set securityContext.seccompProfile.type to ${forbidden}`,
  };
}

function isBad(type: string | undefined): type is string {
  return type != null && type !== "RuntimeDefault" && type !== "Localhost";
}
