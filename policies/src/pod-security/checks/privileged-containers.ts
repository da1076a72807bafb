import { type Check, containersText, namesOf } from "../check.js";

/** The control of privileged containers: none. */
export const privilegedContainers: Check = {
  id: "privileged",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const bad = namesOf(pod, ({ securityContext }) => securityContext?.privileged);
        return bad.length === 0
          ? undefined
          : { reason: "privileged", detail: `${containersText(bad)} must not set securityContext.privileged=true` };
      },
    },
  ],
};
