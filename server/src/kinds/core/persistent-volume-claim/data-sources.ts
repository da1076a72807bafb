import type { EnabledFeatures } from "@gatehouse/envelopes/features";
import { isSet, type JsonObject, objectAt, ownObject, textAt } from "@gatehouse/envelopes/json";

/**
 * Copies `dataSource` to an absent `dataSourceRef` and the other way round, unless the reference leads to another namespace
 * (KEP-1495).
 */
export function completeDataSources(claim: JsonObject, { features }: { readonly features: EnabledFeatures }): void {
  if (!features.enabled("AnyVolumeDataSource")) {
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
