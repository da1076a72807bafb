import { goQuote } from "@gatehouse/envelopes/go";
import type { Check } from "../check.js";

const annotationPrefix = "container.apparmor.security.beta.kubernetes.io/";

/** The control of AppArmor: the profile of the runtime, or one of the node. */
export const appArmor: Check = {
  id: "appArmorProfile",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check({ annotations }) {
        const bad = Object.entries(annotations)
          .filter(([key, profile]) => key.startsWith(annotationPrefix) && !isAllowed(profile))
          .map(([key, profile]) => `${key}=${goQuote(profile)}`)
          .sort();
        return bad.length === 0
          ? undefined
          : { reason: `forbidden AppArmor profile${bad.length === 1 ? "" : "s"}`, detail: bad.join(", ") };
      },
    },
  ],
};

function isAllowed(profile: string): boolean {
  return profile === "" || profile === "runtime/default" || profile.startsWith("localhost/");
}
