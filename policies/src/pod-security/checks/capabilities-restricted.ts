import {
  type Check,
  type CheckedContainer,
  type CheckedPod,
  containersOf,
  containersText,
  isForWindows,
  namesOf,
  type PodSecurityViolation,
  quoted,
  sortedSet,
} from "../check.js";
import { capabilitiesBaseline } from "./capabilities-baseline.js";

const replaces = capabilitiesBaseline.id;

/** The control of capabilities: every container drops all, and adds at most the one for low ports. */
export const capabilitiesRestricted: Check = {
  id: "capabilities_restricted",
  level: "restricted",
  versions: [
    { sinceMinor: 22, replaces, check: hasTooMany },
    { sinceMinor: 25, replaces, check: (pod) => (isForWindows(pod) ? undefined : hasTooMany(pod)) },
  ],
};

function hasTooMany(pod: CheckedPod): PodSecurityViolation | undefined {
  const keeping = namesOf(pod, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes("ALL"));
  const adding = namesOf(pod, (container) => forbiddenOf(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) {
    details.push(`${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  }
  if (adding.length > 0) {
    const forbidden = quoted(sortedSet(containersOf(pod).flatMap(forbiddenOf)));
    details.push(`${containersText(adding)} must not include ${forbidden} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
}

function forbiddenOf({ securityContext }: CheckedContainer): readonly string[] {
  return (securityContext?.capabilities?.add ?? []).filter((capability) => capability !== "NET_BIND_SERVICE");
}
