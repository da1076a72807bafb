import type { Check } from "../check.js";

/** Host namespaces: neither its network nor its processes nor what they share. */
export const hostNamespaces: Check = {
  id: "hostNamespaces",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check({ spec }) {
        const bad = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((member) => spec[member] === true);
        return bad.length === 0
          ? undefined
          : { reason: "host namespaces", detail: bad.map((member) => `${member}=true`).join(", ") };
      },
    },
  ],
};
