import type { Controller, ControllerOptions } from "@gatehouse/apiserver/client";
import { serviceAccounts } from "../core-resources.js";
import { keepInEveryNamespace } from "./per-namespace-object.js";

const name = "default";

/** Keeps the ServiceAccount that pods run under unless they say otherwise in every active namespace. */
export function defaultServiceAccount(options: ControllerOptions): Controller {
  return {
    name: "serviceaccount-controller",
    run: (signal) =>
      keepInEveryNamespace({
        ...options,
        signal,
        resource: serviceAccounts,
        name,
        make: (namespace) => ({ kind: "ServiceAccount", apiVersion: "v1", metadata: { name, namespace } }),
      }),
  };
}
