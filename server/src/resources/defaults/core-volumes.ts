import { ownObject } from "../own-members.js";
import {
  type DefaultingRules,
  type PlainDefaults,
  plainDefaultsOf,
  rulesOf,
  setIfAbsent,
  setIfZero,
} from "./defaulting-rule.js";

/** Files in volumes made from API objects: rw-r--r--. */
const defaultMode = 0o644;
const rbd = { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" };
const scaleIO = { storageMode: "ThinProvisioned", fsType: "xfs" };

/** Volumes, and what they are made from. */
export const volumePlainDefaults: PlainDefaults = plainDefaultsOf("k8s.io.api.core.v1", {
  AzureDiskVolumeSource: { cachingMode: "ReadWrite", kind: "Shared", fsType: "ext4", readOnly: false },
  ConfigMapVolumeSource: { defaultMode },
  DownwardAPIVolumeSource: { defaultMode },
  HostPathVolumeSource: { type: "" },
  ISCSIPersistentVolumeSource: { iscsiInterface: "default" },
  ISCSIVolumeSource: { iscsiInterface: "default" },
  PersistentVolumeClaimSpec: { volumeMode: "Filesystem" },
  ProjectedVolumeSource: { defaultMode },
  RBDPersistentVolumeSource: rbd,
  RBDVolumeSource: rbd,
  ScaleIOPersistentVolumeSource: scaleIO,
  ScaleIOVolumeSource: scaleIO,
  SecretVolumeSource: { defaultMode },
  ServiceAccountTokenProjection: { expirationSeconds: 3600 },
});

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
