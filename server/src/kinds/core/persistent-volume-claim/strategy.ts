import type { KindStrategy } from "@gatehouse/apiserver/registry";
import { isSet, type JsonObject, ownObject, textAt } from "@gatehouse/envelopes/json";
import { completeDataSources } from "./data-sources.js";
import { persistentVolumeClaimValidation } from "./validation.js";
import { persistentVolumeClaimWarnings } from "./warnings.js";

/**
 * The strategy of PersistentVolumeClaim, which keeps `dataSource` and `dataSourceRef` equal as long as both can hold
 * the reference (KEP-1495).
 */
export const persistentVolumeClaimStrategy: KindStrategy = {
  validation: persistentVolumeClaimValidation,
  warnings: persistentVolumeClaimWarnings,
  metadata: { rechecks: "inValidation" },
  create: {
    resetStatus(claim) {
      claim["status"] = { phase: "Pending" };
    },
    prepareForCreate(claim, context) {
      dropOddDataSource(claim);
      completeDataSources(claim, context);
    },
  },
  update: {
    prepareForUpdate(claim, old, context) {
      if (!isSet(old, "spec", "dataSource") && !isSet(old, "spec", "dataSourceRef")) {
        dropOddDataSource(claim);
      }
      completeDataSources(claim, context);
    },
  },
  deletion: { returnsDeletedObject: true },
};

/** Drops a `dataSource` that is neither a claim nor a snapshot, as it was dropped before there was `dataSourceRef`. */
function dropOddDataSource(claim: JsonObject): void {
  const spec = ownObject(claim, "spec");
  const kinds = ["PersistentVolumeClaim.", "VolumeSnapshot.snapshot.storage.k8s.io"];
  const kind = `${textAt(spec, "dataSource", "kind")}.${textAt(spec, "dataSource", "apiGroup")}`;
  if (!isSet(spec, "dataSourceRef") && !kinds.includes(kind)) {
    delete spec["dataSource"];
  }
}
