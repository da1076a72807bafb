import { type Check, containersText, hasOwnUsers, namesOf } from "../check.js";

/** The control of the user: not root, if one is named. */
export const runAsUser: Check = {
  id: "runAsUser",
  level: "restricted",
  versions: [
    {
      sinceMinor: 23,
      check(pod, options) {
        if (hasOwnUsers(pod, options)) {
          return undefined;
        }
        const bad = namesOf(pod, ({ securityContext }) => securityContext?.runAsUser === 0);
        const setters = [
          ...(pod.spec.securityContext?.runAsUser === 0 ? ["pod"] : []),
          ...(bad.length > 0 ? [containersText(bad)] : []),
        ];
        return setters.length === 0
          ? undefined
          : { reason: "runAsUser=0", detail: `${setters.join(" and ")} must not set runAsUser=0` };
      },
    },
  ],
};
