import { timestamp } from "@gatehouse/apiserver/objects";
import type { KindStrategy, StrategyContext } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";
import { persistentVolumeValidation } from "./validation.js";
import { persistentVolumeWarnings } from "./warnings.js";

/** The strategy of PersistentVolume, which notes the time of the last change of phase (KEP-3762). */
export const persistentVolumeStrategy: KindStrategy = {
  validation: persistentVolumeValidation,
  warnings: persistentVolumeWarnings,
  metadata: { rechecks: "inValidation" },
  create: {
    resetStatus(volume, context) {
      // The phase is a default, too, with which every stored volume is read.
      volume["status"] = { phase: "Pending" };
      if (context.features.enabled("PersistentVolumeLastPhaseTransitionTime")) {
        ownObject(volume, "status")["lastPhaseTransitionTime"] = timestamp(context.nowMs);
      }
    },
  },
  status: {
    prepareForUpdate(volume, old, context) {
      if (!context.features.enabled("PersistentVolumeLastPhaseTransitionTime")) {
        if (!isSet(old, "status", "lastPhaseTransitionTime")) {
          delete ownObject(volume, "status")["lastPhaseTransitionTime"];
        }
        return;
      }
      notePhaseTransition(volume, old, context);
    },
  },
  deletion: { returnsDeletedObject: true },
};

/**
 * Sets the time of a change of phase. A time that the client sends with the change stands; one that it leaves out stays
 * as it was.
 */
function notePhaseTransition(volume: JsonObject, old: JsonObject, context: StrategyContext): void {
  const status = ownObject(volume, "status");
  const oldStatus = objectAt(old, "status");
  const [sent, before] = [status["lastPhaseTransitionTime"] ?? "", textAt(oldStatus, "lastPhaseTransitionTime")];
  if (textAt(status, "phase") !== textAt(oldStatus, "phase")) {
    if (sent === "" || sent === before) {
      status["lastPhaseTransitionTime"] = timestamp(context.nowMs);
    }
  } else if (sent === "" && before !== "") {
    status["lastPhaseTransitionTime"] = before;
  }
}
