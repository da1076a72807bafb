import { type Controller, reconcile } from "@gatehouse/apiserver/client";
import { textAt } from "@gatehouse/envelopes/json";
import { persistentVolumes } from "../core-resources.js";
import { needsProtectionWork, type Protection, type ProtectionOptions, protect } from "./protection-finalizer.js";

/** A volume is used while it is bound. */
const protection: Protection = {
  resource: persistentVolumes,
  finalizer: "kubernetes.io/pv-protection",
  isUsed: (volume) => textAt(volume, "status", "phase") === "Bound",
};

const volumesAtATime = 5;

/** Lets PersistentVolumes that are being deleted go when no claim is bound to them. */
export function volumeProtection(options: ProtectionOptions): Controller {
  return {
    name: "persistentvolume-protection-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: volumesAtATime,
        sources: [
          {
            resource: persistentVolumes,
            keyOf: ({ name, entry }, event) =>
              event !== "DELETED" && needsProtectionWork(options, protection.finalizer, entry) ? name : undefined,
          },
        ],
        async work(name) {
          await protect(options, protection, "", name);
          return undefined;
        },
      }),
  };
}
