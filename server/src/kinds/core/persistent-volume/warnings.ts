import { type JsonObject, listAt } from "@gatehouse/envelopes";
import { type DeprecatedVolume, deprecatedVolumeWarnings } from "../deprecated-volumes.js";
import { deprecatedExpressions } from "../node/deprecated-labels.js";
import { storageClassAnnotationWarnings } from "../storage-class-annotation.js";

/** v1.29 says nothing about the others here. */
const plugins: readonly DeprecatedVolume[] = [
  "cephfs",
  "photonPersistentDisk",
  "scaleIO",
  "storageOS",
  "glusterfs",
  "rbd",
];

/** What is said about a volume. */
export function persistentVolumeWarnings(volume: JsonObject): readonly string[] {
  return [
    ...storageClassAnnotationWarnings(volume),
    ...listAt(volume, "spec", "nodeAffinity", "required", "nodeSelectorTerms").flatMap((term, index) =>
      deprecatedExpressions(term, `spec.nodeAffinity.required.nodeSelectorTerms[${index}]`),
    ),
    ...deprecatedVolumeWarnings(volume["spec"], "spec", plugins),
  ];
}
