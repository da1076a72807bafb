import {
  type Check,
  type CheckedContainer,
  containersOf,
  containersText,
  namesOf,
  quoted,
  sortedSet,
} from "../check.js";

/** Capabilities that runtimes grant by default, without the one that forges packets. */
const allowed: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

/** The control of capabilities: no more than runtimes grant. */
export const capabilitiesBaseline: Check = {
  id: "capabilities_baseline",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const bad = namesOf(pod, (container) => forbiddenOf(container).length > 0);
        const forbidden = sortedSet(containersOf(pod).flatMap(forbiddenOf));
        return bad.length === 0
          ? undefined
          : {
              reason: "non-default capabilities",
              detail: `${containersText(bad)} must not include ${quoted(forbidden)} in securityContext.capabilities.add`,
            };
      },
    },
  ],
};

function forbiddenOf({ securityContext }: CheckedContainer): readonly string[] {
  return (securityContext?.capabilities?.add ?? []).filter((capability) => !allowed.has(capability));
}
