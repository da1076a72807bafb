import type { Check } from "../check.js";

/** The control of host namespaces: neither network nor PID nor IPC. */
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
