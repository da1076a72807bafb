import { type Check, type CheckedContainer, containersOf, containersText, namesOf, sortedSet } from "../check.js";

/** The control of host ports: none. */
export const hostPorts: Check = {
  id: "hostPorts",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const bad = namesOf(pod, (container) => portsOf(container).length > 0);
        if (bad.length === 0) {
          return undefined;
        }
        const ports = sortedSet(containersOf(pod).flatMap(portsOf));
        const verb = bad.length === 1 ? "uses" : "use";
        const noun = ports.length === 1 ? "hostPort" : "hostPorts";
        return { reason: "hostPort", detail: `${containersText(bad)} ${verb} ${noun} ${ports.join(", ")}` };
      },
    },
  ],
};

function portsOf({ ports }: CheckedContainer): readonly string[] {
  return (ports ?? []).flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]));
}
