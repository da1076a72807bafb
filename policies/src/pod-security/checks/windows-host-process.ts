import { type Check, containersText, namesOf } from "../check.js";

/** The control of HostProcess containers of Windows: none. */
export const windowsHostProcess: Check = {
  id: "windowsHostProcess",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check(pod) {
        const bad = namesOf(pod, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess);
        const setters = [
          ...(pod.spec.securityContext?.windowsOptions?.hostProcess === true ? ["pod"] : []),
          ...(bad.length > 0 ? [containersText(bad)] : []),
        ];
        return setters.length === 0
          ? undefined
          : {
              reason: "hostProcess",
              detail: `${setters.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true`,
            };
      },
    },
  ],
};
