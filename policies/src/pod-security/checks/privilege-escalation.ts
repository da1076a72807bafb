import {
  type Check,
  type CheckedPod,
  containersText,
  isForWindows,
  namesOf,
  type PodSecurityViolation,
} from "../check.js";

/** The control of privilege escalation: every container must forbid it. */
export const privilegeEscalation: Check = {
  id: "allowPrivilegeEscalation",
  level: "restricted",
  versions: [
    { sinceMinor: 8, check: mayEscalate },
    { sinceMinor: 25, check: (pod) => (isForWindows(pod) ? undefined : mayEscalate(pod)) },
  ],
};

function mayEscalate(pod: CheckedPod): PodSecurityViolation | undefined {
  const bad = namesOf(pod, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  return bad.length === 0
    ? undefined
    : {
        reason: "allowPrivilegeEscalation != false",
        detail: `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`,
      };
}
