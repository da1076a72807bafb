import { ownObject } from "../objects/own-members.js";
import { type DefaultingRules, rulesOf, setIfAbsent, setIfZero } from "./defaulting-rule.js";

/** Volumes, and what they are made from. */
export const volumeRules: DefaultingRules = rulesOf("k8s.io.api.core.v1", {
  PersistentVolume(volume) {
    setIfZero(ownObject(volume, "status"), "phase", "Pending");
    const spec = ownObject(volume, "spec");
    setIfZero(spec, "persistentVolumeReclaimPolicy", "Retain");
    setIfAbsent(spec, "volumeMode", "Filesystem");
  },
  PersistentVolumeClaim(claim) {
    setIfZero(ownObject(claim, "status"), "phase", "Pending");
  },
  /** A volume that is made from nothing is an empty folder. */
  Volume(volume) {
    const hasSource = Object.keys(volume).some(
      (name) => name !== "name" && volume[name] !== undefined && volume[name] !== null,
    );
    if (!hasSource) {
      volume["emptyDir"] = {};
    }
  },
});
