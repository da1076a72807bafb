import { type DefaultingFunctions, inPackage, setIfAbsent, setIfZero } from "../../defaults/defaulting-function.js";
import { ownObject } from "../../json/own-members.js";

/**
 * Defaults of PersistentVolume: pending until a controller says otherwise, kept when its claim goes, mounted as a file
 * system.
 */
export const persistentVolumeDefaults: DefaultingFunctions = inPackage("k8s.io.api.core.v1", {
  PersistentVolume(volume) {
    setIfZero(ownObject(volume, "status"), "phase", "Pending");
    const spec = ownObject(volume, "spec");
    setIfZero(spec, "persistentVolumeReclaimPolicy", "Retain");
    setIfAbsent(spec, "volumeMode", "Filesystem");
  },
});
