import type { JsonObject } from "@gatehouse/envelopes";
import type { ResourceStrategy, StrategyContext } from "../../../catalogue/resource-definition.js";
import { isSet, objectAt, textAt } from "../../../objects/json-fields.js";
import { ownObject } from "../../../objects/own-members.js";

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
