import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy, StrategyContext } from "../catalogue/resource-definition.js";
import { isSet, objectAt, textAt } from "../objects/json-fields.js";
import { timestamp } from "../objects/object-meta.js";
import { ownObject } from "../objects/own-members.js";

/** Volumes remember when they last changed phase (KEP-3762). */
export const persistentVolumeStrategy: ResourceStrategy = {
  prepareForCreate(volume, context) {
    if (context.features.enabled("PersistentVolumeLastPhaseTransitionTime")) {
      volume["status"] = { phase: "Pending", lastPhaseTransitionTime: timestamp(context.nowMs) };
    }
  },
  prepareForStatusUpdate(volume, old, context) {
    if (!context.features.enabled("PersistentVolumeLastPhaseTransitionTime")) {
      if (!isSet(old, "status", "lastPhaseTransitionTime")) {
        delete ownObject(volume, "status")["lastPhaseTransitionTime"];
      }
      return;
    }
    notePhaseTransition(volume, old, context);
  },
};

/** A time that the client sends with the change of phase stands. */
function notePhaseTransition(volume: JsonObject, old: JsonObject, context: StrategyContext): void {
  const status = ownObject(volume, "status");
  const oldStatus = objectAt(old, "status");
  if (textAt(status, "phase") === textAt(oldStatus, "phase")) {
    return;
  }
  if (textAt(status, "lastPhaseTransitionTime") === textAt(oldStatus, "lastPhaseTransitionTime")) {
    status["lastPhaseTransitionTime"] = timestamp(context.nowMs);
  }
}

/** `dataSource` and `dataSourceRef` say the same for as long as both can (KEP-1495). */
export const persistentVolumeClaimStrategy: ResourceStrategy = {
  prepareForCreate(claim, context) {
    claim["status"] = { phase: "Pending" };
    completeDataSources(claim, context);
  },
  prepareForUpdate(claim, _old, context) {
    completeDataSources(claim, context);
  },
};

function completeDataSources(claim: JsonObject, context: StrategyContext): void {
  if (!context.features.enabled("AnyVolumeDataSource")) {
    return;
  }
  const spec = ownObject(claim, "spec");
  const hasSource = isSet(spec, "dataSource");
  const hasReference = isSet(spec, "dataSourceRef");
  if (hasSource && !hasReference) {
    spec["dataSourceRef"] = typedReference(objectAt(spec, "dataSource"));
  } else if (!hasSource && hasReference && textAt(spec, "dataSourceRef", "namespace") === "") {
    spec["dataSource"] = typedReference(objectAt(spec, "dataSourceRef"));
  }
}

function typedReference(source: JsonObject): JsonObject {
  return {
    apiGroup: source["apiGroup"] ?? null,
    kind: textAt(source, "kind"),
    name: textAt(source, "name"),
  };
}
