import { type DefaultingRules, rulesOf, setIfZero } from "../../defaults/defaulting-rule.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of PersistentVolumeClaim: pending until a controller says otherwise. */
export const persistentVolumeClaimDefaults: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  PersistentVolumeClaim(claim) {
    setIfZero(ownObject(claim, "status"), "phase", "Pending");
  },
});
