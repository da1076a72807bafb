import {
  type Check,
  type CheckedContainer,
  containersOf,
  containersText,
  namesOf,
  quoted,
  sortedSet,
} from "../check.js";

/** The control of the /proc mount type: the default one, which masks paths. */
export const procMount: Check = {
  id: "procMount",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const bad = namesOf(pod, (container) => forbiddenOf(container).length > 0);
        const forbidden = quoted(sortedSet(containersOf(pod).flatMap(forbiddenOf)));
        return bad.length === 0
          ? undefined
          : {
              reason: "procMount",
              detail: `${containersText(bad)} must not set securityContext.procMount to ${forbidden}`,
            };
      },
    },
  ],
};

function forbiddenOf({ securityContext }: CheckedContainer): readonly string[] {
  const { procMount: type } = securityContext ?? {};
  return type == null || type === "Default" ? [] : [type];
}
