import { setMaxListeners } from "node:events";
import type { ControllerName } from "../config/controller-names.js";
import type { Controller } from "./controller.js";
import type { ManagerLease } from "./manager-lease.js";

/** What kube-controller-manager does, too. Two of a kind get in each other's way. */
export const managerControllers: ReadonlySet<ControllerName> = new Set([
  "serviceaccount-controller",
  "root-ca-certificate-publisher-controller",
  "namespace-controller",
  "pod-garbage-collector-controller",
  "disruption-controller",
  "resourcequota-controller",
  "garbage-collector-controller",
]);

/** A controller that rests while a kube-controller-manager does its work, and takes it up again when that one is gone. */
export function besideManager(controller: Controller, lease: ManagerLease): Controller {
  return {
    name: controller.name,
    async run(signal) {
      while (!signal.aborted) {
        await lease.until(false, signal);
        if (signal.aborted) {
          return;
        }
        const shift = new AbortController();
        const either = AbortSignal.any([signal, shift.signal]);
        setMaxListeners(0, either);
        void lease.until(true, either).then(() => shift.abort());
        await controller.run(either).finally(() => shift.abort());
      }
    },
  };
}
