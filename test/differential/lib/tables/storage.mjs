// Kinds about storage, for tables.

import { amount, anyText, labels, maybe, several, someText, time } from "./values.mjs";

const modes = (r) => r.some(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"], 0.5).concat("ReadWriteOnce");
const size = (r) => r.pick(["1Gi", "1024Mi", "5G", "1500m", "1e9", 7]);
const defaultClass = (r, ...names) =>
  maybe(r, 0.5, () => ({ metadata: { annotations: { [r.pick(names)]: r.pick(["true", "false", "True", ""]) } } }));
const oldClass = (r) => maybe(r, 0.2, () => ({ "volume.beta.kubernetes.io/storage-class": r.pick(["old", ""]) }));

/** Kinds of the group storage.k8s.io, and what core has of the sort. */
export const storageKinds = [
  {
    paths: ["/api/v1/persistentvolumes"],
    kind: "PersistentVolume",
    isOfCluster: true,
    isDeleted: 0.2,
    draws: 2,
    object: (r) => ({
      metadata: { annotations: oldClass(r) },
      spec: {
        capacity: { storage: size(r) },
        accessModes: r.pick([modes(r), ["ReadWriteOncePod"]]),
        ...maybe(r, 0.5, () => ({ storageClassName: r.pick(["fast", "a.b", ""]) })),
        ...maybe(r, 0.5, () => ({ persistentVolumeReclaimPolicy: r.pick(["Retain", "Delete", "Recycle"]) })),
        ...maybe(r, 0.5, () => ({
          claimRef: {
            ...maybe(r, 0.8, () => ({ namespace: "n" })),
            ...maybe(r, 0.8, () => ({ name: "c" })),
            kind: "PersistentVolumeClaim",
          },
        })),
        ...maybe(r, 0.3, () => ({ volumeMode: r.pick(["Block", "Filesystem"]) })),
        ...r.pick([
          {
            csi: { driver: "d.example.com", volumeHandle: "h" },
            ...maybe(r, 0.5, () => ({ volumeAttributesClassName: "gold" })),
          },
          { hostPath: { path: "/tmp/x" } },
        ]),
      },
    }),
    status: (r) => ({
      phase: r.pick(["Pending", "Available", "Bound", "Released", "Failed", "Odd", ""]),
      ...maybe(r, 0.4, () => ({ reason: anyText(r), message: anyText(r) })),
    }),
  },
  {
    paths: ["/api/v1/persistentvolumeclaims"],
    kind: "PersistentVolumeClaim",
    isDeleted: 0.2,
    draws: 2,
    object: (r) => ({
      metadata: { annotations: oldClass(r) },
      spec: {
        accessModes: r.pick([modes(r), ["ReadWriteOncePod"]]),
        resources: { requests: { storage: size(r) } },
        ...maybe(r, 0.6, () => ({ volumeName: r.pick(["pv1", "a.b"]) })),
        ...maybe(r, 0.5, () => ({ storageClassName: r.pick(["fast", ""]) })),
        ...maybe(r, 0.4, () => ({ volumeAttributesClassName: "gold" })),
        ...maybe(r, 0.3, () => ({ volumeMode: r.pick(["Block", "Filesystem"]) })),
      },
    }),
    status: (r) => ({
      ...maybe(r, 0.8, () => ({ phase: r.pick(["Pending", "Bound", "Lost", "Odd", ""]) })),
      ...maybe(r, 0.7, () => ({ accessModes: r.pick([modes(r), ["ReadWriteOncePod", "ReadOnlyMany"], ["Odd"]]) })),
      ...maybe(r, 0.7, () => ({ capacity: r.pick([{ storage: size(r) }, { other: "1" }]) })),
    }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1/storageclasses"],
    kind: "StorageClass",
    isOfCluster: true,
    object: (r) => ({
      ...defaultClass(
        r,
        "storageclass.kubernetes.io/is-default-class",
        "storageclass.beta.kubernetes.io/is-default-class",
      ),
      provisioner: r.pick(["kubernetes.io/no-provisioner", "example.com/a", "x"]),
      ...maybe(r, 0.5, () => ({ reclaimPolicy: r.pick(["Retain", "Delete"]) })),
      ...maybe(r, 0.5, () => ({ volumeBindingMode: r.pick(["Immediate", "WaitForFirstConsumer"]) })),
      ...maybe(r, 0.5, () => ({ allowVolumeExpansion: r.pick([true, false, null]) })),
    }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1alpha1/volumeattributesclasses"],
    kind: "VolumeAttributesClass",
    isOfCluster: true,
    object: (r) => ({
      ...defaultClass(
        r,
        "volumeattributesclass.alpha.kubernetes.io/is-default-class",
        "storageclass.kubernetes.io/is-default-class",
      ),
      driverName: r.pick(["d.example.com", "d"]),
      parameters: { a: anyText(r) },
    }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1/volumeattachments"],
    kind: "VolumeAttachment",
    isOfCluster: true,
    object: (r) => ({
      spec: {
        attacher: r.pick(["d.example.com", "d"]),
        nodeName: r.pick(["n1", "a.b"]),
        source: r.pick([
          { persistentVolumeName: r.pick(["pv", "a.b", someText(r)]) },
          {
            inlineVolumeSpec: {
              accessModes: ["ReadWriteOnce"],
              csi: { driver: "d", volumeHandle: "h" },
            },
          },
        ]),
      },
    }),
    status: (r) => ({
      attached: r.chance(0.5),
      ...maybe(r, 0.4, () => ({ attachError: { message: anyText(r), time: time(r) } })),
    }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1/csidrivers"],
    kind: "CSIDriver",
    isOfCluster: true,
    object: (r) => ({
      spec: {
        ...Object.fromEntries(
          r
            .some(["attachRequired", "podInfoOnMount", "storageCapacity", "requiresRepublish", "seLinuxMount"], 0.6)
            .map((name) => [name, r.pick([true, false, null])]),
        ),
        ...maybe(r, 0.6, () => ({
          volumeLifecycleModes: r.pick([["Persistent"], ["Ephemeral", "Persistent"], [], null]),
        })),
        ...maybe(r, 0.6, () => ({
          tokenRequests: several(r, 3, (_, i) => ({ audience: r.pick(["", `a${i}`, anyText(r)]) })),
        })),
      },
    }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1/csinodes"],
    kind: "CSINode",
    isOfCluster: true,
    object: (r) => ({ spec: { drivers: several(r, 3, (_, i) => ({ name: `d${i}`, nodeID: "n" })) } }),
  },
  {
    paths: ["/apis/storage.k8s.io/v1/csistoragecapacities"],
    kind: "CSIStorageCapacity",
    object: (r) => ({
      storageClassName: r.pick(["fast", "a.b"]),
      ...maybe(r, 0.6, () => ({ capacity: r.pick([amount(r), null]) })),
      ...maybe(r, 0.3, () => ({ maximumVolumeSize: amount(r) })),
      ...maybe(r, 0.3, () => ({ nodeTopology: { matchLabels: labels(r) } })),
    }),
  },
];
