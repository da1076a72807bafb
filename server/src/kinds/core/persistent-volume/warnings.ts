import { type JsonObject, listAt } from "@gatehouse/envelopes/json";
import { type DeprecatedVolume, deprecatedVolumeWarnings } from "../deprecated-volumes.js";
import { deprecatedExpressions } from "../node/deprecated-labels.js";
import { storageClassAnnotationWarnings } from "../storage-class-annotation.js";

/** Plugins that v1.29 warns about here. */
const plugins: readonly DeprecatedVolume[] = [
  "cephfs",
  "photonPersistentDisk",
  "scaleIO",
  "storageOS",
  "glusterfs",
  "rbd",
];

/** Returns the warnings about a volume. */
export function persistentVolumeWarnings(volume: JsonObject): readonly string[] {
  return [
    ...storageClassAnnotationWarnings(volume),
    ...listAt(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms").flatMap((term, index) =>
      deprecatedExpressions(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...deprecatedVolumeWarnings(volume["spec"], "spec", plugins),
  ];
}
