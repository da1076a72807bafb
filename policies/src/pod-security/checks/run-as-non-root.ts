import { type Check, containersText, hasOwnUsers, namesOf } from "../check.js";

/** The control of running as non-root: it must be demanded, by the pod or by each container. */
export const runAsNonRoot: Check = {
  id: "runAsNonRoot",
  level: "restricted",
  versions: [
    {
      sinceMinor: 0,
      check(pod, options) {
        if (hasOwnUsers(pod, options)) {
          return undefined;
        }
        const ofPod = pod.spec.securityContext?.runAsNonRoot;
        const refusing = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot === false);
        const setters = [
          ...(ofPod === false ? ["pod"] : []),
          ...(refusing.length > 0 ? [containersText(refusing)] : []),
        ];
        if (setters.length > 0) {
          const detail = `${setters.join(" and ")} must not set securityContext.runAsNonRoot=false`;
          return { reason: "runAsNonRoot != true", detail };
        }
        const silent = namesOf(pod, ({ securityContext }) => securityContext?.runAsNonRoot == null && ofPod !== true);
        return silent.length === 0
          ? undefined
          : {
              reason: "runAsNonRoot != true",
              detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true`,
            };
      },
    },
  ],
};
