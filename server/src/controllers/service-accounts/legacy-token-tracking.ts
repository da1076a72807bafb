import type { Controller, ControllerOptions } from "@gatehouse/apiserver/client";
import { keepConfigMap } from "../kept-config-map.js";

/** Tells since when the use of tokens that are kept in secrets is noted on them: who was not used since then is not used. */
export function legacyTokenTracking(options: ControllerOptions & { readonly now: () => number }): Controller {
  return {
    name: "legacy-service-account-token-tracking-controller",
    run: (signal) =>
      keepConfigMap({
        ...options,
        signal,
        name: "kube-apiserver-legacy-service-account-token-tracking",
        dataFor: (data) =>
          /^\d{4}-\d\d-\d\d$/.test(data["since"] ?? "")
            ? data
            : { ...data, since: new Date(options.now()).toISOString().slice(0, 10) },
      }),
  };
}
