import {
  type Check,
  type CheckedPod,
  containersText,
  isForWindows,
  namesOf,
  type PodSecurityViolation,
} from "../check.js";
import { seccompBaseline, setsBadProfile } from "./seccomp-baseline.js";

const replaces = seccompBaseline.id;

/** The control of seccomp: a profile must be named, by the pod or by each container. */
export const seccompRestricted: Check = {
  id: "seccompProfile_restricted",
  level: "restricted",
  versions: [
    { sinceMinor: 19, replaces, check: hasNoProfile },
    { sinceMinor: 25, replaces, check: (pod) => (isForWindows(pod) ? undefined : hasNoProfile(pod)) },
  ],
};

function hasNoProfile(pod: CheckedPod): PodSecurityViolation | undefined {
  const bad = setsBadProfile(pod);
  if (bad !== undefined || pod.spec.securityContext?.seccompProfile != null) {
    return bad;
  }
  const silent = namesOf(pod, ({ securityContext }) => securityContext?.seccompProfile == null);
  return silent.length === 0
    ? undefined
    : {
        reason: "seccompProfile",
        detail: `pod or ${containersText(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
      };
}
