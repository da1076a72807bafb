import { type AdmissionPlugin, isCoreWrite } from "@gatehouse/apiserver/admission";
import { listAt, ownList, ownObject, textAt } from "@gatehouse/envelopes/json";

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** TaintNodesByCondition: nothing is scheduled on a new node until somebody has found it ready. */
export function taintNodesByCondition(): AdmissionPlugin {
  return {
    name: "TaintNodesByCondition",
    concerns: (write) => isCoreWrite(write, "nodes", ["CREATE"]),
    admit(attributes) {
      const isTainted = listAt(attributes.object, "spec", "taints").some(
        (taint) => textAt(taint, "key") === notReady.key && textAt(taint, "effect") === notReady.effect,
      );
      if (!isTainted) {
        attributes.mutate((node) => {
          ownList(ownObject(node, "spec"), "taints").push({ ...notReady });
          return undefined;
        });
      }
    },
  };
}
