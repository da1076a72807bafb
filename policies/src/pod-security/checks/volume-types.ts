import type { coreV1 } from "@gatehouse/envelopes/types";
import { type Check, counted, quoted, sortedSet } from "../check.js";
import { hostPathVolumes } from "./host-path-volumes.js";

type VolumeType = Exclude<keyof coreV1.Volume, "name">;

const allowed: readonly VolumeType[] = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "persistentVolumeClaim",
  "projected",
  "secret",
];

/** Restricted volume types, in the order in which v1.29 looks for a volume's type. */
const restricted: readonly VolumeType[] = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
];

/** The control of volume types: only those that belong to the pod or to its namespace. */
export const volumeTypes: Check = {
  id: "restrictedVolumes",
  level: "restricted",
  versions: [
    {
      sinceMinor: 0,
      replaces: hostPathVolumes.id,
      check({ spec }) {
        const bad = (spec.volumes ?? []).filter((volume) => !allowed.some((type) => volume[type] != null));
        if (bad.length === 0) {
          return undefined;
        }
        const types = sortedSet(bad.map(typeOf));
        const volumes = counted(
          "volume",
          "volumes",
          bad.map(({ name }) => name ?? ""),
        );
        const verb = bad.length === 1 ? "uses" : "use";
        const noun = types.length === 1 ? "restricted volume type" : "restricted volume types";
        return { reason: "restricted volume types", detail: `${volumes} ${verb} ${noun} ${quoted(types)}` };
      },
    },
  ],
};

function typeOf(volume: coreV1.Volume): string {
  return restricted.find((type) => volume[type] != null) ?? "unknown";
}
