import { type DefaultingFunctions, inPackage, setIfZero } from "../../defaults/defaulting-function.js";
import { ownObject } from "../../json/own-members.js";

/** Defaults of PersistentVolumeClaim: pending until a controller says otherwise. */
export const persistentVolumeClaimDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  PersistentVolumeClaim(claim) {
    setIfZero(ownObject(claim, "status"), "phase", "Pending");
  },
});
