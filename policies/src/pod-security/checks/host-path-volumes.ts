import { type Check, counted } from "../check.js";

/** The control of HostPath volumes: none. */
export const hostPathVolumes: Check = {
  id: "hostPathVolumes",
  level: "baseline",
  versions: [
    {
      sinceMinor: 0,
      check({ spec }) {
        const bad = (spec.volumes ?? []).filter(({ hostPath }) => hostPath != null).map(({ name }) => name ?? "");
        return bad.length === 0 ? undefined : { reason: "hostPath volumes", detail: counted("volume", "volumes", bad) };
      },
    },
  ],
};
