import type { coreV1 } from "@gatehouse/envelopes/types";
import { type Check, containersOf, containersText, counted, namesOf, sortedSet } from "../check.js";

const allowedTypes: ReadonlySet<string> = new Set(["", "container_t", "container_init_t", "container_kvm_t"]);

/** The control of SELinux: types for containers only, and neither user nor role. */
export const seLinux: Check = {
  id: "seLinuxOptions",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const ofPod = pod.spec.securityContext?.seLinuxOptions;
        const bad = namesOf(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
        const setters = [...(isBad(ofPod) ? ["pod"] : []), ...(bad.length > 0 ? [containersText(bad)] : [])];
        if (setters.length === 0) {
          return undefined;
        }
        const all = [ofPod, ...containersOf(pod).map(({ securityContext }) => securityContext?.seLinuxOptions)];
        const problems = problemsOf(all).join("; ");
        return {
          reason: "seLinuxOptions",
          detail: `${setters.join(" and ")} set forbidden securityContext.seLinuxOptions: ${problems}`,
        };
      },
    },
  ],
};

type Options = coreV1.SELinuxOptions | undefined;

function isBad(options: Options): boolean {
  return problemsOf([options]).length > 0;
}

function problemsOf(all: readonly Options[]): string[] {
  const types = sortedSet(all.map((options) => options?.type ?? "").filter((type) => !allowedTypes.has(type)));
  return [
    ...(types.length > 0 ? [counted("type", "types", types)] : []),
    ...(all.some((options) => (options?.user ?? "") !== "") ? ["user may not be set"] : []),
    ...(all.some((options) => (options?.role ?? "") !== "") ? ["role may not be set"] : []),
  ];
}
